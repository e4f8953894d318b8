"""What all trainings have in common: updates, evaluations, checkpoints, and going on from them.

The folder of a training:

- `training.safetensors`: all that it goes on from, written every so many updates; a training that is killed in whatever
  way resumes from there and comes to the same weights, bit for bit.
- `latest.safetensors`, `best.safetensors`: agent files, of the last checkpoint and of the best one by evaluation.
- `snapshots/`: past selves, agent files named after their content.
- `status.json`: where it stands, for readers.
- `events.out.…`: TensorBoard's.

Whatever is random is keyed by the seed and a counter, so there is no generator whose state could be lost.
"""

from __future__ import annotations

import dataclasses
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Generic

import torch

from agents.agent import AgentError
from agents.learning.checkpoint import AnyNetwork, game_facts, write_agent
from agents.learning.config import CommonSettings
from agents.learning.evaluation import MatchResult
from agents.learning.files import SUFFIX, FileKind, read, training_file_kind, write
from agents.learning.judge import Judge
from agents.learning.players import Player
from agents.learning.pool import Pool, Snapshot
from agents.learning.weights import WeightsOptimiser
from envs.game import Game
from envs.options import Options
from envs.position import Array
from envs.record import write_atomically

TRAINING_FILE, LATEST, BEST = f"training{SUFFIX}", f"latest{SUFFIX}", f"best{SUFFIX}"
STATUS = "status.json"

EXPLODED = 1e6
"""A loss of this size has exploded: those of a training that goes well are below 10."""

NOT_IDENTITY = {"seconds", "threads", "checkpoint_every"}
"""Settings on which the weights do not depend, for as long as the training lasts."""


class TrainingError(AgentError):
    """A training that cannot go on; the message names training, update and step."""


@dataclass
class Counters:
    """How far a training is. `seconds` is its time, with evaluations and earlier sessions."""

    update: int = 0
    steps: int = 0
    games: int = 0
    drawings: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Progress:
    """What is told of a training after an update.

    `steps_per_second` is that of this session, without evaluations; `win_rates` are against the field, by
    the last evaluation; `share` of the training is done, by steps or by time.
    """

    counters: Counters
    total_steps: int
    steps_per_second: float
    win_rates: dict[str, float]
    share: float
    seconds_left: float | None

    def in_words(self) -> str:
        """Speed, win rates and time left on one line."""
        rates = "".join(f", {name} {100 * rate:.0f} %" for name, rate in self.win_rates.items())
        left = "" if self.seconds_left is None else f", {_clock(self.seconds_left)} left"
        return f"{self.steps_per_second / 1000:.3g} k steps/s{rates}{left}"


