"""Who knows what: the observation of a seat, and fair samples of the tokens in the other hands.

Hidden are the other players' tokens alone. Everybody remembers who laid which token, so the sample is drawn from the
exact distribution given the deal: high tokens are dealt evenly first (`HIGH_TOKENS_EACH`), and only what is left of
them is mixed into the low ones. With two players the own hand tells all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.chance import draw, shuffle
from envs.compiling import compiled
from envs.game import State
from envs.options import Options
from envs.pfeffersaecke.board import (
    BRANCHES,
    CITIES,
    CLOSED,
    FIRST_TOWN,
    HIGH_TOKEN,
    HIGH_TOKENS_EACH,
    HIGHEST_PRICE,
    HIGHEST_VALUE,
    MAX_PLAYERS,
    MOST_DEALT,
    MOST_TOKENS,
    PLACES,
    PRIVILEGES,
    REGION_SETS,
    REGIONS,
    TOKENS_DEALT,
    TOKENS_EACH,
    TOWNS,
    VALUE,
    VALUES,
)
from envs.pfeffersaecke.rules import cheapest_route, free_spaces, tokens_in_hand
from envs.pfeffersaecke.state import CLOSED_CITY, HALF_UP, PHASES, TOKEN_STATES, TOKENS

# ------------------------------------------------------------------ the observation
# Four parts: the table, a block a seat, a block a city, a block a town. Seats come own seat first, the others in the
# order of the table behind it. Counts are divided by what is usually the most, so values lie between about 0 and 1.

LOWEST_VALUE = int(VALUE.min())
KINDS = HIGHEST_VALUE - LOWEST_VALUE + 1
N_PHASES = len(PHASES)
N_TOKEN_STATES = len(TOKEN_STATES)

TABLE = N_PHASES + 7 + KINDS + PLACES
"""Phase (one place each), round / 20, free towns / 20, turns without opening / players, openings this turn / 2,
privilege used this turn, half points rounded up, decisions / limit, own tokens in hand / 3 by value, and for each place
the cheapest route to it from an own branch / 56 (0 if there is none)."""
SEAT = 8 + REGIONS
"""To act, start player, coins / 56 (1 at most: what routes cost), coins / 400, points / 100, supply / 44,
privileges / 2, tokens in hand / 9, regions with an own branch (one place each); then the tokens laid, in order,
value / 8."""
CITY = N_TOKEN_STATES + 2
"""Its token's state (one place each), free spaces / 8, branches in the middle / 2; then, a seat each: branches on the
ring / value, how early the first came (1 on the first space, 1/8 less for each further one), has won the city."""
TOWN = 1
"""Free and not closed; then, a seat each: owner."""


def observation_size(options: Options) -> int:
    """Floats in an observation: they depend on the number of players."""
    n = options["num_players"]
    return TABLE + n * (SEAT + int(TOKENS_EACH[n])) + CITIES * (CITY + 3 * n) + TOWNS * (TOWN + n)


@compiled
def observe(state: State, player: int, out: Any) -> None:
    """Write what `player` sees; the parts are described above."""
    n = state.num_players
    observe_table(state, player, out)
    seat_size = SEAT + TOKENS_EACH[n]
    for distance in range(n):
        observe_seat(state, (player + distance) % n, out, TABLE + distance * seat_size)
    cities = TABLE + n * seat_size
    for city in range(CITIES):
        observe_city(state, city, player, out, cities + city * (CITY + 3 * n))
    towns = cities + CITIES * (CITY + 3 * n)
    for town in range(TOWNS):
        observe_town(state, FIRST_TOWN + town, player, out, towns + town * (TOWN + n))


@compiled
def observe_table(state: State, player: int, out: Any) -> None:
    out[state.phase] = 1.0
    at = N_PHASES
    out[at] = state.round / 20
    out[at + 1] = state.free_towns / TOWNS
    out[at + 2] = state.turns_without_opening / state.num_players
    out[at + 3] = state.openings / 2
    out[at + 4] = state.privilege_used
    out[at + 5] = 1.0 if state.options.half_points == HALF_UP else 0.0
    out[at + 6] = state.move_number / state.options.max_moves
    at += 7
    for kind in range(KINDS):
        out[at + kind] = state.players[player].tokens[LOWEST_VALUE + kind] / 3
    at += KINDS
    for place in range(PLACES):
        out[at + place] = cheapest_route(state.players[player].branches, place) / HIGHEST_PRICE


@compiled
def observe_seat(state: State, seat: int, out: Any, at: int) -> None:
    player = state.players[seat]
    out[at] = 1.0 if state.current_player == seat else 0.0
    out[at + 1] = 1.0 if state.start_player == seat else 0.0
    out[at + 2] = min(player.coins, HIGHEST_PRICE) / HIGHEST_PRICE
    out[at + 3] = player.coins / 400
    out[at + 4] = player.points / 100
    out[at + 5] = player.supply / BRANCHES
    out[at + 6] = player.privileges / PRIVILEGES
    out[at + 7] = tokens_in_hand(state, seat) / MOST_TOKENS
    at += 8
    for region in range(REGIONS):
        out[at + region] = 1.0 if player.branches & REGION_SETS[region] else 0.0
    at += REGIONS
    for i in range(player.num_placed):
        out[at + i] = player.tokens_placed[i] / HIGHEST_VALUE


@compiled
def observe_city(state: State, city: int, player: int, out: Any, at: int) -> None:
    record = state.cities[city]
    out[at + record.token] = 1.0
    at += N_TOKEN_STATES
    out[at] = 0.0 if record.token == CLOSED_CITY else free_spaces(state, city) / HIGHEST_VALUE
    out[at + 1] = record.middle / 2
    at += 2
    n = state.num_players
    for space in range(record.num_branches - 1, -1, -1):
        distance = (record.ring[space] - 1 - player + n) % n
        out[at + 3 * distance] += 1.0 / VALUE[city]
        out[at + 3 * distance + 1] = 1.0 - space / HIGHEST_VALUE
    if record.winner > 0:
        out[at + 3 * ((record.winner - 1 - player + n) % n) + 2] = 1.0


@compiled
def observe_town(state: State, town: int, player: int, out: Any, at: int) -> None:
    n = state.num_players
    for distance in range(n):
        if (state.players[(player + distance) % n].branches >> town) & 1:
            out[at + TOWN + distance] = 1.0
            return
    out[at] = 1.0 - ((CLOSED[n] >> town) & 1)


# ------------------------------------------------------------------ determinization


@compiled
def determinize(state: State, player: int) -> None:
    """Draw the other hands anew, sizes kept, from what is in neither the own hand nor on the board.

    Take tokens as distinct pieces. A hand that holds, with what its seat has laid, h high tokens may come from C(h, a)
    first deals of a of them; so the ways to put the unseen pieces into the other hands have weights that are products
    of these. First the number of high tokens in each hand is drawn, then which pieces they are.
    """
    high_in_hand = draw_high_counts(state, player)
    unseen = np.zeros(MOST_DEALT, np.int64)
    total = high = 0
    for value in range(VALUES - 1, 0, -1):
        for _ in range(unseen_tokens(state, player, value)):
            unseen[total] = value
            total += 1
            if value >= HIGH_TOKEN:
                high += 1
    shuffle(state, TOKENS, unseen, 0, high)
    shuffle(state, TOKENS, unseen, high, total)
    next_high, next_low = 0, high
    for seat in range(state.num_players):
        if seat != player:
            hand = state.players[seat].tokens
            for value in range(VALUES):
                hand[value] = 0
            for _ in range(high_in_hand[seat]):
                hand[unseen[next_high]] += 1
                next_high += 1
            for _ in range(tokens_in_hand(state, seat) - high_in_hand[seat]):
                hand[unseen[next_low]] += 1
                next_low += 1


@compiled
def unseen_tokens(state: State, player: int, value: int) -> int:
    """How many tokens of a value lie in the other hands: those dealt, but for the own ones and the laid ones."""
    count = TOKENS_DEALT[state.num_players, value] - state.players[player].tokens[value]
    for seat in range(state.num_players):
        for i in range(state.players[seat].num_placed):
            if state.players[seat].tokens_placed[i] == value:
                count -= 1
    return count


@compiled
def draw_high_counts(state: State, player: int) -> Any:
    """How many high tokens each other hand holds in the sample: int64[MAX_PLAYERS].

    Of all ways to put the unseen pieces into the hands, a share proportional to the product of C(s, k) over the hands
    puts k high ones into each hand of size s. `weight[i, k]` sums the weights of all ways to put k high ones into the
    hands of the seats from i on.
    """
    n = state.num_players
    high = 0
    for value in range(HIGH_TOKEN, VALUES):
        high += unseen_tokens(state, player, value)
    weight = np.zeros((MAX_PLAYERS + 1, MOST_DEALT + 1), np.int64)
    weight[n, 0] = 1
    for seat in range(n - 1, -1, -1):
        for total in range(high + 1):
            for count in range(total + 1):
                weight[seat, total] += hand_weight(state, player, seat, count) * weight[seat + 1, total - count]
    counts = np.zeros(MAX_PLAYERS, np.int64)
    drawn = draw(state, TOKENS, weight[0, high])
    for seat in range(n):
        for count in range(high + 1):
            own = hand_weight(state, player, seat, count)
            share = own * weight[seat + 1, high - count]
            if drawn < share:
                drawn //= own
                counts[seat] = count
                high -= count
                break
            drawn -= share
    return counts


@compiled
def hand_weight(state: State, player: int, seat: int, count: int) -> int:
    """The weight of `count` high tokens in the hand of a seat; the own hand takes none of the unseen ones."""
    if seat == player:
        return 1 if count == 0 else 0
    laid = 0
    for i in range(state.players[seat].num_placed):
        if state.players[seat].tokens_placed[i] >= HIGH_TOKEN:
            laid += 1
    first_deals = binomial(laid + count, HIGH_TOKENS_EACH[state.num_players])
    return first_deals * binomial(tokens_in_hand(state, seat), count)


@compiled
def binomial(n: int, k: int) -> int:
    if k > n:
        return 0
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result
