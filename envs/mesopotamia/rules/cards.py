"""The cards that may be played in phases A and B: Holy Stone, Mana theft, Teleport, Expulsion (M24, M28 to M33)."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.actions import (
    NUM_GOODS,
    PICK_FIGURE,
    PICK_GOOD,
    PICK_HUT,
    PICK_LOAD,
    PICK_TILE,
    PLAY_EXPULSION,
    PLAY_HOLY_STONE,
    PLAY_TELEPORT,
    STEAL_MANA,
)
from envs.mesopotamia.components import EFFECT
from envs.mesopotamia.rules.common import (
    add_hut,
    carries_good,
    discard,
    gain_mana,
    huts_on,
    is_offered,
    may_hold_playable_card,
    may_play,
    tile_distance,
)
from envs.mesopotamia.state import (
    EXPULSION,
    FIGURES,
    HOLY_STONE,
    HUT_PLACES,
    MANA_THEFT,
    NEUTRAL,
    NO_LOAD,
    NO_OWNER,
    PICK_DESTINATION,
    PICK_TARGET,
    PLAIN,
    TELEPORT,
    TEMPLE,
    VOLCANO,
)

# ------------------------------------------------------------------ what may be played


@compiled
def offer_cards_of_both_phases(state: State, mask: Any) -> int:
    count = 0
    if not may_hold_playable_card(state):
        return count
    seat = state.current_player
    player = state.players[seat]
    if player.mana < player.mana_max:
        if may_play(state, HOLY_STONE):
            mask[PLAY_HOLY_STONE] = True
            count += 1
        if may_play(state, MANA_THEFT):
            for victim in range(state.num_players):
                if victim != seat and state.players[victim].mana > 0:
                    mask[STEAL_MANA + victim] = True
                    count += 1
    for card in (TELEPORT, EXPULSION):
        if may_play(state, card) and has_target(state, card):
            mask[PLAY_TELEPORT if card == TELEPORT else PLAY_EXPULSION] = True
            count += 1
    return count


@compiled
def play_holy_stone(state: State) -> None:
    discard(state, HOLY_STONE)
    gain_mana(state, state.current_player, EFFECT[HOLY_STONE])


@compiled
def steal_mana(state: State, victim: int) -> None:
    discard(state, MANA_THEFT)
    stolen = min(EFFECT[MANA_THEFT], state.players[victim].mana)
    state.players[victim].mana -= stolen
    gain_mana(state, state.current_player, stolen)


@compiled
def begin_picking(state: State, card: int) -> None:
    """Teleport or Expulsion: the card is gone, then its target is picked, then the destination."""
    discard(state, card)
    state.pending.card = card
    state.pending.resume = state.phase
    state.phase = PICK_TARGET


# ------------------------------------------------------------------ targets
# A target is named by the action that picks it; a place in a block of the action table is `action - block`.


@compiled
def has_target(state: State, card: int) -> bool:
    for action in range(PICK_FIGURE, PICK_TILE):
        if is_target(state, card, action):
            return True
    return False


@compiled
def is_target(state: State, card: int, action: int) -> bool:
    """Whether a card can move what an action picks, somewhere else than where it is."""
    if action < PICK_LOAD:
        seat, i = (action - PICK_FIGURE) // FIGURES, (action - PICK_FIGURE) % FIGURES
        theirs = card == TELEPORT or seat != state.current_player
        fine = seat < state.num_players and theirs and is_offered(state, seat, i)
    elif action < PICK_GOOD:
        seat, i = (action - PICK_LOAD) // FIGURES, (action - PICK_LOAD) % FIGURES
        fine = card == TELEPORT and seat < state.num_players
        fine = fine and is_offered(state, seat, i) and carries_good(state, seat, i)
    elif action < PICK_HUT:
        tile, good = (action - PICK_GOOD) // NUM_GOODS, (action - PICK_GOOD) % NUM_GOODS
        fine = card == TELEPORT and state.tiles[tile].goods[good] > 0
    else:
        tile, place = (action - PICK_HUT) // HUT_PLACES, (action - PICK_HUT) % HUT_PLACES
        fine = card == EXPULSION and may_expel_hut(state, tile, place)
    if not fine:
        return False
    for tile in range(state.num_tiles):
        if is_destination(state, card, action, tile):
            return True
    return False


@compiled
def may_expel_hut(state: State, tile: int, place: int) -> bool:
    """An opponent's hut, no neutral one (M34); of two without offerings of one owner the first stands for both."""
    hut = state.tiles[tile].huts[place]
    if hut.owner in (NO_OWNER, NEUTRAL, state.current_player + 1):
        return False
    first = state.tiles[tile].huts[0]
    return place == 0 or first.owner != hut.owner or first.offering != 0 or hut.offering != 0


