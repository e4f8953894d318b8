"""Pfeffersäcke, version 1: everything is weighed in points, coins by what they buy, cities by the chance to win them.

An expansion must bring more of a city's points than the income it costs; a branch is opened where points, region,
and the income of the turns to come exceed its price; a privilege is used where it brings more than it would later.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from agents.heuristics.contract import Heuristics, register_heuristics
from envs.chance import random_bits
from envs.compiling import compiled
from envs.game import State
from envs.outcome import RANK, WIN
from envs.pfeffersaecke.actions import (
    DOUBLE_INCOME,
    END_EXPANDING,
    EXPAND_ONCE,
    EXPAND_TWICE,
    FOUND_TOWN,
    LAY_TOKEN,
    OPEN_PLACE,
    PASS,
)
from envs.pfeffersaecke.board import (
    ALL_TOWNS,
    CITIES,
    CLOSED,
    COINS_PER_POINT,
    DOUBLE_INCOME_MINIMUM,
    FIRST_TOWN,
    INCOME_PER_SPACE,
    NEIGHBOUR,
    NUM_ROUTES,
    PLACES,
    PRICE,
    REGION_POINTS,
    REGION_SETS,
    REGIONS,
    TOWN_POINTS,
    VALUE,
)
from envs.pfeffersaecke.rules import (
    branches_on_ring,
    cheapest_route,
    cities_for_tokens,
    expandable_cities,
    final_points,
    free_spaces,
    income,
    may_use_privilege,
    most_branches,
    opening_places,
    vacant_places,
)
from envs.pfeffersaecke.state import EXPAND, FOUND, NO_TOKEN, PLACE_TOKEN, PLACED, SCORE_SCALE

TIES = 0
"""The stream of `random_bits` that breaks ties."""

# ------------------------------------------------------------------ what things are worth, in points

COIN_AT_THE_END = 1.0 / COINS_PER_POINT
COIN_TO_SPEND = 0.12
"""What a coin is worth beyond that while there is much to open and the purse is empty."""
RICH = 40.0
"""Coins beyond these buy nothing more: so many with two players, a half of it with three, … (the incomes grow)."""
MANY_TURNS = 2.0
"""With so many turns to go coins are worth most."""

CHANCE = np.array([0.0, 3.0, 1.0, 0.32, 0.32, 0.32])
"""By branches missing to the majority of a city: how strongly a seat strives for it."""
NEWCOMERS = 0.07
"""The same for all that have no branch there yet, each."""
HALF_CHANCE = 0.44
"""The share of its points that the leader of a city may expect which nobody can win by majority any more."""

PRIVILEGE = 2.0
"""What a privilege must bring to be used with many turns to go."""
REACH = 0.13
"""What a free place that comes within reach is worth."""


@compiled
def turns_left(state: State) -> float:
    """About how many turns each seat still has: most games end when the towns are taken."""
    return 1.0 + state.free_towns / state.num_players


@compiled
def coin_worth(state: State, coins: float) -> float:
    """Points that one coin more is worth to a seat that has so many."""
    wanted = max(0.0, 1.0 - coins * INCOME_PER_SPACE[state.num_players] / RICH) * min(
        1.0, turns_left(state) / MANY_TURNS
    )
    return COIN_AT_THE_END + COIN_TO_SPEND * wanted


@compiled
def privilege_worth(state: State) -> float:
    return PRIVILEGE * min(1.0, (turns_left(state) - 1.0) / MANY_TURNS)


@compiled
def branches_in_city(state: State, city: int, seat: int) -> int:
    """Branches of a seat on the ring and, of the player to move, in the middle."""
    waiting = state.cities[city].middle if seat == state.current_player else 0
    return branches_on_ring(state, city, seat) + waiting


@compiled
def share_of_city(state: State, city: int, seat: int, more: int) -> float:
    """The share of its points that a seat with `more` branches there than now may expect of a city with its token."""
    majority = VALUE[city] // 2 + 1
    free = free_spaces(state, city) - more
    own, strongest, rivals = 0.0, 0, 0.0
    most = 0
    for other in range(state.num_players):
        count = branches_in_city(state, city, other)
        if other == seat:
            count += more
            if count >= majority:
                return 1.0
            own = CHANCE[majority - count] if majority - count <= free else 0.0
            strongest = count
        elif count > 0:
            rivals += CHANCE[majority - count] if majority - count <= free else 0.0
            most = max(most, count)
        elif majority <= free:
            rivals += NEWCOMERS * CHANCE[majority]
    if own + rivals > 0.0:
        return own / (own + rivals)
    if strongest > most:
        return HALF_CHANCE
    if strongest < most:
        return 0.0
    return HALF_CHANCE if most_branches(state, city) == seat else 0.0


@compiled
def points_of_city(state: State, city: int, seat: int, more: int) -> float:
    return VALUE[city] * share_of_city(state, city, seat, more)


@compiled
def income_turns(state: State) -> float:
    """For how many turns a city's income is reckoned."""
    return 0.5 * min(turns_left(state), 4.0)


