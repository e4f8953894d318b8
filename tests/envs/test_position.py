"""Positions refuse bad input with one clear line and stay untouched."""

import numpy as np
import pytest

from envs.classics.connect_four import GAME
from envs.errors import IllegalAction, OptionError
from envs.position import Position


def full_column() -> Position:
    position = Position(GAME)
    for action in (0, 0, 0, 0, 0, 0):
        position.apply(action)
    return position


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (0, "connect_four, move 6: action 0 {'type': 'drop', 'column': 0} is illegal for player_0 in phase 'drop'"),
        (7, "connect_four, move 6: action 7 is out of range 0 to 6"),
        (-1, "connect_four, move 6: action -1 is out of range 0 to 6"),
        (2.0, "connect_four, move 6: action 2.0 is no whole number"),
        (None, "connect_four, move 6: action None is no whole number"),
        ("2", "connect_four, move 6: action '2' is no whole number"),
        (np.array([2, 3]), "is no whole number"),
    ],
)
def test_a_bad_action_is_refused_and_the_position_stays(action, message):
    position = full_column()
    before = position.tobytes()
    with pytest.raises(IllegalAction) as caught:
        position.apply(action)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert position.tobytes() == before


def test_an_action_after_the_end_is_refused():
    position = Position(GAME)
    for action in (0, 1, 0, 1, 0, 1, 0):
        position.apply(action)
    with pytest.raises(IllegalAction, match="the game is over"):
        position.apply(1)


@pytest.mark.parametrize("seed", [-1, 1 << 63, 0.5, None, "1"])
def test_a_bad_seed_is_refused(seed):
    with pytest.raises(OptionError, match="seed"):
        Position(GAME, seed=seed)


def test_numpy_integers_are_actions_and_seeds():
    position = Position(GAME, seed=np.int64(3))
    position.apply(np.uint8(3))
    assert position.move_number == 1


def test_copies_are_independent_and_positions_of_a_record_equal_it():
    position = full_column()
    twin, same = position.copy(), Position.of(GAME, position.state)
    twin.apply(3)
    assert position.move_number == 6
    assert same.tobytes() == position.tobytes()
    assert same.options == position.options
