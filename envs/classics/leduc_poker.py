"""Leduc poker: one card each, one public card, two rounds of betting; for two players or three.

F. Southey et al., "Bayes' bluff: opponent modelling in poker" (UAI 2005); for three players the deck has
one rank more. There are two suits and one rank more than players. Everyone antes one chip and is dealt a card. In each
round the seats act in turn, the lowest seat still in first: `call` puts in what is missing (it is also the
check, when nothing is), `raise` puts in 2 chips more in the first round, 4 in the second, at most twice a
round, and `fold` gives up. Folding is legal only when there is something to call, as in OpenSpiel, whose
counts of information states therefore apply. After the first round a public card is turned up. At the
end of the second whoever pairs the public card wins, else the highest rank; equal ranks split the pot.
The seats still in at that point show their cards; if all others have folded, nobody does.

A card is the number 2 * rank + suit. The public card is drawn from its own stream when it is turned up, so
that it depends on seed and deal alone, whatever was bet before.
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
SUITS = ("s", "h")
ROUNDS = 2
FIRST_ROUND, SECOND_ROUND = 0, 1
FIRST_RAISE, SECOND_RAISE = 2, 4
MAX_RAISES = 2
MAX_TURNS = 3 * MAX_PLAYERS - 2
MAX_CHIPS = 1 + MAX_RAISES * (FIRST_RAISE + SECOND_RAISE)
FOLD, CALL, RAISE = 0, 1, 2
ACTIONS = ("fold", "call", "raise")
DEAL, PUBLIC = 0, 1


# ------------------------------------------------------------------ the rules


@compiled
def deck_size(state: State) -> int:
    return len(SUITS) * (state.num_players + 1)


@compiled
def stake(state: State) -> int:
    """What it takes to stay in: the most chips that anyone has in the pot."""
    most = 0
    for seat in range(state.num_players):
        most = max(most, state.chips[seat])
    return most


@compiled
def contenders(state: State) -> int:
    """How many seats have not folded."""
    count = 0
    for seat in range(state.num_players):
        count += 1 - state.folded[seat]
    return count


@compiled
def next_contender(state: State, seat: int) -> int:
    """The first seat from `seat` on, around the table, that has not folded."""
    seat %= state.num_players
    while state.folded[seat]:
        seat = (seat + 1) % state.num_players
    return seat


@compiled
def strength(state: State, seat: int) -> int:
    """A hand's worth at the showdown: its rank, and more than any rank if it pairs the public card."""
    rank = state.card[seat] // len(SUITS)
    pairs = rank == state.public_card // len(SUITS)
    return rank + len(RANKS) if pairs else rank


@compiled
def setup(state: State) -> None:
    seen = 0
    for seat in range(state.num_players):
        card = draw_card(state, DEAL, deck_size(state), seen)
        seen |= 1 << card
        state.card[seat] = card
        state.chips[seat] = 1
    state.to_act = state.num_players


@compiled
def legal_actions(state: State, mask: Any) -> int:
    count = 1
    mask[CALL] = True
    if state.chips[state.current_player] < stake(state):
        mask[FOLD] = True
        count += 1
    if state.raises < MAX_RAISES:
        mask[RAISE] = True
        count += 1
    return count


@compiled
def apply_action(state: State, action: int) -> None:
    player = state.current_player
    state.betting[state.phase, state.turn] = action + 1
    state.turn += 1
    state.to_act -= 1
    if action == FOLD:
        state.folded[player] = 1
    elif action == CALL:
        state.chips[player] = stake(state)
    else:
        state.chips[player] = stake(state) + (FIRST_RAISE if state.phase == FIRST_ROUND else SECOND_RAISE)
        state.raises += 1
        state.to_act = contenders(state) - 1

    if contenders(state) == 1 or (state.to_act == 0 and state.phase == SECOND_ROUND):
        state.terminated = 1
    elif state.to_act == 0:
        start_second_round(state)
    else:
        state.current_player = next_contender(state, player + 1)


@compiled
def start_second_round(state: State) -> None:
    seen = 0
    for seat in range(state.num_players):
        seen |= 1 << state.card[seat]
    state.public_card = draw_card(state, PUBLIC, deck_size(state), seen)
    state.phase = SECOND_ROUND
    state.turn = 0
    state.raises = 0
    state.to_act = contenders(state)
    state.current_player = next_contender(state, 0)


@compiled
def returns(state: State, out: Any) -> None:
    """Chips won, in antes."""
    pot = best = winners = 0
    showdown = is_showdown(state)
    for seat in range(state.num_players):
        pot += state.chips[seat]
        out[seat] = -state.chips[seat]
        if state.folded[seat] == 0:
            worth = strength(state, seat) + 1 if showdown else 1
            if worth > best:
                best, winners = worth, 0
            if worth == best:
                winners += 1
    for seat in range(state.num_players):
        if state.folded[seat] == 0 and (not showdown or strength(state, seat) + 1 == best):
            out[seat] += pot / winners


# ------------------------------------------------------------------ who knows what


@compiled
def is_showdown(state: State) -> bool:
    """Whether the game is over and at least two seats show their cards."""
    return state.terminated == 1 and contenders(state) > 1