@compiled
def worth_of_branch(state: State, seat: int, place: int, price: float) -> float:
    """Points that a branch opened at `place` for `price` coins brings: at once, at the end, and by what follows."""
    player = state.players[seat]
    worth = -price * coin_worth(state, player.coins - price)
    for region in range(REGIONS):
        if (REGION_SETS[region] >> place) & 1 and not player.branches & REGION_SETS[region]:
            worth += REGION_POINTS
    if place >= FIRST_TOWN:
        worth += TOWN_POINTS
    elif state.cities[place].token == PLACED:
        worth += points_of_city(state, place, seat, 1)
        coins = (free_spaces(state, place) - 1) * INCOME_PER_SPACE[state.num_players]
        worth += coins * income_turns(state) * coin_worth(state, player.coins)
    reach = 0.0
    closed = CLOSED[state.num_players]
    for i in range(NUM_ROUTES[place]):
        other = NEIGHBOUR[place, i]
        if not ((player.branches | closed) >> other) & 1:
            now = cheapest_route(player.branches, other)
            if now == 0 or now > PRICE[place, i]:
                reach += REACH * (1.0 if now == 0 else 0.5) * 6.0 / (2.0 + PRICE[place, i])
    return worth + reach * min(1.0, (turns_left(state) - 1.0) / MANY_TURNS)


@compiled
def jitter(seed: int, number: int) -> float:
    """Next to nothing, different for each number: it decides among equals."""
    return 1e-6 * (random_bits(seed, TIES, number) % 1000)


# ------------------------------------------------------------------ the rule of thumb, phase by phase


@compiled
def choose_first_town(state: State, seed: int) -> int:
    """A town with many cheap routes, best to places that nobody is next to yet."""
    taken = 0
    for seat in range(state.num_players):
        taken |= state.players[seat].branches
    vacant = vacant_places(state) & ALL_TOWNS
    best, highest = -1, -1e9
    for town in range(FIRST_TOWN, PLACES):
        if not (vacant >> town) & 1:
            continue
        worth = jitter(seed, town)
        for i in range(NUM_ROUTES[town]):
            other = NEIGHBOUR[town, i]
            if (CLOSED[state.num_players] >> other) & 1:
                continue
            if (taken >> other) & 1:
                worth -= 1.0
            value = 1.5 + 0.4 * VALUE[other] if other < CITIES else 2.0
            worth += value * 6.0 / (3.0 + PRICE[town, i])
        if worth > highest:
            best, highest = town, worth
    return FOUND_TOWN + best - FIRST_TOWN


@compiled
def access(state: State, seat: int, city: int) -> float:
    """What a city whose token is laid now is worth to a seat: its points and income, if a branch can soon be there."""
    price = cheapest_route(state.players[seat].branches, city)
    if price == 0:
        return 0.0
    coins = state.players[seat].coins
    soon = 1.0 if price <= coins else coins / price * 0.85
    income_worth = (VALUE[city] - 1) * INCOME_PER_SPACE[state.num_players] * income_turns(state)
    worth = 0.5 * VALUE[city] + (income_worth - price) * coin_worth(state, coins)
    return max(0.0, worth) * soon


@compiled
def choose_token(state: State, seed: int) -> int:
    """The city that is worth most more to oneself than to the others; far from all of them a low one."""
    seat = state.current_player
    cities = cities_for_tokens(state)
    best, highest = -1, -1e9
    for city in range(CITIES):
        if not (cities >> city) & 1:
            continue
        rivals = 0.0
        for other in range(state.num_players):
            if other != seat:
                rivals = max(rivals, access(state, other, city))
        worth = access(state, seat, city) - 0.45 * rivals - 0.05 * VALUE[city] + jitter(seed, city)
        if worth > highest:
            best, highest = city, worth
    return LAY_TOKEN + best


@compiled
def gain_of_expanding(state: State, city: int, more: int) -> float:
    """Points that so many branches more in a city bring, less the income that they cost."""
    if state.cities[city].token != PLACED:
        return -1.0
    seat = state.current_player
    share, before = share_of_city(state, city, seat, more), share_of_city(state, city, seat, 0)
    free = free_spaces(state, city)
    lost_spaces = 0.9 * free + 0.7 * income_turns(state) * (free if share == 1.0 else more)
    coins = lost_spaces * INCOME_PER_SPACE[state.num_players]
    return VALUE[city] * (share - before) - coins * coin_worth(state, state.players[seat].coins)


