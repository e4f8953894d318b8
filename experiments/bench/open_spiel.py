"""The yardstick of search: OpenSpiel's `MCTSBot`, in C++, with random rollouts on its own Connect Four."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from experiments.bench.result import seconds_of

MEGABYTES = 1000
"""Memory that a search may take: more than it needs, so that none is spent on doing without."""


def open_spiel_search(iterations: int) -> Callable[[], float] | None:
    """Simulations a second of one search from the empty board, each time it is called; None without OpenSpiel."""
    try:
        import pyspiel  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    rollout = pyspiel.RandomRolloutEvaluator(1, 0)  # one rollout a leaf

    def search() -> float:
        bot = pyspiel.MCTSBot(game, rollout, sqrt(2.0), iterations, MEGABYTES, False, 0, False)
        return iterations / seconds_of(bot.mcts_search, state)

    return search
