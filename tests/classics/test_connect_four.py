"""Connect Four: its rules, and published counts of move sequences and positions."""

import numpy as np
import pytest

from envs.catalog import get_game
from envs.errors import IllegalAction
from envs.position import Position
from tests.classics.tree import count_sequences, positions_by_ply

GAME = get_game("connect_four")


def played(*columns):
    position = Position(GAME)
    for column in columns:
        position.apply(column)
    return position


def test_number_of_move_sequences_to_depth_8():
    """The perft counts that independent engines publish: seven to the power of the depth until a column fills up
    (depth 7 lacks the seven sequences of seven discs in one column), then less those behind a finished game.
    """
    sequences, results = count_sequences(GAME, 8)
    assert sequences == [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234]
    assert sequences[7] == 7**7 - 7
    assert sequences[7] - results[0] == 810_504, "sequences of seven discs that go on"
    assert results[2] == 0


def test_number_of_positions_to_ply_8():
    """OEIS A212693 (J. Tromp): legal positions after n plies, those in which the game has just ended included."""
    by_ply = [len(positions) for positions in positions_by_ply(GAME, 8)]
    assert by_ply == [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275]


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ((3, 4, 3, 4, 3, 4, 3), "a column"),
        ((0, 0, 1, 1, 2, 2, 3), "a row at the left rim"),
        ((3, 3, 4, 4, 5, 5, 6), "a row at the right rim"),
        ((0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3), "a rising diagonal"),
        ((6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3), "a falling diagonal"),
    ],
)
def test_four_in_a_line_wins(columns, name):
    position = played(*columns[:-1])
    assert not position.is_over, name
    position.apply(columns[-1])
    assert position.winners() == [0], name
    assert position.returns().tolist() == [1.0, -1.0]


def test_the_second_player_wins_too():
    position = played(0, 3, 0, 3, 0, 3, 1, 3)
    assert position.winners() == [1]
    assert position.returns().tolist() == [-1.0, 1.0]


def test_lines_do_not_wrap_around_from_column_to_column():
    """Three on top of column 0 and one at the bottom of column 1 are neighbours in the bit set, but no line."""
    position = played(0, 0, 0, 6, 5, 0, 5, 0, 6, 0, 4, 1)
    assert position.state.height[0] == 6
    assert not position.is_over


def test_a_full_column_is_closed():
    position = played(2, 2, 2, 2, 2, 2)
    assert 2 not in position.legal_actions()
    with pytest.raises(IllegalAction, match="action 2"):
        position.apply(2)


def test_a_full_board_without_four_is_a_draw():
    """Columns in an order that keeps any four apart; 42 discs."""
    columns = [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 2, 3, 3, 2, 3, 2, 2, 3, 2, 3]
    columns += [4, 5, 4, 5, 5, 4, 5, 4, 4, 5, 4, 5, 6, 6, 6, 6, 6, 6]
    position = played(*columns)
    assert position.move_number == 42
    assert position.terminated
    assert position.returns().tolist() == [0.0, 0.0]
    assert position.winners() == [0, 1]


def test_observation_shows_own_discs_first():
    position = played(0, 0, 6)
    own, other = position.observe(0), position.observe(1)
    assert np.flatnonzero(own).tolist() == [0, 36, 42 + 1, 85]
    assert np.flatnonzero(other).tolist() == [1, 42 + 0, 42 + 36, 84]


def test_description_and_actions_in_words():
    position = played(3, 3)
    board = position.describe()["board"]
    assert board[5][3] == 0
    assert board[4][3] == 1
    assert sum(cell is not None for row in board for cell in row) == 2
    assert position.encode_action({"type": "drop", "column": 6}) == 6
    with pytest.raises(IllegalAction, match="0 to 6"):
        position.encode_action({"type": "drop", "column": 7})
