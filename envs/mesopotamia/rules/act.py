"""Phase B: one kind of action, or none (M2): huts, cult sites, births, or a card."""

from __future__ import annotations

from typing import Any

from envs.chance import shuffle
from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.actions import (
    BUILD_CULT_SITE,
    BUILD_HUT,
    DRAW_CARD,
    END_ACTION,
    GIVE_BIRTH,
    PLAY_FERTILITY,
)
from envs.mesopotamia.components import EFFECT, FIGURES_TO_ACT
from envs.mesopotamia.rules.cards import has_room_for_hut
from envs.mesopotamia.rules.common import (
    add_hut,
    carrier_on,
    discard,
    figures_on,
    huts_on,
    lowest_in_supply,
    may_hold_playable_card,
    may_play,
)
from envs.mesopotamia.state import (
    BIRTHS,
    CULT_SITES,
    DRAWING,
    FERTILITY,
    FIGURES,
    HUT_PLACES,
    HUTS,
    NO_LOAD,
    OFFERINGS,
    PLAIN,
    RESHUFFLE,
    STONE,
    UNDECIDED,
    WOOD,
)

# ------------------------------------------------------------------ what may be done


@compiled
def is_open(state: State, kind: int) -> bool:
    """Whether a kind of action may be chosen, or goes on."""
    return state.action_kind == UNDECIDED or state.action_kind == kind


@compiled
def may_build_hut(state: State, tile: int) -> bool:
    """A plain with room; at least two own figures, one of them with wood (M20). An offering goes under it."""
    seat = state.current_player
    player = state.players[seat]
    pieces = player.huts_left > 0 and player.unused_offerings != 0
    ready = figures_on(state, seat, tile) >= FIGURES_TO_ACT and carrier_on(state, seat, tile, WOOD) >= 0
    return pieces and ready and has_room_for_hut(state, tile)


@compiled
def may_build_cult_site(state: State, tile: int) -> bool:
    """A plain without hut, cult site or others' figures; at least two own figures, one of them with a stone (M21)."""
    seat = state.current_player
    if state.players[seat].cult_sites_left == 0 or state.tiles[tile].kind != PLAIN:
        return False
    if huts_on(state, tile) > 0 or state.tiles[tile].cult_site != 0:
        return False
    for other in range(state.num_players):
        if other != seat and figures_on(state, other, tile) > 0:
            return False
    return figures_on(state, seat, tile) >= FIGURES_TO_ACT and carrier_on(state, seat, tile, STONE) >= 0


@compiled
def births_per_hut(state: State, fertile: int) -> int:
    """One, or two after Fertility (M27)."""
    return EFFECT[FERTILITY] if fertile else 1


@compiled
def may_give_birth(state: State, tile: int, fertile: int) -> bool:
    """At least two own figures, and an own hut without offering that has not had its births this turn (M22)."""
    seat = state.current_player
    free_huts = 0
    for place in range(HUT_PLACES):
        hut = state.tiles[tile].huts[place]
        if hut.owner == seat + 1 and hut.offering == 0:
            free_huts += 1
    births_left = free_huts * births_per_hut(state, fertile) > state.tiles[tile].births
    return births_left and figures_on(state, seat, tile) >= FIGURES_TO_ACT and lowest_in_supply(state, seat) >= 0


@compiled
def may_draw_card(state: State) -> bool:
    """Once; when the pile is empty there must be discards to shuffle (M25)."""
    reshuffled = state.discard_size > 0 and not state.options.no_reshuffle
    return state.action_kind == UNDECIDED and (state.draw_size > 0 or reshuffled)


@compiled
def is_first_on_tile(state: State, i: int) -> bool:
    """Whether a figure of the player to act is the lowest on its tile: so each tile is looked at once."""
    figures = state.players[state.current_player].figures
    if figures[i].tile == 0:
        return False
    for j in range(i):
        if figures[j].tile == figures[i].tile:
            return False
    return True


