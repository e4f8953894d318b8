"""Games that are played on a board, as networks and learners may know it.

A network that convolves needs to know which of the numbers observed are cells of a board, and beside which others they
lie. And where a board may be turned or mirrored without anything changing, one decision teaches as much as all of its
images. Neither changes what a seat knows or may do, so neither is a rule of the game: it is declared here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from envs.position import Array


@dataclass(frozen=True)
class Board:
    """The first `planes * rows * columns` numbers observed are planes of a board, each row by row.

    `symmetries` gives the permutations under which the game stays the same: pairs of one of the cells
    (int64[rows * columns]) and the one of the actions that goes with it (int64[A]), the identity first. The image has
    at place i what was at place `permutation[i]`.
    """

    planes: int
    rows: int
    columns: int
    symmetries: Callable[[], list[tuple[Array, Array]]]

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.planes, self.rows, self.columns

    def permutations(self, observation_size: int) -> tuple[Array, Array]:
        """All symmetries as permutations of what is observed (int64[s, O]) and of the actions (int64[s, A])."""
        cells = self.rows * self.columns
        rest = np.arange(self.planes * cells, observation_size)
        observed, actions = [], []
        for board, moves in self.symmetries():
            observed.append(np.concatenate([*(board + plane * cells for plane in range(self.planes)), rest]))
            actions.append(moves)
        return np.array(observed), np.array(actions)


def _mirrored_columns() -> list[tuple[Array, Array]]:
    """Connect Four: left and right may be exchanged; a row of the array is a column of the board."""
    cells, columns = np.arange(42).reshape(7, 6), np.arange(7)
    return [(cells.ravel(), columns), (cells[::-1].ravel(), columns[::-1])]


def _square(size: int) -> list[tuple[Array, Array]]:
    """All turns and mirror images of a square whose cells are the actions."""
    cells = np.arange(size * size).reshape(size, size)
    images = [np.rot90(board, turns).ravel() for board in (cells, cells.T) for turns in range(4)]
    return [(image, image) for image in images]


_BY_GAME = {
    "connect_four": Board(2, 7, 6, _mirrored_columns),
    "tic_tac_toe": Board(2, 3, 3, lambda: _square(3)),
}


def board_of(game: str) -> Board | None:
    """The board of a game by the game's name; None if it has none that is known here."""
    return _BY_GAME.get(game)


def register_board(game: str, board: Board) -> None:
    """Declare the board of a game of your own."""
    _BY_GAME[game] = board
