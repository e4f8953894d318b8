"""Mutants of Pfeffersäcke that leak a token each, and the secrecy audit of all of them in one plain process.

NUMBA_DISABLE_JIT=1 python -m tests.pfeffersaecke.leaks     print what the audit says of each, as JSON
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from envs.audit import audit_secrecy
from envs.errors import GameDefinitionError
from envs.game import Game, State, register
from envs.pfeffersaecke import GAME, knowledge, language, rules
from envs.pfeffersaecke.actions import OPEN_PLACE, PASS
from envs.pfeffersaecke.board import VALUES
from envs.pfeffersaecke.state import OPEN
from envs.position import Position
from envs.walk import play_randomly
from tests.pfeffersaecke.policies import play_sensibly

POSITIONS = 40
OPTIONS = {"num_players": 3, "max_moves": 14}
"""Short games, so that few positions are of many games."""


def next_seat(state: State, player: int) -> int:
    """The seat on the left, whose tokens the mutants leak."""
    return (player + 1) % state.num_players


def holds_the_eight(state: State, seat: int) -> bool:
    return state.players[seat].tokens[VALUES - 1] > 0


def observe_the_eight(state: State, player: int, out: Any) -> None:
    """The entry of the phase is a little larger if the left neighbour holds the token of 8."""
    knowledge.observe(state, player, out)
    if holds_the_eight(state, next_seat(state, player)):
        out[state.phase] = 1.01


def mask_by_the_next_hand(state: State, mask: Any) -> int:
    """Nothing can be opened while the left neighbour holds the token of 8."""
    count = rules.legal_actions(state, mask)
    if state.phase == OPEN and holds_the_eight(state, next_seat(state, state.current_player)):
        mask[OPEN_PLACE:PASS] = False
        count = 1
    return count


def describe_a_token(state: State, player: int | None) -> dict[str, Any]:
    """The number of tokens in a hand is one too high if the token of 8 is among them."""
    description = language.describe(state, player)
    if player is not None:
        seat = next_seat(state, player)
        description["players"][seat]["tokens"] += holds_the_eight(state, seat)
    return description


def keep_a_hand(state: State, player: int) -> None:
    """The left neighbour keeps its hand, and the others get theirs back."""


def determinize_in_place(state: State, player: int) -> None:
    """Hands are passed on, so the sample depends on where the tokens really lay."""
    hands = [list(state.players[seat].tokens) for seat in range(state.num_players)]
    others = [seat for seat in range(state.num_players) if seat != player]
    for seat, source in zip(others, [*others[1:], others[0]], strict=True):
        if sum(hands[seat]) == sum(hands[source]):
            for value in range(VALUES):
                state.players[seat].tokens[value] = hands[source][value]


MUTANTS: dict[str, dict[str, Any]] = {
    "observation": {"observe": observe_the_eight},
    "mask": {"legal_actions": mask_by_the_next_hand},
    "description": {"describe": describe_a_token},
    "determinization keeps hands": {"determinize": keep_a_hand},
    "determinization passes hands on": {"determinize": determinize_in_place},
}
"""By what leaks: the functions that replace the game's own."""


def play_sensibly_where_legal(position: Position, rng: np.random.Generator) -> int:
    """The rule of thumb knows the true rules only; where a mutant forbids its action, a random one."""
    action = play_sensibly(position, rng)
    return action if position.action_mask()[action] else play_randomly(position, rng)


def verdict(game: Game) -> str | None:
    """What the audit objects to, or None."""
    policies = (play_randomly, play_sensibly_where_legal)
    try:
        audit_secrecy(game, OPTIONS, POSITIONS, policies=policies, stride=5, describe_every=1)
        audit_secrecy(game, OPTIONS, POSITIONS, policies=policies, stride=1000, describe_every=1)  # last ones only
    except GameDefinitionError as error:
        return str(error)
    return None


if __name__ == "__main__":
    verdicts = {"unchanged": verdict(GAME)}
    for name, functions in MUTANTS.items():
        mutant = replace(GAME, name=f"pfeffersaecke {name}", sources=(*GAME.sources, Path(__file__)), **functions)
        verdicts[name] = verdict(register(mutant))
    print(json.dumps(verdicts, indent=2))
