"""What tells strategies apart: what a trip costs, and what it is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from envs.statistics import Move, Statistics


def collect(moves: Iterator[Move], end: Callable[[], Mapping[str, Any]]) -> list[dict[str, float | None]]:
    """See `envs.statistics`."""
    trips: dict[tuple[int, int], list[dict[str, Any]]] = {}

    def note(position: Mapping[str, Any]) -> None:
        """Take up the trips of the last round that was evaluated."""
        if position["last_round"]:
            for seat, player in enumerate(position["players"]):
                trips[seat, position["last_round"]["round"]] = player["last_trip"]

    noted = 0
    for move in moves:
        if (last_round := int(move.position.states["last_round"][0])) != noted:
            noted = last_round
            note(move.position.describe())
    last = end()
    note(last)
    own: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for (seat, _), some in trips.items():
        own[seat] += some
    return [
        {
            "euros_a_trip": _mean([trip["amount"] for trip in own[seat]]),
            "crossings_a_trip": _mean([trip["crossings"] for trip in own[seat]]),
            "neighbours_a_trip": _mean([trip["neighbour_pairs"] for trip in own[seat]]),
            "beneath_a_trip": _mean([trip["beneath"] for trip in own[seat]]),
            "cash": player["cash"],
        }
        for seat, player in enumerate(last["players"])
    ]


def _mean(values: list[int]) -> float | None:
    return sum(values) / len(values) if values else None


STATISTICS = Statistics(
    {
        "euros_a_trip": "euros a trip",
        "crossings_a_trip": "borders crossed a trip",
        "neighbours_a_trip": "pairs of neighbours a trip",
        "beneath_a_trip": "tokens beneath others a trip",
        "cash": "euros at the end",
    },
    collect,
)
