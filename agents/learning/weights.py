"""The weights of a network as one vector, with an optimiser, and gradients that threads work out in parts.

A minibatch is cut into shards of about `SHARD` rows, whose gradients threads work out side by side and which are
added up in order. How it is cut does not depend on the number of threads, and so neither do the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import torch
from torch import Tensor, nn

from agents.learning.crew import Crew, cut
from envs.position import Array

SHARD, MOST_SHARDS = 256, 4
"""How many rows a shard has, about, and how many shards there are at most."""

_STATE = ("step", "exp_avg", "exp_avg_sq")

Statistics = TypeVar("Statistics")


class WeightsOptimiser:
    """Adam for a network whose parameters become views of one vector, so that clipping and a step are one operation.

    `weight_decay` is AdamW's (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019).
    """

    def __init__(
        self, network: nn.Module, crew: Crew, epsilon: float, max_gradient_norm: float, weight_decay: float = 0.0
    ) -> None:
        self.parameters = list(network.parameters())
        self.weights = _one_vector(self.parameters)
        self._adam = torch.optim.AdamW([self.weights], 0.0, eps=epsilon, weight_decay=weight_decay, fused=True)
        self._crew, self._longest = crew, max_gradient_norm

    def step(
        self, rows: int, gradient_of: Callable[[slice], tuple[Tensor, Statistics]], learning_rate: float
    ) -> tuple[float, list[Statistics]]:
        """A step for a minibatch of so many rows; gives the gradient's norm and the statistics of the shards.

        `gradient_of` gives what some of the rows add to the gradient, as one vector (see `flat_gradient`), and
        statistics of them.
        """
        gradients, statistics = zip(*self._crew.share(gradient_of, cut(rows, SHARD, MOST_SHARDS)), strict=True)
        gradient: Tensor = gradients[0]
        for other in gradients[1:]:
            gradient += other
        norm = gradient.norm()
        self.weights.grad = gradient.mul_((self._longest / (norm + 1e-6)).clamp(max=1.0))
        self._adam.param_groups[0]["lr"] = learning_rate
        self._adam.step()
        return float(norm), list(statistics)

    def flat_gradient(self, outputs: Sequence[Tensor], by_outputs: Sequence[Tensor]) -> Tensor:
        """The gradient by all weights as one vector, given that by the network's outputs."""
        parts = torch.autograd.grad(outputs, self.parameters, by_outputs)
        return torch.cat([part.reshape(-1) for part in parts])

    def state(self) -> dict[str, Array]:
        """The weights, and what the optimiser remembers, by name."""
        optimiser = self._adam.state[self.weights]
        arrays = {f"optimiser.{name}": optimiser[name].cpu().numpy() for name in _STATE if optimiser}
        return {**arrays, "weights": self.weights.detach().cpu().numpy()}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from what `state` gave. Errors: `KeyError`, `RuntimeError` for what it did not give."""
        with torch.no_grad():
            self.weights.copy_(torch.from_numpy(arrays["weights"]))
        if "optimiser.step" in arrays:
            state = {name: torch.from_numpy(arrays[f"optimiser.{name}"]) for name in _STATE}
            self._adam.state[self.weights] = {name: value.to(self.weights.device) for name, value in state.items()}


def between(start: float, end: float, progress: float) -> float:
    """A value that moves linearly from `start` to `end` while `progress` goes from 0 to 1."""
    return start + (end - start) * min(1.0, progress)


def _one_vector(parameters: Sequence[nn.Parameter]) -> nn.Parameter:
    """Move parameters into one vector, of which they are views from now on."""
    vector = nn.utils.parameters_to_vector(parameters).detach().clone()
    nn.utils.vector_to_parameters(vector, parameters)  # makes them views, it does not copy
    return nn.Parameter(vector)
