"""A run as tables for other programs: CSV, or Parquet (the extra `parquet`)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from envs.errors import KontorError
from envs.record import write_atomically
from experiments.store import Store

TABLES = ("settings", "agents", "sessions", "games", "seats", "moves")
"""What is exported, a file each; the column `game` connects the last three."""

Table = tuple[list[str], list[tuple[Any, ...]]]


def export(store: Store, folder: Path, form: str) -> list[Path]:
    """Write the tables into a folder as `form`, "csv" or "parquet"; gives the files. Errors: `KontorError`."""
    folder.mkdir(parents=True, exist_ok=True)
    store.seats()  # refuses a store whose games are not as they were written
    paths = []
    for name in TABLES:
        columns, rows = store.table(name)
        if name == "seats":
            columns, rows = with_statistics(columns, rows)
        paths.append(folder / f"{name}.{form}")
        FORMS[form](paths[-1], columns, rows)
    return paths


def with_statistics(columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Table:
    """The seats with a column for each statistic in place of the one that holds them all."""
    found = [json.loads(row[-1]) if row[-1] else {} for row in rows]
    names = sorted({name for statistics in found for name in statistics})
    wide = [(*row[:-1], *(statistics.get(name) for name in names)) for row, statistics in zip(rows, found, strict=True)]
    return [*columns[:-1], *names], wide


def write_csv(path: Path, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Comma-separated values with a line of names; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    write_atomically(path, text.getvalue())


def write_parquet(path: Path, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """A Parquet file. Errors: `KontorError` if pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise KontorError("Parquet needs the extra `parquet`: pip install -e '.[parquet]' in Kontor's folder") from None
    values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    temporary = path.with_name(f".{path.name}.new")
    parquet.write_table(pyarrow.table([pyarrow.array(column) for column in values], names=list(columns)), temporary)
    temporary.replace(path)


FORMS = {"csv": write_csv, "parquet": write_parquet}
