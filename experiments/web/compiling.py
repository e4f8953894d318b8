"""Compiling a game and its agents in a process of its own, so that the server's pages stay quick meanwhile.

Numba compiles under the interpreter's lock: in a thread of the server it would hold up every page, for a minute where
the rules are long. So a child compiles first and leaves the code in the cache on disk; afterwards the server only
loads it. The child's job comes in through its standard input, which stays open as long as the server lives: a child
whose server has died in whatever way ends itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from agents.agent import AgentError
from agents.registry import make_agent
from envs.catalog import get_game
from envs.compiling import PLAIN
from envs.errors import KontorError
from envs.game import Game
from envs.options import Options
from envs.position import Position
from envs.view import View
from experiments.web.seats import Seat, seat_config

AT_ONCE = 2
"""Children that compile at the same time: a small game does not wait for a large one."""

YIELDING = 5
"""By how much a child steps back behind the server (niceness)."""

A_MOMENT = 0.01
"""Seconds a move of the timed agents that a child makes."""

ENDING = "the server is ending"

COMMAND = (sys.executable, "-m", __name__)


class CompilingFailed(KontorError):
    """The process that compiles was ended, by the system or by somebody."""


class Compiler:
    """Sees to it that what is asked for lies compiled in the cache; each thing once in the life of a process."""

    _compiled: set[str] = set()  # noqa: RUF012 - of the whole process, since what it has loaded stays loaded
    _lock = threading.Lock()

    def __init__(self, runs: Path) -> None:
        self.runs = runs
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="compile")
        self._jobs: dict[str, Future[None]] = {}
        self._children: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def wait_for(self, game: Game, options: Options, seats: Iterable[Seat] = ()) -> None:
        """Return once the game's rules and the agents of `seats` are compiled, or cannot be compiled elsewhere.

        To be called in a thread. A child that fails by itself is no error: then the caller compiles, and meets
        whatever went wrong. Errors: `CompilingFailed` if the child was killed or the server ends.
        """
        job = _job(game, options, seats, self.runs)
        with self._lock:
            if PLAIN or job in self._compiled:
                return
            future = self._jobs.get(job)
            if future is None:
                if self._closed:
                    raise CompilingFailed(ENDING)
                future = self._jobs[job] = self._pool.submit(self._compile, game.name, job)
        try:
            future.result()
        except CancelledError:  # `close` came before its turn
            raise CompilingFailed(ENDING) from None
        finally:
            with self._lock:
                if self._jobs.get(job) is future:
                    del self._jobs[job]

    def _compile(self, game: str, job: str) -> None:
        with self._lock:
            if self._closed:
                raise CompilingFailed(ENDING)
            try:
                child = subprocess.Popen(
                    COMMAND,
                    bufsize=0,  # else closing the pipe of a child that has died would fail once more
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C reaches the server, which ends its children
                )
            except OSError:
                return  # no process is to be had: whoever waits compiles
            self._children.add(child)
        with child:
            assert child.stdin is not None
            with suppress(BrokenPipeError):  # then its exit status tells
                child.stdin.write(job.encode() + b"\n")
            status = child.wait()
        with self._lock:
            self._children.discard(child)
        if status < 0 and self._closed:
            raise CompilingFailed(ENDING)
        if status < 0:
            raise CompilingFailed(f"{game}: the process that compiles its rules was ended by signal {-status}")
        with self._lock:
            self._compiled.add(job)

    def close(self) -> None:
        """End the children."""
        with self._lock:
            self._closed = True
            for child in self._children:
                child.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _job(game: Game, options: Options, seats: Iterable[Seat], runs: Path) -> str:
    """What a child is asked to compile, as one line of JSON: the same for seats that run the same code."""
    code = {(seat.type, seat.checkpoint or "", seat.seconds is not None) for seat in seats if not seat.is_human}
    agents = [
        {"type": kind, "checkpoint": checkpoint or None, "seconds": A_MOMENT if timed else None}
        for kind, checkpoint, timed in sorted(code)
    ]
    return json.dumps({"game": game.name, "options": dict(options), "seats": agents, "runs": str(runs.resolve())})


def compile_here(game: Game, options: Options, seats: Iterable[Seat], runs: Path) -> None:
    """Compile what a table asks of positions and of the agents at its seats, or load it from the cache.

    Errors: `KontorError` for a seat that cannot sit down.
    """
    position = Position(game, options, 0)
    seat = position.current_player
    assert seat is not None
    view = View(position, seat)
    for asked in seats:
        if not asked.is_human:
            config = seat_config(asked, game, options, runs)
            if config.is_timed:  # then making it runs, and so compiles, what only a search by the clock does
                make_agent(config, game, options, np.random.default_rng(0))
            agent = make_agent(config.smallest(), game, options, np.random.default_rng(0))
            agent.act(view)
            with suppress(AgentError):  # not all judge positions
                agent.estimate(view)
    view.legal_actions()
    position.observe(seat)
    position.returns()
    position.copy().apply(position.legal_actions()[0])


def main() -> None:
    """The life of a child: compile what its standard input names, and end before that is closed."""
    job: Mapping[str, Any] = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(YIELDING)
    seats = [Seat.model_validate(seat) for seat in job["seats"]]
    compile_here(get_game(job["game"]), job["options"], seats, Path(job["runs"]))


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
    os._exit(0)  # with a thread that reads there is no other quick end