@compiled
def offer_actions(state: State, mask: Any) -> int:
    player = state.players[state.current_player]
    count = 1
    mask[END_ACTION] = True
    fertile_birth = False
    may_be_fertile = not state.fertile and is_open(state, BIRTHS) and may_play(state, FERTILITY)
    for i in range(FIGURES):
        if not is_first_on_tile(state, i):
            continue
        tile = player.figures[i].tile - 1
        if is_open(state, HUTS) and may_build_hut(state, tile):
            for offering in range(OFFERINGS):
                if (player.unused_offerings >> offering) & 1:
                    mask[BUILD_HUT + tile * OFFERINGS + offering] = True
                    count += 1
        if is_open(state, CULT_SITES) and may_build_cult_site(state, tile):
            mask[BUILD_CULT_SITE + tile] = True
            count += 1
        if is_open(state, BIRTHS) and may_give_birth(state, tile, state.fertile):
            mask[GIVE_BIRTH + tile] = True
            count += 1
        fertile_birth = fertile_birth or (may_be_fertile and may_give_birth(state, tile, 1))
    if may_draw_card(state):
        mask[DRAW_CARD] = True
        count += 1
    if fertile_birth:
        mask[PLAY_FERTILITY] = True
        count += 1
    return count


@compiled
def is_asked_to_act(state: State) -> bool:
    """Whether others must expect that something else than the end of phase B is possible."""
    if may_hold_playable_card(state) or may_draw_card(state):
        return True
    for i in range(FIGURES):
        if is_first_on_tile(state, i):
            tile = state.players[state.current_player].figures[i].tile - 1
            if is_open(state, HUTS) and may_build_hut(state, tile):
                return True
            if is_open(state, CULT_SITES) and may_build_cult_site(state, tile):
                return True
            if is_open(state, BIRTHS) and may_give_birth(state, tile, state.fertile):
                return True
    return False


# ------------------------------------------------------------------ what is done


@compiled
def use_good(state: State, tile: int, good: int) -> None:
    """What the lowest carrier on the tile brought goes back to the supply."""
    seat = state.current_player
    state.players[seat].figures[carrier_on(state, seat, tile, good)].load = NO_LOAD
    state.supply[good] += 1


@compiled
def build_hut(state: State, tile: int, offering: int) -> None:
    """Wood to the supply, hut on the plain, an offering of one's choice face down under it."""
    state.action_kind = HUTS
    player = state.players[state.current_player]
    use_good(state, tile, WOOD)
    player.huts_left -= 1
    player.unused_offerings ^= 1 << offering
    add_hut(state, tile, state.current_player + 1, offering + 1)


@compiled
def build_cult_site(state: State, tile: int) -> None:
    state.action_kind = CULT_SITES
    use_good(state, tile, STONE)
    state.players[state.current_player].cult_sites_left -= 1
    state.tiles[tile].cult_site = state.current_player + 1


@compiled
def give_birth(state: State, tile: int) -> None:
    """The lowest figure of the supply comes to the map."""
    state.action_kind = BIRTHS
    born = lowest_in_supply(state, state.current_player)
    state.players[state.current_player].figures[born].tile = tile + 1
    state.tiles[tile].births += 1


@compiled
def play_fertility(state: State) -> None:
    """Before or after the first birth; every hut used this turn may give two (M27)."""
    discard(state, FERTILITY)
    state.action_kind = BIRTHS
    state.fertile = 1


@compiled
def draw_card(state: State) -> None:
    """The top card, unseen by others; it cannot be played this turn."""
    state.action_kind = DRAWING
    if state.draw_size == 0:
        reshuffle_discards(state)
    state.drawn_card = take_top_card(state, state.current_player) + 1


@compiled
def take_top_card(state: State, seat: int) -> int:
    state.draw_size -= 1
    card = state.draw_pile[state.draw_size]
    state.draw_pile[state.draw_size] = 0
    state.players[seat].hand[card] += 1
    state.players[seat].hand_size += 1
    return card


@compiled
def reshuffle_discards(state: State) -> None:
    """The discards are the new pile (M25)."""
    for place in range(state.discard_size):
        state.draw_pile[place] = state.discard_pile[place]
        state.discard_pile[place] = 0
    state.draw_size = state.discard_size
    state.discard_size = 0
    shuffle(state, RESHUFFLE, state.draw_pile, 0, state.draw_size)
