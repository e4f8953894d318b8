"""Routes on a map, for drawings: the parts of states that a traveller walks through, not only how many borders.

Plain Python over the map's facts. The rules know only how many crossings a trip takes (`prices.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise, permutations, product

from envs.travel_blog.components import MAP_FACTS, Map


@cache
def facts_of(map_id: str) -> Map:
    """The facts of a map by its id."""
    return next(facts for facts in MAP_FACTS if facts.id == map_id)


@cache
def parts_by_name(map_id: str) -> dict[str, tuple[str, ...]]:
    """The parts of each state, by the state's name."""
    return {state.name: state.parts for state in facts_of(map_id).states}


@cache
def shortest_path(map_id: str, start: str, end: str) -> tuple[str, ...]:
    """The parts of a shortest walk from part to part, both ends among them."""
    links = facts_of(map_id).links()
    came_from, edge = {start: start}, [start]
    while end not in came_from:
        reached = []
        for here in edge:
            for there in links[here]:
                if there not in came_from:
                    came_from[there] = here
                    reached.append(there)
        edge = reached
    path = [end]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))


def route(map_id: str, middle: Sequence[str], chosen: Sequence[str]) -> list[str]:
    """The parts that the cheapest trip walks through, in order: from the start by the chosen states to the target.

    `middle` and `chosen` are names of states; without a chosen state (the field "40" alone) nobody travels and
    the route is empty.
    """
    if not chosen:
        return []
    parts = parts_by_name(map_id)
    best: list[str] = []
    for order in permutations(chosen):
        for stops in product(*(parts[name] for name in (middle[0], *order, *middle[1:]))):
            walk = [stops[0]]
            for one, other in pairwise(stops):
                walk += shortest_path(map_id, one, other)[1:]
            if not best or len(walk) < len(best):
                best = walk
    return best
