"""Which action an iteration goes on with: UCB1, UCB1-tuned or PUCT, over the actions legal in this iteration.

UCB1: Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning", 2006. UCB1-tuned: Auer, Cesa-Bianchi and Fischer,
"Finite-time Analysis of the Multiarmed Bandit Problem", 2002. PUCT: Rosin, 2011, in the form of Silver et al.,
"Mastering the game of Go without human knowledge", 2017, with the game's rule of thumb for a prior. First-play
urgency: Gelly and Wang, "Exploration exploitation in Go", 2006.

In place of its parent's visits stands the number of times an action was available. Values are scaled to 0..1 by the
least and the greatest seen so far, so returns times a positive number plus another choose the same moves.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agents.inlining import inlined
from agents.mcts.rollouts import below
from agents.mcts.settings import PARANOID, PUCT, SELECTION, UCB1_TUNED
from agents.mcts.tree import add_node
from envs.chance import random_bits
from envs.compiling import compiled

_LOGS = 1024
_ROOT_LOG = np.sqrt(np.log(np.maximum(np.arange(_LOGS), 1.0)))
"""sqrt(log(n)) for small n: the logarithm takes as long as all the rest of a selection."""


@inlined
def select(tree: Any, parent: int, count: int, player: int, seat: int, favourite: int, settings: Any, seed: int) -> int:
    """The child to go on to for `player`, among the `count` legal actions; 0 where there is no room for it.

    Legal actions (`tree.mask`, used up) without a child get one; in a closed tree a node that has children has all of
    them, and the mask is not looked at. Actions never tried, the favourite apart, are alike: one is drawn uniformly.
    Where seats do not see each other's actions equal scores are told apart by chance, or both may take turns in step
    for ever (Shafiei, Sturtevant and Schaeffer, "Comparing UCT versus CFR in Simultaneous Games", 2009).
    """
    nodes, counts = tree.nodes, tree.counts[0]
    closed, puct = settings.closed, settings.selection == PUCT
    known = nodes[parent].children if closed else 0
    if nodes[parent].tried < known and settings.first_play == -np.inf and favourite < 0:
        n = below(random_bits(seed, SELECTION, parent), known - nodes[parent].tried)
        return nth_untried(nodes, nodes[parent].first_child, n, counts.passings, favourite, closed)
    width = counts.highest - counts.lowest
    slope = 1.0 / width if width > 0.0 else 0.0
    origin, valued = counts.lowest, player
    if settings.backup == PARANOID and player != seat:
        slope, origin, valued = -slope, counts.highest, seat
    untried_value = -settings.first_play
    if nodes[parent].visits and untried_value < np.inf:
        untried_value += (tree.values[parent, valued] / nodes[parent].visits - origin) * slope
    counts.passings += 1
    share = (1.0 - settings.prior) / count
    best = last = met = untried = longest = 0
    best_score = -np.inf
    several = len(tree.path) > 1
    available, growth = 0, 0.0
    if closed:
        available = max(nodes[parent].visits, 1)
        longest = available
        growth = _growth(available, puct)
    child = nodes[parent].first_child
    while child:
        node = nodes[child]
        if closed or (node.action >= 0 and tree.mask[node.action]):
            if not closed:
                tree.mask[node.action] = False
                node.passed = counts.passings
                node.availability += 1
            met += 1
            if node.visits == 0 and node.action != favourite:
                untried += 1
                longest = max(longest, node.availability)
            else:
                if not closed and node.availability != available:
                    available = node.availability
                    growth = _growth(available, puct)
                score = untried_value
                if node.visits:
                    score = (tree.values[child, valued] / node.visits - origin) * slope
                if puct:
                    own_share = share + settings.prior if node.action == favourite else share
                    score += settings.exploration * growth * own_share / (1.0 + node.visits)
                else:
                    breadth = growth * node.rarity
                    if settings.selection == UCB1_TUNED and node.visits:
                        breadth *= _deviation(tree, child, valued, slope, breadth)
                    score += settings.exploration * breadth
                if score > best_score or (several and score == best_score and random_bits(seed, SELECTION, child) & 1):
                    best, best_score = child, score
        last = child
        known -= 1
        child = _next(nodes, child, closed, known)
    if met < count:
        if counts.used + count - met > len(nodes):
            counts.full = 1
            return 0
        untried += count - met
        longest = max(longest, 1)
        added = add_children(tree, parent, last, favourite)
        if added:
            untried -= 1
            score = untried_value + settings.exploration * (share + settings.prior)
            if score > best_score:
                best, best_score = added, score
    if untried:
        bonus = _growth(longest, puct) * (share if puct else 1.0)
        if settings.selection == UCB1_TUNED:
            bonus *= 0.5
        if untried_value + settings.exploration * bonus > best_score:
            n = below(random_bits(seed, SELECTION, parent), untried)
            return nth_untried(nodes, nodes[parent].first_child, n, counts.passings, favourite, closed)
    return best


@inlined
def _next(nodes: Any, child: int, closed: bool, left: int) -> int:
    """The next sibling, 0 for none. In a closed tree, where all children enter at once, it is the next node."""
    if closed:
        return child + 1 if left else 0
    return nodes[child].next_sibling


@inlined
def _growth(available: int, puct: bool) -> float:
    """What the exploration term grows by with the number of times an action could have been tried."""
    if puct:
        return math.sqrt(available)
    return _ROOT_LOG[available] if available < _LOGS else math.sqrt(math.log(available))


@inlined
def _deviation(tree: Any, child: int, valued: int, slope: float, breadth: float) -> float:
    """UCB1-tuned: the upper bound of the standard deviation of a child's scaled values, at most 1/2."""
    visits = tree.nodes[child].visits
    mean = tree.values[child, valued] / visits
    variance = (tree.squares[child, valued] / visits - mean * mean) * slope * slope
    return math.sqrt(min(0.25, max(variance, 0.0) + math.sqrt(2.0) * breadth))


@inlined
def add_children(tree: Any, parent: int, last: int, favourite: int) -> int:
    """Give `parent` a child for every action left in the mask, after its child `last` (0 if it has none).

    Returns the new child of the action `favourite`, or 0.
    """
    found = 0
    for action in range(len(tree.mask)):
        if tree.mask[action]:
            child = add_node(tree, action)
            if last:
                tree.nodes[last].next_sibling = child
            else:
                tree.nodes[parent].first_child = child
            tree.nodes[parent].children += 1
            last = child
            if action == favourite:
                found = child
    return found


@compiled
def nth_untried(nodes: Any, child: int, n: int, passing: int, favourite: int, closed: int) -> int:
    """Of the siblings from `child` on that are legal in this passing and were never tried, number `n`, no favourite."""
    while True:
        node = nodes[child]
        if node.visits == 0 and (closed or node.passed == passing) and node.action != favourite:
            if n == 0:
                return child
            n -= 1
        child = child + 1 if closed else node.next_sibling
