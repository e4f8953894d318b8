"""Leaves judged by the network of `ppo`; torch comes with the first one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.agent import AgentError
from agents.registry import agent_config, make_agent
from envs.game import Game
from envs.kernels import observe_at
from envs.options import Options

if TYPE_CHECKING:
    from agents.ppo.network import PolicyNetwork

Array = np.ndarray[Any, Any]


class NetworkJudge:
    """What each seat may expect, by the value head of a policy network.

    Of two seats the one to act is asked, and the other expects the opposite: two-player games are taken to be
    zero-sum. Of more seats each is asked about what it sees.
    """

    def __init__(
        self, checkpoint: str | tuple[str, ...] | None, weights: str | None, game: Game, options: Options
    ) -> None:
        if checkpoint is None:
            raise AgentError("agent mcts: rollout network needs a checkpoint: an agent file of ppo")
        config = agent_config("ppo", checkpoint=checkpoint, weights=weights)
        agent: Any = make_agent(config, game, options, np.random.default_rng(0))
        self._network: PolicyNetwork = agent.network
        self._seats = options["num_players"]
        self._size = game.observation_size(options)
        self._least = game.min_return(options)

    def __call__(self, positions: Sequence[Array]) -> Array:
        """The values of positions, each a record in shape (1,): float64[positions, num_players]."""
        import torch

        asked = [
            (states, seat)
            for states in positions
            for seat in ([int(states["current_player"][0])] if self._seats == 2 else range(self._seats))
        ]
        seen = np.empty((len(asked), self._size), np.float32)
        for row, (states, seat) in zip(seen, asked, strict=True):
            observe_at(states, 0, seat, row)
        with torch.inference_mode():
            found = self._network(torch.from_numpy(seen))[1].numpy() * self._network.shape.value_scale
        if self._seats > 2:
            return found.reshape(len(positions), self._seats).astype(np.float64)
        values = np.empty((len(positions), 2))
        for value, own, (_, seat) in zip(values, found, asked, strict=True):
            value[seat] = min(max(own, self._least), -self._least)  # no estimate is better than a win
            value[1 - seat] = -value[seat]
        return values
