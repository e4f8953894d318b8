"""The best moves of the open games' suites, worked out by playing every position to the end."""

from functools import cache

import numpy as np
import pytest

from envs.classics.connect_four import COLUMNS, ROWS, has_four
from envs.compiling import compiled
from envs.position import Position
from tests.positions.suite import load


def best_actions(values):
    return {action for action, value in values.items() if value == max(values.values())}


# ------------------------------------------------------------------ tic-tac-toe


@cache
def value_for_first(game, record):
    """What the first seat gets from here if both play their best."""
    position = Position.of(game, np.frombuffer(record, game.dtype)[0])
    if position.is_over:
        return position.returns()[0]
    values = [value_for_first(game, after(position, action)) for action in position.legal_actions()]
    return max(values) if position.current_player == 0 else min(values)


def after(position, action):
    child = position.copy()
    child.apply(action)
    return child.tobytes()


@pytest.mark.parametrize("problem", load("tic_tac_toe"), ids=lambda problem: problem.name)
def test_tic_tac_toe(problem):
    position = problem.position()
    sign = 1 if position.current_player == 0 else -1
    values = {
        action: sign * value_for_first(position.game, after(position, action)) for action in position.legal_actions()
    }
    assert best_actions(values) == set(problem.best), values


# ------------------------------------------------------------------ Connect Four


@compiled
def value_of(own, other, lower, upper):
    """1, 0 or -1: what the seat to move, with the discs `own`, gets; alpha-beta, middle columns first."""
    discs = own | other
    best = -2
    for number in range(COLUMNS):
        column = COLUMNS // 2 + (number + 1) // 2 * (1 if number % 2 else -1)
        cell = 1 << (7 * column)
        while discs & cell:
            cell <<= 1
        if cell == 1 << (7 * column + ROWS):
            continue
        if has_four(own | cell):
            return 1
        best = max(best, 0)
    if best < 0:
        return 0  # the board is full
    best = -1
    for number in range(COLUMNS):
        column = COLUMNS // 2 + (number + 1) // 2 * (1 if number % 2 else -1)
        cell = 1 << (7 * column)
        while discs & cell:
            cell <<= 1
        if cell == 1 << (7 * column + ROWS):
            continue
        best = max(best, -value_of(other, own | cell, -upper, -max(lower, best)))
        if best >= upper:
            break
    return best


@pytest.mark.parametrize("problem", load("connect_four"), ids=lambda problem: problem.name)
def test_connect_four(problem):
    position = problem.position()
    seat = position.current_player
    values = {}
    for action in position.legal_actions():
        child = position.copy()
        child.apply(action)
        own, other = (int(child.state.discs[player]) for player in (1 - seat, seat))
        values[action] = child.returns()[seat] if child.is_over else -value_of(own, other, -1, 1)
    assert best_actions(values) == set(problem.best), values
