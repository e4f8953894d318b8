"""Phase C and the change of turns."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.actions import END_TURN, PLAY_PRIEST
from envs.mesopotamia.components import (
    DISCOVERIES,
    EFFECT,
    FIGURES_AT_OTHER_SITE,
    FIGURES_AT_OWN_SITE,
    FIRST_TURN_POINTS,
    MOVEMENT_POINTS,
)
from envs.mesopotamia.rules.common import discard, figures_on, gain_mana, may_hold_playable_card, may_play
from envs.mesopotamia.state import MANA, MOVE, PRIEST, UNDECIDED


@compiled
def paying_sites(state: State, seat: int) -> int:
    """Own cult sites with an own figure, others' with two (M36)."""
    count = 0
    for tile in range(state.num_tiles):
        owner = state.tiles[tile].cult_site - 1
        if owner >= 0:
            needed = FIGURES_AT_OWN_SITE if owner == seat else FIGURES_AT_OTHER_SITE
            if figures_on(state, seat, tile) >= needed:
                count += 1
    return count


@compiled
def end_action(state: State) -> None:
    """Phase C: every site that pays brings one mana."""
    gain_mana(state, state.current_player, paying_sites(state, state.current_player))
    state.phase = MANA


@compiled
def is_asked_for_priests(state: State) -> bool:
    """While a Priest could help, as far as the others can tell (M30)."""
    player = state.players[state.current_player]
    if player.mana >= player.mana_max or not may_hold_playable_card(state):
        return False
    return paying_sites(state, state.current_player) > 0


@compiled
def offer_priests(state: State, mask: Any) -> int:
    mask[END_TURN] = True
    if may_play(state, PRIEST):
        mask[PLAY_PRIEST] = True
        return 2
    return 1


@compiled
def play_priest(state: State) -> None:
    discard(state, PRIEST)
    gain_mana(state, state.current_player, EFFECT[PRIEST])


@compiled
def end_turn(state: State) -> None:
    """The next seat's turn; after the last seat's the round is over, and after the last round the game is cut off."""
    for tile in range(state.num_tiles):
        state.tiles[tile].births = 0
    state.fertile = 0
    state.action_kind = UNDECIDED
    state.drawn_card = 0
    seat = state.current_player + 1
    if seat == state.num_players:
        if state.round >= state.options.max_rounds:
            state.truncated = 1
            return
        state.round += 1
        seat = 0
    begin_turn(state, seat)


@compiled
def begin_turn(state: State, seat: int) -> None:
    state.current_player = seat
    state.phase = MOVE
    state.movement_points = FIRST_TURN_POINTS[state.num_players, seat] if state.round == 1 else MOVEMENT_POINTS
    state.discoveries_left = DISCOVERIES
