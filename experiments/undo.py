"""Taking an action back: allowed to a seat in its own unfinished turn, as long as nothing hidden came to light."""

from __future__ import annotations

import numpy as np

from envs.errors import IllegalAction
from envs.position import Position

SAMPLES = 8
"""How many determinizations have to agree that an action told its seat nothing new."""


def may_take_back(before: Position, action: int, after: Position, seat: int | None) -> bool:
    """Whether `seat` may take back the action that led from `before` to `after`.

    It may if it acted in `before` and is to act again, if the action drew on no chance, and if what the seat sees now
    would be the same in whatever the position before may have been for it.
    """
    if seat is None or not before.current_player == seat == after.current_player:
        return False
    if (before.states["draws"] != after.states["draws"]).any():
        return False
    seen, observed = after.describe(seat), after.observe(seat)
    for number in range(SAMPLES):
        other = before.determinize(seat, number)
        try:
            other.apply(action)
        except IllegalAction:
            return False
        if other.describe(seat) != seen or not np.array_equal(other.observe(seat), observed):
            return False
    return True
