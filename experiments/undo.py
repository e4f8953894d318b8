"""Taking an action back: allowed to a seat in its own unfinished turn, as long as nothing hidden came to light."""

from __future__ import annotations

from envs.errors import IllegalAction
from envs.position import Position

SAMPLES = 300
"""How many determinizations have to agree that an action told its seat nothing new: what 1 in 30 of them would have
shown passes with a chance of 0.00004."""

_SAME = 0
"""Positions that a seat cannot tell apart give the same bytes when they are determinized for it with one seed."""


def may_take_back(before: Position, action: int, after: Position, seat: int | None) -> bool:
    """Whether `seat` may take back the action that led from `before` to `after`.

    It may if it acted in `before` and is to act again, if the action drew on no chance, and if what the seat knows now
    would be the same in whatever the position before may have been for it.
    """
    if seat is None or not before.current_player == seat == after.current_player:
        return False
    if (before.states["draws"] != after.states["draws"]).any():
        return False
    if not before.game.hidden_information:
        return True
    known = after.determinize(seat, _SAME).tobytes()
    for number in range(SAMPLES):
        other = before.determinize(seat, number)
        try:
            other.apply(action)
        except IllegalAction:
            return False
        if other.determinize(seat, _SAME).tobytes() != known:
            return False
    return True
