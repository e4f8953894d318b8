"""How games of Pfeffersäcke are played in tests: the rule of thumb, now and then a random action."""

from __future__ import annotations

import numpy as np

from agents.greedy import rule_of_thumb_at
from agents.heuristics.contract import get_heuristics
from envs.position import Position
from envs.walk import play_randomly

TOKEN = get_heuristics("pfeffersaecke").token


def play_greedily(position: Position, rng: np.random.Generator) -> int:
    """The rule of thumb."""
    return int(rule_of_thumb_at(TOKEN, position.states, 0, int(rng.integers(1 << 62))))


def play_sensibly(position: Position, rng: np.random.Generator) -> int:
    """The rule of thumb, and every fifth time any legal action: games get long, and still everything happens."""
    return play_randomly(position, rng) if rng.random() < 0.2 else play_greedily(position, rng)


def play_without_opening(position: Position, rng: np.random.Generator) -> int:
    """Sensible, but it passes one time in three: tokens leave the board before the towns are taken."""
    legal = position.legal_actions()
    if position.phase == "open" and rng.random() < 0.35:
        return legal[-1]
    return play_sensibly(position, rng)
