"""Every position of the pokers with its probability: chance enumerated by writing cards into the record."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from envs.catalog import get_game
from envs.position import Position

SECOND_ROUND = 1
"""Leduc's phase in which the public card lies open."""


def deck_of(position: Position) -> range:
    """The cards by number: one a rank in Kuhn poker, two in Leduc poker."""
    ranks = position.num_players + 1
    return range(2 * ranks if position.game.name == "leduc_poker" else ranks)


def with_cards(position: Position, cards: tuple[int, ...]) -> Position:
    """A copy of the position in which the seats hold these cards."""
    dealt = position.copy()
    dealt.states["card"][0, : len(cards)] = cards
    return dealt


def deals(name: str, num_players: int) -> Iterator[tuple[float, Position]]:
    """Every way the cards can be dealt: probability and first position."""
    start = Position(get_game(name), {"num_players": num_players})
    every = list(permutations(deck_of(start), num_players))
    for cards in every:
        yield 1 / len(every), with_cards(start, cards)


def after(position: Position, action: int) -> Iterator[tuple[float, Position]]:
    """What may come of an action: one position, or one for each public card that may be turned up."""
    played = position.copy()
    played.apply(action)
    turned_up = played.game.name == "leduc_poker" and played.states["phase"][0] != position.states["phase"][0]
    if not turned_up:
        yield 1.0, played
        return
    unseen = set(deck_of(played)) - {int(card) for card in played.states["card"][0, : played.num_players]}
    for card in sorted(unseen):
        branch = played.copy()
        branch.states["public_card"] = card
        yield 1 / len(unseen), branch


def every_position(name: str, num_players: int) -> Iterator[tuple[float, Position]]:
    """Every position of the game with the probability that chance leads there, depth first."""

    def below(chance: float, position: Position) -> Iterator[tuple[float, Position]]:
        yield chance, position
        for action in position.legal_actions():
            for probability, child in after(position, action):
                yield from below(chance * probability, child)

    for probability, position in deals(name, num_players):
        yield from below(probability, position)


def information_state(position: Position) -> tuple[Any, ...]:
    """What the seat to act knows, read from the record: its seat and card, the public card, all betting."""
    state, seat = position.state, position.current_player
    public = int(state.public_card) if "public_card" in state.dtype.names and state.phase == SECOND_ROUND else None
    return seat, int(state.card[seat]), public, state.betting.tobytes()
