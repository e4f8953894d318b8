"""The rules of Pfeffersäcke: set-up, the six steps of a turn, the end. Rulings are cited by number (README.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.chance import draw, shuffle
from envs.compiling import compiled
from envs.game import State, min_return_by_place
from envs.options import Options
from envs.outcome import pay
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
    ALL_CITIES,
    ALL_TOWNS,
    BASE_INCOME,
    BRANCHES,
    CITIES,
    CLOSED,
    COINS_PER_POINT,
    DOUBLE_INCOME_MINIMUM,
    FIRST_TOWN,
    HIGH_TOKEN,
    HIGH_TOKENS_EACH,
    INCOME_PER_SPACE,
    MAX_PLAYERS,
    MOST_DEALT,
    NEIGHBOUR,
    NUM_ROUTES,
    OPEN_TOKEN_CITY,
    OPEN_TOKENS,
    PLACES,
    PRICE,
    PRIVILEGES,
    REGION_POINTS,
    REGION_SETS,
    REGIONS,
    START_COINS,
    TOKENS_DEALT,
    TOKENS_EACH,
    TOWN_POINTS,
    TOWNS,
    VALUE,
    VALUES,
)
from envs.pfeffersaecke.state import (
    CLOSED_CITY,
    EXPAND,
    FOUND,
    HALF_UP,
    NO_TOKEN,
    OPEN,
    PLACE_TOKEN,
    PLACED,
    REMOVED,
    SCORE_SCALE,
    START_PLAYER,
    TOKENS,
)

# ------------------------------------------------------------------ set-up


@compiled
def setup(state: State) -> None:
    n = state.num_players
    state.start_player = draw(state, START_PLAYER, n)
    state.current_player = state.start_player
    state.phase = FOUND
    state.free_towns = TOWNS
    for place in range(PLACES):
        if (CLOSED[n] >> place) & 1:
            if place < FIRST_TOWN:
                state.cities[place].token = CLOSED_CITY
            else:
                state.free_towns -= 1
    if OPEN_TOKENS[n] > 0:
        state.cities[OPEN_TOKEN_CITY].token = PLACED  # P2
    for seat in range(n):
        player = state.players[seat]
        player.coins = START_COINS[n]
        player.supply = BRANCHES
        player.privileges = PRIVILEGES
    deal_tokens(state)


@compiled
def deal_tokens(state: State) -> None:
    """First the high tokens, evenly; those left over are mixed into the low ones, which are dealt evenly too."""
    n = state.num_players
    tokens = np.zeros(MOST_DEALT, np.int64)
    total = 0
    for value in range(VALUES - 1, 0, -1):
        if value == HIGH_TOKEN - 1:
            shuffle(state, TOKENS, tokens, 0, total)
        for _ in range(TOKENS_DEALT[n, value]):
            tokens[total] = value
            total += 1
    high_dealt = n * HIGH_TOKENS_EACH[n]
    shuffle(state, TOKENS, tokens, high_dealt, total)
    for i in range(total):
        seat = i % n  # both parts divide by n
        state.players[seat].tokens[tokens[i]] += 1


# ------------------------------------------------------------------ what may be done


@compiled
def legal_actions(state: State, mask: Any) -> int:
    if state.phase == FOUND:
        return allow_all(vacant_places(state) & ALL_TOWNS, FOUND_TOWN - FIRST_TOWN, mask)
    if state.phase == PLACE_TOKEN:
        return allow_all(cities_for_tokens(state), LAY_TOKEN, mask)
    if state.phase == EXPAND:
        count = 1 + allow_all(expandable_cities(state, 1), EXPAND_ONCE, mask)
        mask[END_EXPANDING] = True
        if may_use_privilege(state):
            count += allow_all(expandable_cities(state, 2), EXPAND_TWICE, mask)
            if state.next_city == 0:
                mask[DOUBLE_INCOME] = True
                count += 1
        return count
    mask[PASS] = True
    return 1 + allow_all(opening_places(state), OPEN_PLACE, mask)


@compiled
def allow_all(places: int, first_action: int, mask: Any) -> int:
    """Allow `first_action + place` for every place of a bit set; returns how many there are."""
    count = 0
    for place in range(PLACES):
        if (places >> place) & 1:
            mask[first_action + place] = True
            count += 1
    return count


@compiled
def nothing_to_decide(state: State) -> bool:
    """Whether the phase goes by without a decision, as everybody can see."""
    if state.phase == PLACE_TOKEN:
        return tokens_in_hand(state, state.current_player) == 0
    if state.phase == EXPAND:
        # With the privilege unused, double income is one (before any expansion).
        choice = state.next_city == 0 and may_use_privilege(state)
        return not choice and expandable_cities(state, 1) == 0
    return state.phase == OPEN and opening_places(state) == 0


@compiled
def tokens_in_hand(state: State, seat: int) -> int:
    return TOKENS_EACH[state.num_players] - state.players[seat].num_placed


@compiled
def may_use_privilege(state: State) -> bool:
    """At most one privilege a turn, none in the first turn (P16)."""
    has_one = state.players[state.current_player].privileges > 0
    return has_one and state.round > 1 and state.privilege_used == 0


@compiled
def cities_for_tokens(state: State) -> int:
    """The cities that never had a token and whose value the player to move has in hand, as a bit set."""
    player = state.players[state.current_player]
    cities = 0
    for city in range(CITIES):
        if state.cities[city].token == NO_TOKEN and player.tokens[VALUE[city]] > 0:
            cities |= 1 << city
    return cities


@compiled
def free_spaces(state: State, city: int) -> int:
    """Spaces of the ring without a branch (P5); branches in the middle have their space already."""
    return VALUE[city] - state.cities[city].num_branches - state.cities[city].middle


@compiled
def expandable_cities(state: State, branches: int) -> int:
    """The cities in which the player to move may expand by so many branches, as a bit set.

    An own branch and enough free spaces, token or no token (P3, P13, P37), in the order of the cities.
    """
    player = state.players[state.current_player]
    cities = 0
    if player.supply >= branches:
        for city in range(state.next_city, CITIES):
            if (player.branches >> city) & 1 and free_spaces(state, city) >= branches:
                cities |= 1 << city
    return cities


@compiled
def vacant_places(state: State) -> int:
    """Where a branch could be opened by whoever has none there: towns of nobody, cities with a token laid and a space.

    As a bit set. Closed places are none of them (P30), cities whose token is gone are (P11), those that wait for
    theirs are not (P12).
    """
    taken = 0
    for seat in range(state.num_players):
        taken |= state.players[seat].branches
    vacant = ALL_TOWNS & ~taken & ~CLOSED[state.num_players]
    for city in range(CITIES):
        token = state.cities[city].token
        if (token == PLACED or token == REMOVED) and free_spaces(state, city) > 0:
            vacant |= 1 << city
    return vacant


@compiled
def opening_places(state: State) -> int:
    """Where the player to move may open a branch now, as a bit set: empty once no opening is left in this turn.

    One opening a turn, a second with a privilege (P15); next to an own branch, one opened in this turn included (P8),
    by the cheapest route (P9) and within the player's coins.
    """
    player = state.players[state.current_player]
    if player.supply == 0 or state.openings > 1 or (state.openings == 1 and not may_use_privilege(state)):
        return 0
    candidates = vacant_places(state) & ~player.branches
    places = 0
    for place in range(PLACES):
        if (candidates >> place) & 1:
            price = cheapest_route(player.branches, place)
            if 0 < price <= player.coins:
                places |= 1 << place
    return places


@compiled
def cheapest_route(branches: int, place: int) -> int:
    """The price of the cheapest route to a place from one of the places `branches`, 0 if there is none."""
    for i in range(NUM_ROUTES[place]):
        if (branches >> NEIGHBOUR[place, i]) & 1:
            return PRICE[place, i]
    return 0


# ------------------------------------------------------------------ what is done


@compiled
def apply_action(state: State, action: int) -> None:
    phase_is_over = play(state, action)
    while state.terminated == 0 and (phase_is_over or nothing_to_decide(state)):
        go_on(state)
        phase_is_over = False
    if state.terminated == 0 and state.move_number >= state.options.max_moves:
        state.truncated = 1


@compiled
def play(state: State, action: int) -> bool:
    """Play the action alone; whether its phase is over with it (if not, it may still have nothing left to decide)."""
    seat = state.current_player
    if action < LAY_TOKEN:
        open_branch(state, FIRST_TOWN + action - FOUND_TOWN)
        state.current_player = (seat + 1) % state.num_players
        return state.current_player == state.start_player
    if action < EXPAND_ONCE:
        lay_token(state, action - LAY_TOKEN)
        return True
    if action < EXPAND_TWICE:
        expand(state, action - EXPAND_ONCE, 1)
        return False
    if action < DOUBLE_INCOME:
        use_privilege(state)
        expand(state, action - EXPAND_TWICE, 2)
        return False
    if action == DOUBLE_INCOME:
        use_privilege(state)
        state.players[seat].coins += max(DOUBLE_INCOME_MINIMUM, 2 * income(state, seat))
        state.phase = OPEN
        return False
    if action == END_EXPANDING or action == PASS:
        return True
    if state.openings == 1:
        use_privilege(state)
    place = action - OPEN_PLACE
    state.players[seat].coins -= cheapest_route(state.players[seat].branches, place)
    state.openings += 1
    open_branch(state, place)
    return False


@compiled
def go_on(state: State) -> None:
    """From a finished phase to the next one."""
    if state.phase == FOUND:
        state.round = 1
        state.phase = PLACE_TOKEN
    elif state.phase == PLACE_TOKEN:
        state.phase = EXPAND
    elif state.phase == EXPAND:
        state.players[state.current_player].coins += income(state, state.current_player)
        state.phase = OPEN
    else:
        settle(state)
        end_turn(state)


@compiled
def use_privilege(state: State) -> None:
    state.players[state.current_player].privileges -= 1
    state.privilege_used = 1


@compiled
def lay_token(state: State, city: int) -> None:
    player = state.players[state.current_player]
    player.tokens[VALUE[city]] -= 1
    player.tokens_placed[player.num_placed] = VALUE[city]
    player.num_placed += 1
    state.cities[city].token = PLACED


@compiled
def expand(state: State, city: int, branches: int) -> None:
    state.players[state.current_player].supply -= branches
    state.cities[city].middle += branches
    state.next_city = city + 1


@compiled
def income(state: State, seat: int) -> int:
    """Steps 3 and 4: for every free space of a city with an own branch, its token, and no expansion; and the base."""
    spaces = 0
    own_cities = state.players[seat].branches & ALL_CITIES
    for city in range(CITIES):
        if (own_cities >> city) & 1 and state.cities[city].token == PLACED and state.cities[city].middle == 0:
            spaces += free_spaces(state, city)
    return spaces * INCOME_PER_SPACE[state.num_players] + BASE_INCOME[state.num_players]


@compiled
def open_branch(state: State, place: int) -> None:
    """A branch in a town counts at once (P27); one in a city waits in the middle until the turn is settled."""
    player = state.players[state.current_player]
    player.branches |= 1 << place
    player.supply -= 1
    if place >= FIRST_TOWN:
        player.points += TOWN_POINTS
        state.free_towns -= 1
    else:
        state.cities[place].middle = 1


# ------------------------------------------------------------------ step 6


@compiled
def settle(state: State) -> None:
    """Branches in the middle move to the ring; a city with its token that has one is checked for points."""
    for city in range(CITIES):
        if state.cities[city].middle > 0:
            move_to_ring(state, city)
            if state.cities[city].token == PLACED:
                score_city(state, city)


@compiled
def move_to_ring(state: State, city: int) -> None:
    spaces = state.cities[city]
    for _ in range(spaces.middle):
        spaces.ring[spaces.num_branches] = state.current_player + 1
        spaces.num_branches += 1
    spaces.middle = 0


@compiled
def score_city(state: State, city: int) -> None:
    """The full value for an absolute majority (P17, P18), half of it for most branches once the last space is full."""
    if 2 * branches_on_ring(state, city, state.current_player) > VALUE[city]:
        win_city(state, city, state.current_player, VALUE[city])
    elif free_spaces(state, city) == 0:
        rounding = 1 if state.options.half_points == HALF_UP else 0  # P19
        win_city(state, city, most_branches(state, city), (VALUE[city] + rounding) // 2)


@compiled
def branches_on_ring(state: State, city: int, seat: int) -> int:
    count = 0
    for space in range(state.cities[city].num_branches):
        if state.cities[city].ring[space] == seat + 1:
            count += 1
    return count


@compiled
def most_branches(state: State, city: int) -> int:
    """The seat with most branches in a city, of several the one that came first (P21)."""
    best = leader = 0
    for space in range(state.cities[city].num_branches):
        seat = state.cities[city].ring[space] - 1
        count = branches_on_ring(state, city, seat)
        if count > best:
            best, leader = count, seat
    return leader


@compiled
def win_city(state: State, city: int, seat: int, points: int) -> None:
    state.players[seat].points += points
    state.cities_won += 1
    state.cities[city].winner = seat + 1
    state.cities[city].won_as = state.cities_won
    state.cities[city].token = REMOVED


# ------------------------------------------------------------------ the end


@compiled
def end_turn(state: State) -> None:
    state.turns_without_opening = 0 if state.openings > 0 else state.turns_without_opening + 1
    state.next_city = state.openings = state.privilege_used = 0
    if is_end(state):
        state.terminated = 1
        return
    state.current_player = (state.current_player + 1) % state.num_players
    if state.current_player == state.start_player:
        state.round += 1
    state.phase = PLACE_TOKEN


@compiled
def is_end(state: State) -> bool:
    """After a completed turn (P24): no free town, no token on board or in hand (P25), n turns without opening (P26)."""
    return state.free_towns == 0 or all_tokens_gone(state) or state.turns_without_opening >= state.num_players


@compiled
def all_tokens_gone(state: State) -> bool:
    for seat in range(state.num_players):
        if tokens_in_hand(state, seat) > 0:
            return False
    for city in range(CITIES):
        if state.cities[city].token == PLACED:
            return False
    return True


@compiled
def regions_with_branch(branches: int) -> int:
    """How many regions hold at least one of the places `branches` (P31)."""
    count = 0
    for region in range(REGIONS):
        if branches & REGION_SETS[region]:
            count += 1
    return count


@compiled
def final_points(state: State, seat: int) -> int:
    """The score track, 2 points a region, 1 point per full 20 coins."""
    player = state.players[seat]
    return player.points + REGION_POINTS * regions_with_branch(player.branches) + player.coins // COINS_PER_POINT


@compiled
def returns(state: State, out: Any) -> None:
    """Most points; of equals most cities won; of these the highest sum of their values; else shared (P32)."""
    points = np.zeros(MAX_PLAYERS, np.int64)
    standing = np.zeros(MAX_PLAYERS, np.int64)
    for seat in range(state.num_players):
        points[seat] = final_points(state, seat)
        cities = value = 0
        for city in range(CITIES):
            if state.cities[city].winner == seat + 1:
                cities += 1
                value += VALUE[city]
        standing[seat] = (points[seat] * 100 + cities) * 1000 + value
    pay(state.options.reward, standing, points, state.num_players, SCORE_SCALE, out)


def min_return(options: Options) -> float:
    """No return is lower, whatever happens. Margins: the most that one seat can have at the end, less nothing.

    Every opening is followed by at most n - 1 turns without one, so nobody has more turns than there are branches to
    open, and two more.
    """
    if options["reward"] != "score":
        return min_return_by_place(options)
    n, spaces = options["num_players"], int(VALUE.sum())
    turns = TOWNS + spaces + 2
    most_income = max(DOUBLE_INCOME_MINIMUM, spaces * int(INCOME_PER_SPACE[n]) + int(BASE_INCOME[n]))
    coins = int(START_COINS[n]) + (turns + PRIVILEGES) * most_income
    points = TOWN_POINTS * TOWNS + spaces + REGION_POINTS * REGIONS + coins // COINS_PER_POINT
    return -points / SCORE_SCALE
