"""The search itself, compiled: iterations of selection, expansion, rollout and backup over a `Tree`.

Every iteration starts from a fresh determinization of the root for the searching seat, with a seed of its
own, so it sees neither hidden cards nor chance to come. Values are vectors over the seats (max^n: Luckhardt
and Irani, 1986): whoever is to act picks by its own component, and no sign is ever flipped.

Selection is UCB1 (Kocsis and Szepesvari, 2006) over the actions legal in this iteration, with the number of
times an action was available in place of its parent's visits. Values are scaled to 0..1 by the least and the
greatest seen so far, so returns times a positive number plus another choose the same moves.

The steps are functions of their own (`descend`, `rollout`, `backup`): a search that is guided by something
else shares them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agents.heuristics.contract import evaluate, rule_of_thumb
from agents.mcts.tree import add_node, borrowed_tree
from envs.chance import random_bits
from envs.compiling import borrowed, compiled
from envs.game import apply_action, determinize, legal_actions, returns

RANDOM, GREEDY, EVALUATE = 0, 1, 2
"""Rollout policies: uniformly random, the rule of thumb, or none (the static evaluation at once)."""

TO_THE_END = -1
"""The depth of a rollout that is not cut."""

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("exploration", "f8"),  # the weight of the exploration term
            ("first_play", "f8"),  # the score of an action not tried yet
            ("epsilon", "f8"),  # how often a greedy rollout plays a random action
            ("rollout", "i4"),  # RANDOM, GREEDY or EVALUATE
            ("depth", "i4"),  # moves after which a rollout is cut, or TO_THE_END
        ],
    )
)

_ITERATION, _SELECTION, _POLICY, _ROLLOUT = 1 << 22, (1 << 22) + 1, (1 << 22) + 2, (1 << 22) + 3
"""Streams of `random_bits`, apart from those of games, lanes and heuristics."""


@compiled
def search(tree: Any, token: Any, root: Any, seat: int, settings: Any, seed: int, first: int, iterations: int) -> None:
    """Run the iterations numbered from `first`, `iterations` of them, from `root` (shape (1,)) for `seat`.

    `token` (shape (1,)) names the heuristics, `settings` is a `SETTINGS`[1]. The tree grows by what is found.
    The same seed gives the same tree, in however many calls the iterations are run.
    """
    tree, root = borrowed_tree(tree), borrowed(root)
    for iteration in range(first, first + iterations):
        own_seed = random_bits(seed, _ITERATION, iteration)
        tree.scratch[0] = root[0]
        state = tree.scratch[0]
        determinize(state, seat, own_seed)
        depth = descend(tree, state, settings[0], own_seed)
        rollout(state, token[0], seat, settings[0], own_seed, tree.mask, tree.outcome)
        backup(tree, depth)


@compiled
def descend(tree: Any, state: Any, settings: Any, seed: int) -> int:
    """Play from the root down to a node not visited yet or the game's end; the nodes are `path[0]` to `path[depth]`."""
    nodes = tree.nodes
    node = depth = 0
    tree.path[0] = 0
    while not (state.terminated or state.truncated) and depth + 1 < len(tree.path):
        if depth and nodes[node].visits == 0:
            break
        count = legal_actions(state, tree.mask)
        child = select(tree, node, count, state.current_player, settings, seed, depth)
        if child == 0:
            break
        apply_action(state, nodes[child].action)
        depth += 1
        tree.path[depth] = child
        node = child
    return depth


