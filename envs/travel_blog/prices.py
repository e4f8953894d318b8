"""What a trip costs: the formulae, over distances between states that were counted once, when the map was loaded.

A trip starts in the start state, visits the states of the chosen fields in the cheaper order and, from part three on,
ends in the target state. The cheapest route is always a shortest walk, since no surcharge depends on the route; so
neither the traveller (T13) nor, in the finale, the opponents (T12) have anything to decide.

A stop of a walk is a card number, or `NO_CARD` for none: the field "40" offers no state, and where there is no target
the walk ends wherever it got to. Every function that reads a fact of the box takes the position first, so that its
compiled code belongs to the position's type and with it to these facts.
"""

from __future__ import annotations

from envs.compiling import compiled
from envs.game import State
from envs.travel_blog.components import (
    ARE_NEIGHBOURS,
    BENEATH,
    CROSSING,
    FEWEST_CROSSINGS,
    FORTY_EUROS,
    NEIGHBOURS,
    PART,
)
from envs.travel_blog.state import FIELDS, FINALE, FORTY, NO_CARD, NO_FIELD, START, TARGET


@compiled
def state_at(state: State, field: int) -> int:
    """The card of the state offered at a field; `NO_CARD` at the field "40" and at `NO_FIELD`."""
    return state.board.offer[field - 1] if field > FORTY else NO_CARD


@compiled
def leg(state: State, here: int, there: int, first: int, second: int) -> tuple[int, int]:
    """The fewest crossings to reach the first and the second part of a stop, given those of the stop before.

    A state in two parts is visited in either of them, and the walk goes on from that same part (T3, T4). Of a state
    in one part both are the same.
    """
    if there == NO_CARD:
        return first, second
    m = state.options.map
    one = min(
        first + FEWEST_CROSSINGS[m, PART[m, here, 0], PART[m, there, 0]],
        second + FEWEST_CROSSINGS[m, PART[m, here, 1], PART[m, there, 0]],
    )
    other = min(
        first + FEWEST_CROSSINGS[m, PART[m, here, 0], PART[m, there, 1]],
        second + FEWEST_CROSSINGS[m, PART[m, here, 1], PART[m, there, 1]],
    )
    return one, other


@compiled
def crossings_in_order(state: State, one: int, other: int) -> int:
    """The fewest crossings of a walk from the start through `one`, then `other`, to the target; each may be no stop."""
    start, target = state.board.middle[START], state.board.middle[TARGET]
    first, second = leg(state, start, one, 0, 0)
    here = one if one != NO_CARD else start
    first, second = leg(state, here, other, first, second)
    here = other if other != NO_CARD else here
    first, second = leg(state, here, target, first, second)
    return min(first, second)


@compiled
def crossings(state: State, f: int, g: int) -> int:
    """The fewest crossings of the trip of a traveller with tokens at fields `f` and `g` (`g` may be `NO_FIELD`)."""
    one, other = state_at(state, f), state_at(state, g)
    fewest = crossings_in_order(state, one, other)
    if one != NO_CARD and other != NO_CARD:
        fewest = min(fewest, crossings_in_order(state, other, one))
    return fewest


@compiled
def neighbour_pairs(state: State, f: int, g: int) -> int:
    """The pairs of neighbours among chosen and middle states; that start and target touch does not count."""
    m = state.options.map
    start, target = state.board.middle[START], state.board.middle[TARGET]
    one, other = state_at(state, f), state_at(state, g)
    return (
        ARE_NEIGHBOURS[m, start, one]
        + ARE_NEIGHBOURS[m, start, other]
        + ARE_NEIGHBOURS[m, target, one]
        + ARE_NEIGHBOURS[m, target, other]
        + ARE_NEIGHBOURS[m, one, other]
    )


@compiled
def price_of(state: State, crossings: int, neighbour_pairs: int, forty: int) -> int:
    """A trip's price in euros before tokens beneath; `forty` is 1 with a token at the field "40"."""
    return CROSSING * crossings + NEIGHBOURS * neighbour_pairs + FORTY_EUROS * forty


@compiled
def price(state: State, f: int, g: int) -> int:
    """What the map alone makes a trip to two fields cost, in euros (`g` may be `NO_FIELD`)."""
    forty = 1 if f == FORTY or g == FORTY else 0
    return price_of(state, crossings(state, f, g), neighbour_pairs(state, f, g), forty)


@compiled
def amount(state: State, base: int, beneath: int) -> int:
    """A trip's price with the tokens beneath: they add to it, in the finale they take from it, to 0 at worst."""
    if state.round == FINALE:
        return max(base - BENEATH * beneath, 0)
    return base + BENEATH * beneath


@compiled
def first_field(state: State, seat: int, colour: int) -> int:
    """The lowest field at which a colour's tokens lie; `NO_FIELD` if none does."""
    chosen = state.players[seat].chosen[colour]
    for field in range(FIELDS):
        if (chosen >> field) & 1:
            return field
    return NO_FIELD


@compiled
def second_field(state: State, seat: int, colour: int) -> int:
    """The other field at which a colour's tokens lie; `NO_FIELD` if one or none does."""
    chosen = state.players[seat].chosen[colour]
    for field in range(first_field(state, seat, colour) + 1, FIELDS):
        if (chosen >> field) & 1:
            return field
    return NO_FIELD
