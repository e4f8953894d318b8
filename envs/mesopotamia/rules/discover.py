"""Stepping into the unknown: the hex that comes, volcanoes that go elsewhere, goods on new forests and quarries."""

from __future__ import annotations

from envs.chance import shuffle
from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.components import EFFECT, OFFSET_Q, OFFSET_R
from envs.mesopotamia.rules.common import hex_distance, lay_tile
from envs.mesopotamia.state import (
    CHOOSE_HEX,
    FOREST,
    LAND,
    LAND_ORDER,
    MOVE,
    PLACE_VOLCANO,
    QUARRY,
    SEED,
    STONE,
    VOLCANO,
    WOOD,
)


@compiled
def good_of(kind: int) -> int:
    """What a forest or a quarry brings."""
    return WOOD if kind == FOREST else STONE


@compiled
def may_discover(state: State) -> bool:
    """While discoveries are left and the stack holds anything but volcanoes (M16): its composition is public."""
    if state.discoveries_left == 0:
        return False
    for place in range(state.stack_size):
        if state.stack[place] != VOLCANO:
            return True
    return False


@compiled
def begin_discovery(state: State, i: int, direction: int) -> None:
    """A figure steps off the map: with Land its player looks at the top hexes first (M35)."""
    state.pending.figure = i
    state.pending.direction = direction
    if state.land_armed:
        state.phase = CHOOSE_HEX
    else:
        draw_hex(state)


@compiled
def looked_at(state: State) -> int:
    """How many hexes Land shows."""
    return min(EFFECT[LAND], state.stack_size)


@compiled
def may_choose_hex(state: State, kind: int) -> bool:
    for place in range(looked_at(state)):
        if state.stack[state.stack_size - 1 - place] == kind:
            return True
    return False


@compiled
def choose_hex(state: State, kind: int) -> None:
    """Take one of the hexes looked at; the others go back, and the stack is shuffled."""
    state.land_armed = 0
    place = state.stack_size - 1
    while state.stack[place] != kind:
        place -= 1
    for above in range(place, state.stack_size - 1):
        state.stack[above] = state.stack[above + 1]
    take_top_hex(state)
    shuffle(state, LAND_ORDER, state.stack, 0, state.stack_size)
    use_hex(state, kind)


@compiled
def draw_hex(state: State) -> None:
    use_hex(state, take_top_hex(state))


@compiled
def take_top_hex(state: State) -> int:
    state.stack_size -= 1
    kind = state.stack[state.stack_size]
    state.stack[state.stack_size] = 0
    return kind


@compiled
def use_hex(state: State, kind: int) -> None:
    """A volcano is placed elsewhere, anything else is laid where the figure steps (M12, M15)."""
    if kind == VOLCANO:
        state.phase = PLACE_VOLCANO
        return
    tile = lay_tile(state, kind, entered_q(state), entered_r(state))
    state.discoveries_left -= 1
    figure = state.players[state.current_player].figures[state.pending.figure]
    figure.tile = tile + 1
    figure.dropped = 0
    state.pending.figure = 0
    state.pending.direction = 0
    state.phase = MOVE
    if kind == FOREST or kind == QUARRY:
        begin_seeding(state, tile, good_of(kind))


@compiled
def entered_q(state: State) -> int:
    """Coordinate of the empty place that is being entered."""
    tile = state.players[state.current_player].figures[state.pending.figure].tile - 1
    return state.tiles[tile].q + OFFSET_Q[state.pending.direction]


@compiled
def entered_r(state: State) -> int:
    """Coordinate of the empty place that is being entered."""
    tile = state.players[state.current_player].figures[state.pending.figure].tile - 1
    return state.tiles[tile].r + OFFSET_R[state.pending.direction]


# ------------------------------------------------------------------ volcanoes


@compiled
def may_place_volcano(state: State, tile: int, direction: int) -> bool:
    """On any other empty place next to the map (M15), which is named by its lowest neighbour."""
    if tile >= state.num_tiles or state.tiles[tile].neighbours[direction] != 0:
        return False
    q, r = state.tiles[tile].q + OFFSET_Q[direction], state.tiles[tile].r + OFFSET_R[direction]
    if q == entered_q(state) and r == entered_r(state):
        return False
    for lower in range(tile):
        if hex_distance(state.tiles[lower].q - q, state.tiles[lower].r - r) == 1:
            return False
    return True


@compiled
def place_volcano(state: State, tile: int, direction: int) -> None:
    """And draw again, until a hex comes that can be entered; the stack holds one (M16)."""
    lay_tile(state, VOLCANO, state.tiles[tile].q + OFFSET_Q[direction], state.tiles[tile].r + OFFSET_R[direction])
    draw_hex(state)


# ------------------------------------------------------------------ seeding


@compiled
def begin_seeding(state: State, new: int, good: int) -> None:
    """A token for each player, as long as the supply lasts (M13, M14).

    With too few other tiles of the kind each gets one, and the new tile the rest; else the discoverer chooses.
    """
    tokens = min(state.num_players, state.supply[good])
    kind = state.tiles[new].kind
    others = 0
    for tile in range(new):
        if state.tiles[tile].kind == kind:
            others += 1
    if others < tokens:
        for tile in range(new):
            if state.tiles[tile].kind == kind:
                state.tiles[tile].goods[good] += 1
        state.tiles[new].goods[good] += tokens - others
        state.supply[good] -= tokens
    elif tokens > 0:
        state.phase = SEED
        state.pending.good = good
        state.pending.left = tokens


@compiled
def may_seed(state: State, tile: int) -> bool:
    """Tiles of the kind in ascending order, none twice, with enough of them left for the tokens to follow."""
    kind = FOREST if state.pending.good == WOOD else QUARRY
    if tile >= state.num_tiles or state.tiles[tile].kind != kind or state.pending.seeded >> tile:
        return False
    above = 0
    for other in range(tile + 1, state.num_tiles):
        if state.tiles[other].kind == kind:
            above += 1
    return above >= state.pending.left - 1


@compiled
def seed(state: State, tile: int) -> None:
    pending = state.pending
    state.tiles[tile].goods[pending.good] += 1
    state.supply[pending.good] -= 1
    pending.seeded |= 1 << tile
    pending.left -= 1
    if pending.left == 0:
        pending.seeded = 0
        pending.good = 0
        state.phase = MOVE
