"""Travel Blog, version 1: the trip that the map makes best, with the tokens that lie already; WAIT is never chosen.

A colour's plan is the pair of fields (in the first two rounds the field) that costs least, or in the finale pays most,
if every token still to be laid goes on top of the stacks as they lie. The static evaluation adds to each purse what the
running round is going to change in it by these plans, and compares the sums.

Every function that reads a fact of the box takes the position first, so that its compiled code belongs to these facts.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from agents.heuristics.contract import Heuristics, register_heuristics
from envs.chance import random_bits
from envs.compiling import compiled
from envs.outcome import RANK, WIN
from envs.travel_blog.components import SCORE_SCALE
from envs.travel_blog.prices import amount, first_field, price, second_field
from envs.travel_blog.rules import colours, open_fields, token_of, tokens_beneath
from envs.travel_blog.state import FIELDS, FINALE, MAX_PLAYERS, ROUNDS

TIES = 0
"""The stream of `random_bits` that breaks ties."""

NOTHING = -10_000
"""The worth of no plan at all, below that of any plan."""

VARIANCE_NOW, VARIANCE_ROUND = 81.0, 100.0
"""How uncertain the difference of two purses is after the running round, and with each round to come: the scale of the
logistic curve, squared, in euros squared; fitted to 9,000 games of two players with this rule of thumb, a tenth of
its moves replaced by random ones, on both maps (they agree within a fifth)."""


@compiled
def worth(state: Any, f: int, g: int, beneath: int) -> int:
    """What a trip to two fields does to the purse: its amount in the finale, else minus its amount."""
    euros = amount(state, price(state, f, g), beneath)
    return euros if state.round == FINALE else -euros


@compiled
def worth_of_completing(state: Any, seat: int, colour: int, f: int) -> int:
    """What the trip is worth if a colour's last token goes on top of the stack at field `f`."""
    g = first_field(state, seat, colour)
    beneath = state.board.heights[f] + tokens_beneath(state, g, token_of(state, seat, colour))
    return worth(state, f, g, beneath)


@compiled
def worth_of_pair(state: Any, f: int, g: int) -> int:
    """What a trip is worth whose two tokens go on top of the stacks at two fields."""
    return worth(state, f, g, state.board.heights[f] + state.board.heights[g])


@compiled
def is_pair_of_other_colour(state: Any, seat: int, colour: int, f: int, g: int) -> bool:
    """Whether the seat's other colour has chosen exactly these two fields."""
    return state.players[seat].chosen[1 - colour] == (1 << f) | (1 << g)


@compiled
def plan(state: Any, seat: int, colour: int, worths: Any) -> None:
    """By field the worth of the best trip that a colour's next token begins or completes there; `NOTHING` if closed."""
    fields = open_fields(state, seat, colour)
    worths[:] = NOTHING
    left = state.players[seat].tokens_left[colour]
    for f in range(FIELDS):
        if not (fields >> f) & 1:
            continue
        if left == 1:
            worths[f] = worth_of_completing(state, seat, colour, f)
        for g in range(f if left == 2 else 0):
            if (fields >> g) & 1 and not is_pair_of_other_colour(state, seat, colour, f, g):
                pair = worth_of_pair(state, f, g)
                worths[f] = max(worths[f], pair)
                worths[g] = max(worths[g], pair)


@compiled
def rule_of_thumb(state: Any, seed: int) -> int:
    """The next token of the best plan of any colour; equally good fields are drawn among."""
    worths = np.empty(FIELDS, np.int64)
    seat = state.current_player
    best, best_worth = -1, NOTHING
    draws = ties = 0
    for colour in range(colours(state)):
        plan(state, seat, colour, worths)
        for field in range(FIELDS):
            if worths[field] > best_worth:
                best, best_worth, ties = FIELDS * colour + field, worths[field], 1
            elif worths[field] == best_worth and best_worth > NOTHING:
                ties += 1
                if random_bits(seed, TIES, draws) % ties == 0:
                    best = FIELDS * colour + field
                draws += 1
    return best


# ------------------------------------------------------------------ the static evaluation


@compiled
def worth_of_colour(state: Any, seat: int, colour: int, worths: Any) -> int:
    """What a colour's trip of this round is going to be worth: of the tokens that lie, completed by the best plan."""
    if state.players[seat].tokens_left[colour] > 0:
        plan(state, seat, colour, worths)
        return worths.max()
    f, g = first_field(state, seat, colour), second_field(state, seat, colour)
    token = token_of(state, seat, colour)
    return worth(state, f, g, tokens_beneath(state, f, token) + tokens_beneath(state, g, token))


@compiled
def expected_purse(state: Any, seat: int, worths: Any) -> int:
    """A seat's purse after the running round, in euros; income is the same for all and left out."""
    total = 0
    for colour in range(colours(state)):
        total += worth_of_colour(state, seat, colour, worths)
    return state.players[seat].cash + max(total, -state.players[seat].cash)


@compiled
def evaluate(state: Any, seat: int, out: Any) -> None:
    """Purses after this round, compared: by shares for `win`, place by place for `rank`, as they are for `score`.

    The same for every seat: commits of the running tick, the own one too, are left out.
    """
    n = state.num_players
    worths = np.empty(FIELDS, np.int64)
    purses = np.empty(MAX_PLAYERS, np.float64)
    for one in range(n):
        purses[one] = expected_purse(state, one, worths)
    spread = math.sqrt((VARIANCE_NOW + VARIANCE_ROUND * (ROUNDS - state.round)) * colours(state))
    for one in range(n):
        total = 0.0  # of the others' purses, of their chances to be ahead, or of weights, as the reward has it
        for other in range(n):
            ahead = (purses[other] - purses[one]) / spread
            if state.options.reward == WIN:
                total += math.exp(ahead)
            elif other != one:
                total += 1.0 / (1.0 + math.exp(-ahead)) if state.options.reward == RANK else purses[other]
        if state.options.reward == WIN:
            out[one] = (1.0 / total - 1.0 / n) * n / (n - 1)
        elif state.options.reward == RANK:
            out[one] = 1.0 - 2.0 * total / (n - 1)
        else:
            out[one] = (purses[one] - total / (n - 1)) / SCORE_SCALE[state.options.demanding]


register_heuristics(
    Heuristics(
        game="travel_blog",
        version=1,
        evaluate=evaluate,
        rule_of_thumb=rule_of_thumb,
        sources=(Path(__file__),),
    )
)
