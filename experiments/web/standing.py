"""How runs stand: what a tournament's store and a training's folder show at the moment, worked out when asked for."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from experiments.curves import LearningCurve, learning_curves, read_shares
from experiments.locking import is_locked
from experiments.plots import curve_plot, rating_plot, win_share_plot
from experiments.results import RunResult, SettingResult, results
from experiments.store import FILE_NAME, Store, StoreError
from experiments.web.library import Entry, training_status

FINISHED, RUNNING, STOPPED = "finished", "running", "stopped"

PATIENCE = 5.0
"""The results of a growing run are worked out anew after this many times as long as that took."""


@dataclass(frozen=True)
class Standing:
    """A run at a glance: `done` of `total` games or steps; `what` is counted; `problem` if it is unreadable."""

    entry: Entry
    state: str
    done: int
    total: int
    what: str
    title: str = ""
    problem: str = ""

    @property
    def share(self) -> float:
        """The share that is done, 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 0.0


def mark(entry: Entry) -> tuple[str, float, bool]:
    """Changes whenever the run begins, goes on or ends; cheap to look at."""
    return entry.name, entry.written, _is_at_work(entry.path)


@lru_cache(256)
def _standing(entry: Entry, is_at_work: bool) -> Standing:
    try:
        return _of_training(entry, is_at_work) if entry.kind == "training" else _of_tournament(entry, is_at_work)
    except (StoreError, ValueError) as error:
        return Standing(entry, STOPPED, 0, 0, "", problem=str(error))


def standing(entry: Entry) -> Standing:
    """How a tournament or training stands; read anew when something was written or the work began or ended."""
    return _standing(entry, _is_at_work(entry.path))


def _of_tournament(entry: Entry, is_at_work: bool) -> Standing:
    with Store.read(entry.path / FILE_NAME) as store:
        done, total = store.num_games(), int(store.run()["planned_games"])
        title = ", ".join(setting["label"] for setting in store.settings())
    return Standing(entry, _state(is_at_work, done >= total), done, total, "games", title)


def _of_training(entry: Entry, is_at_work: bool) -> Standing:
    status = training_status(entry.path)
    done, share = int(status["counters"].get("steps", 0)), float(status.get("share", 1.0)) or 1.0
    total = round(done / share)
    return Standing(entry, _state(is_at_work, bool(status.get("done"))), done, total, "steps", str(status["training"]))


def _state(is_at_work: bool, is_done: bool) -> str:
    return FINISHED if is_done else RUNNING if is_at_work else STOPPED


def _is_at_work(folder: Path) -> bool:
    """Whether a process has the run; one within a tournament's folder is trained while the tournament is at work."""
    return any(is_locked(place) for place in (folder, *folder.parents[:3]))


@dataclass(frozen=True)
class Plots:
    """The drawings of a setting, as SVG elements."""

    win_shares: str
    ratings: str


class Results:
    """The results of runs, kept until there is more to tell; safe to ask from several threads."""

    def __init__(self) -> None:
        self._kept: dict[Path, tuple[int, float, float, RunResult]] = {}
        self._plots: dict[tuple[Any, ...], str] = {}
        self._lock, self._drawing = Lock(), Lock()

    def of(self, path: Path) -> RunResult:
        """The results of a store, at most a little old while it grows. Errors: `StoreError`."""
        with Store.read(path) as store:
            games = store.num_games()
            finished = games >= int(store.run()["planned_games"])
            with self._lock:
                kept = self._kept.get(path)
                started = time.monotonic()
                if kept and (kept[0] == games or (not finished and started < kept[2])):
                    return kept[3]
                result = results(store)
                took = time.monotonic() - started
                self._kept[path] = (result.games, took, time.monotonic() + PATIENCE * took, result)
        return result

    def plots(self, path: Path, setting: SettingResult) -> Plots:
        """The drawings of a setting's win shares and ratings."""
        key = (path, setting.label, setting.games)
        return Plots(
            self._draw(("win shares", *key), lambda: win_share_plot(setting)),
            self._draw(("ratings", *key), lambda: rating_plot(setting)),
        )

    def curves(self, path: Path, agents: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
        """Title and drawing of the learning curves of a run's trained agents."""
        return [
            (f"{curve.agent}, {curve.training}", self._curve(path.parent / curve.agent, curve))
            for curve in learning_curves(agents, path.parent)
        ]

    def training(self, folder: Path) -> str:
        """The drawing of a training's learning curve; nothing before its first evaluation."""
        shares = read_shares(folder)
        return self._curve(folder, LearningCurve(folder.name, folder.name, shares)) if shares else ""

    def _curve(self, name: Path, curve: LearningCurve) -> str:
        ends = tuple((opponent, len(points), points[-1:]) for opponent, points in curve.shares.items())
        return self._draw(("curve", name, curve.training, str(ends)), lambda: curve_plot(curve))

    def _draw(self, key: tuple[Any, ...], make: Any) -> str:
        with self._drawing:  # matplotlib's settings are the whole program's
            if key not in self._plots:
                if len(self._plots) > 500:
                    self._plots.clear()
                self._plots[key] = make()
            return self._plots[key]
