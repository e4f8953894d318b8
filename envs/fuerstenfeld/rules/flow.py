"""The course of the game: offers the actions of each phase, plays one, and goes on to the next decision."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.fuerstenfeld.actions import (
    BUILD_CARD,
    BURY_CARD,
    DISCARD_CARD,
    DRAW_EXTRA,
    END_BUILDING,
    END_DISCARDING,
    END_SALE,
    END_STORING,
    KEEP_CARD,
    PAIRS,
    SCAVENGE_CARD,
    SELL_GOOD,
    SELL_GOOD_AS,
    STOP_DRAWING,
    STORE_GOOD,
    good_of_pair,
    kind_of_pair,
)
from envs.fuerstenfeld.rules.build import build, go_on_building, offer_buildings
from envs.fuerstenfeld.rules.common import draw_cards, put_under_deck
from envs.fuerstenfeld.rules.discard import discard, go_on_discarding, offer_discards, offer_storing, scavenge, store
from envs.fuerstenfeld.rules.draft import go_on_drafting, offer_draft
from envs.fuerstenfeld.rules.draw import go_on_drawing, offer_draws
from envs.fuerstenfeld.rules.sell import go_on_selling, offer_sales, sell_good, sell_good_as
from envs.fuerstenfeld.state import BUILD, DRAFT, DRAW, KINDS, SELL, SPACES
from envs.game import State


@compiled
def legal_actions(state: State, mask: Any) -> int:
    if state.phase == DRAFT:
        return offer_draft(state, mask)
    if state.phase == DRAW:
        return offer_draws(state, mask)
    if state.phase == SELL:
        return offer_sales(state, mask)
    if state.phase == BUILD:
        return offer_buildings(state, mask)
    if state.storing:
        return offer_storing(state, mask)
    return offer_discards(state, mask)


@compiled
def apply_action(state: State, action: int) -> None:
    seat = state.current_player
    if action < BURY_CARD:
        state.players[seat].kept = action - KEEP_CARD + 1
    elif action < DRAW_EXTRA:
        put_under_deck(state, seat, action - BURY_CARD + 1)
    elif action == DRAW_EXTRA:
        draw_cards(state, seat, 1)
        state.extra_drawn += 1
    elif action in (STOP_DRAWING, END_SALE, END_BUILDING, END_STORING, END_DISCARDING):
        state.declined = 1
    elif action < SELL_GOOD_AS:
        sell_good(state, (action - SELL_GOOD) // KINDS, (action - SELL_GOOD) % KINDS)
    elif action < END_SALE:
        pair = (action - SELL_GOOD_AS) % PAIRS
        sell_good_as(state, (action - SELL_GOOD_AS) // PAIRS, good_of_pair(pair), kind_of_pair(pair))
    elif action < END_BUILDING:
        build(state, (action - BUILD_CARD) // SPACES + 1, (action - BUILD_CARD) % SPACES)
    elif action < END_STORING:
        store(state, action - STORE_GOOD)
    elif action < DISCARD_CARD:
        scavenge(state, action - SCAVENGE_CARD + 1)
    else:
        discard(state, action - DISCARD_CARD + 1)
    play_to_next_decision(state)


@compiled
def play_to_next_decision(state: State) -> None:
    """Play what is automatic, until somebody must be asked or the game is over.

    Each `go_on_…` returns True if the player to act is to be asked; otherwise it has taken the next step, and what
    was declined is behind us.
    """
    asked = False
    while not asked and not state.terminated and not state.truncated:
        state.current_player = state.turn_order[state.turn]
        if state.phase == DRAFT:
            asked = go_on_drafting(state)
        elif state.phase == DRAW:
            asked = go_on_drawing(state)
        elif state.phase == SELL:
            asked = go_on_selling(state)
        elif state.phase == BUILD:
            asked = go_on_building(state)
        else:
            asked = go_on_discarding(state)
        if not asked:
            state.declined = 0