class BaseTrainer(ABC, Generic[AnyNetwork]):
    """Trains a network for a game under complete options, in a folder; goes on if there is a training in it already.

    `name` is what messages call it. A subclass says how an update goes, what it goes on from, and how its network
    plays; its constructor ends with `begin()`. Errors: `AgentError`, for settings that do not go with the game and for
    a folder that holds another training.
    """

    optimiser: WeightsOptimiser
    """The weights of `network` and how they change; set by the subclass."""

    not_identity: ClassVar[set[str]] = NOT_IDENTITY
    """Settings that may change while it lasts."""

    def __init__(
        self,
        game: Game,
        options: Options,
        settings: CommonSettings,
        folder: Path,
        name: str,
        network: AnyNetwork,
        pool: Pool[AnyNetwork],
    ) -> None:
        self.game, self.options, self.folder, self.name = game, options, folder, name
        self.common, self.network, self.pool = settings, network, pool
        self.network.initialise(settings.seed)
        self.judge = Judge(game, options, settings.evaluation, settings.seed, settings.threads)
        self.counters = Counters()
        self.evaluation: dict[str, Any] | None = None
        self.best: Snapshot | None = None
        self.best_evaluation: dict[str, Any] | None = None
        self._session_steps, self._session_seconds = 0, 0.0

    @abstractmethod
    def update(self) -> object:
        """Play, learn once from it, and count both. Errors: `TrainingError` where the loss is no sane number."""

    @abstractmethod
    def scalars(self) -> dict[str, float]:
        """What TensorBoard shows of the last update."""

    @abstractmethod
    def player(self, network: AnyNetwork) -> Player:
        """The learner, as it is evaluated."""

    @abstractmethod
    def past_player(self, network: AnyNetwork) -> Player:
        """A past self, as it is met in evaluations."""

    @abstractmethod
    def state(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """What it goes on from but for weights, optimiser, counters, pool and evaluations: arrays, and JSON-able facts.

        Arrays are named `part.array`.
        """

    @abstractmethod
    def restore(self, arrays: Mapping[str, Array], facts: Mapping[str, Any]) -> None:
        """Go on from what `state` gave. Errors: `KeyError`, `TypeError`, `ValueError` for what it did not give."""

    @property
    def kept(self) -> list[Snapshot]:
        """Snapshots whose files are needed although the pool may not have them any more."""
        return []

    @property
    def training_file(self) -> Path:
        return self.folder / TRAINING_FILE

    @property
    def is_done(self) -> bool:
        """Whether all steps are done, or the time is up."""
        seconds = self.common.seconds
        return self.counters.steps >= self.common.steps or (seconds is not None and self.counters.seconds >= seconds)

    @property
    def _is_evaluated(self) -> bool:
        """Whether the present network is the one that was last evaluated."""
        return self.evaluation is not None and self.evaluation["update"] == self.counters.update

    # -------------------------------------------------------------- training

    def run(
        self, report: Callable[[Progress], None] = lambda progress: None, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        """Train to the end, or until `stopped()`, and write a checkpoint then. Errors: `TrainingError`."""
        if self.is_done and self._is_evaluated:
            return
        from agents.learning.scalars import Scalars

        with one_torch_thread(), Scalars(self.folder, self.counters.steps) as scalars:
            report(self.progress())
            while not self.is_done and not stopped():
                started = perf_counter()
                self.timed_update()
                scalars.write(self.scalars(), self.counters.steps)
                if self.counters.update % self.common.evaluation.every == 0:
                    scalars.write(self.evaluate(), self.counters.steps)
                self.counters.seconds += perf_counter() - started
                if self.counters.update % self.common.checkpoint_every == 0:
                    self.save()
                report(self.progress())
            if self.is_done and not self._is_evaluated:
                scalars.write(self.evaluate(), self.counters.steps)
            self.save()

    def timed_update(self) -> None:
        """An update, counted in the speed that is told."""
        before, started = self.counters.steps, perf_counter()
        self.update()
        self._session_steps += self.counters.steps - before
        self._session_seconds += perf_counter() - started

    def check(self, losses: Mapping[str, float], others: Mapping[str, float], learning_rate: float) -> None:
        """Refuse to go on with losses or other values that are no sane numbers. Errors: `TrainingError`."""
        values = {**losses, **others, "sum of the weights": float(self.optimiser.weights.detach().sum())}
        bad = [name for name, value in values.items() if not math.isfinite(value)]
        bad += [name for name, value in losses.items() if abs(value) > EXPLODED]
        if bad:
            there = self.training_file.exists()
            kept = f"{self.training_file} holds the last good checkpoint" if there else "there is no checkpoint yet"
            raise TrainingError(
                f"training {self.name}: the {bad[0]} is {values[bad[0]]:.3g} in update {self.counters.update}, step "
                f"{self.counters.steps} (learner.learning_rate {learning_rate:g}): {kept}"
            )

    def take_snapshot(self) -> None:
        """Add the present network to the pool."""
        self.pool.add(self.network, self.counters.update, self._facts())

    # -------------------------------------------------------------- evaluation

    def evaluate(self) -> dict[str, float]:
        """Report on the present network, and see whether it is the best; gives what TensorBoard shows of it."""
        counters, own = self.counters, self.player(self.network)
        oldest = self.pool.snapshots[: self.common.evaluation.oldest_snapshots]
        past = {f"update_{snapshot.update}": self.past_player(self.pool.load(snapshot)) for snapshot in oldest}
        evaluation = self.judge.evaluate(own, counters.update, counters.steps, past)
        self.evaluation = evaluation.to_json()
        if self.best is None or self.judge.compare(own, self.player(self._best_network()), counters.update).better:
            self.best = self.pool.write(self.network, counters.update, self._facts())
            self.best_evaluation = self.evaluation
        shown = {f"win_rate/{name}": rate for name, rate in evaluation.win_rates.items()}
        return {**shown, "evaluation/best_update": self.best.update}

    def _best_network(self) -> AnyNetwork:
        if self.best is None:
            raise TrainingError(f"training {self.name}: nothing has been evaluated yet")
        return self.pool.load(self.best)

    def final_report(self) -> dict[str, MatchResult]:
        """The best network against the field, on deals that nothing was chosen by."""
        with one_torch_thread():
            return self.judge.final_report(self.player(self._best_network()))

    def progress(self) -> Progress:
        """How far it is."""
        rate = self._session_steps / self._session_seconds if self._session_seconds else 0.0
        counters, limit = self.counters, self.common.seconds
        matches = self.evaluation["matches"] if self.evaluation else {}
        rates = {name: matches[name]["win_rate"] for name in self.judge.field if name in matches}
        share = min(1.0, counters.steps / self.common.steps)
        left = counters.seconds * (1 / share - 1) if counters.steps else None
        if limit is not None:
            share = max(share, min(1.0, counters.seconds / limit))
            left = limit - counters.seconds if left is None else max(0.0, min(left, limit - counters.seconds))
        return Progress(dataclasses.replace(counters), self.common.steps, rate, rates, share, left)

    # -------------------------------------------------------------- checkpoints

    @property
    def _identity(self) -> dict[str, Any]:
        """All that the weights depend on, as JSON-able data."""
        settings = self.common.model_dump(mode="json", exclude=self.not_identity)
        return {**game_facts(self.game, self.options), "rules": self.game.rules_hash, "settings": settings}

    def _facts(self) -> dict[str, Any]:
        """What an agent file says of its network."""
        return {**self._identity, "update": self.counters.update, "steps": self.counters.steps}

    def save(self) -> None:
        """Write a checkpoint: first what it refers to, then itself, then the copies for players."""
        arrays, facts = self.state()
        facts = {
            **facts,
            "identity": self._identity,
            "counters": dataclasses.asdict(self.counters),
            "pool": self.pool.to_json(),
            "best": dataclasses.asdict(self.best) if self.best else None,
            "evaluation": self.evaluation,
            "best_evaluation": self.best_evaluation,
        }
        write(self.training_file, self._kind, {**arrays, **self.optimiser.state()}, facts)
        self._write_copies()
        self.pool.remove_others({snapshot.file_name for snapshot in [*self.kept, self.best] if snapshot})

    @property
    def _kind(self) -> FileKind:
        return training_file_kind(self.network.algorithm)

    def _write_copies(self) -> None:
        """The agent files and the status, from what the training file says: also after a kill in between."""
        write_agent(self.folder / LATEST, self.network, self._facts())
        if self.best:
            self.pool.copy(self.best, self.folder / BEST)
        status = {
            "training": self.name,
            "done": self.is_done,
            "share": self.progress().share,
            "counters": dataclasses.asdict(self.counters),
            "latest": self.evaluation,
            "best": self.best_evaluation,
        }
        write_atomically(self.folder / STATUS, json.dumps(status, indent=2) + "\n")

    def begin(self) -> bool:
        """Go on from the folder's training file, if there is one; gives whether there is. Errors: `AgentError`."""
        if not self.training_file.exists():
            return False
        arrays, facts = read(self.training_file, self._kind)
        if (difference := first_difference(facts["identity"], self._identity)) is not None:
            raise AgentError(
                f"{self.folder} holds a training under another config ({difference}): choose another folder, "
                "or remove it"
            )
        try:
            self.optimiser.restore(arrays)
            self.counters = Counters(**facts["counters"])
            self.pool.restore(facts["pool"])
            self.best = Snapshot(**facts["best"]) if facts["best"] else None
            self.evaluation, self.best_evaluation = facts.get("evaluation"), facts["best_evaluation"]
            self.restore(arrays, facts)
        except AgentError:  # of another file, which it names
            raise
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            message = f"{self.training_file}: is a damaged {self._kind.name}: {type(error).__name__}: {error}"
            raise AgentError(" ".join(message.split())) from error
        self._write_copies()
        return True


def part_of(arrays: Mapping[str, Array], name: str) -> dict[str, Array]:
    """The arrays named `name.…`, by the rest of their names."""
    return {key[len(name) + 1 :]: array for key, array in arrays.items() if key.startswith(f"{name}.")}


def _clock(seconds: float) -> str:
    """A time as h:mm:ss or m:ss."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Without torch's own threads: they wait for one another at every operation, and the learner has its own."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def first_difference(there: Any, here: Any, place: str = "") -> str | None:
    """The first value in which two JSON-able data differ, in words; None if they are equal."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in {**there, **here}:
            found = first_difference(there.get(key), here.get(key), f"{place}.{key}" if place else key)
            if found is not None:
                return found
        return None
    if there == here:
        return None
    return f"{place.removeprefix('settings.')} is {json.dumps(there)} there, {json.dumps(here)} here"
