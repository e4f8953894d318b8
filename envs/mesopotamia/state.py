"""The position of a game of Mesopotamia: the record's fields, and the numbers that stand for hexes and pieces in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.options import REWARD, Option

MAX_PLAYERS = 4
TILES = 41
FIGURES = 8
OFFERINGS = 4
HUT_PLACES = 2
DIRECTIONS = 6
ALL_CARDS = 18

KINDS = ("plain", "forest", "quarry", "volcano", "temple")
PLAIN, FOREST, QUARRY, VOLCANO, TEMPLE = range(5)

GOODS = ("wood", "stone")
WOOD, STONE = range(2)

CARDS = ("endurance", "priest", "fertility", "holy_stone", "land", "mana_theft", "teleport", "expulsion")
ENDURANCE, PRIEST, FERTILITY, HOLY_STONE, LAND, MANA_THEFT, TELEPORT, EXPULSION = range(8)

NO_LOAD = 0
"""What a figure carries: nothing, `good + 1`, or `FIRST_OFFERING + offering`."""
FIRST_OFFERING = 1 + len(GOODS)

NO_OWNER, NEUTRAL = 0, MAX_PLAYERS + 1
"""Whose a hut is: of nobody (there is none), of seat `owner - 1`, or of nobody who plays."""

PHASES = ("move", "place_volcano", "seed", "choose_hex", "pick_target", "pick_destination", "act", "mana")
MOVE, PLACE_VOLCANO, SEED, CHOOSE_HEX, PICK_TARGET, PICK_DESTINATION, ACT, MANA = range(8)

ACTION_KINDS = ("", "build_hut", "build_cult_site", "give_birth", "draw_card")
UNDECIDED, HUTS, CULT_SITES, BIRTHS, DRAWING = range(5)

STREAMS = ("stack", "cards", "land", "reshuffle")
STACK_ORDER, CARD_ORDER, LAND_ORDER, RESHUFFLE = range(4)

OPTIONS = (
    Option.flag("starting_card", False, "one card each before the game (variant 1)"),
    Option.flag("no_reshuffle", False, "played cards are out of the game (variant 2)"),
    Option.integer("max_rounds", 60, 1, 1000, "rounds after which an unfinished game is truncated and ranked"),
    REWARD,
)


def _record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    return np.dtype((np.record, list(fields)))


FIGURE = _record(
    ("tile", "i1"),  # the tile it stands on, counted from 1; 0 in the supply
    ("load", "i1"),
    ("has_stolen", "i1"),  # this turn
    ("dropped", "i1"),  # goods laid down since it last changed its hex, as a bit set
)

PLAYER = _record(
    ("mana", "i1"),
    ("mana_max", "i1"),
    ("hand", "i1", (len(CARDS),)),  # how many of each card
    ("hand_size", "i1"),
    ("unused_offerings", "i1"),  # as a bit set
    ("delivered", "i1", (OFFERINGS,)),  # offerings counted from 1, in the order of their delivery
    ("num_delivered", "i1"),
    ("huts_left", "i1"),
    ("cult_sites_left", "i1"),
    ("figures", FIGURE, (FIGURES,)),
)

HUT = _record(
    ("owner", "i1"),
    ("offering", "i1"),  # counted from 1; 0 without one
)

TILE = _record(
    ("kind", "i1"),
    ("q", "i1"),
    ("r", "i1"),
    ("neighbours", "i1", (DIRECTIONS,)),  # tiles counted from 1; 0 where nothing lies
    ("goods", "i1", (len(GOODS),)),  # loose ones
    ("huts", HUT, (HUT_PLACES,)),  # in the order in which they came
    ("cult_site", "i1"),  # the owner, a seat counted from 1
    ("births", "i1"),  # here this turn
)

PENDING = _record(
    ("target", "i2"),  # the action that picked what Teleport or Expulsion moves
    ("seeded", "i8"),  # tiles that have got their token, as a bit set
    ("left", "i1"),  # tokens still to seed
    ("good", "i1"),  # what is seeded
    ("figure", "i1"),  # that enters the unknown …
    ("direction", "i1"),  # … this way
    ("card", "i1"),  # Teleport or Expulsion
    ("resume", "i1"),  # the phase in which it was played
)
"""What a sub-choice is about; zero outside it."""

FIELDS: tuple[tuple[Any, ...], ...] = (
    ("pending", PENDING),
    ("players", PLAYER, (MAX_PLAYERS,)),
    ("tiles", TILE, (TILES,)),
    ("num_tiles", "i1"),
    ("stack", "i1", (TILES,)),  # kinds of hexes; the last of `stack_size` is drawn next
    ("stack_size", "i1"),
    ("draw_pile", "i1", (ALL_CARDS,)),  # cards; the last of `draw_size` is drawn next
    ("draw_size", "i1"),
    ("discard_pile", "i1", (ALL_CARDS,)),  # in the order in which they were played
    ("discard_size", "i1"),
    ("supply", "i1", (len(GOODS),)),
    ("round", "i2"),
    # What belongs to the turn of the player to act.
    ("movement_points", "i1"),
    ("discoveries_left", "i1"),
    ("land_armed", "i1"),
    ("action_kind", "i1"),
    ("fertile", "i1"),  # Fertility was played
    ("drawn_card", "i1"),  # counted from 1; 0 if none was drawn
)
