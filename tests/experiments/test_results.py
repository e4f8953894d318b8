"""From stored games to the numbers that are shown."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

from experiments.results import SettingResult, setting_result
from experiments.statistics import wilson
from experiments.store import SeatRow
from experiments.tournament import run
from tests.experiments.configs import TEXT, experiment, stored

Game = dict[str, float]
"""The places of a game by agent, in the order of the seats."""

ROW = {"label": "game", "game": "game", "options": {"num_players": 2}, "planned_games": 1000}


def result(games: list[tuple[int, Game]], copy_keys: list[str] | None = None, **changes: Any) -> SettingResult:
    """The numbers of (deal, places) games."""
    tables = []
    for number, (deal, places) in enumerate(games):
        key = copy_keys[number] if copy_keys else None
        row = {"result": 0.0, "score": 2.0, "decisions": 10, "seconds": 0.5, "truncated": 0, "moves": 20, **changes}
        tables.append(
            [
                SeatRow(number, 0, deal, seat, agent, place, copy_key=key, **row)
                for seat, (agent, place) in enumerate(places.items())
            ]
        )
    return setting_result(ROW, tables)


def block(deal: int, winner: str, loser: str) -> list[tuple[int, Game]]:
    return [(deal, {winner: 1.0, loser: 2.0}), (deal, {loser: 2.0, winner: 1.0})]


def split(deal: int) -> list[tuple[int, Game]]:
    return [(deal, {"a": 1.0, "b": 2.0}), (deal, {"b": 1.0, "a": 2.0})]


def test_the_numbers_of_an_agent() -> None:
    games = [game for deal in range(30) for game in (block(deal, "a", "b") if deal % 3 else split(deal))]
    games.append((30, {"a": 1.5, "b": 1.5}))
    shown = result(games)
    best, other = shown.agents
    assert (best.agent, other.agent) == ("a", "b")
    assert (best.games, best.distinct, shown.games, shown.distinct, shown.deals) == (61, 61, 61, 61, 31)
    assert best.win_share.value == pytest.approx((40 + 10 + 0.5) / 61)
    assert best.win_share.value + other.win_share.value == pytest.approx(1)
    assert best.place.value == pytest.approx((50 * 1 + 10 * 2 + 1.5) / 61)
    assert best.score.value == 2.0
    assert best.decisions_per_second == pytest.approx(20)
    assert shown.ahead["a", "b"].value == pytest.approx(50.5 / 61)
    assert shown.ahead["b", "a"].value == pytest.approx(10.5 / 61)
    assert best.rating.value > 0 > other.rating.value


def test_the_order_of_the_games_changes_nothing() -> None:
    games = [game for deal in range(12) for game in (block(deal, "a", "b") if deal % 3 else split(deal))]
    shuffled = games[:]
    random.Random(0).shuffle(shuffled)
    one, other = (
        [(a.agent, a.win_share.low, a.score.value, a.rating.low, a.rating.high) for a in result(order).agents]
        for order in (games, shuffled)
    )
    for row, again in zip(one, other, strict=True):
        assert row[0] == again[0]
        assert row[1:] == pytest.approx(again[1:], abs=1e-9)


def test_three_at_a_table() -> None:
    games = [
        (deal, dict(zip(order, (1.0, 2.5, 2.5), strict=True))) for deal in range(9) for order in ("abc", "bca", "cab")
    ]
    shown = result(games)
    assert all(agent.win_share.value == pytest.approx(1 / 3) for agent in shown.agents)
    assert all(agent.rating.value == pytest.approx(0, abs=1e-6) for agent in shown.agents)
    assert shown.ahead["a", "b"].value == pytest.approx(0.5)
    assert shown.seats[0].value > shown.seats[1].value


def test_an_agent_that_sits_twice_counts_twice() -> None:
    tables = []
    for deal in range(4):
        seats = [("a", 1.0), ("a", 3.0), ("b", 2.0)]
        tables.append([SeatRow(deal, 0, deal, s, n, p, 0.0, 0.0, 1, 1.0, 0, 3, None) for s, (n, p) in enumerate(seats)])
    shown = setting_result(ROW, tables)
    by_name = {agent.agent: agent for agent in shown.agents}
    assert (by_name["a"].games, by_name["b"].games) == (8, 4)
    assert by_name["a"].win_share.value == 0.5
    assert shown.ahead["a", "b"].value == 0.5


def test_copies_are_counted_and_make_nothing_surer() -> None:
    games = [(deal, places) for deal in range(50) for places in ({"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0})]
    copies = result(games, ["x", "y"] * 50)
    fresh = result(games, [str(number) for number in range(100)])
    assert (copies.games, copies.distinct, fresh.distinct) == (100, 2, 100)
    assert (
        "98 of 100 games are copies of others, move for move: they count as 2 games in the intervals." in copies.notes
    )
    assert not [note for note in fresh.notes if "copies" in note]
    assert copies.agents[0].win_share.low < 0.2 < 0.9 < fresh.agents[0].win_share.low
    assert copies.agents[0].rating.low < fresh.agents[0].rating.low


def test_the_same_moves_by_others_are_no_copies() -> None:
    games = [(0, {"a": 1.0, "b": 2.0}), (0, {"b": 1.0, "a": 2.0})]
    assert result(games, ["x", "x"]).distinct == 2


def test_it_says_when_a_run_is_too_small_to_tell() -> None:
    few = result([game for deal in range(6) for game in (block(deal, "a", "b") if deal < 1 else split(deal))])
    [line] = [note for note in few.notes if note.startswith("Too small to tell a from b")]
    assert "over 12 games at common tables; about " in line
    many = result([game for deal in range(60) for game in (split(deal) if deal % 3 else block(deal, "a", "b"))])
    assert not [note for note in many.notes if note.startswith("Too small")]
    equal = result([game for deal in range(8) for game in split(deal)])
    assert any(
        note.startswith("Too small to tell a from b: their win shares differ by +0.0 ± 0.0 %") for note in equal.notes
    )
    alone = result(split(0))
    assert any("there are no two independent deals" in note for note in alone.notes)


def test_what_four_equal_players_need() -> None:
    """At 4 seats ± 3 % needs about 800 games an agent."""
    orders = ("abcd", "bcda", "cdab", "dabc")
    rng = random.Random(0)
    games = []
    for deal in range(50):
        for order in orders:
            places = [1.0, 2.0, 3.0, 4.0]
            rng.shuffle(places)
            games.append((deal, dict(zip(order, places, strict=True))))
    [line] = [note for note in result(games).notes if note.startswith("Win shares are known to")]
    needed = int(line.rpartition("about ")[2].split()[0].replace(",", ""))
    assert 600 <= needed <= 1100


def test_one_who_never_lost_is_said_to_have_no_bound() -> None:
    shown = result([game for deal in range(9) for game in block(deal, "a", "b")])
    assert shown.agents[0].rating.high == math.inf
    assert "a never finished behind b: its rating has no bound on that side." in shown.notes


def test_truncated_games_are_counted_and_kept() -> None:
    shown = result(split(0) + split(1), truncated=1)
    assert shown.truncated == 4
    assert [agent.truncated for agent in shown.agents] == [4, 4]
    assert "4 of 4 games were cut off at the game's limit and count as its rule says." in shown.notes


def test_deterministic_agents_are_found_out_in_a_run(tmp_path: Path) -> None:
    text = TEXT.replace("type: random", "type: first_legal")
    outcome = run(experiment(tmp_path, "tournament.deals=10", text=text))
    tic_tac_toe, poker = stored(outcome.store).settings
    assert (tic_tac_toe.games, tic_tac_toe.distinct) == (60, 6)
    assert poker.distinct == poker.games, "every deal of the cards is another game"


def test_the_numbers_agree_with_the_games_of_a_run(tmp_path: Path) -> None:
    outcome = run(experiment(tmp_path, "tournament.deals=25"))
    for setting in stored(outcome.store).settings:
        assert setting.games == setting.planned
        total = sum(agent.win_share.value * agent.games for agent in setting.agents)
        assert total == pytest.approx(setting.games)
        for agent in setting.agents:
            low, high = wilson(agent.win_share.value, agent.games)
            assert agent.win_share.low <= low <= high <= agent.win_share.high, "never narrower than independent games"
