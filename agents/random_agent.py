"""`random`: every legal action equally likely."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from agents.agent import Agent
from agents.registry import AgentConfig, AgentType, register_agent
from envs.view import View


class RandomConfig(AgentConfig):
    """Settings of `random`: none."""

    type: Literal["random"] = Field("random", description="uniformly random legal actions")


class RandomAgent(Agent):
    """Plays uniformly random legal actions."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def act(self, view: View) -> int:
        """A legal action, uniformly drawn."""
        return int(self._rng.choice(np.flatnonzero(view.action_mask)))


register_agent(
    AgentType(
        name="random",
        config=RandomConfig,
        make=lambda config, game, options, rng: RandomAgent(rng),
        summary="plays every legal action equally often",
    )
)
