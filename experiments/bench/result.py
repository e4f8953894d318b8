"""What a measurement yields, and how it is timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter
from typing import Any

from envs.game import Game
from envs.options import Options


@dataclass(frozen=True)
class Settings:
    """How long and how often to measure: `repeats` values, each over about `seconds`."""

    seconds: float = 0.25
    repeats: int = 9
    games: int = 4096
    threads: int = 2


@dataclass(frozen=True)
class Subject:
    """A game under complete options."""

    game: Game
    options: Options

    @property
    def name(self) -> str:
        return f"{self.game.name}, {self.options['num_players']} players"

    @property
    def has_defaults(self) -> bool:
        """Whether the options are the game's defaults, which targets are set for."""
        return self.options == self.game.validate({})


@dataclass(frozen=True)
class Result:
    """Some values of one quantity, all measured; `target` is the least median that is good enough, `aim` a wish.

    With `lower_is_better` (seconds) they are the most it may be.
    """

    measure: str
    subject: str
    unit: str
    values: tuple[float, ...]
    target: float | None = None
    aim: float | None = None
    lower_is_better: bool = False

    @property
    def median(self) -> float:
        return median(self.values)

    @property
    def is_met(self) -> bool | None:
        """Whether the median reaches the target; None without a target."""
        if self.target is None:
            return None
        return self.median <= self.target if self.lower_is_better else self.median >= self.target

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "n": len(self.values), "median": self.median, "is_met": self.is_met}


def seconds_of(work: Callable[..., object], *arguments: object) -> float:
    """How long `work(*arguments)` takes."""
    started = perf_counter()
    work(*arguments)
    return perf_counter() - started


def enough(work: Callable[[int], object], seconds: float, start: int = 256) -> int:
    """The number n for which `work(n)` takes about `seconds`; `work` is warmed up on the way."""
    work(1)
    n = start
    while (spent := seconds_of(work, n)) < seconds / 4:
        n *= 4
    return max(1, round(n * seconds / spent))
