"""Who knows what: observation and determinization.

Hidden are the order of the stack (its composition is public), the other hands, the draw pile, and which offering of
another seat lies under which hut, on which carrier, or unused, until it is delivered. Whoever looks at hexes with Land
knows those. What could be inferred from a reshuffle of the discards is not used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.chance import draw, shuffle
from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.actions import NUM_GOODS, PICK_FIGURE, PICK_GOOD, PICK_HUT, PICK_LOAD
from envs.mesopotamia.components import DECK, DISCOVERIES, MANA_TRACK, SITES, TOTAL_GOODS
from envs.mesopotamia.rules.cards import origin_of
from envs.mesopotamia.rules.discover import looked_at
from envs.mesopotamia.state import (
    ACT,
    ACTION_KINDS,
    ALL_CARDS,
    CARD_ORDER,
    CARDS,
    CHOOSE_HEX,
    DIRECTIONS,
    EXPULSION,
    FIGURES,
    FIRST_OFFERING,
    HUT_PLACES,
    KINDS,
    MAX_PLAYERS,
    NEUTRAL,
    NO_LOAD,
    OFFERINGS,
    PHASES,
    PICK_DESTINATION,
    PLACE_VOLCANO,
    SEED,
    STACK_ORDER,
    TILES,
)
from envs.options import Options

# ------------------------------------------------------------------ observation
# The parts come in this order: the table, what is pending, each tile, each seat from the own one on, the own secrets.

N_PHASES, N_KINDS, N_CARDS = len(PHASES), len(KINDS), len(CARDS)

TABLE = N_PHASES + (MAX_PLAYERS - 1) + 2 + 4 + len(ACTION_KINDS) + N_KINDS + NUM_GOODS + 2 + N_CARDS
"""Phase and number of players (one place each), the two variants, round by `max_rounds`, movement points / 14,
discoveries left / 3, Land armed; kind of action (one place each); hexes of each kind in the stack / 20; goods in
the supply / 20; draw pile and stack by their full sizes; cards of each kind in the discard pile / 3."""
PENDING = FIGURES + DIRECTIONS + NUM_GOODS + 1 + 2 + 1 + 4 + MAX_PLAYERS + FIGURES + NUM_GOODS + 1 + 2
"""Figure and direction of a discovery, what is seeded and how much / 4 is left, the card whose target is picked, played
in phase B; what is moved (figure, load, loose good, hut), of which seat from the own one on, which figure, which good,
the second hut of its tile; Fertility played, a card drawn."""
HUT = MAX_PLAYERS + 2 + OFFERINGS
"""Owner from the own seat on, or neutral; with an offering; which one, of the own."""
TILE = N_KINDS + 2 + NUM_GOODS + MAX_PLAYERS + 3 + HUT_PLACES * HUT + 5 * MAX_PLAYERS
"""Kind, coordinates (72 steps to 1), goods / 4, owner of the cult site, births / 4, seeded now, target or entered from
now; the huts; for each seat figures / 8, and how many of them carry wood, a stone, an offering, nothing."""
FIGURE = 4 + 3 + 3
"""On the map, its tile / 41 and coordinates; carries wood, stone, an offering; has stolen, laid down wood, stone."""
SEAT = 8 + OFFERINGS + FIGURES * FIGURE
"""To act, mana / 8, maximum / 8, hand / 18, huts left / 4, cult sites left / 3, unused offerings / 4, delivered
ones / 4; which were delivered; its figures."""
OWN = 2 * N_CARDS + N_KINDS + OFFERINGS + FIGURES * OFFERINGS
"""Hand / 3, the card drawn this turn; the hexes looked at / 4 by kind; unused offerings; which figure carries which."""

SPAN = 2 * TILES
"""Coordinates lie between -36 and 36, far inside this."""


def observation_size(options: Options) -> int:
    """Floats in an observation: they depend on the number of players."""
    return TABLE + PENDING + TILES * TILE + options["num_players"] * SEAT + OWN


@compiled
def observe(state: State, player: int, out: Any) -> None:
    """Write what `player` sees; the parts are described above."""
    n = state.num_players
    observe_table(state, out)
    observe_pending(state, player, out, TABLE)
    tiles = TABLE + PENDING
    for tile in range(state.num_tiles):
        observe_tile(state, player, tile, out, tiles + tile * TILE)
    observe_marks(state, player, out, tiles)
    seats = tiles + TILES * TILE
    for distance in range(n):
        observe_seat(state, (player + distance) % n, out, seats + distance * SEAT)
    for distance in range(n):
        observe_figures(state, (player + distance) % n, distance, out, seats + distance * SEAT + 8 + OFFERINGS, tiles)
    observe_own(state, player, out, seats + n * SEAT)


@compiled
def observe_table(state: State, out: Any) -> None:
    out[state.phase] = 1.0
    at = N_PHASES
    out[at + state.num_players - 2] = 1.0
    at += MAX_PLAYERS - 1
    out[at] = state.options.starting_card
    out[at + 1] = state.options.no_reshuffle
    out[at + 2] = state.round / state.options.max_rounds
    out[at + 3] = state.movement_points / 14
    out[at + 4] = state.discoveries_left / DISCOVERIES
    out[at + 5] = state.land_armed
    at += 6
    out[at + state.action_kind] = 1.0
    at += len(ACTION_KINDS)
    for place in range(state.stack_size):
        out[at + state.stack[place]] += 0.05
    at += N_KINDS
    for good in range(NUM_GOODS):
        out[at + good] = state.supply[good] / TOTAL_GOODS[good]
    at += NUM_GOODS
    out[at] = state.draw_size / ALL_CARDS
    out[at + 1] = state.stack_size / TILES
    at += 2
    for place in range(state.discard_size):
        out[at + state.discard_pile[place]] += 1.0 / 3.0


@compiled
def observe_pending(state: State, player: int, out: Any, at: int) -> None:
    pending = state.pending
    if state.phase == CHOOSE_HEX or state.phase == PLACE_VOLCANO:
        out[at + pending.figure] = 1.0
        out[at + FIGURES + pending.direction] = 1.0
    at += FIGURES + DIRECTIONS
    if state.phase == SEED:
        out[at + pending.good] = 1.0
        out[at + NUM_GOODS] = pending.left / MAX_PLAYERS
    at += NUM_GOODS + 1
    if pending.card != 0:
        out[at + (1 if pending.card == EXPULSION else 0)] = 1.0
        out[at + 2] = 1.0 if pending.resume == ACT else 0.0
    at += 3
    if state.phase == PICK_DESTINATION:
        target = pending.target
        if target < PICK_GOOD:
            out[at + (0 if target < PICK_LOAD else 1)] = 1.0
            number = (target - PICK_FIGURE) % (PICK_LOAD - PICK_FIGURE)
            seat = number // FIGURES
            out[at + 4 + (seat - player) % state.num_players] = 1.0
            out[at + 4 + MAX_PLAYERS + number % FIGURES] = 1.0
        elif target < PICK_HUT:
            out[at + 2] = 1.0
            out[at + 4 + MAX_PLAYERS + FIGURES + (target - PICK_GOOD) % NUM_GOODS] = 1.0
        else:
            out[at + 3] = 1.0
            out[at + 4 + MAX_PLAYERS + FIGURES + NUM_GOODS] = (target - PICK_HUT) % HUT_PLACES
    at += 4 + MAX_PLAYERS + FIGURES + NUM_GOODS + 1
    out[at] = state.fertile
    out[at + 1] = 1.0 if state.drawn_card != 0 else 0.0


@compiled
def observe_tile(state: State, player: int, number: int, out: Any, at: int) -> None:
    tile = state.tiles[number]
    out[at + tile.kind] = 1.0
    out[at + N_KINDS] = 0.5 + tile.q / SPAN
    out[at + N_KINDS + 1] = 0.5 + tile.r / SPAN
    at += N_KINDS + 2
    for good in range(NUM_GOODS):
        out[at + good] = tile.goods[good] / 4
    at += NUM_GOODS
    if tile.cult_site != 0:
        out[at + (tile.cult_site - 1 - player) % state.num_players] = 1.0
    at += MAX_PLAYERS
    out[at] = tile.births / 4
    at += 3
    for place in range(HUT_PLACES):
        hut = tile.huts[place]
        if hut.owner == NEUTRAL:
            out[at + MAX_PLAYERS] = 1.0
        elif hut.owner != 0:
            out[at + (hut.owner - 1 - player) % state.num_players] = 1.0
        if hut.offering != 0:
            out[at + MAX_PLAYERS + 1] = 1.0
            if hut.owner == player + 1:
                out[at + MAX_PLAYERS + 2 + hut.offering - 1] = 1.0
        at += HUT


@compiled
def observe_marks(state: State, player: int, out: Any, tiles: int) -> None:
    """Tiles that got a token of the running seeding, and the tile where what is pending happens."""
    seeded = N_KINDS + 2 + NUM_GOODS + MAX_PLAYERS + 1
    for tile in range(state.num_tiles):
        if (state.pending.seeded >> tile) & 1:
            out[tiles + tile * TILE + seeded] = 1.0
    here = -1
    if state.phase == PICK_DESTINATION:
        here = origin_of(state, state.pending.target)
    elif state.phase == CHOOSE_HEX or state.phase == PLACE_VOLCANO:
        here = state.players[state.current_player].figures[state.pending.figure].tile - 1
    if here >= 0:
        out[tiles + here * TILE + seeded + 1] = 1.0


@compiled
def observe_seat(state: State, seat: int, out: Any, at: int) -> None:
    player = state.players[seat]
    out[at] = 1.0 if state.current_player == seat else 0.0
    out[at + 1] = player.mana / MANA_TRACK
    out[at + 2] = player.mana_max / MANA_TRACK
    out[at + 3] = player.hand_size / ALL_CARDS
    out[at + 4] = player.huts_left / OFFERINGS
    out[at + 5] = player.cult_sites_left / SITES
    for offering in range(OFFERINGS):
        out[at + 6] += ((player.unused_offerings >> offering) & 1) / OFFERINGS
    out[at + 7] = player.num_delivered / OFFERINGS
    for place in range(player.num_delivered):
        out[at + 8 + player.delivered[place] - 1] = 1.0


@compiled
def observe_figures(state: State, seat: int, distance: int, out: Any, at: int, tiles: int) -> None:
    """The figures of a seat one by one, and for each tile how many of them stand there."""
    counts = TILE - 5 * MAX_PLAYERS + 5 * distance
    for i in range(FIGURES):
        figure = state.players[seat].figures[i]
        if figure.tile != 0:
            tile = figure.tile - 1
            carried = 2 if figure.load >= FIRST_OFFERING else figure.load - 1
            out[at] = 1.0
            out[at + 1] = figure.tile / TILES
            out[at + 2] = 0.5 + state.tiles[tile].q / SPAN
            out[at + 3] = 0.5 + state.tiles[tile].r / SPAN
            out[tiles + tile * TILE + counts] += 1.0 / FIGURES
            if figure.load == NO_LOAD:
                out[tiles + tile * TILE + counts + 4] += 1.0 / FIGURES
            else:
                out[at + 4 + carried] = 1.0
                out[tiles + tile * TILE + counts + 1 + carried] += 1.0 / FIGURES
            out[at + 7] = figure.has_stolen
            out[at + 8] = figure.dropped & 1
            out[at + 9] = figure.dropped >> 1
        at += FIGURE


@compiled
def observe_own(state: State, seat: int, out: Any, at: int) -> None:
    player = state.players[seat]
    for card in range(N_CARDS):
        out[at + card] = player.hand[card] / 3
    at += N_CARDS
    if state.current_player == seat and state.drawn_card != 0:
        out[at + state.drawn_card - 1] = 1.0
    at += N_CARDS
    if state.current_player == seat and state.phase == CHOOSE_HEX:
        for place in range(looked_at(state)):
            out[at + state.stack[state.stack_size - 1 - place]] += 0.25
    at += N_KINDS
    for offering in range(OFFERINGS):
        out[at + offering] = (player.unused_offerings >> offering) & 1
    at += OFFERINGS
    for i in range(FIGURES):
        if player.figures[i].load >= FIRST_OFFERING:
            out[at + i * OFFERINGS + player.figures[i].load - FIRST_OFFERING] = 1.0


# ------------------------------------------------------------------ determinization


@compiled
def determinize(state: State, player: int) -> None:
    """Shuffle the stack, deal the unseen cards anew, and permute each other seat's offerings over their places.

    What is shuffled is sorted first, so the sample depends on the set alone, not on where its pieces really are.
    """
    shuffle_stack(state, player)
    deal_unseen_cards(state, player)
    for seat in range(state.num_players):
        if seat != player:
            permute_offerings(state, seat)


@compiled
def shuffle_stack(state: State, player: int) -> None:
    """All but the hexes at which the seat itself looks with Land, just now."""
    known = looked_at(state) if state.phase == CHOOSE_HEX and state.current_player == player else 0
    unknown = state.stack_size - known
    counts = np.zeros(N_KINDS, np.int64)
    for place in range(unknown):
        counts[state.stack[place]] += 1
    place = 0
    for kind in range(N_KINDS):
        for _ in range(counts[kind]):
            state.stack[place] = kind
            place += 1
    shuffle(state, STACK_ORDER, state.stack, 0, unknown)


@compiled
def deal_unseen_cards(state: State, player: int) -> None:
    """All cards but the own hand and the discards, to the other hands and the pile; then another's drawn card."""
    pool = np.empty(ALL_CARDS, np.int64)
    size = 0
    for card in range(N_CARDS):
        unseen = DECK[state.num_players, card] - state.players[player].hand[card]
        for place in range(state.discard_size):
            if state.discard_pile[place] == card:
                unseen -= 1
        for _ in range(unseen):
            pool[size] = card
            size += 1
    shuffle(state, CARD_ORDER, pool, 0, size)
    for seat in range(state.num_players):
        if seat != player:
            hand = state.players[seat].hand
            for card in range(N_CARDS):
                hand[card] = 0
            for _ in range(state.players[seat].hand_size):
                size -= 1
                hand[pool[size]] += 1
    for place in range(state.draw_size):
        state.draw_pile[place] = pool[place]
    if state.drawn_card != 0 and state.current_player != player:
        draw_from_hand_again(state)


