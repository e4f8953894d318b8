"""A training by AlphaZero: self-play by search, learning from what it found; see `agents.learning.trainer`.

Playing and learning alternate: some rounds of self-play, then as many steps on minibatches of the replay buffer as
the new decisions are worth. Both are shared out to the same threads, and the result does not depend on how many.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from agents.alphazero.buffer import Buffer
from agents.alphazero.config import AlphaZeroSettings
from agents.alphazero.learner import Learner, LearningStatistics
from agents.alphazero.network import Evaluator, SearchNetwork, device_of, network_shape
from agents.alphazero.players import SearchPlayer
from agents.alphazero.search import heuristics_token
from agents.alphazero.selfplay import Counters, SelfPlay
from agents.learning.boards import board_of
from agents.learning.crew import Crew
from agents.learning.evaluation import make_field
from agents.learning.players import NetworkPlayer, Player
from agents.learning.pool import Pool
from agents.learning.trainer import NOT_IDENTITY, BaseTrainer, part_of
from envs.game import Game
from envs.options import Options
from envs.position import Array


def check_settings(settings: AlphaZeroSettings, game: Game, options: Options) -> None:
    """Refuse, before anything is written, settings that do not go with a game or machine. Errors: `AgentError`."""
    make_field(settings.evaluation.field, game, options)
    network_shape(settings.network, game, options)
    heuristics_token(game, settings.search)
    device_of(settings.device)


class Trainer(BaseTrainer[SearchNetwork]):
    """See `BaseTrainer`."""

    not_identity = NOT_IDENTITY | {"device"}

    def __init__(self, game: Game, options: Options, settings: AlphaZeroSettings, folder: Path, name: str) -> None:
        self.settings = settings
        shape = network_shape(settings.network, game, options)
        network = SearchNetwork(shape)
        pool = Pool(SearchNetwork, folder / "snapshots", settings.pool_size, 0.0, settings.seed)
        super().__init__(game, options, settings, folder, name, network, pool)
        self.crew = Crew(settings.threads)
        self.device = device_of(settings.device)
        network.to(self.device)
        self.learner = Learner(network, settings.learner, settings.seed, self.crew, board_of(game.name))
        self.optimiser = self.learner.optimiser
        self.evaluator = Evaluator(network, self.device)
        self.self_play = SelfPlay(game, options, settings.search, settings.self_play, shape.value_scale, settings.seed)
        self.buffer = Buffer(
            settings.buffer.size,
            shape.observation_size,
            shape.num_actions,
            shape.values,
            folder if settings.buffer.on_disk else None,
        )
        self.statistics: LearningStatistics | None = None
        self._owed = 0.0
        self._shown: dict[str, float] = {}
        if not self.begin():
            self.take_snapshot()

    def update(self) -> LearningStatistics:
        """Self-play and what is learned from it. Errors: `TrainingError` where the loss is no sane number."""
        settings, counters = self.settings, self.counters
        before, started = self.self_play.counters, perf_counter()
        samples = self.self_play.play(self.evaluator, settings.rounds, self.crew)
        played = perf_counter()
        self.buffer.add(samples)
        progress = counters.steps / settings.steps
        counters.update += 1
        now = self.self_play.counters
        counters.steps, counters.games = now.decisions, now.games
        steps = self._steps_for(len(samples.values))
        with np.errstate(over="ignore", invalid="ignore"):  # an explosion is reported by the check that follows
            self.statistics = self.learner.update(self.buffer, steps, counters.update, progress)
        if self.statistics.steps:
            self._check(self.statistics)
        if counters.update % settings.snapshot_every == 0:
            self.take_snapshot()
        self._note(before, now, len(samples.values), played - started, perf_counter() - played)
        return self.statistics

    def _steps_for(self, samples: int) -> int:
        """How many minibatches so many new decisions are worth; what is left over is owed to the next update."""
        self._owed += samples * self.settings.learner.reuse / self.settings.learner.minibatch
        steps = int(self._owed)
        self._owed -= steps
        return steps

    def _check(self, statistics: LearningStatistics) -> None:
        losses = {"policy loss": statistics.policy_loss, "value loss": statistics.value_loss}
        self.check(losses, {"gradient's norm": statistics.gradient_norm}, self.settings.learner.learning_rate)

    # -------------------------------------------------------------- players

    def player(self, network: SearchNetwork) -> Player:
        """See `BaseTrainer`."""
        evaluation = self.settings.evaluation
        own = copy.deepcopy(network).cpu() if network is self.network and self.device.type != "cpu" else network
        if not evaluation.iterations:
            return NetworkPlayer(own, evaluation.temperature)
        return SearchPlayer(
            self.game,
            self.options,
            self.settings.search,
            network.shape.value_scale,
            Evaluator(own, device_of("cpu")),
            evaluation.iterations,
        )

    def past_player(self, network: SearchNetwork) -> Player:
        """They play as the learner does."""
        return self.player(network)

    # -------------------------------------------------------------- what is told and stored

    def _note(self, before: Counters, tally: Counters, samples: int, playing: float, learning: float) -> None:
        """What TensorBoard shows of an update's self-play: counts before and after it, and the seconds it took."""
        games, decisions = tally.games - before.games, tally.decisions - before.decisions
        self._shown = {
            "speed/evaluations_per_second": (tally.evaluations - before.evaluations) / playing,
            "speed/decisions_per_second": decisions / (playing + learning),
            "speed/samples_per_second": samples / (playing + learning),
            "speed/share_of_learning": learning / (playing + learning),
            "buffer/used": self.buffer.used,
            "buffer/added": self.buffer.added,
        }
        if games:
            self._shown["games/length"] = decisions / games
            self._shown["games/truncated"] = (tally.truncated - before.truncated) / games

    def scalars(self) -> dict[str, float]:
        """See `BaseTrainer`."""
        assert self.statistics is not None
        statistics = self.statistics
        shown = {**self._shown, "policy/learning_rate": statistics.learning_rate}
        if statistics.steps:
            shown |= {
                "loss/policy": statistics.policy_loss,
                "loss/value": statistics.value_loss,
                "policy/entropy": statistics.entropy,
                "policy/divergence": statistics.divergence,
                "policy/gradient_norm": statistics.gradient_norm,
                "value/explained": statistics.explained,
            }
        return shown

    def save(self) -> None:
        """See `BaseTrainer`."""
        super().save()
        self.buffer.keep()

    def state(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """See `BaseTrainer`."""
        arrays = {f"self_play.{name}": array for name, array in self.self_play.state().items()}
        arrays |= {f"buffer.{name}": array for name, array in self.buffer.state().items()}
        return arrays, {"owed": self._owed}

    def restore(self, arrays: Mapping[str, Array], facts: Mapping[str, Any]) -> None:
        """See `BaseTrainer`."""
        self.self_play.restore(part_of(arrays, "self_play"))
        self.buffer.restore(part_of(arrays, "buffer"))
        self._owed = float(facts["owed"])
