"""Mutants of Mesopotamia that leak one secret each, and the secrecy audit of all of them in one plain process.

NUMBA_DISABLE_JIT=1 python -m tests.mesopotamia.leaks     print what the audit says of each, as JSON
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from envs.audit import audit_secrecy
from envs.chance import draw, shuffle
from envs.errors import GameDefinitionError
from envs.game import Game, State, register
from envs.mesopotamia import GAME, knowledge, language, rules
from envs.mesopotamia.actions import END_MOVEMENT, STEP, TAKE
from envs.mesopotamia.components import HOME
from envs.mesopotamia.rules.act import take_top_card
from envs.mesopotamia.state import CARD_ORDER, FIRST_OFFERING, LAND, MOVE, OFFERINGS, STACK_ORDER

OPTIONS = {"num_players": 2, "starting_card": True, "max_rounds": 1}
POSITIONS, STRIDE = 60, 12


def set_up_in_mid_game(state: State) -> None:
    """Every seat has two cards, an offering under its hut and one on a figure, all by lot: so secrets are at hand."""
    rules.setup(state)
    for seat in range(state.num_players):
        player = state.players[seat]
        take_top_card(state, seat)
        under = draw(state, CARD_ORDER, OFFERINGS)
        carried = (under + 1 + draw(state, CARD_ORDER, OFFERINGS - 1)) % OFFERINGS
        state.tiles[HOME[state.num_players, seat]].huts[0].offering = under + 1
        player.figures[0].load = FIRST_OFFERING + carried
        player.unused_offerings -= (1 << under) + (1 << carried)
        player.huts_left -= 2


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
        audit_secrecy(game, OPTIONS, POSITIONS, stride=STRIDE, describe_every=1)
    except GameDefinitionError as error:
        return str(error)
    return None


if __name__ == "__main__":
    verdicts = {}
    for name, functions in {"unchanged": {}, **MUTANTS}.items():
        given = {"sources": (*GAME.sources, Path(__file__)), "setup": set_up_in_mid_game, **functions}
        mutant = replace(GAME, name=f"mesopotamia {name}", **given)
        verdicts[name] = verdict(register(mutant))
    print(json.dumps(verdicts, indent=2))
