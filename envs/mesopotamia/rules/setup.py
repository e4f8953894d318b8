"""Set-up: the start map, the pieces, the stack of hexes and the pile of cards."""

from __future__ import annotations

from envs.chance import shuffle
from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.components import (
    DECK,
    FIGURES_AT_START,
    HOME,
    HUTS,
    MANA_AT_START,
    MOST_MANA_AT_START,
    SITES,
    STACK,
    START_KIND,
    START_Q,
    START_R,
    START_TILES,
    TOTAL_GOODS,
)
from envs.mesopotamia.rules.act import take_top_card
from envs.mesopotamia.rules.common import add_hut, huts_on, lay_tile
from envs.mesopotamia.rules.discover import good_of
from envs.mesopotamia.rules.turn import begin_turn
from envs.mesopotamia.state import (
    CARD_ORDER,
    CARDS,
    FOREST,
    GOODS,
    HUT_PLACES,
    KINDS,
    NEUTRAL,
    OFFERINGS,
    PLAIN,
    QUARRY,
    STACK_ORDER,
)


@compiled
def setup(state: State) -> None:
    n = state.num_players
    lay_start_map(state)
    for seat in range(n):
        set_up_player(state, seat)
    fill_with_neutral_huts(state)
    for kind in range(len(KINDS)):
        for _ in range(STACK[n, kind]):
            state.stack[state.stack_size] = kind
            state.stack_size += 1
    shuffle(state, STACK_ORDER, state.stack, 0, state.stack_size)
    for card in range(len(CARDS)):
        for _ in range(DECK[n, card]):
            state.draw_pile[state.draw_size] = card
            state.draw_size += 1
    shuffle(state, CARD_ORDER, state.draw_pile, 0, state.draw_size)
    if state.options.starting_card:  # variant 1
        for seat in range(n):
            take_top_card(state, seat)
    state.round = 1
    begin_turn(state, 0)  # "the oldest begins" is seat 0 (M1), and can always step: nothing is automatic yet


@compiled
def lay_start_map(state: State) -> None:
    """The temple in its ring; on the forest one wood, on the quarry one stone for each player."""
    for good in range(len(GOODS)):
        state.supply[good] = TOTAL_GOODS[good]
    for number in range(START_TILES):
        kind = START_KIND[number]
        tile = lay_tile(state, kind, START_Q[number], START_R[number])
        if kind == FOREST or kind == QUARRY:
            state.tiles[tile].goods[good_of(kind)] += state.num_players
            state.supply[good_of(kind)] -= state.num_players


@compiled
def set_up_player(state: State, seat: int) -> None:
    """A hut without offering on the home plain, and three figures on it."""
    player, home = state.players[seat], HOME[state.num_players, seat]
    player.mana = MANA_AT_START
    player.mana_max = MOST_MANA_AT_START
    player.unused_offerings = (1 << OFFERINGS) - 1
    player.huts_left = HUTS - 1
    player.cult_sites_left = SITES
    add_hut(state, home, seat + 1, 0)
    for i in range(FIGURES_AT_START):
        player.figures[i].tile = home + 1


@compiled
def fill_with_neutral_huts(state: State) -> None:
    """Each start plain has two huts; what seats do not fill is neutral."""
    for tile in range(START_TILES):
        if state.tiles[tile].kind == PLAIN:
            while huts_on(state, tile) < HUT_PLACES:
                add_hut(state, tile, NEUTRAL, 0)
