"""Value curves, computed in the background one after another, and kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from threading import Lock
from typing import Any

from agents.registry import AgentConfig
from envs.errors import KontorError
from experiments.replay import Replay, estimates

KEPT = 100
"""How many curves are kept; the one that was asked for longest ago goes first."""


@dataclass
class Curve:
    """A curve on its way: `done` of `total` positions are judged; `points` are there once all are, or an `error`."""

    done: int
    total: int
    points: list[dict[str, Any]] | None = None
    error: str | None = None
    unwanted: bool = False


class Estimator:
    """Works curves out in a thread of its own. The searches are compiled code that lets other threads run."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="curves")
        self._curves: OrderedDict[tuple[str, str], Curve] = OrderedDict()
        self._lock = Lock()

    def curve(
        self, game: str, agent: str, replay: Replay, config: AgentConfig, compile: Callable[[], None] = lambda: None
    ) -> Curve:
        """The curve of an agent over a game, both by name; begun if it is not there. A failure is told once.

        `compile` returns once the agent's code for the game lies in the cache.
        """
        with self._lock:
            curve = self._curves.get((game, agent))
            if curve is None:
                curve = self._curves[game, agent] = Curve(0, replay.moves + 1)
                self._pool.submit(_work, curve, replay, config, compile)
            elif curve.error is not None:
                del self._curves[game, agent]
                return curve
            self._curves.move_to_end((game, agent))
            while len(self._curves) > KEPT:
                self._curves.popitem(last=False)[1].unwanted = True
        return curve

    def close(self) -> None:
        """Give up what is not done."""
        with self._lock:
            for curve in self._curves.values():
                curve.unwanted = True
        self._pool.shutdown(wait=False, cancel_futures=True)


def _work(curve: Curve, replay: Replay, config: AgentConfig, compile: Callable[[], None]) -> None:
    def told(done: int, total: int) -> bool:
        curve.done = done
        return not curve.unwanted

    try:
        compile()
        found = estimates(replay, config, told=told)
    except KontorError as error:
        curve.error = str(error)
    except Exception as error:  # the page that waits has to hear of it
        curve.error = f"a fault in the program: {type(error).__name__}: {error}"
    else:
        curve.points = [asdict(estimate) for estimate in found]
