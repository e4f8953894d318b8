"""Mesopotamia, version 1: every figure gets a job, the most pressing jobs first, and walks to where it is done.

Offerings that can be paid are fetched and delivered; a figure stays on each cult site; two breed at a free hut while
figures are in the supply; stones go to the temple until the dearest offering can be paid; pairs with wood build huts,
pairs with stones cult sites; whoever has no job explores.
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
from envs.mesopotamia.actions import (
    BUILD_CULT_SITE,
    BUILD_HUT,
    CHOOSE,
    DRAW_CARD,
    DROP,
    END_ACTION,
    END_MOVEMENT,
    END_TURN,
    GIVE_BIRTH,
    NUM_GOODS,
    PICK_FIGURE,
    PICK_LOAD,
    PICK_TILE,
    PLACE,
    PLAY_ENDURANCE,
    PLAY_EXPULSION,
    PLAY_FERTILITY,
    PLAY_HOLY_STONE,
    PLAY_LAND,
    PLAY_PRIEST,
    PLAY_TELEPORT,
    SEED_TILE,
    STEAL_MANA,
    STEP,
    TAKE,
    TAKE_OFFERING,
)
from envs.mesopotamia.components import COST, EFFECT, MANA_TRACK, OFFSET_Q, OFFSET_R, TEMPLE_TILE
from envs.mesopotamia.rules.act import (
    is_first_on_tile,
    is_open,
    may_build_cult_site,
    may_build_hut,
    may_draw_card,
    may_give_birth,
)
from envs.mesopotamia.rules.cards import has_room_for_hut, is_destination, is_target
from envs.mesopotamia.rules.common import (
    figures_on,
    hex_distance,
    huts_on,
    lowest_in_supply,
    may_play,
    tile_distance,
)
from envs.mesopotamia.rules.discover import may_choose_hex, may_discover, may_place_volcano, may_seed
from envs.mesopotamia.rules.move import may_play_land, may_step, may_take, place_of_offering
from envs.mesopotamia.rules.turn import paying_sites
from envs.mesopotamia.state import (
    ACT,
    BIRTHS,
    CHOOSE_HEX,
    CULT_SITES,
    DIRECTIONS,
    ENDURANCE,
    EXPULSION,
    FERTILITY,
    FIGURES,
    FIRST_OFFERING,
    FOREST,
    HOLY_STONE,
    HUT_PLACES,
    HUTS,
    KINDS,
    MANA,
    MANA_THEFT,
    MAX_PLAYERS,
    MOVE,
    NO_LOAD,
    OFFERINGS,
    PICK_TARGET,
    PLACE_VOLCANO,
    PLAIN,
    PRIEST,
    QUARRY,
    SEED,
    STONE,
    TELEPORT,
    TILES,
    VOLCANO,
    WOOD,
)
from envs.outcome import RANK, WIN

TIES = 0
"""The stream of `random_bits` that breaks ties."""
FAR = 99
"""The distance of what cannot be reached."""

# ------------------------------------------------------------------ what the weights mean, in steps

HUT_TO_TEMPLE = 1.2
"""How much a step between a new hut and the temple weighs: an offering will be carried there."""
SITE_TO_TEMPLE = 0.3
EXPLORE_FROM_TEMPLE = 0.7
"""The same for the place where the unknown is entered: land near the temple is worth more."""
MOST_STONE_JOBS = 2
"""So many figures fetch stones for the temple at a time."""
SITES_WANTED = 3
TELEPORT_FROM = 4
"""Teleport helps a laden figure home over at least so many steps."""

# ------------------------------------------------------------------ distances


@compiled
def measure(state: State, laden: bool, steps: Any) -> None:
    """Steps between any two tiles over enterable hexes; a laden figure ends at the temple, never passes it."""
    queue = np.empty(TILES, np.int64)
    for source in range(state.num_tiles):
        for tile in range(state.num_tiles):
            steps[source, tile] = FAR
        if state.tiles[source].kind == VOLCANO:
            continue
        steps[source, source] = 0
        queue[0] = source
        first, last = 0, 1
        while first < last:
            here = queue[first]
            first += 1
            if laden and here == TEMPLE_TILE and here != source:
                continue
            for direction in range(DIRECTIONS):
                other = state.tiles[here].neighbours[direction] - 1
                if other >= 0 and steps[source, other] == FAR and state.tiles[other].kind != VOLCANO:
                    steps[source, other] = steps[source, here] + 1
                    queue[last] = other
                    last += 1


# ------------------------------------------------------------------ jobs

NO_JOB, WAIT, GO, TAKE_WOOD, TAKE_STONE, EXPLORE, FETCH = range(7)
"""What a figure does at its goal; `FETCH + offering` takes an offering."""


@compiled
def give_job(job: Any, goal: Any, order: Any, i: int, what: int, tile: int) -> None:
    """`order[FIGURES]` counts the jobs given; figures with earlier jobs move first."""
    job[i] = what
    goal[i] = tile
    order[order[FIGURES]] = i
    order[FIGURES] += 1


@compiled
def mana_needed(state: State, seat: int) -> int:
    """Mana that the undelivered offerings cost, beyond what is there."""
    player = state.players[seat]
    needed = COST.sum() - player.mana
    for place in range(player.num_delivered):
        needed -= COST[player.delivered[place] - 1]
    return needed


@compiled
def dearest(state: State, seat: int) -> int:
    """The cost of the dearest undelivered offering, which the maximum must reach."""
    player = state.players[seat]
    delivered = 0
    for place in range(player.num_delivered):
        delivered |= 1 << (player.delivered[place] - 1)
    cost = 0
    for offering in range(OFFERINGS):
        if not (delivered >> offering) & 1:
            cost = COST[offering]
    return cost


@compiled
def plan(state: State, free: Any, laden: Any, job: Any, goal: Any, order: Any) -> None:
    """Give every figure of the player to act that is on the map a job, the most pressing ones first."""
    seat = state.current_player
    player = state.players[seat]
    for i in range(FIGURES):
        job[i] = NO_JOB
    order[FIGURES] = 0
    budget = plan_deliveries(state, laden, job, goal, order)
    sites = 0
    if mana_needed(state, seat) > 0:
        sites = plan_guards(state, job, goal, order)
    plan_fetching(state, free, laden, job, goal, order, budget)
    supply = lowest_in_supply(state, seat) >= 0
    if supply:
        plan_breeders(state, free, job, goal, order, False)
    missing = dearest(state, seat) - player.mana_max
    if missing > 0:
        plan_stones(state, free, laden, job, goal, order, min(missing, MOST_STONE_JOBS))
    if player.huts_left > 0:
        plan_pair(state, free, laden, job, goal, order, WOOD)
    if player.cult_sites_left > 0 and sites < SITES_WANTED and mana_needed(state, seat) > 0:
        plan_pair(state, free, laden, job, goal, order, STONE)
    if supply:
        plan_breeders(state, free, job, goal, order, True)
    if mana_needed(state, seat) > 0 and player.mana < MANA_TRACK:
        plan_stones(state, free, laden, job, goal, order, 1)
    plan_exploration(state, free, laden, job, goal, order)


@compiled
def plan_deliveries(state: State, laden: Any, job: Any, goal: Any, order: Any) -> int:
    """Carriers go to the temple, those with the cheapest offering first; returns the mana that they leave."""
    player = state.players[state.current_player]
    budget = player.mana
    for offering in range(OFFERINGS):
        for i in range(FIGURES):
            if player.figures[i].load == FIRST_OFFERING + offering:
                tile = player.figures[i].tile - 1
                payable = COST[offering] <= budget
                budget -= COST[offering]
                near = laden[tile, TEMPLE_TILE] <= 1
                give_job(job, goal, order, i, GO if payable or not near else WAIT, TEMPLE_TILE)
    return budget


@compiled
def plan_guards(state: State, job: Any, goal: Any, order: Any) -> int:
    """One figure stays on every own cult site; returns how many sites there are."""
    seat = state.current_player
    sites = 0
    for tile in range(state.num_tiles):
        if state.tiles[tile].cult_site == seat + 1:
            sites += 1
            best = -1
            for i in range(FIGURES):
                figure = state.players[seat].figures[i]
                if job[i] == NO_JOB and figure.tile == tile + 1 and (best < 0 or figure.load == NO_LOAD):
                    best = i
            if best >= 0:
                give_job(job, goal, order, best, WAIT, tile)
    return sites


@compiled
def plan_fetching(state: State, free: Any, laden: Any, job: Any, goal: Any, order: Any, budget: int) -> None:
    """Offerings that can be paid when they arrive are fetched by the nearest figure, the cheapest first."""
    seat = state.current_player
    player = state.players[seat]
    income = paying_sites(state, seat)
    for offering in range(OFFERINGS):
        for tile in range(state.num_tiles):
            for place in range(HUT_PLACES):
                hut = state.tiles[tile].huts[place]
                if hut.owner != seat + 1 or hut.offering != offering + 1:
                    continue
                turns = laden[tile, TEMPLE_TILE] // 5
                if COST[offering] > player.mana_max or COST[offering] > budget + income * turns:
                    continue
                best, least = -1, FAR
                for i in range(FIGURES):
                    if job[i] == NO_JOB and player.figures[i].tile != 0:
                        here = player.figures[i].tile - 1
                        steps = free[here, tile] if player.figures[i].load == NO_LOAD else 2 + laden[here, tile]
                        if steps < least:
                            best, least = i, steps
                if best >= 0:
                    budget -= COST[offering]
                    give_job(job, goal, order, best, FETCH + offering, tile)


@compiled
def plan_breeders(state: State, free: Any, job: Any, goal: Any, order: Any, walking: bool) -> None:
    """Two figures at one own hut without offering: those that are there, or, `walking`, the two nearest."""
    seat = state.current_player
    player = state.players[seat]
    best_tile, least = -1, FAR
    best_one = best_two = -1
    for tile in range(state.num_tiles):
        free_hut = False
        for place in range(HUT_PLACES):
            hut = state.tiles[tile].huts[place]
            free_hut = free_hut or (hut.owner == seat + 1 and hut.offering == 0)
        if not free_hut:
            continue
        one = two = -1
        first = second = FAR
        for i in range(FIGURES):
            if job[i] != NO_JOB or player.figures[i].tile == 0 or player.figures[i].load != NO_LOAD:
                continue
            steps = free[player.figures[i].tile - 1, tile]
            if steps < first:
                one, two, first, second = i, one, steps, first
            elif steps < second:
                two, second = i, steps
        if two >= 0 and first + second < least and (walking or second == 0):
            best_tile, least, best_one, best_two = tile, first + second, one, two
    if best_tile >= 0:
        give_job(job, goal, order, best_one, GO, best_tile)
        give_job(job, goal, order, best_two, GO, best_tile)


@compiled
def nearest_source(state: State, good: int, here: int, to: int, free: Any, laden: Any) -> int:
    """The tile with a loose good by which the way from `here` to `to` is shortest; -1 if there is none."""
    best, least = -1, FAR
    for tile in range(state.num_tiles):
        if state.tiles[tile].goods[good] > 0:
            steps = free[here, tile] + laden[tile, to]
            if steps < least:
                best, least = tile, steps
    return best


@compiled
def way_with_good(state: State, i: int, good: int, to: int, free: Any, laden: Any) -> int:
    """Steps of a figure to a tile with a good, fetching it first if need be; `FAR` if it cannot."""
    figure = state.players[state.current_player].figures[i]
    if figure.load == good + 1:
        return laden[figure.tile - 1, to]
    if figure.load != NO_LOAD:
        return FAR
    source = nearest_source(state, good, figure.tile - 1, to, free, laden)
    if source < 0 or ((figure.dropped >> good) & 1 and source == figure.tile - 1):
        return FAR
    return free[figure.tile - 1, source] + laden[source, to]


@compiled
def send_with_good(
    state: State, i: int, good: int, to: int, free: Any, laden: Any, job: Any, goal: Any, order: Any
) -> None:
    """Give a figure the job to bring a good to a tile: to walk there, or to fetch it first."""
    figure = state.players[state.current_player].figures[i]
    if figure.load == good + 1:
        give_job(job, goal, order, i, GO, to)
    else:
        source = nearest_source(state, good, figure.tile - 1, to, free, laden)
        give_job(job, goal, order, i, TAKE_WOOD if good == WOOD else TAKE_STONE, source)


@compiled
def plan_stones(state: State, free: Any, laden: Any, job: Any, goal: Any, order: Any, wanted: int) -> None:
    """The figures with the shortest ways bring stones to the temple."""
    for _ in range(wanted):
        best, least = -1, FAR
        for i in range(FIGURES):
            if job[i] == NO_JOB and state.players[state.current_player].figures[i].tile != 0:
                steps = way_with_good(state, i, STONE, TEMPLE_TILE, free, laden)
                if steps < least:
                    best, least = i, steps
        if best < 0:
            return
        send_with_good(state, best, STONE, TEMPLE_TILE, free, laden, job, goal, order)


@compiled
def plan_pair(state: State, free: Any, laden: Any, job: Any, goal: Any, order: Any, good: int) -> None:
    """Two figures meet on the plain with the shortest ways, one at least with the good, to build there."""
    seat = state.current_player
    player = state.players[seat]
    best_tile, least = -1, 1.0 * FAR
    best_one = best_two = -1
    for tile in range(state.num_tiles):
        if not is_building_ground(state, tile, good):
            continue
        one, way = -1, FAR
        for i in range(FIGURES):
            if job[i] == NO_JOB and player.figures[i].tile != 0:
                steps = way_with_good(state, i, good, tile, free, laden)
                if steps < way:
                    one, way = i, steps
        if one < 0:
            continue
        two, other_way = -1, FAR
        for i in range(FIGURES):
            if i != one and job[i] == NO_JOB and player.figures[i].tile != 0:
                here = player.figures[i].tile - 1
                steps = free[here, tile] if player.figures[i].load == NO_LOAD else laden[here, tile]
                if steps < other_way:
                    two, other_way = i, steps
        if two < 0:
            continue
        weight = HUT_TO_TEMPLE if good == WOOD else SITE_TO_TEMPLE
        total = way + other_way + weight * laden[tile, TEMPLE_TILE]
        if total < least:
            best_tile, least, best_one, best_two = tile, total, one, two
    if best_tile >= 0:
        send_with_good(state, best_one, good, best_tile, free, laden, job, goal, order)
        give_job(job, goal, order, best_two, GO, best_tile)


@compiled
def is_building_ground(state: State, tile: int, good: int) -> bool:
    """Whether a hut (of wood) or a cult site (of stone) may be built on a tile, once the figures are there."""
    if good == WOOD:
        return has_room_for_hut(state, tile)
    if state.tiles[tile].kind != PLAIN or huts_on(state, tile) > 0 or state.tiles[tile].cult_site != 0:
        return False
    for other in range(state.num_players):
        if other != state.current_player and figures_on(state, other, tile) > 0:
            return False
    return True


@compiled
def is_frontier(state: State, tile: int) -> bool:
    """Whether the unknown can be entered from a tile."""
    if state.tiles[tile].kind == VOLCANO:
        return False
    for direction in range(DIRECTIONS):
        if state.tiles[tile].neighbours[direction] == 0:
            return True
    return False


@compiled
def plan_exploration(state: State, free: Any, laden: Any, job: Any, goal: Any, order: Any) -> None:
    """Whoever has no job goes to the nearest edge of the known land, while there is anything to discover."""
    if not may_discover(state):
        return
    for i in range(FIGURES):
        figure = state.players[state.current_player].figures[i]
        if job[i] != NO_JOB or figure.tile == 0:
            continue
        here = figure.tile - 1
        best, least = -1, 1.0 * FAR
        for tile in range(state.num_tiles):
            if is_frontier(state, tile):
                steps = free[here, tile] if figure.load == NO_LOAD else laden[here, tile]
                total = steps + EXPLORE_FROM_TEMPLE * free[tile, TEMPLE_TILE]
                if total < least:
                    best, least = tile, total
        if best >= 0:
            give_job(job, goal, order, i, EXPLORE, best)


# ------------------------------------------------------------------ phase A


@compiled
def lowest_alike(state: State, i: int) -> int:
    """The figure that stands for all that are like `i`."""
    figures = state.players[state.current_player].figures
    for j in range(i):
        same = figures[j].tile == figures[i].tile and figures[j].load == figures[i].load
        if same and figures[j].has_stolen == figures[i].has_stolen and figures[j].dropped == figures[i].dropped:
            return j
    return i


@compiled
def choose_move(state: State, seed: int) -> int:
    """The next action of the first figure, by the order of the jobs, that has anything to do."""
    seat = state.current_player
    card = choose_card(state)
    if card >= 0:
        return card
    free = np.empty((TILES, TILES), np.int64)
    laden = np.empty((TILES, TILES), np.int64)
    measure(state, False, free)
    measure(state, True, laden)
    job, goal, order = np.empty(FIGURES, np.int64), np.zeros(FIGURES, np.int64), np.zeros(FIGURES + 1, np.int64)
    plan(state, free, laden, job, goal, order)
    waiting = False
    for place in range(order[FIGURES]):
        i = order[place]
        action = work(state, i, job[i], goal[i], free, laden, seed)
        if action >= 0:
            return action
        waiting = waiting or state.players[seat].figures[i].tile - 1 != goal[i]
    if waiting and state.movement_points == 0 and may_play(state, ENDURANCE):
        return PLAY_ENDURANCE
    return END_MOVEMENT


@compiled
def work(state: State, i: int, what: int, goal: int, free: Any, laden: Any, seed: int) -> int:
    """The action by which a figure comes nearer to its goal or does its job there; -1 if there is none now."""
    figure = state.players[state.current_player].figures[i]
    one = lowest_alike(state, i)
    if what == WAIT:
        return -1
    here = figure.tile - 1
    if here != goal:
        return step_towards(state, one, goal, free if figure.load == NO_LOAD else laden, seed)
    if what == TAKE_WOOD or what == TAKE_STONE:
        good = WOOD if what == TAKE_WOOD else STONE
        return TAKE + one * NUM_GOODS + good if may_take(state, one, good) else -1
    if what >= FETCH:
        if figure.load != NO_LOAD:
            return DROP + one
        taken = place_of_offering(state, one, what - FETCH) >= 0
        return TAKE_OFFERING + one * OFFERINGS + what - FETCH if taken else -1
    if what == EXPLORE:
        if may_play_land(state):
            return PLAY_LAND
        return step_into_unknown(state, one, seed)
    return -1


@compiled
def step_towards(state: State, i: int, goal: int, steps: Any, seed: int) -> int:
    """A step that shortens the way to a tile, any of several."""
    here = state.players[state.current_player].figures[i].tile - 1
    turn = random_bits(seed, TIES, 0) % DIRECTIONS
    for number in range(DIRECTIONS):
        direction = (number + turn) % DIRECTIONS
        other = state.tiles[here].neighbours[direction] - 1
        if other >= 0 and steps[other, goal] < steps[here, goal] and may_step(state, i, direction):
            return STEP + i * DIRECTIONS + direction
    return -1


@compiled
def step_into_unknown(state: State, i: int, seed: int) -> int:
    """The empty place nearest to the temple, any of several."""
    tile = state.tiles[state.players[state.current_player].figures[i].tile - 1]
    turn = random_bits(seed, TIES, 1) % DIRECTIONS
    best, least = -1, FAR
    for number in range(DIRECTIONS):
        direction = (number + turn) % DIRECTIONS
        if tile.neighbours[direction] == 0 and may_step(state, i, direction):
            distance = hex_distance(tile.q + OFFSET_Q[direction], tile.r + OFFSET_R[direction])
            if distance < least:
                best, least = STEP + i * DIRECTIONS + direction, distance
    return best


# ------------------------------------------------------------------ cards


@compiled
def choose_card(state: State) -> int:
    """A card of both phases that is worth playing now, -1 if none is."""
    seat = state.current_player
    player = state.players[seat]
    if may_play(state, HOLY_STONE) and player.mana + EFFECT[HOLY_STONE] <= player.mana_max:
        return PLAY_HOLY_STONE
    if may_play(state, MANA_THEFT) and player.mana < player.mana_max:
        best, most = -1, 0
        for victim in range(state.num_players):
            if victim != seat and state.players[victim].mana > most:
                best, most = victim, state.players[victim].mana
        if best >= 0:
            return STEAL_MANA + best
    if may_play(state, TELEPORT) and state.phase == MOVE and worst_way_home(state) >= 0:
        return PLAY_TELEPORT
    if may_play(state, EXPULSION) and carrier_at_temple(state) >= 0:
        return PLAY_EXPULSION
    return -1


@compiled
def worst_way_home(state: State) -> int:
    """The own figure with a payable offering that is farthest from the temple, at least `TELEPORT_FROM` steps."""
    player = state.players[state.current_player]
    best, most = -1, TELEPORT_FROM - 1
    for i in range(FIGURES):
        load = player.figures[i].load
        if load >= FIRST_OFFERING and COST[load - FIRST_OFFERING] <= player.mana and state.movement_points > 0:
            distance = tile_distance(state, player.figures[i].tile - 1, TEMPLE_TILE)
            if distance > most:
                best, most = i, distance
    return best


@compiled
def carrier_at_temple(state: State) -> int:
    """The action that picks an opponent's figure with an offering next to the temple; -1 if there is none."""
    for seat in range(state.num_players):
        if seat != state.current_player:
            for i in range(FIGURES):
                figure = state.players[seat].figures[i]
                if figure.load >= FIRST_OFFERING and tile_distance(state, figure.tile - 1, TEMPLE_TILE) == 1:
                    return PICK_FIGURE + seat * FIGURES + i
    return -1


