"""How fast the tree search is, beside OpenSpiel's too, and how well it keeps to its time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agents.mcts.speed import overshoots, simulations_per_second
from experiments.bench.open_spiel import open_spiel_search
from experiments.bench.result import Result, Settings, Subject

ITERATIONS, LONG = 10_000, 100_000
TARGETS = {"connect_four": (1.06e6, 1.6e6)}
TIMES_OPEN_SPIEL, AIM = 8.0, 12.0
TIMES_ONE_THREAD = 1.8

MOST_VALUES = 9

MID_GAME, TWO_ROUNDS = 250, 25
"""Random moves of Fürstenfeld into the middle of a game, and those of two of its rounds."""

ROLLOUTS: tuple[tuple[str, dict[str, Any], float], ...] = (
    ("full random rollouts", {}, 1.5e3),
    ("cut after two rounds", {"depth": TWO_ROUNDS}, 20e3),
)

SECONDS, SLACK, SHARE = 0.03, 0.003, 0.05
"""Time a move at which the promise is put to the test, and what it may take longer: so much, or this share."""

TIMED_MOVES = 20


def measure_search(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Simulations a second of `mcts` with random rollouts, on one core and on two; how far it oversteps its time.

    Of several games only Connect Four is measured from the first position, beside OpenSpiel's search in turn if that is
    installed, and Fürstenfeld in the middle of a game: random games of the others take seconds a search.
    """
    repeats = min(settings.repeats, MOST_VALUES)
    for subject in subjects:
        name = subject.game.name
        if name == "fuerstenfeld":
            yield from _rollouts(subject, repeats)
        if len(subjects) == 1 or name == "connect_four":
            yield from _speed(subject, repeats)
    for subject in subjects:
        over = overshoots(subject.game.name, subject.options, SECONDS, TIMED_MOVES)
        worst = max(over) / max(SLACK, SHARE * SECONDS)
        place = f"{subject.name}: longest of {TIMED_MOVES} moves at {SECONDS} s"
        yield Result("search", place, "of the slack", (worst,), 1.0, lower_is_better=True)


def _speed(subject: Subject, repeats: int) -> Iterator[Result]:
    """From the first position: one thread and two in turn, and OpenSpiel."""
    name, options = subject.game.name, subject.options
    theirs = open_spiel_search(ITERATIONS) if name == "connect_four" else None
    short, one, two, other = [], [], [], []
    for _ in range(repeats):
        short.append(simulations_per_second(name, options, ITERATIONS, repeats=3))
        if theirs is not None:
            other.append(theirs())
        one.append(simulations_per_second(name, options, LONG, repeats=1))
        two.append(simulations_per_second(name, options, LONG, repeats=1, threads=2))
    target, aim = TARGETS.get(name, (None, None)) if subject.has_defaults else (None, None)
    yield Result("search", f"{subject.name}: {ITERATIONS} simulations", "simulations/s", tuple(short), target, aim)
    if other:
        ratios = tuple(a / b for a, b in zip(short, other, strict=True))
        yield Result("search", "OpenSpiel's MCTSBot, random rollouts", "simulations/s", tuple(other))
        yield Result("search", "ours over OpenSpiel's, in turn", "times", ratios, TIMES_OPEN_SPIEL, AIM)
    ratios = tuple(b / a for a, b in zip(one, two, strict=True))
    target = TIMES_ONE_THREAD if subject.has_defaults and name == "connect_four" else None
    yield Result("search", f"{subject.name}: two threads over one, {LONG} simulations", "times", ratios, target)


def _rollouts(subject: Subject, repeats: int) -> Iterator[Result]:
    for words, settings, target in ROLLOUTS:
        iterations = 100 if not settings else 2000
        values = tuple(
            simulations_per_second(
                subject.game.name, subject.options, iterations, repeats=1, moves=MID_GAME, **settings
            )
            for _ in range(repeats)
        )
        place = f"{subject.name}: {words}, mid-game"
        yield Result("search", place, "simulations/s", values, target if subject.has_defaults else None)
