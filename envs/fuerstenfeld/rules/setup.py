"""Set-up: breweries, estates, decks and the first turn order."""

from __future__ import annotations

import numpy as np

from envs.chance import shuffle
from envs.compiling import compiled
from envs.fuerstenfeld.components import (
    COPIES,
    DEMAND_CARDS,
    DRAFT_CARDS,
    START_COINS,
    START_HAND,
    START_PRICE,
    START_SPACES,
)
from envs.fuerstenfeld.rules.common import draw_cards
from envs.fuerstenfeld.rules.draw import start_round
from envs.fuerstenfeld.rules.flow import play_to_next_decision
from envs.fuerstenfeld.state import (
    ADVANCED,
    CARDS_END,
    DEAL,
    DEMAND,
    DRAFT,
    FIRST_CARD,
    KINDS,
    ORDER,
    SCAVENGER,
    SPACES,
)
from envs.game import State


@compiled
def setup(state: State) -> None:
    state.round_number = 1
    open_breweries(state)
    for seat in range(state.num_players):
        state.turn_order[seat] = seat
        take_start_pieces(state, seat)
    # All order markers lie on field 0 in a random pile; the one on top starts (F36).
    shuffle(state, ORDER, state.turn_order, 0, state.num_players)
    if state.options.variant == ADVANCED:
        for seat in range(state.num_players):
            draw_cards(state, seat, DRAFT_CARDS)  # instead of the first cards, not on top of them (F2)
        state.phase = DRAFT
    else:
        for seat in range(state.num_players):
            draw_cards(state, seat, START_HAND)
        start_round(state)
    play_to_next_decision(state)


@compiled
def open_breweries(state: State) -> None:
    """As many demand cards as players, drawn at random; each opens one brewery. Which ones is of no matter (F31)."""
    cards = np.arange(len(DEMAND_CARDS))
    shuffle(state, DEMAND, cards, 0, len(cards))
    for number in range(state.num_players):
        brewery = state.breweries[number]
        for good in range(KINDS):
            brewery.demand[good] = DEMAND_CARDS[cards[number], good]
            brewery.price[good] = START_PRICE


@compiled
def take_start_pieces(state: State, seat: int) -> None:
    """An estate with its printed fields, the first coins, and the own cards, shuffled."""
    player = state.players[seat]
    player.coins = START_COINS
    for space in range(SPACES):
        player.spaces[space] = START_SPACES[space]
    for card in range(FIRST_CARD, CARDS_END):
        if card < SCAVENGER or state.options.variant == ADVANCED:
            for _ in range(COPIES[card]):
                player.deck[player.deck_size] = card
                player.deck_size += 1
    shuffle(state, DEAL, player.deck, 0, player.deck_size)
