"""A training by PPO: rollouts against oneself, past selves and others, and updates; see `agents.learning.trainer`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from agents.learning.crew import Crew
from agents.learning.network import NetworkShape
from agents.learning.players import NetworkPlayer, Player, make_fixed
from agents.learning.pool import Pool, Snapshot
from agents.learning.trainer import BaseTrainer, part_of
from agents.ppo.config import TrainingSettings
from agents.ppo.learner import Learner, LearningStatistics
from agents.ppo.network import PolicyNetwork
from agents.ppo.rollout import Rollout
from envs.game import Game
from envs.options import Options
from envs.position import Array


class Trainer(BaseTrainer[PolicyNetwork]):
    """See `BaseTrainer`."""

    def __init__(self, game: Game, options: Options, settings: TrainingSettings, folder: Path, name: str) -> None:
        self.settings = settings
        seed, threads, opponents = settings.seed, settings.threads, settings.opponents
        network = PolicyNetwork(NetworkShape.of(settings.network, game, options))
        pool = Pool(PolicyNetwork, folder / "snapshots", opponents.pool_size, opponents.priority, seed)
        super().__init__(game, options, settings, folder, name, network, pool)
        crew = Crew(threads)
        self.learner = Learner(self.network, settings.learner, seed, crew)
        self.optimiser = self.learner.optimiser
        past = opponents.past_groups if opponents.past_share else 0
        shares = [opponents.past_share / max(1, past)] * past + [fixed.share for fixed in opponents.fixed]
        scale = self.network.shape.value_scale
        self.rollout = Rollout(game, options, settings.rollout, shares, seed, scale, crew, threads)
        self.statistics: LearningStatistics | None = None

        self.met: list[Snapshot] = []
        """The past self that each group meets; the fixed opponents' groups come after these."""
        if not self.begin():
            self.take_snapshot()
            self.met = [self._draw() for _ in range(past)]
        self.opponents: list[Player] = [self._past_self(snapshot) for snapshot in self.met]
        self.opponents += make_fixed([fixed.agent for fixed in opponents.fixed], game, options)

    def update(self) -> LearningStatistics:
        """One rollout and one update of the weights. Errors: `TrainingError` where the loss is no sane number."""
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
            self.take_snapshot()
        return self.statistics

    def _check(self, statistics: LearningStatistics) -> None:
        losses = {"policy loss": statistics.policy_loss, "value loss": statistics.value_loss}
        others = {
            "entropy": statistics.entropy,
            "KL divergence": statistics.kl,
            "gradient's norm": statistics.gradient_norm,
        }
        self.check(losses, others, self.settings.learner.learning_rate)

    # -------------------------------------------------------------- players

    def player(self, network: PolicyNetwork) -> NetworkPlayer:
        """See `BaseTrainer`."""
        return NetworkPlayer(network, self.settings.evaluation.temperature)

    def past_player(self, network: PolicyNetwork) -> NetworkPlayer:
        """They play as they did in training."""
        return NetworkPlayer(network, 1.0)

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

    # -------------------------------------------------------------- what is told and stored

    def scalars(self) -> dict[str, float]:
        """See `BaseTrainer`."""
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

    @property
    def kept(self) -> list[Snapshot]:
        """See `BaseTrainer`."""
        return self.met

    def state(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """See `BaseTrainer`."""
        arrays = {f"rollout.{name}": array for name, array in self.rollout.state().items()}
        return arrays, {"met": [asdict(snapshot) for snapshot in self.met]}

    def restore(self, arrays: Mapping[str, Array], facts: Mapping[str, Any]) -> None:
        """See `BaseTrainer`."""
        self.rollout.restore(part_of(arrays, "rollout"))
        self.met = [self.pool.find(entry["hash"]) or Snapshot(**entry) for entry in facts["met"]]
