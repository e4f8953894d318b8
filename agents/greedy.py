"""`greedy`: the game's rule of thumb, nothing more; a versioned yardstick for everything else."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import Field

from agents.agent import Agent
from agents.heuristics.contract import evaluate, get_heuristics, rule_of_thumb
from agents.registry import AgentConfig, AgentType, register_agent
from envs.chance import SEED_BITS
from envs.compiling import compiled
from envs.game import Game
from envs.options import Options
from envs.position import Array
from envs.view import View


class GreedyConfig(AgentConfig):
    """Settings of `greedy`."""

    type: Literal["greedy"] = Field("greedy", description="the game's rule of thumb")
    version: int | None = Field(None, description="which version of the rule of thumb; null: the latest")


class GreedyAgent(Agent):
    """Plays the rule of thumb of its game; equally good actions are chosen among at random."""

    def __init__(self, game: Game, version: int | None, rng: np.random.Generator) -> None:
        self._token = get_heuristics(game.name, version).token
        self._rng = rng

    def act(self, view: View) -> int:
        """The rule of thumb's action, asked of a fair sample: it sees nothing in which samples differ."""
        states = view.sample(self._rng).states
        return int(rule_of_thumb_at(self._token, states, 0, int(self._rng.integers(1 << SEED_BITS))))

    def estimate(self, view: View) -> Array:
        """The static evaluation that goes with the rule of thumb."""
        out = np.empty(view.num_players, np.float64)
        evaluate_at(self._token, view.sample(self._rng).states, 0, view.seat, out)
        return out


@compiled
def evaluate_at(token: Any, states: Any, i: int, seat: int, out: Any) -> None:
    """`evaluate` for position `i` of an array, by the set of `token` (shape (1,))."""
    evaluate(token[0], states[i], seat, out)


@compiled
def rule_of_thumb_at(token: Any, states: Any, i: int, seed: int) -> int:
    """`rule_of_thumb` for position `i` of an array, by the set of `token` (shape (1,))."""
    return rule_of_thumb(token[0], states[i], seed)


def _make(config: GreedyConfig, game: Game, options: Options, rng: np.random.Generator) -> GreedyAgent:
    return GreedyAgent(game, config.version, rng)


register_agent(
    AgentType(name="greedy", config=GreedyConfig, make=_make, summary="plays the game's rule of thumb, without search")
)
