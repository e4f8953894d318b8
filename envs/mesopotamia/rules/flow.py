"""The course of the game: offers the actions of each phase, plays one, and what follows without a choice."""

from __future__ import annotations

from typing import Any

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
    STEAL,
    STEAL_MANA,
    STEP,
    TAKE,
    TAKE_OFFERING,
)
from envs.mesopotamia.rules.act import (
    build_cult_site,
    build_hut,
    draw_card,
    give_birth,
    is_asked_to_act,
    offer_actions,
    play_fertility,
)
from envs.mesopotamia.rules.cards import (
    begin_picking,
    is_destination,
    is_target,
    offer_cards_of_both_phases,
    pick_destination,
    pick_target,
    play_holy_stone,
    steal_mana,
)
from envs.mesopotamia.rules.discover import (
    choose_hex,
    may_choose_hex,
    may_place_volcano,
    may_seed,
    place_volcano,
    seed,
)
from envs.mesopotamia.rules.move import (
    drop,
    end_movement,
    is_asked_to_move,
    offer_moves,
    play_endurance,
    play_land,
    steal,
    step,
    take,
    take_offering,
)
from envs.mesopotamia.rules.turn import end_action, end_turn, is_asked_for_priests, offer_priests, play_priest
from envs.mesopotamia.state import (
    ACT,
    CHOOSE_HEX,
    DIRECTIONS,
    EXPULSION,
    MANA,
    MAX_PLAYERS,
    MOVE,
    OFFERINGS,
    PHASES,
    PICK_DESTINATION,
    PICK_TARGET,
    PLACE_VOLCANO,
    SEED,
    TELEPORT,
)

_NONE = (0, 0)
OPTIONS_FROM, OPTIONS_TO = zip(
    *(
        {
            PLACE_VOLCANO: (PLACE, SEED_TILE),
            SEED: (SEED_TILE, CHOOSE),
            CHOOSE_HEX: (CHOOSE, PICK_FIGURE),
            PICK_TARGET: (PICK_FIGURE, PICK_TILE),
            PICK_DESTINATION: (PICK_TILE, BUILD_HUT),
        }.get(phase, _NONE)
        for phase in range(len(PHASES))
    ),
    strict=True,
)
"""By phase: the part of the action table that holds the options of a sub-choice."""


@compiled
def legal_actions(state: State, mask: Any) -> int:
    if state.phase == MOVE or state.phase == ACT:
        count = offer_moves(state, mask) if state.phase == MOVE else offer_actions(state, mask)
        return count + offer_cards_of_both_phases(state, mask)
    if state.phase == MANA:
        return offer_priests(state, mask)
    count = 0
    for action in range(OPTIONS_FROM[state.phase], OPTIONS_TO[state.phase]):
        if is_option(state, action):
            mask[action] = True
            count += 1
    return count


@compiled
def is_option(state: State, action: int) -> bool:
    """Whether an action of the phase's part of the table may be chosen in a sub-choice."""
    if state.phase == PLACE_VOLCANO:
        return may_place_volcano(state, (action - PLACE) // DIRECTIONS, (action - PLACE) % DIRECTIONS)
    if state.phase == SEED:
        return may_seed(state, action - SEED_TILE)
    if state.phase == CHOOSE_HEX:
        return may_choose_hex(state, action - CHOOSE)
    if state.phase == PICK_TARGET:
        return is_target(state, state.pending.card, action)
    return is_destination(state, state.pending.card, state.pending.target, action - PICK_TILE)


@compiled
def apply_action(state: State, action: int) -> None:
    while action >= 0:
        play(state, action)
        action = forced_action(state)


@compiled
def forced_action(state: State) -> int:
    """The action to which public facts leave no alternative, played at once; -1 if the player to act is asked."""
    if state.terminated or state.truncated:
        return -1
    if state.phase == MOVE:
        return -1 if is_asked_to_move(state) else END_MOVEMENT
    if state.phase == ACT:
        return -1 if is_asked_to_act(state) else END_ACTION
    if state.phase == MANA:
        return -1 if is_asked_for_priests(state) else END_TURN
    only = -1
    for action in range(OPTIONS_FROM[state.phase], OPTIONS_TO[state.phase]):
        if is_option(state, action):
            if only >= 0:
                return -1
            only = action
    return only


@compiled
def play(state: State, action: int) -> None:
    """Play one action, whatever follows from it."""
    if action < END_MOVEMENT:
        play_in_movement(state, action)
    elif action == END_MOVEMENT:
        end_movement(state)
    elif action < SEED_TILE:
        place_volcano(state, (action - PLACE) // DIRECTIONS, (action - PLACE) % DIRECTIONS)
    elif action < CHOOSE:
        seed(state, action - SEED_TILE)
    elif action < PICK_FIGURE:
        choose_hex(state, action - CHOOSE)
    elif action < PICK_TILE:
        pick_target(state, action)
    elif action < BUILD_HUT:
        pick_destination(state, action - PICK_TILE)
    elif action < BUILD_CULT_SITE:
        build_hut(state, (action - BUILD_HUT) // OFFERINGS, (action - BUILD_HUT) % OFFERINGS)
    elif action < GIVE_BIRTH:
        build_cult_site(state, action - BUILD_CULT_SITE)
    elif action < DRAW_CARD:
        give_birth(state, action - GIVE_BIRTH)
    elif action == DRAW_CARD:
        draw_card(state)
    elif action == END_ACTION:
        end_action(state)
    elif action == PLAY_PRIEST:
        play_priest(state)
    else:
        end_turn(state)


@compiled
def play_in_movement(state: State, action: int) -> None:
    """Play an action of phase A or a card."""
    if action < TAKE:
        step(state, (action - STEP) // DIRECTIONS, (action - STEP) % DIRECTIONS)
    elif action < TAKE_OFFERING:
        take(state, (action - TAKE) // NUM_GOODS, (action - TAKE) % NUM_GOODS)
    elif action < DROP:
        take_offering(state, (action - TAKE_OFFERING) // OFFERINGS, (action - TAKE_OFFERING) % OFFERINGS)
    elif action < STEAL:
        drop(state, action - DROP)
    elif action < PLAY_ENDURANCE:
        number, good = (action - STEAL) // NUM_GOODS, (action - STEAL) % NUM_GOODS
        steal(state, number // MAX_PLAYERS, number % MAX_PLAYERS, good)
    elif action == PLAY_ENDURANCE:
        play_endurance(state)
    elif action == PLAY_LAND:
        play_land(state)
    elif action == PLAY_HOLY_STONE:
        play_holy_stone(state)
    elif action == PLAY_TELEPORT or action == PLAY_EXPULSION:
        begin_picking(state, TELEPORT if action == PLAY_TELEPORT else EXPULSION)
    elif action == PLAY_FERTILITY:
        play_fertility(state)
    else:
        steal_mana(state, action - STEAL_MANA)
