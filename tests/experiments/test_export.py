"""Exported tables hold what the store holds."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from pyarrow import parquet

from experiments.cli import main
from experiments.export import TABLES, with_statistics
from experiments.store import Store
from experiments.tournament import run
from tests.experiments.configs import experiment


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run."""
    return run(experiment(tmp_path_factory.mktemp("export"))).store.parent


def test_csv_holds_every_seat_of_every_game(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(folder), "--output", str(tmp_path)]) == 0
    assert capsys.readouterr().out.split() == [str(tmp_path / f"{name}.csv") for name in TABLES]
    with (tmp_path / "seats.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with Store.read(folder / "results.sqlite") as store:
        seats = sorted(store.seats(), key=lambda seat: (seat.game, seat.seat))
    assert [(int(r["game"]), int(r["seat"]), r["agent"], float(r["place"]), float(r["seconds"])) for r in rows] == [
        (seat.game, seat.seat, seat.agent, seat.place, seat.seconds) for seat in seats
    ]


def test_parquet_holds_the_same_with_types(folder: Path) -> None:
    assert main(["export", str(folder), "--format", "parquet"]) == 0
    for name in TABLES:
        table = parquet.read_table(folder / "export" / f"{name}.parquet")
        with Store.read(folder / "results.sqlite") as store:
            columns, rows = store.table(name)
        if name != "seats":
            assert table.column_names == columns
        assert table.num_rows == len(rows)
    assert str(parquet.read_table(folder / "export" / "seats.parquet").schema.field("place").type) == "double"


def test_statistics_become_columns() -> None:
    columns, rows = with_statistics(["game", "statistics"], [(1, '{"b": 2}'), (2, None), (3, '{"a": null, "b": 1}')])
    assert columns == ["game", "a", "b"]
    assert rows == [(1, None, 2), (2, None, None), (3, None, 1)]


def test_a_format_that_there_is_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(folder), "--format", "parkett"]) == 2
    assert "unknown format 'parkett': did you mean 'parquet'?" in capsys.readouterr().err
