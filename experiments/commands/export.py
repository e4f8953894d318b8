"""`kontor export`: a stored run as tables for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from envs.errors import UnknownName
from experiments.commands.arguments import console
from experiments.commands.report import find_store


def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help="the folder of a run, or its name under runs/")],
    form: Annotated[str, typer.Option("--format", "-f", help="csv, or parquet (the extra `parquet`)")] = "csv",
    output: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="where the files go; else `export` in the run's folder")
    ] = None,
) -> None:
    """Write games, seats, moves, agents, settings and sessions of a run as CSV or Parquet files."""
    from experiments.export import FORMS
    from experiments.export import export as write
    from experiments.store import Store

    if form not in FORMS:
        raise UnknownName("format", form, FORMS)
    path = find_store(run)
    with Store.read(path) as store:
        for file in write(store, output or path.parent / "export", form):
            console().print(file, markup=False)
