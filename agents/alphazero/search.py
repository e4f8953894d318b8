"""Signatures first; see below."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from agents.alphazero.settings import SearchSettings
from envs.game import Game
from envs.options import Options
from envs.position import Array

Evaluate = Callable[[Array, Array], tuple[Array, Array]]
"""The network as the search sees it: observations float32[B, O] and masks bool[B, A] to logits float32[B, A] and
values float32[B, S], own seat first, in units of the value scale. The arrays given are overwritten later."""


class Found(NamedTuple):
    """What searches of L lanes found.

    `visits` int32[L, A]; `policies` float32[L, A], the improved policy; `values` float64[L, S], the root's value for
    each seat (seat 0 first), in units of the value scale; `action_values` float64[L, A, S], the same of each action,
    0 if it was never tried; `actions` int64[L], the best; `iterations` int64[L], those run; `nodes` int64[L];
    `full` bool[L], whether nodes had to stay leaves for want of room; `wins` bool[L, A], actions that end the game
    at once.
    """

    visits: Array
    policies: Array
    values: Array
    action_values: Array
    actions: Array
    iterations: Array
    nodes: Array
    full: Array
    priors: Array


class BatchSearch:
    """Searches from L given positions in step: each lane has a tree of its own. Each lane hands out up to
    `leaves` leaves at once (agent: lanes=1, leaves=8).

    `search.begin(states, seats, seeds, iterations)`: records[L], int64[L], int64[L], int or int64[L].
    `search.run(evaluate)` until done, or by hand: `while rows := search.advance(): search.deliver(*evaluate(
    search.observations[:rows], search.masks[:rows]))`. `search.found()` at any time in between.
    """

    def __init__(
        self,
        game: Game,
        options: Options,
        settings: SearchSettings,
        value_scale: float,
        lanes: int,
        iterations: int,
        leaves: int = 1,
    ) -> None: ...

    def begin(self, states: Array, seats: Array, seeds: Array, iterations: int | Array, reuse: bool = False) -> None: ...

    def advance(self) -> int: ...

    def deliver(self, logits: Array, values: Array) -> None: ...

    def run(self, evaluate: Evaluate, until: Callable[[], bool] | None = None) -> None: ...

    def found(self) -> Found: ...