@compiled
def origin_of(state: State, target: int) -> int:
    """The tile on which a target is."""
    if target < PICK_GOOD:
        number = (target - PICK_FIGURE) % (PICK_LOAD - PICK_FIGURE)
        return state.players[number // FIGURES].figures[number % FIGURES].tile - 1
    if target < PICK_HUT:
        return (target - PICK_GOOD) // NUM_GOODS
    return (target - PICK_HUT) // HUT_PLACES


@compiled
def is_destination(state: State, card: int, target: int, tile: int) -> bool:
    """Any other hex but temple and volcano (M17, M31); within three hexes (M32), huts to plains with room (M33)."""
    origin = origin_of(state, target)
    kind = state.tiles[tile].kind
    if tile >= state.num_tiles or tile == origin or kind == VOLCANO or kind == TEMPLE:
        return False
    if card == TELEPORT:
        return True
    if tile_distance(state, origin, tile) > EFFECT[EXPULSION]:
        return False
    return target < PICK_HUT or has_room_for_hut(state, tile)


@compiled
def has_room_for_hut(state: State, tile: int) -> bool:
    """A plain with fewer than two huts, neutral ones counted, and no cult site."""
    return state.tiles[tile].kind == PLAIN and huts_on(state, tile) < HUT_PLACES and state.tiles[tile].cult_site == 0


# ------------------------------------------------------------------ what they do


@compiled
def pick_target(state: State, action: int) -> None:
    state.pending.target = action
    state.phase = PICK_DESTINATION


@compiled
def pick_destination(state: State, tile: int) -> None:
    """The target goes there, and the turn goes on where the card was played."""
    card, target, resume = state.pending.card, state.pending.target, state.pending.resume
    if target < PICK_LOAD:
        move_figure(state, card, (target - PICK_FIGURE) // FIGURES, (target - PICK_FIGURE) % FIGURES, tile)
    elif target < PICK_GOOD:
        figure = state.players[(target - PICK_LOAD) // FIGURES].figures[(target - PICK_LOAD) % FIGURES]
        state.tiles[tile].goods[figure.load - 1] += 1  # a good that is moved lies loose
        figure.load = NO_LOAD
    elif target < PICK_HUT:
        good = (target - PICK_GOOD) % NUM_GOODS
        state.tiles[(target - PICK_GOOD) // NUM_GOODS].goods[good] -= 1
        state.tiles[tile].goods[good] += 1
    else:
        move_hut(state, (target - PICK_HUT) // HUT_PLACES, (target - PICK_HUT) % HUT_PLACES, tile)
    state.pending.card = 0
    state.pending.target = 0
    state.pending.resume = 0
    state.phase = resume


@compiled
def move_figure(state: State, card: int, seat: int, i: int, tile: int) -> None:
    """With all that it carries (M31); but wood and stone stay behind when it is expelled (M32)."""
    figure = state.players[seat].figures[i]
    if card == EXPULSION and carries_good(state, seat, i):
        state.tiles[figure.tile - 1].goods[figure.load - 1] += 1
        figure.load = NO_LOAD
    figure.tile = tile + 1
    figure.dropped = 0


@compiled
def move_hut(state: State, origin: int, place: int, tile: int) -> None:
    """With the offering under it (M33); the other hut of its old plain moves up."""
    huts = state.tiles[origin].huts
    add_hut(state, tile, huts[place].owner, huts[place].offering)
    for later in range(place + 1, HUT_PLACES):
        huts[later - 1].owner = huts[later].owner
        huts[later - 1].offering = huts[later].offering
    huts[HUT_PLACES - 1].owner = NO_OWNER
    huts[HUT_PLACES - 1].offering = 0
