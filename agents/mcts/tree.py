"""The search tree: arrays that compiled code fills, allocated once.

The tree is open-loop: a node stands for the actions that led to it from the root, whatever chance or hidden
cards made of them in one iteration or another. So one node serves all determinizations of the position
(single-observer information-set search: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
Search", 2012), and for a game without chance and secrets the tree is the ordinary one.

Node 0 is the root. Children are a linked list; 0 ends it. A node's children enter the tree all at once when
it is met for the second time, so that availability is counted from the first time an action was legal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from envs.compiling import borrowed, compiled
from envs.game import Game

Array = np.ndarray[Any, Any]

MAX_DEPTH = 2048
"""The deepest level of a tree; below it play goes on as a rollout."""

NODE = np.dtype(
    (
        np.record,
        [
            ("rarity", "f4"),  # 1 / sqrt(visits), kept because selection asks for it far more often than it changes
            ("action", "i4"),  # the action that leads here
            ("first_child", "i4"),
            ("next_sibling", "i4"),
            ("visits", "i4"),
            ("availability", "i4"),  # how often the parent was passed with this action legal
            ("ended", "i4"),  # visits that found the game over here
            ("passed", "i4"),  # the last passing of any node in which this action was legal
        ],
    )
)

COUNTS = np.dtype(
    (
        np.record,
        [
            ("lowest", "f8"),  # the least and the greatest value that any seat has been given so far
            ("highest", "f8"),
            ("used", "i4"),  # nodes in use
            ("passings", "i4"),  # how many nodes were passed so far, over all iterations
            ("full", "i4"),  # whether a node had to stay a leaf for want of room
        ],
    )
)


class Tree(NamedTuple):
    """A tree and the scratch space of a search in it.

    `counts`: `COUNTS`[1]; `nodes`: `NODE`[budget]; `values`: float64[budget, num_players], sums over visits;
    `path`: int32[MAX_DEPTH], the nodes of the iteration in hand; `mask`: bool[num_actions]; `outcome`:
    float64[num_players], what it ended in; `scratch`: one record of the game, shape (1,).
    """

    counts: Array
    nodes: Array
    values: Array
    path: Array
    mask: Array
    outcome: Array
    scratch: Array


def make_tree(game: Game, num_players: int, num_actions: int, budget: int) -> Tree:
    """An empty tree of at most `budget` nodes. Memory that is never written is never used."""
    tree = Tree(
        counts=np.zeros(1, COUNTS),
        nodes=np.empty(budget, NODE),
        values=np.empty((budget, num_players), np.float64),
        path=np.zeros(MAX_DEPTH, np.int32),
        mask=np.zeros(num_actions, np.bool_),
        outcome=np.zeros(num_players, np.float64),
        scratch=np.zeros(1, game.dtype),
    )
    clear(tree)
    return tree


@compiled
def borrowed_tree(tree: Any) -> Any:
    """The same tree without reference counting, for use while the caller holds it."""
    return Tree(
        borrowed(tree.counts),
        borrowed(tree.nodes),
        borrowed(tree.values),
        borrowed(tree.path),
        borrowed(tree.mask),
        borrowed(tree.outcome),
        borrowed(tree.scratch),
    )


@compiled
def clear(tree: Any) -> None:
    """Make the tree a root without children."""
    counts = tree.counts[0]
    counts.lowest = np.inf
    counts.highest = -np.inf
    counts.used = 0
    counts.passings = 0
    counts.full = 0
    add_node(tree, -1)


@compiled
def add_node(tree: Any, action: int) -> int:
    """Append a node that was never visited and was available once; the caller has seen that there is room."""
    index = tree.counts[0].used
    tree.counts[0].used = index + 1
    node = tree.nodes[index]
    node.rarity = 0.0
    node.action = action
    node.first_child = 0
    node.next_sibling = 0
    node.visits = 0
    node.availability = 1
    node.ended = 0
    node.passed = tree.counts[0].passings
    tree.values[index, :] = 0.0
    return index
