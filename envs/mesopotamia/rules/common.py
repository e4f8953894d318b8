"""What every part of a turn needs: who stands where, the map, and the cards of the player to act."""

from __future__ import annotations

from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.components import OFFSET_Q, OFFSET_R
from envs.mesopotamia.state import DIRECTIONS, FIGURES, FIRST_OFFERING, HUT_PLACES, NO_LOAD, NO_OWNER

# ------------------------------------------------------------------ figures


@compiled
def figures_on(state: State, seat: int, tile: int) -> int:
    """How many figures of a seat stand on a tile, laden or not."""
    count = 0
    for i in range(FIGURES):
        if state.players[seat].figures[i].tile == tile + 1:
            count += 1
    return count


@compiled
def carrier_on(state: State, seat: int, tile: int, good: int) -> int:
    """The lowest figure of a seat that carries a good on a tile, -1 if none does: it is the one that loses it."""
    for i in range(FIGURES):
        figure = state.players[seat].figures[i]
        if figure.tile == tile + 1 and figure.load == good + 1:
            return i
    return -1


@compiled
def is_offered(state: State, seat: int, i: int) -> bool:
    """Whether a figure is on the map and the lowest of those that are alike: the others need no action of their own."""
    figures = state.players[seat].figures
    one = figures[i]
    if one.tile == 0:
        return False
    for j in range(i):
        other = figures[j]
        same_place = other.tile == one.tile and other.load == one.load
        if same_place and other.has_stolen == one.has_stolen and other.dropped == one.dropped:
            return False
    return True


@compiled
def carries_good(state: State, seat: int, i: int) -> bool:
    """Whether a figure carries wood or a stone."""
    return NO_LOAD < state.players[seat].figures[i].load < FIRST_OFFERING


@compiled
def lowest_in_supply(state: State, seat: int) -> int:
    """The lowest figure in a seat's supply, -1 if all are on the map."""
    for i in range(FIGURES):
        if state.players[seat].figures[i].tile == 0:
            return i
    return -1


# ------------------------------------------------------------------ the map


@compiled
def huts_on(state: State, tile: int) -> int:
    count = 0
    for place in range(HUT_PLACES):
        if state.tiles[tile].huts[place].owner != NO_OWNER:
            count += 1
    return count


@compiled
def add_hut(state: State, tile: int, owner: int, offering: int) -> None:
    """Put a hut (owner and offering as they lie in the record) on a plain that has room for it."""
    hut = state.tiles[tile].huts[huts_on(state, tile)]
    hut.owner = owner
    hut.offering = offering


@compiled
def hex_distance(q: int, r: int) -> int:
    """Steps between two hexes that lie `q` and `r` apart in axial coordinates."""
    return (abs(q) + abs(r) + abs(q + r)) // 2


@compiled
def tile_distance(state: State, one: int, other: int) -> int:
    """Steps between two tiles as the crow flies."""
    return hex_distance(state.tiles[one].q - state.tiles[other].q, state.tiles[one].r - state.tiles[other].r)


@compiled
def lay_tile(state: State, kind: int, q: int, r: int) -> int:
    """Lay a hex on an empty place and join it to its neighbours; returns its number."""
    new = state.num_tiles
    state.num_tiles += 1
    tile = state.tiles[new]
    tile.kind = kind
    tile.q = q
    tile.r = r
    for old in range(new):
        other = state.tiles[old]
        for direction in range(DIRECTIONS):
            if other.q + OFFSET_Q[direction] == q and other.r + OFFSET_R[direction] == r:
                other.neighbours[direction] = new + 1
                tile.neighbours[(direction + DIRECTIONS // 2) % DIRECTIONS] = old + 1
    return new


# ------------------------------------------------------------------ cards


@compiled
def may_play(state: State, card: int) -> bool:
    """Whether the player to act holds a card that was not drawn this turn (M24)."""
    drawn = 1 if state.drawn_card == card + 1 else 0
    return state.players[state.current_player].hand[card] > drawn


@compiled
def may_hold_playable_card(state: State) -> bool:
    """The same of any card, as far as the others can tell: the size of a hand is public, and that a card was drawn."""
    drawn = 1 if state.drawn_card != 0 else 0
    return state.players[state.current_player].hand_size > drawn


@compiled
def discard(state: State, card: int) -> None:
    """A played card goes on the discard pile."""
    player = state.players[state.current_player]
    player.hand[card] -= 1
    player.hand_size -= 1
    state.discard_pile[state.discard_size] = card
    state.discard_size += 1


@compiled
def gain_mana(state: State, seat: int, mana: int) -> None:
    """The mana marker moves, but never beyond the maximum."""
    player = state.players[seat]
    player.mana = min(player.mana_max, player.mana + mana)
