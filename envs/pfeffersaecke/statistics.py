"""What tells strategies apart: cities against money, and how the network grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from envs.statistics import Move, Statistics


def collect(moves: Iterator[Move], end: Callable[[], Mapping[str, Any]]) -> list[dict[str, float | None]]:
    """See `envs.statistics`."""
    actions: Counter[tuple[int, str]] = Counter((move.seat, move.action["type"]) for move in moves)
    return [
        {
            "cities_won": len(player["cities_won"]),
            "coins": player["coins"],
            "opened": actions[seat, "open"] + actions[seat, "found"],
            "expansions": actions[seat, "expand"],
            "double_incomes": actions[seat, "double_income"],
        }
        for seat, player in enumerate(end()["players"])
    ]


STATISTICS = Statistics(
    {
        "cities_won": "cities won",
        "coins": "coins at the end",
        "opened": "branches opened",
        "expansions": "expansions",
        "double_incomes": "double incomes taken",
    },
    collect,
)
