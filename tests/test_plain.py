"""Plain mode: numbers read as Python ints, stores and indices checked, and so every integer trap caught."""

import numpy as np
import pytest

from envs.errors import GameDefinitionError
from envs.game import check_record
from envs.plain import plain, raw
from tests.plain_mode import BOUNDS_CHECKED, PLAIN, PlayFailed, digest_under

PLAYER = np.dtype((np.record, [("coins", "i1"), ("hand", "u1", (3,))]))
DTYPE = np.dtype((np.record, [("small", "i1"), ("bits", "i8"), ("players", PLAYER, (2,)), ("map", "i1", (2, 3))]))


@pytest.fixture
def record():
    return np.zeros(1, DTYPE)[0]


# ------------------------------------------------------------------ the proxy


def test_numbers_are_read_as_python_ints(record):
    state = plain(record)
    state.small = 100
    assert type(state.small) is int
    assert state.small + state.small == 200, "eight bits would wrap around to -56"
    assert state.players[1].coins - 1 == -1
    assert 1 << (state.small - 60) == 2**40, "a shift by an eight-bit number keeps all bits"


@pytest.mark.parametrize("value", [300, 128, -129])
def test_a_store_out_of_range_is_caught(record, value):
    state = plain(record)
    with pytest.raises(OverflowError, match=f"{value} does not fit int8"):
        state.small = value
    with pytest.raises(OverflowError, match=str(value)):
        state.map[1, 2] = value
    with pytest.raises(OverflowError, match=str(value)):
        state.players[0].coins = value
    assert not record.tobytes().strip(b"\0")


def test_a_sum_that_overflows_is_caught(record):
    state = plain(record)
    state.small = 100
    with pytest.raises(OverflowError, match="200"):
        state.small += 100


def test_below_zero_of_an_unsigned_field_is_caught(record):
    with pytest.raises(OverflowError, match="-1 does not fit uint8"):
        plain(record).players[0].hand[0] -= 1


@pytest.mark.parametrize("index", [3, -1, 1000])
def test_an_index_out_of_range_is_caught(record, index):
    hand = plain(record).players[0].hand
    with pytest.raises(IndexError, match=f"index {index} is outside 0..2"):
        hand[index]
    with pytest.raises(IndexError, match=f"index {index}"):
        hand[index] = 1


def test_an_index_out_of_range_is_caught_in_each_axis(record):
    state = plain(record)
    for index in ((2, 0), (0, 3), (-1, 0)):
        with pytest.raises(IndexError, match="is outside"):
            state.map[index]
    with pytest.raises(IndexError, match=r"index 2 is outside 0\.\.1"):
        state.players[2].coins = 1


def test_fractions_are_caught(record):
    with pytest.raises(TypeError, match="no whole number"):
        plain(record).small = 0.5


def test_an_unknown_field_is_caught(record):
    with pytest.raises(AttributeError, match="no field 'coin'"):
        plain(record).players[0].coin = 1


def test_whole_arrays_are_stored_element_by_element(record):
    state = plain(record)
    with pytest.raises(TypeError, match="one by one"):
        state.map = 1
    state.map[0] = 3
    state.map[1] = state.map[0]
    assert record.map.tolist() == [[3, 3, 3], [3, 3, 3]]


def test_rows_are_range_checked_when_copied(record):
    state = plain(record)
    state.players[0].hand[0] = 200
    with pytest.raises(OverflowError, match="200"):
        state.map[0] = state.players[0].hand


def test_records_inside_the_record_are_copied_whole(record):
    state = plain(record)
    state.players[0].coins = 7
    state.players[1] = state.players[0]
    assert record.players[1].coins == 7


def test_the_proxy_writes_through_and_unwraps(record):
    state = plain(record)
    state.players[1].hand[2] = 9
    assert record["players"]["hand"][1, 2] == 9
    assert raw(state) is record
    assert plain(state) is state


def test_numbers_of_64_bits_without_sign_are_refused_in_records():
    """Compiled code turns uint64 % 5 into a float."""
    with pytest.raises(GameDefinitionError, match="uint64"):
        check_record(np.dtype((np.record, [("bits", "u8")])), "a game")


# ------------------------------------------------------------------ whole games


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("trap_sum", "OverflowError: array: 200 does not fit int8"),
        ("trap_negative", "OverflowError: last_move: -200 does not fit int8"),
        ("trap_store", "OverflowError: array: 300 does not fit int8"),
        ("trap_past_the_end", "IndexError: index 7 is outside 0..6"),
        ("trap_before_the_start", "IndexError: index -1 is outside 0..6"),
    ],
)
def test_plain_mode_catches_each_trap(game, message):
    with pytest.raises(PlayFailed, match=message):
        digest_under(PLAIN, game, games=20, module="tests.traps")


def test_the_bounds_check_catches_an_index_past_the_end():
    with pytest.raises(PlayFailed, match="IndexError"):
        digest_under(BOUNDS_CHECKED, "trap_past_the_end", games=20, module="tests.traps")
