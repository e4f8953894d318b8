"""Phase A: steps, goods, theft and offerings on their way."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.actions import (
    DROP,
    END_MOVEMENT,
    NUM_GOODS,
    PLAY_ENDURANCE,
    PLAY_LAND,
    STEAL,
    STEP,
    TAKE,
    TAKE_OFFERING,
)
from envs.mesopotamia.components import COST, EFFECT, MANA_TRACK
from envs.mesopotamia.rules.common import (
    carrier_on,
    carries_good,
    discard,
    figures_on,
    gain_mana,
    is_offered,
    may_hold_playable_card,
    may_play,
)
from envs.mesopotamia.rules.discover import begin_discovery, may_discover
from envs.mesopotamia.state import (
    ACT,
    DIRECTIONS,
    ENDURANCE,
    FIGURES,
    FIRST_OFFERING,
    HUT_PLACES,
    LAND,
    MAX_PLAYERS,
    NO_LOAD,
    OFFERINGS,
    STONE,
    TEMPLE,
    VOLCANO,
    WOOD,
)

# ------------------------------------------------------------------ what may be done


@compiled
def may_step(state: State, i: int, direction: int) -> bool:
    """A step costs a point; volcanoes cannot be entered (M17), the temple by some only, the unknown by discovering."""
    if state.movement_points == 0:
        return False
    figure = state.players[state.current_player].figures[i]
    next_tile = state.tiles[figure.tile - 1].neighbours[direction] - 1
    if next_tile < 0:
        return may_discover(state)
    kind = state.tiles[next_tile].kind
    return kind != VOLCANO and (kind != TEMPLE or may_enter_temple(state, figure.load))


@compiled
def may_enter_temple(state: State, load: int) -> bool:
    """Not with wood (M7); with an offering only if it can be paid (M9); with a stone or nothing always (M8, M11)."""
    if load >= FIRST_OFFERING:
        return state.players[state.current_player].mana >= COST[load - FIRST_OFFERING]
    return load != WOOD + 1


@compiled
def may_take(state: State, i: int, good: int) -> bool:
    """Anybody's loose good, by a figure without load (M5, M6) that has not laid down one of the kind here (M3)."""
    figure = state.players[state.current_player].figures[i]
    loose = state.tiles[figure.tile - 1].goods[good] > 0
    return figure.load == NO_LOAD and loose and not (figure.dropped >> good) & 1


@compiled
def place_of_offering(state: State, i: int, offering: int) -> int:
    """Under which hut of its tile a figure without load may take an offering of its seat (M23); -1 under none."""
    figure = state.players[state.current_player].figures[i]
    if figure.load != NO_LOAD:
        return -1
    for place in range(HUT_PLACES):
        hut = state.tiles[figure.tile - 1].huts[place]
        if hut.owner == state.current_player + 1 and hut.offering == offering + 1:
            return place
    return -1


@compiled
def may_steal(state: State, i: int, victim: int, good: int) -> bool:
    """By a figure without load, once a turn, with more own figures on the hex than that victim's (M18, M19)."""
    seat = state.current_player
    figure = state.players[seat].figures[i]
    tile = figure.tile - 1
    if victim == seat or figure.load != NO_LOAD or figure.has_stolen:
        return False
    return carrier_on(state, victim, tile, good) >= 0 and figures_on(state, seat, tile) > figures_on(
        state, victim, tile
    )


@compiled
def may_play_land(state: State) -> bool:
    """While none is armed, and some step would discover a hex (M35)."""
    if state.land_armed or not may_play(state, LAND) or state.movement_points == 0 or not may_discover(state):
        return False
    for i in range(FIGURES):
        tile = state.players[state.current_player].figures[i].tile - 1
        if tile >= 0:
            for direction in range(DIRECTIONS):
                if state.tiles[tile].neighbours[direction] == 0:
                    return True
    return False


@compiled
def offer_moves(state: State, mask: Any) -> int:
    count = 1
    mask[END_MOVEMENT] = True
    for i in range(FIGURES):
        if not is_offered(state, state.current_player, i):
            continue
        for direction in range(DIRECTIONS):
            if may_step(state, i, direction):
                mask[STEP + i * DIRECTIONS + direction] = True
                count += 1
        if state.players[state.current_player].figures[i].load != NO_LOAD:
            if carries_good(state, state.current_player, i):
                mask[DROP + i] = True
                count += 1
            continue
        for good in range(NUM_GOODS):
            if may_take(state, i, good):
                mask[TAKE + i * NUM_GOODS + good] = True
                count += 1
        for offering in range(OFFERINGS):
            if place_of_offering(state, i, offering) >= 0:
                mask[TAKE_OFFERING + i * OFFERINGS + offering] = True
                count += 1
        for victim in range(state.num_players):
            for good in range(NUM_GOODS):
                if may_steal(state, i, victim, good):
                    mask[STEAL + (i * MAX_PLAYERS + victim) * NUM_GOODS + good] = True
                    count += 1
    if may_hold_playable_card(state):
        if may_play(state, ENDURANCE):
            mask[PLAY_ENDURANCE] = True
            count += 1
        if may_play_land(state):
            mask[PLAY_LAND] = True
            count += 1
    return count


