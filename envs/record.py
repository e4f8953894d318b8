"""A played game as a small JSON file: options, seed and actions, replayed exactly."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from envs.catalog import get_game
from envs.errors import KontorError, RecordError
from envs.game import Game
from envs.options import Options
from envs.position import Position

FORMAT = "kontor game record"
FORMAT_VERSION = 1

_FIELDS = {
    "game": str,
    "version": int,
    "rules": str,
    "options": dict,
    "seed": int,
    "actions": list,
    "position": str,
}


@dataclass(frozen=True)
class GameRecord:
    """A game that was played, finished or not.

    `actions` are the indices of the actions asked for (automatic ones follow from them), `position` is the
    SHA-256 of the last position's bytes: a replay must end there. `rules` is the hash of the rules it was
    played under, for the message when it does not.
    """

    game: str
    version: int
    rules: str
    options: Options
    seed: int
    actions: list[int]
    position: str

    @staticmethod
    def of(position: Position, seed: int, actions: list[int]) -> GameRecord:
        """The record of the game that led from `seed` by `actions` to `position`."""
        game = position.game
        return GameRecord(
            game.name, game.version, game.rules_hash, dict(position.options), seed, list(actions), _digest(position)
        )

    def load_game(self) -> Game:
        """The game played. Errors: `RecordError` if it is not known here, or in another version."""
        try:
            game = get_game(self.game)
        except KontorError as error:
            raise RecordError(f"the record is of another game: {error}") from None
        if game.version != self.version:
            raise RecordError(f"the record is of {self.game} version {self.version}, here is version {game.version}")
        return game

    def positions(self) -> Iterator[Position]:
        """Every position of the game from the first to the last: one object, moved on at each step.

        Errors: `RecordError` at an illegal action, or if the end is not the one recorded.
        """
        game = self.load_game()
        try:
            position = Position(game, self.options, self.seed)
            yield position
            for action in self.actions:
                position.apply(action)
                yield position
        except KontorError as error:
            raise RecordError(f"the record cannot be replayed: {error}{self._other_rules(game)}") from None
        if _digest(position) != self.position:
            raise RecordError(f"the replay ends in another position than recorded{self._other_rules(game)}")

    def replay(self) -> Position:
        """The last position. Errors: `RecordError`."""
        for position in self.positions():
            last = position
        return last

    def save(self, path: Path) -> None:
        """Write the record whole or not at all (a temporary file, then a rename)."""
        write_atomically(path, json.dumps(self.to_json(), separators=(",", ":")) + "\n")

    def to_json(self) -> dict[str, Any]:
        """The record as the JSON object that `from_json` reads."""
        body = {"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(self)}
        return {**body, "checksum": _checksum(body)}

    @staticmethod
    def load(path: Path) -> GameRecord:
        """Read a record. Errors: `RecordError` saying why the file is refused."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RecordError(f"{path}: there is no such file") from None
        except (OSError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}: cannot be read: {error}") from None
        except json.JSONDecodeError as error:
            raise RecordError(f"{path}: is corrupted: not JSON at line {error.lineno}: {error.msg}") from None
        except (ValueError, RecursionError) as error:
            raise RecordError(f"{path}: is corrupted: {error}") from None
        return GameRecord.from_json(data, str(path))

    @staticmethod
    def from_json(data: Any, place: str) -> GameRecord:
        """The record from its JSON object, checked. Errors: `RecordError`."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise RecordError(f"{place}: is no game record")
        if data.get("format_version") != FORMAT_VERSION:
            raise RecordError(f"{place}: has format version {data.get('format_version')}, here is {FORMAT_VERSION}")
        body = {key: value for key, value in data.items() if key != "checksum"}
        if data.get("checksum") != _checksum(body):
            raise RecordError(f"{place}: is corrupted: its checksum does not fit its content")
        fields = {key: value for key, value in body.items() if key not in ("format", "format_version")}
        if set(fields) != set(_FIELDS):
            raise RecordError(f"{place}: is corrupted: it has the fields {', '.join(sorted(fields))}")
        for name, kind in _FIELDS.items():
            if not isinstance(fields[name], kind):
                raise RecordError(f"{place}: is corrupted: {name} is {fields[name]!r}, no {kind.__name__}")
        record = GameRecord(**fields)
        record.load_game()
        return record

    def _other_rules(self, game: Game) -> str:
        if game.rules_hash == self.rules:
            return ""
        return f" (it was played under rules {self.rules}, here are {game.rules_hash})"


def write_atomically(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Write a file whole or not at all: to a temporary file beside it, flushed to disk, then renamed.

    `mode` says who may read it.

    Errors: `OSError` naming `path`; a path that is there and is no file (a folder, a device) is left alone.
    """
    data = content.encode() if isinstance(content, str) else content
    target = path.resolve()
    try:
        if target.exists() and not target.is_file():
            raise OSError(errno.EINVAL, "is there already and is no file")
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, mode)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), str(path)) from error


def _checksum(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _digest(position: Position) -> str:
    return hashlib.sha256(position.tobytes()).hexdigest()
