"""One update of proximal policy optimisation.

Schulman, Wolski, Dhariwal, Radford and Klimov, "Proximal Policy Optimization Algorithms", 2017; the details, of
which the first version had many (advantage normalisation, gradient clipping, Adam's epsilon, annealing), as in
Huang et al., "The 37 Implementation Details of Proximal Policy Optimization", 2022.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from agents.learning.crew import Crew
from agents.learning.weights import WeightsOptimiser, between
from agents.ppo.config import LearnerSettings
from agents.ppo.loss import CLIPPED, ENTROPY, KL, NO_CLIP, POLICY_LOSS, VALUE_LOSS, loss_gradients
from agents.ppo.network import PolicyNetwork
from agents.ppo.rollout import Rollout
from envs.position import Array

ADAM_EPSILON = 1e-5
"""Larger than Adam's own default, as in the first implementations of PPO (detail 3)."""

_SHUFFLE = 1


@dataclass(frozen=True)
class LearningStatistics:
    """Means over an update.

    `kl` estimates the divergence from the policy that played (Schulman's estimator r - 1 - log r), `clip_fraction` is
    the share of decisions beyond the clip, `explained_variance` is 1 - Var(return - value) / Var(return).
    """

    policy_loss: float
    value_loss: float
    entropy: float
    kl: float
    clip_fraction: float
    gradient_norm: float
    explained_variance: float
    epochs: int
    learning_rate: float


class Learner:
    """A network and its optimiser; a crew shares the work."""

    def __init__(self, network: PolicyNetwork, settings: LearnerSettings, seed: int, crew: Crew) -> None:
        self.network, self.settings, self.seed = network, settings, seed
        self.optimiser = WeightsOptimiser(network, crew, ADAM_EPSILON, settings.max_gradient_norm)

    def update(self, rollout: Rollout, number: int, progress: float) -> LearningStatistics:
        """Learn from the closed decisions of a rollout: update `number`, after the share `progress` of the training."""
        settings = self.settings
        learning_rate = between(settings.learning_rate, settings.final_learning_rate, progress)
        final_entropy = settings.entropy if settings.final_entropy is None else settings.final_entropy
        entropy = between(settings.entropy, final_entropy, progress)
        if not len(rollout.rows):  # the first rollouts of long games may be too short for a seat to act twice
            return LearningStatistics(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, float("nan"), 0, learning_rate)
        data = _Data(rollout, settings.normalise)
        parts = max(1, round(len(rollout.rows) / settings.minibatch))
        statistics: list[Array] = []
        epochs = 0
        while epochs < settings.epochs:
            order = np.random.default_rng((self.seed, _SHUFFLE, number, epochs)).permutation(len(rollout.rows))
            statistics += [
                self._minibatch(data, rows, entropy, learning_rate)
                for rows in np.array_split(rollout.rows[order], parts)
            ]
            epochs += 1
            if settings.target_kl and np.mean(statistics[-parts:], axis=0)[KL] > 1.5 * settings.target_kl:
                break
        means = np.mean(statistics, axis=0)
        return LearningStatistics(
            policy_loss=float(means[POLICY_LOSS]),
            value_loss=float(means[VALUE_LOSS]),
            entropy=float(means[ENTROPY]),
            kl=float(means[KL]),
            clip_fraction=float(means[CLIPPED]),
            gradient_norm=float(means[-1]),
            explained_variance=_explained_variance(rollout),
            epochs=epochs,
            learning_rate=learning_rate,
        )

    def _minibatch(self, data: _Data, rows: Array, entropy: float, learning_rate: float) -> Array:
        """A step of the optimiser for some rows (int64[B]); gives the loss's statistics and the gradient's norm."""
        advantages = data.advantages[rows]
        if self.settings.normalise == "minibatch":
            advantages = _normalised(advantages)

        def shard(part: slice) -> tuple[Tensor, Array]:
            return self._gradient(data, rows[part], advantages[part], len(rows), entropy)

        norm, statistics = self.optimiser.step(len(rows), shard, learning_rate)
        return np.append(np.sum(statistics, axis=0) / len(rows), norm)

    def _gradient(
        self, data: _Data, rows: Array, advantages: Array, total: int, entropy: float
    ) -> tuple[Tensor, Array]:
        """What some rows of a minibatch of `total` add to the gradient, as one vector, and to the statistics."""
        settings = self.settings
        logits, values = self.network(data.observations[torch.from_numpy(rows)])
        logits_gradient, values_gradient = torch.zeros_like(logits), torch.empty_like(values)
        statistics = np.zeros(5)
        loss_gradients(
            rows,
            logits.detach().numpy(),
            values.detach().numpy(),
            advantages,
            data.masks,
            data.actions,
            data.log_probs,
            data.values,
            data.targets,
            settings.clip,
            NO_CLIP if settings.value_clip is None else settings.value_clip,
            settings.value_coefficient,
            entropy,
            total,
            logits_gradient.numpy(),
            values_gradient.numpy(),
            statistics,
        )
        return self.optimiser.flat_gradient((logits, values), (logits_gradient, values_gradient)), statistics


class _Data:
    """What is learned from, by row of the rollout's storage; `targets` are the returns to be foretold."""

    def __init__(self, rollout: Rollout, normalise: str) -> None:
        self.observations = torch.from_numpy(rollout.observations)
        self.masks, self.actions = rollout.masks, rollout.actions
        self.log_probs, self.values = rollout.log_probs, rollout.values
        self.targets = rollout.advantages + rollout.values
        self.advantages = rollout.advantages
        if normalise == "batch":
            self.advantages = self.advantages.copy()
            self.advantages[rollout.rows] = _normalised(self.advantages[rollout.rows])


def _normalised(advantages: Array) -> Array:
    """Advantages brought to mean 0 and deviation 1 (detail 7)."""
    return (advantages - advantages.mean()) / (advantages.std() + np.float32(1e-8))


def _explained_variance(rollout: Rollout) -> float:
    """How much of the returns' variance the values foretold: 1 is all, 0 none; NaN if they did not vary."""
    advantages, values = rollout.advantages[rollout.rows], rollout.values[rollout.rows]
    variance = float((advantages + values).var())
    return 1.0 - float(advantages.var()) / variance if variance > 0 else float("nan")
