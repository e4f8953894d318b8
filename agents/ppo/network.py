"""The network of PPO: a policy, and the return that the acting seat may expect."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor

from agents.learning.network import Network


class PolicyNetwork(Network):
    """A policy and a value for the acting seat; the values are float32[B]. See `agents.learning.network`."""

    algorithm: ClassVar[str] = "ppo"

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        logits, values = super().forward(observations)
        return logits, values.squeeze(-1)