@compiled
def select(tree: Any, parent: int, count: int, player: int, settings: Any, seed: int, depth: int) -> int:
    """The child to go on to for `player`, by UCB1 among the `count` actions in the mask; 0 where there is no room.

    Legal actions without a child get one. One that was never tried scores `first_play`; several such are
    drawn among uniformly. The mask is used up.
    """
    nodes, counts = tree.nodes, tree.counts[0]
    counts.passings += 1
    passing = counts.passings
    width = counts.highest - counts.lowest
    scale = 1.0 / width if width > 0.0 else 0.0
    best = last = met = untried = 0
    best_score = -np.inf
    availability = 0
    exploration = 0.0
    child = nodes[parent].first_child
    while child:
        node = nodes[child]
        if tree.mask[node.action]:
            tree.mask[node.action] = False
            met += 1
            node.passed = passing
            node.availability += 1
            if node.visits == 0:
                untried += 1
            else:
                if node.availability != availability:
                    availability = node.availability
                    exploration = settings.exploration * math.sqrt(math.log(availability))
                value = (tree.values[child, player] / node.visits - counts.lowest) * scale
                score = value + exploration * node.rarity
                if score > best_score:
                    best, best_score = child, score
        last = child
        child = node.next_sibling
    if met < count:
        if counts.size + count - met > len(nodes):
            counts.full = 1
            return 0
        untried += count - met
        add_children(tree, parent, last)
    if untried and settings.first_play > best_score:
        return nth_untried(tree, parent, _below(random_bits(seed, _SELECTION, depth), untried))
    return best


@compiled
def add_children(tree: Any, parent: int, last: int) -> None:
    """Give `parent` a child for every action left in the mask, after its child `last` (0 if it has none)."""
    for action in range(len(tree.mask)):
        if tree.mask[action]:
            child = add_node(tree, action)
            if last:
                tree.nodes[last].next_sibling = child
            else:
                tree.nodes[parent].first_child = child
            last = child


@compiled
def nth_untried(tree: Any, parent: int, n: int) -> int:
    """Of the children of `parent` that are legal in this passing and were never tried, number `n`."""
    nodes, passing = tree.nodes, tree.counts[0].passings
    child = nodes[parent].first_child
    while nodes[child].visits or nodes[child].passed != passing or n:
        if nodes[child].visits == 0 and nodes[child].passed == passing:
            n -= 1
        child = nodes[child].next_sibling
    return child


@compiled
def rollout(state: Any, token: Any, seat: int, settings: Any, seed: int, mask: Any, outcome: Any) -> None:
    """Play on from `state` by the rollout policy and leave what it comes to in `outcome`; `mask` is scratch space.

    A rollout with a depth is cut after so many moves, as soon as another seat is to act (a position in
    mid-turn is hard to judge), and judged by the static evaluation as the searching `seat` sees it.
    """
    greedy = settings.rollout == GREEDY
    depth = settings.depth if settings.depth != TO_THE_END else 1 << 30
    played = 0
    mover = -1
    while not (state.terminated or state.truncated):
        if played >= depth and state.current_player != mover:
            evaluate(token, state, seat, outcome)
            return
        mover = state.current_player
        bits = random_bits(seed, _ROLLOUT, played)
        if greedy and bits * 2.0**-63 >= settings.epsilon:
            action = rule_of_thumb(token, state, bits)
        else:
            action = random_action(state, mask, random_bits(seed, _POLICY, played) if greedy else bits)
        apply_action(state, action)
        played += 1
    returns(state, outcome)


@compiled
def random_action(state: Any, mask: Any, bits: int) -> int:
    """A uniformly random legal action by 63 random bits; `mask` is scratch space."""
    n = _below(bits, legal_actions(state, mask))
    action = 0
    while n or not mask[action]:
        if mask[action]:
            n -= 1
        action += 1
    return action


@compiled
def backup(tree: Any, depth: int) -> None:
    """Add `tree.outcome` to every node of the path and widen the range of values seen."""
    counts = tree.counts[0]
    seats = len(tree.outcome)
    for seat in range(seats):
        counts.lowest = min(counts.lowest, tree.outcome[seat])
        counts.highest = max(counts.highest, tree.outcome[seat])
    for level in range(depth + 1):
        index = tree.path[level]
        node = tree.nodes[index]
        node.visits += 1
        node.rarity = 1.0 / math.sqrt(node.visits)
        for seat in range(seats):
            tree.values[index, seat] += tree.outcome[seat]


@compiled
def _below(bits: int, n: int) -> int:
    """63 random bits as a uniform integer from 0 to n-1 (n at most 2**31)."""
    return ((bits >> 31) * n) >> 32
