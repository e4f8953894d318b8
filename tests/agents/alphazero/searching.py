"""Searching positions, as the tests of AlphaZero need it: with networks made up for the purpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.alphazero.search import BatchSearch, Evaluate
from agents.alphazero.settings import SearchSettings
from envs.game import Game
from envs.options import Options
from envs.position import Position

ROOTS = ("gumbel", "puct")


def uniform(game: Game, options: Options) -> Evaluate:
    """All actions alike, and nothing expected."""
    actions, seats = game.num_actions(options), int(options["num_players"])

    def evaluate(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(masks), actions), np.float32), np.zeros((len(masks), seats), np.float32)

    return evaluate


def whimsical(game: Game, options: Options) -> Evaluate:
    """Any opinion, the same on what looks the same, whatever else is asked for at once."""
    actions, seats, size = game.num_actions(options), int(options["num_players"]), game.observation_size(options)
    weights = np.random.default_rng(5).normal(size=(size, actions + seats))

    def evaluate(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = np.sin(3.0 * np.einsum("bo,oa->ba", observations.astype(np.float64), weights))
        logits, values = found[:, :actions], found[:, actions:]
        return logits.astype(np.float32), (0.5 * values).astype(np.float32)

    return evaluate


def searched(
    positions: list[Position],
    evaluate: Evaluate | None = None,
    iterations: int = 100,
    seed: int = 0,
    leaves: int = 1,
    gumbel: float = 0.0,
    **settings: Any,
) -> BatchSearch:
    """A finished search of positions of one game, each for the seat to act; a uniform network by default."""
    game, options = positions[0].game, positions[0].options
    search = BatchSearch(game, options, SearchSettings(**settings), 1.0, len(positions), iterations, leaves)
    begin(search, positions, iterations, seed, gumbel=gumbel)
    search.run(evaluate or uniform(game, options))
    return search


def begin(search: BatchSearch, positions: list[Position], iterations: int, seed: int, **how: Any) -> np.ndarray:
    """Begin searches of positions for the seats to act."""
    states = np.concatenate([position.states for position in positions])
    seats = np.array([position.current_player for position in positions])
    return search.begin(states, seats, seed + np.arange(len(positions)), iterations, **how)
