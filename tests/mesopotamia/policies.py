"""How games of Mesopotamia are played in tests: the rule of thumb, now and then a random action."""

from __future__ import annotations

import numpy as np

from agents.greedy import rule_of_thumb_at
from agents.heuristics.contract import get_heuristics
from envs.position import Position
from envs.walk import play_randomly

TOKEN = get_heuristics("mesopotamia").token

SELDOM_CHOSEN = ("steal", "pick_load", "pick_hut", "play_priest", "choose_hex", "drop", "take_offering")


def play_greedily(position: Position, rng: np.random.Generator) -> int:
    """The rule of thumb."""
    return int(rule_of_thumb_at(TOKEN, position.states, 0, int(rng.integers(1 << 62))))


def play_sensibly(position: Position, rng: np.random.Generator) -> int:
    """The rule of thumb, and every tenth time any legal action: games get far, and still everything happens."""
    return play_randomly(position, rng) if rng.random() < 0.1 else play_greedily(position, rng)


def play_cards(position: Position, rng: np.random.Generator) -> int:
    """Sensible, but whatever the rule of thumb seldom does is done as soon as it can be, one time in two."""
    if rng.random() < 0.5:
        legal = position.legal_actions()
        kinds = [position.decode_action(action)["type"] for action in legal]
        seldom = [
            action for action, kind in zip(legal, kinds, strict=True) if kind in SELDOM_CHOSEN or kind == "play_card"
        ]
        if seldom:
            return int(rng.choice(seldom))
    return play_sensibly(position, rng)
