"""Phases 1 and 2: draw cards, harvest goods. All draw, then those with a laboratory decide, then all harvest."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.fuerstenfeld.actions import DRAW_EXTRA, STOP_DRAWING
from envs.fuerstenfeld.components import CARDS_DRAWN, EFFECT, GOOD_OF
from envs.fuerstenfeld.rules.common import draw_cards, effect_of
from envs.fuerstenfeld.state import DRAW, LABORATORY_1, LABORATORY_2, SELL, SPACES
from envs.game import State


@compiled
def start_round(state: State) -> None:
    """Phase 1 begins: all draw their cards before anybody decides on more."""
    for seat in range(state.num_players):
        draw_cards(state, seat, CARDS_DRAWN)
    state.turn = 0
    state.phase = DRAW


@compiled
def go_on_drawing(state: State) -> bool:
    """In turn order those with a laboratory decide on more cards; after the last one all harvest."""
    if may_draw_extra(state) and not state.declined:
        return True
    state.extra_drawn = 0
    state.turn += 1
    if state.turn == state.num_players:
        harvest(state)
        state.turn = 0
        state.phase = SELL
    return False


@compiled
def may_draw_extra(state: State) -> bool:
    """With laboratories and cards left the player to act may draw more, one or two each, three with both."""
    seat = state.current_player
    if state.players[seat].deck_size == 0:
        return False
    return state.extra_drawn < effect_of(state, seat, LABORATORY_1, LABORATORY_2)


@compiled
def harvest(state: State) -> None:
    """Every visible field, printed or built, gives its goods; those kept in a warehouse are still there."""
    for seat in range(state.num_players):
        player = state.players[seat]
        for space in range(SPACES):
            field = player.spaces[space]
            if GOOD_OF[field] >= 0:
                player.goods[GOOD_OF[field]] += EFFECT[field]


@compiled
def offer_draws(state: State, mask: Any) -> int:
    mask[DRAW_EXTRA] = True
    mask[STOP_DRAWING] = True
    return 2
