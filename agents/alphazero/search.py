"""Searches of many positions in step, or of one with several leaves at once."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

import numpy as np

from agents.alphazero.findings import read_out
from agents.alphazero.iterations import begin, deliver, gather_all
from agents.alphazero.selection import foresee
from agents.alphazero.settings import GUMBEL, SearchSettings, search_record
from agents.alphazero.tree import borrowed_forest, make_forest, tree_budget, tree_of
from agents.heuristics.contract import NO_HEURISTICS, get_heuristics
from agents.reuse import keep, locate
from envs.compiling import compiled
from envs.game import Game
from envs.options import Options
from envs.position import Array

Evaluate = Callable[[Array, Array], tuple[Array, Array]]
"""The network as a search sees it: observations float32[B, O] and masks bool[B, A] to logits float32[B, A] and values
float32[B, S], own seat first, in units of the value scale. The arrays it is given are written anew later."""

PAUSE = 64
"""After so many iterations to the end of the game in a row the clock may be looked at."""

SLOWER = 0.9
"""What the longest time between two looks at the clock is taken to be, over what it was before."""


class Found(NamedTuple):
    """What searches of L lanes found. Values are in units of the value scale, seat 0 first.

    `visits` int32[L, A]; `policies` float32[L, A], the improved policy; `priors` float32[L, A], the network's;
    `values` float64[L, S], the root's; `action_values` float64[L, A, S], those of each action, 0 if never tried;
    `ended` bool[L, A], actions that ended the game at once whenever tried; `actions` int64[L], the best, -1 if
    nothing was searched; `iterations` int64[L], those done; `nodes` int64[L]; `full` bool[L], whether nodes had to stay
    leaves for want of room.
    """

    visits: Array
    policies: Array
    priors: Array
    values: Array
    action_values: Array
    ended: Array
    actions: Array
    iterations: Array
    nodes: Array
    full: Array


class BatchSearch:
    """Searches of L positions of one game in step, each with a tree of its own.

    `leaves` of each tree are judged at once; with several, each is chosen as if those before it had been visited, and
    what is found depends on their number. `iterations` is for how many the trees have room, where the settings give no
    node budget. Errors: `AgentError` where settings need a rule of thumb and the game has none.

    Once `begin` was called, either `run` the search, or go through it by hand::

        while rows := search.advance():
            search.deliver(*evaluate(search.observations[:rows], search.masks[:rows]))
    """

    def __init__(
        self,
        game: Game,
        options: Options,
        settings: SearchSettings,
        value_scale: float,
        lanes: int = 1,
        iterations: int = 1000,
        leaves: int = 1,
    ) -> None:
        self.game, self.options, self.leaves = game, options, leaves
        self.is_open = not game.hidden_information and not game.streams
        self.settings = search_record(settings, value_scale, self.is_open)
        self.token = heuristics_token(game, settings)
        budget = tree_budget(game, options, iterations, settings.node_budget, lanes)
        self.forest = make_forest(game, options, lanes, leaves, budget, iterations)
        self.roots: Array = np.zeros(lanes, game.dtype)
        self._places: Array = np.zeros(lanes * leaves, game.dtype)
        self._spare: Array = np.zeros(1, game.dtype)
        self._rows = 0
        self._has_trees = False

    @property
    def observations(self) -> Array:
        """What the seats to act at the leaves see: float32[rows, O]."""
        return self.forest.observations

    @property
    def masks(self) -> Array:
        """Their legal actions: bool[rows, A]; used up by `deliver`."""
        return self.forest.masks

    @property
    def iterations(self) -> Array:
        """The iterations done by each lane: int64[L]."""
        return self.forest.lanes["done"].astype(np.int64)

    def begin(
        self,
        states: Array,
        seats: int | Array,
        seeds: int | Array,
        iterations: int | Array,
        gumbel: float = 0.0,
        dirichlet: float = 0.0,
        reuse: bool = False,
    ) -> Array:
        """Begin searches of `states` (records[L], none of them over) for the seats to act there.

        What a seat cannot know may be anything in them. `seats`, `seeds` and `iterations` are int64[L], or one for all.
        `gumbel` is what the root's Gumbel noise is multiplied by, `dirichlet` the share of that noise in its prior.
        With `reuse`, in a game in which nothing is hidden or drawn, a tree that knows the position is kept. Returns
        the visits kept in each lane: int64[L].
        """
        before = self.roots.copy()
        self.roots[:] = states
        if self.is_open:
            self.roots["seed"] = 0  # it has no meaning here, and equal positions shall be equal
        kept = np.zeros(len(states), np.int64)
        if reuse and self.is_open and self._has_trees:
            for lane in range(len(states)):
                kept[lane] = self._continue(lane, before)
        whose, keys, budgets = (np.full(len(states), part, np.int64) for part in (seats, seeds, iterations))
        begin_all(self.forest, whose, keys, budgets, float(gumbel), float(dirichlet), kept > 0)
        self._has_trees = True
        return kept

    def _continue(self, lane: int, before: Array) -> int:
        forest = self.forest
        nodes = forest.nodes[lane]
        node = locate(nodes, before[lane : lane + 1], self.roots[lane : lane + 1])
        if node < 0 or nodes["children"][node] == 0 or nodes["pending"].any():
            return 0
        values = forest.values[lane]
        forest.lanes["used"][lane] = keep(nodes, int(forest.lanes["used"][lane]), node, values, values[:0])
        return int(nodes["visits"][0])

    def advance(self) -> int:
        """Go on in all lanes until each has its leaves, and return how many leaves there are; 0 at the end.

        They are the first rows of `observations` and `masks`.
        """
        while not (self._gather() or self.is_done()):
            pass
        return self._rows

    def _gather(self) -> int:
        self._rows = int(
            gather_all(
                self.forest,
                self.roots,
                self._places,
                self._spare,
                self.token,
                self.settings,
                self.leaves,
                PAUSE,
            )
        )
        return self._rows

    def deliver(self, logits: Array, values: Array) -> None:
        """Take the network's word on the leaves of `advance`: logits float32[rows, A], values float32[rows, S]."""
        deliver(self.forest, self._rows, logits, values, self.settings)

    def is_done(self) -> bool:
        """Whether all lanes have done their iterations."""
        return bool((self.forest.lanes["done"] >= self.forest.lanes["budget"]).all())

    def run(self, evaluate: Evaluate, deadline: float | None = None) -> None:
        """Search until all lanes are done, or until shortly before `deadline` (as `time.perf_counter` has it).

        A Gumbel root shares out as many iterations as there will be, by the pace so far. However late it is, each root
        comes to have its actions.
        """
        longest, before = 0.0, perf_counter()
        started = before
        while not self.is_done():
            if rows := self._gather():
                self.deliver(*evaluate(self.observations[:rows], self.masks[:rows]))
            if deadline is None:
                continue
            now = perf_counter()
            longest = max(now - before, SLOWER * longest)
            before = now
            if now + longest > deadline:
                return
            if self.settings["root"] == GUMBEL:
                expect(self.forest, (deadline - now) / (now - started))

    def found(self) -> Found:
        """What was found so far."""
        forest = self.forest
        (lanes, actions), seats = forest.kept.shape, len(forest.outcome)
        found = Found(
            visits=np.zeros((lanes, actions), np.int32),
            policies=np.zeros((lanes, actions), np.float32),
            priors=np.zeros((lanes, actions), np.float32),
            values=np.zeros((lanes, seats)),
            action_values=np.zeros((lanes, actions, seats)),
            ended=np.zeros((lanes, actions), np.bool_),
            actions=np.zeros(lanes, np.int64),
            iterations=self.iterations,
            nodes=forest.lanes["used"].astype(np.int64),
            full=forest.lanes["full"] != 0,
        )
        read_out(
            forest, self.settings, found.visits, found.policies, found.priors, found.values, found.action_values,
            found.ended, found.actions,
        )  # fmt: skip
        return found


def heuristics_token(game: Game, settings: SearchSettings) -> Array:
    """What names the game's heuristics where the settings ask for them. Errors: `AgentError` if it has none."""
    if settings.rollout_share or settings.thumb_share:
        return get_heuristics(game.name).token
    return NO_HEURISTICS


@compiled
def begin_all(forest, seats, seeds, iterations, gumbel, dirichlet, keeps):  # type: ignore[no-untyped-def]
    """See `agents.alphazero.iterations.begin`, for every lane."""
    forest = borrowed_forest(forest)
    for number in range(len(seats)):
        tree = tree_of(forest, number)
        begin(tree, seats[number], seeds[number], iterations[number], gumbel, dirichlet, keeps[number])


@compiled
def expect(forest, times):  # type: ignore[no-untyped-def]
    """Have Gumbel roots share out `times` as many iterations as were done, besides those."""
    for number in range(len(forest.lanes)):
        lane = forest.lanes[number]
        if lane.ready:
            foresee(lane, int(lane.done * (1.0 + times)))
