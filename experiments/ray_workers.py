"""Ray actors that play games: on this machine, or on the cluster that `RAY_ADDRESS` names.

The same games come out as with worker processes, whatever the executor. Every machine of a cluster needs Kontor of the
same version, and the files that agents are read from, under the same paths. An actor that dies is replaced, and its
games are played again.
"""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from envs.errors import KontorError
from experiments.config import Experiment, import_modules
from experiments.match import GameResult, MatchError, play, warm_up
from experiments.plan import PlannedGame
from experiments.workers import AHEAD, DEATHS, ONE_THREAD, PATIENCE, Failure


@dataclass(eq=False)
class _Actor:
    """An actor, and the games it has been given by what they will come back as, oldest first."""

    handle: Any
    games: dict[Any, PlannedGame] = field(default_factory=dict)


class _Player:
    """What lives in an actor."""

    def __init__(self, imports: Sequence[str], pickled: bytes) -> None:
        import_modules(imports)
        self.experiment: Experiment = pickle.loads(pickled)
        self.is_warm = False

    def play(self, game: PlannedGame) -> GameResult | Failure:
        """The result of a game, or why there is none."""
        try:
            if not self.is_warm:
                warm_up(self.experiment)
                self.is_warm = True
            return play(game, self.experiment)
        except MatchError as error:
            return Failure(str(error), traceback.format_exc())
        except Exception as error:
            return Failure(f"game {game.id}: {type(error).__name__}: {error}", traceback.format_exc())


class RayWorkers:
    """A number of Ray actors, to be used as a context manager; see `experiments.workers.Executor`."""

    def __init__(self, experiment: Experiment, count: int) -> None:
        self.experiment, self.count = experiment, max(1, count)
        self._actors: list[_Actor] = []
        self._deaths: Counter[str] = Counter()
        self._has_begun_ray = False

    def __enter__(self) -> RayWorkers:
        ray = import_ray()
        if not ray.is_initialized():
            begin_ray(ray, self.count)
            self._has_begun_ray = True
        try:
            for _ in range(self.count):
                self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        ray = import_ray()
        for actor in self._actors:
            ray.kill(actor.handle)
        self._actors.clear()
        if self._has_begun_ray:
            ray.shutdown()

    def play(self, games: Sequence[PlannedGame], stopped: Callable[[], bool]) -> Iterator[list[GameResult]]:
        """The results of all games, in the order they end, as many at a time as have come in.

        Ends early, soon after `stopped()` is true. Errors: `MatchError` if an agent fails, or if actors keep dying
        over one game.
        """
        ray = import_ray()
        waiting = deque(games)
        left = len(games)
        while left and not stopped():
            for actor in self._actors:
                while waiting and len(actor.games) < (AHEAD if len(waiting) > self.count else 1):
                    game = waiting.popleft()
                    actor.games[actor.handle.play.remote(game)] = game
            pending = [answer for actor in self._actors for answer in actor.games]
            ready, _ = ray.wait(pending, num_returns=1, timeout=PATIENCE)
            if ready:
                ready, _ = ray.wait(pending, num_returns=len(pending), timeout=0)
            results: list[GameResult] = []
            failure: Failure | None = None
            for actor in list(self._actors):
                for answer in [answer for answer in actor.games if answer in ready]:
                    try:
                        result = ray.get(answer)
                    except ray.exceptions.RayActorError:
                        self._replace(actor, waiting)
                        break
                    del actor.games[answer]
                    if isinstance(result, Failure):
                        failure = result
                    else:
                        results.append(result)
            left -= len(results)
            if results:
                yield results
            if failure:
                raise MatchError(failure.message) from RuntimeError(failure.details)

    def _replace(self, actor: _Actor, waiting: deque[PlannedGame]) -> None:
        self._actors.remove(actor)
        games = list(actor.games.values())
        self._deaths[games[0].id] += 1
        if self._deaths[games[0].id] == DEATHS:
            raise MatchError(f"game {games[0].id}: the actor that played it died {DEATHS} times")
        waiting.extendleft(reversed(games))
        self._start()

    def _start(self) -> None:
        ray = import_ray()
        player = ray.remote(num_cpus=1, max_restarts=0)(_Player)
        self._actors.append(_Actor(player.remote(self.experiment.imports, pickle.dumps(self.experiment))))


def begin_ray(ray: Any, count: int) -> None:
    """Join the cluster of `RAY_ADDRESS`, or begin one of this machine alone."""
    path = os.pathsep.join(dict.fromkeys([*filter(None, sys.path), os.getcwd()]))
    settings: dict[str, Any] = {"runtime_env": {"env_vars": {**ONE_THREAD, "PYTHONPATH": path}}}
    if not os.environ.get("RAY_ADDRESS"):
        settings |= {"address": "local", "num_cpus": count, "include_dashboard": False}
    ray.init(log_to_driver=False, logging_level="ERROR", **settings)


def import_ray() -> Any:
    """The module `ray`. Errors: `KontorError` if it is not installed."""
    try:
        import ray
    except ImportError:
        raise KontorError("executor: ray needs the extra `ray`: pip install -e '.[ray]' in Kontor's folder") from None
    return ray
