"""How fast the tree search is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agents.mcts import simulations_per_second
from experiments.bench.result import Result, Settings, Subject

ITERATIONS = 10_000
TARGETS = {"connect_four": 500e3}


def measure_search(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Simulations a second of `mcts` from the first position, random rollouts to the end, on one core.

    Of several games only Connect Four is measured: random rollouts of the large games take seconds a search.
    """
    for subject in subjects:
        if len(subjects) > 1 and subject.game.name != "connect_four":
            continue
        name, options = subject.game.name, subject.options
        values = tuple(
            simulations_per_second(name, options, ITERATIONS, repeats=1) for _ in range(min(settings.repeats, 9))
        )
        target = TARGETS.get(name) if subject.has_defaults else None
        yield Result("search", f"{subject.name}: {ITERATIONS} simulations", "simulations/s", values, target)
