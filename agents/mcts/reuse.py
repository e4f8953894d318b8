"""Keeping what a tree knows of a position that was reached from its root.

Sound where a node is a position: nothing is hidden, nothing is drawn. The position reached is looked for among the
nodes as many moves below the root as were played since.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.mcts.tree import Tree, start_afresh
from envs.compiling import compiled
from envs.game import apply_action

MOST_POSITIONS = 20_000
"""How many positions are looked at, at most, before the tree is given up."""

MOST_MOVES = 64

Array = np.ndarray[Any, Any]


def continue_at(tree: Tree, root: Array, target: Array) -> int:
    """Make the node of position `target` (shape (1,)) the root of the tree, whose root was `root`.

    Returns the visits that are kept; 0 if the position was never visited, and the tree is as it was but for that.
    """
    moves = int(target["move_number"][0]) - int(root["move_number"][0])
    if not 0 <= moves <= MOST_MOVES:
        return 0
    line = np.zeros(moves + 1, root.dtype)
    line[0] = root[0]
    node = find(tree, line, _bytes(line), _bytes(target)[0], np.zeros(moves + 1, np.int32))
    if node < 0:
        return 0
    keep(tree, node)
    start_afresh(tree)
    return int(tree.nodes["visits"][0])


def _bytes(states: Array) -> Array:
    return states.view(np.uint8).reshape(len(states), -1)


@compiled
def find(tree: Any, line: Any, line_bytes: Any, target: Any, path: Any) -> int:
    """The node whose position is `target` (uint8[size]), as deep as `line` is long; -1 if there is none.

    `line` (moves + 1 records, the first of them the root) and `path` (int32[moves + 1]) are the positions and nodes
    on the way; `line_bytes` (uint8[moves + 1, size]) are the same positions.
    """
    nodes, moves = tree.nodes, len(line) - 1
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
def keep(tree: Any, node: int) -> None:
    """Make `node` the root and forget all nodes but those below it; the order of the nodes stays as it is.

    A node is added after its parent, so one walk upwards meets each kept node after its parent.
    """
    nodes, counts = tree.nodes, tree.counts[0]
    place = np.full(counts.used, -1, np.int32)  # where a kept node goes
    place[node] = 0
    used = 0
    for index in range(node, counts.used):
        if place[index] < 0:
            continue
        child = nodes[index].first_child
        while child:
            place[child] = 0
            child = nodes[child].next_sibling
        place[index] = used
        nodes[used] = nodes[index]
        for seat in range(tree.values.shape[1]):
            tree.values[used, seat] = tree.values[index, seat]
            if len(tree.squares):
                tree.squares[used, seat] = tree.squares[index, seat]
        used += 1
    for index in range(used):
        kept = nodes[index]
        if kept.first_child:
            kept.first_child = place[kept.first_child]
        if kept.next_sibling:
            kept.next_sibling = place[kept.next_sibling] if index else 0
    counts.used = used