@compiled
def choose_target(state: State) -> int:
    """The figure for whose sake the card was played; else the first target there is."""
    card = state.pending.card
    wanted = -1
    if card == TELEPORT:
        i = worst_way_home(state)
        wanted = PICK_FIGURE + state.current_player * FIGURES + i if i >= 0 else -1
    else:
        wanted = carrier_at_temple(state)
    if wanted >= 0:
        return wanted
    for action in range(PICK_FIGURE, PICK_TILE):
        if is_target(state, card, action):
            return action
    return -1


@compiled
def choose_destination(state: State) -> int:
    """Own figures go near the temple, everything else far from it."""
    card, target = state.pending.card, state.pending.target
    own = target < PICK_LOAD and (target - PICK_FIGURE) // FIGURES == state.current_player
    best, highest = -1, -1000
    for tile in range(state.num_tiles):
        if is_destination(state, card, target, tile):
            distance = tile_distance(state, tile, TEMPLE_TILE)
            merit = -distance if own else distance
            if merit > highest:
                best, highest = tile, merit
    return PICK_TILE + best


# ------------------------------------------------------------------ discoveries


@compiled
def choose_volcano_place(state: State, seed: int) -> int:
    """Far from the temple, where it stands in nobody's way."""
    best, highest = -1, -1
    for number in range(TILES * DIRECTIONS):
        tile, direction = number // DIRECTIONS, number % DIRECTIONS
        if may_place_volcano(state, tile, direction):
            q = state.tiles[tile].q + OFFSET_Q[direction]
            r = state.tiles[tile].r + OFFSET_R[direction]
            merit = hex_distance(q, r) * 8 + random_bits(seed, TIES, number) % 8
            if merit > highest:
                best, highest = number, merit
    return PLACE + best


