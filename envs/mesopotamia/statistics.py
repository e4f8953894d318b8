"""What tells strategies apart: how mana grows from round to round, and what is built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from envs.statistics import Move, Statistics

ROUNDS = (3, 6, 9, 12)
"""The rounds at whose beginning a seat's mana is read: its mana curve."""


def collect(moves: Iterator[Move], end: Callable[[], Mapping[str, Any]]) -> list[dict[str, float | None]]:
    """See `envs.statistics`."""
    actions: Counter[tuple[int, str]] = Counter()
    mana: dict[tuple[int, int], int] = {}
    for move in moves:
        actions[move.seat, move.action["type"]] += 1
        number = int(move.position.states["round"][0])
        if number in ROUNDS and (move.seat, number) not in mana:
            mana[move.seat, number] = move.position.describe()["players"][move.seat]["mana"]
    return [
        {
            **{f"mana_round_{number}": mana.get((seat, number)) for number in ROUNDS},
            "mana_max": player["mana_max"],
            "offerings": len(player["delivered"]),
            "huts_built": actions[seat, "build_hut"],
            "births": actions[seat, "give_birth"],
            "volcanoes": actions[seat, "place_volcano"],
        }
        for seat, player in enumerate(end()["players"])
    ]


STATISTICS = Statistics(
    {
        **{f"mana_round_{number}": f"mana at the start of round {number}" for number in ROUNDS},
        "mana_max": "most mana it could hold at the end",
        "offerings": "offerings delivered",
        "huts_built": "huts built",
        "births": "births",
        "volcanoes": "volcanoes placed",
    },
    collect,
)
