"""The rooms `/runs` and `/run`: the experiments and trainings in the folder of runs, live while they run."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.responses import Response

from experiments import tables
from experiments.report import tint
from experiments.store import FILE_NAME, Store
from experiments.web.library import Entry, Library, NotThere, training_status
from experiments.web.live import as_event, changes
from experiments.web.pages import page
from experiments.web.standing import Results, mark, standing

router = APIRouter()

GAMES_A_PAGE = 50
Name = Annotated[str, Query(max_length=500)]
Agents = Annotated[list[Annotated[str, Query(max_length=200)]], Query(max_length=6)]
Start = Annotated[int, Query(ge=0, le=1 << 40)]


def find_run(request: Request, name: str) -> Entry:
    """A tournament or training by its name. Errors: `NotThere`."""
    library: Library = request.app.state.library
    return library.run(name)


def runs_of(request: Request) -> list[Entry]:
    """All tournaments and trainings, the latest first."""
    library: Library = request.app.state.library
    return [entry for entry in library.entries() if entry.kind != "record"]


# ------------------------------------------------------------------ all of them


@router.get("/runs")
def runs(request: Request) -> Response:
    """All runs with how far they are."""
    entries = runs_of(request)
    seen = as_event(list(map(mark, entries)))
    standings = list(map(standing, entries))
    return page("runs.html.j2", room="runs", runs=standings, folder=request.app.state.runs, mark=seen)


@router.get("/runs/body")
def runs_body(request: Request) -> Response:
    """What changes of that page."""
    return page("_runs.html.j2", runs=list(map(standing, runs_of(request))), folder=request.app.state.runs)


@router.get("/api/runs/events")
async def runs_events(request: Request) -> Response:
    """An event whenever a run begins, goes on or ends."""
    return changes(request, lambda: list(map(mark, runs_of(request))))


# ------------------------------------------------------------------ one of them


@router.get("/run")
def run(request: Request, name: Name) -> Response:
    """One run: its tables, matrix, curves and games."""
    entry = find_run(request, name)
    seen = as_event(mark(entry))
    return page("run.html.j2", room="runs", mark=seen, **_shown(request, entry), **_games(entry, [], 0))


@router.get("/run/body")
def run_body(request: Request, name: Name) -> Response:
    """What changes of that page."""
    entry = find_run(request, name)
    return page("_run.html.j2", **_shown(request, entry), **_games(entry, [], 0))


@router.get("/run/games")
def run_games(request: Request, name: Name, agent: Agents = [], start: Start = 0) -> Response:  # noqa: B006
    """A page of a tournament's games, all or those in which the named agents sit, each a click from its replay."""
    entry = find_run(request, name)
    if entry.kind != "tournament":
        raise NotThere(f"{name} is a training: it keeps no games")
    content = {"entry": entry, **_games(entry, agent, start)}
    return page("games.html.j2", room="runs", **content)


@router.get("/api/run/events")
async def run_events(request: Request, name: Name) -> Response:
    """An event whenever the run has gone on."""
    find_run(request, name)
    return changes(request, lambda: mark(find_run(request, name)))


def _shown(request: Request, entry: Entry) -> dict[str, Any]:
    """What the templates show of a run."""
    kept: Results = request.app.state.results
    content: dict[str, Any] = {"entry": entry, "now": standing(entry), "result": None, "training": None, "curves": []}
    if entry.kind == "training":
        content["training"] = training_status(entry.path)
        drawing = kept.training(entry.path)
        content["curves"] = [("Win share against the field", Markup(drawing))] if drawing else []
        return content
    path = entry.path / FILE_NAME
    if not content["now"].problem:
        result = kept.of(path)
        plots = {setting.label: kept.plots(path, setting) for setting in result.settings}
        content |= {
            "result": result,
            "win_shares": {label: Markup(own.win_shares) for label, own in plots.items()},
            "ratings": {label: Markup(own.ratings) for label, own in plots.items()},
            "curves": [(title, Markup(drawing)) for title, drawing in kept.curves(path, result.agents)],
            "tables": tables,
            "tint": tint,
        }
    return content


def _games(entry: Entry, agents: list[str], start: int) -> dict[str, Any]:
    """A page of a tournament's games; none of a training."""
    content: dict[str, Any] = {"games": [], "chosen": agents, "start": start, "count": 0, "size": GAMES_A_PAGE}
    if entry.kind == "tournament":
        with Store.read(entry.path / FILE_NAME) as store:
            content |= {"games": store.games(agents, start, GAMES_A_PAGE), "count": store.num_games(agents)}
    return content
