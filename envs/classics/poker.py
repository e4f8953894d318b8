"""What the rules of the two pokers share: drawing a card from the deck. Their table is drawn in `poker_table.py`."""

from __future__ import annotations

from envs.chance import draw
from envs.compiling import compiled
from envs.game import State

RANKS = ("J", "Q", "K", "A")
"""The names of the ranks, lowest first; a deck holds as many of them as it needs."""


@compiled
def draw_card(state: State, stream: int, deck: int, seen: int) -> int:
    """A card from a deck of cards 0 to `deck - 1`, uniform among those that are not in the bit set `seen`."""
    unseen = 0
    for card in range(deck):
        unseen += 1 - ((seen >> card) & 1)
    skip = draw(state, stream, unseen)
    card = 0
    while (seen >> card) & 1 or skip > 0:
        skip -= 1 - ((seen >> card) & 1)
        card += 1
    return card
