"""The action table: what each of the 304 numbers means, in both variants and for any number of players.

The blocks lie in the order in which the actions come up; within a block cards (numbered from 1), spaces, breweries
and goods (from 0) count up, the first argument slowest.
"""

from __future__ import annotations

from envs.compiling import compiled
from envs.fuerstenfeld.state import CARDS, KINDS, MAX_PLAYERS, SPACES

_CARDS = len(CARDS)
PAIRS = KINDS * (KINDS - 1)
"""The ways to sell one good as another: hops as barley, hops as water, barley as hops, …"""

KEEP_CARD = 0
BURY_CARD = KEEP_CARD + _CARDS
DRAW_EXTRA = BURY_CARD + _CARDS
STOP_DRAWING = DRAW_EXTRA + 1
SELL_GOOD = STOP_DRAWING + 1
SELL_GOOD_AS = SELL_GOOD + MAX_PLAYERS * KINDS
END_SALE = SELL_GOOD_AS + MAX_PLAYERS * PAIRS
BUILD_CARD = END_SALE + 1
END_BUILDING = BUILD_CARD + _CARDS * SPACES
STORE_GOOD = END_BUILDING + 1
END_STORING = STORE_GOOD + KINDS
SCAVENGE_CARD = END_STORING + 1
DISCARD_CARD = SCAVENGE_CARD + _CARDS
END_DISCARDING = DISCARD_CARD + _CARDS
NUM_ACTIONS = END_DISCARDING + 1


@compiled
def pair_of(good: int, kind: int) -> int:
    """The number (below `PAIRS`) of selling `good` as another `kind`."""
    return 2 * good + (kind if kind < good else kind - 1)


@compiled
def good_of_pair(pair: int) -> int:
    """The good that is given in a pair."""
    return pair // 2


@compiled
def kind_of_pair(pair: int) -> int:
    """The kind that the good of a pair is sold as."""
    return pair % 2 if pair % 2 < pair // 2 else pair % 2 + 1
