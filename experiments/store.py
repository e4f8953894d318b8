"""The results of a run, in one SQLite file: written by the run's parent process alone, as games end.

The file is in write-ahead mode and every change is one transaction, so a run killed at any moment leaves a
store that is whole, and holds each finished game exactly once. The schema carries a version; a store of
another version, or a file of another kind, is refused.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from envs.errors import KontorError
from envs.record import GameRecord
from experiments import provenance
from experiments.config import Experiment, digest
from experiments.match import GameResult

FILE_NAME = "results.sqlite"
APPLICATION_ID = 0x4B6F6E74
"""The four letters `Kont`: tells this kind of SQLite file from others."""

SCHEMA_VERSION = 1

SCHEMA = """
CREATE TABLE run (
    name TEXT NOT NULL, created TEXT NOT NULL, config TEXT NOT NULL, config_hash TEXT NOT NULL,
    identity TEXT NOT NULL, seed INTEGER NOT NULL, planned_games INTEGER NOT NULL
);
CREATE TABLE settings (
    setting INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, game TEXT NOT NULL, game_version INTEGER NOT NULL,
    rules TEXT NOT NULL, options TEXT NOT NULL, deals INTEGER NOT NULL, planned_games INTEGER NOT NULL
);
CREATE TABLE agents (
    name TEXT PRIMARY KEY, type TEXT NOT NULL, config TEXT NOT NULL, hash TEXT NOT NULL, timed INTEGER NOT NULL
);
CREATE TABLE sessions (
    session INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, command TEXT NOT NULL, workers INTEGER NOT NULL,
    code TEXT NOT NULL, versions TEXT NOT NULL, machine TEXT NOT NULL, load REAL, load_at_end REAL
);
CREATE TABLE games (
    game INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session INTEGER NOT NULL REFERENCES sessions,
    setting INTEGER NOT NULL REFERENCES settings, deal INTEGER NOT NULL, block TEXT NOT NULL, seed INTEGER NOT NULL,
    truncated INTEGER NOT NULL, moves INTEGER NOT NULL, copy_key TEXT, position TEXT NOT NULL, ended TEXT NOT NULL
);
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games, seat INTEGER NOT NULL, agent TEXT NOT NULL REFERENCES agents,
    place REAL NOT NULL, result REAL NOT NULL, score REAL NOT NULL, decisions INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE moves (game INTEGER PRIMARY KEY REFERENCES games, actions TEXT NOT NULL);
"""


class StoreError(KontorError):
    """A store that cannot be used as asked."""


@dataclass(frozen=True)
class SeatRow:
    """One seat of one stored game; `game` is the game's number in the store."""

    game: int
    setting: int
    deal: int
    seat: int
    agent: str
    place: float
    result: float
    score: float
    decisions: int
    seconds: float
    truncated: int
    moves: int
    copy_key: str | None


