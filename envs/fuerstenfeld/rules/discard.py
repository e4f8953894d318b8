"""Phase 5: store goods, then discard cards."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.fuerstenfeld.actions import DISCARD_CARD, END_DISCARDING, END_STORING, SCAVENGE_CARD, STORE_GOOD
from envs.fuerstenfeld.components import HAND_LIMIT, SCAVENGER_CARDS, WAREHOUSE_GOODS
from envs.fuerstenfeld.rules.common import (
    effect_of,
    has,
    is_offered,
    is_palace,
    put_out_of_play,
    put_under_deck,
    take_from_hand,
)
from envs.fuerstenfeld.rules.end import finish_round
from envs.fuerstenfeld.state import (
    CARDS_END,
    FIRST_CARD,
    KINDS,
    NO_CARD,
    SCAVENGER,
    SELL,
    TOWN_HALL_1,
    TOWN_HALL_2,
    WAREHOUSE,
)
from envs.game import State


@compiled
def go_on_discarding(state: State) -> bool:
    """First goods are stored, then cards discarded; after that the next player sells, or the round ends."""
    seat = state.current_player
    if state.storing:
        if may_store_more(state) and not state.declined:
            return True
        finish_storing(state)
        return False
    if state.players[seat].hand_size > 1 and not state.declined:
        return True
    for place in range(state.scavenged_size):
        state.scavenged[place] = NO_CARD
    state.scavenged_size = 0
    state.discarded = 0
    state.turn += 1
    if state.turn < state.num_players:
        state.phase = SELL
    else:
        finish_round(state)
    return False


@compiled
def may_store_more(state: State) -> bool:
    """A warehouse that is not covered keeps up to three goods, old or new ones (F15, F16)."""
    goods, stored = state.players[state.current_player].goods, state.stored
    if goods[0] + goods[1] + goods[2] == 0 or stored[0] + stored[1] + stored[2] >= WAREHOUSE_GOODS:
        return False
    return has(state, state.current_player, WAREHOUSE)


@compiled
def may_store(state: State, good: int) -> bool:
    """Store one good; hops before barley before water."""
    for later in range(good + 1, KINDS):
        if state.stored[later] > 0:
            return False
    return state.players[state.current_player].goods[good] > 0


@compiled
def offer_storing(state: State, mask: Any) -> int:
    mask[END_STORING] = True
    count = 1
    for good in range(KINDS):
        if may_store(state, good):
            mask[STORE_GOOD + good] = True
            count += 1
    return count


@compiled
def store(state: State, good: int) -> None:
    state.players[state.current_player].goods[good] -= 1
    state.stored[good] += 1


@compiled
def finish_storing(state: State) -> None:
    """Goods that were neither sold nor stored are lost."""
    for good in range(KINDS):
        state.players[state.current_player].goods[good] = state.stored[good]
        state.stored[good] = 0
    state.storing = 0


@compiled
def hand_limit(state: State, seat: int) -> int:
    """Cards that may be kept: one, and more with town halls (F25, F26)."""
    return HAND_LIMIT + effect_of(state, seat, TOWN_HALL_1, TOWN_HALL_2)


@compiled
def may_scavenge(state: State, card: int) -> bool:
    """With a scavenger up to two cards leave the game, before the others are discarded and in the card order.

    A palace may not go, or its owner could never win (F29); the option `scavenge_palaces` allows it.
    """
    seat = state.current_player
    if state.discarded > 0 or state.scavenged_size >= SCAVENGER_CARDS or not has(state, seat, SCAVENGER):
        return False
    if state.scavenged_size > 0 and card < state.scavenged[state.scavenged_size - 1]:
        return False
    if is_palace(card) and not state.options.scavenge_palaces:
        return False
    return is_offered(state, seat, card)


@compiled
def offer_discards(state: State, mask: Any) -> int:
    seat = state.current_player
    count = 0
    if state.players[seat].hand_size <= hand_limit(state, seat):
        mask[END_DISCARDING] = True
        count += 1
    for card in range(FIRST_CARD, CARDS_END):
        if is_offered(state, seat, card):
            mask[DISCARD_CARD + card - 1] = True
            count += 1
            if may_scavenge(state, card):
                mask[SCAVENGE_CARD + card - 1] = True
                count += 1
    return count


@compiled
def scavenge(state: State, card: int) -> None:
    take_from_hand(state, state.current_player, card)
    put_out_of_play(state, state.current_player, card)
    state.scavenged[state.scavenged_size] = card
    state.scavenged_size += 1


@compiled
def discard(state: State, card: int) -> None:
    put_under_deck(state, state.current_player, card)
    state.discarded += 1
