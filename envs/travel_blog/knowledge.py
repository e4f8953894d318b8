"""Who knows what: hidden are the order of the cards to come and, within a tick, what the others have committed."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.chance import draw, shuffle
from envs.compiling import compiled
from envs.game import State
from envs.options import Options
from envs.travel_blog.components import FEWEST_CROSSINGS, HIGHEST_PRICE, LONGEST_WALK, PARTS_OF_MAP, SPARE_TICKS
from envs.travel_blog.prices import price
from envs.travel_blog.rules import colours, commits, count_bits, last_tick, nth_bit
from envs.travel_blog.state import (
    CARDS,
    COLOURS,
    COMMITS,
    COSTS,
    DEAL,
    FIELDS,
    GRAPH,
    MAPS,
    NO_FIELD,
    OFFER,
    ROUNDS,
    SEQUENCE,
    TICKS,
    TOKENS,
)

FULL_PURSE = 600.0
"""Euros a colour that an observation counts as 1: all of the income."""

BORDERS = (FEWEST_CROSSINGS == 1).astype(np.float32)
"""The maps as adjacency matrices of their parts: float32[2, parts, parts]."""

PARTS_EUROPE, PARTS_USA = PARTS_OF_MAP
PURSE, TRIP = 2, 5
"""Entries of an observation: for a seat's purse, and for a colour's last trip."""


@compiled
def observe(state: State, player: int, out: Any) -> None:
    """All that a seat knows. n seats from the own one onwards, c colours, a actions, T ticks a round at most:

    - n: the own seat at the table, one-hot; n: the seat to act, relative to the own one, one-hot (zeros at the end);
    - 7: the round; T: the tick; both one-hot; 1: the ticks left, out of T; a: the own commit of this tick, one-hot;
    - in `sequence` n times n: each seat's place in the running wave, one-hot;
    - n times 2 + c + 5c: cash and last change, out of 600 c; for each colour the tokens left, out of 2; for each
      colour the last trip: crossings (out of the most there can be), pairs of neighbours (out of 5), tokens beneath
      (out of 10), whether the field "40" was chosen, the amount out of 600;
    - the board: 9 times 50, the states at fields 1 to 7 and in the middle, one-hot; 8 times n c times n c: by field and
      level (the lowest first) whose token of which colour lies there, one-hot, seats relative to the own one;
    - the same of the board evaluated last, zeros before the first evaluation;
    - 50: the states out of the game until the finale;
    - with `knowledge` `graph`: the adjacency matrix of the map's parts, row by row (52 times 52 for Europe, 50 times 50
      for the USA): part 0 to 49 is the first part of card 1 to 50, in Europe 50 is Azerbaijan's second and 51 Russia's;
    - with `knowledge` `costs`: 8, in rounds 1 and 2 what each field's trip costs; 8 times 8, later what each pair
      of fields costs, -1 on the diagonal; without tokens beneath, as a share of the highest price there can be.
    """
    n, c = state.num_players, colours(state)
    out[player] = 1.0
    at = n
    if not state.terminated:
        out[at + (state.current_player - player + n) % n] = 1.0
    at += n
    out[at + state.round - 1] = 1.0
    at += ROUNDS
    ticks = TOKENS * c + (SPARE_TICKS if state.options.timing == TICKS else 0)
    out[at + state.tick - 1] = 1.0
    at += ticks
    out[at] = (last_tick(state) - state.tick) / ticks
    at += 1
    if state.players[player].pending > 0:
        out[at + state.players[player].pending - 1] = 1.0
    at += FIELDS * c + (1 if state.options.timing == TICKS else 0)
    if state.options.timing == SEQUENCE:
        for place in range(n):
            out[at + n * ((state.wave_order[place] - player + n) % n) + place] = 1.0
        at += n * n
    for offset in range(n):
        write_player(state, (player + offset) % n, at, out)
        at += PURSE + c + TRIP * c
    write_board(state, state.board, player, at, out)
    at += board_entries(state)
    if state.last_round > 0:
        write_board(state, state.last_board, player, at, out)
    at += board_entries(state)
    for place in range(first_of_round(state)):
        out[at + state.deck[place] - 1] = 1.0
    at += CARDS
    if state.options.knowledge == GRAPH:
        write_graph(state, at, out)
    elif state.options.knowledge == COSTS:
        write_prices(state, at, out)


@compiled
def first_of_round(state: State) -> int:
    """The place in the deck of the first card of the running round: those before it are out until the finale."""
    return state.dealt - OFFER - (1 if state.round <= 4 else 2)


@compiled
def write_player(state: State, seat: int, at: int, out: Any) -> None:
    player, c = state.players[seat], colours(state)
    out[at] = player.cash / (c * FULL_PURSE)
    out[at + 1] = player.last_change / (c * FULL_PURSE)
    at += PURSE
    for colour in range(c):
        trip = player.last_trip[colour]
        out[at + colour] = player.tokens_left[colour] / TOKENS
        first = at + c + TRIP * colour
        out[first] = trip.crossings / LONGEST_WALK
        out[first + 1] = trip.neighbour_pairs / 5
        out[first + 2] = trip.beneath / 10
        out[first + 3] = trip.forty
        out[first + 4] = trip.amount / FULL_PURSE


@compiled
def board_entries(state: State) -> int:
    """How many entries a board takes: its states, and its tokens by field, level and owner."""
    tokens = state.num_players * colours(state)
    return (OFFER + 2) * CARDS + FIELDS * tokens * tokens


@compiled
def write_board(state: State, board: Any, player: int, at: int, out: Any) -> None:
    n, c = state.num_players, colours(state)
    for place in range(OFFER):
        out[at + board.offer[place] - 1] = 1.0
        at += CARDS
    for place in range(2):
        if board.middle[place] > 0:
            out[at + board.middle[place] - 1] = 1.0
        at += CARDS
    for field in range(FIELDS):
        for level in range(board.heights[field]):
            token = board.stacks[field, level] - 1
            seat, colour = token // COLOURS, token % COLOURS
            out[at + level * n * c + ((seat - player + n) % n) * c + colour] = 1.0
        at += n * c * n * c


@compiled
def write_graph(state: State, at: int, out: Any) -> None:
    m = state.options.map
    parts = PARTS_EUROPE if m == 0 else PARTS_USA
    for one in range(parts):
        for other in range(parts):
            out[at] = BORDERS[m, one, other]
            at += 1


@compiled
def write_prices(state: State, at: int, out: Any) -> None:
    if state.round <= 2:
        for f in range(FIELDS):
            out[at + f] = price(state, f, NO_FIELD) / HIGHEST_PRICE
        return
    at += FIELDS
    for f in range(FIELDS):
        out[at + FIELDS * f + f] = -1.0
        for g in range(f):
            share = price(state, f, g) / HIGHEST_PRICE
            out[at + FIELDS * f + g] = share
            out[at + FIELDS * g + f] = share


def observation_size(options: Options) -> int:
    """How long the observation is under these options."""
    n, c = options["num_players"], COLOURS if options["demanding"] else 1
    ticking = options["timing"] == "ticks"
    ticks = TOKENS * c + (SPARE_TICKS if ticking else 0)
    size = 2 * n + ROUNDS + ticks + 1 + num_actions(options) + (0 if ticking else n * n)
    size += n * (PURSE + c + TRIP * c) + 2 * ((OFFER + 2) * CARDS + FIELDS * n * c * n * c) + CARDS
    if options["knowledge"] == "graph":
        size += PARTS_OF_MAP[MAPS.index(options["map"])] ** 2
    elif options["knowledge"] == "costs":
        size += FIELDS + FIELDS * FIELDS
    return size


def num_actions(options: Options) -> int:
    """A field of the board for each colour of a seat and, in `ticks`, WAIT."""
    return FIELDS * (COLOURS if options["demanding"] else 1) + (1 if options["timing"] == "ticks" else 0)


# ------------------------------------------------------------------ what may be hidden


@compiled
def determinize(state: State, player: int) -> None:
    """Shuffle the cards to come, and draw the others' commits of this tick anew from what they may commit."""
    shuffle_draw_pile(state)
    for seat in range(state.num_players):
        if seat != player and state.players[seat].pending > 0:
            legal = commits(state, seat)
            state.players[seat].pending = 1 + nth_bit(legal, draw(state, COMMITS, count_bits(legal)))


@compiled
def shuffle_draw_pile(state: State) -> None:
    """Put the cards that are not out into one order, whatever order they had, and shuffle them."""
    out = 0
    for place in range(state.dealt):
        out |= 1 << state.deck[place]
    place = state.dealt
    for card in range(1, CARDS + 1):
        if not (out >> card) & 1:
            state.deck[place] = card
            place += 1
    shuffle(state, DEAL, state.deck, state.dealt, CARDS)
