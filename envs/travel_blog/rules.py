"""The rules: deal, commit or place, lay the tokens, evaluate the round, pay; seven times.

A commit is a field times a colour, or WAIT. In `ticks` the seats that hold tokens commit one after the other, unseen,
and all tokens of a tick are laid at its end; in `sequence` each is laid at once, in waves of one token a seat.

T1 to T23 are the rulings of this folder's README.md. Every function that reads a fact of the box takes the position
first, so that its compiled code belongs to the position's type and with it to these facts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.chance import draw, shuffle
from envs.compiling import compiled
from envs.game import State
from envs.outcome import pay
from envs.travel_blog.components import INCOME, SCORE_SCALE, SPARE_TICKS
from envs.travel_blog.prices import amount, crossings, first_field, neighbour_pairs, price_of, second_field
from envs.travel_blog.state import (
    CARDS,
    COLOURS,
    DEAL,
    FIELDS,
    FINALE,
    FORTY,
    HIGHEST_STACK,
    MAX_PLAYERS,
    NO_CARD,
    OFFER,
    STACKING,
    START,
    TARGET,
    TICKS,
    TOKENS,
    WAVES,
)

ALL_FIELDS = (1 << FIELDS) - 1


# ------------------------------------------------------------------ counting


@compiled
def colours(state: State) -> int:
    """How many colours each seat plays."""
    return COLOURS if state.options.demanding else 1


@compiled
def tokens_of_colour(state: State) -> int:
    """How many tokens of each colour are laid in this round."""
    return 1 if state.round <= 2 else TOKENS


@compiled
def tokens_held(state: State, seat: int) -> int:
    """How many of a seat's tokens do not lie yet."""
    return state.players[seat].tokens_left[0] + state.players[seat].tokens_left[1]


@compiled
def seats_holding(state: State) -> int:
    """How many seats still hold tokens."""
    count = 0
    for seat in range(state.num_players):
        if tokens_held(state, seat) > 0:
            count += 1
    return count


@compiled
def next_holder(state: State, seat: int) -> int:
    """The first seat from `seat` on that holds tokens; `num_players` if there is none."""
    while seat < state.num_players and tokens_held(state, seat) == 0:
        seat += 1
    return seat


@compiled
def last_tick(state: State) -> int:
    """The number of the round's last tick (in `sequence`: wave)."""
    tokens = colours(state) * tokens_of_colour(state)
    return tokens + SPARE_TICKS if state.options.timing == TICKS else tokens


@compiled
def middle_cards(state: State) -> int:
    """How many states lie in the middle: the start, and from part three on a target."""
    return 1 if state.round <= 4 else 2


@compiled
def count_bits(bits: int) -> int:
    """How many ones a bit set has."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@compiled
def nth_bit(bits: int, n: int) -> int:
    """The place of the one number `n` of a bit set, from 0 on."""
    for _ in range(n):
        bits &= bits - 1
    place = 0
    while not (bits >> place) & 1:
        place += 1
    return place


# ------------------------------------------------------------------ a round begins


@compiled
def setup(state: State) -> None:
    for place in range(CARDS):
        state.deck[place] = place + 1
    shuffle(state, DEAL, state.deck, 0, CARDS)
    begin_round(state)


@compiled
def begin_round(state: State) -> None:
    """Income, then seven states round the board and the middle; before the finale all cards are shuffled anew."""
    state.round += 1
    if state.round == FINALE:
        state.dealt = 0
        shuffle(state, DEAL, state.deck, 0, CARDS)
    for seat in range(state.num_players):
        state.players[seat].cash += colours(state) * INCOME[state.round]
        for colour in range(colours(state)):
            state.players[seat].tokens_left[colour] = tokens_of_colour(state)
            state.players[seat].chosen[colour] = 0
    clear_board(state)
    for place in range(OFFER):
        state.board.offer[place] = deal_card(state)
    state.board.middle[START] = deal_card(state)
    if middle_cards(state) == 2:
        state.board.middle[TARGET] = deal_card(state)
    state.tick = 0
    begin_tick(state)


@compiled
def deal_card(state: State) -> int:
    """The next card of the draw pile."""
    card = state.deck[state.dealt]
    state.dealt += 1
    return card


@compiled
def clear_board(state: State) -> None:
    state.board.middle[TARGET] = NO_CARD
    for field in range(FIELDS):
        for level in range(state.board.heights[field]):
            state.board.stacks[field, level] = 0
        state.board.heights[field] = 0


@compiled
def begin_tick(state: State) -> None:
    """The next tick, or in `sequence` the next wave with an order of its own."""
    state.tick += 1
    if state.options.timing == TICKS:
        state.current_player = next_holder(state, 0)
        return
    for seat in range(state.num_players):
        state.wave_order[seat] = seat
    shuffle(state, WAVES, state.wave_order, 0, state.num_players)
    state.turn = 0
    state.current_player = state.wave_order[0]


# ------------------------------------------------------------------ what may be committed


@compiled
def open_fields(state: State, seat: int, colour: int) -> int:
    """The fields where a seat may lay a token of a colour now, as a bit set.

    Two tokens of a colour go to different fields (T9). In the demanding variant so do the two colours' single tokens
    of the first two rounds, and later the two colours may not choose the same pair of fields.
    """
    player = state.players[seat]
    if player.tokens_left[colour] == 0:
        return 0
    own = player.chosen[colour]
    closed = own
    if state.options.demanding:
        other = player.chosen[1 - colour]
        one_token_each = tokens_of_colour(state) == 1
        completes_the_same_pair = count_bits(own) == 1 and count_bits(other) == 2 and own & other != 0
        if one_token_each or completes_the_same_pair:
            closed |= other
    return ALL_FIELDS & ~closed


@compiled
def may_wait(state: State, seat: int) -> bool:
    """Waiting is for `ticks`, while the ticks left are enough for the seat's tokens and others hold tokens too."""
    if state.options.timing != TICKS or last_tick(state) - state.tick < tokens_held(state, seat):
        return False
    return seats_holding(state) > 1


