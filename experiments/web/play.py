"""Playing: choosing a game, the table's page, and what its script asks for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from agents.heuristics.contract import heuristics_versions
from envs.catalog import game_names, get_game
from envs.chance import SEED_BITS
from envs.game import Game
from experiments.web.live import is_ending
from experiments.web.pages import page
from experiments.web.seats import MOST_ITERATIONS, MOST_SECONDS, Seat, checkpoints
from experiments.web.table import LONGEST_PACE
from experiments.web.tables import Tables

router = APIRouter()

Key = Annotated[str | None, Query(max_length=100)]

HEARTBEAT = 3.0
"""Seconds after which a stream of events without news says that it is alive, and sees whether the server ends."""

LARGE_GAMES_FIRST = ("fuerstenfeld", "travel_blog", "pfeffersaecke", "mesopotamia")


class Asked(BaseModel):
    """A part of a request: nothing unknown, and values of exactly the right type."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class NewTable(Asked):
    game: Annotated[str, Field(max_length=100)]
    options: Annotated[dict[str, Any], Field(max_length=50)] = {}
    seats: Annotated[list[Seat], Field(min_length=1, max_length=12)]
    seed: Annotated[int, Field(ge=0, lt=1 << SEED_BITS)] | None = None
    pace: Annotated[float, Field(ge=0, le=LONGEST_PACE)] = 0.7


class Act(Asked):
    revision: Annotated[int, Field(ge=0)]
    action: int


class Undo(Asked):
    revision: Annotated[int, Field(ge=0)]


def tables_of(request: Request) -> Tables:
    tables = request.app.state.tables
    assert isinstance(tables, Tables)
    return tables


# ------------------------------------------------------------------ pages


@router.get("/play")
def choose_game(request: Request) -> Response:
    """The games, and the tables there are."""
    names = [*LARGE_GAMES_FIRST, *(name for name in game_names() if name not in LARGE_GAMES_FIRST)]
    games = [get_game(name) for name in names]
    return page("play.html.j2", room="play", games=games, tables=tables_of(request).summaries())


@router.get("/play/{name}")
def new_table(request: Request, name: str) -> Response:
    """The form for a new table of a game."""
    game = get_game(name)
    return page(
        "new_table.html.j2",
        room="play",
        game=game,
        agents=agents_on_offer(request, game),
        opponent="greedy" if heuristics_versions(game.name) else "random",
        most_iterations=MOST_ITERATIONS,
        most_seconds=MOST_SECONDS,
    )


def agents_on_offer(request: Request, game: Game) -> list[tuple[str, list[tuple[str, str]]]]:
    """What may be chosen for a seat, in groups: the words, and `TYPE` or `TYPE:CHECKPOINT`."""
    simple = [("a person", "human"), ("random", "random")]
    if heuristics_versions(game.name):
        simple.insert(1, ("greedy: the rule of thumb", "greedy"))
    groups = [("", simple), ("Search", [("mcts: tree search", "mcts")])]
    playing, leading = [], []
    for found in checkpoints(request.app.state.runs, game):
        label = f"{found.name}, {found.num_players} players"
        playing.append((f"{found.agent}: {label}", f"{found.agent}:{found.name}"))
        if found.agent == "ppo":
            leading.append((f"mcts: {label}", f"mcts:{found.name}"))
    groups += [(title, choices) for title, choices in (("Trained", playing), ("Led by a network", leading)) if choices]
    return groups


@router.get("/tables/{table_id}")
async def table_page(request: Request, table_id: str, key: Key = None) -> Response:
    """The page of a table for whoever has the key of a seat, or for anybody where nothing is to be hidden."""
    table = await tables_of(request).get(table_id)
    table.viewer(key)
    return page("table.html.j2", room="play", table=table, key=key or "")


# ------------------------------------------------------------------ what scripts ask for


@router.get("/api/tables")
def list_tables(request: Request) -> Response:
    return JSONResponse({"tables": tables_of(request).summaries()})


@router.post("/api/tables")
async def create(request: Request, asked: NewTable) -> Response:
    """A new table, with the keys of the seats where people sit; they are told this once."""
    table = await tables_of(request).create(asked.game, asked.options, asked.seats, asked.seed, asked.pace)
    keys = [{"seat": seat, "key": key} for seat, key in enumerate(table.keys) if key is not None]
    return JSONResponse({"id": table.id, "title": table.game.title, "keys": keys}, 201)


@router.get("/api/tables/{table_id}")
async def show(request: Request, table_id: str, key: Key = None) -> Response:
    return _json(await tables_of(request).show(table_id, key))


@router.post("/api/tables/{table_id}/act")
async def act(request: Request, table_id: str, asked: Act, key: Key = None) -> Response:
    return _json(await tables_of(request).act(table_id, key, asked.revision, asked.action))


@router.post("/api/tables/{table_id}/undo")
async def undo(request: Request, table_id: str, asked: Undo, key: Key = None) -> Response:
    return _json(await tables_of(request).undo(table_id, key, asked.revision))


@router.post("/api/tables/{table_id}/resume")
async def resume(request: Request, table_id: str, key: Key = None) -> Response:
    """Try again where a table is stopped."""
    tables = tables_of(request)
    await tables.resume(table_id, key)
    return _json(await tables.show(table_id, key))


@router.get("/api/tables/{table_id}/reports/{move}")
async def report(request: Request, table_id: str, move: int, key: Key = None) -> Response:
    return JSONResponse(await tables_of(request).report(table_id, key, move))


@router.get("/api/tables/{table_id}/events")
async def events(request: Request, table_id: str, key: Key = None) -> Response:
    """Server-sent events: the table's stamp at once and at every change; the page then asks for what is new."""
    tables = tables_of(request)
    (await tables.get(table_id)).viewer(key)

    async def stream() -> AsyncIterator[str]:
        stamp = ""
        while not is_ending(request.app):
            new = await tables.wait(table_id, stamp, HEARTBEAT)
            yield f"data: {new}\n\n" if new != stamp else ": nothing new\n\n"
            stamp = new
            await asyncio.sleep(0)

    return StreamingResponse(stream(), media_type="text/event-stream")


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")
