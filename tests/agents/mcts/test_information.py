"""Hidden information: several observers, fixed determinizations, the poker games, and no peeking."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from agents.agent import AgentError
from agents.registry import agent_config
from envs.catalog import get_game
from envs.position import Position
from envs.view import View
from tests.agents.mcts.searching import after_random_moves, searched, searcher
from tests.agents.mcts.tables import GO_ON, TAKE, fusion, secret
from tests.agents.play import make, play_game

SINGLE, MULTIPLE, FIXED = {"observers": "single"}, {"observers": "multiple"}, {"determinizations": 10}
MODES = pytest.mark.parametrize("mode", [SINGLE, MULTIPLE, FIXED], ids=["single", "multiple", "fixed"])


def test_trees_on_fixed_determinizations_fall_for_strategy_fusion():
    """Each of them knows the coin, so to guess it looks like a sure win; who searches without knowing takes the fifth.

    Strategy fusion: Frank and Basin, "Search in games with incomplete information", 1998.
    """
    for seed in range(10):
        assert searched(fusion(seed), seed, iterations=2000).actions[0].action == TAKE
        fused = searched(fusion(seed), seed, iterations=2000, **FIXED).actions[0]
        assert fused.action == GO_ON
        assert fused.values[0] > 0.8


def test_with_several_observers_a_seat_does_not_act_on_what_another_did_unseen():
    """In one tree the guess follows on the coin hidden there; in a tree of its own seat 0 has one node for both."""
    for seed in range(10):
        position = secret()
        fooled = searched(position, seed, iterations=4000)
        assert fooled.actions[0].action == GO_ON
        assert fooled.actions[0].values[0] > 0.6
        wise = searched(position, seed, iterations=4000, **MULTIPLE)
        assert wise.actions[0].action == TAKE
        assert wise.actions[1].values[0] < 0.4
        assert wise.nodes < 20


def test_what_a_seat_did_is_one_node_to_those_who_did_not_see_it():
    position = secret()
    agent = searcher(position.game, position.options, iterations=4000, observers="multiple")
    position.apply(GO_ON)
    agent.search_report(View(position, 1))
    nodes, keys = agent._jobs[0].tree.nodes, agent._jobs[0].tree.keys
    children = []
    for root in range(2):
        child = int(nodes["first_child"][root])
        children.append([])
        while child:
            children[root].append(int(nodes["action"][child]))
            child = int(nodes["next_sibling"][child])
    assert sorted(children[1]) == [0, 1], "seat 1 knows what it hides"
    assert len(children[0]) == 1, "seat 0 only sees that it does"
    assert children[0][0] < 0
    assert keys[int(nodes["first_child"][0])] > 0


def test_observers_and_fixed_determinizations_exclude_each_other():
    with pytest.raises(AgentError, match="observers and determinizations exclude each other"):
        searcher(get_game("leduc_poker"), observers="multiple", determinizations=3)


# ------------------------------------------------------------------ no peeking

HIDDEN = [("kuhn_poker", 3), ("leduc_poker", 5), ("fuerstenfeld", 60)]
LARGE = [("travel_blog", 60), ("pfeffersaecke", 60), ("mesopotamia", 60)]


def the_move_is_the_same(name: str, moves: int, settings: dict[str, object], deals: int) -> None:
    """Whatever another determinization has put in place of what is hidden, the same seed finds the very same."""
    game, rng, others = get_game(name), np.random.default_rng(0), 0
    for deal in range(deals):
        position = after_random_moves(game, {}, deal, int(rng.integers(moves + 1)))
        seat = position.current_player
        assert seat is not None
        other = position.determinize(seat, int(rng.integers(1 << 62)))
        others += other.tobytes() != position.tobytes()
        reports = []
        for place in (position, other):
            agent = searcher(game, {}, deal, **settings)
            reports.append(agent.search_report(View(place, seat)).actions)
        assert reports[0] == reports[1]
    assert others > deals / 2


@MODES
@pytest.mark.parametrize(("name", "moves"), HIDDEN)
def test_the_move_is_the_same_when_the_hidden_cards_are_others(name, moves, mode):
    large = name == "fuerstenfeld"
    settings = (
        {"iterations": 20, "rollout": "random", "selection": "ucb1", "depth": 400} if large else {"iterations": 200}
    )
    the_move_is_the_same(name, moves, settings | mode, 6 if large else 20)


@pytest.mark.slow
@MODES
@pytest.mark.parametrize(("name", "moves"), LARGE)
def test_the_move_is_the_same_in_every_game(name, moves, mode):
    the_move_is_the_same(name, moves, {"iterations": 20} | mode, 8)


# ------------------------------------------------------------------ poker


def facing_a_bet_with_the_best_hand(name: str, players: int, number: int) -> list[Position]:
    """Positions of random play in which the seat to act can fold a hand that nothing beats."""
    found: list[Position] = []
    for deal in count():
        position = Position(get_game(name), {"num_players": players}, deal)
        rng = np.random.default_rng(deal)
        while not position.is_over:
            state, seat = position.state, position.states["current_player"][0]
            card = int(state.card[seat])
            if name == "kuhn_poker":
                best = card == players and state.phase == 1
            else:
                best = state.phase == 1 and card // 2 == int(state.public_card) // 2 and 0 in position.legal_actions()
            if best:
                found.append(position.copy())
                if len(found) == number:
                    return found
            position.apply(int(rng.choice(position.legal_actions())))
    raise AssertionError("unreachable")


@pytest.mark.parametrize("observers", ["single", "multiple"])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_the_best_hand_is_never_folded(name, players, observers):
    for seed, position in enumerate(facing_a_bet_with_the_best_hand(name, players, 12)):
        report = searched(position, seed, iterations=10_000, observers=observers)
        assert report.actions[0].action != 0


def margins(name: str, settings: dict[str, object], deals: int) -> np.ndarray:
    """What search wins from random play in each deal, both seats of it summed up."""
    search, random = agent_config("mcts", **settings), agent_config("random")
    found = []
    for deal in range(deals):
        there = play_game(get_game(name), {}, [search, random], deal).returns()[0]
        found.append(there + play_game(get_game(name), {}, [random, search], deal).returns()[1])
    return np.array(found)


def above_zero(found: np.ndarray) -> bool:
    """Whether the 99 % interval of the mean lies above 0."""
    return bool(found.mean() > 2.576 * found.std(ddof=1) / len(found) ** 0.5)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_search_beats_random_play_at_poker(name):
    """The 99 % interval of 500 duplicate deals lies above 0; random play itself would get there once in 200 runs."""
    assert above_zero(margins(name, {"iterations": 200}, 500))


@pytest.mark.slow
@pytest.mark.parametrize("observers", ["single", "multiple"])
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_a_long_search_beats_random_play_at_poker(name, observers):
    assert above_zero(margins(name, {"iterations": 10_000, "observers": observers}, 2000))


# ------------------------------------------------------------------ tic-tac-toe


@pytest.mark.parametrize("own_seat", [0, 1])
def test_tic_tac_toe_is_never_lost_whatever_the_other_plays(own_seat):
    """Every game against every reply, perfect ones among them, at 2,000 iterations with a seed for each position."""
    game = get_game("tic_tac_toe")
    config = agent_config("mcts", iterations=2000)
    chosen: dict[bytes, int] = {}
    lost = []

    def play(position: Position) -> None:
        if position.is_over:
            lost.append(position.returns()[own_seat] < 0)
            return
        if position.current_player != own_seat:
            for reply in position.legal_actions():
                following = position.copy()
                following.apply(reply)
                play(following)
            return
        key = position.tobytes()
        if key not in chosen:
            chosen[key] = make(config, game, {}, (own_seat, len(chosen))).act(View(position, own_seat))
        position = position.copy()
        position.apply(chosen[key])
        play(position)

    play(Position(game))
    assert not any(lost)
    assert len(lost) > 40
    assert len(chosen) > 30
