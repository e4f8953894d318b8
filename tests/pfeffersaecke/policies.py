"""How games of Pfeffersäcke are played in tests: the rule of thumb, now and then a random action."""

from __future__ import annotations

import numpy as np

from agents.greedy import rule_of_thumb_at
from agents.heuristics.contract import get_heuristics
from envs.pfeffersaecke.actions import DOUBLE_INCOME, END_EXPANDING, OPEN_PLACE
from envs.pfeffersaecke.board import CITIES
from envs.position import Position
from envs.walk import play_randomly

TOKEN = get_heuristics("pfeffersaecke").token


def play_greedily(position: Position, rng: np.random.Generator) -> int:
    """The rule of thumb."""
    return int(rule_of_thumb_at(TOKEN, position.states, 0, int(rng.integers(1 << 62))))


def play_sensibly(position: Position, rng: np.random.Generator) -> int:
    """The rule of thumb, and every fifth time any legal action: games get long, and still everything happens."""
    return play_randomly(position, rng) if rng.random() < 0.2 else play_greedily(position, rng)


def play_for_cities(position: Position, rng: np.random.Generator) -> int:
    """Fill cities, and open towns only where the game would end otherwise: so tokens may all leave the board."""
    legal = position.legal_actions()
    if position.phase == "expand":
        branches = [action for action in legal if action < DOUBLE_INCOME]
        return int(rng.choice(branches)) if branches else END_EXPANDING
    if position.phase == "open":
        cities = [action for action in legal if action < OPEN_PLACE + CITIES]
        waiting = position.state["turns_without_opening"] < position.num_players - 1 or position.state["openings"] > 0
        return int(rng.choice(cities)) if cities else legal[-1] if waiting else legal[0]
    return play_sensibly(position, rng)
