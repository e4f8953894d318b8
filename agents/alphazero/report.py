"""What a search found, as `agents.mcts.report` has it, for people and programs that want more than the move."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agents.alphazero.search import BatchSearch
from agents.mcts.report import LONGEST_VARIATION, ActionReport, SearchReport
from envs.position import Array


def make_report(
    search: BatchSearch, seat: int, legal: list[int], value_scale: float, reused: int, seconds: float
) -> SearchReport:
    """The search of one position for `seat`, which may play `legal` there; the first action is the move."""
    found = search.found()
    nodes, lane = search.forest.nodes[0], search.forest.lanes[0]
    passed = {int(nodes["action"][child]): int(nodes["availability"][child]) for child in children(nodes, 0)}
    every = int(lane["done"]) + reused
    best = max((float(found.action_values[0, action, seat]) for action in legal if found.visits[0, action]), default=0)
    reports = []
    for action in legal:
        values = found.action_values[0, action] * value_scale
        certain = bool(found.ended[0, action]) and values[seat] == values.max() > np.delete(values, seat).max()
        reports.append(
            ActionReport(
                action=action,
                visits=int(found.visits[0, action]),
                availability=every if search.is_open else passed.get(action, 0),
                values=tuple(values.tolist()),
                prior=float(found.priors[0, action]),
                wins=bool(certain and found.action_values[0, action, seat] == best),
            )
        )
    chosen = int(found.actions[0])

    def preference(entry: ActionReport) -> tuple[float, ...]:
        merits = (entry.visits, entry.values[seat], entry.prior)
        return (not entry.wins, entry.action != chosen, *(-merit for merit in merits), entry.action)

    actions = tuple(sorted(reports, key=preference))
    return SearchReport(
        seat=seat,
        iterations=int(found.iterations[0]),
        reused=reused,
        nodes=int(found.nodes[0]),
        budget_reached=bool(found.full[0]),
        seconds=seconds,
        actions=actions,
        principal_variation=tuple(_variation(nodes, actions[0].action)),
    )


def children(nodes: Array, node: int) -> Iterator[int]:
    """The children of a node of a tree."""
    child = int(nodes["first_child"][node])
    while child:
        yield child
        child = int(nodes["next_sibling"][child])


def _variation(nodes: Array, first: int) -> Iterator[int]:
    """The move, and what the tree expects to follow: the most visited, of equals that of greater prior."""
    yield first
    node = next((child for child in children(nodes, 0) if nodes["action"][child] == first), 0)
    for _ in range(LONGEST_VARIATION - 1):
        tried = [child for child in children(nodes, node) if nodes["visits"][child]] if node else []
        if not tried:
            return
        node = max(tried, key=lambda child: (nodes["visits"][child], nodes["prior"][child], -child))
        yield int(nodes["action"][node])