class Store:
    """An open store. Use `Store.for_run` to play into, `Store.read` to look at; close it, or use it as a context."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: IO[str] | None = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    # -------------------------------------------------------------- opening

    @staticmethod
    def for_run(experiment: Experiment, planned_games: Sequence[int]) -> Store:
        """The store of an experiment, made if need be; `planned_games` are counts per setting.

        Errors: `StoreError` if the folder holds another experiment, one under other rules, a foreign file, or
        is in use by another process.
        """
        folder = experiment.output
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = _lock(folder)
        except OSError as error:
            raise StoreError(f"{folder}: cannot be written to: {error.strerror}") from None
        path = folder / FILE_NAME
        try:
            with _errors(path):
                store = Store(path, sqlite3.connect(path, isolation_level=None), lock)
                if store._is_blank():
                    store._create(experiment, planned_games)
                store._check_schema()
                store._connection.execute("PRAGMA journal_mode = WAL")
                store._connection.execute("PRAGMA synchronous = NORMAL")
                store._check_same(experiment)
        except BaseException:
            lock.close()
            raise
        return store

    @staticmethod
    def read(path: Path) -> Store:
        """A store to be read only. Errors: `StoreError` if there is none."""
        if not path.is_file():
            raise StoreError(f"{path}: there is no run here")
        with _errors(path):
            store = Store(path, sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None))
            if store._is_blank():
                raise StoreError(f"{path}: the run has not begun")
            store._check_schema()
        return store

    def close(self) -> None:
        """Close the file and let other processes use it."""
        self._connection.close()
        if self._lock:
            self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _is_blank(self) -> bool:
        """Whether nothing was ever written here (a run killed while it made its store leaves this)."""
        return not self._one("SELECT count(*) FROM sqlite_master")[0] and not self._one("PRAGMA user_version")[0]

    def _check_schema(self) -> None:
        if self._one("PRAGMA application_id")[0] != APPLICATION_ID:
            raise StoreError(f"{self.path}: is an SQLite file, but no Kontor run")
        found = self._one("PRAGMA user_version")[0]
        if found != SCHEMA_VERSION:
            raise StoreError(f"{self.path}: has schema version {found}, this Kontor reads version {SCHEMA_VERSION}")

    def _create(self, experiment: Experiment, planned_games: Sequence[int]) -> None:
        with self._transaction() as db:
            for statement in SCHEMA.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            db.execute(
                "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    experiment.name,
                    now(),
                    experiment.to_yaml(),
                    experiment.hash,
                    json.dumps(experiment.identity),
                    experiment.seed,
                    sum(planned_games),
                ),
            )
            for index, (setting, count) in enumerate(zip(experiment.settings, planned_games, strict=True)):
                game, options = setting.game, json.dumps(setting.options)
                row = (index, setting.label, game.name, game.version, game.rules_hash, options, setting.deals, count)
                db.execute("INSERT INTO settings VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            for name, config in sorted(experiment.agents.items()):
                data = config.model_dump(mode="json")
                agent = (name, config.type, json.dumps(data), digest(data), int(config.is_timed))
                db.execute("INSERT INTO agents VALUES (?, ?, ?, ?, ?)", agent)

    def _check_same(self, experiment: Experiment) -> None:
        """Errors: `StoreError` unless the store is of this experiment, under the same rules."""
        folder = self.path.parent
        if self._one("SELECT config_hash FROM run")[0] != experiment.hash:
            stored = _flat(json.loads(self._one("SELECT identity FROM run")[0]))
            asked = _flat(json.loads(json.dumps(experiment.identity)))
            key = min(key for key in {*stored, *asked} if stored.get(key) != asked.get(key))
            raise StoreError(
                f"{folder} holds another experiment ({key} was {stored.get(key, 'not there')}, is now "
                f"{asked.get(key, 'not there')}): give this one another name (name=...), or remove that folder"
            )
        for index, setting in enumerate(experiment.settings):
            rules = self._one("SELECT rules FROM settings WHERE setting = ?", index)[0]
            if rules != setting.game.rules_hash:
                raise StoreError(
                    f"{folder} was played under other rules of {setting.game_name} (version {rules}, now "
                    f"{setting.game.rules_hash}): give this run another name (name=...), or remove that folder"
                )

    # -------------------------------------------------------------- writing

    def begin_session(self, command: str, workers: int) -> int:
        """Note that a process sets out to play, where and with what. Returns the session's number."""
        row = (
            now(),
            command,
            workers,
            provenance.code_hash(),
            json.dumps(provenance.versions()),
            json.dumps(provenance.machine()),
            provenance.load(),
        )
        columns = "started, command, workers, code, versions, machine, load"
        with self._transaction() as db:
            cursor = db.execute(f"INSERT INTO sessions ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            return int(cursor.lastrowid or 0)

    def end_session(self, session: int) -> None:
        """Note that a session has ended in good order."""
        with self._transaction() as db:
            row = (now(), provenance.load(), session)
            db.execute("UPDATE sessions SET ended = ?, load_at_end = ? WHERE session = ?", row)

    def add(self, session: int, results: Sequence[GameResult], records: bool = True) -> None:
        """Store finished games, all of them or, if it fails, none. Errors: `StoreError`."""
        with self._transaction() as db:
            ended = now()
            for result in results:
                block = f"{result.setting}/{result.deal}/{'+'.join(sorted(seat.agent for seat in result.seats))}"
                cursor = db.execute(
                    "INSERT INTO games (id, session, setting, deal, block, seed, truncated, moves, copy_key, position, "
                    "ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        result.id,
                        session,
                        result.setting,
                        result.deal,
                        block,
                        result.seed,
                        int(result.truncated),
                        result.moves,
                        result.copy_key,
                        result.position,
                        ended,
                    ),
                )
                game = cursor.lastrowid
                db.executemany(
                    "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        (game, seat, s.agent, s.place, s.result, s.score, s.decisions, s.seconds)
                        for seat, s in enumerate(result.seats)
                    ],
                )
                if records:
                    actions = json.dumps(result.actions, separators=(",", ":"))
                    db.execute("INSERT INTO moves VALUES (?, ?)", (game, actions))

    # -------------------------------------------------------------- reading

    def finished(self) -> set[str]:
        """The ids of the games that are stored."""
        return {row[0] for row in self._all("SELECT id FROM games")}

    def seats(self) -> list[SeatRow]:
        """All seats of all games, in an order that does not depend on when the games were played."""
        rows = self._all(
            "SELECT g.game, g.setting, g.deal, s.seat, s.agent, s.place, s.result, s.score, s.decisions, s.seconds, "
            "g.truncated, g.moves, g.copy_key FROM games g JOIN seats s USING (game) "
            "ORDER BY g.setting, g.deal, g.id, s.seat"
        )
        return [SeatRow(*row) for row in rows]

    def run(self) -> dict[str, Any]:
        """The run's row: name, created, config, config_hash, seed, planned_games."""
        return self._dicts("SELECT * FROM run")[0]

    def settings(self) -> list[dict[str, Any]]:
        """One dict per setting, in the config's order; `options` is a dict."""
        rows = self._dicts("SELECT * FROM settings ORDER BY setting")
        return [{**row, "options": json.loads(row["options"])} for row in rows]

    def agents(self) -> list[dict[str, Any]]:
        """One dict per agent, by name; `config` is a dict, `timed` whether it thinks by the clock."""
        return [
            {**row, "config": json.loads(row["config"])} for row in self._dicts("SELECT * FROM agents ORDER BY name")
        ]

    def sessions(self) -> list[dict[str, Any]]:
        """One dict per session, in order, with the number of `games` it finished."""
        rows = self._dicts(
            "SELECT s.*, (SELECT count(*) FROM games g WHERE g.session = s.session) AS games FROM sessions s "
            "ORDER BY session"
        )
        return [{**row, "versions": json.loads(row["versions"]), "machine": json.loads(row["machine"])} for row in rows]

    def game_ids(self) -> list[str]:
        """The ids of the stored games, by setting and deal."""
        return [row[0] for row in self._all("SELECT id FROM games ORDER BY setting, deal, id")]

    def record(self, game_id: str) -> GameRecord:
        """The record of a stored game. Errors: `StoreError` if there is none, or its moves were not kept."""
        rows = self._all(
            "SELECT s.game, s.game_version, s.rules, s.options, g.seed, m.actions, g.position FROM games g "
            "JOIN settings s USING (setting) LEFT JOIN moves m ON m.game = g.game WHERE g.id = ?",
            game_id,
        )
        if not rows:
            raise StoreError(f"{self.path}: no game {game_id!r} is stored")
        game, version, rules, options, seed, actions, position = rows[0]
        if actions is None:
            raise StoreError(f"{self.path}: the moves of game {game_id!r} were not kept (records: false)")
        return GameRecord(game, version, rules, json.loads(options), seed, json.loads(actions), position)

    # -------------------------------------------------------------- SQL

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _errors(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def _all(self, query: str, *values: Any) -> list[Any]:
        with _errors(self.path):
            return self._connection.execute(query, values).fetchall()

    def _one(self, query: str, *values: Any) -> Any:
        with _errors(self.path):
            return self._connection.execute(query, values).fetchone()

    def _dicts(self, query: str) -> list[dict[str, Any]]:
        with _errors(self.path):
            cursor = self._connection.execute(query)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def now() -> str:
    """The time of day in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


@contextlib.contextmanager
def _errors(path: Path) -> Iterator[None]:
    """SQLite's errors as `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error


def _lock(folder: Path) -> IO[str]:
    """A lock on the folder that goes with this process, however it ends. Errors: `StoreError` if another has it."""
    handle = (folder / ".lock").open("a")
    try:
        import fcntl
    except ImportError:  # no such lock on this system: the ids in the store still keep games from counting twice
        return handle
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        raise StoreError(f"{folder}: another process is playing this run") from None
    return handle


def _flat(data: Any, path: str = "") -> dict[str, Any]:
    """The leaves of JSON data by dotted key."""
    if isinstance(data, (dict, list)) and data:
        items = data.items() if isinstance(data, dict) else enumerate(data)
        leaves: dict[str, Any] = {}
        for key, value in items:
            leaves |= _flat(value, f"{path}.{key}" if path else str(key))
        return leaves
    return {path: data}
