"""What tells strategies apart: how often a seat bets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from envs.statistics import Move, Statistics

AGGRESSIVE = ("bet", "raise")


def collect(moves: Iterator[Move], end: Callable[[], Mapping[str, Any]]) -> list[dict[str, float | None]]:
    """See `envs.statistics`."""
    decisions: Counter[int] = Counter()
    bets: Counter[int] = Counter()
    for move in moves:
        decisions[move.seat] += 1
        bets[move.seat] += move.action["type"] in AGGRESSIVE
    seats = range(end()["num_players"])
    return [{"bets": bets[seat] / decisions[seat] if decisions[seat] else None} for seat in seats]


STATISTICS = Statistics({"bets": "share of decisions that bet or raise"}, collect)
