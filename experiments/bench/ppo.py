"""Learning: decisions a second of a training, and Connect Four beside the usual MaskablePPO.

Ours is measured twice: with the very same network, sizes and epochs, and as it is by default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from agents.learning.config import EvaluationSettings, NetworkSettings
from agents.ppo.config import LearnerSettings, OpponentSettings, RolloutSettings, TrainingSettings
from experiments.bench.result import Result, Settings, Subject, seconds_of

if TYPE_CHECKING:
    from agents.learning.players import Player
    from agents.ppo.trainer import Trainer
    from experiments.bench.maskable_ppo import Yardstick

TIMES_ALIKE, TIMES_DEFAULT, TIMES_SOONER = 4.0, 15.0, 10.0
"""What ours is to be over MaskablePPO: with the same settings, by default, and in the time to beat random play."""

TARGETS = {"fuerstenfeld": 10_000.0}
"""Decisions a second with the default settings, on two cores."""

GOAL, GOAL_DEALS, GIVE_UP, PATIENCE = 0.95, 300, 300.0, 4
"""The win share against random play that the time is taken to, playing greedily; over how many deals, from both
seats each; the seconds of training after which it is given up. MaskablePPO gets `PATIENCE` times the time at which
it misses its target."""

WIDTH, DEPTH, GAMES, STEPS, EPOCHS, MINIBATCH = 64, 2, 8, 128, 10, 256
"""The settings that both share."""

MOST_VALUES = 5
"""They take seconds each."""

ENDLESS = 1 << 50

ALIKE = TrainingSettings(
    steps=ENDLESS,
    network=NetworkSettings(kind="tanh", width=WIDTH, depth=DEPTH),
    rollout=RolloutSettings(games=GAMES, steps=STEPS, opening=0, discount=0.99, gae_lambda=0.95),
    learner=LearnerSettings(
        learning_rate=3e-4,
        final_learning_rate=3e-4,
        epochs=EPOCHS,
        minibatch=MINIBATCH,
        clip=0.2,
        entropy=0.0,
        normalise="minibatch",
    ),
    opponents=OpponentSettings(past_share=0.0),
)
"""MaskablePPO's own defaults, and the sizes above."""

FIELD = EvaluationSettings(field={"random": {"type": "random"}})


def measure_ppo(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Decisions a second of a training, rollouts and updates together; for Connect Four also MaskablePPO's, in turn.

    Of several games only those with a target are measured.
    """
    from agents.learning.trainer import one_torch_thread

    for subject in subjects:
        name = subject.game.name
        if len(subjects) > 1 and name not in ("connect_four", *TARGETS):
            continue
        with one_torch_thread(), TemporaryDirectory(prefix="kontor-bench-") as folder:
            if name == "connect_four":
                yield from _beside_maskable_ppo(subject, settings, Path(folder))
                continue
            training = TrainingSettings(steps=ENDLESS, threads=settings.threads, evaluation=FIELD)
            trainer = _trainer(subject, training, Path(folder))
            values = tuple(_speed(_updating(trainer), settings) for _ in range(min(settings.repeats, MOST_VALUES)))
            target = TARGETS.get(name) if subject.has_defaults and settings.threads == Settings.threads else None
            yield Result("ppo", f"{subject.name}: default settings", "decisions/s", values, target)


def _beside_maskable_ppo(subject: Subject, settings: Settings, folder: Path) -> Iterator[Result]:
    from agents.learning.players import NetworkPlayer

    usual = TrainingSettings(threads=settings.threads, evaluation=FIELD)
    same = ALIKE.model_copy(update={"threads": settings.threads, "evaluation": FIELD})
    theirs = _yardstick()
    updates = [
        theirs.update,
        _updating(_trainer(subject, same, folder / "same")),
        _updating(_trainer(subject, usual, folder / "usual")),
    ]
    speeds = [[_speed(update, settings) for update in updates] for _ in range(min(settings.repeats, MOST_VALUES))]
    reference, alike, default = (tuple(values) for values in zip(*speeds, strict=True))
    yield Result("ppo", "MaskablePPO on PettingZoo's connect_four_v3", "decisions/s", reference)
    yield Result("ppo", f"{subject.name}: the same settings", "decisions/s", alike)
    yield Result("ppo", f"{subject.name}: default settings", "decisions/s", default)
    for values, what, target in ((alike, "the same", TIMES_ALIKE), (default, "default", TIMES_DEFAULT)):
        ratios = tuple(a / b for a, b in zip(values, reference, strict=True))
        yield Result("ppo", f"{what} settings over MaskablePPO, in turn", "times", ratios, target)

    trainer, theirs = _trainer(subject, usual, folder / "goal"), _yardstick()
    own, reached = _seconds_to_goal(subject, _updating(trainer), NetworkPlayer(trainer.network, 0.0), GIVE_UP)
    goal = f"to {100 * GOAL:.0f} % against random play"
    yield Result("ppo", f"default settings, {goal}{'' if reached else ': given up'}", "seconds", (own,))
    if not reached:
        return
    limit = PATIENCE * TIMES_SOONER * own
    other, reached = _seconds_to_goal(subject, theirs.update, theirs, limit)
    yield Result("ppo", f"MaskablePPO, {goal}{'' if reached else ': given up'}", "seconds", (other,))
    yield Result("ppo", f"{goal}, sooner{'' if reached else ', at least'}", "times", (other / own,), TIMES_SOONER)


def _yardstick() -> Yardstick:
    from experiments.bench.maskable_ppo import Yardstick

    return Yardstick([WIDTH] * DEPTH, GAMES, STEPS, EPOCHS, MINIBATCH)


def _trainer(subject: Subject, settings: TrainingSettings, folder: Path) -> Trainer:
    from agents.ppo.trainer import Trainer

    return Trainer(subject.game, subject.options, settings, folder, "bench")


def _updating(trainer: Trainer) -> Callable[[], int]:
    """The training's update as a function that gives the decisions played; what it needs is compiled."""

    def update() -> int:
        before = trainer.counters.steps
        trainer.update()
        return trainer.counters.steps - before

    return update


def _speed(update: Callable[[], int], settings: Settings) -> float:
    """Decisions a second over so many updates as take some seconds."""
    update()
    played, started = 0, perf_counter()
    while (spent := perf_counter() - started) < 8 * settings.seconds:
        played += update()
    return played / spent


def _seconds_to_goal(subject: Subject, update: Callable[[], int], player: Player, limit: float) -> tuple[float, bool]:
    """How long is trained, matches apart, until the goal is reached, and whether it is before `limit` seconds."""
    from agents.learning.evaluation import play_match
    from agents.learning.players import RandomPlayer

    spent = 0.0
    deals = list(range(GOAL_DEALS))
    while spent < limit:
        spent += seconds_of(update)
        if play_match(subject.game, subject.options, player, RandomPlayer(), deals).win_rate >= GOAL:
            return spent, True
    return spent, False
