"""Mutants of Mesopotamia that leak one secret each, and the secrecy audit of all of them in one plain process.

NUMBA_DISABLE_JIT=1 python -m tests.mesopotamia.leaks     print what the audit says of each, as JSON
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from envs.audit import audit_secrecy
from envs.chance import shuffle
from envs.errors import GameDefinitionError
from envs.game import Game, State, register
from envs.mesopotamia import GAME, knowledge, language, rules
from envs.mesopotamia.actions import BUILD_HUT, END_MOVEMENT, STEP, TAKE
from envs.mesopotamia.state import CARD_ORDER, LAND, MOVE, STACK_ORDER
from envs.position import Position
from envs.walk import play_randomly

OPTIONS = {"num_players": 2, "starting_card": True, "max_rounds": 5}
POSITIONS, STRIDE = 70, 19


def play_boldly(position: Position, rng: np.random.Generator) -> int:
    """Random, but huts are built, offerings taken and goods kept whenever it can be."""
    legal = position.legal_actions()
    wanted = [action for action in legal if TAKE <= action < TAKE + 48 or BUILD_HUT <= action < BUILD_HUT + 164]
    if wanted:
        return int(rng.choice(wanted))
    return play_randomly(position, rng)


def observe_hand(state: State, player: int, out: Any) -> None:
    """The number of players is larger if the opponent holds Land."""
    knowledge.observe(state, player, out)
    if state.players[1 - player].hand[LAND]:
        out[knowledge.N_PHASES] += 0.01


def observe_stack(state: State, player: int, out: Any) -> None:
    """The kind of the next hex shows."""
    knowledge.observe(state, player, out)
    if state.stack_size:
        out[knowledge.N_PHASES] += 0.01 * state.stack[state.stack_size - 1]


def observe_offerings(state: State, player: int, out: Any) -> None:
    """Which offerings the opponent has not used yet shows."""
    knowledge.observe(state, player, out)
    out[knowledge.N_PHASES] += 0.01 * state.players[1 - player].unused_offerings


def mask_by_opponents_hand(state: State, mask: Any) -> int:
    """Nobody may step while the opponent holds Land."""
    count = rules.legal_actions(state, mask)
    if state.phase == MOVE and state.players[1 - state.current_player].hand[LAND]:
        for action in range(STEP, TAKE):
            count -= mask[action]
            mask[action] = False
        if count == 0:
            mask[END_MOVEMENT] = True
    return count


def describe_hand(state: State, player: int | None) -> dict[str, Any]:
    """The opponent's hand lies open."""
    description = language.describe(state, player)
    if player is not None:
        description["players"][1 - player]["hand"] = language.describe(state, None)["players"][1 - player]["hand"]
    return description


def describe_offerings(state: State, player: int | None) -> dict[str, Any]:
    """The lowest of the opponent's unused offerings shows."""
    description = language.describe(state, player)
    if player is not None:
        unused = description["players"][1 - player]["unused_offerings"]
        unused[:1] = language.describe(state, None)["players"][1 - player]["unused_offerings"][:1]
    return description


def describe_next_card(state: State, player: int | None) -> dict[str, Any]:
    """The top card of the pile shows."""
    description = language.describe(state, player)
    if player is not None:
        description["draw_pile"][:1] = language.describe(state, None)["draw_pile"][:1]
    return description


def keep_stack(state: State, player: int) -> None:
    """The stack is left as it lies."""
    knowledge.deal_unseen_cards(state, player)
    for seat in range(state.num_players):
        if seat != player:
            knowledge.permute_offerings(state, seat)


def keep_cards(state: State, player: int) -> None:
    """Hands and pile are left as they are."""
    knowledge.shuffle_stack(state, player)
    for seat in range(state.num_players):
        if seat != player:
            knowledge.permute_offerings(state, seat)


def keep_offerings(state: State, player: int) -> None:
    """The offerings stay where they are."""
    knowledge.shuffle_stack(state, player)
    knowledge.deal_unseen_cards(state, player)


def shuffle_unsorted(state: State, player: int) -> None:
    """The sample of the stack depends on how it really lay."""
    shuffle(state, STACK_ORDER, state.stack, 0, state.stack_size)
    knowledge.deal_unseen_cards(state, player)
    for seat in range(state.num_players):
        if seat != player:
            knowledge.permute_offerings(state, seat)


def forget_own_offerings(state: State, player: int) -> None:
    """A seat is made to forget which offering its own figures carry."""
    knowledge.determinize(state, player)
    knowledge.permute_offerings(state, player)


def deal_too_few_kinds(state: State, player: int) -> None:
    """The pile is shuffled within itself, so the hand is what it was."""
    knowledge.shuffle_stack(state, player)
    shuffle(state, CARD_ORDER, state.draw_pile, 0, state.draw_size)
    for seat in range(state.num_players):
        if seat != player:
            knowledge.permute_offerings(state, seat)


MUTANTS: dict[str, dict[str, Any]] = {
    "observation of a hand": {"observe": observe_hand},
    "observation of the stack": {"observe": observe_stack},
    "observation of offerings": {"observe": observe_offerings},
    "mask": {"legal_actions": mask_by_opponents_hand},
    "description of a hand": {"describe": describe_hand},
    "description of offerings": {"describe": describe_offerings},
    "description of the pile": {"describe": describe_next_card},
    "determinization of the stack": {"determinize": keep_stack},
    "determinization of cards": {"determinize": keep_cards},
    "determinization of a hand": {"determinize": deal_too_few_kinds},
    "determinization of offerings": {"determinize": keep_offerings},
    "determinization of the own offerings": {"determinize": forget_own_offerings},
    "determinization by place": {"determinize": shuffle_unsorted},
}
"""By what leaks: the functions that replace the game's own."""


def verdict(game: Game) -> str | None:
    """What the audit objects to, or None."""
    try:
        audit_secrecy(game, OPTIONS, POSITIONS, policies=(play_boldly, play_randomly), stride=STRIDE, describe_every=1)
    except GameDefinitionError as error:
        return str(error)
    return None


if __name__ == "__main__":
    verdicts = {"unchanged": verdict(GAME)}
    for name, functions in MUTANTS.items():
        mutant = replace(GAME, name=f"mesopotamia {name}", sources=(*GAME.sources, Path(__file__)), **functions)
        verdicts[name] = verdict(register(mutant))
    print(json.dumps(verdicts, indent=2))
