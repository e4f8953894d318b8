"""Mutants of Fürstenfeld that leak one card each, and the secrecy audit of all of them in one plain process.

NUMBA_DISABLE_JIT=1 python -m tests.fuerstenfeld.leaks     print what the audit says of each, as JSON
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from envs.audit import audit_secrecy
from envs.errors import GameDefinitionError
from envs.fuerstenfeld import GAME, knowledge, language, rules
from envs.fuerstenfeld.actions import END_SALE, SELL_GOOD
from envs.fuerstenfeld.state import CARD_NAMES, CRANE, DECK, DRAFT, OFFICE, PALACE_1, PALACE_6, SELL
from envs.game import Game, State, register
from envs.walk import play_randomly
from tests.fuerstenfeld.policies import play_sensibly

POSITIONS = 40
ADVANCED = {"num_players": 2, "variant": "advanced", "max_rounds": 4}
ONE_ROUND = {"num_players": 2, "variant": "basic", "max_rounds": 1}
"""Options that let few positions show a lot: leaks of a draft or of a known deck, and many games for statistics."""


def observe_office(state: State, player: int, out: Any) -> None:
    """The entry of the turn order is larger if the opponent holds the office."""
    knowledge.observe(state, player, out)
    if state.players[1 - player].hand[OFFICE]:
        out[5] += 0.01


def observe_own_top_card(state: State, player: int, out: Any) -> None:
    """The own top card shows, though nobody put it there."""
    knowledge.observe(state, player, out)
    owner = state.players[player]
    if owner.deck_size > owner.deck_known and owner.deck[owner.deck_top] == CRANE:
        out[5] += 0.01


def mask_by_opponents_hand(state: State, mask: Any) -> int:
    """Nothing can be sold while the opponent holds a palace."""
    count = rules.legal_actions(state, mask)
    hand = state.players[1 - state.current_player].hand
    if state.phase == SELL and any(hand[card] for card in range(PALACE_1, PALACE_6 + 1)):
        mask[SELL_GOOD:END_SALE] = False
        count = 1
    return count


def describe_last_discard(state: State, player: int | None) -> dict[str, Any]:
    """The lowest card of the opponent's deck is shown."""
    description = language.describe(state, player)
    if player is not None and state.players[1 - player].deck_known:
        everything = language.describe(state, None)
        description["players"][1 - player]["deck"][-1] = everything["players"][1 - player]["deck"][-1]
    return description


def describe_kept_card(state: State, player: int | None) -> dict[str, Any]:
    """The card that the opponent keeps is shown during the draft."""
    description = language.describe(state, player)
    if player is not None and state.phase == DRAFT and state.players[1 - player].kept:
        description["players"][1 - player]["kept"] = CARD_NAMES[state.players[1 - player].kept]
    return description


def keep_hand(state: State, player: int) -> None:
    """Opponents keep the hands that they have; only their decks are dealt anew."""
    for seat in range(state.num_players):
        known = state.players[seat].deck_known
        if seat != player:
            state.players[seat].deck_known = 0
        knowledge.deal_unknown(state, seat, False)
        state.players[seat].deck_known = known


def keep_known_part(state: State, player: int) -> None:
    """What opponents put under their decks stays there, as if all had seen it."""
    for seat in range(state.num_players):
        known = 0 if seat == player else state.players[seat].deck_known
        state.players[seat].deck_size -= known
        knowledge.deal_unknown(state, seat, seat != player)
        state.players[seat].deck_size += known


def keep_own_deck(state: State, player: int) -> None:
    """The own deck is left as it lies."""
    for seat in range(state.num_players):
        if seat != player:
            knowledge.deal_unknown(state, seat, True)


def keep_kept_card(state: State, player: int) -> None:
    """The opponent's kept card is not dealt anew."""
    kept = [state.players[seat].kept for seat in range(state.num_players)]
    knowledge.determinize(state, player)
    for seat in range(state.num_players):
        if kept[seat] and state.players[seat].hand[kept[seat]]:
            state.players[seat].kept = kept[seat]


def shuffle_unsorted(state: State, player: int) -> None:
    """The sample depends on where the cards really lay: the deck is cut, not dealt from a sorted pool."""
    for seat in range(state.num_players):
        record = state.players[seat]
        unknown = record.deck_size - record.deck_known if seat == player else record.deck_size
        for place in range(unknown // 2):
            one, two = (record.deck_top + place) % DECK, (record.deck_top + unknown - 1 - place) % DECK
            held = record.deck[one]
            record.deck[one] = record.deck[two]
            record.deck[two] = held


MUTANTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "observation of a hand": ({"observe": observe_office}, ADVANCED),
    "observation of the own deck": ({"observe": observe_own_top_card}, ADVANCED),
    "mask": ({"legal_actions": mask_by_opponents_hand}, ADVANCED),
    "description of a deck": ({"describe": describe_last_discard}, ADVANCED),
    "description of the kept card": ({"describe": describe_kept_card}, ADVANCED),
    "determinization of a hand": ({"determinize": keep_hand}, ONE_ROUND),
    "determinization of a known part": ({"determinize": keep_known_part}, ONE_ROUND),
    "determinization of the own deck": ({"determinize": keep_own_deck}, ONE_ROUND),
    "determinization of the kept card": ({"determinize": keep_kept_card}, ADVANCED),
    "determinization by place": ({"determinize": shuffle_unsorted}, ADVANCED),
}
"""By what leaks: the functions that replace the game's own, and the options to audit it with."""


def verdict(game: Game, options: dict[str, Any]) -> str | None:
    """What the audit objects to, or None."""
    stride = 3 if options is ADVANCED else 1000
    try:
        policies = (play_randomly, play_sensibly)
        audit_secrecy(game, options, POSITIONS, policies=policies, stride=stride, describe_every=1)
    except GameDefinitionError as error:
        return str(error)
    return None


if __name__ == "__main__":
    verdicts = {f"unchanged {options['variant']}": verdict(GAME, options) for options in (ADVANCED, ONE_ROUND)}
    for name, (functions, options) in MUTANTS.items():
        mutant = replace(GAME, name=f"fuerstenfeld {name}", sources=(*GAME.sources, Path(__file__)), **functions)
        verdicts[name] = verdict(register(mutant), options)
    print(json.dumps(verdicts, indent=2))