@compiled
def choose_seed(state: State) -> int:
    """The tile nearest to the temple."""
    best, least = -1, FAR
    for tile in range(state.num_tiles):
        if may_seed(state, tile):
            distance = tile_distance(state, tile, TEMPLE_TILE)
            if distance < least:
                best, least = tile, distance
    return SEED_TILE + best


@compiled
def choose_kind(state: State) -> int:
    """A quarry while stones are wanted, else a forest while huts are to be built, else a plain."""
    player = state.players[state.current_player]
    best, highest = -1, -1
    for kind in range(len(KINDS) - 1):
        if may_choose_hex(state, kind):
            merit = 2 if kind == PLAIN else 0
            if kind == QUARRY:
                merit = 4 if state.supply[STONE] > 0 else 1
            elif kind == FOREST:
                merit = 3 if player.huts_left > 0 and state.supply[WOOD] > 0 else 1
            if merit > highest:
                best, highest = kind, merit
    return CHOOSE + best


# ------------------------------------------------------------------ phases B and C


@compiled
def choose_action(state: State) -> int:
    """Huts before cult sites before births before a card; offerings go under huts from the cheapest on."""
    card = choose_card(state)
    if card >= 0:
        return card
    player = state.players[state.current_player]
    site = birth = fertile_birth = -1
    for i in range(FIGURES):
        if not is_first_on_tile(state, i):
            continue
        tile = player.figures[i].tile - 1
        if is_open(state, HUTS) and may_build_hut(state, tile):
            offering = 0
            while not (player.unused_offerings >> offering) & 1:
                offering += 1
            return BUILD_HUT + tile * OFFERINGS + offering
        if is_open(state, CULT_SITES) and may_build_cult_site(state, tile):
            site = tile
        if is_open(state, BIRTHS):
            if may_give_birth(state, tile, state.fertile):
                birth = tile
            if may_give_birth(state, tile, 1):
                fertile_birth = tile
    if site >= 0:
        return BUILD_CULT_SITE + site
    if fertile_birth >= 0 and not state.fertile and may_play(state, FERTILITY):
        return PLAY_FERTILITY
    if birth >= 0:
        return GIVE_BIRTH + birth
    if may_draw_card(state):
        return DRAW_CARD
    return END_ACTION


