"""One table: a game being played, what each seat is shown of it, and its file.

Nothing here waits or knows of requests: `experiments.web.tables` sees to it that one thing happens at a time.
What leaves a table is made from the description of a position for one viewer. A viewer is a seat, or None for
somebody who may see everything (`OPEN`): of a game that hides nothing, of one that is over, or where agents
play alone.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from agents.agent import Agent
from agents.registry import make_agent
from envs.errors import RecordError
from envs.game import Game
from envs.options import Options
from envs.position import Position
from envs.record import GameRecord
from experiments.undo import may_take_back
from experiments.web.compiling import compile_here
from experiments.web.errors import WebError
from experiments.web.seats import Seat, seat_config

OPEN = None
"""The viewer who sees everything."""

PREPARING, PLAYING, OVER, STOPPED = "preparing", "playing", "over", "stopped"
"""The states of a table; it is stopped if it cannot go on, and says why."""

FORMAT, FORMAT_VERSION = "kontor table", 1


@dataclass
class Table:
    """A game at a table. `keys` has a seat's key where a person sits; `seconds` is the time an agent took for a move.

    `revision` counts every change, so that a page can be told that it is behind. `positions` are those before each
    action and the one reached; they are there once `prepare` has run. `expected` is the record that the table was
    read from.
    """

    id: str
    game: Game
    options: Options
    seed: int
    agents_seed: int
    seats: tuple[Seat, ...]
    keys: tuple[str | None, ...]
    pace: float
    created: str
    actions: list[int] = field(default_factory=list)
    seconds: list[float | None] = field(default_factory=list)
    revision: int = 0
    problem: str = ""
    expected: GameRecord | None = None
    was_over: bool = False
    positions: list[Position] = field(default_factory=list)
    agents: dict[int, Agent] = field(default_factory=dict)
    reports: dict[int, dict[str, Any]] = field(default_factory=dict)
    logs: dict[int | None, list[dict[str, Any]]] = field(default_factory=dict)
    shown: dict[int | None, bytes] = field(default_factory=dict)

    # ------------------------------------------------------------------ who may do what

    @property
    def status(self) -> str:
        if self.problem:
            return STOPPED
        if not self.positions:
            return PREPARING
        return OVER if self.position.is_over else PLAYING

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, as far as its file tells where the table is not prepared yet."""
        return self.position.is_over if self.positions else self.was_over

    @property
    def position(self) -> Position:
        """The position reached; never changed, only followed by another."""
        return self.positions[-1]

    @property
    def is_open(self) -> bool:
        """Whether anybody may see everything: nothing is hidden, the game is over, or nobody but agents plays."""
        return not self.game.hidden_information or self.is_over or not any(self.keys)

    def seat_of(self, key: str | None) -> int | None:
        """The seat that a key is of, None without a key. Errors: `WebError` for a key of no seat here."""
        if not key:
            return None
        for seat, own in enumerate(self.keys):
            if own is not None and secrets.compare_digest(own.encode(), key.encode()):
                return seat
        raise WebError(403, f"this key is of no seat at table {self.id}")

    def viewer(self, key: str | None) -> int | None:
        """Whose eyes a key gives: a seat's, or without a key `OPEN`. Errors: `WebError` where that is not allowed."""
        seat = self.seat_of(key)
        if seat is None and not self.is_open:
            raise WebError(403, f"only who has a seat at table {self.id} may see it before the game is over")
        return seat

    # ------------------------------------------------------------------ playing

    def prepare(self, runs: Path) -> None:
        """Bring the table to its position and the agents to their seats; compiles whatever is not compiled yet.

        Errors: `KontorError`.
        """
        compile_here(self.game, self.options, self.seats, runs)
        if self.expected is not None:  # a record that does not lead where it did is refused
            positions = [position.copy() for position in self.expected.positions()]
        else:
            positions = [Position(self.game, self.options, self.seed)]
        for number, seat in enumerate(self.seats):
            if not seat.is_human:
                config = seat_config(seat, self.game, self.options, runs)
                rng = np.random.default_rng([self.agents_seed, number, len(self.actions)])
                self.agents[number] = make_agent(config, self.game, self.options, rng)
        self.positions = positions

    def checked_turn(self, seat: int | None, revision: int) -> int:
        """The seat, if it is the one to act and has seen the table as it is. Errors: `WebError`."""
        if seat is None:
            raise WebError(403, f"acting at table {self.id} takes the key of a seat")
        if self.status != PLAYING:
            raise WebError(409, f"table {self.id} is {self.status}: no action can be played")
        if revision != self.revision:
            raise WebError(409, f"the page is behind: it shows revision {revision}, the table is at {self.revision}")
        if seat != self.position.current_player:
            raise WebError(409, f"it is the turn of seat {self.position.current_player}, not of seat {seat}")
        return seat

    def act(self, action: int, seconds: float | None = None) -> None:
        """Play an action of the seat to act; an agent took `seconds`. Errors: `IllegalAction` (nothing is changed)."""
        position = _after(self.position, action)
        self.positions.append(position)
        self.actions.append(action)
        self.seconds.append(seconds)
        self._changed()

    def undo(self, seat: int) -> None:
        """Take back the seat's last action. Errors: `WebError` where that is not allowed."""
        if not self.can_undo(seat):
            raise WebError(409, "this cannot be taken back: another seat has acted, or something hidden came to light")
        self.positions.pop()
        self.actions.pop()
        self.seconds.pop()
        for log in self.logs.values():
            del log[len(self.actions) :]
        self._changed()

    def can_undo(self, seat: int | None) -> bool:
        """Whether the last action is the seat's to take back."""
        return bool(self.actions) and may_take_back(self.positions[-2], self.actions[-1], self.position, seat)

    def _changed(self) -> None:
        self.revision += 1
        self.shown.clear()

    def record(self) -> GameRecord:
        """The game so far."""
        return GameRecord.of(self.position, self.seed, self.actions)


def _after(position: Position, action: int) -> Position:
    successor = position.copy()
    successor.apply(action)
    return successor


def table_to_json(table: Table) -> dict[str, Any]:
    """The table as its file has it."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "id": table.id,
        "created": table.created,
        "agents_seed": table.agents_seed,
        "seats": [seat.model_dump(exclude_none=True) for seat in table.seats],
        "keys": list(table.keys),
        "pace": table.pace,
        "seconds": table.seconds,
        "revision": table.revision,
        "over": table.position.is_over,
        "record": table.record().to_json(),
    }


def table_from_json(data: Any, place: str) -> Table:
    """A table from its file, not yet prepared. Errors: `RecordError`."""
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("format_version") != FORMAT_VERSION:
        raise RecordError(f"{place}: is no table of this version")
    try:
        record = GameRecord.from_json(data["record"], place)
        game = record.load_game()
        table = Table(
            id=str(data["id"]),
            game=game,
            options=game.validate(record.options),
            seed=record.seed,
            agents_seed=int(data["agents_seed"]),
            seats=tuple(Seat.model_validate(seat) for seat in data["seats"]),
            keys=tuple(data["keys"]),
            pace=float(data["pace"]),
            created=str(data["created"]),
            actions=[int(action) for action in record.actions],
            seconds=list(data["seconds"]),
            revision=int(data["revision"]),
            was_over=bool(data.get("over")),
            expected=record,
        )
    except RecordError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"{place}: is a damaged table: {type(error).__name__}: {error}") from None
    if not len(table.seats) == len(table.keys) == table.options["num_players"]:
        raise RecordError(f"{place}: is a damaged table: it has {len(table.seats)} seats and {len(table.keys)} keys")
    return table
