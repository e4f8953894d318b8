"""The network of AlphaZero: a policy, and what every seat may expect; and how searches ask it.

B rows, O numbers observed, A actions, S seats.
"""

from __future__ import annotations

from typing import ClassVar

import torch

from agents.agent import AgentError
from agents.learning.config import NetworkSettings
from agents.learning.network import Network, NetworkShape
from envs.game import Game
from envs.options import Options
from envs.position import Array


class SearchNetwork(Network):
    """A policy for the acting seat, and values float32[B, S]: value i is the expected return of the i-th seat from it.

    Its own is the first, then those of the seats that follow in turn, in units of `shape.value_scale`.
    """

    algorithm: ClassVar[str] = "alphazero"


def network_shape(settings: NetworkSettings, game: Game, options: Options) -> NetworkShape:
    """The shape for a game under complete options: one value for each seat."""
    return NetworkShape.of(settings, game, options, values=int(options["num_players"]))


class Evaluator:
    """A network as searches ask it: arrays in, arrays out; from several threads at once.

    `evaluate(observations float32[B, O], masks bool[B, A])` gives logits float32[B, A] and values float32[B, S].
    """

    def __init__(self, network: SearchNetwork, device: torch.device) -> None:
        self._network, self._device = network, device

    def __call__(self, observations: Array, masks: Array) -> tuple[Array, Array]:
        with torch.inference_mode():
            logits, values = self._network(torch.from_numpy(observations).to(self._device))
        return logits.cpu().numpy(), values.cpu().numpy()


def device_of(name: str) -> torch.device:
    """The device that a setting stands for. Errors: `AgentError` for a GPU that is not there."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda" and not torch.cuda.is_available():
        raise AgentError("device cuda: torch finds no GPU here; `auto` takes one if there is one")
    return torch.device(name)
