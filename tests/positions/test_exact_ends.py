"""The best moves of the suites whose positions are near an end: all that can follow is played out."""

import numpy as np
import pytest

from envs.compiling import compiled
from envs.game import apply_action, legal_actions, returns
from envs.mesopotamia.state import MOVE, OFFERINGS, PICK_DESTINATION, PICK_TARGET
from tests.positions.suite import load

# ------------------------------------------------------------------ Pfeffersäcke: two players, nothing hidden or drawn

LONGEST = 60
"""More decisions than any end of the suite still has."""


@compiled
def worth(states, depth, masks, out, action, lower, upper):
    """What seat 0 of two gets after `action` if both play their best; alpha-beta between `lower` and `upper`.

    `states` and `masks` hold a position for each move, `out` the returns of a finished game.
    """
    states[depth + 1] = states[depth]
    state = states[depth + 1]
    apply_action(state, action)
    if state.terminated:
        returns(state, out)
        return out[0]
    mask = masks[depth + 1]
    mask[:] = False
    legal_actions(state, mask)
    is_first = state.current_player == 0
    best = -1.0 if is_first else 1.0
    for number in range(len(mask)):
        reply = len(mask) - 1 - number  # openings, which bring the end nearer, before expansions
        if mask[reply] and lower < upper:
            value = worth(states, depth + 1, masks, out, reply, lower, upper)
            if is_first:
                best = max(best, value)
                lower = max(lower, value)
            else:
                best = min(best, value)
                upper = min(upper, value)
    return best


@pytest.mark.parametrize("problem", load("pfeffersaecke"), ids=lambda problem: problem.name)
def test_pfeffersaecke(problem):
    position = problem.position()
    states = np.repeat(position.states, LONGEST)
    masks, out = np.empty((LONGEST, position.num_actions), np.bool_), np.empty(2)
    sign = 1 if position.current_player == 0 else -1
    values = {action: sign * worth(states, 0, masks, out, action, -1.0, 1.0) for action in position.legal_actions()}
    assert max(values.values()) == 1.0
    assert {action for action, value in values.items() if value == 1.0} == set(problem.best), values


# ------------------------------------------------------------------ Mesopotamia: who can win in this turn

MOST_MOVES = 60
"""More actions than a turn can still have where a few movement points are left and nothing is discovered."""

PLACES = 1 << 20
"""Places of the table of positions met, many times more than there are."""


@compiled
def wins_this_turn(states, rows, depth, masks, met, seat, tiles):
    """Whether `seat` can deliver its last offering in this turn without discovering, from `states[depth]`.

    `rows` are the bytes of `states`; `met` holds a hash of each position that was tried in vain or is being tried.
    """
    state = states[depth]
    if state.terminated:
        return state.players[seat].num_delivered == OFFERINGS
    is_moving = state.phase == MOVE or state.phase == PICK_TARGET or state.phase == PICK_DESTINATION
    if state.current_player != seat or not is_moving or state.num_tiles != tiles:
        return False
    state.move_number = 0
    key = 0xBF29CE484222325
    for i in range(rows.shape[1]):  # FNV-1a, in 63 bits
        key = ((key ^ rows[depth, i]) * 0x100000001B3) & 0x7FFFFFFFFFFFFFFF
    place = key % PLACES
    while met[place] != 0 and met[place] != key:
        place = (place + 1) % PLACES
    if met[place] == key:
        return False
    met[place] = key
    mask = masks[depth]
    mask[:] = False
    legal_actions(state, mask)
    for action in range(len(mask)):
        if mask[action]:
            states[depth + 1] = state
            apply_action(states[depth + 1], action)
            if wins_this_turn(states, rows, depth + 1, masks, met, seat, tiles):
                return True
    return False


def winning_actions(position):
    """The actions after which the seat to act can still deliver its last offering in this turn without discovering."""
    seat, tiles = position.current_player, int(position.state["num_tiles"])
    states = np.repeat(position.states, MOST_MOVES)
    rows = states.view(np.uint8).reshape(MOST_MOVES, -1)
    masks = np.empty((MOST_MOVES, position.num_actions), np.bool_)
    winning = set()
    for action in position.legal_actions():
        child = position.copy()
        child.apply(action)
        states[0] = child.state
        if wins_this_turn(states, rows, 0, masks, np.zeros(PLACES, np.int64), seat, tiles):
            winning.add(action)
    return winning


@pytest.mark.parametrize("problem", load("mesopotamia"), ids=lambda problem: problem.name)
def test_mesopotamia(problem):
    assert winning_actions(problem.position()) == set(problem.best)


# ------------------------------------------------------------------ Kuhn and Leduc: whatever the others hold and do


def outcomes(position, seat):
    """What `seat` may come to from here, over all that the others, and it itself later, may do: lowest, highest."""
    if position.is_over:
        return (float(position.returns()[seat]),) * 2
    ends = []
    for action in position.legal_actions():
        child = position.copy()
        child.apply(action)
        ends.append(outcomes(child, seat))
    return min(low for low, _ in ends), max(high for _, high in ends)


@pytest.mark.parametrize("problem", load("kuhn_poker"), ids=lambda problem: problem.name)
def test_kuhn_poker(problem):
    """In every deal of the hidden cards the best action comes to no less than any other, whatever follows."""
    position = problem.position()
    seat = position.current_player
    (best,) = problem.best
    deals = {position.determinize(seat, seed).state["card"].tobytes(): seed for seed in range(200)}
    assert len(deals) == (2 if position.num_players == 2 else 6)
    for seed in deals.values():
        ends = []
        for action in (best, 1 - best):
            child = position.determinize(seat, seed)
            child.apply(action)
            ends.append(outcomes(child, seat))
        assert ends[0][0] >= ends[1][1]


@pytest.mark.parametrize("problem", load("leduc_poker"), ids=lambda problem: problem.name)
def test_leduc_poker(problem):
    """Each best action comes to more than each other one on the average over the hidden cards, whatever follows."""
    position = problem.position()
    seat = position.current_player
    ranges = {}
    for action in position.legal_actions():
        ends = []
        for seed in range(2000):
            child = position.determinize(seat, seed)
            child.apply(action)
            ends.append(outcomes(child, seat))
        ranges[action] = np.mean(ends, axis=0)
    for best in problem.best:
        for other in ranges.keys() - problem.best.keys():
            assert ranges[best][0] > ranges[other][1], ranges
