"""The search tree: arrays that compiled code fills, allocated once.

An open-loop tree has a node for the actions that led to it from the root, whatever chance or hidden cards made
of them in one iteration or another. So one node serves all determinizations of the position (single-observer
information-set search: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012). Where
every iteration starts from the same position (`SETTINGS.closed`) a node is a position, as usual.

With several observers each seat has a tree of its own; all of them lie in the same arrays. The roots are nodes 0
to n-1. Children are a linked list; 0 ends it. A node's legal actions enter the tree all at once when it is met
for the second time, so that availability is counted from the first time an action was legal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agents.inlining import inlined
from envs.compiling import borrowed, compiled
from envs.game import Game
from envs.options import Options

Array = np.ndarray[Any, Any]

MAX_DEPTH = 2048
"""The deepest level of a tree; below it play goes on as a rollout."""

CACHE_LINE = 64

SEVERAL = -(1 << 30)
"""The action of a node that stands for several actions of another seat, alike to the seat whose tree it is in."""

IDLE, PLAYING, AWAITING, JUDGED = range(4)
"""Where a search stands: between iterations, in a rollout, with a leaf to be judged from outside, or judged."""

NODE = np.dtype(
    (
        np.record,
        [
            ("rarity", "f4"),  # 1 / sqrt(visits), kept because selection asks for it far more often than it changes
            ("visits", "i4"),
            ("action", "i4"),  # the action that leads here, ~action (negative) if its owner only sees what it does
            ("next_sibling", "i4"),
            ("first_child", "i4"),
            ("children", "i4"),  # how many
            ("tried", "i4"),  # how many of them were visited
            ("availability", "i4"),  # how often the parent was passed with this action legal (not kept if closed)
            ("passed", "i4"),  # the last passing of any node in which this action was legal (not kept if closed)
            ("favourite", "i4"),  # 1 + the rule of thumb's action here, if closed and asked before
            ("ended", "i4"),  # visits that found the game over here
        ],
    )
)

COUNTS = np.dtype(
    (
        np.record,
        [
            ("lowest", "f8"),  # the least and the greatest value that any seat has been given so far
            ("highest", "f8"),
            ("moves", "i8"),  # moves played so far, over all iterations
            ("used", "i4"),  # nodes in use
            ("passings", "i4"),  # how many nodes were passed so far, over all iterations
            ("full", "i4"),  # whether a node had to stay a leaf for want of room
            ("stage", "i4"),  # the iteration in hand: where it stands,
            ("depth", "i4"),  # the level of its leaf,
            ("played", "i4"),  # its moves from the root so far,
            ("mover", "i4"),  # and the seat that made the last one of its rollout
        ],
    )
)


class Tree(NamedTuple):
    """A tree, or one for each seat, and the scratch space of a search in it.

    `counts`: `COUNTS`[1]; `nodes`: `NODE`[budget]; `values`: float64[budget, num_players], sums over visits;
    `squares`: the same of squared values, or of no rows where they are not needed; `keys`: int64[budget], by what
    a seat sees of another's action, or of no rows; `path`: int32[trees, MAX_DEPTH], the nodes of the iteration in
    hand; `mask`: bool[num_actions]; `favoured`: int32[num_actions], how often the rule of thumb led the root to an
    action; `outcome`: float64[num_players], what the iteration ended in; `seen`: float32[observation_size].
    Nothing in it depends on the game's type: what works on a tree alone is compiled once for all games.
    """

    counts: Array
    nodes: Array
    values: Array
    squares: Array
    keys: Array
    path: Array
    mask: Array
    favoured: Array
    outcome: Array
    seen: Array


def make_tree(game: Game, options: Options, budget: int, several: bool = False, squares: bool = False) -> Tree:
    """An empty tree of at most `budget` nodes, or `several`, one a seat. Memory that is never written is never used."""
    seats, num_actions = options["num_players"], game.num_actions(options)
    tree = Tree(
        counts=apart(1, COUNTS),
        nodes=np.empty(budget, NODE),
        values=np.empty((budget, seats), np.float64),
        squares=np.empty((budget if squares else 0, seats), np.float64),
        keys=np.empty(budget if several else 0, np.int64),
        path=np.zeros((seats if several else 1, MAX_DEPTH), np.int32),
        mask=apart(num_actions, np.bool_),
        favoured=apart(num_actions, np.int32),
        outcome=apart(seats, np.float64),
        seen=apart(game.observation_size(options), np.float32),
    )
    clear(tree)
    return tree


def apart(size: int, dtype: Any) -> Array:
    """Zeros that share no cache line with anything else, so that searches in several threads do not wait."""
    length = size * np.dtype(dtype).itemsize
    return np.zeros(length + 2 * CACHE_LINE, np.uint8)[CACHE_LINE : CACHE_LINE + length].view(dtype)


@inlined
def borrowed_tree(tree: Any) -> Any:
    """The same tree without reference counting, for use while the caller holds it."""
    return Tree(
        borrowed(tree.counts),
        borrowed(tree.nodes),
        borrowed(tree.values),
        borrowed(tree.squares),
        borrowed(tree.keys),
        borrowed(tree.path),
        borrowed(tree.mask),
        borrowed(tree.favoured),
        borrowed(tree.outcome),
        borrowed(tree.seen),
    )


@compiled
def clear(tree: Any) -> None:
    """Make each tree a root without children."""
    counts = tree.counts[0]
    counts.lowest = np.inf
    counts.highest = -np.inf
    counts.used = 0
    counts.passings = 0
    start_afresh(tree)
    for _ in range(len(tree.path)):
        add_node(tree, -1)


@compiled
def start_afresh(tree: Any) -> None:
    """Count from zero what is counted for one search, and forget an iteration that was not brought to its end."""
    counts = tree.counts[0]
    counts.moves = 0
    counts.full = 0
    counts.stage = IDLE
    tree.favoured[:] = 0


@inlined
def add_node(tree: Any, action: int) -> int:
    """Append a node that was never visited and was available once; the caller has seen that there is room."""
    index = tree.counts[0].used
    tree.counts[0].used = index + 1
    node = tree.nodes[index]
    node.rarity = 0.0
    node.visits = 0
    node.action = action
    node.next_sibling = 0
    node.first_child = 0
    node.children = 0
    node.tried = 0
    node.availability = 1
    node.passed = tree.counts[0].passings
    node.favourite = 0
    node.ended = 0
    for seat in range(tree.values.shape[1]):
        tree.values[index, seat] = 0.0
        if len(tree.squares):
            tree.squares[index, seat] = 0.0
    return index
