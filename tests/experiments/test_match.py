"""Playing one game: agents and chance apart, places, what is kept, and agents that fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from envs.catalog import get_game
from envs.position import Position
from experiments.config import Experiment
from experiments.match import GameResult, MatchError, places, play, warm_up
from experiments.plan import plan
from experiments.statistics import win_shares
from tests.experiments.configs import TEXT, experiment


def played(experiment: Experiment, setting: int) -> list[GameResult]:
    return [play(game, experiment) for game in plan(experiment) if game.setting == setting]


def same(one: GameResult, other: GameResult) -> bool:
    return (one.id, one.actions, one.position) == (other.id, other.actions, other.position)


def test_a_game_is_the_same_whenever_it_is_played(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    first, second = played(config, 1), played(config, 1)
    assert all(same(a, b) for a, b in zip(first, second, strict=True))
    assert len({result.actions for result in first}) > 1


def test_what_is_counted_agrees_with_the_game(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    for setting in (0, 1):
        for result in played(config, setting):
            assert sum(seat.decisions for seat in result.seats) == result.moves == len(result.actions)
            assert sum(seat.result for seat in result.seats) == pytest.approx(0)
            assert [seat.score for seat in result.seats] == [seat.result for seat in result.seats], "no reward option"
            assert all(seat.seconds > 0 for seat in result.seats if seat.decisions)
            assert sum(win_shares([seat.place for seat in result.seats])) == pytest.approx(1)
            assert sum(seat.place for seat in result.seats) == sum(range(1, len(result.seats) + 1))


def test_places_of_a_won_and_of_a_drawn_game() -> None:
    game = get_game("tic_tac_toe")
    won, drawn = Position(game), Position(game)
    for action in (0, 3, 1, 4, 2):
        won.apply(action)
    for action in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        drawn.apply(action)
    assert places(won) == [1.0, 2.0]
    assert places(drawn) == [1.5, 1.5]


def test_places_tell_all_seats_apart_where_the_result_only_knows_winners() -> None:
    game = get_game("fuerstenfeld")
    position = Position(game, {"num_players": 3, "reward": "win"}, 2)
    rng = np.random.default_rng(0)
    while not position.is_over:
        position.apply(int(rng.choice(position.legal_actions())))
    ranked = position.copy()
    ranked.states["options"]["reward"] = 1
    assert places(position) == [1 + (1 - value) for value in ranked.returns()], "rank pays 1 - 2 place / (n - 1)"
    assert position.states["options"]["reward"][0] == 0, "the game itself is left as it was"
    assert len(set(places(position))) == 3
    assert sorted(position.returns())[0] == sorted(position.returns())[1], "by winning only, two seats are alike"


def test_copies_are_known_by_their_moves_where_no_chance_was_drawn(tmp_path: Path) -> None:
    text = TEXT.replace("type: random", "type: first_legal")
    tic_tac_toe = played(experiment(tmp_path, text=text), 0)
    assert len({result.copy_key for result in tic_tac_toe}) == 1
    assert None not in {result.copy_key for result in tic_tac_toe}
    assert {result.copy_key for result in played(experiment(tmp_path, text=text), 1)} == {None}, "poker is dealt"


@pytest.mark.parametrize(
    ("illegal", "message"),
    [
        ("false", "agent one failed: ZeroDivisionError: of no use"),
        ("true", "agent one: tic_tac_toe, move .* is illegal"),
    ],
)
def test_an_agent_that_fails_is_named_with_its_game(illegal: str, message: str, tmp_path: Path) -> None:
    config = experiment(tmp_path, f"agents.one={{type: broken, illegal: {illegal}}}")
    game = next(game for game in plan(config) if game.seating == ("one", "three"))
    with pytest.raises(MatchError, match=f"game tic_tac_toe/0/one.three: {message}"):
        play(game, config)


def test_warming_up_finds_an_agent_that_fails_at_once(tmp_path: Path) -> None:
    warm_up(experiment(tmp_path))
    config = experiment(tmp_path, "agents.one={type: deadly, path: nowhere}")
    warm_up(config)  # its first decision is harmless


def test_agents_do_not_share_generators(tmp_path: Path) -> None:
    """Two random agents at one table play different games when they change seats on one deal."""
    config = experiment(tmp_path, "tournament.deals=20")
    pairs = [r for r in played(config, 0) if {seat.agent for seat in r.seats} == {"one", "two"}]
    by_deal: dict[int, set[tuple[int, ...]]] = {}
    for result in pairs:
        by_deal.setdefault(result.deal, set()).add(result.actions)
    assert sum(len(actions) == 2 for actions in by_deal.values()) >= 18
