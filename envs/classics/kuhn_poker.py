"""Kuhn poker: one card each, one chip to bet; for two players or three.

H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1 (1950); for three
players N. Abou Risk and D. Szafron, "Using counterfactual regret minimization to create competitive
multiplayer poker agents" (AAMAS 2010). The deck holds one card more than there are players. Everyone
antes one chip and is dealt a card. In turn each may pass or bet one chip; once somebody has bet, each of
the others has one turn to answer: to bet (call) or to pass (fold). The highest card that has not folded
takes the pot. If two or more have not folded at the end they show their cards; nobody else ever does.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from envs.classics import poker, poker_table
from envs.classics.poker import RANKS, draw_card
from envs.compiling import compiled
from envs.errors import IllegalAction
from envs.game import Game, State, register
from envs.options import Options
from envs.plain import raw
from envs.words import counted

MAX_PLAYERS = 3
MAX_MOVES = 2 * MAX_PLAYERS - 1
PASS, BET = 0, 1
ACTIONS = ("pass", "bet")
DEAL = 0
OPENING, ANSWERING = 0, 1
MAX_CHIPS = 2


@compiled
def is_showdown(state: State) -> bool:
    """Whether the game is over and at least two seats show their cards."""
    contenders = 0
    for seat in range(state.num_players):
        contenders += 1 - state.folded[seat]
    return state.terminated == 1 and contenders > 1


@compiled
def knows_card(state: State, player: int, seat: int) -> bool:
    """Whether `player` knows the card of `seat`: the own one, and what is shown at a showdown."""
    return seat == player or (is_showdown(state) and state.folded[seat] == 0)


@compiled
def setup(state: State) -> None:
    seen = 0
    for seat in range(state.num_players):
        card = draw_card(state, DEAL, state.num_players + 1, seen)
        seen |= 1 << card
        state.card[seat] = card
        state.chips[seat] = 1
    state.last_move = state.num_players


@compiled
def legal_actions(state: State, mask: Any) -> int:
    mask[PASS] = True
    mask[BET] = True
    return 2


@compiled
def apply_action(state: State, action: int) -> None:
    player = state.current_player
    state.betting[state.move_number - 1] = action + 1
    if action == BET:
        state.chips[player] += 1
        if state.phase == OPENING:
            state.phase = ANSWERING
            state.last_move = state.move_number + state.num_players - 1
    elif state.phase == ANSWERING:
        state.folded[player] = 1
    if state.move_number == state.last_move:
        state.terminated = 1
    else:
        state.current_player = (player + 1) % state.num_players


@compiled
def observe(state: State, player: int, out: Any) -> None:
    """All that the seat knows, with perfect recall; n players, n + 1 cards, seats from the own one onwards.

    n entries: the own seat, one-hot; n times n + 1: each seat's card, one-hot, zeros if unknown; n: each seat's
    chips in the pot, divided by 2; 2n - 1 times 2: the betting, each action one-hot (pass, bet).
    """
    n = state.num_players
    out[player] = 1.0
    at = n
    for i in range(n):
        seat = (player + i) % n
        if knows_card(state, player, seat):
            out[at + state.card[seat]] = 1.0
        at += n + 1
    for i in range(n):
        out[at + i] = state.chips[(player + i) % n] / MAX_CHIPS
    at += n
    for move in range(state.move_number):
        out[at + 2 * move + state.betting[move] - 1] = 1.0


def observation_size(n: int) -> int:
    return n + n * (n + 1) + n + 2 * (2 * n - 1)


@compiled
def determinize(state: State, player: int) -> None:
    """Deal the cards that `player` has not seen anew to the seats whose card it does not know."""
    seen = 0
    for seat in range(state.num_players):
        if knows_card(state, player, seat):
            seen |= 1 << state.card[seat]
    for seat in range(state.num_players):
        if not knows_card(state, player, seat):
            card = draw_card(state, DEAL, state.num_players + 1, seen)
            seen |= 1 << card
            state.card[seat] = card


@compiled
def returns(state: State, out: Any) -> None:
    """Chips won, in antes."""
    pot = 0
    winner = -1
    for seat in range(state.num_players):
        pot += state.chips[seat]
        out[seat] = -state.chips[seat]
        if state.folded[seat] == 0 and (winner < 0 or state.card[seat] > state.card[winner]):
            winner = seat
    out[winner] += pot


def encode_action(action: Mapping[str, Any], options: Options) -> int:
    for index in range(len(ACTIONS)):
        if action == decode_action(index, options):
            return index
    raise IllegalAction(f'kuhn_poker has no action {dict(action)}: write {{"type": "pass"}} or {{"type": "bet"}}')


def decode_action(index: int, options: Options) -> dict[str, Any]:
    return {"type": ACTIONS[index]}


def describe(state: State, player: int | None) -> dict[str, Any]:
    """`players`: card (null where hidden), chips in the pot, folded or not; `betting`: every action so far."""
    seats = range(state.num_players)
    visible = [player is None or knows_card(raw(state), player, seat) for seat in seats]
    return {
        "players": [
            {
                "card": RANKS[state.card[seat]] if visible[seat] else None,
                "chips": state.chips[seat],
                "folded": bool(state.folded[seat]),
            }
            for seat in seats
        ],
        "pot": sum(state.chips),
        "betting": [ACTIONS[state.betting[move] - 1] for move in range(state.move_number)],
    }


def say(action: Mapping[str, Any], description: Mapping[str, Any], public: bool = False) -> str:
    opening, staked = description["phase"] == "opening", description["players"][description["current_player"]]["chips"]
    if action["type"] == "bet":
        return "Bet 1 chip" if opening else f"Call: put 1 chip into the pot of {description['pot']}"
    return (
        "Pass without betting"
        if opening
        else f"Fold: give up the pot of {description['pot']}, {counted(staked, 'chip')} staked in it"
    )


GAME = register(
    Game(
        name="kuhn_poker",
        title="Kuhn poker",
        summary="one card each, one bet; hidden cards, 2 or 3 players",
        min_players=2,
        max_players=MAX_PLAYERS,
        fields=(
            ("card", "i1", (MAX_PLAYERS,)),
            ("chips", "i1", (MAX_PLAYERS,)),
            ("folded", "i1", (MAX_PLAYERS,)),
            ("betting", "i1", (MAX_MOVES,)),
            ("last_move", "i1"),
        ),
        streams=("DEAL",),
        phases=("opening", "answering"),
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        observe=observe,
        determinize=determinize,
        returns=returns,
        num_actions=lambda options: len(ACTIONS),
        observation_size=lambda options: observation_size(options["num_players"]),
        encode_action=encode_action,
        decode_action=decode_action,
        describe=describe,
        draw=poker_table.draw_table,
        text=poker_table.table_text,
        say=say,
        places=poker_table.places,
        sources=(Path(__file__), Path(poker.__file__)),
        min_return=lambda options: -2.0,
    )
)
