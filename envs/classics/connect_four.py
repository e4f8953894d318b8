"""Connect Four: drop discs into seven columns of six; four in a line win.

The board is kept as two bit sets of 49 bits, seven a column (six cells and an empty one on top), so that
four in a line is found with shifts (the bitboard of J. Tromp's Fhourstones). Cell `row` of `column`, rows
from the bottom, is bit `7 * column + row`.
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

COLUMNS, ROWS = 7, 6
CELLS = COLUMNS * ROWS


@compiled
def has_four(discs: int) -> bool:
    """Whether a bit set holds four in a line: down a column, along a row, or along a diagonal."""
    for shift in (1, 6, 7, 8):
        pairs = discs & (discs >> shift)
        if pairs & (pairs >> (2 * shift)):
            return True
    return False


@compiled
def setup(state: State) -> None:
    state.current_player = 0


@compiled
def legal_actions(state: State, mask: Any) -> int:
    count = 0
    for column in range(COLUMNS):
        if state.height[column] < ROWS:
            mask[column] = True
            count += 1
    return count


@compiled
def apply_action(state: State, column: int) -> None:
    player = state.current_player
    discs = state.discs[player] | (1 << (7 * column + state.height[column]))
    state.discs[player] = discs
    state.height[column] += 1
    if has_four(discs):
        state.winner = player + 1
        state.terminated = 1
    elif state.move_number == CELLS:
        state.terminated = 1
    state.current_player = 1 - player


@compiled
def without_gaps(discs: int) -> int:
    """The bit set with 42 bits, six a column: the empty cells on top of the columns left out."""
    cells = 0
    for column in range(COLUMNS):
        cells |= ((discs >> (7 * column)) & 63) << (ROWS * column)
    return cells


@compiled
def observe(state: State, player: int, out: Any) -> None:
    """Two planes of 42 cells, columns left to right, each bottom up (own discs, the other's); whose turn it is.

    One loop over consecutive bits and no branch: the compiler writes several cells at once, seven times
    as fast as testing each bit of the two boards.
    """
    own, other = without_gaps(state.discs[player]), without_gaps(state.discs[1 - player])
    for cell in range(CELLS):
        out[cell] = (own >> cell) & 1
        out[CELLS + cell] = (other >> cell) & 1
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
    column = action.get("column")
    if action.get("type") != "drop" or set(action) != {"type", "column"} or not isinstance(column, int):
        column = -1
    if column not in range(COLUMNS):
        raise IllegalAction(f'connect_four has no action {dict(action)}: write {{"type": "drop", "column": 0 to 6}}')
    return column


def decode_action(index: int, options: Options) -> dict[str, Any]:
    return {"type": "drop", "column": index}


def describe(state: State, player: int | None) -> dict[str, Any]:
    """`board`: six rows from the top, each seven cells, null or the seat whose disc lies there."""
    board: list[list[int | None]] = [[None] * COLUMNS for _ in range(ROWS)]
    for seat in range(2):
        for column in range(COLUMNS):
            for row in range(ROWS):
                if (state.discs[seat] >> (7 * column + row)) & 1:
                    board[ROWS - 1 - row][column] = seat
    return {"board": board, "players": [{"discs": state.discs[seat].bit_count()} for seat in range(2)]}


def text(description: dict[str, Any]) -> str:
    rows = [" ".join([".", "X", "O"][0 if cell is None else cell + 1] for cell in row) for row in description["board"]]
    return "\n".join([*rows, " ".join(str(column) for column in range(COLUMNS))])


def draw(description: dict[str, Any]) -> str:
    svg = Svg(7 * 60 + 20, 6 * 60 + 50)
    svg.rect(10, 10, 7 * 60, 6 * 60, fill="#24509a", rx=12)
    for column in range(COLUMNS):
        x = 40 + 60 * column
        with svg.group(key=column_key(column)):
            svg.rect(x - 29, 12, 58, 6 * 60 - 4, fill="#24509a", rx=10)
            for row in range(ROWS):
                seat, y = description["board"][row][column], 40 + 60 * row
                svg.circle(x, y, 24, fill="#f4f1e8" if seat is None else PLAYER_COLOURS[seat])
                if seat is not None:  # the seat's number and a ring tell the discs apart without their colours
                    ink = ("#ffffff", "#2b2b2b")[seat]
                    svg.circle(x, y, 17, fill="none", stroke=ink, stroke_dasharray=(None, "4 4")[seat])
                    svg.text(x, y + 6, str(seat), size=17, anchor="middle", fill=ink, font_weight="bold")
        svg.text(x, 392, str(column), anchor="middle")
    return svg.to_string()


def column_key(column: int) -> str:
    """What the drawing calls a column."""
    return f"column_{column}"


def places(action: Mapping[str, Any], description: Mapping[str, Any]) -> tuple[str, ...]:
    return (column_key(action["column"]),)


def say(action: Mapping[str, Any], description: Mapping[str, Any], public: bool = False) -> str:
    return f"Drop a disc into column {action['column']}"


GAME = register(
    Game(
        name="connect_four",
        title="Connect Four",
        summary="seven columns of six, four in a line win; perfect information",
        min_players=2,
        max_players=2,
        fields=(("discs", "i8", (2,)), ("height", "i1", (COLUMNS,)), ("winner", "i1")),
        streams=(),
        phases=("drop",),
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        observe=observe,
        determinize=determinize,
        returns=returns,
        num_actions=lambda options: COLUMNS,
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
