"""Who knows what: the observation of a seat, and fair samples of what it cannot know.

A player knows their own hand, the *set* of cards in the unknown top part of their own deck, and card by card the bottom
part that they put there themselves. Of an opponent they know which cards hand and deck hold together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.chance import shuffle
from envs.compiling import compiled
from envs.fuerstenfeld.components import COPIES, HIGHEST_PRICE, PALACE_PRICES
from envs.fuerstenfeld.state import (
    ADVANCED,
    CARD_NAMES,
    CARDS,
    CARDS_END,
    DEAL,
    DECK,
    FIRST_CARD,
    KINDS,
    MAX_PLAYERS,
    NO_CARD,
    PHASES,
    SPACES,
)
from envs.game import State
from envs.options import Options

# ------------------------------------------------------------------ the observation
# Three parts: the table, then a block a seat, own seat first and the others in the order of the table behind it, then
# what the own seat alone knows. Counts are divided by what is usually the most, so values lie between about 0 and 1.

N_CARDS, N_PHASES = len(CARDS), len(PHASES)
LYING = len(CARD_NAMES) - 1
"""What can lie on a space: cards and printed fields."""

PRICES = HIGHEST_PRICE + 1
TABLE = N_PHASES + 6
"""Phase (one place each), round / limit, price card / 5, palaces at this price / players, players / 5, advanced game,
palaces may be scavenged."""
PROGRESS = 4 + KINDS + 1 + 3 * KINDS + N_CARDS
"""What the player to act has done in the phase: extra cards / 3, built / 2, storing, discarded / 10, stored / 3 by
good, goods sold as others / 3, the good and the kind it is sold as (a place each), plain sales / 6 by good, cards
scavenged (each / 2)."""
BREWERY = 1 + KINDS * (2 + PRICES)
"""Sold to at this moment; by good: demand / 3, delivered / 3, the price (one place each)."""
SEAT = 2 + MAX_PLAYERS + 7 + KINDS + SPACES * LYING + 2 * N_CARDS
"""To act, has kept a card (draft), place in the turn order (one place each), coins / 60, income / 30, field of the
order marker / 30, palaces / 6, hand / 10, deck / 28, known bottom part of the deck / 28, goods / 6, what lies on each
space (one place each), cards removed (each / 2), cards in hand and deck together (each / 2)."""
OWN = 3 * N_CARDS + DECK
"""Hand (each / 2), kept card (draft), unknown part of the deck (each / 2), and for each of the 28 cards, copies side by
side, how near the top it is known to lie: 1 at the top, 1/28 less for each card above it, 0 where that is not known."""

FIRST_COPY = np.concatenate([[0], np.cumsum(COPIES)[:-1]])
"""By card number: the place of its first copy among the 28 cards of the last part."""


def observation_size(options: Options) -> int:
    """Floats in an observation: they depend on the number of players."""
    return TABLE + PROGRESS + options["num_players"] * (BREWERY + SEAT) + OWN


@compiled
def observe(state: State, player: int, out: Any) -> None:
    """Write what `player` sees; the parts are described above."""
    n = state.num_players
    observe_table(state, out)
    observe_progress(state, out)
    for number in range(n):
        observe_brewery(state, number, out, TABLE + PROGRESS + number * BREWERY)
    seats = TABLE + PROGRESS + n * BREWERY
    for distance in range(n):
        observe_seat(state, (player + distance) % n, out, seats + distance * SEAT)
    observe_own(state, player, out, seats + n * SEAT)


@compiled
def observe_table(state: State, out: Any) -> None:
    out[state.phase] = 1.0
    out[N_PHASES] = state.round_number / state.options.max_rounds
    out[N_PHASES + 1] = state.price_card / (len(PALACE_PRICES) - 1)
    out[N_PHASES + 2] = state.palaces_at_price / state.num_players
    out[N_PHASES + 3] = state.num_players / MAX_PLAYERS
    out[N_PHASES + 4] = 1.0 if state.options.variant == ADVANCED else 0.0
    out[N_PHASES + 5] = state.options.scavenge_palaces


@compiled
def observe_progress(state: State, out: Any) -> None:
    at = TABLE
    out[at] = state.extra_drawn / 3
    out[at + 1] = state.built / 2
    out[at + 2] = state.storing
    out[at + 3] = state.discarded / 10
    at += 4
    for good in range(KINDS):
        out[at + good] = state.stored[good] / 3
    at += KINDS
    out[at] = state.sold_as_count / 3
    if state.sold_as_count > 0:
        out[at + 1 + state.sold_as_good] = 1.0
        out[at + 1 + KINDS + state.sold_as_kind] = 1.0
    at += 1 + 2 * KINDS
    for good in range(KINDS):
        out[at + good] = state.sold[good] / 6
    at += KINDS
    for place in range(state.scavenged_size):
        out[at + state.scavenged[place] - 1] += 0.5


@compiled
def observe_brewery(state: State, number: int, out: Any, at: int) -> None:
    brewery = state.breweries[number]
    out[at] = 1.0 if state.sale_brewery == number + 1 else 0.0
    at += 1
    for good in range(KINDS):
        out[at] = brewery.demand[good] / 3
        out[at + 1] = brewery.delivered[good] / 3
        out[at + 2 + brewery.price[good]] = 1.0
        at += 2 + PRICES


@compiled
def observe_seat(state: State, seat: int, out: Any, at: int) -> None:
    player = state.players[seat]
    out[at] = 1.0 if state.current_player == seat else 0.0
    out[at + 1] = 0.0 if player.kept == NO_CARD else 1.0
    at += 2
    for place in range(state.num_players):
        if state.turn_order[place] == seat:
            out[at + place] = 1.0
    at += MAX_PLAYERS
    out[at] = player.coins / 60
    out[at + 1] = player.income / 30
    out[at + 2] = player.order_field / 30
    out[at + 3] = player.palaces / 6
    out[at + 4] = player.hand_size / 10
    out[at + 5] = player.deck_size / DECK
    out[at + 6] = player.deck_known / DECK
    at += 7
    for good in range(KINDS):
        out[at + good] = player.goods[good] / 6
    at += KINDS
    for space in range(SPACES):
        if player.spaces[space] != NO_CARD:
            out[at + player.spaces[space] - 1] = 1.0
        at += LYING
    for place in range(player.removed_size):
        out[at + player.removed[place] - 1] += 0.5
    at += N_CARDS
    for card in range(FIRST_CARD, CARDS_END):
        out[at + card - 1] = player.hand[card] / 2
    for place in range(player.deck_size):
        out[at + player.deck[(player.deck_top + place) % DECK] - 1] += 0.5


@compiled
def observe_own(state: State, seat: int, out: Any, at: int) -> None:
    player = state.players[seat]
    for card in range(FIRST_CARD, CARDS_END):
        out[at + card - 1] = player.hand[card] / 2
    at += N_CARDS
    if player.kept != NO_CARD:
        out[at + player.kept - 1] = 1.0
    at += N_CARDS
    unknown = player.deck_size - player.deck_known
    for place in range(unknown):
        out[at + player.deck[(player.deck_top + place) % DECK] - 1] += 0.5
    at += N_CARDS
    for place in range(unknown, player.deck_size):
        copy = at + FIRST_COPY[player.deck[(player.deck_top + place) % DECK]]
        while out[copy] > 0.0:
            copy += 1
        out[copy] = (DECK - place) / DECK


# ------------------------------------------------------------------ determinization


@compiled
def determinize(state: State, player: int) -> None:
    """Shuffle the unknown part of the own deck, and hand and deck of each opponent together.

    What is shuffled is sorted first, so the sample depends on the set alone, not on where its cards really lie.
    """
    for seat in range(state.num_players):
        deal_unknown(state, seat, seat != player)


@compiled
def deal_unknown(state: State, seat: int, whole: bool) -> None:
    """Deal anew the unknown top part of a deck or, if `whole`, all of the deck, the hand, and the kept card in it."""
    player = state.players[seat]
    in_deck = player.deck_size if whole else player.deck_size - player.deck_known
    in_hand = player.hand_size if whole else 0
    counts = np.zeros(CARDS_END, np.int64)
    for place in range(in_deck):
        counts[player.deck[(player.deck_top + place) % DECK]] += 1
    if whole:
        for card in range(FIRST_CARD, CARDS_END):
            counts[card] += player.hand[card]
            player.hand[card] = 0
    pool = np.empty(in_hand + in_deck, np.int64)
    size = 0
    for card in range(FIRST_CARD, CARDS_END):
        for _ in range(counts[card]):
            pool[size] = card
            size += 1
    shuffle(state, DEAL, pool, 0, size)
    for place in range(in_hand):
        player.hand[pool[place]] += 1
    if whole and player.kept != NO_CARD:
        player.kept = pool[0]
    for place in range(in_deck):
        player.deck[(player.deck_top + place) % DECK] = pool[in_hand + place]
