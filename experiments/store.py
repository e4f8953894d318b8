"""The results of a run, in one SQLite file: written by the run's parent process alone, as games end.

The file is in write-ahead mode and every change is one transaction, so a run killed at any moment leaves a
store that is whole, and holds each finished game exactly once. The schema carries a version (see `schema`): an older
store is brought up to date when it is opened; one of a newer version, a file of another kind, and one that is damaged
are refused, and left as they are.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Any, NamedTuple

from envs.errors import KontorError
from envs.record import GameRecord
from experiments import provenance, schema
from experiments.config import Experiment, digest
from experiments.locking import lock
from experiments.match import GameResult
from experiments.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION, game_checksum

FILE_NAME = "results.sqlite"

BUSY_SECONDS = 10.0
"""How long to wait for another program that has the file locked."""


class StoreError(KontorError):
    """A store that cannot be used as asked."""


class SeatRow(NamedTuple):
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
    statistics: Mapping[str, float | None] = MappingProxyType({})


class Store:
    """An open store. Use `Store.for_run` to play into, `Store.read` to look at; close it, or use it as a context."""

    def __init__(self, path: Path, connection: sqlite3.Connection, handle: IO[str] | None = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = handle

    # -------------------------------------------------------------- opening

    @staticmethod
    def for_run(experiment: Experiment, planned_games: Sequence[int]) -> Store:
        """The store of an experiment, made if need be; `planned_games` are counts per setting.

        Errors: `StoreError` if the folder holds another experiment, one under other rules, a foreign file; `InUse`
        if another process plays it.
        """
        folder = experiment.output
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handle = lock(folder, "playing this run")
        except OSError as error:
            raise StoreError(f"{folder}: cannot be written to: {error.strerror}") from None
        path = folder / FILE_NAME
        try:
            with _errors(path):
                store = Store(path, sqlite3.connect(path, BUSY_SECONDS, isolation_level=None), handle)
                if store._is_blank():
                    store._create(experiment, planned_games)
                store._check_schema()
                store._check_whole("integrity_check")
                store._connection.execute("PRAGMA journal_mode = WAL")
                store._connection.execute("PRAGMA synchronous = NORMAL")
                store._check_same(experiment)
        except BaseException:
            handle.close()
            raise
        return store

    @staticmethod
    def read(path: Path) -> Store:
        """A store to be read only. Errors: `StoreError` if there is none."""
        if not path.is_file():
            raise StoreError(f"{path}: there is no run here")
        with _errors(path):
            store = Store(path, _connect(path, "ro"))
            if store._is_blank():
                raise StoreError(f"{path}: the run has not begun")
            if store._one("PRAGMA user_version")[0] < SCHEMA_VERSION:
                store.close()
                store = Store(path, _connect(path, "rw"))
            store._check_schema()
            store._check_whole("quick_check")
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
        if found in MIGRATIONS:
            with self._transaction() as db:
                schema.migrate(db, found)
        elif found != SCHEMA_VERSION:
            raise StoreError(f"{self.path}: has schema version {found}, this Kontor reads version {SCHEMA_VERSION}")

    def _check_whole(self, check: str) -> None:
        """Errors: `StoreError` if SQLite finds its structures damaged, or a small table is not as it was written."""
        with _reading(self.path):
            found = self._one(f"PRAGMA {check}(1)")[0]
            if found != "ok":
                raise StoreError(_damaged(self.path, found.splitlines()[-1]))
            if (table := schema.broken_seal(self._connection)) is not None:
                raise StoreError(_damaged(self.path, f"the table {table} is not as it was written"))

    def _create(self, experiment: Experiment, planned_games: Sequence[int]) -> None:
        with self._transaction() as db:
            schema.create(db)
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
                agent = (name, config.type, json.dumps(data), digest(data), int(config.is_timed), data.get("weights"))
                db.execute("INSERT INTO agents VALUES (?, ?, ?, ?, ?, ?)", agent)
            schema.seal(db, *schema.SEALED)

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

    def note_checkpoints(self, hashes: Mapping[str, str | None]) -> None:
        """Note which networks play, by agent: the content hashes of their checkpoints."""
        with self._transaction() as db:
            rows = [(value, name) for name, value in hashes.items() if value is not None]
            db.executemany("UPDATE agents SET checkpoint = ? WHERE name = ?", rows)
            schema.seal(db, "agents")

    def begin_session(self, command: str, workers: int, executor: str = "local") -> int:
        """Note that a process sets out to play, where and with what. Returns the session's number."""
        row = (
            now(),
            command,
            workers,
            executor,
            provenance.code_hash(),
            json.dumps(provenance.versions()),
            json.dumps(provenance.machine()),
            provenance.load(),
        )
        columns = "started, command, workers, executor, code, versions, machine, load"
        with self._transaction() as db:
            cursor = db.execute(f"INSERT INTO sessions ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            schema.seal(db, "sessions")
            return int(cursor.lastrowid or 0)

    def end_session(self, session: int) -> None:
        """Note that a session has ended in good order."""
        with self._transaction() as db:
            row = (now(), provenance.load(), session)
            db.execute("UPDATE sessions SET ended = ?, load_at_end = ? WHERE session = ?", row)
            schema.seal(db, "sessions")

    def add(self, session: int, results: Sequence[GameResult], records: bool = True) -> None:
        """Store finished games, all of them or, if it fails, none. Errors: `StoreError`."""
        with self._transaction() as db:
            ended = now()
            for result in results:
                block = f"{result.setting}/{result.deal}/{'+'.join(sorted(seat.agent for seat in result.seats))}"
                seats = [
                    (
                        seat,
                        s.agent,
                        s.place,
                        s.result + 0.0,  # SQLite knows no negative zero
                        s.score + 0.0,
                        s.decisions,
                        s.seconds,
                        json.dumps(s.statistics) if s.statistics else None,
                    )
                    for seat, s in enumerate(result.seats)
                ]
                facts = (result.id, result.setting, result.deal, int(result.truncated), result.moves, result.copy_key)
                cursor = db.execute(
                    "INSERT INTO games (id, setting, deal, truncated, moves, copy_key, session, block, seed, position, "
                    "ended, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (*facts, session, block, result.seed, result.position, ended, game_checksum(facts, seats)),
                )
                game = cursor.lastrowid
                db.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [(game, *row) for row in seats])
                if records:
                    actions = json.dumps(result.actions, separators=(",", ":"))
                    db.execute("INSERT INTO moves VALUES (?, ?)", (game, actions))

    # -------------------------------------------------------------- reading

    def finished(self) -> set[str]:
        """The ids of the games that are stored."""
        return {row[0] for row in self._all("SELECT id FROM games NOT INDEXED")}

    def seats(self) -> list[SeatRow]:
        """All seats of all games, in an order that does not depend on when the games were played.

        Errors: `StoreError`, also for a game that is not as it was written.
        """
        rows = self._all(
            "SELECT g.id, g.setting, g.deal, g.truncated, g.moves, g.copy_key, g.game, g.checksum, s.seat, s.agent, "
            "s.place, s.result, s.score, s.decisions, s.seconds, s.statistics FROM games g JOIN seats s USING (game) "
            "ORDER BY g.setting, g.deal, g.id, s.seat"
        )
        seats = []
        with _reading(self.path):
            statistics = iter(json.loads(f"[{','.join(row[15] or '{}' for row in rows)}]"))
            for (game, checksum), group in groupby(rows, key=itemgetter(6, 7)):
                table = list(group)
                facts = table[0][:6]
                if checksum is not None and checksum != game_checksum(facts, [row[8:] for row in table]):
                    raise StoreError(_damaged(self.path, f"game {facts[0]} is not as it was written"))
                _, setting, deal, truncated, moves, copy_key = facts
                for row in table:
                    tail = truncated, moves, copy_key, next(statistics)
                    seats.append(SeatRow._make((game, setting, deal, *row[8:15], *tail)))
        return seats

    def run(self) -> dict[str, Any]:
        """The run's row: name, created, config, config_hash, seed, planned_games."""
        return self._dicts("SELECT * FROM run")[0]

    def settings(self) -> list[dict[str, Any]]:
        """One dict per setting, in the config's order; `options` is a dict."""
        return self._dicts("SELECT * FROM settings ORDER BY setting", "options")

    def agents(self) -> list[dict[str, Any]]:
        """One dict per agent, by name; `config` is a dict, `timed` whether it thinks by the clock."""
        return self._dicts("SELECT * FROM agents ORDER BY name", "config")

    def sessions(self) -> list[dict[str, Any]]:
        """One dict per session, in order, with the number of `games` it finished."""
        return self._dicts(
            "SELECT s.*, (SELECT count(*) FROM games g WHERE g.session = s.session) AS games FROM sessions s "
            "ORDER BY session",
            "versions",
            "machine",
        )

    def game_ids(self) -> list[str]:
        """The ids of the stored games, by setting and deal."""
        return [row[0] for row in self._all("SELECT id FROM games ORDER BY setting, deal, id")]

    def num_games(self, agents: Sequence[str] = ()) -> int:
        """How many games are stored in which all of these agents sit."""
        where, names = _who(agents)
        return int(self._one(f"SELECT count(*) FROM games g{where}", *names)[0])

    def games(self, agents: Sequence[str] = (), start: int = 0, count: int = 50) -> list[dict[str, Any]]:
        """Stored games in which all of these agents sit, the last played first: a page of `count` from `start` on.

        Each is a dict of `id`, `setting`, `label`, `deal`, `moves`, `truncated`, `ended`, `kept` (whether its moves
        are) and `seats`: `agent`, `place` and `result` by seat.
        """
        where, names = _who(agents)
        rows = self._all(
            "SELECT g.game, g.id, g.setting, t.label, g.deal, g.moves, g.truncated, g.ended, "
            "EXISTS (SELECT 1 FROM moves m WHERE m.game = g.game) FROM games g "
            f"JOIN settings t USING (setting){where} ORDER BY g.game DESC LIMIT ? OFFSET ?",
            *names,
            count,
            start,
        )
        keys = ("id", "setting", "label", "deal", "moves", "truncated", "ended", "kept")
        return [{**dict(zip(keys, row[1:], strict=True)), "seats": self._seating(row[0])} for row in rows]

    def _seating(self, game: int) -> list[dict[str, Any]]:
        rows = self._all("SELECT agent, place, result FROM seats WHERE game = ? ORDER BY seat", game)
        return [dict(zip(("agent", "place", "result"), row, strict=True)) for row in rows]

    def seating(self, game_id: str) -> list[str]:
        """The agents of a stored game by seat; none if there is no such game."""
        rows = self._all(
            "SELECT s.agent FROM seats s JOIN games g USING (game) WHERE g.id = ? ORDER BY s.seat", game_id
        )
        return [row[0] for row in rows]

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
        with _reading(self.path):
            return GameRecord(game, version, rules, json.loads(options), seed, json.loads(actions), position)

    def table(self, name: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and rows of a table as they are stored, in the order of its key."""
        with _errors(self.path):
            cursor = self._connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2")
            return [column[0] for column in cursor.description], cursor.fetchall()

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

    def _dicts(self, query: str, *in_json: str) -> list[dict[str, Any]]:
        """Rows as dicts; the columns named are JSON."""
        with _reading(self.path):
            cursor = self._connection.execute(query)
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
            return [{**row, **{name: json.loads(row[name]) for name in in_json}} for row in rows]


def _who(agents: Sequence[str]) -> tuple[str, list[str]]:
    """The condition that all these agents sit at the table of a game `g`, and what it is filled with."""
    one = "EXISTS (SELECT 1 FROM seats s WHERE s.game = g.game AND s.agent = ?)"
    return (f" WHERE {' AND '.join([one] * len(agents))}" if agents else ""), list(agents)


def now() -> str:
    """The time of day in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", BUSY_SECONDS, uri=True, isolation_level=None)


HINTS = {
    sqlite3.SQLITE_BUSY: "another program has it open: once that has ended, the same command goes on",
    sqlite3.SQLITE_FULL: "what was stored is kept: make room, and the same command goes on",
    sqlite3.SQLITE_IOERR: "what was stored is kept: see whether there is room and the disk is well, and go on",
    sqlite3.SQLITE_CORRUPT: "it is left as it is: take a copy of it back, or give the run another name (name=...)",
    sqlite3.SQLITE_READONLY: "it has to be written to",
}
"""What to do about SQLite's errors, by their primary codes."""


def _damaged(path: Path, what: str) -> str:
    return f"{path}: is damaged ({what}): {HINTS[sqlite3.SQLITE_CORRUPT]}"


@contextlib.contextmanager
def _errors(path: Path) -> Iterator[None]:
    """SQLite's errors as `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        hint = HINTS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        raise StoreError(f"{path}: {_brief(error)}" + (f": {hint}" if hint else "")) from error


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[None]:
    """What comes of values that are not as they were written, as `StoreError`; and SQLite's errors."""
    try:
        with _errors(path):
            yield
    except StoreError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        raise StoreError(_damaged(path, f"{type(error).__name__}: {_brief(error)}")) from error


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:160]


def _flat(data: Any, path: str = "") -> dict[str, Any]:
    """The leaves of JSON data by dotted key."""
    if isinstance(data, (dict, list)) and data:
        items = data.items() if isinstance(data, dict) else enumerate(data)
        leaves: dict[str, Any] = {}
        for key, value in items:
            leaves |= _flat(value, f"{path}.{key}" if path else str(key))
        return leaves
    return {path: data}
