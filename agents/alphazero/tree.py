"""The trees of many searches at once: arrays that compiled code fills, allocated once.

A *lane* is a place for one search after another, with a tree of its own; a *row* is a leaf that waits for the network.
L lanes, R rows, N nodes a tree at most, S seats, A actions, O numbers observed.

A node is what the actions from the root led to. Where nothing is hidden or drawn it is a position (the tree is
*closed*). Else it stands for all positions that those actions led to, whatever cards and chance made of them
(single-observer information-set search: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
2012), and its children are all actions that were legal in one of them. Children are a linked list that 0 ends; node 0
is the root. The children of a node in a closed tree enter together and lie side by side.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from agents.inlining import inlined
from envs.compiling import borrowed
from envs.game import Game
from envs.options import Options
from envs.position import Array

MAX_DEPTH = 512
"""The deepest level of a tree; a leaf that lies there is judged again at each visit."""

MOST_NODES, MOST_NODES_IN_ALL = 1 << 15, 1 << 20
"""Of a tree, and of all trees together if that allows for more, where no budget is given."""

LEAST_PRIOR = 1e-30
"""Where a logarithm of a prior is taken."""

NODE = np.dtype(
    (
        np.record,
        [
            ("prior", "f4"),  # the probability that the network gives the action, over the positions judged,
            ("logit", "f4"),  # and its logarithm
            ("visits", "i4"),
            ("pending", "i4"),  # iterations under way through here whose leaf is not judged yet
            ("action", "i4"),  # the action that leads here
            ("next_sibling", "i4"),
            ("first_child", "i4"),
            ("children", "i4"),  # how many
            ("judged", "i4"),  # how often the prior was judged (if not closed)
            ("availability", "i4"),  # how often the parent was passed with this action legal (if not closed)
            ("passed", "i4"),  # the last passing of any node in which this action was legal (if not closed)
            ("ended", "i4"),  # visits that found the game over here
        ],
    )
)

LANE = np.dtype(
    (
        np.record,
        [
            ("seed", "i8"),
            ("dirichlet", "f8"),  # PUCT: the share of noise in the prior at the root
            ("gumbel", "f8"),  # Gumbel: what its noise is multiplied by
            ("seat", "i4"),  # which is searched for
            ("budget", "i4"),  # iterations of this search at most,
            ("planned", "i4"),  # those that sequential halving shares out,
            ("begun", "i4"),  # those begun,
            ("done", "i4"),  # and those done
            ("ready", "i4"),  # whether the root has been judged and prepared
            ("used", "i4"),  # nodes in use
            ("full", "i4"),  # whether a node had to stay a leaf for want of room
            ("passings", "i4"),  # how many nodes were passed so far, over all iterations
            ("considered", "i4"),  # sequential halving: how many actions are still considered,
            ("rounds", "i4"),  # how often all of them are to be visited before their number is halved,
            ("in_round", "i4"),  # how many were in this round,
            ("level", "i4"),  # how many visits those to come have,
            ("phases", "i4"),  # and how many times the number can be halved in all
        ],
    )
)

ROW = np.dtype(
    (
        np.record,
        [
            ("lane", "i4"),
            ("depth", "i4"),  # the level of the leaf
            ("seat", "i4"),  # which is to act there
            ("favourite", "i4"),  # the rule of thumb's action there, or -1
        ],
    )
)


class Forest(NamedTuple):
    """Trees, the leaves that wait, and scratch space. Nothing in it depends on the game's type.

    `lanes`: `LANE`[L]; `nodes`: `NODE`[L, N]; `values`: float64[L, N, S], sums over visits; `gumbels`: float64[L, A],
    the root's noise by action; `kept`: int32[L, A], the visits that the root's children had when the search began;
    `rows`: `ROW`[R]; `paths`: int32[R, depth], the nodes from the root to the leaf; `rolled`: float64[R, S], what a
    rollout came to; `observations`: float32[R, O] and `masks`: bool[R, A], of the seat to act at the leaf. Scratch:
    `mask`: bool[A]; `ratings`: float64[A]; `outcome`: float64[S].
    """

    lanes: Array
    nodes: Array
    values: Array
    gumbels: Array
    kept: Array
    rows: Array
    paths: Array
    rolled: Array
    observations: Array
    masks: Array
    mask: Array
    ratings: Array
    outcome: Array


class Tree(NamedTuple):
    """One lane's part of a forest: arrays as there without the axis L (`lane`: `LANE`[1]), and the scratch space."""

    lane: Array
    nodes: Array
    values: Array
    gumbels: Array
    kept: Array
    mask: Array
    ratings: Array
    outcome: Array


def make_forest(game: Game, options: Options, lanes: int, leaves: int, budget: int, depth: int) -> Forest:
    """Empty trees of at most `budget` nodes and levels up to `depth`. Memory that is never written is never used."""
    seats, actions, rows = options["num_players"], game.num_actions(options), lanes * leaves
    return Forest(
        lanes=np.zeros(lanes, LANE),
        nodes=np.zeros((lanes, budget), NODE),
        values=np.zeros((lanes, budget, seats)),
        gumbels=np.zeros((lanes, actions)),
        kept=np.zeros((lanes, actions), np.int32),
        rows=np.zeros(rows, ROW),
        paths=np.zeros((rows, min(depth, MAX_DEPTH) + 1), np.int32),
        rolled=np.zeros((rows, seats)),
        observations=np.zeros((rows, game.observation_size(options)), np.float32),
        masks=np.zeros((rows, actions), np.bool_),
        mask=np.zeros(actions, np.bool_),
        ratings=np.zeros(actions),
        outcome=np.zeros(seats),
    )


