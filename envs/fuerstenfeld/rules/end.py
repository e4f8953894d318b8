"""Phase 6 and what follows: prices, the next turn order, the end of the game and what it pays."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.compiling import compiled
from envs.fuerstenfeld.components import (
    EFFECT,
    GOOD_OF,
    GUIDE_COINS,
    HIGHEST_PRICE,
    OFFICE_COINS,
    PALACES_TO_WIN,
    START_COINS,
    WAREHOUSE_GOODS,
)
from envs.fuerstenfeld.rules.draw import start_round
from envs.fuerstenfeld.state import BANK_1, BANK_2, KINDS, SPACES
from envs.game import State, min_return_by_place
from envs.options import Options
from envs.outcome import pay

POINTS_PER_PALACE = 13
SCORE_SCALE = 78.0
"""The option `reward = score`: 13 points a palace and 1 a coin; margins are divided by the points of a full palace."""


@compiled
def finish_round(state: State) -> None:
    """Adjust the prices; the game ends after a round in which somebody finished their palace, or at the round limit."""
    adjust_prices(state)
    for seat in range(state.num_players):
        if state.players[seat].palaces >= PALACES_TO_WIN:
            state.terminated = 1
    if state.terminated:
        return
    if state.round_number >= state.options.max_rounds:  # an engine rule: some positions can go on for ever (F35)
        state.truncated = 1
        return
    state.round_number += 1
    set_turn_order(state)
    start_round(state)


@compiled
def adjust_prices(state: State) -> None:
    """A price rises by 1 for each empty demand space, up to 3, whether or not anybody sold there (F8, F9)."""
    for number in range(state.num_players):
        brewery = state.breweries[number]
        for good in range(KINDS):
            empty = brewery.demand[good] - brewery.delivered[good]
            brewery.price[good] = min(HIGHEST_PRICE, brewery.price[good] + empty)
            brewery.delivered[good] = 0


@compiled
def set_turn_order(state: State) -> None:
    """The lowest field of the income track goes first; on one field the marker on top, placed later (F19)."""
    order, last = state.turn_order, state.num_players - 1
    for place in range(state.num_players // 2):
        first = order[place]
        order[place] = order[last - place]
        order[last - place] = first
    # A stable sort (by insertion) of the markers from the one placed last to the one placed first.
    for place in range(1, state.num_players):
        seat = order[place]
        while place > 0 and state.players[order[place - 1]].order_field > state.players[seat].order_field:
            order[place] = order[place - 1]
            place -= 1
        order[place] = seat


@compiled
def returns(state: State, out: Any) -> None:
    """Most palaces, then most coins, win; several may share (F32)."""
    standing, points = np.empty(state.num_players, np.int64), np.empty(state.num_players, np.int64)
    for seat in range(state.num_players):
        player = state.players[seat]
        standing[seat] = player.palaces * (1 << 32) + player.coins
        points[seat] = POINTS_PER_PALACE * player.palaces + player.coins
    pay(state.options.reward, standing, points, state.num_players, SCORE_SCALE, out)


def min_return(options: Options) -> float:
    """No return is lower, whatever happens. Margins: the most that one seat can earn in all rounds, less nothing."""
    if options["reward"] != "score":
        return min_return_by_place(options)
    goods = SPACES * int(EFFECT[GOOD_OF >= 0].max()) + WAREHOUSE_GOODS
    income = HIGHEST_PRICE * goods + KINDS * OFFICE_COINS + EFFECT[BANK_1] + EFFECT[BANK_2] + SPACES * GUIDE_COINS
    most = SPACES * POINTS_PER_PALACE + START_COINS + options["max_rounds"] * int(income)
    return -most / SCORE_SCALE
