"""Mutants of the pokers that leak one card each, and the secrecy audit of all of them in one plain process.

NUMBA_DISABLE_JIT=1 python -m tests.classics.leaks     print what the audit says of each, as JSON
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from envs.audit import audit_secrecy
from envs.classics import kuhn_poker, leduc_poker
from envs.classics.poker import RANKS, draw_card
from envs.errors import GameDefinitionError
from envs.game import Game, State, register

POSITIONS = 200


def next_seat(state: State, player: int) -> int:
    """The seat on the left, whose card the mutants leak."""
    return (player + 1) % state.num_players


def mutants_of(rules: Any, card_name: Callable[[int], str]) -> dict[str, dict[str, Any]]:
    """By what leaks: the functions that replace the game's own."""
    suits = 2 if rules is leduc_poker else 1

    def holds_highest(state: State, seat: int) -> bool:
        return state.card[seat] // suits == state.num_players

    def observe(state: State, player: int, out: Any) -> None:
        """One entry is a hundredth larger if the left neighbour holds the highest rank."""
        rules.observe(state, player, out)
        if holds_highest(state, next_seat(state, player)):
            out[player] = 1.01

    def legal_actions(state: State, mask: Any) -> int:
        """No bet or raise against the highest rank."""
        count = rules.legal_actions(state, mask)
        last = len(mask) - 1
        if mask[last] and holds_highest(state, next_seat(state, state.current_player)):
            mask[last] = False
            count -= 1
        return count

    def describe(state: State, player: int | None) -> dict[str, Any]:
        """The left neighbour's card, as soon as it has put in a second chip."""
        description = rules.describe(state, player)
        if player is not None:
            seat = next_seat(state, player)
            if state.chips[seat] > 1:
                description["players"][seat]["card"] = card_name(state.card[seat])
        return description

    def determinize(state: State, player: int) -> None:
        """The left neighbour keeps its card."""
        kept = state.card[next_seat(state, player)]
        rules.determinize(state, player)
        for seat in range(state.num_players):
            if state.card[seat] == kept:
                state.card[seat] = state.card[next_seat(state, player)]
        state.card[next_seat(state, player)] = kept

    return {
        "observation": {"observe": observe},
        "mask": {"legal_actions": legal_actions},
        "description": {"describe": describe},
        "determinization": {"determinize": determinize},
    }


def determinize_showing_folded_cards(state: State, player: int) -> None:
    """Once the game is over nothing is hidden any more, not even what was folded."""
    if state.terminated == 0:
        kuhn_poker.determinize(state, player)


def setup_with_public_card(state: State) -> None:
    """The public card is drawn at once and lies in the record, face down."""
    leduc_poker.setup(state)
    seen = 0
    for seat in range(state.num_players):
        seen |= 1 << state.card[seat]
    state.public_card = draw_card(state, leduc_poker.PUBLIC, leduc_poker.deck_size(state), seen)


def all_mutants() -> dict[str, tuple[Game, int]]:
    """By name: the registered mutant, and the number of players to audit it with."""
    mutants = {}
    for rules, card_name in ((kuhn_poker, lambda card: RANKS[card]), (leduc_poker, leduc_poker.card_name)):
        for what, functions in mutants_of(rules, card_name).items():
            for num_players in (2, 3):
                mutants[f"{rules.GAME.name} {num_players} {what}"] = rules.GAME, functions, num_players
    mutants["kuhn_poker 3 folded cards"] = (kuhn_poker.GAME, {"determinize": determinize_showing_folded_cards}, 3)
    mutants["leduc_poker 2 face-down public card"] = (leduc_poker.GAME, {"setup": setup_with_public_card}, 2)
    return {
        name: (register(replace(game, name=name, sources=(*game.sources, Path(__file__)), **functions)), num_players)
        for name, (game, functions, num_players) in mutants.items()
    }


def verdict(game: Game, num_players: int) -> str | None:
    """What the audit objects to, or None."""
    try:
        audit_secrecy(game, {"num_players": num_players}, POSITIONS, describe_every=1)
    except GameDefinitionError as error:
        return str(error)
    return None


if __name__ == "__main__":
    verdicts = {name: verdict(game, num_players) for name, (game, num_players) in all_mutants().items()}
    for true_game in (kuhn_poker.GAME, leduc_poker.GAME):
        for players in (2, 3):
            verdicts[f"{true_game.name} {players} unchanged"] = verdict(true_game, players)
    print(json.dumps(verdicts, indent=2))
