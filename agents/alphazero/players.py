"""The learner in evaluations: a search of every game of a match, in lock-step."""

from __future__ import annotations

import numpy as np

from agents.alphazero.search import BatchSearch, Evaluate
from agents.alphazero.settings import SearchSettings
from agents.learning.players import Lanes
from envs.game import Game
from envs.options import Options
from envs.position import Array

LANES = 64
"""Games that are searched at once."""


class SearchPlayer:
    """Plays the best action of a search. It is given positions, and searches what their seats know of them."""

    def __init__(
        self,
        game: Game,
        options: Options,
        settings: SearchSettings,
        value_scale: float,
        evaluate: Evaluate,
        iterations: int,
    ) -> None:
        self._search = BatchSearch(game, options, settings, value_scale, LANES, iterations)
        self._evaluate, self._iterations = evaluate, iterations

    def choose(self, lanes: Lanes, where: Array, keys: Array, actions: Array) -> None:
        """See `agents.learning.players.Player`."""
        asked = np.flatnonzero(where)
        for start in range(0, len(asked), LANES):
            some = asked[start : start + LANES]
            padded = np.resize(some, LANES)  # the search has a fixed number of lanes: some are searched again
            self._search.begin(lanes.states[padded], lanes.seats[padded], keys[padded], self._iterations)
            self._search.run(self._evaluate)
            actions[some] = self._search.found().actions[: len(some)]
