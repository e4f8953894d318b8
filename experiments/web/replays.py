"""The rooms `/replays` and `/replay`: any stored game, step by step, from a seat's view or open."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from agents.heuristics.contract import heuristics_versions
from envs.errors import RecordError
from envs.record import GameRecord
from envs.words import listed
from experiments.commands.arguments import options_in_words
from experiments.replay import Replay
from experiments.web.compiling import Compiler
from experiments.web.errors import WebError
from experiments.web.estimating import Estimator
from experiments.web.library import Library
from experiments.web.live import changes
from experiments.web.pages import page
from experiments.web.seats import Seat, checkpoints, seat_config
from experiments.web.table import load_table
from experiments.web.tables import ID

router = APIRouter()

SIMULATIONS = (100, 400, 1600)
"""Budgets a move of the searches that are offered for value curves."""

REPLAYS_KEPT = 32
"""How many games are held ready, positions and all."""


class Replays:
    """The games that are looked at, by their addresses."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Replay] = OrderedDict()
        self._lock = Lock()

    def table(self, table: str, record: GameRecord, names: Sequence[str]) -> Replay:
        """The game at a table as far as its record goes, from where it was looked at last."""
        with self._lock:
            before = self._kept.get(f"table/{table}")
        if before is not None and before.record == record:
            return before
        return self._keep(f"table/{table}", Replay(record, names, before))

    def get(self, address: str, load: Callable[[], Replay]) -> Replay:
        """The game of an address, loaded if need be."""
        with self._lock:
            if address in self._kept:
                self._kept.move_to_end(address)
                return self._kept[address]
        return self._keep(address, load())

    def _keep(self, address: str, replay: Replay) -> Replay:
        with self._lock:
            self._kept[address] = replay
            self._kept.move_to_end(address)
            while len(self._kept) > REPLAYS_KEPT:
                self._kept.popitem(last=False)
        return replay


class Source(BaseModel):
    """Which game is meant: a record's file, a tournament and the id of its game, or a table and the key of a seat."""

    model_config = ConfigDict(frozen=True)

    record: Annotated[str | None, Field(max_length=500)] = None
    run: Annotated[str | None, Field(max_length=500)] = None
    game: Annotated[str | None, Field(max_length=200)] = None
    table: Annotated[str | None, Field(max_length=100)] = None
    key: Annotated[str | None, Field(max_length=100)] = None

    @property
    def query(self) -> dict[str, str]:
        """What the address of the game says."""
        return self.model_dump(exclude_none=True)

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.record or (f"table {self.table}" if self.table else f"{self.run}, game {self.game}")


def source(
    record: Annotated[str | None, Query(max_length=500)] = None,
    run: Annotated[str | None, Query(max_length=500)] = None,
    game: Annotated[str | None, Query(max_length=200)] = None,
    table: Annotated[str | None, Query(max_length=100)] = None,
    key: Annotated[str | None, Query(max_length=100)] = None,
) -> Source:
    """The game that an address names. Errors: `WebError`."""
    found = Source(record=record, run=run, game=game, table=table, key=key)
    given = [name for name in ("record", "run", "table") if getattr(found, name)]
    if len(given) != 1 or (run and not game):
        raise WebError(400, "say which game: record=FILE, table=NAME, or run=NAME and game=ID")
    return found


SourceOf = Annotated[Source, Depends(source)]


@dataclass(frozen=True)
class Shown:
    """A game that may be looked at: by all eyes, or only by those of the seat `only`. At a table it may not be over."""

    replay: Replay
    only: int | None = None
    is_over: bool = True

    def seat(self, asked: int | None) -> int | None:
        """The seat from which it is looked at, None for an open table. Errors: `WebError`."""
        if asked is not None and not 0 <= asked < self.replay.num_players:
            raise WebError(404, f"there is no seat {asked}: the seats are 0 to {self.replay.num_players - 1}")
        if self.only is not None and asked != self.only:
            raise WebError(403, f"until the game is over it is seen from seat {self.only} alone")
        return asked

    def open(self) -> Replay:
        """The game, if all of it may be seen. Errors: `WebError`."""
        if self.only is not None:
            raise WebError(403, "this is told once the game is over: it would tell what other seats hold")
        return self.replay


def shown(request: Request, source: Source) -> Shown:
    """The game, and by whose eyes it may be seen. Errors: `WebError`, `RecordError`, `StoreError`."""
    if source.table is not None:
        return table_replay(request, source.table, source.key)
    return Shown(stored_replay(request, source))


def stored_replay(request: Request, source: Source) -> Replay:
    """The game of a record or a tournament. Errors: `WebError`, `RecordError`, `StoreError`."""
    state = request.app.state
    library: Library = state.library
    if source.record is not None:
        path = library.path(source.record)
        written = path.stat().st_mtime_ns if path.is_file() else 0  # a file may be written anew
        return state.replays.get(f"{source.record}@{written}", lambda: library.record(source.record or ""))
    assert source.run is not None
    assert source.game is not None
    run, game = source.run, source.game
    return state.replays.get(f"{run}//{game}", lambda: library.game(run, game))


def table_replay(request: Request, table: str, key: str | None) -> Shown:
    """The game at a table so far: to everybody where all of it may be seen, else to who has a seat's key.

    Errors: `WebError`, `RecordError`.
    """
    folder: Path = request.app.state.tables_folder
    path = folder / f"{table}.json"
    if not ID.fullmatch(table) or not path.is_file():
        raise WebError(404, f"there is no table {table[:80]!r}")
    try:
        found = load_table(path)
    except RecordError as error:
        raise WebError(410, f"table {table} cannot be opened: {error}") from None
    record = found.expected
    if record is None:
        raise WebError(409, f"table {table} is being prepared: there is nothing to look at yet")
    replays: Replays = request.app.state.replays
    game = replays.table(table, record, [seat.shown for seat in found.seats])
    is_open = not game.game.hidden_information or found.was_over or not any(found.keys)
    if is_open:
        return Shown(game, None, found.was_over)
    seat = found.seat_of(key)
    if seat is None:
        raise WebError(403, f"the game at table {table} is shown to all once it is over: it hides something")
    return Shown(game, seat, False)


