"""AlphaZero: how many leaves self-play has judged, beside the network alone and beside one game at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from experiments.bench.result import Result, Settings, Subject

if TYPE_CHECKING:
    from agents.alphazero.network import Evaluator
    from agents.learning.crew import Crew

OF_THE_NETWORK, TIMES_ONE_GAME = 0.6, 4.0
"""What self-play's rate is to be over the network's alone, in batches of the same size, and over one game's."""

NETWORKS = {"connect_four": {"width": 256, "depth": 3}, "fuerstenfeld": {"width": 256}}
"""Those of the shipped trainings. Of several games only these are measured, another one has the default."""

MOST_VALUES = 5
"""They take seconds each."""

ROUNDS = 8
"""Rounds of self-play, or batches, between two looks at the clock."""


def measure_alphazero(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Leaf evaluations a second in self-play by default settings, in turn with the network alone and with one game.

    The network is asked by the same threads for batches of the same size; one game is played by one thread.
    """
    from agents.learning.crew import Crew
    from agents.learning.trainer import one_torch_thread

    for subject in subjects:
        if len(subjects) > 1 and subject.game.name not in NETWORKS:
            continue
        with one_torch_thread():
            yield from _rates(subject, settings, Crew(settings.threads))


def _rates(subject: Subject, settings: Settings, crew: Crew) -> Iterator[Result]:
    from agents.alphazero.config import SearchNetworkSettings
    from agents.alphazero.network import Evaluator, SearchNetwork, device_of, network_shape
    from agents.alphazero.settings import SelfPlaySettings

    sizes = SearchNetworkSettings.model_validate(NETWORKS.get(subject.game.name, {}))
    shape = network_shape(sizes, subject.game, subject.options)
    network = SearchNetwork(shape)
    network.initialise(0)
    evaluate = Evaluator(network, device_of("cpu"))
    usual = SelfPlaySettings(groups=settings.threads)
    many = _self_play(subject, usual, evaluate, shape.value_scale, crew)
    alone = _network_alone(subject, usual, evaluate, crew)
    single = usual.model_copy(update={"games": 1, "groups": 1})
    one = _self_play(subject, single, evaluate, shape.value_scale, crew)
    rates = [[_rate(work, settings) for work in (many, alone, one)] for _ in range(min(settings.repeats, MOST_VALUES))]
    ours, network_alone, one_game = (tuple(values) for values in zip(*rates, strict=True))
    name, batch = subject.name, usual.games // usual.groups
    yield Result("alphazero", f"{name}: self-play, {usual.games} games", "evaluations/s", ours)
    yield Result("alphazero", f"{name}: the network alone, batches of {batch}", "evaluations/s", network_alone)
    yield Result("alphazero", f"{name}: self-play, one game at a time", "evaluations/s", one_game)
    for others, words, target in (
        (network_alone, "the network alone", OF_THE_NETWORK),
        (one_game, "one game at a time", TIMES_ONE_GAME),
    ):
        ratios = tuple(a / b for a, b in zip(ours, others, strict=True))
        yield Result("alphazero", f"{name}: self-play over {words}, in turn", "times", ratios, target)


def _self_play(subject, settings, evaluate, value_scale, crew):  # type: ignore[no-untyped-def]
    """Rounds of self-play as a function that gives how many leaves were judged."""
    from agents.alphazero.selfplay import SelfPlay
    from agents.alphazero.settings import SearchSettings

    games = SelfPlay(subject.game, subject.options, SearchSettings(), settings, value_scale, 0)

    def work() -> int:
        before = games.counters.evaluations
        games.play(evaluate, ROUNDS, crew)
        return games.counters.evaluations - before

    return work


def _network_alone(subject, settings, evaluate: Evaluator, crew: Crew) -> Callable[[], int]:  # type: ignore[no-untyped-def]
    """The same batches as those of self-play, with nothing else to do, as a function that gives how many rows."""
    size, actions = subject.game.observation_size(subject.options), subject.game.num_actions(subject.options)
    rows = settings.games // settings.groups
    rng = np.random.default_rng(0)
    seen = [(rng.random((rows, size)) < 0.2).astype(np.float32) for _ in range(settings.groups)]
    masks = np.ones((rows, actions), np.bool_)

    def ask(observations: np.ndarray) -> None:
        for _ in range(ROUNDS):
            evaluate(observations, masks)

    def work() -> int:
        crew.share(ask, seen)
        return ROUNDS * rows * settings.groups

    return work


def _rate(work: Callable[[], int], settings: Settings) -> float:
    """Of what `work` counts, how much is done in a second; everything is compiled before."""
    for _ in range(4):
        work()
    done, started = 0, perf_counter()
    while (spent := perf_counter() - started) < 4 * settings.seconds:
        done += work()
    return done / spent
