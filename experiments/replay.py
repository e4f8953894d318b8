"""A recorded game to be stepped through: positions in any order, moves in words, from a seat's view or open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np

from agents.registry import AgentConfig, make_agent
from envs.errors import KontorError, RecordError
from envs.game import Game
from envs.options import Options
from envs.position import Position
from envs.record import GameRecord
from envs.view import View

DRAWINGS_KEPT = 64
"""How many drawings of one game are kept: one is made once as long as somebody steps about near it."""


class Replay:
    """A record with all its positions. `names` are those of the players, by seat.

    The game is replayed when a position is first asked for, which may have rules to be compiled. `before` is the same
    game at an earlier or later move: what is known of it is not played again. Errors: `RecordError`, also from
    whatever needs a position.
    """

    def __init__(self, record: GameRecord, names: Sequence[str] = (), before: Replay | None = None) -> None:
        self.record, self.game = record, record.load_game()
        self.options: Options = self.game.validate(record.options)
        self.num_players: int = self.options["num_players"]
        self.names = tuple(names) or tuple(f"player_{seat}" for seat in range(self.num_players))
        self.picture = lru_cache(DRAWINGS_KEPT)(self._picture)
        self._before = before
        self._known: list[Position] = []
        self._lock = Lock()

    @property
    def _positions(self) -> list[Position]:
        with self._lock:
            if not self._known:
                self._known, self._before = self._replayed(), None
        return self._known

    def _replayed(self) -> list[Position]:
        record, before = self.record, self._before
        if before is None or (before.record.seed, before.options) != (record.seed, self.options) or not before._known:
            return [position.copy() for position in record.positions()]
        common = min(before.moves, self.moves)
        while before.record.actions[:common] != record.actions[:common]:
            common -= 1
        positions = before._known[: common + 1]
        for action in record.actions[common:]:
            after = positions[-1].copy()
            after.apply(action)
            positions.append(after)
        if GameRecord.of(positions[-1], record.seed, record.actions) != record:
            raise RecordError(f"{record.game}: the moves do not lead to the position recorded")
        return positions

    @property
    def moves(self) -> int:
        """How many moves there are; the positions are 0 to `moves`."""
        return len(self.record.actions)

    def position(self, move: int) -> Position:
        """The position after that many moves: not to be changed. Errors: `KontorError`."""
        if not 0 <= move <= self.moves:
            raise KontorError(f"move {move} is out of range: the record has {self.moves} moves")
        return self._positions[move]

    def actor(self, move: int) -> int | None:
        """The seat that makes the move after `move` moves, None at the end."""
        return self.position(move).current_player

    def describe(self, move: int, seat: int | None) -> dict[str, Any]:
        """A position as `seat` sees it, or with everything open for None. Errors: `KontorError`."""
        return self.position(move).describe(seat)

    def _picture(self, move: int, seat: int | None) -> str:
        """The drawing of a position as SVG, from a seat's view or open."""
        return self.game.draw(self.describe(move, seat))

    def words(self, move: int, seat: int | None) -> str:
        """The move made after `move` moves, as `seat` gets to know of it; all of it for None."""
        position = self.position(move)
        return action_in_words(position, self.record.actions[move], seat)

    def log(self, seat: int | None) -> list[dict[str, Any]]:
        """All moves in order: who makes it, and in what words a seat gets to know of it."""
        return [{"seat": self.actor(move), "words": self.words(move, seat)} for move in range(self.moves)]


def action_in_words(position: Position, action: int, seat: int | None) -> str:
    """What an action does, to the seat that plays it or to an open table (None), else what all get to know of it."""
    actor = position.current_player
    told_all = seat is not None and seat != actor
    description = position.describe(seat if told_all else actor)
    return position.game.say(position.decode_action(action), description, public=told_all)


@dataclass(frozen=True)
class Estimate:
    """What an agent makes of one position: the return each seat may expect, None where it has no opinion."""

    move: int
    seat: int | None
    values: tuple[float | None, ...]


def estimates(
    replay: Replay, config: AgentConfig, seed: int = 0, told: Callable[[int, int], bool] = lambda done, total: True
) -> list[Estimate]:
    """An agent's estimate of every position of a game, each asked of the seat to act and what it knows; then the end.

    Fresh agents, one a seat, go through the game in order, as they would play it. `told(done, total)` is called
    after each position and ends the work by giving False. Errors: `AgentError` for an agent that cannot play the
    game, or judges no positions.
    """
    generators = np.random.default_rng(seed).spawn(replay.num_players)
    agents = [make_agent(config, replay.game, replay.options, rng) for rng in generators]
    found: list[Estimate] = []
    for move in range(replay.moves + 1):
        position = replay.position(move)
        seat = position.current_player
        if seat is not None:
            values = agents[seat].estimate(View(position, seat))
            found.append(Estimate(move, seat, tuple(None if np.isnan(value) else float(value) for value in values)))
        else:
            found.append(Estimate(move, None, tuple(float(value) for value in position.returns())))
        if not told(move + 1, replay.moves + 1):
            break
    return found


def seats_in_words(game: Game, names: Sequence[str]) -> str:
    """Who sits where, on one line."""
    return ", ".join(f"seat {seat}: {name}" for seat, name in enumerate(names))
