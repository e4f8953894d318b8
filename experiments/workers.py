"""Processes that play games: one Numba thread and one torch thread each, one compile cache for all.

Processes are spawned, never forked, since a process that has run parallel compiled code cannot be forked.
Each worker is linked to its parent by one pipe: games go down it, results come back. A parent that dies in
whatever way takes its workers with it; a worker that dies is replaced, and its games are played again.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Protocol

from experiments.config import Experiment, import_modules
from experiments.match import GameResult, MatchError, play, warm_up
from experiments.plan import PlannedGame

AHEAD = 2
"""Games handed to a worker at once, so that it never waits for the next; one only where few are left to share."""

PATIENCE = 0.2
"""Seconds after which a parent that waits for results looks whether it is to stop."""

DEATHS = 3
"""So many workers may die over one game before the run is given up."""

ONE_THREAD = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Failure:
    """What a worker sends when a game cannot be played."""

    message: str
    details: str


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    games: deque[PlannedGame] = field(default_factory=deque)


class Executor(Protocol):
    """Something that plays games: a context in which `play` may be called."""

    def __enter__(self) -> Executor: ...

    def __exit__(self, *exception: object) -> None: ...

    def play(self, games: Sequence[PlannedGame], stopped: Callable[[], bool]) -> Iterator[list[GameResult]]:
        """The results of the games as they end, until all have ended or `stopped()` is true."""
        ...


class InProcess:
    """Plays in the calling process, one game after another: for debuggers."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *exception: object) -> None:
        """Nothing to end."""

    def play(self, games: Sequence[PlannedGame], stopped: Callable[[], bool]) -> Iterator[list[GameResult]]:
        """See `Executor`."""
        for game in games:
            if stopped():
                return
            yield [play(game, self.experiment)]


class Workers:
    """A number of worker processes, to be used as a context manager; leaving it ends them at once.

    They start (and import what they need) when the context is entered, and play when `play` hands them games.
    """

    def __init__(self, experiment: Experiment, count: int) -> None:
        self.experiment = experiment
        self.count = count
        self._workers: list[_Worker] = []
        self._deaths: Counter[str] = Counter()
        self._context = multiprocessing.get_context("spawn")

    def __enter__(self) -> Workers:
        try:
            for _ in range(self.count):
                self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def play(self, games: Sequence[PlannedGame], stopped: Callable[[], bool]) -> Iterator[list[GameResult]]:
        """The results of all games, in the order they end, as many at a time as have come in.

        Ends early, soon after `stopped()` is true. Errors: `MatchError` if an agent fails, or if workers keep
        dying over one game.
        """
        waiting = deque(games)
        left = len(games)
        while left and not stopped():
            for worker in self._workers:
                self._feed(worker, waiting)
            ready = wait([worker.pipe for worker in self._workers], timeout=PATIENCE)
            results = []
            for worker in list(self._workers):
                if worker.pipe in ready:
                    results += self._collect(worker, waiting)
            left -= len(results)
            if results:
                yield results

    def _feed(self, worker: _Worker, waiting: deque[PlannedGame]) -> None:
        while waiting and len(worker.games) < (AHEAD if len(waiting) > self.count else 1):
            worker.games.append(waiting.popleft())
            try:
                worker.pipe.send(worker.games[-1])
            except OSError:
                return  # the worker is dead: `play` finds its pipe closed

    def _collect(self, worker: _Worker, waiting: deque[PlannedGame]) -> list[GameResult]:
        """What the worker has sent; if it is dead, its games go back and another takes its place."""
        results: list[GameResult] = []
        try:
            while worker.pipe.poll():
                message = worker.pipe.recv()
                if isinstance(message, Failure):
                    raise MatchError(message.message) from RuntimeError(message.details)
                worker.games.popleft()
                results.append(message)
        except (EOFError, OSError):
            self._replace(worker, waiting)
        return results

    def _replace(self, worker: _Worker, waiting: deque[PlannedGame]) -> None:
        worker.process.join()
        self._workers.remove(worker)
        worker.pipe.close()
        if worker.games:
            game = worker.games[0]
            self._deaths[game.id] += 1
            if self._deaths[game.id] == DEATHS:
                code = worker.process.exitcode
                raise MatchError(f"game {game.id}: the process that played it died {DEATHS} times (exit code {code})")
        else:
            self._deaths[""] += 1
            if self._deaths[""] == DEATHS:
                raise MatchError(f"worker processes die before they play (exit code {worker.process.exitcode})")
        waiting.extendleft(reversed(worker.games))
        self._start()

    def _start(self) -> None:
        pipe, child_end = self._context.Pipe()
        arguments = (child_end, self.experiment.imports, pickle.dumps(self.experiment))
        process = self._context.Process(target=_work, args=arguments, daemon=True)
        resource_tracker.ensure_running()  # its start lets Ctrl-C through again: so not within the block
        with _interrupts_held_back(), _environment(ONE_THREAD):
            process.start()
        child_end.close()
        self._workers.append(_Worker(process, pipe))

    def _stop(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()


def _work(pipe: Connection, imports: Sequence[str], pickled: bytes) -> None:
    """The life of a worker: play what comes down the pipe until it is closed.

    `pickled` is the experiment; it can be read only after the modules that define its agents are imported.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import_modules(imports)
    experiment: Experiment = pickle.loads(pickled)
    is_warm = False
    while True:
        try:
            game = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            if not is_warm:  # now that the parent has compiled, so that it is only read, and not as thinking time
                warm_up(experiment)
                is_warm = True
            answer: GameResult | Failure = play(game, experiment)
        except MatchError as error:
            answer = Failure(str(error), traceback.format_exc())
        except Exception as error:
            answer = Failure(f"game {game.id}: {type(error).__name__}: {error}", traceback.format_exc())
        try:
            pipe.send(answer)
        except OSError:
            return


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """A process started meanwhile never gets Ctrl-C; this one gets it at the end."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Environment variables set for a while."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
