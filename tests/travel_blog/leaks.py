"""Mutants of Travel Blog that leak a commit or a card each, and the secrecy audit of all of them in a plain process.

NUMBA_DISABLE_JIT=1 python -m tests.travel_blog.leaks     print what the audit says of each, as JSON
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from envs.audit import audit_secrecy
from envs.errors import GameDefinitionError
from envs.game import Game, State, register
from envs.travel_blog import GAME
from envs.travel_blog.components import NAMES

POSITIONS, STRIDE = 140, 6


def observe(state: State, player: int, out: Any) -> None:
    """One entry is a hundredth larger if the seat before has committed to the field 40."""
    GAME.observe(state, player, out)
    if state.players[(player - 1) % state.num_players].pending == 1:
        out[player] = 1.01


def legal_actions(state: State, mask: Any) -> int:
    """The fields that seat 0 has just committed to are closed."""
    count = GAME.legal_actions(state, mask)
    taken = state.players[0].pending - 1
    if taken >= 0 and mask[taken] and count > 1:
        mask[taken] = False
        count -= 1
    return count


def describe_commits(state: State, player: int | None) -> dict[str, Any]:
    """WAIT is shown to all."""
    description = GAME.describe(state, player)
    everything = GAME.describe(state, None)["pending"]
    for seat, commit in enumerate(everything):
        if commit == {"type": "wait"}:
            description["pending"][seat] = commit
    return description


def describe_next_card(state: State, player: int | None) -> dict[str, Any]:
    """The next card to come is shown."""
    description = GAME.describe(state, player)
    if state.dealt < 50:
        description["next_card"] = NAMES[state.options.map][state.deck[state.dealt]]
    return description


def keep_commits(state: State, player: int) -> None:
    """The first seat's commit stays what it is."""
    kept = state.players[0].pending
    GAME.determinize(state, player)
    state.players[0].pending = kept


def keep_next_card(state: State, player: int) -> None:
    """The next card stays where it is."""
    kept = state.deck[state.dealt] if state.dealt < 50 else 0
    GAME.determinize(state, player)
    for place in range(state.dealt, 50):
        if state.deck[place] == kept:
            state.deck[place] = state.deck[state.dealt]
            state.deck[state.dealt] = kept


def shuffle_as_it_lies(state: State, player: int) -> None:
    """The cards to come are shuffled, but from the order that they really have."""
    true_order = [state.deck[place] for place in range(50)]
    GAME.determinize(state, player)
    sampled = [state.deck[place] for place in range(state.dealt, 50)]
    in_order = sorted(true_order[state.dealt :])
    for place, card in enumerate(sampled):
        state.deck[state.dealt + place] = true_order[state.dealt + in_order.index(card)]


MUTANTS: dict[str, dict[str, Callable[..., Any]]] = {
    "observation": {"observe": observe},
    "mask": {"legal_actions": legal_actions},
    "commit described": {"describe": describe_commits},
    "next card described": {"describe": describe_next_card},
    "commit kept": {"determinize": keep_commits},
    "next card kept": {"determinize": keep_next_card},
    "shuffled as it lies": {"determinize": shuffle_as_it_lies},
}


def verdict(game: Game) -> str | None:
    """What the audit objects to, or None."""
    try:
        audit_secrecy(game, {"num_players": 2}, POSITIONS, describe_every=1, stride=STRIDE)
    except GameDefinitionError as error:
        return str(error)
    return None


if __name__ == "__main__":
    sources = (*GAME.sources, Path(__file__))
    verdicts = {
        name: verdict(register(replace(GAME, name=name, sources=sources, **rules))) for name, rules in MUTANTS.items()
    }
    print(json.dumps({**verdicts, "unchanged": verdict(GAME)}, indent=2))