@compiled
def choose_expansion(state: State, seed: int) -> int:
    """The first city in the order that is worth expanding in; double income where it brings more than all of them."""
    seat = state.current_player
    cities = expandable_cities(state, 1)
    best, double_city = END_EXPANDING, -1
    total, double_gain = 0.0, privilege_worth(state)
    twice = expandable_cities(state, 2) if may_use_privilege(state) else 0
    for city in range(CITIES):
        if not (cities >> city) & 1:
            continue
        once = gain_of_expanding(state, city, 1)
        if once > 0.0:
            total += once
            if best == END_EXPANDING:
                best = EXPAND_ONCE + city
        if (twice >> city) & 1:
            more = gain_of_expanding(state, city, 2) - max(once, 0.0)
            if more > double_gain:
                double_gain, double_city = more, city
    if may_use_privilege(state) and state.next_city == 0:
        coins = income(state, seat)
        more_coins = max(DOUBLE_INCOME_MINIMUM, 2 * coins) - coins
        purse = float(state.players[seat].coins + coins)
        gain = 0.5 * more_coins * (coin_worth(state, purse) + coin_worth(state, purse + more_coins)) - total
        if gain > double_gain:
            return DOUBLE_INCOME
    if double_city >= 0 and (best == END_EXPANDING or best - EXPAND_ONCE >= double_city):
        return EXPAND_TWICE + double_city
    return best


@compiled
def choose_opening(state: State, seed: int) -> int:
    """The place that is worth most, if it is worth anything; with a privilege, if it is worth that too."""
    seat = state.current_player
    places = opening_places(state)
    best, highest = PASS, privilege_worth(state) if state.openings == 1 else 0.0
    for place in range(PLACES):
        if (places >> place) & 1:
            price = cheapest_route(state.players[seat].branches, place)
            worth = worth_of_branch(state, seat, place, price) + jitter(seed, place)
            if worth > highest:
                best, highest = OPEN_PLACE + place, worth
    return best


@compiled
def rule_of_thumb(state: State, seed: int) -> int:
    """The action that the rules of thumb above name for the phase."""
    if state.phase == FOUND:
        return choose_first_town(state, seed)
    if state.phase == PLACE_TOKEN:
        return choose_token(state, seed)
    if state.phase == EXPAND:
        return choose_expansion(state, seed)
    return choose_opening(state, seed)


# ------------------------------------------------------------------ static evaluation

DOUBT_AT_THE_END, DOUBT_A_TURN = 2.0, 1.0
"""How many points of lead make the odds e to 1: so many with no turn to go, and so many more for each turn."""


@compiled
def outlook(state: State, seat: int) -> float:
    """Points that a seat may expect at the end."""
    player = state.players[seat]
    turns = turns_left(state) - 1.0
    coins = player.coins + 0.5 * turns * income(state, seat)
    points = float(final_points(state, seat)) + (coins - player.coins) * COIN_AT_THE_END
    spent = min(coins, RICH / INCOME_PER_SPACE[state.num_players])
    points += spent * (coin_worth(state, 0.5 * spent) - COIN_AT_THE_END)
    points += player.privileges * privilege_worth(state)
    for city in range(CITIES):
        if (player.branches >> city) & 1 and state.cities[city].token == PLACED:
            points += points_of_city(state, city, seat, 0)
    reach = 0.0
    for place in range(PLACES):
        price = cheapest_route(player.branches, place)
        if price > 0 and not (player.branches >> place) & 1 and not (CLOSED[state.num_players] >> place) & 1:
            open_city = place < CITIES and (state.cities[place].token == NO_TOKEN or free_spaces(state, place) == 0)
            reach += 0.0 if open_city else REACH * 6.0 / (2.0 + price)
    return points + reach * min(1.0, turns / MANY_TURNS)


@compiled
def evaluate(state: State, seat: int, out: Any) -> None:
    """What each seat may expect by its lead in points over the others, in the unit of the option `reward`.

    All of it is public, so every `seat` sees the same.
    """
    n = state.num_players
    points = np.zeros(n)
    for seat in range(n):
        points[seat] = outlook(state, seat)
    doubt = DOUBT_AT_THE_END + DOUBT_A_TURN * (turns_left(state) - 1.0)
    if state.options.reward == WIN:
        most = points.max()
        total = 0.0
        for seat in range(n):
            out[seat] = math.exp((points[seat] - most) / doubt)
            total += out[seat]
        for seat in range(n):
            out[seat] = (out[seat] / total - 1.0 / n) * n / (n - 1)
        return
    for seat in range(n):
        lead = 0.0
        for other in range(n):
            if other != seat:
                by = points[seat] - points[other]
                lead += math.tanh(0.5 * by / doubt) if state.options.reward == RANK else by / SCORE_SCALE
        out[seat] = lead / (n - 1)


register_heuristics(
    Heuristics(
        game="pfeffersaecke",
        version=1,
        evaluate=evaluate,
        rule_of_thumb=rule_of_thumb,
        sources=(Path(__file__),),
    )
)
