"""What tells strategies apart: how early and how fast the palace grows, and what the brewery sells meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from envs.statistics import Move, Statistics


def collect(moves: Iterator[Move], end: Callable[[], Mapping[str, Any]]) -> list[dict[str, float | None]]:
    """See `envs.statistics`."""
    sold: Counter[int] = Counter()
    built: Counter[int] = Counter()
    first_palace: dict[int, int] = {}
    for move in moves:
        kind = move.action["type"]
        if kind in ("sell", "sell_as"):
            sold[move.seat] += 1
        elif kind == "build" and not move.action["card"].startswith("palace"):
            built[move.seat] += 1
        elif kind == "build" and move.seat not in first_palace:
            first_palace[move.seat] = int(move.position.state.round_number)
    last = end()
    return [
        {
            "first_palace_round": first_palace.get(seat),
            "palaces": player["palaces"],
            "other_cards_built": built[seat],
            "goods_a_round": sold[seat] / last["round"],
        }
        for seat, player in enumerate(last["players"])
    ]


STATISTICS = Statistics(
    {
        "first_palace_round": "round of the first palace card",
        "palaces": "palace cards at the end",
        "other_cards_built": "other cards built",
        "goods_a_round": "goods sold a round",
    },
    collect,
)