@compiled
def draw_from_hand_again(state: State) -> None:
    """Which card of the new hand of the player to act was drawn this turn."""
    holder = state.players[state.current_player]
    left = draw(state, CARD_ORDER, holder.hand_size)
    card = 0
    while left >= holder.hand[card]:
        left -= holder.hand[card]
        card += 1
    state.drawn_card = card + 1


@compiled
def permute_offerings(state: State, seat: int) -> None:
    """The undelivered offerings of a seat lie anywhere among the places where they are."""
    player = state.players[seat]
    missing = 0
    for place in range(player.num_delivered):
        missing |= 1 << (player.delivered[place] - 1)
    pool = np.empty(OFFERINGS, np.int64)
    size = 0
    for offering in range(OFFERINGS):
        if not (missing >> offering) & 1:
            pool[size] = offering
            size += 1
    shuffle(state, CARD_ORDER, pool, 0, size)
    for tile in range(state.num_tiles):
        for place in range(HUT_PLACES):
            hut = state.tiles[tile].huts[place]
            if hut.owner == seat + 1 and hut.offering != 0:
                size -= 1
                hut.offering = pool[size] + 1
    for i in range(FIGURES):
        if player.figures[i].load >= FIRST_OFFERING:
            size -= 1
            player.figures[i].load = FIRST_OFFERING + pool[size]
    player.unused_offerings = 0
    for place in range(size):
        player.unused_offerings |= 1 << pool[place]
