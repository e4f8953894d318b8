"""Ways to play Fürstenfeld in the tests: sensibly, and counting what is played."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from envs.fuerstenfeld.components import COST
from envs.fuerstenfeld.state import CARD_NAMES, CARDS
from envs.position import Position
from envs.walk import Policy

PALACES_FROM_ROUND = 4
FIRST_BUILDING = 5
"""What can be paid in the first round: 2 coins and 3 for the goods."""


def worth(card: str | None) -> int:
    """How much one would mind covering what lies on a space: what it cost; a palace counts as most."""
    if card is None:
        return -2
    if card.startswith("palace"):
        return 100
    return -1 if card.startswith("printed") else int(COST[CARD_NAMES.index(card)])


def play_sensibly(position: Position, rng: np.random.Generator) -> int:
    """Sell dearly, build fields and then palaces over what is worth least, keep palaces; by what the seat sees."""
    actions = [(index, position.decode_action(index)) for index in position.legal_actions()]
    described = position.describe(position.current_player)
    me = described["players"][position.current_player]

    def merit(action: dict[str, Any]) -> float:
        kind = action["type"]
        if kind in ("sell", "sell_as"):
            prices = described["breweries"][action["brewery"]]["price"]
            kinds = {action["good"]: me["goods"][action["good"]], **me["goods"]}
            whole = sum(prices[good] * count for good, count in kinds.items())
            better = kind == "sell_as" and prices[action["as"]] > prices[action["good"]]
            # Goods in front are sold first, or the order of the goods would shut them out.
            return whole + 50 * better - 10 * (kind == "sell_as") - list(prices).index(action["good"]) / 10
        if kind == "build":
            return build_merit(action)
        if kind in ("discard", "scavenge"):
            return (20 if kind == "scavenge" else 15) - worth(action["card"])
        if kind == "keep":
            return -abs(worth(action["card"]) - FIRST_BUILDING)
        return {"draw_extra": 1.0, "store": 1.0, "end_discarding": 10.0}.get(kind, 0.0)

    def build_merit(action: dict[str, Any]) -> float:
        gain, lost = worth(action["card"]), worth(me["spaces"][action["space"]])
        if action["card"].startswith("palace"):
            return 60 - lost if described["round"] >= PALACES_FROM_ROUND else -1
        return gain - 3 * max(0, lost)

    values = np.array([merit(action) for _, action in actions]) + 0.01 * rng.random(len(actions))
    return actions[int(values.argmax())][0]


class Counted:
    """A policy that counts, by action type and card, what it plays."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.played: Counter[tuple[str, str]] = Counter()

    def __call__(self, position: Position, rng: np.random.Generator) -> int:
        index = self.policy(position, rng)
        action = position.decode_action(index)
        self.played[action["type"], action.get("card", "")] += 1
        return index


CARD_IDS = [CARD_NAMES[card] for card in CARDS]
