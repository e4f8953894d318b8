"""`ppo`: a network as an agent, from a checkpoint or trained for the occasion; torch comes with its first move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from agents.agent import Agent
from agents.learning.agent import LearnedConfig, agent_file, load_network
from agents.ppo.config import TrainingSettings
from agents.registry import AgentType, register_agent
from envs.chance import SEED_BITS
from envs.game import Game
from envs.options import Options
from envs.position import Array
from envs.view import View

if TYPE_CHECKING:
    from agents.ppo.network import PolicyNetwork
    from agents.ppo.trainer import Trainer


class PpoConfig(LearnedConfig):
    """Settings of `ppo`: either a checkpoint or a training."""

    type: Literal["ppo"] = Field(default="ppo", description="a network trained by self-play (PPO)")
    train: TrainingSettings | None = Field(
        default=None,
        description="train first, for each game of the experiment, and then play: the settings of a training",
    )
    temperature: float = Field(
        default=0.0, ge=0, description="0 plays the most likely action; 1 draws from the policy; more is more random"
    )

    def check_training(self, game: Game, options: Options) -> None:
        """See `LearnedConfig`."""
        from agents.learning.evaluation import make_field
        from agents.learning.network import NetworkShape
        from agents.learning.players import make_fixed

        assert self.train is not None
        NetworkShape.of(self.train.network, game, options)
        make_field(self.train.evaluation.field, game, options)
        make_fixed([fixed.agent for fixed in self.train.opponents.fixed], game, options)

    def make_trainer(self, game: Game, options: Options, folder: Path, name: str) -> Trainer:
        """See `LearnedConfig`."""
        from agents.ppo.trainer import Trainer

        assert self.train is not None
        return Trainer(game, options, self.train, folder, name)


class PpoAgent(Agent):
    """Plays by a network: at temperature 0 its most likely action, else one drawn from its policy."""

    def __init__(self, network: PolicyNetwork, facts: Mapping[str, Any], temperature: float, rng: np.random.Generator):
        self.network, self.facts, self.temperature, self._rng = network, facts, temperature, rng

    def act(self, view: View) -> int:
        """A legal action by the policy of the seat's observation."""
        return self.act_batch([view])[0]

    def act_batch(self, views: Sequence[View]) -> list[int]:
        """As `act`, with one call of the network; rounding may differ from single calls in the last digit."""
        import torch

        from agents.learning.policy import choose

        with torch.inference_mode():
            logits = self.network(torch.from_numpy(np.stack([view.observation for view in views])))[0].numpy()
        keys = self._rng.integers(1 << SEED_BITS, size=len(views))
        return [
            int(choose(row, view.action_mask, self.temperature, int(key))[0])
            for row, view, key in zip(logits, views, keys, strict=True)
        ]

    def estimate(self, view: View) -> Array:
        """The value head's word on the acting seat; of the others it says nothing."""
        import torch

        with torch.inference_mode():
            value = self.network(torch.from_numpy(view.observation[None]))[1].item()
        values = np.full(view.num_players, np.nan)
        values[view.seat] = value * self.network.shape.value_scale
        return values

    def save(self, path: Path) -> None:
        """Write an agent file."""
        from agents.learning.checkpoint import write_agent

        write_agent(path, self.network, self.facts)

    def load(self, path: Path) -> None:
        """Take over the network of an agent file, or of the folder of a training. Errors: `AgentError`."""
        from agents.learning.checkpoint import read_agent
        from agents.ppo.network import PolicyNetwork

        self.network, self.facts = read_agent(agent_file(path, "best"), PolicyNetwork)


def _make(config: PpoConfig, game: Game, options: Options, rng: np.random.Generator) -> PpoAgent:
    from agents.ppo.network import PolicyNetwork

    network, facts = load_network(config, game, options, PolicyNetwork)
    return PpoAgent(network, facts, config.temperature, rng)


register_agent(
    AgentType(
        name="ppo",
        config=PpoConfig,
        make=_make,
        summary="plays by a network trained by self-play (proximal policy optimisation)",
    )
)
