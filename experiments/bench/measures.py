"""The measures of `kontor bench`.

A measure takes the subjects (games under options) and the settings, and yields results as they come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from experiments.bench.aec import measure_aec
from experiments.bench.alphazero import measure_alphazero
from experiments.bench.moves import measure_kernel, measure_observe, measure_vector
from experiments.bench.ppo import measure_ppo
from experiments.bench.processes import measure_compile, measure_startup
from experiments.bench.reports import measure_report
from experiments.bench.result import Result, Settings, Subject
from experiments.bench.searches import measure_search
from experiments.bench.sensible import measure_replay
from experiments.bench.tournaments import measure_tournament
from experiments.bench.web import measure_web


@dataclass(frozen=True)
class Measure:
    """A measure: its name on the command line, what it measures, and how."""

    name: str
    summary: str
    run: Callable[[Sequence[Subject], Settings], Iterator[Result]]


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("kernel", "mask, uniform choice and apply in one compiled loop, one core", measure_kernel),
        Measure("replay", "mask and apply over games of the rule of thumb, recorded before, one core", measure_replay),
        Measure("observe", "observations of the seat to act, one core", measure_observe),
        Measure("vector", "VectorGame.step with masks and observations", measure_vector),
        Measure("aec", "random play of the AEC environment, Connect Four beside PettingZoo's own", measure_aec),
        Measure("startup", "a new process with a warm cache, to its first compiled call", measure_startup),
        Measure("search", "mcts with 10,000 random rollouts a move, one core", measure_search),
        Measure(
            "tournament",
            "mcts against itself with one worker and two; kontor run to its first game",
            measure_tournament,
        ),
        Measure("report", "the report of 100,000 stored games", measure_report),
        Measure("ppo", "training by self-play, Connect Four beside sb3-contrib's MaskablePPO", measure_ppo),
        Measure("alphazero", "leaves judged in self-play, beside the network alone and one game", measure_alphazero),
        Measure("web", "answers of the server while agents play at ten tables", measure_web),
        Measure("compile", "first compilation of a game's rules, in an empty cache", measure_compile),
    )
}
"""Every measure, in the order in which `kontor bench` runs them."""