@compiled
def commits(state: State, seat: int) -> int:
    """All that a seat may commit in the running tick, as a bit set of actions.

    Commits of the tick change nothing here before it ends.
    """
    legal = open_fields(state, seat, 0)
    if state.options.demanding:
        legal |= open_fields(state, seat, 1) << FIELDS
    if may_wait(state, seat):
        legal |= 1 << wait_action(state)
    return legal


@compiled
def wait_action(state: State) -> int:
    """The index of WAIT, behind the fields of all colours."""
    return FIELDS * colours(state)


@compiled
def legal_actions(state: State, mask: Any) -> int:
    legal = commits(state, state.current_player)
    count = 0
    for action in range(len(mask)):
        if (legal >> action) & 1:
            mask[action] = True
            count += 1
    return count


# ------------------------------------------------------------------ playing


@compiled
def apply_action(state: State, action: int) -> None:
    if state.options.timing == TICKS:
        state.players[state.current_player].pending = action + 1
        state.current_player = next_holder(state, state.current_player + 1)
        tick_ends = state.current_player == state.num_players
        if tick_ends:
            lay_pending(state)
    else:
        lay_token(state, state.current_player, action)
        state.turn += 1
        tick_ends = state.turn == state.num_players
        if not tick_ends:
            state.current_player = state.wave_order[state.turn]
    if tick_ends:
        if seats_holding(state) == 0:
            end_round(state)
        else:
            begin_tick(state)


@compiled
def lay_pending(state: State) -> None:
    """Lay what was committed in this tick, all at once: tokens at one field are stacked in random order (T21)."""
    placing = 0
    for seat in range(state.num_players):
        commit = state.players[seat].pending
        if commit > 0 and commit - 1 != wait_action(state):
            placing |= 1 << seat
    left = count_bits(placing)
    while left > 0:
        seat = nth_bit(placing, draw(state, STACKING, left) if left > 1 else 0)
        lay_token(state, seat, state.players[seat].pending - 1)
        placing &= ~(1 << seat)
        left -= 1
    for seat in range(state.num_players):
        state.players[seat].pending = 0


@compiled
def token_of(state: State, seat: int, colour: int) -> int:
    """The number that stands for a seat's token in a stack."""
    return 1 + COLOURS * seat + colour


@compiled
def lay_token(state: State, seat: int, action: int) -> None:
    """Put a seat's token on top of the stack at a field."""
    field, colour = action % FIELDS, action // FIELDS
    state.board.stacks[field, state.board.heights[field]] = token_of(state, seat, colour)
    state.board.heights[field] += 1
    state.players[seat].chosen[colour] |= 1 << field
    state.players[seat].tokens_left[colour] -= 1


# ------------------------------------------------------------------ a round is evaluated


@compiled
def end_round(state: State) -> None:
    """All tokens lie: evaluate every colour on the full stacks (T7), pay, and deal the next round."""
    for seat in range(state.num_players):
        total = 0
        for colour in range(colours(state)):
            total += evaluate_trip(state, seat, colour)
        # T10: who cannot pay all pays what there is. In the finale the trips are paid out.
        change = total if state.round == FINALE else -min(total, state.players[seat].cash)
        state.players[seat].cash += change
        state.players[seat].last_change = change
    keep_board(state)
    if state.round == FINALE:
        state.current_player = 0
        state.terminated = 1
    else:
        begin_round(state)


@compiled
def evaluate_trip(state: State, seat: int, colour: int) -> int:
    """Write what a colour's trip is made of, and return its amount in euros."""
    f, g = first_field(state, seat, colour), second_field(state, seat, colour)
    token = token_of(state, seat, colour)
    beneath = tokens_beneath(state, f, token) + tokens_beneath(state, g, token)
    trip = state.players[seat].last_trip[colour]
    trip.crossings = crossings(state, f, g)
    trip.neighbour_pairs = neighbour_pairs(state, f, g)
    trip.beneath = beneath
    trip.forty = 1 if f == FORTY else 0
    base = price_of(state, trip.crossings, trip.neighbour_pairs, trip.forty)
    trip.amount = amount(state, base, beneath)
    return trip.amount


@compiled
def tokens_beneath(state: State, field: int, token: int) -> int:
    """How many tokens lie beneath a token at a field, of the same seat's other colour too; 0 for `NO_FIELD`."""
    if field < 0:
        return 0
    level = 0
    while state.board.stacks[field, level] != token:
        level += 1
    return level


@compiled
def keep_board(state: State) -> None:
    """The board as it lies becomes that of the round evaluated last."""
    state.last_round = state.round
    for place in range(OFFER):
        state.last_board.offer[place] = state.board.offer[place]
    for place in range(2):
        state.last_board.middle[place] = state.board.middle[place]
    for field in range(FIELDS):
        state.last_board.heights[field] = state.board.heights[field]
        for level in range(HIGHEST_STACK):
            state.last_board.stacks[field, level] = state.board.stacks[field, level]


@compiled
def returns(state: State, out: Any) -> None:
    """Most money wins, ties share (T18)."""
    cash = np.zeros(MAX_PLAYERS, np.int64)
    for seat in range(state.num_players):
        cash[seat] = state.players[seat].cash
    pay(state.options.reward, cash, cash, state.num_players, SCORE_SCALE[state.options.demanding], out)
