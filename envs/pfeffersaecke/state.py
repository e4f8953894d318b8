"""The position of a game of Pfeffersäcke: the record's fields, and what the numbers in it mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.options import REWARD, Option
from envs.pfeffersaecke.board import CITIES, HIGHEST_VALUE, MAX_PLAYERS, MOST_TOKENS, VALUES

FOUND, PLACE_TOKEN, EXPAND, OPEN = range(4)
PHASES = ("found", "place_token", "expand", "open")

START_PLAYER, TOKENS = range(2)
STREAMS = ("start_player", "tokens")

NO_TOKEN, PLACED, REMOVED, CLOSED_CITY = range(4)
TOKEN_STATES = ("none", "placed", "removed", "closed")

HALF_DOWN, HALF_UP = range(2)
OPTIONS = (
    Option.choice("half_points", ("down", "up"), "how half of an odd city value is rounded"),
    REWARD,
    Option.integer("max_moves", 2000, 1, 10_000, "decisions after which the game is cut off and scored as it lies"),
)
SCORE_SCALE = 40.0
"""What a margin in points is divided by under the reward `score`."""


def _record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    return np.dtype((np.record, list(fields)))


PLAYER = _record(
    ("branches", "i8"),  # the places with an own branch, as a bit set
    ("coins", "i4"),
    ("points", "i2"),  # on the score track
    ("supply", "i1"),  # houses left to build with
    ("privileges", "i1"),
    ("tokens", "i1", (VALUES,)),  # how many tokens of each value are in hand: secret
    ("tokens_placed", "i1", (MOST_TOKENS,)),  # the values laid, in order
    ("num_placed", "i1"),
)

CITY = _record(
    ("token", "i1"),
    ("ring", "i1", (HIGHEST_VALUE,)),  # seats counted from 1, in the order in which they came
    ("num_branches", "i1"),  # on the ring
    ("middle", "i1"),  # branches of the player to move that wait on the number in the middle
    ("winner", "i1"),  # who got the points, counted from 1
    ("won_as", "i1"),  # 1 for the first city that was won in the game, …
)

FIELDS: tuple[tuple[Any, ...], ...] = (
    ("players", PLAYER, (MAX_PLAYERS,)),
    ("cities", CITY, (CITIES,)),
    ("round", "i2"),  # 0 while founding
    ("start_player", "i1"),
    ("free_towns", "i1"),  # the counter
    ("turns_without_opening", "i1"),  # completed ones, in a row
    ("cities_won", "i1"),
    # What the player to move has done this turn; 0 at its beginning.
    ("next_city", "i1"),  # the first city that may still be expanded in; 0 before any expansion
    ("openings", "i1"),
    ("privilege_used", "i1"),
)
