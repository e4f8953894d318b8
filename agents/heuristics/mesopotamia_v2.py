"""Mesopotamia, version 2: the rule of thumb of version 1, and a static evaluation with weights fitted to results.

The weights are those of a logistic regression of who won on the difference of what two seats had at the start of a
turn: 197,592 turns of the decided ones of 5,000 games of two seats playing by the rule of thumb, with three or twelve
random moves in a hundred. On games it was not fitted to its odds have a log loss of 0.477, where version 1 had 0.564.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from agents.heuristics import mesopotamia_v1
from agents.heuristics.contract import Heuristics, register_heuristics
from agents.heuristics.mesopotamia_v1 import dearest, mana_needed, rule_of_thumb
from envs.compiling import compiled
from envs.game import State
from envs.mesopotamia.rules.turn import paying_sites
from envs.mesopotamia.state import FIGURES, HUT_PLACES, MAX_PLAYERS, OFFERINGS, STONE
from envs.outcome import RANK, WIN

DELIVERED, UNUSED, MANA_NEEDED, STEP_MISSING, SITE, INCOME = 0.51, -0.93, -0.47, -0.12, 0.25, 0.91
"""An offering delivered, one without a hut, a mana still needed for the offerings, a step that the maximum lacks for
the dearest, a cult site, and a mana that the sites pay as they are manned; all in logarithms of odds."""
FIGURE, EARLY_FIGURE, CARD, STONE_CARRIED, FREE_HUT, TO_MOVE = 0.57, 0.22, 0.15, 0.53, 0.22, 0.51
"""A figure on the map, one of the first `EARLY_FIGURES`, a card, a stone on its way, a hut whose offering is gone, and
the turn."""
EARLY_FIGURES = 4
CERTAINTY = 0.5
"""No odds are as good as a win: so much of one is the most that they stand for, or a search would not look for it."""
LEAD = 0.31
"""What a won game pays by points (`score`), the mean of 150 games by the rule of thumb."""


@compiled
def outlook(state: State, seat: int) -> float:
    """How far a seat has come, by what everybody sees, as a logarithm of odds."""
    player = state.players[seat]
    crew = stones = unused = sites = free_huts = 0
    for i in range(FIGURES):
        if player.figures[i].tile != 0:
            crew += 1
            stones += 1 if player.figures[i].load == STONE + 1 else 0
    for offering in range(OFFERINGS):
        unused += (player.unused_offerings >> offering) & 1
    for number in range(state.num_tiles):
        tile = state.tiles[number]
        sites += 1 if tile.cult_site == seat + 1 else 0
        for place in range(HUT_PLACES):
            free_huts += 1 if tile.huts[place].owner == seat + 1 and tile.huts[place].offering == 0 else 0
    needed = max(0, mana_needed(state, seat))
    missing = max(0, dearest(state, seat) - player.mana_max)
    worth = DELIVERED * player.num_delivered + UNUSED * unused + MANA_NEEDED * needed + STEP_MISSING * missing
    worth += SITE * sites + INCOME * paying_sites(state, seat)
    worth += FIGURE * crew + EARLY_FIGURE * min(crew, EARLY_FIGURES) + CARD * player.hand_size
    worth += STONE_CARRIED * stones + FREE_HUT * free_huts
    return worth + TO_MOVE if state.current_player == seat else worth


@compiled
def evaluate(state: State, seat: int, out: Any) -> None:
    """What each seat may expect by the odds, in the unit of the option `reward`.

    All of it is public, so every `seat` sees the same.
    """
    n = state.num_players
    worth = np.zeros(MAX_PLAYERS)
    for other in range(n):
        worth[other] = outlook(state, other)
    if state.options.reward == WIN:
        most = worth[:n].max()
        total = 0.0
        for other in range(n):
            out[other] = math.exp(worth[other] - most)
            total += out[other]
        for other in range(n):
            out[other] = CERTAINTY * (out[other] / total - 1.0 / n) * n / (n - 1)
        return
    for one in range(n):
        for other in range(n):
            if other != one:
                out[one] += CERTAINTY * math.tanh(0.5 * (worth[one] - worth[other])) / (n - 1)
        if state.options.reward != RANK:
            out[one] *= LEAD


register_heuristics(
    Heuristics(
        game="mesopotamia",
        version=2,
        evaluate=evaluate,
        rule_of_thumb=rule_of_thumb,
        sources=(Path(mesopotamia_v1.__file__), Path(__file__)),
    )
)
