"""What a search found, for people and programs that want more than the move."""

from __future__ import annotations

from dataclasses import dataclass

from agents.mcts.tree import Tree


@dataclass(frozen=True)
class ActionReport:
    """One action at the root: how often it was tried, could have been tried, and each seat's mean value."""

    action: int
    visits: int
    availability: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class SearchReport:
    """The last search of an agent: `actions` from the most visited to the least.

    `values` are in the unit of the game's returns, all 0.0 for an action never tried. `budget_reached` says
    that nodes had to stay leaves because the tree was full (the search goes on, only the tree stops growing).
    """

    seat: int
    iterations: int
    nodes: int
    budget_reached: bool
    seconds: float
    actions: tuple[ActionReport, ...]


def root_actions(tree: Tree, seat: int) -> tuple[ActionReport, ...]:
    """The root's actions: most visits first, then the greater value for `seat`, then the lower index."""
    actions = []
    child = int(tree.nodes["first_child"][0])
    while child:
        node = tree.nodes[child]
        visits = int(node["visits"])
        values = tuple(float(total) / max(visits, 1) for total in tree.values[child])
        actions.append(ActionReport(int(node["action"]), visits, int(node["availability"]), values))
        child = int(node["next_sibling"])
    return tuple(sorted(actions, key=lambda entry: (-entry.visits, -entry.values[seat], entry.action)))
