"""A training from its first weights to its last: self-play, updates, snapshots, evaluations, checkpoints.

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch

from agents.agent import AgentError
from agents.ppo.checkpoint import game_facts, write_agent
from agents.ppo.config import TrainingSettings
from agents.ppo.crew import Crew
from agents.ppo.evaluation import MatchResult
from agents.ppo.files import SUFFIX, TRAINING, read, write
from agents.ppo.judge import Judge
from agents.ppo.learner import Learner, LearningStatistics
from agents.ppo.network import NetworkShape, PolicyNetwork
from agents.ppo.players import NetworkPlayer, Player, make_fixed
from agents.ppo.pool import Pool, Snapshot
from agents.ppo.rollout import Rollout
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

_OPTIMISER = ("step", "exp_avg", "exp_avg_sq")


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


class Trainer:
    """Trains a network for a game under complete options, in a folder; goes on if there is a training in it already.

    `name` is what messages call it. Errors: `AgentError`, for settings that do not go with the game and for a folder
    that holds another training.
    """

    def __init__(self, game: Game, options: Options, settings: TrainingSettings, folder: Path, name: str) -> None:
        self.game, self.options, self.settings, self.folder, self.name = game, options, settings, folder, name
        seed, threads, opponents = settings.seed, settings.threads, settings.opponents
        self.network = PolicyNetwork(NetworkShape.of(settings.network, game, options))
        self.network.initialise(seed)
        crew = Crew(threads)
        self.learner = Learner(self.network, settings.learner, seed, crew)
        self.judge = Judge(game, options, settings.evaluation, seed, threads)
        self.pool = Pool(folder / "snapshots", opponents.pool_size, opponents.priority, seed)
        past = opponents.past_groups if opponents.past_share else 0
        shares = [opponents.past_share / max(1, past)] * past + [fixed.share for fixed in opponents.fixed]
        scale = self.network.shape.value_scale
        self.rollout = Rollout(game, options, settings.rollout, shares, seed, scale, crew, threads)
        self.counters = Counters()
        self.statistics: LearningStatistics | None = None
        self.evaluation: dict[str, Any] | None = None
        self.best: Snapshot | None = None
        self.best_evaluation: dict[str, Any] | None = None
        self._session_steps, self._session_seconds = 0, 0.0

        self.met: list[Snapshot] = []
        """The past self that each group meets; the fixed opponents' groups come after these."""
        if self.training_file.exists():
            self._restore()
        else:
            self._take_snapshot()
            self.met = [self._draw() for _ in range(past)]
        self.opponents: list[Player] = [self._past_self(snapshot) for snapshot in self.met]
        self.opponents += make_fixed(opponents, game, options)

    @property
    def training_file(self) -> Path:
        return self.folder / TRAINING_FILE

    @property
    def is_done(self) -> bool:
        """Whether all steps are done, or the time is up."""
        seconds = self.settings.seconds
        return self.counters.steps >= self.settings.steps or (seconds is not None and self.counters.seconds >= seconds)

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
        from agents.ppo.scalars import Scalars

        with one_torch_thread(), Scalars(self.folder, self.counters.steps) as scalars:
            report(self.progress())
            while not self.is_done and not stopped():
                started = perf_counter()
                self.update()
                scalars.write(self.scalars(), self.counters.steps)
                if self.counters.update % self.settings.evaluation.every == 0:
                    scalars.write(self.evaluate(), self.counters.steps)
                self.counters.seconds += perf_counter() - started
                if self.counters.update % self.settings.checkpoint_every == 0:
                    self.save()
                report(self.progress())
            if self.is_done and not self._is_evaluated:
                scalars.write(self.evaluate(), self.counters.steps)
            self.save()

    def update(self) -> LearningStatistics:
        """One rollout and one update of the weights. Errors: `TrainingError` where the loss is no sane number."""
        started = perf_counter()
        counters, rollout, settings = self.counters, self.rollout, self.settings
        rollout.collect(self.network, self.opponents)
        progress = counters.steps / settings.steps
        counters.update += 1
        counters.steps += settings.rollout.steps * settings.rollout.games
        counters.games += int(rollout.tally[0])
        with np.errstate(over="ignore", invalid="ignore"):  # an explosion is reported by the check that follows
            self.statistics = self.learner.update(rollout, counters.update, progress)
        self._check(self.statistics)
        rollout.carry_over()
        self._change_opponents()
        if counters.update % settings.opponents.snapshot_every == 0:
            self._take_snapshot()
        self._session_steps += settings.rollout.steps * settings.rollout.games
        self._session_seconds += perf_counter() - started
        return self.statistics

    def _check(self, statistics: LearningStatistics) -> None:
        losses = {"policy loss": statistics.policy_loss, "value loss": statistics.value_loss}
        values = losses | {
            "entropy": statistics.entropy,
            "KL divergence": statistics.kl,
            "gradient's norm": statistics.gradient_norm,
            "sum of the weights": float(self.learner.weights.detach().sum()),
        }
        bad = [name for name, value in values.items() if not math.isfinite(value)]
        bad += [name for name, value in losses.items() if abs(value) > EXPLODED]
        if bad:
            there = self.training_file.exists()
            kept = f"{self.training_file} holds the last good checkpoint" if there else "there is no checkpoint yet"
            raise TrainingError(
                f"training {self.name}: the {bad[0]} is {values[bad[0]]:.3g} in update {self.counters.update}, step "
                f"{self.counters.steps} (learner.learning_rate {self.settings.learner.learning_rate:g}): {kept}"
            )

    # -------------------------------------------------------------- opponents

    def _take_snapshot(self) -> None:
        self.pool.add(self.network, self.counters.update, self._facts())

    def _draw(self) -> Snapshot:
        self.counters.drawings += 1
        return self.pool.draw(self.counters.drawings)

    def _past_self(self, snapshot: Snapshot) -> NetworkPlayer:
        return NetworkPlayer(self.pool.load(snapshot), 1.0)

    def _change_opponents(self) -> None:
        """Where a past self was met in as many games as there are lanes, take in how they went and draw another."""
        for group, snapshot in enumerate(self.met):
            games, share = self.rollout.scores[group]
            part = self.rollout.groups[group]
            if games >= part.stop - part.start:
                self.pool.record(snapshot, games, share)
                self.met[group] = self._draw()
                self.opponents[group] = self._past_self(self.met[group])
                self.rollout.change_opponent(group)

    # -------------------------------------------------------------- evaluation

    def evaluate(self) -> dict[str, float]:
        """Report on the present network, and see whether it is the best; gives what TensorBoard shows of it."""
        counters = self.counters
        oldest = self.pool.snapshots[: self.settings.evaluation.oldest_snapshots]
        past = {f"update_{snapshot.update}": self.pool.load(snapshot) for snapshot in oldest}
        evaluation = self.judge.evaluate(self.network, counters.update, counters.steps, past)
        self.evaluation = evaluation.to_json()
        if self.best is None or self.judge.compare(self.network, self._best_network(), counters.update).better:
            self.best = self.pool.write(self.network, counters.update, self._facts())
            self.best_evaluation = self.evaluation
        shown = {f"win_rate/{name}": rate for name, rate in evaluation.win_rates.items()}
        return {**shown, "evaluation/best_update": self.best.update}

    def _best_network(self) -> PolicyNetwork:
        if self.best is None:
            raise TrainingError(f"training {self.name}: nothing has been evaluated yet")
        return self.pool.load(self.best)

    def final_report(self) -> dict[str, MatchResult]:
        """The best network against the field, on deals that nothing was chosen by."""
        with one_torch_thread():
            return self.judge.final_report(self._best_network())

    # -------------------------------------------------------------- what is told

    def progress(self) -> Progress:
        """How far it is."""
        rate = self._session_steps / self._session_seconds if self._session_seconds else 0.0
        counters, limit = self.counters, self.settings.seconds
        matches = self.evaluation["matches"] if self.evaluation else {}
        rates = {name: matches[name]["win_rate"] for name in self.judge.field if name in matches}
        share = min(1.0, counters.steps / self.settings.steps)
        left = counters.seconds * (1 / share - 1) if counters.steps else None
        if limit is not None:
            share = max(share, min(1.0, counters.seconds / limit))
            left = limit - counters.seconds if left is None else max(0.0, min(left, limit - counters.seconds))
        return Progress(dataclasses.replace(counters), self.settings.steps, rate, rates, share, left)

    def scalars(self) -> dict[str, float]:
        """What TensorBoard shows of the last update."""
        assert self.statistics is not None
        statistics, rollout = self.statistics, self.rollout
        shown = {
            "loss/policy": statistics.policy_loss,
            "loss/value": statistics.value_loss,
            "policy/entropy": statistics.entropy,
            "policy/kl": statistics.kl,
            "policy/clip_fraction": statistics.clip_fraction,
            "policy/gradient_norm": statistics.gradient_norm,
            "policy/learning_rate": statistics.learning_rate,
            "policy/epochs": statistics.epochs,
            "value/explained_variance": statistics.explained_variance,
            "speed/steps_per_second": self.progress().steps_per_second,
        }
        games, truncated, decisions = rollout.tally
        if games:
            shown |= {"games/length": decisions / games, "games/truncated": truncated / games}
        if rollout.own_games:
            shown |= {f"returns/seat_{seat}": total / rollout.own_games for seat, total in enumerate(rollout.returns)}
        hardest = min((snapshot.win_rate for snapshot in self.pool.snapshots), default=0.5)
        return shown | {"pool/least_win_rate": hardest, "pool/snapshots": len(self.pool.snapshots)}

    # -------------------------------------------------------------- checkpoints

    @property
    def _identity(self) -> dict[str, Any]:
        """All that the weights depend on, as JSON-able data."""
        settings = self.settings.model_dump(mode="json", exclude=NOT_IDENTITY)
        return {**game_facts(self.game, self.options), "rules": self.game.rules_hash, "settings": settings}

    def _facts(self) -> dict[str, Any]:
        """What an agent file says of its network."""
        return {**self._identity, "update": self.counters.update, "steps": self.counters.steps}

    def save(self) -> None:
        """Write a checkpoint: first what it refers to, then itself, then the copies for players."""
        optimiser = self.learner.optimiser.state[self.learner.weights]
        arrays = {f"rollout.{name}": array for name, array in self.rollout.state().items()}
        arrays |= {f"optimiser.{name}": optimiser[name].numpy() for name in _OPTIMISER if optimiser}
        arrays["weights"] = self.learner.weights.detach().numpy()
        facts = {
            "identity": self._identity,
            "counters": dataclasses.asdict(self.counters),
            "pool": self.pool.to_json(),
            "met": [dataclasses.asdict(snapshot) for snapshot in self.met],
            "best": dataclasses.asdict(self.best) if self.best else None,
            "evaluation": self.evaluation,
            "best_evaluation": self.best_evaluation,
        }
        write(self.training_file, TRAINING, arrays, facts)
        self._write_copies()
        self.pool.remove_others({snapshot.file_name for snapshot in [*self.met, self.best] if snapshot})

    def _write_copies(self) -> None:
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

    def _restore(self) -> None:
        arrays, facts = read(self.training_file, TRAINING)
        if (difference := first_difference(facts["identity"], self._identity)) is not None:
            raise AgentError(
                f"{self.folder} holds a training under another config ({difference}): choose another folder, "
                "or remove it"
            )
        try:
            self._take_over(arrays, facts)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            message = f"{self.training_file}: is a damaged {TRAINING}: {type(error).__name__}: {error}"
            raise AgentError(" ".join(message.split())) from error
        self._write_copies()

    def _take_over(self, arrays: dict[str, Array], facts: dict[str, Any]) -> None:
        """All that a training file holds."""
        with torch.no_grad():
            self.learner.weights.copy_(torch.from_numpy(arrays["weights"]))
        if "optimiser.step" in arrays:
            state = {name: torch.from_numpy(arrays[f"optimiser.{name}"]) for name in _OPTIMISER}
            self.learner.optimiser.state[self.learner.weights] = state
        self.rollout.restore({name[len("rollout.") :]: arrays[name] for name in arrays if name.startswith("rollout.")})
        self.counters = Counters(**facts["counters"])
        self.pool.restore(facts["pool"])
        self.met = [self.pool.find(entry["hash"]) or Snapshot(**entry) for entry in facts["met"]]
        self.best = Snapshot(**facts["best"]) if facts["best"] else None
        self.evaluation, self.best_evaluation = facts.get("evaluation"), facts["best_evaluation"]


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
