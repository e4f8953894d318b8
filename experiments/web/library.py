"""What lies in the folder of runs: tournaments, trainings and records, named by their paths within it.

Names come from the outside and are checked: none leads out of the folder.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from envs.errors import unknown
from envs.record import FORMAT, GameRecord
from experiments.replay import Replay
from experiments.store import FILE_NAME, Store
from experiments.web.errors import WebError

STATUS = "status.json"
DEEPEST, MOST_ENTRIES = 6, 20_000
"""How far the folder is searched: levels below it, and files and folders in all."""

LONGEST_RECORD = 16 << 20
"""No record is read that is longer, in bytes."""

_BEGINNING = f'{{"format":"{FORMAT}"'.encode()
_PART = re.compile(r"[^/\\\x00-\x1f]+")


class NotThere(WebError):
    """A name that stands for nothing in the library."""

    def __init__(self, message: str) -> None:
        super().__init__(404, message)


@dataclass(frozen=True)
class Entry:
    """Something found: its kind, its path within the library, and when it was last written to (seconds since 1970)."""

    kind: Literal["tournament", "training", "record"]
    name: str
    path: Path
    written: float


class Library:
    """The folder of runs, which need not be there yet. `hidden` are folders within it that are not shown."""

    def __init__(self, root: Path, hidden: Sequence[Path] = ()) -> None:
        self.root = root
        self._hidden = [path.resolve() for path in hidden]

    # -------------------------------------------------------------- what there is

    def entries(self) -> list[Entry]:
        """Everything in the folder, the latest first."""
        return sorted(self._walk(), key=lambda entry: (-entry.written, entry.name))

    def _walk(self) -> Iterator[Entry]:
        seen = 0
        for place, folders, files in os.walk(self.root):
            folder = Path(place)
            depth = len(folder.relative_to(self.root).parts)
            folders[:] = sorted(
                name
                for name in folders
                if not name.startswith(".")
                and name != "snapshots"
                and depth < DEEPEST
                and (folder / name).resolve() not in self._hidden
            )
            seen += len(folders) + len(files)
            if seen > MOST_ENTRIES:
                return
            name = folder.relative_to(self.root).as_posix()
            if FILE_NAME in files:
                yield Entry("tournament", name, folder, _written(folder / FILE_NAME, folder / f"{FILE_NAME}-wal"))
            elif STATUS in files:
                yield Entry("training", name, folder, _written(folder / STATUS))
            for file in files:
                path = folder / file
                if file.endswith(".json") and not file.startswith(".") and _begins_as_record(path):
                    yield Entry("record", path.relative_to(self.root).as_posix(), path, _written(path))

    # -------------------------------------------------------------- one thing by name

    def path(self, name: str) -> Path:
        """The path of a name within the folder. Errors: `NotThere`, also for one that would lead out of it."""
        parts = PurePosixPath(name).parts
        if (
            not name
            or len(name) > 500
            or any(part in ("..", "/") or part.startswith(".") or not _PART.fullmatch(part) for part in parts)
        ):
            raise NotThere(f"{name[:80]!r} is no name of a run or record")
        root, path = self.root.resolve(), self.root.joinpath(*parts).resolve()
        outside = root not in (path, *path.parents)
        if outside or any(hidden in (path, *path.parents) for hidden in self._hidden):
            raise NotThere(f"{name[:80]!r} is no name of a run or record")
        return path

    def tournament(self, name: str) -> Path:
        """The store's file of a tournament. Errors: `NotThere`."""
        path = self.path(name) / FILE_NAME
        if not path.is_file():
            raise NotThere(self._unknown("run", name))
        return path

    def run(self, name: str) -> Entry:
        """A tournament or training. Errors: `NotThere`."""
        path = self.path(name)
        store, status = path / FILE_NAME, path / STATUS
        if store.is_file():
            return Entry("tournament", name, path, _written(store, store.with_name(f"{FILE_NAME}-wal")))
        if status.is_file():
            return Entry("training", name, path, _written(status))
        raise NotThere(self._unknown("run", name))

    def record(self, name: str) -> Replay:
        """The game of a record's file. Errors: `NotThere`, `RecordError`."""
        path = self.path(name)
        if path.suffix != ".json" or not path.is_file():
            raise NotThere(self._unknown("record", name))
        if path.stat().st_size > LONGEST_RECORD:
            raise NotThere(f"{name[:80]!r} is too long for a record")
        return Replay(GameRecord.load(path))

    def game(self, run: str, game: str) -> Replay:
        """A stored game of a tournament. Errors: `NotThere`, `StoreError`, `RecordError`."""
        with Store.read(self.tournament(run)) as store:
            names = store.seating(game)
            if not names:
                raise NotThere(f"{run}: no game {game[:80]!r} is stored")
            return Replay(store.record(game), names)

    def _unknown(self, kind: str, name: str) -> str:
        known = [entry.name for entry in self.entries() if (entry.kind == "record") == (kind == "record")]
        return unknown(kind, name[:80], known or ["(there is none yet)"])


def training_status(folder: Path) -> dict[str, Any]:
    """What a training tells of itself in its folder. Errors: `NotThere` if it cannot be read."""
    try:
        status = json.loads((folder / STATUS).read_text(encoding="utf-8"))
        if not isinstance(status["counters"], dict):
            raise ValueError("counters is no object")
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise NotThere(f"{folder.name}: {STATUS} cannot be read: {error}") from None
    return status if isinstance(status, dict) else {}


def _begins_as_record(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_BEGINNING)) == _BEGINNING
    except OSError:
        return False


def _written(*paths: Path) -> float:
    times = []
    for path in paths:
        try:
            times.append(path.stat().st_mtime)
        except OSError:
            continue
    return max(times, default=0.0)
