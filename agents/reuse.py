"""Keeping what a tree knows of a position that was reached from its root.

Sound where a node is a position: nothing is hidden, nothing is drawn. The position reached is looked for among the
nodes as many moves below the root as were played since. Nodes are records with at least `visits`, `action`,
`first_child` and `next_sibling` (0 ends the list of children); a node is added after its parent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.compiling import compiled
from envs.game import apply_action
from envs.position import Array

MOST_POSITIONS = 20_000
"""How many positions are looked at, at most, before the tree is given up."""

MOST_MOVES = 64


def locate(nodes: Array, root: Array, target: Array) -> int:
    """The node of position `target` (shape (1,)) in the tree `nodes`, whose root is the position `root`; or -1."""
    moves = int(target["move_number"][0]) - int(root["move_number"][0])
    if not 0 <= moves <= MOST_MOVES:
        return -1
    line = np.zeros(moves + 1, root.dtype)
    line[0] = root[0]
    return int(find(nodes, line, _bytes(line), _bytes(target)[0], np.zeros(moves + 1, np.int32)))


def _bytes(states: Array) -> Array:
    return states.view(np.uint8).reshape(len(states), -1)


@compiled
def find(nodes: Any, line: Any, line_bytes: Any, target: Any, path: Any) -> int:
    """The node whose position is `target` (uint8[size]), as deep as `line` is long; -1 if there is none.

    `line` (moves + 1 records, the first of them the root) and `path` (int32[moves + 1]) are the positions and nodes
    on the way; `line_bytes` (uint8[moves + 1, size]) are the same positions.
    """
    moves = len(line) - 1
    looked = level = 0
    path[0] = 0
    while True:
        if level == moves and _same(line_bytes[level], target):
            return path[level]
        child = nodes[path[level]].first_child if level < moves else 0
        while True:  # to the next visited node, siblings and those of the levels above if need be
            while child and nodes[child].visits == 0:
                child = nodes[child].next_sibling
            if child:
                break
            if level == 0:
                return -1
            child = nodes[path[level]].next_sibling
            level -= 1
        looked += 1
        if looked > MOST_POSITIONS:
            return -1
        line[level + 1] = line[level]
        apply_action(line[level + 1], nodes[child].action)
        level += 1
        path[level] = child


@compiled
def _same(one: Any, other: Any) -> bool:
    for i in range(len(one)):
        if one[i] != other[i]:
            return False
    return True


@compiled
def keep(nodes: Any, used: int, node: int, values: Any, squares: Any) -> int:
    """Make `node` the root and forget all nodes but those below it; their order stays as it is.

    `used` is how many nodes there are; returns how many are left. `values` and `squares` (float64[nodes, seats], or
    no rows) go along.
    """
    place = np.full(used, -1, np.int32)  # where a kept node goes
    place[node] = 0
    left = 0
    for index in range(node, used):
        if place[index] < 0:
            continue
        child = nodes[index].first_child
        while child:
            place[child] = 0
            child = nodes[child].next_sibling
        place[index] = left
        nodes[left] = nodes[index]
        for seat in range(values.shape[1]):
            values[left, seat] = values[index, seat]
            if len(squares):
                squares[left, seat] = squares[index, seat]
        left += 1
    for index in range(left):
        kept = nodes[index]
        if kept.first_child:
            kept.first_child = place[kept.first_child]
        if kept.next_sibling:
            kept.next_sibling = place[kept.next_sibling] if index else 0
    return left
