"""Connect Four, solved: what each move is worth if both seats play their best from there on.

Alpha-beta over the bit sets of the game (bit `7 * column + row`) with a transposition table, moves that leave the other
side a win cut off at once, and the others tried by how many threats they make (P. Pons, "Solving Connect 4: how to
build a perfect AI", 2015). It knows who wins, not how soon.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.classics.connect_four import CELLS, COLUMNS, ROWS
from envs.compiling import compiled
from envs.position import Position

BOTTOM = sum(1 << (7 * column) for column in range(COLUMNS))
BOARD = BOTTOM * ((1 << ROWS) - 1)
TABLE_BITS = 22


@compiled
def threats(discs: Any, occupied: Any) -> Any:
    """The empty cells that make four in a line with `discs`."""
    found = (discs << 1) & (discs << 2) & (discs << 3)
    for shift in (6, 7, 8):
        pairs = (discs << shift) & (discs << (2 * shift))
        found |= pairs & (discs << (3 * shift))
        found |= pairs & (discs >> shift)
        pairs = (discs >> shift) & (discs >> (2 * shift))
        found |= pairs & (discs << shift)
        found |= pairs & (discs >> (3 * shift))
    return found & (BOARD ^ occupied)


@compiled
def count(cells: Any) -> int:
    number = 0
    while cells:
        cells &= cells - 1
        number += 1
    return number


@compiled
def value_of(own: Any, occupied: Any, moves: int, lower: int, upper: int, keys: Any, bounds: Any) -> int:
    """1, 0 or -1: what the seat to move, with the discs `own`, gets, or a bound of that outside `lower` to `upper`.

    It cannot win at once. `moves` have been played; `keys` (int64) and `bounds` (int8[entries, 2]) are the table.
    """
    playable = (occupied + BOTTOM) & BOARD
    danger = threats(own ^ occupied, occupied)
    forced = playable & danger
    if forced:
        if forced & (forced - 1):
            return -1
        playable = forced
    playable &= ~(danger >> 1)
    if playable == 0:
        return -1 if moves < CELLS else 0
    if moves >= CELLS - 2:
        return 0
    key = own + occupied + BOTTOM
    place = (key * 0x2545F4914F6CDD1D >> 32) & (len(keys) - 1)
    least, most = -1, 1
    if keys[place] == key:
        least, most = bounds[place, 0], bounds[place, 1]
        lower, upper = max(lower, least), min(upper, most)
        if lower >= upper:
            return lower
    order = np.empty(COLUMNS, np.int64)
    merit = np.empty(COLUMNS, np.int64)
    number = 0
    for step in range(COLUMNS):
        column = COLUMNS // 2 + (step + 1) // 2 * (1 if step % 2 else -1)
        cell = playable & (((1 << ROWS) - 1) << (7 * column))
        if cell:
            score = count(threats(own | cell, occupied | cell))
            at = number
            while at and merit[at - 1] < score:
                order[at], merit[at] = order[at - 1], merit[at - 1]
                at -= 1
            order[at], merit[at] = cell, score
            number += 1
    best, before = -1, lower
    for step in range(number):
        cell = order[step]
        best = max(best, -value_of(own ^ occupied, occupied | cell, moves + 1, -upper, -lower, keys, bounds))
        lower = max(lower, best)
        if lower >= upper:
            break
    if best > before:
        least = max(least, best)
    if best < upper:
        most = min(most, best)
    keys[place] = key
    bounds[place, 0], bounds[place, 1] = least, most
    return best


class Solver:
    """Keeps what it has found for further positions."""

    def __init__(self) -> None:
        self._keys = np.zeros(1 << TABLE_BITS, np.int64)
        self._bounds = np.zeros((1 << TABLE_BITS, 2), np.int8)

    def move_values(self, position: Position) -> dict[int, int]:
        """What the seat to move gets by each legal action: 1, 0 or -1."""
        discs, seat = position.state.discs, position.current_player or 0
        own, other = int(discs[seat]), int(discs[1 - seat])
        return {action: self._after(own, other, position.move_number, action) for action in position.legal_actions()}

    def _after(self, own: int, other: int, moves: int, column: int) -> int:
        occupied = own | other
        cell = (occupied + (1 << (7 * column))) & (((1 << ROWS) - 1) << (7 * column))
        playable = ((occupied | cell) + BOTTOM) & BOARD
        if cell & threats(own, occupied):
            return 1
        if threats(other, occupied | cell) & playable:
            return -1
        return -int(value_of(other, occupied | cell, moves + 1, -1, 1, self._keys, self._bounds))
