"""The position of a game of Fürstenfeld: the record's fields, and the numbers that stand for cards and goods in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.compiling import compiled

MAX_PLAYERS = 5
SPACES = 6
"""Building spaces of an estate: 0, 1, 2 the upper row, 3, 4, 5 the lower row, each left to right."""

GOODS = ("hops", "barley", "water")
HOPS, BARLEY, WATER = range(3)
KINDS = len(GOODS)

# Cards are numbered from 1 in the order that the interface gives them; what lies nowhere is 0. Behind them follow the
# fields printed on the estate, which are no cards but lie uncovered on spaces like cards.
NO_CARD = 0
CARD_NAMES = (
    "",
    "field_hops_2",
    "field_hops_3",
    "field_barley_2",
    "field_barley_3",
    "field_water_2",
    "field_water_3",
    "bank_1",
    "bank_2",
    "town_hall_1",
    "town_hall_2",
    "laboratory_1",
    "laboratory_2",
    "office",
    "market",
    "warehouse",
    "magistrate",
    "crane",
    "palace_1",
    "palace_2",
    "palace_3",
    "palace_4",
    "palace_5",
    "palace_6",
    "scavenger",
    "tourist_guide",
    "printed_hops",
    "printed_barley",
    "printed_water",
)
FIELD_HOPS_2, FIELD_HOPS_3, FIELD_BARLEY_2, FIELD_BARLEY_3, FIELD_WATER_2, FIELD_WATER_3 = range(1, 7)
BANK_1, BANK_2, TOWN_HALL_1, TOWN_HALL_2, LABORATORY_1, LABORATORY_2 = range(7, 13)
OFFICE, MARKET, WAREHOUSE, MAGISTRATE, CRANE = range(13, 18)
PALACE_1, PALACE_6 = 18, 23
SCAVENGER, TOURIST_GUIDE = 24, 25
PRINTED_HOPS, PRINTED_BARLEY, PRINTED_WATER = range(26, 29)

FIRST_CARD, CARDS_END = 1, 26
CARDS = range(FIRST_CARD, CARDS_END)
"""All numbers of cards, in the card order."""

DECK = 28
"""The cards of one player in the advanced game; the basic game leaves out the last two kinds."""

MOST_SCAVENGED = 4
"""Places for the cards that leave the game in one turn: the scavenger may not be given a higher number."""


@compiled
def is_palace(card: int) -> bool:
    """Whether a card number is that of a palace."""
    return PALACE_1 <= card <= PALACE_6


DRAFT, DRAW, SELL, BUILD, DISCARD = range(5)
PHASES = ("draft", "draw", "sell", "build", "discard")

DEAL, DEMAND, ORDER = range(3)
STREAMS = ("deal", "demand", "order")

BASIC, ADVANCED = range(2)
VARIANTS = ("basic", "advanced")


def _record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    return np.dtype((np.record, list(fields)))


PLAYER = _record(
    ("coins", "i4"),
    ("income", "i2"),  # of this round or, before the sale, of the last one
    ("order_field", "i2"),  # the field of the income track that the order marker lies on
    ("goods", "i1", (KINDS,)),
    ("palaces", "i1"),
    ("spaces", "i1", (SPACES,)),  # what lies uncovered on each space
    ("hand", "i1", (len(CARDS) + 1,)),  # how many of each card, by its number
    ("hand_size", "i1"),
    ("deck", "i1", (DECK,)),  # a ring: `deck_size` cards from `deck_top` on, the top one first
    ("deck_top", "i1"),
    ("deck_size", "i1"),
    ("deck_known", "i1"),  # how many at the bottom lie where their owner put them
    ("removed", "i1", (DECK,)),  # covered or scavenged cards, in the order they left
    ("removed_size", "i1"),
    ("kept", "i1"),  # during the draft the card kept, else 0
)

BREWERY = _record(
    ("demand", "i1", (KINDS,)),
    ("price", "i1", (KINDS,)),
    ("delivered", "i1", (KINDS,)),  # demand spaces filled this round
)

FIELDS: tuple[tuple[Any, ...], ...] = (
    ("players", PLAYER, (MAX_PLAYERS,)),
    ("breweries", BREWERY, (MAX_PLAYERS,)),
    ("round_number", "i2"),
    ("turn_order", "i1", (MAX_PLAYERS,)),
    ("turn", "i1"),  # the place in `turn_order` of the player to act
    ("price_card", "i1"),  # how many palace price cards have been used up
    ("palaces_at_price", "i1"),  # palaces built on the price card on top
    # What the player to act has done so far in the phase; 0 outside it.
    ("declined", "i1"),  # 1 once they want no more of what the phase offers
    ("extra_drawn", "i1"),
    ("sale_brewery", "i1"),  # the brewery sold to, counted from 1
    ("sold", "i1", (KINDS,)),  # plain sales
    ("sold_as_count", "i1"),  # goods sold with the market: so many ...
    ("sold_as_good", "i1"),  # ... of this kind ...
    ("sold_as_kind", "i1"),  # ... as this one
    ("built", "i1"),
    ("storing", "i1"),  # 1 while goods are being stored, before cards are discarded
    ("stored", "i1", (KINDS,)),
    ("scavenged", "i1", (MOST_SCAVENGED,)),
    ("scavenged_size", "i1"),
    ("discarded", "i1"),
)
