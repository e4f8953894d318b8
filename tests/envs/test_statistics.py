"""The statistics that games name: the right numbers, for every game and any options, and nothing changed by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from envs.catalog import game_names, get_game
from envs.errors import KontorError
from envs.position import Position
from envs.statistics import Statistics, collect, register_statistics, statistics_of

LARGE = ("fuerstenfeld", "pfeffersaecke", "mesopotamia", "travel_blog")


def random_game(name: str, options: dict[str, object], seed: int) -> tuple[Position, list[int], Position]:
    """The first position, the actions, and the last position of a random game."""
    start = Position(get_game(name), options, seed)
    position, rng, actions = start.copy(), np.random.default_rng(seed), []
    while not position.is_over:
        actions.append(int(rng.choice(position.legal_actions())))
        position.apply(actions[-1])
    return start, actions, position


def replayed(start: Position, actions: Sequence[int]) -> list[tuple[int, dict, Position]]:
    """Seat, action in words, and position before it, of each move."""
    position, moves = start.copy(), []
    for action in actions:
        moves.append((position.current_player, position.decode_action(action), position.copy()))
        position.apply(action)
    return moves


@pytest.mark.parametrize("name", [name for name in game_names() if statistics_of(name)])
def test_every_seat_has_every_number_and_the_positions_stay_as_they_are(name: str) -> None:
    statistics = statistics_of(name)
    assert statistics is not None
    for players in (get_game(name).min_players, get_game(name).max_players):
        start, actions, _ = random_game(name, {"num_players": players}, players)
        before = start.tobytes()
        found = collect(start, actions)
        assert start.tobytes() == before
        assert [list(own) for own in found] == [list(statistics.meanings)] * players
        assert all(value is None or np.isfinite(value) for own in found for value in own.values())
        assert collect(start, actions) == found


def test_the_large_games_have_some() -> None:
    assert all(statistics_of(name) for name in LARGE)
    assert statistics_of("tic_tac_toe") is None
    start, actions, _ = random_game("tic_tac_toe", {}, 0)
    assert collect(start, actions) == [{}, {}]


def test_fuerstenfeld_names_the_round_of_the_first_palace() -> None:
    start, actions, end = random_game("fuerstenfeld", {"num_players": 2}, 0)
    first: dict[int, int] = {}
    for seat, action, position in replayed(start, actions):
        if action["type"] == "build" and "palace" in action["card"]:
            first.setdefault(seat, position.describe()["round"])
    assert first, "some palace is built in this game"
    found = collect(start, actions)
    assert {seat: own["first_palace_round"] for seat, own in enumerate(found)} == {s: first.get(s) for s in range(2)}
    assert [own["palaces"] for own in found] == [player["palaces"] for player in end.describe()["players"]]


def test_pfeffersaecke_counts_cities() -> None:
    start, actions, end = random_game("pfeffersaecke", {"num_players": 3}, 1)
    found = collect(start, actions)
    assert [own["cities_won"] for own in found] == [len(p["cities_won"]) for p in end.describe()["players"]]
    opened = Counter(seat for seat, action, _ in replayed(start, actions) if action["type"] in ("open", "found"))
    assert [own["opened"] for own in found] == [opened[seat] for seat in range(3)]
    assert sum(opened.values()) > 0


def test_mesopotamia_reads_mana_when_a_seat_begins_its_round() -> None:
    start, actions, _ = random_game("mesopotamia", {"num_players": 2}, 3)
    expected: dict[tuple[int, int], int] = {}
    for seat, _, position in replayed(start, actions):
        number = int(position.state["round"])
        if (seat, number) not in expected:
            expected[seat, number] = position.describe()["players"][seat]["mana"]
    found = collect(start, actions)
    for seat in range(2):
        for number in (3, 6, 9, 12):
            assert found[seat][f"mana_round_{number}"] == expected.get((seat, number))
    assert any(found[seat]["mana_round_3"] is not None for seat in range(2))


@pytest.mark.parametrize("options", [{}, {"demanding": True}, {"timing": "sequence", "num_players": 4}])
def test_travel_blog_counts_every_trip(options: dict[str, object]) -> None:
    start, actions, end = random_game("travel_blog", options, 5)
    trips: dict[tuple[int, int], list[dict]] = {}
    for position in [*(position for _, _, position in replayed(start, actions)), end]:
        described = position.describe()
        if described["last_round"]:
            for seat, player in enumerate(described["players"]):
                trips[seat, described["last_round"]["round"]] = player["last_trip"]
    assert len(trips) == start.num_players * end.describe()["round"]
    for seat, own in enumerate(collect(start, actions)):
        amounts = [trip["amount"] for (who, _), some in trips.items() if who == seat for trip in some]
        assert own["euros_a_trip"] == pytest.approx(np.mean(amounts))


def test_poker_counts_bets() -> None:
    start = Position(get_game("kuhn_poker"), {"num_players": 2}, 0)
    bet, call_or_pass = (start.encode_action({"type": kind}) for kind in ("bet", "pass"))
    assert collect(start, [call_or_pass, bet, bet]) == [{"bets": 0.5}, {"bets": 1.0}]


def test_a_game_of_ones_own_may_register_some_once() -> None:
    mine = Statistics({"moves": "moves"}, lambda moves, end: [{"moves": sum(1 for _ in moves)}] * 2)
    register_statistics("connect_four", mine)
    try:
        start, actions, _ = random_game("connect_four", {}, 0)
        assert collect(start, actions) == [{"moves": len(actions)}] * 2
        with pytest.raises(KontorError, match="registered already"):
            register_statistics("connect_four", mine)
    finally:
        from envs import statistics

        del statistics._REGISTERED["connect_four"]
