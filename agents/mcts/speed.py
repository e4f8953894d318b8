"""How fast the search is, on one core."""

from __future__ import annotations

from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from agents.mcts.agent import MctsAgent
from agents.mcts.config import MctsConfig
from envs.catalog import get_game
from envs.position import Position
from envs.view import View


def simulations_per_second(
    game: str = "connect_four",
    options: dict[str, Any] | None = None,
    iterations: int = 10_000,
    repeats: int = 9,
    moves: int = 0,
    **settings: Any,
) -> float:
    """Simulations a second of a search with `iterations`: the median of `repeats` searches, the first one apart.

    The position is the one after `moves` uniformly random moves of the game with seed 0; `settings` are those
    of `mcts`, by default random rollouts to the end. Errors: `KontorError` for what the game or agent refuses.
    """
    found = get_game(game)
    position = Position(found, options, seed=0)
    rng = np.random.default_rng(0)
    for _ in range(moves):
        position.apply(int(rng.choice(position.legal_actions())))
    chosen: dict[str, Any] = {"selection": "ucb1", "rollout": "random", "depth": "full", "reuse": False} | settings
    agent = MctsAgent(MctsConfig(iterations=iterations, **chosen), found, position.options, rng)
    times = []
    for _ in range(repeats + 1):
        view = View(position, position.current_player or 0)
        started = perf_counter()
        agent.search_report(view)
        times.append(perf_counter() - started)
    return iterations / median(times[1:])
