"""Playing games between agents, as the tests of agents need it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.agent import Agent
from agents.registry import AgentConfig, make_agent
from envs.game import Game
from envs.position import Position
from envs.view import View


def make(config: AgentConfig, game: Game, options: dict[str, Any] | None = None, seed: Any = 0) -> Agent:
    """A fresh agent with a generator of its own."""
    return make_agent(config, game, game.validate(options or {}), np.random.default_rng(seed))


def play_game(
    game: Game, options: dict[str, Any], configs: Sequence[AgentConfig], deal: int, seed: int = 0
) -> Position:
    """The finished game of `deal` between fresh agents, one a seat; seat s has a generator seeded (seed, deal, s)."""
    position = Position(game, options, deal)
    agents = [make(config, game, options, (seed, deal, seat)) for seat, config in enumerate(configs)]
    while (seat := position.current_player) is not None:
        position.apply(agents[seat].act(View(position, seat)))
    return position


def shares(game: Game, options: dict[str, Any], one: AgentConfig, other: AgentConfig, deals: int) -> np.ndarray:
    """Of two seats, the share of `one` in each game: two games a deal, seats swapped. float64[2 * deals]."""
    found = []
    for deal in range(deals):
        for seat in range(2):
            configs = [one, other] if seat == 0 else [other, one]
            winners = play_game(game, options, configs, deal).winners()
            found.append((seat in winners) / len(winners))
    return np.array(found)
