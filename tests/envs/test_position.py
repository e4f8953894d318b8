"""Positions refuse bad input with one clear line and stay untouched."""

import numpy as np
import pytest

from envs.classics.connect_four import GAME
from envs.errors import IllegalAction, OptionError, UnknownName
from envs.position import Position
from envs.view import View


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


@pytest.mark.parametrize("seat", [-1, 2, 99, 0.5, "0", None])
def test_a_seat_that_is_not_at_the_table_is_refused(seat):
    position = Position(GAME)
    calls = [lambda: position.observe(seat), lambda: position.determinize(seat, 0), lambda: View(position, seat)]
    if seat is not None:
        calls.append(lambda: position.describe(seat))
    for call in calls:
        with pytest.raises(UnknownName, match="unknown seat"):
            call()


def test_a_bad_seed_of_a_determinization_is_refused():
    for seed in (-1, 1 << 63):
        with pytest.raises(OptionError, match="seed"):
            Position(GAME).determinize(0, seed)


@pytest.mark.parametrize("index", [7, -1, 1.5, "1", None])
def test_an_index_that_is_no_action_is_not_decoded(index):
    with pytest.raises(IllegalAction):
        Position(GAME).decode_action(index)