@compiled
def knows_card(state: State, player: int, seat: int) -> bool:
    """Whether `player` knows the card of `seat`: the own one, and what is shown at a showdown."""
    return seat == player or (is_showdown(state) and state.folded[seat] == 0)


@compiled
def observe(state: State, player: int, out: Any) -> None:
    """All that the seat knows, with perfect recall; n players, n + 1 ranks, seats from the own one onwards.

    n entries: the own seat, one-hot; n + 1 times (n + 1) + 2: the public card, then each seat's card, as a
    one-hot rank and a one-hot suit, zeros if unknown; n: each seat's chips in the pot, divided by 13, the most
    there can be; 2 times 3n - 2 times 3: the betting of both rounds, each action one-hot (fold, call, raise).
    """
    n = state.num_players
    card_width = n + 1 + len(SUITS)
    out[player] = 1.0
    at = n
    if state.phase == SECOND_ROUND:
        write_card(state.public_card, n + 1, at, out)
    for i in range(n):
        at += card_width
        seat = (player + i) % n
        if knows_card(state, player, seat):
            write_card(state.card[seat], n + 1, at, out)
    at += card_width
    for i in range(n):
        out[at + i] = state.chips[(player + i) % n] / MAX_CHIPS
    at += n
    for betting_round in range(ROUNDS):
        for turn in range(3 * n - 2):
            action = state.betting[betting_round, turn] - 1
            if action >= 0:
                out[at + action] = 1.0
            at += len(ACTIONS)


@compiled
def write_card(card: int, ranks: int, at: int, out: Any) -> None:
    out[at + card // len(SUITS)] = 1.0
    out[at + ranks + card % len(SUITS)] = 1.0


def observation_size(n: int) -> int:
    return n + (n + 1) * (n + 1 + len(SUITS)) + n + ROUNDS * (3 * n - 2) * len(ACTIONS)


@compiled
def determinize(state: State, player: int) -> None:
    """Deal the cards that `player` has not seen anew to the seats whose card it does not know."""
    seen = 0
    if state.phase == SECOND_ROUND:
        seen |= 1 << state.public_card
    for seat in range(state.num_players):
        if knows_card(state, player, seat):
            seen |= 1 << state.card[seat]
    for seat in range(state.num_players):
        if not knows_card(state, player, seat):
            card = draw_card(state, DEAL, deck_size(state), seen)
            seen |= 1 << card
            state.card[seat] = card


# ------------------------------------------------------------------ in words


def encode_action(action: Mapping[str, Any], options: Options) -> int:
    for index in range(len(ACTIONS)):
        if action == decode_action(index, options):
            return index
    raise IllegalAction(
        f'leduc_poker has no action {dict(action)}: write {{"type": "fold"}}, {{"type": "call"}} or {{"type": "raise"}}'
    )


def decode_action(index: int, options: Options) -> dict[str, Any]:
    return {"type": ACTIONS[index]}


def card_name(card: int) -> str:
    """A rank and a suit: Js, Jh, Qs, …"""
    return RANKS[card // len(SUITS)] + SUITS[card % len(SUITS)]


def describe(state: State, player: int | None) -> dict[str, Any]:
    """`players`: card (null where hidden), chips in the pot, folded or not; `betting`: the actions of each round."""
    seats = range(state.num_players)
    visible = [player is None or knows_card(raw(state), player, seat) for seat in seats]
    return {
        "players": [
            {
                "card": card_name(state.card[seat]) if visible[seat] else None,
                "chips": state.chips[seat],
                "folded": bool(state.folded[seat]),
            }
            for seat in seats
        ],
        "public_card": card_name(state.public_card) if state.phase == SECOND_ROUND else None,
        "pot": sum(state.chips),
        "betting": [[ACTIONS[action - 1] for action in turns if action] for turns in state.betting],
    }


def say(action: Mapping[str, Any], description: Mapping[str, Any], public: bool = False) -> str:
    chips = [player["chips"] for player in description["players"]]
    staked = chips[description["current_player"]]
    missing = max(chips) - staked
    if action["type"] == "fold":
        return f"Fold: give up the pot of {description['pot']}, {counted(staked, 'chip')} staked in it"
    if action["type"] == "call":
        return f"Call: put {counted(missing, 'chip')} into the pot" if missing else "Check: put nothing into the pot"
    more = FIRST_RAISE if description["phase"] == "first_round" else SECOND_RAISE
    return f"Raise by {more}: put {counted(missing + more, 'chip')} into the pot"


GAME = register(
    Game(
        name="leduc_poker",
        title="Leduc poker",
        summary="one card each, a public card, two betting rounds; hidden cards, 2 or 3 players",
        min_players=2,
        max_players=MAX_PLAYERS,
        fields=(
            ("card", "i1", (MAX_PLAYERS,)),
            ("public_card", "i1"),
            ("chips", "i1", (MAX_PLAYERS,)),
            ("folded", "i1", (MAX_PLAYERS,)),
            ("betting", "i1", (ROUNDS, MAX_TURNS)),
            ("turn", "i1"),
            ("raises", "i1"),
            ("to_act", "i1"),
        ),
        streams=("DEAL", "PUBLIC"),
        phases=("first_round", "second_round"),
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
        min_return=lambda options: -float(MAX_CHIPS),
    )
)
