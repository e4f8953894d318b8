"""What a finished game pays."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.components import COST, MANA_TRACK, TEMPLE_TILE
from envs.mesopotamia.state import (
    DIRECTIONS,
    FIGURES,
    FIRST_OFFERING,
    HUT_PLACES,
    OFFERINGS,
    TILES,
    VOLCANO,
)
from envs.outcome import pay

SCORE_SCALE = float(OFFERINGS)
"""The option `reward = score`: margins in offerings delivered are divided by this."""

FAR = TILES
"""The steps that an offering counts which nobody has laid under a hut yet."""


@compiled
def returns(state: State, out: Any) -> None:
    """Most offerings delivered; of equals those that cost most, then most mana, then the shortest ways left (M37).

    Whoever has delivered all four has won, and is first by this order too.
    """
    standing, points = np.zeros(state.num_players, np.int64), np.zeros(state.num_players, np.int64)
    steps = np.zeros(TILES, np.int64)
    steps_to_temple(state, steps)
    most_steps = OFFERINGS * FAR
    for seat in range(state.num_players):
        player = state.players[seat]
        costs = 0
        for place in range(player.num_delivered):
            costs += COST[player.delivered[place] - 1]
        points[seat] = player.num_delivered
        rank = player.num_delivered * (COST.sum() + 1) + costs
        rank = rank * (MANA_TRACK + 1) + player.mana
        standing[seat] = rank * (most_steps + 1) + most_steps - steps_of_offerings(state, seat, steps)
    pay(state.options.reward, standing, points, state.num_players, SCORE_SCALE, out)


@compiled
def steps_to_temple(state: State, steps: Any) -> None:
    """Write for each tile how many steps over enterable hexes lie between it and the temple; `FAR` where none do."""
    for tile in range(TILES):
        steps[tile] = FAR
    steps[TEMPLE_TILE] = 0
    for distance in range(TILES):
        for tile in range(state.num_tiles):
            if steps[tile] == distance:
                for direction in range(DIRECTIONS):
                    other = state.tiles[tile].neighbours[direction] - 1
                    if other >= 0 and steps[other] == FAR and state.tiles[other].kind != VOLCANO:
                        steps[other] = distance + 1


@compiled
def steps_of_offerings(state: State, seat: int, steps: Any) -> int:
    """The steps of all undelivered offerings of a seat, from their huts and carriers; `FAR` for each unused one."""
    player = state.players[seat]
    total = 0
    for offering in range(OFFERINGS):
        if (player.unused_offerings >> offering) & 1:
            total += FAR
    for i in range(FIGURES):
        if player.figures[i].load >= FIRST_OFFERING:
            total += steps[player.figures[i].tile - 1]
    for tile in range(state.num_tiles):
        for place in range(HUT_PLACES):
            hut = state.tiles[tile].huts[place]
            if hut.owner == seat + 1 and hut.offering != 0:
                total += steps[tile]
    return total
