"""What a finished game pays: the option `reward` of the large games.

A game says how its seats stand (`standing`: the higher the better, equal numbers share) and how many
points they have; these functions turn that into returns that sum to 0 whatever the option.
"""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled

WIN, RANK, SCORE = 0, 1, 2
"""The choices of `envs.options.REWARD`, as they lie in the record."""


@compiled
def pay(reward: int, standing: Any, points: Any, num_players: int, scale: float, out: Any) -> None:
    """Write each seat's return into `out` (float64[num_players]).

    `win`: the k winners share 1, then everyone pays 1/n, scaled so that a sole winner gets 1.
    `rank`: 1 - 2 * place / (n - 1), places from 0, tied seats share the mean.
    `score`: points minus the mean of the others' points, divided by `scale`.
    """
    n = num_players
    for seat in range(n):
        better = equal = total = 0
        for other in range(n):
            total += points[other]
            if standing[other] > standing[seat]:
                better += 1
            elif standing[other] == standing[seat]:
                equal += 1
        if reward == WIN:
            share = 1.0 / equal if better == 0 else 0.0
            out[seat] = (share - 1.0 / n) * n / (n - 1)
        elif reward == RANK:
            place = better + (equal - 1) / 2.0
            out[seat] = 1.0 - 2.0 * place / (n - 1)
        else:
            out[seat] = (points[seat] - (total - points[seat]) / (n - 1)) / scale
