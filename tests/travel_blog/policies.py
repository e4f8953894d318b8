"""Policies that reach positions of Travel Blog that random play does not."""

from __future__ import annotations

import numpy as np

from agents.greedy import rule_of_thumb_at
from agents.heuristics.contract import get_heuristics
from envs.position import Position
from envs.travel_blog import GAME
from envs.walk import play_randomly

_TOKEN = get_heuristics(GAME.name).token


def cautious(position: Position, rng: np.random.Generator) -> int:
    """Waits every other time it may; else any field."""
    legal = position.legal_actions()
    if position.options["timing"] == "ticks" and legal[-1] == position.num_actions - 1 and rng.random() < 0.5:
        return legal[-1]
    return int(rng.choice(legal))


def sensible(position: Position, rng: np.random.Generator) -> int:
    """The rule of thumb, one time in five a random action."""
    if rng.random() < 0.2:
        return play_randomly(position, rng)
    return int(rule_of_thumb_at(_TOKEN, position.states, 0, int(rng.integers(1 << 62))))
