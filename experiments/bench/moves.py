"""How fast the compiled rules play and observe: one game after another in one loop, and thousands in lock-step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from time import perf_counter

import numpy as np

from envs.kernels import start
from envs.lanes import observe_lanes
from envs.position import Array
from envs.vector import VectorGame
from experiments.bench.kernels import choose_lanes, play_randomly
from experiments.bench.result import Result, Settings, Subject, enough, seconds_of

KERNEL_TARGETS = {
    "connect_four": 20e6,
    "leduc_poker": 10e6,
    "fuerstenfeld": 1.5e6,
    "travel_blog": 3e6,
    "pfeffersaecke": 1e6,
    "mesopotamia": 500e3,
}
OBSERVE_TARGETS = {"travel_blog": 1.5e6}
VECTOR_TARGETS = {"connect_four": (10e6, 18e6)}
VECTOR_SETTING = (4096, 2)
"""The games and threads that the batch's targets are meant for."""

OBSERVED_POSITIONS = 1024

WARM_UP_STEPS = 64
"""Steps before a batch is measured, so that its games stand at different moves."""


def measure_kernel(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Mask, uniform choice, apply, on one core, compiled as one loop; set-ups included."""
    for subject in subjects:
        template = subject.game.template(subject.options)
        states = template.copy()
        mask = np.empty(subject.game.num_actions(subject.options), np.bool_)
        start(states, 0, template, 0)
        play = partial(play_randomly, states, template, mask, 0)
        moves = enough(play, settings.seconds)
        values = tuple(moves / seconds_of(play, moves) for _ in range(settings.repeats))
        target = KERNEL_TARGETS.get(subject.game.name) if subject.has_defaults else None
        yield Result("kernel", subject.name, "moves/s", values, target)


def measure_observe(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """`observe` for the seat to act at positions of random play, on one core; every observation is kept."""
    for subject in subjects:
        games = VectorGame(subject.game, OBSERVED_POSITIONS, subject.options, threads=1)
        step_randomly(games, WARM_UP_STEPS)
        observe = partial(_observe, games.states, games.seats, games.observations)
        rounds = enough(observe, settings.seconds, start=1)
        observed = rounds * OBSERVED_POSITIONS
        values = tuple(observed / seconds_of(observe, rounds) for _ in range(settings.repeats))
        target = OBSERVE_TARGETS.get(subject.game.name) if subject.has_defaults else None
        yield Result("observe", subject.name, "observations/s", values, target)


def _observe(states: Array, seats: Array, observations: Array, rounds: int) -> None:
    for _ in range(rounds):
        observe_lanes(states, seats, observations)


def step_randomly(games: VectorGame, steps: int) -> None:
    """Play that many random moves in every lane."""
    actions = np.empty(games.num_games, np.int64)
    for step in range(steps):
        choose_lanes(games.masks, step, actions)
        games.step(actions)


def measure_vector(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """`VectorGame.step` with masks and observations; the actions are drawn at random between the steps, untimed."""
    for subject in subjects:
        games = VectorGame(subject.game, settings.games, subject.options, threads=settings.threads)
        values = steps_per_second(games, settings)
        target, aim = None, None
        if subject.has_defaults and (settings.games, settings.threads) == VECTOR_SETTING:
            target, aim = VECTOR_TARGETS.get(subject.game.name, (None, None))
        place = f"{subject.name}: {settings.games} games, {settings.threads} threads"
        yield Result("vector", place, "moves/s", values, target, aim)


def steps_per_second(games: VectorGame, settings: Settings) -> tuple[float, ...]:
    """Moves a second of `step`, as often as the settings say."""
    actions = np.empty(games.num_games, np.int64)
    drawn = 0

    def step(count: int) -> float:
        nonlocal drawn
        spent = 0.0
        for _ in range(count):
            choose_lanes(games.masks, drawn, actions)
            drawn += 1
            started = perf_counter()
            games.step(actions)
            spent += perf_counter() - started
        return spent

    step(WARM_UP_STEPS)
    steps = enough(step, settings.seconds, start=4)
    return tuple(steps * games.num_games / step(steps) for _ in range(settings.repeats))