@compiled
def rule_of_thumb(state: State, seed: int) -> int:
    """The action that the rules of thumb above name for the phase."""
    if state.phase == MOVE:
        return choose_move(state, seed)
    if state.phase == ACT:
        return choose_action(state)
    if state.phase == MANA:
        return PLAY_PRIEST if may_play(state, PRIEST) else END_TURN
    if state.phase == PLACE_VOLCANO:
        return choose_volcano_place(state, seed)
    if state.phase == SEED:
        return choose_seed(state)
    if state.phase == CHOOSE_HEX:
        return choose_kind(state)
    if state.phase == PICK_TARGET:
        return choose_target(state)
    return choose_destination(state)


# ------------------------------------------------------------------ static evaluation

DELIVERED, PLACED, MANA_HELD, MAXIMUM, SITE, CREW, CARD = 6.0, 1.5, 0.6, 1.0, 1.2, 0.4, 0.2
"""What an offering delivered, one under a hut or carried, a mana, a step of the maximum, a cult site, a figure on the
map and a card are worth."""
DOUBT = 4.0
"""How much of a lead makes the odds e to 1."""


@compiled
def outlook(state: State, seat: int) -> float:
    """How far a seat has come, by what everybody sees."""
    player = state.players[seat]
    crew = unused = 0
    for i in range(FIGURES):
        if player.figures[i].tile != 0:
            crew += 1
    for offering in range(OFFERINGS):
        unused += (player.unused_offerings >> offering) & 1
    placed = OFFERINGS - unused - player.num_delivered
    sites = 0
    for tile in range(state.num_tiles):
        if state.tiles[tile].cult_site == seat + 1:
            sites += 1
    worth = DELIVERED * player.num_delivered + PLACED * placed + MANA_HELD * player.mana
    return worth + MAXIMUM * player.mana_max + SITE * sites + CREW * crew + CARD * player.hand_size


@compiled
def evaluate(state: State, seat: int, out: Any) -> None:
    """What each seat may expect by its lead over the others, in the unit of the option `reward`.

    All of it is public, so every `seat` sees the same.
    """
    n = state.num_players
    worth = np.zeros(MAX_PLAYERS)
    for other in range(n):
        worth[other] = outlook(state, other)
    if state.options.reward == WIN:
        most = worth[:n].max()
        total = 0.0
        for other in range(n):
            out[other] = math.exp((worth[other] - most) / DOUBT)
            total += out[other]
        for other in range(n):
            out[other] = (out[other] / total - 1.0 / n) * n / (n - 1)
        return
    for one in range(n):
        lead = 0.0
        for other in range(n):
            if other != one:
                by = worth[one] - worth[other]
                lead += math.tanh(0.5 * by / DOUBT) if state.options.reward == RANK else by / (DELIVERED * OFFERINGS)
        out[one] = max(-1.0, min(1.0, lead / (n - 1)))


register_heuristics(
    Heuristics(
        game="mesopotamia",
        version=1,
        evaluate=evaluate,
        rule_of_thumb=rule_of_thumb,
        sources=(Path(__file__),),
    )
)
