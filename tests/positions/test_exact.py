"""The best moves of the suites, worked out by playing every position to the end where that can be done."""

from functools import cache

import numpy as np
import pytest

from envs.compiling import compiled
from envs.fuerstenfeld.state import DISCARD
from envs.game import apply_action, legal_actions
from envs.position import Position
from envs.travel_blog.state import FINALE
from tests.classics.connect_four_solver import Solver
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


@pytest.mark.parametrize("problem", load("connect_four"), ids=lambda problem: problem.name)
def test_connect_four(problem):
    values = Solver().move_values(problem.position())
    assert best_actions(values) == set(problem.best), values


# ------------------------------------------------------------------ Travel Blog: the finale in open waves


MOST_TOKENS = 8
"""Two colours of two tokens for each of two seats."""


@compiled
def worth(states, depth, masks, action):
    """What seat 0 of two gets after `action`, from 1 to -1, if both play their best until the end of the finale.

    Chance is which seat opens the next wave of tokens. `states` and `masks` hold a position for each move.
    """
    states[depth + 1] = states[depth]
    state = states[depth + 1]
    apply_action(state, action)
    if state.terminated:
        ahead = state.players[0].cash - state.players[1].cash
        return 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0
    openers = 2 if state.turn == 0 else 1
    total = 0.0
    for opener in range(openers):
        if openers == 2:
            state.current_player = state.wave_order[0] = opener
            state.wave_order[1] = 1 - opener
        sign = 1.0 if state.current_player == 0 else -1.0
        masks[depth + 1] = False
        legal_actions(state, masks[depth + 1])
        best = -1.0
        for reply in range(masks.shape[1]):
            if best < 1.0 and masks[depth + 1, reply]:
                best = max(best, sign * worth(states, depth + 1, masks, reply))
        total += sign * best
    return total / openers


@pytest.mark.parametrize("problem", load("travel_blog"), ids=lambda problem: problem.name)
def test_travel_blog(problem):
    position = problem.position()
    assert position.state["round"] == FINALE
    states = np.repeat(position.states, MOST_TOKENS + 1)
    masks = np.empty((len(states), position.num_actions), np.bool_)
    sign = 1 if position.current_player == 0 else -1
    values = {action: sign * worth(states, 0, masks, action) for action in position.legal_actions()}
    assert best_actions(values) == set(problem.best), values


# ------------------------------------------------------------------ Fürstenfeld: a turn that wins this round

TURNS_THAT_WIN = {
    "last_palace_on_the_sixth_space",
    "last_palace_now",
    "two_palaces_in_one_round",
    "sell_for_the_last_palace",
    "sell_water_for_the_last_palace",
}
LONGEST_TURN = 60


@compiled
def wins_this_round(states, depth, masks, action):
    """Whether the seat to act, the last one of this round, can win in this round after `action`."""
    seat, number = states[depth].current_player, states[depth].round_number
    states[depth + 1] = states[depth]
    state = states[depth + 1]
    apply_action(state, action)
    if state.terminated:
        own, other = state.players[seat], state.players[1 - seat]
        return own.palaces > other.palaces or (own.palaces == other.palaces and own.coins > other.coins)
    if state.round_number != number or state.truncated:
        return False
    masks[depth + 1] = False
    legal_actions(state, masks[depth + 1])
    for following in range(masks.shape[1]):
        if masks[depth + 1, following]:
            if wins_this_round(states, depth + 1, masks, following):
                return True
            if state.phase == DISCARD:  # what is discarded makes no difference to the end of this round
                return False
    return False


@pytest.mark.parametrize(
    "problem",
    [problem for problem in load("fuerstenfeld") if problem.name in TURNS_THAT_WIN],
    ids=lambda problem: problem.name,
)
def test_fuerstenfeld(problem):
    position = problem.position()
    assert position.state.turn == position.num_players - 1 == 1
    states = np.repeat(position.states, LONGEST_TURN)
    masks = np.empty((LONGEST_TURN, position.num_actions), np.bool_)
    assert {a for a in position.legal_actions() if wins_this_round(states, 0, masks, a)} == set(problem.best)
