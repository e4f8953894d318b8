"""`kontor bench`: how fast everything is on this machine, and whether that is fast enough."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envs.errors import KontorError, UnknownName
from experiments.commands.arguments import console, find_game

if TYPE_CHECKING:
    from rich.table import Table

    from experiments.bench.result import Result, Subject


def bench(
    measures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MEASURE…", help="kernel, observe, vector, aec, startup, tournament, web, compile; default all"
        ),
    ] = None,
    game: Annotated[
        list[str], typer.Option("--game", "-g", metavar="GAME", help="only this game; give it once for each")
    ] = [],  # noqa: B006
    players: Annotated[int | None, typer.Option(help="with this many players, not the game's default")] = None,
    games: Annotated[int, typer.Option(min=1, help="how many games in lock-step")] = 4096,
    threads: Annotated[int, typer.Option(min=1, help="how many threads step them")] = 2,
    repeats: Annotated[int, typer.Option(min=1, help="how many values the median is of")] = 9,
    seconds: Annotated[float, typer.Option(min=0.0, help="how long to measure for one value")] = 0.25,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="also write the results to this file")] = None,
    check: Annotated[bool, typer.Option("--check", help="exit with code 1 if a target is missed")] = False,
) -> None:
    """Measure speed: medians with their range, and the targets.

    Runs whole games, set-up included; other load on the machine shows, so its load is printed too.
    """
    import sys

    from rich.console import Console

    from experiments import provenance
    from experiments.bench.measures import MEASURES
    from experiments.bench.result import Settings

    for name in measures or []:
        if name not in MEASURES:
            raise UnknownName("measure", name, MEASURES)
    subjects = _subjects(game, players)
    settings = Settings(seconds, repeats, games, threads)
    out = console()
    machine, versions, load = provenance.machine(), provenance.versions(), provenance.load()
    out.print(f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, load {load}", markup=False)
    out.print(", ".join(f"{name} {version}" for name, version in versions.items()), end="\n\n", markup=False)
    results: list[Result] = []
    with Console(stderr=True).status("", spinner="line") as status:
        for measure in (MEASURES[name] for name in MEASURES if not measures or name in measures):
            status.update(f"{measure.name}: {measure.summary}")
            for result in measure.run(subjects, settings):
                results.append(result)
                status.update(f"{measure.name}: {result.subject}: {_amount(result.median)} {result.unit}")
    out.print(_table(results))
    if json is not None:
        _write(json, {"machine": machine, "versions": versions, "load": load}, results)
    if check and any(result.is_met is False for result in results):
        print("kontor: a target is missed", file=sys.stderr)
        raise typer.Exit(1)


def _subjects(names: list[str], players: int | None) -> list[Subject]:
    """The games to measure: those named, or all that can have so many players."""
    from envs.catalog import game_names
    from experiments.bench.result import Subject

    subjects = []
    for found in [find_game(name) for name in names or game_names()]:
        if not names and players is not None and not found.min_players <= players <= found.max_players:
            continue
        subjects.append(Subject(found, found.validate({} if players is None else {"num_players": players})))
    if not subjects:
        raise KontorError(f"no game is for {players} players")
    return subjects


def _table(results: list[Result]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("measure", "of", "median", "unit", "min to max", "n", "target"):
        table.add_column(heading, justify="right" if heading in ("median", "n") else "left")
    for result in results:
        table.add_row(
            result.measure,
            result.subject,
            _amount(result.median),
            result.unit,
            f"{_amount(min(result.values))} to {_amount(max(result.values))}",
            str(len(result.values)),
            _target(result),
        )
    return table


def _target(result: Result) -> str:
    if result.target is None:
        return ""
    bound = f"{'at most' if result.lower_is_better else 'at least'} {_amount(result.target)}"
    wish = "" if result.aim is None else f", aim {_amount(result.aim)}"
    return f"{bound}{wish}: {'met' if result.is_met else '[bold red]missed[/]'}"


def _amount(value: float) -> str:
    """A number to three digits: 18.3 M, 12.4 k, 0.82."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {letter}" if value < 1000 * size else f"{value / size:.0f} {letter}"
    return f"{value:.3g}"


def _write(path: Path, facts: dict[str, object], results: list[Result]) -> None:
    import json

    from envs.record import write_atomically

    body = {**facts, "results": [result.to_json() for result in results]}
    write_atomically(path, json.dumps(body, indent=2) + "\n")
