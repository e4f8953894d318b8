"""The action table: what each of the 989 numbers means, whatever the options and the number of players.

Within a block the last argument counts up fastest: `TAKE + figure * 2 + good`.
"""

from __future__ import annotations

from envs.mesopotamia.state import (
    DIRECTIONS,
    FIGURES,
    GOODS,
    HUT_PLACES,
    KINDS,
    MAX_PLAYERS,
    OFFERINGS,
    TILES,
)

PLAYABLE = ("endurance", "land", "holy_stone", "teleport", "expulsion", "fertility")
"""The cards of `play_card`, in its order; Mana theft and Priest have actions of their own."""

NUM_GOODS = len(GOODS)

STEP = 0
TAKE = STEP + FIGURES * DIRECTIONS
TAKE_OFFERING = TAKE + FIGURES * NUM_GOODS
DROP = TAKE_OFFERING + FIGURES * OFFERINGS
STEAL = DROP + FIGURES
PLAY_CARD = STEAL + FIGURES * MAX_PLAYERS * NUM_GOODS
PLAY_ENDURANCE, PLAY_LAND, PLAY_HOLY_STONE, PLAY_TELEPORT, PLAY_EXPULSION, PLAY_FERTILITY = range(
    PLAY_CARD, PLAY_CARD + len(PLAYABLE)
)
STEAL_MANA = PLAY_CARD + len(PLAYABLE)
END_MOVEMENT = STEAL_MANA + MAX_PLAYERS
PLACE = END_MOVEMENT + 1
SEED_TILE = PLACE + TILES * DIRECTIONS
CHOOSE = SEED_TILE + TILES
PICK_FIGURE = CHOOSE + len(KINDS) - 1  # the temple is never drawn
PICK_LOAD = PICK_FIGURE + MAX_PLAYERS * FIGURES
PICK_GOOD = PICK_LOAD + MAX_PLAYERS * FIGURES
PICK_HUT = PICK_GOOD + TILES * NUM_GOODS
PICK_TILE = PICK_HUT + TILES * HUT_PLACES
BUILD_HUT = PICK_TILE + TILES
BUILD_CULT_SITE = BUILD_HUT + TILES * OFFERINGS
GIVE_BIRTH = BUILD_CULT_SITE + TILES
DRAW_CARD = GIVE_BIRTH + TILES
END_ACTION = DRAW_CARD + 1
PLAY_PRIEST = END_ACTION + 1
END_TURN = PLAY_PRIEST + 1
NUM_ACTIONS = END_TURN + 1
