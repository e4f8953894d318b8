"""The position of a game of Travel Blog: the record's fields, and the numbers that stand for things in it."""

from __future__ import annotations

from typing import Any

import numpy as np

MAX_PLAYERS = 6
COLOURS = 2
"""The most colours a seat plays: one, in the demanding variant two."""

ROUNDS = 7
FINALE = 7
"""The round that is paid out, dealt from all cards anew."""

FIELDS = 8
FORTY = 0
"""The board's fields: 0 is the field "40", 1 to 7 hold the offered states, clockwise."""
OFFER = FIELDS - 1
NO_FIELD = -1

CARDS = 50
NO_CARD = 0
"""A map's cards are numbered from 1 in the order of its file; where none lies is 0."""

START, TARGET = range(2)
"""The places in the middle of the board."""

TOKENS = 2
"""Tokens of a colour; in the first two rounds one of them is used."""
HIGHEST_STACK = 6

EUROPE, USA = range(2)
MAPS = ("europe", "usa")
TICKS, SEQUENCE = range(2)
TIMINGS = ("ticks", "sequence")
MEMORY, GRAPH, COSTS = range(3)
KNOWLEDGE = ("memory", "graph", "costs")

PHASES = ("place",)

DEAL, STACKING, WAVES, COMMITS = range(4)
STREAMS = ("deal", "stacking", "waves", "commits")
"""The cards; the order of tokens that reach a field at once; the order of a wave; commits that a seat can but guess."""


def _record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    return np.dtype((np.record, list(fields)))


TRIP = _record(
    ("crossings", "i1"),
    ("neighbour_pairs", "i1"),
    ("beneath", "i1"),  # tokens beneath, over both own tokens
    ("forty", "i1"),
    ("amount", "i2"),  # euros, before the limit of the purse; in the finale not below 0
)

PLAYER = _record(
    ("cash", "i2"),
    ("last_change", "i2"),  # what the purse changed by in the last evaluation, income apart
    ("last_trip", TRIP, (COLOURS,)),  # by colour; zero before the first evaluation
    ("chosen", "i2", (COLOURS,)),  # by colour: the bit set of the fields at which its tokens lie
    ("tokens_left", "i1", (COLOURS,)),  # by colour: tokens of this round that do not lie yet
    ("pending", "i1"),  # the commit of the running tick, counted from 1; 0 for none
)

BOARD = _record(
    ("offer", "i1", (OFFER,)),  # the card at field 1, 2, ...
    ("middle", "i1", (2,)),  # start and, from part three on, target
    ("stacks", "i1", (FIELDS, HIGHEST_STACK)),  # tokens by field, the lowest first; see `token_of`
    ("heights", "i1", (FIELDS,)),
)

RECORD_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("players", PLAYER, (MAX_PLAYERS,)),
    ("board", BOARD),
    ("last_board", BOARD),  # of the round evaluated last; zero before
    ("deck", "i1", (CARDS,)),  # all cards in the order they are dealt
    ("dealt", "i1"),  # how many of them are out
    ("round", "i1"),
    ("last_round", "i1"),  # the round evaluated last, or 0
    ("tick", "i1"),  # of this round, from 1; in `sequence` the wave
    ("wave_order", "i1", (MAX_PLAYERS,)),  # in `sequence`: the seats in the order of the running wave
    ("turn", "i1"),  # in `sequence`: the place in `wave_order` of the seat to act
)
