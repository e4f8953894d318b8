"""How fast the search is, and how well it keeps to its time."""

from __future__ import annotations

from itertools import count
from statistics import median
from time import perf_counter, sleep
from typing import Any

import numpy as np

from agents.mcts.agent import MctsAgent
from agents.mcts.config import MctsConfig
from envs.catalog import get_game
from envs.position import Position
from envs.view import View

REST = 0.08
"""Seconds of rest before a timed move: who has just worked long is interrupted sooner by whatever else runs."""

RANDOM_ROLLOUTS = {"selection": "ucb1", "rollout": "random", "depth": "full", "reuse": False}


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
    position = Position(get_game(game), options, seed=0)
    rng = np.random.default_rng(0)
    for _ in range(moves):
        position.apply(int(rng.choice(position.legal_actions())))
    chosen: dict[str, Any] = RANDOM_ROLLOUTS | settings
    agent = MctsAgent(MctsConfig(iterations=iterations, **chosen), position.game, position.options, rng)
    times = []
    for _ in range(repeats + 1):
        view = View(position, position.current_player or 0)
        started = perf_counter()
        agent.search_report(view)
        times.append(perf_counter() - started)
    return iterations / median(times[1:])


def overshoots(
    game: str, options: dict[str, Any] | None = None, seconds: float = 0.05, moves: int = 20, **settings: Any
) -> list[float]:
    """By how many seconds moves take longer than the `seconds` they are given, at `moves` positions of random play.

    Below 0 where a move is sooner done. Errors: `KontorError` for what the game or agent refuses.
    """
    rules = get_game(game)
    chosen = rules.validate(options or {})
    rng, config = np.random.default_rng(0), MctsConfig(seconds=seconds, **settings)
    agent = MctsAgent(config, rules, chosen, rng)
    found: list[float] = []
    for deal in count():
        position = Position(rules, chosen, deal)
        while not position.is_over:
            if rng.random() < 0.05 and len(position.legal_actions()) > 1:
                view = View(position, position.current_player or 0)
                sleep(REST)
                started = perf_counter()
                agent.act(view)
                found.append(perf_counter() - started - seconds)
                if len(found) == moves:
                    return found
            position.apply(int(rng.choice(position.legal_actions())))
    raise AssertionError("unreachable")