# ------------------------------------------------------------------ pages


@router.get("/replays")
def replays(request: Request) -> Response:
    """What can be watched: running tables and tournaments, stored records, and the games of tournaments."""
    library: Library = request.app.state.library
    entries = library.entries()
    return page(
        "replays.html.j2",
        room="replays",
        records=[entry for entry in entries if entry.kind == "record"],
        tournaments=[entry for entry in entries if entry.kind == "tournament"],
        tables=[table for table in request.app.state.tables.summaries() if table["over"] or not table["people"]],
        folder=library.root,
    )


@router.get("/replay")
def replay(request: Request, source: SourceOf) -> Response:
    """The page on which a game is stepped through."""
    found = shown(request, source)
    game = found.replay
    live = None if found.is_over else f"/api/replay/events?{urlencode(source.query)}"
    return page(
        "replay.html.j2",
        room="replays",
        source=source,
        replay=game,
        options=options_in_words(game.options),
        names=listed(game.names),
        only=found.only,
        over=found.is_over,  # before that the seed is a secret: all chance to come follows from it
        judges=judges(request.app.state.runs, game) if found.only is None else {},
        live=live,
    )


def judges(runs: Path, game: Replay) -> dict[str, Seat]:
    """Agents whose estimates can be asked for, by what they are called."""
    found = {"the rule of thumb's evaluation": Seat(type="greedy")} if heuristics_versions(game.game.name) else {}
    found |= {f"search, {n} simulations": Seat(type="mcts", iterations=n) for n in SIMULATIONS}
    for checkpoint in checkpoints(runs, game.game):
        if checkpoint.fits(game.game, game.options):
            seat = {"type": checkpoint.agent, "checkpoint": checkpoint.name}
            led = "network" if checkpoint.agent == "ppo" else "search by the network"
            found[f"{led} {checkpoint.name}"] = Seat.model_validate(seat)
    return found


# ------------------------------------------------------------------ for the page's script


@router.get("/api/replay/events")
async def events(request: Request, source: SourceOf) -> Response:
    """An event whenever the game at a table has gone on: how many moves there are, and whether it is over."""
    await run_in_threadpool(shown, request, source)  # refused before the stream begins

    def look() -> dict[str, Any]:
        found = shown(request, source)
        return {"moves": found.replay.moves, "over": found.is_over}

    return changes(request, look)


@router.get("/api/replay/log")
def log(request: Request, source: SourceOf, seat: int | None = None) -> list[dict[str, Any]]:
    """All moves in words, as a seat gets to know of them."""
    found = shown(request, source)
    seat = found.seat(seat)
    return ready(request, found.replay).log(seat)


@router.get("/api/replay/position")
def position(request: Request, source: SourceOf, move: int, seat: int | None = None) -> dict[str, Any]:
    """A position: its drawing, its text, and who is to act."""
    found = shown(request, source)
    game, seat = found.replay, found.seat(seat)
    ready(request, game)
    if not 0 <= move <= game.moves:
        raise WebError(404, f"there is no move {move}: the moves are 0 to {game.moves}")
    description = game.describe(move, seat)
    return {
        "move": move,
        "svg": game.picture(move, seat),
        "text": game.game.text(description),
        "phase": description["phase"].replace("_", " "),
        "seat": description["current_player"],
        "outcome": outcome(game, move),
    }


def ready(request: Request, game: Replay) -> Replay:
    """The game, once its rules are compiled. Errors: `KontorError`."""
    compiler: Compiler = request.app.state.compiler
    compiler.wait_for(game.game, game.options)
    return game


def outcome(game: Replay, move: int) -> str:
    """How the game came out, if it is over after that move; else nothing."""
    position = game.position(move)
    if not position.is_over:
        return ""
    winners = position.winners()
    drawn = len(winners) == game.num_players
    result = "Drawn" if drawn else f"Won by {listed(game.names[seat] for seat in winners)}"
    returns = listed(f"{name} {value:+g}" for name, value in zip(game.names, position.returns(), strict=True))
    cut = " (cut off by the cap on its length)" if position.truncated else ""
    return f"{result}{cut}. Returns: {returns}."


class CurveRequest(BaseModel):
    """Whose estimates are wanted."""

    model_config = ConfigDict(extra="forbid")

    agent: Seat


@router.post("/api/replay/curve")
def curve(request: Request, source: SourceOf, wanted: CurveRequest) -> dict[str, Any]:
    """An agent's value curve over the game: begun in the background when first asked for, there once it is done."""
    if wanted.agent.is_human:
        raise WebError(400, "a person's estimates are not known here")
    game = shown(request, source).open()
    config = seat_config(wanted.agent, game.game, game.options, request.app.state.runs)
    estimator: Estimator = request.app.state.estimator
    compiler: Compiler = request.app.state.compiler
    compile = partial(compiler.wait_for, game.game, game.options, [wanted.agent])
    found = estimator.curve(curve_name(game), wanted.agent.model_dump_json(), game, config, compile)
    return {"done": found.done, "total": found.total, "points": found.points, "error": found.error}


def curve_name(game: Replay) -> str:
    """A game by its content, whatever its address."""
    return hashlib.sha256(repr(asdict(game.record)).encode()).hexdigest()
