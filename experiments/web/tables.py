"""All tables of a server: making them, keeping them on disk, letting agents move, telling pages of changes.

Requests and agents meet in one event loop. What takes time runs in threads, and one thing at a time at each table:
its `lock` is held while it changes or is looked at, and not while an agent thinks. A table's file is written before
anybody is told of the change, so a server that is killed goes on where its pages are.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from envs.catalog import get_game
from envs.chance import SEED_BITS
from envs.errors import KontorError
from envs.record import write_atomically
from envs.view import View
from experiments.provenance import usable_cores
from experiments.web import shown
from experiments.web.compiling import Compiler
from experiments.web.errors import WebError
from experiments.web.seats import Seat, check_seats
from experiments.web.table import PLAYING, PREPARING, STOPPED, Table, load_table, table_to_json

MOST_TABLES = 500
ID = re.compile(r"[0-9a-f]{12}")
FULL = (errno.ENOSPC, errno.EDQUOT)

T = TypeVar("T")


@dataclass
class Room:
    """A table and what is going on around it: its lock, its task (preparing it, or an agent's move), its listeners."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    task: asyncio.Task[None] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Tables:
    """The tables in a folder, each a file `<id>.json`; `runs` is where checkpoints are looked for.

    `compiler` compiles what a table needs before it is prepared. `open` finds the tables that are there. All methods
    but `summaries` are to be awaited in one event loop.
    """

    def __init__(self, folder: Path, runs: Path, compiler: Compiler) -> None:
        self.folder, self.runs, self.compiler = folder, runs, compiler
        self._rooms: dict[str, Room] = {}
        self._damaged: dict[str, str] = {}
        self._thinkers = ThreadPoolExecutor(max(4, usable_cores()), thread_name_prefix="agent")
        self._keepers = ThreadPoolExecutor(max(4, usable_cores()), thread_name_prefix="table")
        self._preparers = ThreadPoolExecutor(max(4, usable_cores()), thread_name_prefix="prepare")

    async def open(self) -> None:
        """Find the tables in the folder. They are prepared when somebody asks for them."""
        for path in sorted(self.folder.glob("*.json")):
            if not ID.fullmatch(path.stem):
                continue
            try:
                self._rooms[path.stem] = Room(load_table(path))
            except KontorError as error:
                self._damaged[path.stem] = str(error)

    async def close(self) -> None:
        """End what is going on; the files have it all."""
        tasks = [room.task for room in self._rooms.values() if room.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._preparers.shutdown(wait=False, cancel_futures=True)
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self._keepers.shutdown(wait=True)

    # ------------------------------------------------------------------ making and finding

    async def create(
        self, game_name: str, options: Mapping[str, Any], seats: Sequence[Seat], seed: int | None, pace: float
    ) -> Table:
        """A new table, and its file. Errors: `KontorError` for a game, options or seats that cannot be."""
        if len(self._rooms) >= MOST_TABLES:
            raise WebError(409, f"there are {MOST_TABLES} tables: remove files from {self.folder} and restart")
        return await self._keep(self._create, game_name, options, seats, seed, pace)

    def _create(
        self, game_name: str, options: Mapping[str, Any], seats: Sequence[Seat], seed: int | None, pace: float
    ) -> Table:
        game = get_game(game_name)
        complete = game.validate(options)
        check_seats(seats, game, complete, self.runs)
        table = Table(
            id=secrets.token_hex(6),
            game=game,
            options=complete,
            seed=secrets.randbits(SEED_BITS) if seed is None else seed,
            agents_seed=secrets.randbits(SEED_BITS),
            seats=tuple(seats),
            keys=tuple(secrets.token_urlsafe(16) if seat.is_human else None for seat in seats),
            pace=pace,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        self._save(table)  # at once: whoever has the keys finds it after a restart, prepared or not
        self._rooms[table.id] = Room(table)
        return table

    async def get(self, table_id: str) -> Table:
        """The table, on its way to being prepared if it is not. Errors: `WebError`."""
        return self._room(table_id).table

    def _room(self, table_id: str) -> Room:
        room = self._rooms.get(table_id)
        if room is None and table_id in self._damaged:
            raise WebError(410, f"table {table_id} cannot be opened: {self._damaged[table_id]}")
        if room is None:
            raise WebError(404, f"there is no table {table_id!r}")
        self._go_on(room)
        return room

    def summaries(self) -> list[dict[str, Any]]:
        """Of every table what anybody may know, the newest first."""
        rooms = sorted(self._rooms.values(), key=lambda room: room.table.created, reverse=True)
        return [_summary(room.table) for room in rooms]

    # ------------------------------------------------------------------ looking

    async def show(self, table_id: str, key: str | None) -> bytes:
        """What the page of whoever has `key` needs, as JSON. Errors: `WebError`."""
        room = self._room(table_id)
        viewer = room.table.viewer(key)
        if room.table.status == PREPARING:  # which holds the lock, for minutes where much is to be compiled
            return shown.show(room.table, viewer)
        async with room.lock:
            return await self._keep(shown.show, room.table, viewer)

    async def report(self, table_id: str, key: str | None, move: int) -> dict[str, Any]:
        """What the agent saw that made a move. Errors: `WebError`."""
        table = self._room(table_id).table
        table.viewer(key)
        if not shown.may_see_reports(table):
            raise WebError(403, "what agents saw is told once the game is over: it would show their hands")
        if move not in table.reports:
            raise WebError(404, f"there is no report of move {move} at table {table_id}: only searches make one")
        return table.reports[move]

    async def wait(self, table_id: str, revision: str, seconds: float) -> str:
        """The table's stamp (revision and state) once it differs from the one given, or after so many seconds."""
        room = self._room(table_id)
        if _stamp(room.table) == revision:
            with suppress(TimeoutError):
                await asyncio.wait_for(room.changed.wait(), seconds)
        return _stamp(room.table)

    # ------------------------------------------------------------------ acting

    async def act(self, table_id: str, key: str | None, revision: int, action: int) -> bytes:
        """Play an action for the seat of a key; what its page then needs. Errors: `KontorError`."""
        return await self._change(table_id, key, revision, lambda table, seat: table.act(action))

    async def undo(self, table_id: str, key: str | None, revision: int) -> bytes:
        """Take back the last action of the seat of a key; what its page then needs. Errors: `KontorError`."""
        return await self._change(table_id, key, revision, lambda table, seat: table.undo(seat))

    async def _change(
        self, table_id: str, key: str | None, revision: int, change: Callable[[Table, int], None]
    ) -> bytes:
        room = self._room(table_id)

        def changed_and_shown() -> bytes:
            seat = room.table.checked_turn(room.table.seat_of(key), revision)
            self._change_and_save(room.table, lambda: change(room.table, seat))
            return shown.show(room.table, seat)

        async with room.lock:
            answer = await self._keep(changed_and_shown)
        self._tell(room)
        self._go_on(room)
        return answer

    async def resume(self, table_id: str, key: str | None) -> None:
        """Try again where a table is stopped. Errors: `WebError`."""
        room = self._room(table_id)
        room.table.viewer(key)
        if room.table.status == STOPPED:
            room.table.problem = ""
            room.table.shown.clear()
            self._tell(room)
            self._go_on(room)

    # ------------------------------------------------------------------ agents

    def _go_on(self, room: Room) -> None:
        """Do what comes next at a table by itself, if anything does: prepare it, or let an agent move."""
        table = room.table
        if room.task is not None and not room.task.done():
            return
        if table.status == PREPARING:
            room.task = asyncio.create_task(self._going(room, self._prepare(room)))
        elif table.status == PLAYING and table.position.current_player in table.agents:
            room.task = asyncio.create_task(self._going(room, self._agents_move(room)))

    async def _going(self, room: Room, work: Coroutine[Any, Any, None]) -> None:
        """The work, with whatever goes wrong told at the table."""
        try:
            await work
        except Exception as error:  # whatever an agent does: the table stands, and says why it does not go on
            reason = str(error) if isinstance(error, KontorError) else f"{type(error).__name__}: {error}"
            room.table.problem = f"the table cannot go on: {' '.join(reason.split())}"
            room.table.shown.clear()
            self._tell(room)

    async def _prepare(self, room: Room) -> None:
        table, loop = room.table, asyncio.get_running_loop()
        await loop.run_in_executor(self._preparers, self.compiler.wait_for, table.game, table.options, table.seats)
        async with room.lock:
            await loop.run_in_executor(self._preparers, table.prepare, self.runs)
            table.reports.update(await self._keep(self._load_reports, table))
            table.shown.clear()
            if table.expected is None:
                await self._keep(self._save, table)
        self._tell(room)
        await self._agents_move(room)

    async def _agents_move(self, room: Room) -> None:
        """Let agents move until a person is to act or the game is over."""
        table, loop = room.table, asyncio.get_running_loop()
        while table.status == PLAYING and (seat := table.position.current_player) in table.agents:
            assert seat is not None
            started = perf_counter()
            action, seconds, report = await loop.run_in_executor(self._thinkers, _think, table, seat)
            await asyncio.sleep(max(0.0, table.pace - (perf_counter() - started)))
            async with room.lock:
                await self._keep(self._play, table, action, seconds, report)
            self._tell(room)

    def _play(self, table: Table, action: int, seconds: float, report: dict[str, Any] | None) -> None:
        self._change_and_save(table, lambda: table.act(action, seconds), report)
        if report is not None:
            table.reports[report["move"]] = report

    def _tell(self, room: Room) -> None:
        """Wake whoever waits for a change of the table."""
        room.changed.set()
        room.changed = asyncio.Event()

    # ------------------------------------------------------------------ files

    def _change_and_save(self, table: Table, change: Callable[[], None], report: dict[str, Any] | None = None) -> None:
        """Change a table and write it, with the report of the move if there is one; or leave it as it was.

        Errors: those of `change`; `WebError` if a file cannot be written.
        """
        before = table.moves()
        change()
        try:
            self._save(table, report)
        except WebError:
            table.go_back(before)
            raise

    def _save(self, table: Table, report: dict[str, Any] | None = None) -> None:
        """Write the table's file, after the report of its last move if there is one; keys are for its owner alone.

        Errors: `WebError` saying why it cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if report is not None:
                with open(self._reports_file(table), "a", encoding="utf-8", opener=_private) as file:
                    file.write(json.dumps(report, separators=(",", ":")) + "\n")
            write_atomically(self.folder / f"{table.id}.json", json.dumps(table_to_json(table)) + "\n", 0o600)
        except OSError as error:
            status = HTTPStatus.INSUFFICIENT_STORAGE if error.errno in FULL else HTTPStatus.INTERNAL_SERVER_ERROR
            reason = error.strerror or error
            raise WebError(status, f"table {table.id} cannot be written to disk ({reason}): it is as it was") from None

    def _reports_file(self, table: Table) -> Path:
        return self.folder / f"{table.id}.reports.jsonl"

    def _load_reports(self, table: Table) -> dict[int, dict[str, Any]]:
        """The reports of the table's moves; a last line cut off by a kill is passed over."""
        reports = {}
        with suppress(FileNotFoundError):
            for line in self._reports_file(table).read_text(encoding="utf-8").splitlines():
                with suppress(ValueError, KeyError):
                    report = json.loads(line)
                    reports[int(report["move"])] = report
        return {move: report for move, report in reports.items() if move <= len(table.actions)}

    async def _keep(self, work: Callable[..., T], *arguments: Any) -> T:
        """`work(*arguments)` in a thread that is not an agent's."""
        return await asyncio.get_running_loop().run_in_executor(self._keepers, work, *arguments)


def _think(table: Table, seat: int) -> tuple[int, float, dict[str, Any] | None]:
    """An agent's action, the seconds it took, and the report of its search if it made one."""
    view = View(table.position, seat)
    agent = table.agents[seat]
    started = perf_counter()
    action = int(agent.act(view))
    seconds = perf_counter() - started
    report = None
    searched = getattr(agent, "search_report", None)
    if searched is not None and len(view.legal_actions()) > 1:  # a forced move is played without a search
        report = shown.report(view, searched(view), len(table.actions) + 1)
    return action, round(seconds, 4), report


def _private(path: str, flags: int) -> int:
    """Opens a file that only its owner can read."""
    return os.open(path, flags, 0o600)


def _stamp(table: Table) -> str:
    return f"{table.revision} {table.status}"


def _summary(table: Table) -> dict[str, Any]:
    return {
        "id": table.id,
        "game": table.game.name,
        "title": table.game.title,
        "status": table.status,
        "over": table.is_over,
        "moves": len(table.actions),
        "seats": [seat.shown for seat in table.seats],
        "people": sum(seat.is_human for seat in table.seats),
        "created": table.created,
    }
