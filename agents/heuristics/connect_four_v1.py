"""Connect Four, version 1: win, block, give no win away, else make threats and seek the middle."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from agents.heuristics.contract import Heuristics, register_heuristics
from envs.chance import random_bits
from envs.classics.connect_four import CELLS, COLUMNS, ROWS, has_four
from envs.compiling import compiled

TIES = 0
"""The stream of `random_bits` that breaks ties."""

BOARD = sum(1 << (7 * column + row) for column in range(COLUMNS) for row in range(ROWS))
"""All 42 cells as a bit set, laid out as in the game's record."""

IMMEDIATE = 0.95
"""What a seat may expect that can win at once, or has two ways to and is not to move."""

THREAT, PARITY = 0.25, 0.35
"""What a cell that would complete four is worth, and more if its row suits the seat (see `evaluate`)."""


@compiled
def count_bits(bits: int) -> int:
    """The number of ones in a non-negative integer."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@compiled
def completing(discs: int, taken: int) -> int:
    """The empty cells that complete four in a line for `discs`, as a bit set; `taken` is every disc's cell."""
    cells = (discs << 1) & (discs << 2) & (discs << 3)
    for shift in (6, 7, 8):
        below = (discs << shift) & (discs << 2 * shift)
        above = (discs >> shift) & (discs >> 2 * shift)
        cells |= below & ((discs << 3 * shift) | (discs >> shift))
        cells |= above & ((discs >> 3 * shift) | (discs << shift))
    return cells & BOARD & ~taken


@compiled
def lines_through(column: int, row: int) -> int:
    """How many of the 69 lines of four pass through a cell: 3 in the corners, 13 in the middle."""
    lines = min(row + 1, ROWS - row, 3)  # vertical
    lines += min(column + 1, COLUMNS - column, 4)  # horizontal
    for slope in (-1, 1):
        for start in range(-3, 1):
            left, right = column + start, column + start + 3
            low, high = row + slope * start, row + slope * (start + 3)
            if left >= 0 and right < COLUMNS and min(low, high) >= 0 and max(low, high) < ROWS:
                lines += 1
    return lines


@compiled
def rule_of_thumb(state: Any, seed: int) -> int:
    """Win in one, else block, else the most threats made and prevented and the most lines; give no win away."""
    own = state.discs[state.current_player]
    other = state.discs[1 - state.current_player]
    best = best_score = -1
    draws = ties = 0
    for column in range(COLUMNS):
        row = state.height[column]
        if row == ROWS:
            continue
        cell = 1 << (7 * column + row)
        taken = own | other | cell
        if has_four(own | cell):
            return column
        score = lines_through(column, row) + 6 * count_bits(completing(own | cell, taken))
        score += 4 * count_bits(completing(other | cell, taken))
        if row + 1 < ROWS and has_four(other | (cell << 1)):
            score = 0  # the other seat wins right on top of this disc
        if has_four(other | cell):
            score += 1000
        if score > best_score:
            best, best_score, ties = column, score, 1
        elif score == best_score:
            ties += 1
            if random_bits(seed, TIES, draws) % ties == 0:
                best = column
            draws += 1
    return best


@compiled
def evaluate(state: Any, seat: int, out: Any) -> None:
    """A win at hand, else the cells that would complete four; those in rows that fall to the seat count more.

    When only forced columns are left the first seat fills the odd rows (first, third, fifth) and the second
    the even ones, so that is where a standing threat wins (V. Allis, "A Knowledge-based Approach of
    Connect-Four", 1988).
    """
    mover = state.current_player
    taken = state.discs[0] | state.discs[1]
    playable = 0
    for column in range(COLUMNS):
        if state.height[column] < ROWS:
            playable |= 1 << (7 * column + state.height[column])
    sure = -1
    if completing(state.discs[mover], taken) & playable:
        sure = mover
    elif count_bits(completing(state.discs[1 - mover], taken) & playable) > 1:
        sure = 1 - mover
    if sure >= 0:
        out[sure] = IMMEDIATE
        out[1 - sure] = -IMMEDIATE
        return
    balance = 0.0
    for player in range(2):
        cells = completing(state.discs[player], taken)
        worth = 0.0
        for column in range(COLUMNS):
            for row in range(state.height[column], ROWS):
                if (cells >> (7 * column + row)) & 1:
                    worth += THREAT + (PARITY if row % 2 == player else 0.0)
        balance += worth if player == 0 else -worth
    balance *= 0.5 + 0.5 * count_bits(taken) / CELLS
    out[0] = math.tanh(balance)
    out[1] = -out[0]


register_heuristics(
    Heuristics(
        game="connect_four",
        version=1,
        evaluate=evaluate,
        rule_of_thumb=rule_of_thumb,
        sources=(Path(__file__),),
    )
)
