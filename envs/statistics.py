"""What a game says of how it was played: numbers for each seat that tell strategies apart.

A game with such statistics has a room `statistics.py` with `STATISTICS`; a game of one's own calls
`register_statistics`. They are pure functions of a game's positions and of its moves in words, and nothing that is
played depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from envs import kernels
from envs.errors import KontorError
from envs.position import Position

Numbers = Mapping[str, float | None]
"""The statistics of a seat by name; None where there is none in this game (no palace was built)."""


@dataclass(frozen=True)
class Move:
    """A move of a seat, in words, and the position it was made in: to be read, while it is the latest move."""

    seat: int
    action: Mapping[str, Any]
    position: Position


@dataclass(frozen=True)
class Statistics:
    """The statistics of a game: what each name means, and how they are collected.

    `collect(moves, end)` reads the moves one by one; `end()` describes the last position, once all moves are read. It
    gives one mapping for each seat, with exactly the names in `meanings`.
    """

    meanings: Mapping[str, str]
    collect: Callable[[Iterator[Move], Callable[[], Mapping[str, Any]]], Sequence[Numbers]]


_REGISTERED: dict[str, Statistics] = {}


def register_statistics(game: str, statistics: Statistics) -> None:
    """Give a game statistics. Errors: `KontorError` if it has some already."""
    if game in _REGISTERED:
        raise KontorError(f"statistics of {game!r} are registered already")
    _REGISTERED[game] = statistics


def statistics_of(game: str) -> Statistics | None:
    """The statistics of a game by its name, or None if it has none."""
    if game not in _REGISTERED and game.isidentifier():
        for module in (f"envs.{game}.statistics", f"envs.classics.{game}_statistics"):
            try:
                is_there = find_spec(module) is not None
            except ModuleNotFoundError:
                is_there = False
            if is_there:
                return import_module(module).STATISTICS
    return _REGISTERED.get(game)


def collect(start: Position, actions: Sequence[int]) -> list[dict[str, float | None]]:
    """The statistics of a finished game by seat, empty if the game has none; `start` is its first position."""
    statistics = statistics_of(start.game.name)
    if statistics is None:
        return [{} for _ in range(start.num_players)]
    position = start.copy()

    def moves() -> Iterator[Move]:
        for action in actions:
            seat = position.current_player
            assert seat is not None
            yield Move(seat, position.decode_action(action), position)
            kernels.apply_action_at(position.states, 0, action)

    found = statistics.collect(moves(), position.describe)
    return [{name: _number(own[name]) for name in statistics.meanings} for own in found]


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
