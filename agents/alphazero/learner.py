"""What AlphaZero's network learns: the policies that searches found, and the returns of the games.

The loss of a decision with search policy p, network policy q (the softmax of the legal logits), values v and targets z

    -sum p log q  +  value_coefficient * mean over seats of (v - z)^2

(Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play", 2018)
is given to torch as its gradient by logits and values, q - p and 2 (v - z) / S.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from agents.alphazero.buffer import Buffer
from agents.alphazero.config import LearnerSettings
from agents.alphazero.network import SearchNetwork
from agents.alphazero.samples import Samples
from agents.learning.boards import Board
from agents.learning.crew import Crew
from agents.learning.weights import WeightsOptimiser, between

ADAM_EPSILON = 1e-8

_DRAW = 1


@dataclass(frozen=True)
class LearningStatistics:
    """Means over an update.

    `entropy` is that of the searches' policies: no policy loss can be lower; `divergence` is what the policy loss has
    above it. `explained` is 1 - sum (v - z)^2 / sum z^2 of the acting seat: 1 is all, 0 what a constant 0 explains.
    """

    policy_loss: float
    value_loss: float
    entropy: float
    divergence: float
    explained: float
    gradient_norm: float
    steps: int
    learning_rate: float


class Learner:
    """A network and its optimiser; a crew shares the work."""

    def __init__(
        self, network: SearchNetwork, settings: LearnerSettings, seed: int, crew: Crew, board: Board | None = None
    ) -> None:
        self.network, self.settings, self.seed = network, settings, seed
        size = network.shape.observation_size
        self._images = board.permutations(size) if board and settings.symmetries else None
        self.optimiser = WeightsOptimiser(
            network, crew, ADAM_EPSILON, settings.max_gradient_norm, settings.weight_decay
        )

    def update(self, buffer: Buffer, steps: int, number: int, progress: float) -> LearningStatistics:
        """So many steps on minibatches of the buffer: update `number`, after the share `progress` of the training."""
        learning_rate = between(self.settings.learning_rate, self.settings.final_learning_rate, progress)
        rows = min(self.settings.minibatch, buffer.used)
        if not rows or not steps:
            nothing = float("nan")
            return LearningStatistics(nothing, nothing, nothing, nothing, nothing, nothing, 0, learning_rate)
        rng = np.random.default_rng((self.seed, _DRAW, number))
        sums, norms = np.zeros(5), 0.0
        for _ in range(steps):
            batch = self._image(buffer.draw(rows, rng), rng)

            def gradient_of(part: slice, batch: Samples = batch) -> tuple[Tensor, Tensor]:
                return self._gradient(Samples(*(array[part] for array in batch)), rows)

            norm, statistics = self.optimiser.step(rows, gradient_of, learning_rate)
            sums += np.sum([part.cpu().numpy() for part in statistics], axis=0)
            norms += norm
        policy_loss, value_loss, entropy, own_error, own_square = sums / (rows * steps)
        return LearningStatistics(
            policy_loss=float(policy_loss),
            value_loss=float(value_loss),
            entropy=float(entropy),
            divergence=float(policy_loss - entropy),
            explained=float(1.0 - own_error / own_square) if own_square else float("nan"),
            gradient_norm=norms / steps,
            steps=steps,
            learning_rate=learning_rate,
        )

    def _image(self, batch: Samples, rng: np.random.Generator) -> Samples:
        """Each decision as one of its images, where the board has symmetries."""
        if self._images is None:
            return batch
        observed, actions = self._images
        which = rng.integers(len(observed), size=len(batch.values))
        return Samples(
            np.take_along_axis(batch.observations, observed[which], axis=1),
            np.take_along_axis(batch.masks, actions[which], axis=1),
            np.take_along_axis(batch.policies, actions[which], axis=1),
            batch.values,
        )

    def _gradient(self, batch: Samples, total: int) -> tuple[Tensor, Tensor]:
        """What some decisions of a minibatch of `total` add to the gradient, and sums of statistics: float64[5]."""
        device = self.optimiser.weights.device
        observations, masks, targets, returns = (torch.from_numpy(array).to(device) for array in batch)
        logits, values = self.network(observations)
        with torch.no_grad():
            log_policy = torch.log_softmax(logits.masked_fill(~masks, -torch.inf), dim=1)
            targets = targets / targets.sum(dim=1, keepdim=True)  # float16 has rounded them
            by_logits = (log_policy.exp() - targets) / total
            errors = values - returns
            by_values = errors * (2.0 * self.settings.value_coefficient / (total * errors.shape[1]))
            statistics = torch.stack(
                [
                    -(targets * log_policy.masked_fill(~masks, 0.0)).sum(),
                    errors.square().mean(dim=1).sum(),
                    -torch.special.xlogy(targets, targets).sum(),
                    errors[:, 0].square().sum(),
                    returns[:, 0].square().sum(),
                ]
            ).double()
        return self.optimiser.flat_gradient((logits, values), (by_logits, by_values)), statistics