def tree_budget(game: Game, options: Options, iterations: int, given: int | None, lanes: int) -> int:
    """How many nodes each of `lanes` trees has room for: `given`, or as many as `iterations` may need, within bounds.

    A root with all its children has room in any case.
    """
    actions = game.num_actions(options)
    wanted = given if given is not None else min(2 * iterations * actions, max(MOST_NODES, MOST_NODES_IN_ALL // lanes))
    return max(wanted, 2 * actions + 2)


@inlined
def borrowed_forest(forest: Any) -> Any:
    """The same forest without reference counting, for use while the caller holds it."""
    return Forest(
        borrowed(forest.lanes),
        borrowed(forest.nodes),
        borrowed(forest.values),
        borrowed(forest.gumbels),
        borrowed(forest.kept),
        borrowed(forest.rows),
        borrowed(forest.paths),
        borrowed(forest.rolled),
        borrowed(forest.observations),
        borrowed(forest.masks),
        borrowed(forest.mask),
        borrowed(forest.ratings),
        borrowed(forest.outcome),
    )


@inlined
def tree_of(forest: Any, lane: int) -> Any:
    """A lane's tree."""
    return Tree(
        forest.lanes[lane : lane + 1],
        forest.nodes[lane],
        forest.values[lane],
        forest.gumbels[lane],
        forest.kept[lane],
        forest.mask,
        forest.ratings,
        forest.outcome,
    )


@inlined
def clear(tree: Any) -> None:
    """Make the tree a root that was never visited."""
    lane = tree.lane[0]
    lane.used = 0
    lane.passings = 0
    add_node(tree, -1, 1.0)


@inlined
def add_node(tree: Any, action: int, prior: float) -> int:
    """Append a node that was never visited and whose prior was judged once; the caller has seen that there is room."""
    lane = tree.lane[0]
    index = lane.used
    lane.used = index + 1
    node = tree.nodes[index]
    set_prior(node, prior)
    node.visits = 0
    node.pending = 0
    node.action = action
    node.next_sibling = 0
    node.first_child = 0
    node.children = 0
    node.judged = 1
    node.availability = 0
    node.passed = 0
    node.ended = 0
    for seat in range(tree.values.shape[1]):
        tree.values[index, seat] = 0.0
    return index


@inlined
def set_prior(node: Any, prior: float) -> None:
    """Give a node its prior."""
    node.prior = prior
    node.logit = math.log(max(prior, LEAST_PRIOR))


@inlined
def next_child(nodes: Any, child: int, closed: int, left: int) -> int:
    """The next sibling, 0 for none; `left` is how many there are. In a closed tree it is the next node."""
    if closed:
        return child + 1 if left > 0 else 0
    return nodes[child].next_sibling


@inlined
def expand(tree: Any, index: int, mask: Any, logits: Any, favourite: int, settings: Any) -> None:
    """Give a node a child for every legal action (`mask`, used up), its prior the softmax of the logits over them.

    Where a child exists already, in a tree that is not closed, its prior becomes the mean over all positions judged.
    """
    nodes, lane = tree.nodes, tree.lane[0]
    node = nodes[index]
    if node.children and settings.closed:
        return
    highest = -np.inf
    count = 0
    for action in range(len(mask)):
        if mask[action]:
            count += 1
            highest = max(highest, logits[action])
    total = 0.0
    for action in range(len(mask)):
        if mask[action]:
            tree.ratings[action] = np.exp(logits[action] - highest)
            total += tree.ratings[action]
    share = 1.0 - settings.thumb_share if favourite >= 0 else 1.0
    last = 0
    child = node.first_child
    while child:
        known = nodes[child]
        if mask[known.action]:
            mask[known.action] = False
            count -= 1
            prior = share * tree.ratings[known.action] / total
            if known.action == favourite:
                prior += 1.0 - share
            known.judged += 1
            set_prior(known, known.prior + (prior - known.prior) / known.judged)
        last = child
        child = known.next_sibling
    if lane.used + count > len(nodes):
        lane.full = 1
        return
    for action in range(len(mask)):
        if mask[action]:
            prior = share * tree.ratings[action] / total
            if action == favourite:
                prior += 1.0 - share
            child = add_node(tree, action, prior)
            if last:
                nodes[last].next_sibling = child
            else:
                node.first_child = child
            node.children += 1
            last = child


@inlined
def backup(tree: Any, path: Any, depth: int, outcome: Any, pending: int) -> None:
    """Add `outcome` (float64[S]) to every node of the path; `pending` is 1 if they were told of the visit before."""
    for level in range(depth + 1):
        node = tree.nodes[path[level]]
        node.visits += 1
        node.pending -= pending
        for seat in range(tree.values.shape[1]):
            tree.values[path[level], seat] += outcome[seat]
