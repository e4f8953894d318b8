"""One table: a game being played, what each seat is shown of it, and its file.

Nothing here waits or knows of requests: `experiments.web.tables` sees to it that one thing happens at a time.
What leaves a table is made from the description of a position for one viewer. A viewer is a seat, or None for
somebody who may see everything (`OPEN`): of a game that hides nothing, of one that is over, or where agents
play alone.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

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

NOT_PREPARED = ""
"""In place of the position's hash in the record of a new table: it takes compiled rules to have one."""

LONGEST_PACE = 10
"""Seconds that an agent's move may be made to take."""

Moves = tuple[list[Position], list[int], list[float | None], int]
"""The positions, actions and times of a table, and its revision."""


class _Kept(BaseModel):
    """What a table's file holds beside the record."""

    model_config = ConfigDict(allow_inf_nan=False)

    id: str
    agents_seed: Annotated[int, Field(ge=0)]
    seats: tuple[Seat, ...]
    keys: tuple[str | None, ...]
    pace: Annotated[float, Field(ge=0, le=LONGEST_PACE)]
    created: str
    seconds: list[float | None]
    revision: Annotated[int, Field(ge=0)]
    over: bool = False


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

    def moves(self) -> Moves:
        """The moves so far and what they led to, for `go_back`."""
        return list(self.positions), list(self.actions), list(self.seconds), self.revision

    def go_back(self, before: Moves) -> None:
        """Put back what `moves` gave: a change that could not be written has not been made."""
        self.positions, self.actions, self.seconds, self.revision = before
        for log in self.logs.values():
            del log[len(self.actions) :]
        self.shown.clear()

    def _changed(self) -> None:
        self.revision += 1
        self.shown.clear()

    def record(self) -> GameRecord:
        """The game so far; of a new table that is not prepared, the game that is to begin."""
        if not self.positions:
            return GameRecord(
                self.game.name, self.game.version, self.game.rules_hash, self.options, self.seed, [], NOT_PREPARED
            )
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
        "over": table.is_over,
        "record": table.record().to_json(),
    }


def load_table(path: Path) -> Table:
    """A table from its file, not yet prepared. Errors: `RecordError` saying why the file is refused."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: is a damaged table: {error}") from None
    return _table_from_json(data, str(path), path.stem)


def _table_from_json(data: Any, place: str, name: str) -> Table:
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("format_version") != FORMAT_VERSION:
        raise RecordError(f"{place}: is no table of this version")
    try:
        record = GameRecord.from_json(data["record"], place)
        kept = _Kept.model_validate({field: data[field] for field in _Kept.model_fields if field in data})
        game = record.load_game()
        options = game.validate(record.options)
        actions = [int(action) for action in record.actions]
        if actions and record.position == NOT_PREPARED:
            raise ValueError("it has moves without a position")
    except RecordError:
        raise
    except ValidationError as error:
        problem = error.errors()[0]
        raise RecordError(f"{place}: is a damaged table: {problem['loc'][0]}: {problem['msg']}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"{place}: is a damaged table: {type(error).__name__}: {error}") from None
    players = options["num_players"]
    if (kept.id, len(kept.seats), len(kept.keys), len(kept.seconds)) != (name, players, players, len(actions)):
        raise RecordError(
            f"{place}: is a damaged table: it is of table {kept.id[:20]!r}, with {len(kept.seats)} seats, "
            f"{len(kept.keys)} keys and {len(kept.seconds)} times, for {players} players and {len(actions)} moves"
        )
    return Table(
        id=kept.id,
        game=game,
        options=options,
        seed=record.seed,
        agents_seed=kept.agents_seed,
        seats=kept.seats,
        keys=kept.keys,
        pace=kept.pace,
        created=kept.created,
        actions=actions,
        seconds=kept.seconds,
        revision=kept.revision,
        was_over=kept.over,
        expected=record if record.position != NOT_PREPARED else None,
    )
