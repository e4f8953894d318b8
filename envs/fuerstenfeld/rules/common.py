"""What several phases need: buildings, the hand and the own deck."""

from __future__ import annotations

from envs.compiling import compiled
from envs.fuerstenfeld.components import EFFECT
from envs.fuerstenfeld.state import BASIC, DECK, NO_CARD, PALACE_1, SPACES, is_palace
from envs.game import State


@compiled
def has(state: State, seat: int, building: int) -> bool:
    """Whether a building lies uncovered on the seat's estate: only then does it work."""
    spaces = state.players[seat].spaces
    for space in range(SPACES):
        if spaces[space] == building:
            return True
    return False


@compiled
def effect_of(state: State, seat: int, first: int, last: int) -> int:
    """What the seat's buildings from `first` to `last` do together: the effects of I and II add up."""
    spaces = state.players[seat].spaces
    total = 0
    for space in range(SPACES):
        if first <= spaces[space] <= last:
            total += EFFECT[spaces[space]]
    return total


@compiled
def is_offered(state: State, seat: int, card: int) -> bool:
    """Whether a card of the hand is offered: in the basic game, where palaces are alike, the lowest one for all."""
    hand = state.players[seat].hand
    if hand[card] == 0:
        return False
    if state.options.variant == BASIC and is_palace(card):
        for lower in range(PALACE_1, card):
            if hand[lower] > 0:
                return False
    return True


@compiled
def draw_cards(state: State, seat: int, count: int) -> None:
    """Take cards from the top of the own deck into the hand, fewer if it is short (F3)."""
    player = state.players[seat]
    for _ in range(min(count, player.deck_size)):
        card = player.deck[player.deck_top]
        player.deck[player.deck_top] = NO_CARD
        player.deck_top = (player.deck_top + 1) % DECK
        player.deck_size -= 1
        player.hand[card] += 1
        player.hand_size += 1
    player.deck_known = min(player.deck_known, player.deck_size)


@compiled
def take_from_hand(state: State, seat: int, card: int) -> None:
    player = state.players[seat]
    player.hand[card] -= 1
    player.hand_size -= 1


@compiled
def put_under_deck(state: State, seat: int, card: int) -> None:
    """Put a card of the hand face down under the own deck: its owner knows from now on where it lies."""
    take_from_hand(state, seat, card)
    player = state.players[seat]
    player.deck[(player.deck_top + player.deck_size) % DECK] = card
    player.deck_size += 1
    player.deck_known += 1


@compiled
def put_out_of_play(state: State, seat: int, card: int) -> None:
    """Covered and scavenged cards are out of play for good."""
    player = state.players[seat]
    player.removed[player.removed_size] = card
    player.removed_size += 1
