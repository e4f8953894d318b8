"""Phase 4: build up to two cards."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.fuerstenfeld.actions import BUILD_CARD, END_BUILDING
from envs.fuerstenfeld.components import BUILDINGS_PER_ROUND, COST, CRANE_DISCOUNT, PALACE_PRICES
from envs.fuerstenfeld.rules.common import has, is_offered, put_out_of_play, take_from_hand
from envs.fuerstenfeld.state import BASIC, CARDS_END, CRANE, DISCARD, FIRST_CARD, NO_CARD, PALACE_1, SPACES, is_palace
from envs.game import State


@compiled
def go_on_building(state: State) -> bool:
    """Up to two cards are built. How many cards are in hand is known to all, which ones is not: so that is asked."""
    player = state.players[state.current_player]
    if player.hand_size > 0 and state.built < BUILDINGS_PER_ROUND and not state.declined:
        return True
    state.built = 0
    state.storing = 1
    state.phase = DISCARD
    return False


@compiled
def offer_buildings(state: State, mask: Any) -> int:
    seat = state.current_player
    mask[END_BUILDING] = True
    count = 1
    for card in range(FIRST_CARD, CARDS_END):
        if not is_offered(state, seat, card) or cost(state, seat, card) > state.players[seat].coins:
            continue
        for space in range(SPACES):
            if may_build_on(state, seat, card, space):
                mask[BUILD_CARD + SPACES * (card - 1) + space] = True
                count += 1
    return count


@compiled
def cost(state: State, seat: int, card: int) -> int:
    """A palace costs the palace price; a visible crane takes 2 off every card, also the one covering it (F21)."""
    price = palace_price(state) if is_palace(card) else COST[card]
    if has(state, seat, CRANE):
        price = max(0, price - CRANE_DISCOUNT)
    return price


@compiled
def palace_price(state: State) -> int:
    return PALACE_PRICES[state.price_card]


@compiled
def may_build_on(state: State, seat: int, card: int, space: int) -> bool:
    """Anything may be covered but a palace; in the advanced game each palace has its own space (F30)."""
    if is_palace(state.players[seat].spaces[space]):
        return False
    return state.options.variant == BASIC or not is_palace(card) or space == card - PALACE_1


@compiled
def build(state: State, card: int, space: int) -> None:
    """Pay for a card of the hand and put it on a space; the building works at once."""
    seat = state.current_player
    player = state.players[seat]
    player.coins -= cost(state, seat, card)
    take_from_hand(state, seat, card)
    covered = player.spaces[space]
    if NO_CARD < covered < CARDS_END:  # a printed field is no card
        put_out_of_play(state, seat, covered)
    player.spaces[space] = card
    state.built += 1
    if is_palace(card):
        player.palaces += 1
        mark_palace_built(state)


@compiled
def mark_palace_built(state: State) -> None:
    """The price rises at once when as many palaces as players were built at it (F22); after the last it stays (F23)."""
    state.palaces_at_price += 1
    if state.palaces_at_price == state.num_players and state.price_card + 1 < len(PALACE_PRICES):
        state.price_card += 1
        state.palaces_at_price = 0
