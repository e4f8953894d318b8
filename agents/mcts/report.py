"""What a search found, for people and programs that want more than the move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.mcts.settings import PUCT
from agents.mcts.tree import SEVERAL, Tree
from envs.compiling import compiled

Array = np.ndarray[Any, Any]

LONGEST_VARIATION = 64


@dataclass(frozen=True)
class ActionReport:
    """One action at the root: how often it was tried, could have been tried, and each seat's mean value.

    `prior` is its share of the prior where the rule of thumb leads, else an even one. `wins`: it ends the game at
    once, always with the greatest value that the search has met.
    """

    action: int
    visits: int
    availability: int
    values: tuple[float, ...]
    prior: float
    wins: bool


@dataclass(frozen=True)
class SearchReport:
    """A search of an agent: `actions` in the order of preference, the first is the move (at temperature 0).

    A win at hand comes first, then the most visited; of equals the one of greater value, then of greater prior,
    then of lower index. Where the final move goes by value, value stands before visits, and what was never tried last.
    `values` are in the unit of the game's returns, or of the reward that was searched for; all 0.0 for an action
    never tried. `principal_variation` is the move and what the tree expects to follow, most visited first.
    `iterations` are those of this search, `reused` the visits of the root kept from the one before. `budget_reached`
    says that nodes had to stay leaves because a tree was full (the search goes on, only the tree stops growing).
    """

    seat: int
    iterations: int
    reused: int
    nodes: int
    budget_reached: bool
    seconds: float
    actions: tuple[ActionReport, ...]
    principal_variation: tuple[int, ...]

    @property
    def simulations_per_second(self) -> float:
        """How fast the search was."""
        return self.iterations / self.seconds

    @property
    def estimate(self) -> Array:
        """The mean value of the simulations for each seat: float64[num_players]."""
        visits = np.array([entry.visits for entry in self.actions], np.float64)
        return np.asarray(visits @ np.array([entry.values for entry in self.actions]) / max(visits.sum(), 1.0))


def make_report(
    trees: Sequence[Tree], seat: int, settings: Any, by_value: bool, iterations: int, reused: int, seconds: float
) -> SearchReport:
    """What trees that were searched for `seat` found together; `settings` is a `SETTINGS`[1]."""
    actions = _root_actions(trees, seat, settings[0], by_value)
    counts = np.concatenate([tree.counts for tree in trees])
    return SearchReport(
        seat=seat,
        iterations=iterations,
        reused=reused,
        nodes=int(counts["used"].sum()),
        budget_reached=bool(counts["full"].any()),
        seconds=seconds,
        actions=actions,
        principal_variation=principal_variation(trees, seat, actions[0].action),
    )


def _root_actions(trees: Sequence[Tree], seat: int, settings: Any, by_value: bool) -> tuple[ActionReport, ...]:
    num_actions, seats = len(trees[0].mask), trees[0].values.shape[1]
    visits, availability, ended = np.zeros((3, num_actions), np.int64)
    known = np.zeros(num_actions, np.bool_)
    values = np.zeros((num_actions, seats))
    for tree in trees:
        add_root(tree, _root(tree, seat), settings["closed"], known, visits, availability, ended, values)
    highest = max(float(tree.counts["highest"][0]) for tree in trees)
    favoured = np.sum([tree.favoured for tree in trees], axis=0)
    share = settings["prior"] if settings["selection"] == PUCT and favoured.any() else 0.0
    prior = (1.0 - share) / max(int(known.sum()), 1) + share * favoured / max(int(favoured.sum()), 1)
    actions = []
    for action in np.flatnonzero(known):
        tried = int(visits[action])
        means = tuple(float(total) / max(tried, 1) for total in values[action])
        wins = 0 < tried == int(ended[action]) and means[seat] == highest
        actions.append(
            ActionReport(int(action), tried, int(availability[action]), means, float(prior[action]), bool(wins))
        )

    def preference(entry: ActionReport) -> tuple[float, ...]:
        merits = [entry.visits, entry.values[seat]]
        if by_value:
            merits = [entry.visits > 0, entry.values[seat], entry.visits]
        return (not entry.wins, *(-merit for merit in merits), -entry.prior, entry.action)

    return tuple(sorted(actions, key=preference))


def _root(tree: Tree, seat: int) -> int:
    """The root for `seat`: its own tree's where each seat has one."""
    return seat if len(tree.path) > 1 else 0


@compiled
def add_root(
    tree: Any, root: int, closed: int, known: Any, visits: Any, availability: Any, ended: Any, values: Any
) -> None:
    """Add what the children of `root` count to arrays by action; `known` are those that have a node."""
    child = tree.nodes[root].first_child
    while child:
        node = tree.nodes[child]
        if node.action >= 0:
            known[node.action] = True
            visits[node.action] += node.visits
            availability[node.action] += tree.nodes[root].visits if closed else node.availability
            ended[node.action] += node.ended
            for seat in range(values.shape[1]):
                values[node.action, seat] += tree.values[child, seat]
        child = node.next_sibling


def principal_variation(trees: Sequence[Tree], seat: int, action: int) -> tuple[int, ...]:
    """The line of most visits that begins with `action`, in the tree that has visited it most; empty if none has."""
    found = np.zeros((len(trees), LONGEST_VARIATION), np.int64)
    visits, lengths = np.zeros((2, len(trees)), np.int64)
    for number, tree in enumerate(trees):
        visits[number], lengths[number] = follow_most_visited(tree, _root(tree, seat), action, found[number])
    best = int(visits.argmax())
    return tuple(int(step) for step in found[best, : lengths[best]])


@compiled
def follow_most_visited(tree: Any, root: int, action: int, out: Any) -> tuple[int, int]:
    """Write the line of most visits from `action` on to `out`; returns how often `action` was tried and the length."""
    nodes = tree.nodes
    child = nodes[root].first_child
    while child and nodes[child].action != action:
        child = nodes[child].next_sibling
    tried = nodes[child].visits if child else 0
    length = 0
    while child and nodes[child].visits and length < len(out):
        step = nodes[child].action
        if step == SEVERAL:
            break
        out[length] = step if step >= 0 else ~step
        length += 1
        best, child = 0, nodes[child].first_child
        while child:
            if best == 0 or nodes[child].visits > nodes[best].visits:
                best = child
            child = nodes[child].next_sibling
        child = best
    return tried, length
