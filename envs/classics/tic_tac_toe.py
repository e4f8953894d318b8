"""Tic-tac-toe: mark the cells of a 3 by 3 board in turn; three in a line win.

The smallest game of the house, meant to be copied: everything a game needs is in this file, top to
bottom in the order of the contract in `envs.game`. Cell `row`, `column`, rows from the top, holds 0
while it is empty, else the seat that marked it plus one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from envs.compiling import compiled
from envs.errors import IllegalAction
from envs.game import Game, State, register
from envs.options import Options
from envs.svg import PLAYER_COLOURS, Svg

SIZE = 3
CELLS = SIZE * SIZE
MARKS = ("X", "O")
CELL_NAMES = (
    ("top left", "top centre", "top right"),
    ("middle left", "centre", "middle right"),
    ("bottom left", "bottom centre", "bottom right"),
)


@compiled
def completes_line(state: State, row: int, column: int) -> bool:
    """Whether the mark in a cell makes three in a line: its row, its column, or a diagonal through it."""
    mark = state.cell[row, column]
    in_row = in_column = falling = rising = 0
    for i in range(SIZE):
        in_row += 1 if state.cell[row, i] == mark else 0
        in_column += 1 if state.cell[i, column] == mark else 0
        falling += 1 if state.cell[i, i] == mark else 0
        rising += 1 if state.cell[i, SIZE - 1 - i] == mark else 0
    # A diagonal full of the mark runs through this cell, for the game would have ended before otherwise.
    return in_row == SIZE or in_column == SIZE or falling == SIZE or rising == SIZE


@compiled
def setup(state: State) -> None:
    state.current_player = 0


@compiled
def legal_actions(state: State, mask: Any) -> int:
    count = 0
    for cell in range(CELLS):
        if state.cell[cell // SIZE, cell % SIZE] == 0:
            mask[cell] = True
            count += 1
    return count


@compiled
def apply_action(state: State, cell: int) -> None:
    player = state.current_player
    row, column = cell // SIZE, cell % SIZE
    state.cell[row, column] = player + 1
    if completes_line(state, row, column):
        state.winner = player + 1
        state.terminated = 1
    elif state.move_number == CELLS:
        state.terminated = 1
    state.current_player = 1 - player


@compiled
def observe(state: State, player: int, out: Any) -> None:
    """Two planes of nine cells, row by row (own marks, the other's); then one-hot whose turn it is, own first."""
    for cell in range(CELLS):
        mark = state.cell[cell // SIZE, cell % SIZE]
        if mark != 0:
            out[cell if mark == player + 1 else CELLS + cell] = 1.0
    out[2 * CELLS if state.current_player == player else 2 * CELLS + 1] = 1.0


@compiled
def determinize(state: State, player: int) -> None:
    """Nothing is hidden."""


@compiled
def returns(state: State, out: Any) -> None:
    if state.winner:
        out[state.winner - 1] = 1.0
        out[2 - state.winner] = -1.0


def encode_action(action: Mapping[str, Any], options: Options) -> int:
    for cell in range(CELLS):
        if action == decode_action(cell, options):
            return cell
    raise IllegalAction(
        f'tic_tac_toe has no action {dict(action)}: write {{"type": "mark", "row": 0 to 2, "column": 0 to 2}}'
    )


def decode_action(index: int, options: Options) -> dict[str, Any]:
    return {"type": "mark", "row": index // SIZE, "column": index % SIZE}


def describe(state: State, player: int | None) -> dict[str, Any]:
    """`board`: three rows from the top, each three cells, null or the seat that marked the cell."""
    board = [[mark - 1 if mark else None for mark in state.cell[row]] for row in range(SIZE)]
    return {"board": board, "players": [{"mark": mark} for mark in MARKS]}


def text(description: dict[str, Any]) -> str:
    return "\n".join(" ".join("." if cell is None else MARKS[cell] for cell in row) for row in description["board"])


def draw(description: dict[str, Any]) -> str:
    cell, rim = 80, 15
    end = rim + SIZE * cell
    svg = Svg(end + rim, end + rim)
    for i in range(1, SIZE):
        svg.line(rim + i * cell, rim, rim + i * cell, end, stroke_width=4)
        svg.line(rim, rim + i * cell, end, rim + i * cell, stroke_width=4)
    for row, marks in enumerate(description["board"]):
        for column, seat in enumerate(marks):
            x, y = rim + (column + 0.5) * cell, rim + (row + 0.5) * cell
            svg.rect(x - 36, y - 36, 72, 72, rx=8, fill="#fbfaf5", key=cell_key(row, column))
            if seat == 0:
                for slope in (-1, 1):
                    svg.line(x - 24, y - slope * 24, x + 24, y + slope * 24, stroke=PLAYER_COLOURS[0], stroke_width=9)
            elif seat == 1:
                svg.circle(x, y, 25, fill="none", stroke=PLAYER_COLOURS[1], stroke_width=9)
    return svg.to_string()


def cell_key(row: int, column: int) -> str:
    """What the drawing calls a cell."""
    return f"cell_{row}_{column}"


def places(action: Mapping[str, Any], description: Mapping[str, Any]) -> tuple[str, ...]:
    return (cell_key(action["row"], action["column"]),)


def say(action: Mapping[str, Any], description: Mapping[str, Any], public: bool = False) -> str:
    mark = MARKS[description["current_player"]]
    return f"Put an {mark} into the {CELL_NAMES[action['row']][action['column']]} cell"


GAME = register(
    Game(
        name="tic_tac_toe",
        title="Tic-tac-toe",
        summary="nine cells, three in a line win; perfect information",
        min_players=2,
        max_players=2,
        fields=(("cell", "i1", (SIZE, SIZE)), ("winner", "i1")),
        streams=(),
        phases=("mark",),
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        observe=observe,
        determinize=determinize,
        returns=returns,
        num_actions=lambda options: CELLS,
        observation_size=lambda options: 2 * CELLS + 2,
        encode_action=encode_action,
        decode_action=decode_action,
        describe=describe,
        draw=draw,
        text=text,
        say=say,
        places=places,
        sources=(Path(__file__),),
        hidden_information=False,
    )
)
