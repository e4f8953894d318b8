"""Shares of the win."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled


@compiled
def win_share(returns: Any, seat: int) -> float:
    """A seat's share of the win by the returns of a finished game (float64[P]): 1/k for each of k winners."""
    winners = 0
    for player in range(len(returns)):
        if returns[player] > returns[seat]:
            return 0.0
        winners += returns[player] == returns[seat]
    return 1.0 / winners
