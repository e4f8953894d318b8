"""`kontor run`: play an experiment, with its progress, and show what came out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from experiments.commands.arguments import console

INTERRUPTED = 130


def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="the experiment, a YAML file")],
    overrides: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE…", help="changes to it, for example workers=2 tournament.deals=10"),
    ] = None,
) -> None:
    """Run an experiment: play its games, print the rated table and write the report.

    Run it again to go on where it stopped: games that are stored are not played again.
    """
    from experiments.config import load_experiment
    from experiments.progress import progress_display
    from experiments.tournament import run as play

    experiment = load_experiment(config, overrides or [])
    with progress_display(experiment.name) as display:
        outcome = play(experiment, display)
    if outcome.interrupted:
        print(
            f"kontor: stopped after {outcome.done} of {outcome.total} games, all of them stored in "
            f"{experiment.output}: the same command goes on from there",
            file=sys.stderr,
        )
        raise typer.Exit(INTERRUPTED)
    show(outcome.store)


def show(store_path: Path) -> None:
    """Print the tables of a stored run, write its report beside it, and say where."""
    from experiments import report
    from experiments.results import results
    from experiments.store import Store
    from experiments.tables import print_results

    out = console()
    with Store.read(store_path) as store:
        result = results(store)
    print_results(result, out)
    page = store_path.with_name(report.FILE_NAME)
    report.write_report(result, page)
    out.print(f"report: {page}", markup=False)
