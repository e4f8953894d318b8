"""Set-up of the advanced game: keep one card of ten and put the others under the deck, in an order of choice."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.fuerstenfeld.actions import BURY_CARD, KEEP_CARD
from envs.fuerstenfeld.rules.common import put_under_deck
from envs.fuerstenfeld.rules.draw import start_round
from envs.fuerstenfeld.state import CARDS_END, FIRST_CARD, NO_CARD
from envs.game import State


@compiled
def go_on_drafting(state: State) -> bool:
    """Advanced game: keep one card of ten, put the others under the deck; each player finishes before the next."""
    player = state.players[state.current_player]
    if player.kept == NO_CARD or player.hand_size > 2:
        return True
    for card in range(FIRST_CARD, CARDS_END):  # the last one is put there unasked
        if may_bury(state, card):
            put_under_deck(state, state.current_player, card)
    state.turn += 1
    if state.turn == state.num_players:
        for seat in range(state.num_players):
            state.players[seat].kept = NO_CARD
        start_round(state)
    return False


@compiled
def may_bury(state: State, card: int) -> bool:
    player = state.players[state.current_player]
    copies = player.hand[card]
    if player.kept == card:
        return copies > 1
    return copies > 0


@compiled
def offer_draft(state: State, mask: Any) -> int:
    count = 0
    choosing = state.players[state.current_player].kept == NO_CARD
    for card in range(FIRST_CARD, CARDS_END):
        if may_bury(state, card):
            mask[(KEEP_CARD if choosing else BURY_CARD) + card - 1] = True
            count += 1
    return count
