"""The rule of thumb and the static evaluation: strength against random play, plans, and blindness to what is hidden."""

from itertools import combinations

import numpy as np
import pytest

from agents.greedy import rule_of_thumb_at
from agents.heuristics.contract import evaluate, get_heuristics
from envs.compiling import compiled
from envs.position import Position
from envs.travel_blog import GAME
from envs.travel_blog.prices import price
from tests.travel_blog.policies import sensible
from tests.travel_blog.table import Table

HEURISTICS = get_heuristics("travel_blog", 1)


@compiled
def evaluate_at(token, states, i, seat, out):
    evaluate(token[0], states[i], seat, out)


def evaluation(position, seat=0):
    out = np.empty(position.num_players)
    evaluate_at(HEURISTICS.token, position.states, 0, seat, out)
    return out


def choice(position, seed=0):
    return rule_of_thumb_at(HEURISTICS.token, position.states, 0, seed)


def share_against_random(options, games):
    """The share of games that the rule of thumb wins, ties halved: each of seeds 0 to games/2 - 1 from both seats."""
    won = 0.0
    rng = np.random.default_rng(0)
    position = Position(GAME, options)
    for number in range(games):
        seat = number % 2
        position.restart(number // 2)
        while not position.is_over:
            if position.current_player == seat:
                action = choice(position, number)
            else:
                action = rng.choice(np.flatnonzero(position.action_mask()))
            position.apply(action)
        winners = position.winners()
        won += (seat in winners) / len(winners)
    return won / games


@pytest.mark.parametrize(
    "options",
    [{}, {"map": "usa"}, {"timing": "sequence"}, {"demanding": True}, {"demanding": True, "timing": "sequence"}],
    ids=str,
)
def test_greedy_wins_at_least_95_percent_of_two_player_games_against_random(options):
    """200 games: an agent that wins 90 % gets there less than once in 100 tries."""
    assert share_against_random(options, 200) >= 0.95


def test_the_best_field_of_the_first_rounds_is_taken():
    table = Table(2).deal(["France"], {1: "Hungary", 2: "Great Britain", 3: "Portugal", 4: "Iceland"})
    table.deal(["France"], {5: "Denmark", 6: "Ukraine", 7: "Russia"})
    costs = [price(table.state_for_rules, field, -1) for field in range(8)]
    best = [field for field in range(8) if costs[field] == min(costs)]
    chosen = {choice(table.position, seed) for seed in range(60)}
    assert chosen == set(best), "equally good fields are all chosen at times"
    assert len(best) > 1


def test_tokens_that_lie_make_a_field_dearer():
    offer = {1: "Portugal", 2: "Hungary", 3: "Azerbaijan", 4: "Georgia", 5: "Armenia", 6: "Finland", 7: "Kosovo"}
    table = Table(3).deal(["France"], offer)
    assert choice(table.position) == 1
    table.tick(1, 1, None)
    assert table.described["current_player"] == 2
    assert choice(table.position) == 2, "two beneath make 40 of 20; Hungary is 30"


@pytest.mark.parametrize("round_", [3, 5, 7])
def test_the_two_tokens_make_the_best_pair_and_in_the_finale_the_dearest(round_):
    for seed in range(10):
        table = Table(2, round=round_, seed=seed, timing="sequence")
        table.state.wave_order[0], table.state.wave_order[1], table.state.current_player = 0, 1, 0
        prices = {pair: price(table.state_for_rules, *pair) for pair in combinations(range(8), 2)}
        best = max(prices.values()) if round_ == 7 else min(prices.values())
        first = choice(table.position, seed)
        assert best in [prices[pair] for pair in prices if first in pair]
        table.commit(first)
        other = next(field for field in range(8) if field != first)
        table.commit(other)
        while table.described["current_player"] == 1:
            table.commit(next(field for field in range(8) if field not in (first, other)))
        second = choice(table.position, seed)
        free = {
            field: price(table.state_for_rules, first, field)
            + (-10 if round_ == 7 else 10) * len(table.described["stacks"][field])
            for field in range(8)
            if field != first
        }
        assert free[second] == (max if round_ == 7 else min)(free.values())


def test_the_rule_of_thumb_plays_legally_everywhere_and_never_waits():
    rng = np.random.default_rng(1)
    for more in ({"num_players": 6}, {"demanding": True}, {"timing": "sequence"}):
        position = Position(GAME, {"num_players": 3, **more}, 3)
        while not position.is_over:
            action = choice(position, position.move_number)
            assert action in position.legal_actions()
            assert position.decode_action(action)["type"] == "place"
            position.apply(sensible(position, rng))


@pytest.mark.parametrize("options", [{"num_players": 4}, {"num_players": 3, "demanding": True}], ids=str)
def test_both_see_nothing_but_what_the_seat_may_know(options):
    rng = np.random.default_rng(2)
    for seed in range(2):
        position = Position(GAME, options, seed)
        while not position.is_over:
            seat = position.current_player
            one, other = position.determinize(seat, 1), position.determinize(seat, 2)
            assert choice(one, 5) == choice(other, 5)
            for looker in range(position.num_players):
                one, other = position.determinize(looker, 1), position.determinize(looker, 2)
                assert evaluation(one, looker).tobytes() == evaluation(other, looker).tobytes()
            position.apply(sensible(position, rng))


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_evaluations_sum_to_nothing_lie_among_the_returns_and_favour_who_is_ahead(reward):
    rng = np.random.default_rng(3)
    position = Position(GAME, {"num_players": 4, "reward": reward}, 3)
    lowest = GAME.min_return(position.options)
    while not position.is_over:
        values = evaluation(position)
        assert values.sum() == pytest.approx(0)
        assert values.min() >= lowest
        position.apply(sensible(position, rng))
    table = Table(4, round=5, reward=reward)
    for seat, euros in enumerate((500, 300, 400, 200)):
        table.fill(seat, euros)
    assert list(np.argsort(-evaluation(table.position))) == [0, 2, 1, 3]


def test_the_evaluation_foretells_who_wins():
    """200 games of sensible players, seeds 0 to 199: who is ahead at the beginning of the finale wins more often."""
    rng = np.random.default_rng(4)
    right = decided = 0
    position = Position(GAME, {"num_players": 2})
    for seed in range(200):
        position.restart(seed)
        value = None
        while not position.is_over:
            if position.states["round"][0] == 7 and value is None:
                value = evaluation(position)
            position.apply(sensible(position, rng))
        result = position.returns()
        if result[0] != 0 and abs(value[0]) > 0.2:
            decided += 1
            right += (result[0] > 0) == (value[0] > 0)
    assert decided > 100
    assert right > 0.75 * decided