@compiled
def is_asked_to_move(state: State) -> bool:
    """Whether others must expect that something else than the end of phase A is possible."""
    if may_hold_playable_card(state):
        return True
    for i in range(FIGURES):
        if not is_offered(state, state.current_player, i):
            continue
        for direction in range(DIRECTIONS):
            if may_step(state, i, direction):
                return True
        if state.players[state.current_player].figures[i].load != NO_LOAD:
            if carries_good(state, state.current_player, i):
                return True
            continue
        for good in range(NUM_GOODS):
            if may_take(state, i, good):
                return True
            for victim in range(state.num_players):
                if may_steal(state, i, victim, good):
                    return True
        for offering in range(OFFERINGS):
            if place_of_offering(state, i, offering) >= 0:
                return True
    return False


# ------------------------------------------------------------------ what is done


@compiled
def step(state: State, i: int, direction: int) -> None:
    figure = state.players[state.current_player].figures[i]
    next_tile = state.tiles[figure.tile - 1].neighbours[direction] - 1
    state.movement_points -= 1
    if next_tile < 0:
        begin_discovery(state, i, direction)
        return
    figure.tile = next_tile + 1
    figure.dropped = 0
    if state.tiles[next_tile].kind == TEMPLE:
        if figure.load == STONE + 1:
            lay_stone_at_temple(state, i)
        elif figure.load >= FIRST_OFFERING:
            deliver(state, i)


@compiled
def lay_stone_at_temple(state: State, i: int) -> None:
    """The maximum rises by one, up to the end of the track, then the mana by one, up to the maximum (M8)."""
    player = state.players[state.current_player]
    player.figures[i].load = NO_LOAD
    state.supply[STONE] += 1
    player.mana_max = min(MANA_TRACK, player.mana_max + 1)
    gain_mana(state, state.current_player, 1)


@compiled
def deliver(state: State, i: int) -> None:
    """Pay and lay the offering open; the figure goes back to the supply (M10). The last one wins at once."""
    player = state.players[state.current_player]
    figure = player.figures[i]
    offering = figure.load - FIRST_OFFERING
    player.mana -= COST[offering]
    player.delivered[player.num_delivered] = offering + 1
    player.num_delivered += 1
    figure.tile = 0
    figure.load = NO_LOAD
    if player.num_delivered == OFFERINGS:
        state.terminated = 1


@compiled
def take(state: State, i: int, good: int) -> None:
    figure = state.players[state.current_player].figures[i]
    state.tiles[figure.tile - 1].goods[good] -= 1
    figure.load = good + 1


@compiled
def take_offering(state: State, i: int, offering: int) -> None:
    """From under the own hut; it stays with the figure until it is delivered (M23)."""
    place = place_of_offering(state, i, offering)
    figure = state.players[state.current_player].figures[i]
    state.tiles[figure.tile - 1].huts[place].offering = 0
    figure.load = FIRST_OFFERING + offering


@compiled
def drop(state: State, i: int) -> None:
    """What is laid down lies loose, for anybody (M4, M6)."""
    figure = state.players[state.current_player].figures[i]
    good = figure.load - 1
    state.tiles[figure.tile - 1].goods[good] += 1
    figure.load = NO_LOAD
    figure.dropped |= 1 << good


@compiled
def steal(state: State, i: int, victim: int, good: int) -> None:
    figure = state.players[state.current_player].figures[i]
    loser = carrier_on(state, victim, figure.tile - 1, good)
    state.players[victim].figures[loser].load = NO_LOAD
    figure.load = good + 1
    figure.has_stolen = 1


@compiled
def play_endurance(state: State) -> None:
    discard(state, ENDURANCE)
    state.movement_points += EFFECT[ENDURANCE]


@compiled
def play_land(state: State) -> None:
    discard(state, LAND)
    state.land_armed = 1


@compiled
def end_movement(state: State) -> None:
    """Points are not saved; what holds for a phase A only is forgotten."""
    state.movement_points = 0
    state.discoveries_left = 0
    state.land_armed = 0
    for i in range(FIGURES):
        figure = state.players[state.current_player].figures[i]
        figure.has_stolen = 0
        figure.dropped = 0
    state.phase = ACT
