"""How far a run is, shown while it goes: games done, games a second, time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from experiments.tournament import COMPILING, TRAINING, Progress

if TYPE_CHECKING:
    from agents.learning.trainer import Progress as TrainingProgress

SECONDS_BETWEEN_LINES = 10.0
"""How often progress is told where there is no terminal to draw a bar on."""


@contextmanager
def progress_display(name: str) -> Iterator[Callable[[Progress], None]]:
    """Gives the function to report progress to: a bar on a terminal, else a line now and then; on standard error."""
    if sys.stderr.isatty():
        yield from _bar(name)
    else:
        yield _Lines(name)


@contextmanager
def training_display(name: str) -> Iterator[Callable[[TrainingProgress], None]]:
    """The same for a training: the share that is done, steps a second, win rates and the time left."""
    if sys.stderr.isatty():
        yield from _training_bar(name)
    else:
        yield from _training_lines(name)


class Pace:
    """Games a second since the first game was started, and the seconds left at that pace."""

    def __init__(self, progress: Progress) -> None:
        self._start, self._done = time.monotonic(), progress.done

    def rate(self, progress: Progress) -> float:
        """Games a second; 0 until the first has ended."""
        elapsed = time.monotonic() - self._start
        return (progress.done - self._done) / elapsed if elapsed > 0 else 0.0

    def left(self, progress: Progress) -> str:
        """The time left, as h:mm:ss or m:ss."""
        rate = self.rate(progress)
        if not rate:
            return "?"
        minutes, seconds = divmod(round((progress.total - progress.done) / rate), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class _Lines:
    """Progress as lines."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pace: Pace | None = None
        self.last = 0.0

    def __call__(self, progress: Progress) -> None:
        if progress.stage == COMPILING:
            if progress.found:
                print(f"{self.name}: {progress.found} of {progress.total} games are there already", file=sys.stderr)
            return
        if progress.stage == TRAINING:
            if time.monotonic() - self.last >= SECONDS_BETWEEN_LINES:
                self.last = time.monotonic()
                print(f"{self.name}: {progress.detail}", file=sys.stderr, flush=True)
            return
        if self.pace is None:
            self.pace, self.last = Pace(progress), time.monotonic()
            return
        if progress.done == progress.total or time.monotonic() - self.last >= SECONDS_BETWEEN_LINES:
            self.last = time.monotonic()
            print(
                f"{self.name}: {progress.done} of {progress.total} games, {self.pace.rate(progress):.3g} games/s, "
                f"{self.pace.left(progress)} left",
                file=sys.stderr,
                flush=True,
            )


def _bar(name: str) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games  {task.fields[speed]}"),
    )
    pace: Pace | None = None
    with RichProgress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(name, total=None, speed="starting")

        def show(progress: Progress) -> None:
            nonlocal pace
            if progress.stage == TRAINING:
                speed = progress.detail
            elif progress.stage == COMPILING:
                speed = "starting, and compiling what is not compiled yet"
            elif pace is None:
                pace, speed = Pace(progress), "the first game is on"
            else:
                speed = f"{pace.rate(progress):.3g} games/s, {pace.left(progress)} left"
            bar.update(task, completed=progress.done, total=progress.total, speed=speed)

        yield show


def _training_lines(name: str) -> Iterator[Callable[[TrainingProgress], None]]:
    last = -SECONDS_BETWEEN_LINES

    def show(progress: TrainingProgress) -> None:
        nonlocal last
        if progress.share == 1.0 or time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            print(f"{name}: {100 * progress.share:.0f} %, {progress.in_words()}", file=sys.stderr, flush=True)

    yield show


def _training_bar(name: str) -> Iterator[Callable[[TrainingProgress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[words]}"))
    with RichProgress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(name, total=1.0, words="starting, and compiling what is not compiled yet")

        def show(progress: TrainingProgress) -> None:
            bar.update(task, completed=progress.share, words=progress.in_words())

        yield show
