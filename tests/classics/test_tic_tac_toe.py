"""Tic-tac-toe: its rules, and its well-known numbers."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from envs.catalog import get_game
from envs.errors import IllegalAction
from envs.position import Position
from tests.classics.tree import count_sequences, positions_by_ply

GAME = get_game("tic_tac_toe")
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def played(*cells):
    position = Position(GAME)
    for cell in cells:
        position.apply(cell)
    return position


def test_number_of_positions():
    """5,478 reachable positions, the empty board included."""
    by_ply = [len(positions) for positions in positions_by_ply(GAME, 9)]
    assert by_ply == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert sum(by_ply) == 5478


def test_number_of_games():
    """255,168 games: 131,184 won by the first player, 77,904 by the second, 46,080 drawn."""
    _, results = count_sequences(GAME, 9)
    assert results == [131_184, 77_904, 46_080]
    assert sum(results) == 255_168


def test_best_play_is_a_draw():
    @cache
    def value(state_bytes):
        position = Position.of(GAME, np.frombuffer(state_bytes, GAME.dtype)[0])
        if position.is_over:
            return position.returns()[0]
        children = []
        for action in position.legal_actions():
            child = position.copy()
            child.apply(action)
            children.append(value(child.tobytes()))
        return max(children) if position.current_player == 0 else min(children)

    assert value(Position(GAME).tobytes()) == 0.0
    after_corner = {reply: value(played(0, reply).tobytes()) for reply in range(1, 9)}
    assert [reply for reply in after_corner if after_corner[reply] == 0.0] == [4], "only the centre holds"
    after_centre = {reply: value(played(4, reply).tobytes()) for reply in range(9) if reply != 4}
    assert [reply for reply in after_centre if after_centre[reply] == 0.0] == [0, 2, 6, 8], "only the corners hold"


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("winner", [0, 1])
def test_each_line_wins_for_each_player(line, winner):
    elsewhere = [cell for cell in range(9) if cell not in line]
    other = next(cells for cells in combinations(elsewhere, 3) if cells not in LINES)
    first, second = (line, other) if winner == 0 else (other, line)
    moves = [cell for pair in zip(first, second, strict=True) for cell in pair]
    position = played(*moves[: 5 + winner])
    assert position.terminated
    assert position.winners() == [winner]
    assert position.returns()[winner] == 1.0
    assert position.returns().sum() == 0.0


def test_full_board_without_a_line_is_a_draw():
    position = played(0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert position.is_over
    assert position.returns().tolist() == [0.0, 0.0]
    assert position.winners() == [0, 1]


def test_a_line_completed_by_the_ninth_mark_wins():
    position = played(0, 1, 2, 3, 4, 5, 7, 6, 8)
    assert position.move_number == 9
    assert position.winners() == [0]


def test_a_marked_cell_cannot_be_marked_again():
    position = played(4)
    before = position.tobytes()
    with pytest.raises(IllegalAction, match="action 4"):
        position.apply(4)
    assert position.tobytes() == before
    assert position.legal_actions() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_observation_shows_own_marks_first():
    position = played(0, 4, 8)
    first, second = position.observe(0), position.observe(1)
    assert np.flatnonzero(first).tolist() == [0, 8, 9 + 4, 19]
    assert np.flatnonzero(second).tolist() == [4, 9 + 0, 9 + 8, 18]


def test_description_and_actions_in_words():
    position = played(2, 3)
    assert position.describe()["board"] == [[None, None, 0], [1, None, None], [None, None, None]]
    assert position.decode_action(5) == {"type": "mark", "row": 1, "column": 2}
    assert position.game.text(position.describe()) == ". . X\nO . .\n. . ."
    with pytest.raises(IllegalAction, match="row"):
        position.encode_action({"type": "mark", "row": 3, "column": 0})
