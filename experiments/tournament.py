"""Running an experiment: play what its plan has and its store has not."""

from __future__ import annotations

import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from types import FrameType

from agents.registry import AgentConfig
from experiments.config import Experiment
from experiments.match import warm_up
from experiments.plan import PlannedGame, PlayedGame, num_rounds, plan, planned_counts
from experiments.provenance import usable_cores
from experiments.statistics import win_shares
from experiments.store import SeatRow, Store
from experiments.workers import Executor, InProcess, Workers

TRAINING, COMPILING, PLAYING = "training", "compiling", "playing"


@dataclass(frozen=True)
class Progress:
    """How far a run is: `found` games were in the store already, `done` of `total` are now.

    While agents are trained, `detail` says which one and how far that is.
    """

    stage: str
    found: int
    done: int
    total: int
    detail: str = ""


@dataclass(frozen=True)
class Outcome:
    """How a run ended: `done` of `total` games are stored in the file `store`."""

    store: Path
    done: int
    total: int
    interrupted: bool


def run(
    experiment: Experiment,
    report: Callable[[Progress], None] = lambda progress: None,
    until: Callable[[Store], bool] | None = None,
) -> Outcome:
    """Play an experiment to its end, or until Ctrl-C; what is stored already is not played again.

    Agents that need training are trained first, in the folder `agents` of the run; so is that not done again.

    `report` is called whenever games have been stored; so is `until`, which may end the run early.
    Errors: `StoreError`, `MatchError`; the games finished until then are stored.
    """
    counts = planned_counts(experiment)
    total = sum(counts)
    with stop_on_interrupt() as stopped, Store.for_run(experiment, counts) as store:
        done = found = len(store.finished())
        enough = until or (lambda store: False)
        if found == total or enough(store):
            return Outcome(store.path, done, total, False)
        ready = trained(experiment, lambda detail: report(Progress(TRAINING, found, done, total, detail)), stopped)
        if stopped():
            return Outcome(store.path, done, total, True)
        report(Progress(COMPILING, found, done, total))
        store.note_checkpoints({name: checkpoint_hash(config) for name, config in ready.agents.items()})
        session = store.begin_session(shlex.join(["kontor", *sys.argv[1:]]), experiment.workers, experiment.executor)
        is_decided = False
        with executor(ready, total - found) as players:
            warm_up(ready)
            report(Progress(PLAYING, found, done, total))
            for number in range(num_rounds(experiment)):
                for results in players.play(games_left(experiment, store, number), stopped):
                    store.add(session, results, experiment.records)
                    done += len(results)
                    report(Progress(PLAYING, found, done, total))
                    if is_decided := enough(store):
                        break
                if is_decided or stopped():
                    break
        store.end_session(session)
        return Outcome(store.path, done, total, done < total and not is_decided)


def games_left(experiment: Experiment, store: Store, number: int) -> list[PlannedGame]:
    """The games of a round that are not stored yet; all earlier rounds are."""
    finished = store.finished()
    played = played_games(store.seats()) if number else []
    return [game for game in plan(experiment, number, played) if game.id not in finished]


def played_games(seats: Sequence[SeatRow]) -> list[PlayedGame]:
    """The stored games with the shares of the win at each table."""
    games = []
    for _, group in groupby(seats, key=lambda seat: seat.game):
        table = list(group)
        shares = tuple(win_shares([seat.place for seat in table]))
        games.append(PlayedGame(table[0].setting, table[0].deal, tuple(seat.agent for seat in table), shares))
    return games


def trained(experiment: Experiment, tell: Callable[[str], None], stopped: Callable[[], bool]) -> Experiment:
    """The experiment with all agents ready to play; `tell` gets told how trainings go, until `stopped()`."""
    tables = [(setting.label, setting.game, setting.options) for setting in experiment.settings]
    agents = dict(experiment.agents)
    for name, config in experiment.agents.items():
        if config.needs_training and not stopped():
            report = partial(_tell, tell, name)
            agents[name] = config.trained(tables, experiment.output / "agents" / name, report, stopped)
    return replace(experiment, agents=agents)


def checkpoint_hash(config: AgentConfig) -> str | None:
    """The content hash of the checkpoint that an agent plays with, if it has one."""
    named = type(config).model_validate(config.model_dump())
    return getattr(named, "weights", None)


def _tell(tell: Callable[[str], None], name: str, words: str, share: float) -> None:
    tell(f"training {name}, {100 * share:.0f} %: {words}")


def executor(experiment: Experiment, games: int) -> Executor:
    """What plays the games: worker processes, with `workers: 0` this process itself, or Ray's actors."""
    if experiment.executor == "ray":
        from experiments.ray_workers import RayWorkers

        return RayWorkers(experiment, min(experiment.workers, games))
    if experiment.workers == 0:
        return InProcess(experiment)
    count = min(experiment.workers, games)
    if any(config.is_timed for config in experiment.agents.values()):
        count = min(count, usable_cores())  # agents that think by the clock must not take one another's time
    return Workers(experiment, count)


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Gives a function that tells whether Ctrl-C was pressed since; pressed once more it interrupts at once."""
    pressed = False

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
