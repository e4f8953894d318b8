"""What holds at every position of Travel Blog: cards, tokens and money are conserved, and what is unused is zero."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.position import Position
from envs.travel_blog.rules import colours, count_bits, middle_cards, tokens_of_colour

LAWS = (
    "",
    "each of the 50 cards is in the deck once",
    "as many cards are out as the rounds so far have dealt",
    "the board shows the cards dealt last",
    "a token lies in one stack, at a field that its colour has chosen",
    "above its height a stack is empty",
    "each token lies or is held",
    "nobody owes money",
    "only seats asked before in this tick have committed",
    "seats and colours that nobody plays have nothing",
    "the round evaluated last is the one before, at the end this one",
)


@compiled
def broken_law(state: Any) -> int:
    """The number of the first law in `LAWS` that a position breaks; 0 if it keeps them all."""
    n, middle = state.num_players, middle_cards(state)
    cards = 0
    for place in range(50):
        cards |= 1 << state.deck[place]
    if cards != (1 << 51) - 2:
        return 1
    before = 8 * min(state.round, 4) + 9 * max(state.round - 4, 0)
    if state.dealt != (9 if state.round == 7 else before):
        return 2
    for place in range(7):
        if state.board.offer[place] != state.deck[state.dealt - middle - 7 + place]:
            return 3
    for place in range(2):
        if state.board.middle[place] != (state.deck[state.dealt - middle + place] if place < middle else 0):
            return 3
    lying = 0
    for field in range(8):
        for level in range(6):
            token = state.board.stacks[field, level] - 1
            if (token >= 0) != (level < state.board.heights[field]):
                return 5
            if token >= 0:
                lying += 1
                if not (state.players[token // 2].chosen[token % 2] >> field) & 1:
                    return 4
    tokens = tokens_of_colour(state)
    chosen = 0
    for seat in range(6):
        player = state.players[seat]
        for colour in range(2):
            plays = seat < n and colour < colours(state)
            chosen += count_bits(player.chosen[colour])
            if count_bits(player.chosen[colour]) + player.tokens_left[colour] != (tokens if plays else 0):
                return 6 if plays else 9
            if not plays and player.last_trip[colour].amount != 0:
                return 9
        if player.cash < 0:
            return 7
        if seat >= n and (player.cash != 0 or player.last_change != 0 or state.wave_order[seat] != 0):
            return 9
        asked = not state.terminated and state.options.timing == 0 and seat < state.current_player
        if player.pending != 0 and not asked:
            return 8
    if lying != chosen:
        return 4
    if state.last_round != (state.round if state.terminated else state.round - 1):
        return 10
    return 0


@compiled
def broken_law_at(states: Any, i: int) -> int:
    """`broken_law` of position `i` of an array."""
    return broken_law(states[i])


def obeys_the_laws(position: Position) -> None:
    """Raises AssertionError naming the law that a position breaks."""
    law = broken_law_at(position.states, 0)
    assert law == 0, LAWS[law]
    assert abs(position.returns().sum()) < 1e-9
