"""What a search found, for people and programs that want more than the move."""

from __future__ import annotations

from dataclasses import dataclass

from agents.mcts.tree import Tree


@dataclass(frozen=True)
class ActionReport:
    """One action at the root: how often it was tried, could have been tried, and each seat's mean value.

    `wins`: it ends the game at once, always with the greatest value that the search has met.
    """

    action: int
    visits: int
    availability: int
    values: tuple[float, ...]
    wins: bool


@dataclass(frozen=True)
class SearchReport:
    """The last search of an agent: `actions` in the order of preference, the first is the move.

    A win at hand comes first, then the most visited; of equals the one of greater value, then of lower index.
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
    """The root's actions in the order of preference of `seat` (see `SearchReport`)."""
    actions = []
    highest = float(tree.counts["highest"][0])
    child = int(tree.nodes["first_child"][0])
    while child:
        node = tree.nodes[child]
        visits = int(node["visits"])
        values = tuple(float(total) / max(visits, 1) for total in tree.values[child])
        wins = 0 < visits == int(node["ended"]) and values[seat] == highest
        actions.append(ActionReport(int(node["action"]), visits, int(node["availability"]), values, wins))
        child = int(node["next_sibling"])
    return tuple(sorted(actions, key=lambda entry: (not entry.wins, -entry.visits, -entry.values[seat], entry.action)))
