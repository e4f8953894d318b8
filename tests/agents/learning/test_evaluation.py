"""Matches: fair, reproducible, and of known strength."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.agent import AgentError
from agents.learning.evaluation import MatchResult, make_field, play_match
from agents.learning.players import AgentPlayer, Lanes, Player, RandomPlayer, ThumbPlayer, make_player
from agents.registry import agent_config
from envs.catalog import get_game
from envs.errors import KontorError
from envs.position import Array


def match(
    name: str, learner: Player, opponent: Player, deals: int = 40, opening: int = 0, **options: Any
) -> MatchResult:
    game = get_game(name)
    return play_match(game, game.validate(options), learner, opponent, list(range(deals)), opening)


class First:
    """Plays the first legal action, and keeps the positions it was asked about."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, bytes]] = []

    def choose(self, lanes: Lanes, where: Array, keys: Array, actions: Array) -> None:
        for lane in np.flatnonzero(where):
            self.seen.append((int(lane), int(lanes.seats[lane]), lanes.states[lane].tobytes()))
        actions[where] = lanes.masks[where].argmax(axis=1)


def test_each_deal_is_played_from_every_seat() -> None:
    learner, opponent = First(), First()
    result = match("leduc_poker", learner, opponent, deals=5, num_players=3)
    assert result.shares.shape == (5, 3)
    assert {(lane, seat) for lane, seat, _ in learner.seen} == {(lane, lane % 3) for lane in range(15)}
    assert all(seat != lane % 3 for lane, seat, _ in opponent.seen)
    # the same players on one deal: what the seats win together is the whole win
    assert result.shares.sum(axis=1) == pytest.approx(np.ones(5))


def test_only_the_first_game_of_each_lane_counts() -> None:
    """Lanes that are done play on until all are; nobody is asked for them."""
    learner, opponent = First(), RandomPlayer()
    match("kuhn_poker", learner, opponent, deals=30)
    asked = [lane for lane, _, _ in learner.seen]
    assert max(asked.count(lane) for lane in set(asked)) <= 2


def test_an_opening_is_the_same_from_every_seat_and_differs_between_deals() -> None:
    learner, opponent = First(), First()
    match("connect_four", learner, opponent, deals=30, opening=2)
    first = {lane: position for lane, seat, position in opponent.seen[:30] + learner.seen[:30] if seat == 0}
    assert all(first[2 * deal] == first[2 * deal + 1] for deal in range(30))
    assert len(set(first.values())) > 15


def test_matches_are_reproducible_and_shares_are_of_the_win() -> None:
    results = [match("connect_four", RandomPlayer(), RandomPlayer(), deals=200) for _ in range(2)]
    np.testing.assert_array_equal(results[0].shares, results[1].shares)
    assert set(results[0].shares.ravel()) <= {0.0, 0.5, 1.0}
    assert abs(results[0].win_rate - 0.5) < 5 * 0.5 / 400**0.5


def test_the_compiled_rule_of_thumb_is_the_agent_greedy() -> None:
    """Both beat random play by far; against each other they are equal within five standard errors of 400 games."""
    game = get_game("connect_four")
    thumb = ThumbPlayer(game, None)
    agent = AgentPlayer(agent_config("greedy"), game, game.validate({}))
    assert match("connect_four", thumb, RandomPlayer(), deals=50).win_rate > 0.95
    assert match("connect_four", agent, RandomPlayer(), deals=50).win_rate > 0.95
    assert abs(match("connect_four", agent, thumb, deals=200, opening=2).win_rate - 0.5) < 5 * 0.5 / 400**0.5


def test_intervals_count_what_deals_have_in_common() -> None:
    alike = MatchResult(np.repeat([[1.0, 1.0], [0.0, 0.0]], 50, axis=0), 0)
    apart = MatchResult(np.tile([[1.0, 0.0]], (100, 1)), 0)
    single = MatchResult(np.ones((1, 2)), 0)
    assert alike.win_rate == apart.win_rate == 0.5
    low, high = alike.interval()
    assert (low, high) == pytest.approx((0.4038, 0.5962), abs=0.002)  # Wilson's for 50 of 100
    low, high = apart.interval()
    assert (low, high) == pytest.approx((0.4314, 0.5686), abs=0.002)  # and for 100 of 200
    assert single.interval()[1] == 1.0


def test_the_field_is_random_and_greedy_where_there_is_one() -> None:
    def field(name: str, given: Any = None) -> list[str]:
        game = get_game(name)
        return list(make_field(given, game, game.validate({})))

    assert field("kuhn_poker") == ["random"]
    assert field("connect_four") == ["random", "greedy"]
    assert field("kuhn_poker", {"search": {"type": "mcts", "iterations": 5}}) == ["search"]
    with pytest.raises(AgentError, match="did you mean 'random'"):
        field("kuhn_poker", {"a": {"type": "randon"}})
    with pytest.raises(AgentError, match=r"evaluation\.field\.a: kuhn_poker has no rule of thumb"):
        field("kuhn_poker", {"a": {"type": "greedy"}})


def test_any_agent_can_be_an_opponent() -> None:
    game = get_game("tic_tac_toe")
    search = make_player({"type": "mcts", "iterations": 200}, game, game.validate({}))
    assert match("tic_tac_toe", search, RandomPlayer(), deals=20).win_rate > 0.8
    with pytest.raises(KontorError, match="needs a type"):
        make_player({}, game, game.validate({}))
    with pytest.raises(AgentError, match="agent mcts thinks by the clock"):
        make_player({"type": "mcts", "seconds": 0.1}, game, game.validate({}))
