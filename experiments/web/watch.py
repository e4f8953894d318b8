"""The room `/watch`: the latest games of a tournament, played back one after another while it runs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from experiments.store import Store
from experiments.web.library import Library, NotThere
from experiments.web.live import changes
from experiments.web.pages import page
from experiments.web.replays import Source, judges, stored_replay
from experiments.web.runs import Name

router = APIRouter()

LATEST = 20
"""How many games the page lists."""


def latest(request: Request, run: str) -> list[dict[str, Any]]:
    """The games of a tournament played last whose moves are kept, the last first."""
    library: Library = request.app.state.library
    with Store.read(library.tournament(run)) as store:
        games = [game for game in store.games(count=LATEST) if game["kept"]]
    return [{"id": game["id"], "seats": [seat["agent"] for seat in game["seats"]]} for game in games]


@router.get("/watch")
def watch(request: Request, run: Name) -> Response:
    """The page that plays the latest games back, and goes on to newer ones as they are stored."""
    games = latest(request, run)
    if not games:
        raise NotThere(f"{run}: there is no game to watch yet: its moves are kept from the first game that ends")
    source = Source(run=run, game=games[0]["id"])
    game = stored_replay(request, source)
    return page(
        "watch.html.j2",
        room="replays",
        run=run,
        games=games,
        source=source,
        replay=game,
        judges=judges(request.app.state.runs, game),
        live=None,
        only=None,
    )


@router.get("/watch/game")
def watched(request: Request, run: Name, game: Name) -> Response:
    """The viewer of one game, to be put into that page."""
    replay = stored_replay(request, Source(run=run, game=game))
    return page("_viewer.html.j2", replay=replay, judges=judges(request.app.state.runs, replay), live=None, only=None)


@router.get("/api/watch/events")
async def events(request: Request, run: Name) -> Response:
    """An event with the latest games whenever there is a newer one."""
    library: Library = request.app.state.library
    library.tournament(run)
    return changes(request, lambda: latest(request, run))
