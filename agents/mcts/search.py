"""The search itself, compiled: iterations of selection, expansion, rollout and backup over a `Tree`.

Every iteration starts from a fresh determinization of the root for the searching seat, with a seed of its
own, so it sees neither hidden cards nor chance to come. Values are vectors over the seats (max^n: Luckhardt
and Irani, 1986): whoever is to act picks by its own component, and no sign is ever flipped.

Selection is UCB1 (Kocsis and Szepesvári, 2006) or PUCT (Rosin, 2011; in the form of Silver et al., 2017) with
the game's rule of thumb for a prior, over the actions legal in this iteration, with the number of times an
action was available in place of its parent's visits. Values are scaled to 0..1 by the least and the greatest
seen so far, so returns times a positive number plus another choose the same moves.

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

UCB1, PUCT = 0, 1
"""Selection: each action in its turn and then by confidence bounds, or led by a prior."""

RANDOM, GREEDY, EVALUATE = 0, 1, 2
"""Rollout policies: uniformly random, the rule of thumb, or none (the static evaluation at once)."""

TO_THE_END = -1
"""The depth of a rollout that is not cut."""

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("exploration", "f8"),  # the weight of the exploration term
            ("prior", "f8"),  # PUCT: the rule of thumb's share of the prior, the rest is spread evenly
            ("first_play", "f8"),  # PUCT: how far below its node's value an action not tried yet is taken to be
            ("epsilon", "f8"),  # how often a greedy rollout plays a random action
            ("selection", "i4"),  # UCB1 or PUCT
            ("rollout", "i4"),  # RANDOM, GREEDY or EVALUATE
            ("depth", "i4"),  # moves from the root after which a rollout is cut, or TO_THE_END
        ],
    )
)

_ITERATION, _SELECTION, _FAVOURITE, _ROLLOUT, _POLICY = (1 << 22) + np.arange(5)
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
        depth = descend(tree, token[0], state, settings[0], seed, own_seed)
        rollout(state, token[0], seat, settings[0], own_seed, depth, tree.mask, tree.outcome)
        backup(tree, depth)


@compiled
def descend(tree: Any, token: Any, state: Any, settings: Any, seed: int, own_seed: int) -> int:
    """Play from the root down to a node not visited yet or the game's end; the nodes are `path[0]` to `path[depth]`.

    `seed` is the search's, `own_seed` the iteration's.
    """
    nodes = tree.nodes
    node = depth = 0
    tree.path[0] = 0
    while not (state.terminated or state.truncated) and depth + 1 < len(tree.path):
        if depth and nodes[node].visits == 0:
            break
        count = legal_actions(state, tree.mask)
        favourite = -1
        if settings.selection == PUCT and count > 1:  # asked anew each time: it may depend on the cards dealt
            favourite = rule_of_thumb(token, state, random_bits(seed, _FAVOURITE, node))
        child = select(tree, node, count, state.current_player, favourite, settings, own_seed)
        if child == 0:
            break
        apply_action(state, nodes[child].action)
        depth += 1
        tree.path[depth] = child
        node = child
    if state.terminated or state.truncated:
        nodes[node].ended += 1
    return depth


@compiled
def select(tree: Any, parent: int, count: int, player: int, favourite: int, settings: Any, seed: int) -> int:
    """The child to go on to for `player`, among the `count` actions in the mask; 0 where there is no room for it.

    Legal actions without a child get one. Those never tried, the favourite apart, are alike: one is drawn
    uniformly. UCB1 tries each before it repeats any. The mask is used up.
    """
    nodes, counts = tree.nodes, tree.counts[0]
    counts.passings += 1
    passing = counts.passings
    width = counts.highest - counts.lowest
    scale = 1.0 / width if width > 0.0 else 0.0
    puct = settings.selection == PUCT
    share = (1.0 - settings.prior) / count
    untried_value = np.inf
    if puct:
        untried_value = -settings.first_play
        if nodes[parent].visits:
            untried_value += (tree.values[parent, player] / nodes[parent].visits - counts.lowest) * scale
    best = last = met = untried = 0
    best_score = -np.inf
    longest = availability = 0
    spread = 0.0
    child = nodes[parent].first_child
    while child:
        node = nodes[child]
        if tree.mask[node.action]:
            tree.mask[node.action] = False
            met += 1
            node.passed = passing
            node.availability += 1
            if node.visits == 0 and node.action != favourite:
                untried += 1
                longest = max(longest, node.availability)
            else:
                if node.availability != availability:
                    availability = node.availability
                    spread = settings.exploration * math.sqrt(availability if puct else math.log(availability))
                score = untried_value
                if node.visits:
                    score = (tree.values[child, player] / node.visits - counts.lowest) * scale
                if puct:
                    own_share = share + settings.prior if node.action == favourite else share
                    score += spread * own_share / (1.0 + node.visits)
                else:
                    score += spread * node.rarity
                if score > best_score:
                    best, best_score = child, score
        last = child
        child = node.next_sibling
    if met < count:
        if counts.used + count - met > len(nodes):
            counts.full = 1
            return 0
        untried += count - met
        added = add_children(tree, parent, last, favourite)
        if added:
            untried -= 1
            score = untried_value + settings.exploration * (share + settings.prior)
            if score > best_score:
                best, best_score = added, score
    if untried and untried_value + settings.exploration * share * math.sqrt(longest) > best_score:
        return nth_untried(tree, parent, _below(random_bits(seed, _SELECTION, parent), untried), favourite)
    return best


@compiled
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
            last = child
            if action == favourite:
                found = child
    return found


@compiled
def nth_untried(tree: Any, parent: int, n: int, favourite: int) -> int:
    """Of the children of `parent` that are legal in this passing and were never tried, number `n`, no favourite."""
    nodes, passing = tree.nodes, tree.counts[0].passings
    child = nodes[parent].first_child
    while True:
        node = nodes[child]
        if node.visits == 0 and node.passed == passing and node.action != favourite:
            if n == 0:
                return child
            n -= 1
        child = node.next_sibling


@compiled
def rollout(state: Any, token: Any, seat: int, settings: Any, seed: int, played: int, mask: Any, outcome: Any) -> None:
    """Play on from `state` by the rollout policy and leave what it comes to in `outcome`; `mask` is scratch space.

    `played` moves lie between the root and `state`. Where the settings have a depth, play is cut after so many
    moves from the root, as soon as the searching `seat` is to act again after another one, and judged by the
    static evaluation as `seat` sees it: so positions at the same point of a round are compared, whatever the
    depth of the tree.
    """
    greedy = settings.rollout == GREEDY
    depth = settings.depth if settings.depth != TO_THE_END else 1 << 30
    mover = seat
    while not (state.terminated or state.truncated):
        if settings.rollout == EVALUATE or (played >= depth and state.current_player == seat != mover):
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
