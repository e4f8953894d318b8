"""The tables of a store, and how a store of an older version is brought up to date.

Every game carries a checksum over itself and its seats, and so does each of the small tables: SQLite notices when its
own structures are damaged, not when a bit in a value has flipped.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable
from typing import Any

APPLICATION_ID = 0x4B6F6E74
"""The four letters `Kont`: tells this kind of SQLite file from others."""

SCHEMA_VERSION = 2

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
    name TEXT PRIMARY KEY, type TEXT NOT NULL, config TEXT NOT NULL, hash TEXT NOT NULL, timed INTEGER NOT NULL,
    checkpoint TEXT
);
CREATE TABLE sessions (
    session INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, command TEXT NOT NULL, workers INTEGER NOT NULL,
    code TEXT NOT NULL, versions TEXT NOT NULL, machine TEXT NOT NULL, load REAL, load_at_end REAL,
    executor TEXT NOT NULL DEFAULT 'local'
);
CREATE TABLE games (
    game INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session INTEGER NOT NULL REFERENCES sessions,
    setting INTEGER NOT NULL REFERENCES settings, deal INTEGER NOT NULL, block TEXT NOT NULL, seed INTEGER NOT NULL,
    truncated INTEGER NOT NULL, moves INTEGER NOT NULL, copy_key TEXT, position TEXT NOT NULL, ended TEXT NOT NULL,
    checksum INTEGER
);
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games, seat INTEGER NOT NULL, agent TEXT NOT NULL REFERENCES agents,
    place REAL NOT NULL, result REAL NOT NULL, score REAL NOT NULL, decisions INTEGER NOT NULL, seconds REAL NOT NULL,
    statistics TEXT,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE moves (game INTEGER PRIMARY KEY REFERENCES games, actions TEXT NOT NULL);
CREATE TABLE checksums (table_name TEXT PRIMARY KEY, value INTEGER NOT NULL)
"""

MIGRATIONS = {
    1: """
ALTER TABLE agents ADD COLUMN checkpoint TEXT;
ALTER TABLE sessions ADD COLUMN executor TEXT NOT NULL DEFAULT 'local';
ALTER TABLE games ADD COLUMN checksum INTEGER;
ALTER TABLE seats ADD COLUMN statistics TEXT;
CREATE TABLE checksums (table_name TEXT PRIMARY KEY, value INTEGER NOT NULL)
"""
}
"""What brings a store of a version to the next."""

SEALED = ("sqlite_master", "run", "settings", "agents", "sessions")
"""The small tables that have a checksum as a whole; the first is SQLite's own, of all tables."""


def create(db: sqlite3.Connection) -> None:
    """Make the tables; within a transaction."""
    _execute(db, SCHEMA)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Bring a store of an older version up to date; within a transaction. Games stored before have no checksum."""
    for step in range(version, SCHEMA_VERSION):
        _execute(db, MIGRATIONS[step])
    seal(db, *SEALED)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def seal(db: sqlite3.Connection, *tables: str) -> None:
    """Note the checksums of small tables, after a change and within its transaction."""
    for table in tables:
        db.execute("INSERT OR REPLACE INTO checksums VALUES (?, ?)", (table, _table_checksum(db, table)))


def broken_seal(db: sqlite3.Connection) -> str | None:
    """The first of the small tables that is not as it was written, if any."""
    noted = dict(db.execute("SELECT table_name, value FROM checksums").fetchall())
    return next((table for table in SEALED if noted.get(table) != _table_checksum(db, table)), None)


def game_checksum(game: Iterable[Any], seats: Iterable[Iterable[Any]]) -> int:
    """A checksum over the values of a game and of its seats, in order."""
    return zlib.crc32(repr((tuple(game), *map(tuple, seats))).encode())


def _table_checksum(db: sqlite3.Connection, table: str) -> int:
    columns = "name, sql" if table == "sqlite_master" else "*"
    return zlib.crc32(repr(db.execute(f"SELECT {columns} FROM {table} ORDER BY 1").fetchall()).encode())


def _execute(db: sqlite3.Connection, script: str) -> None:
    for statement in script.split(";"):
        db.execute(statement)
