"""Which action an iteration goes on with, and what the network's policy becomes by what was found.

PUCT: Silver et al., "Mastering the game of Go without human knowledge", 2017. Gumbel: Danihelka, Guez, Schrittwieser
and Silver, "Policy improvement by planning with Gumbel", ICLR 2022: the root considers the actions that its noise and
the network's logits put first, visits them equally often, and halves their number by what it has found (sequential
halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013); below it visits are
made to follow the improved policy.

Leaves that wait for the network count as visits without a value (Liu et al., "Watch the Unobserved", ICLR 2020).
Values are in units of the value scale, so from -1 to 1 or about; each seat looks at its own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agents.alphazero.settings import GUMBEL
from agents.alphazero.tree import next_child, set_prior
from agents.inlining import inlined
from envs.chance import random_bits

_NOISE, _GAMMA = 1 << 23, (1 << 23) + 1
"""Streams of `random_bits`, apart from those of games, lanes, heuristics and other searches."""


@inlined
def mean_value(tree: Any, index: int, seat: int) -> float:
    """What `seat` got on average in the visits of a node that has some."""
    return tree.values[index, seat] / tree.nodes[index].visits


@inlined
def improve(tree: Any, index: int, player: int, legal_only: bool, settings: Any) -> float:
    """Write each child's logit plus its weighted value into `tree.ratings`, by place in the list.

    The value of a child never visited is taken to be the mixed value of its parent (equation 33 of Danihelka et al.),
    for which the network's value of the parent is what its sum holds besides those of its children. With `legal_only`
    children whose action is not legal in this passing get -inf. Returns the greatest.
    """
    nodes = tree.nodes
    most = visits = 0
    total = tried_prior = weighted = 0.0
    left = nodes[index].children
    child = nodes[index].first_child
    while child:
        node = nodes[child]
        most = max(most, node.visits)
        if node.visits:
            visits += node.visits
            total += tree.values[child, player]
            tried_prior += node.prior
            weighted += node.prior * tree.values[child, player] / node.visits
        left -= 1
        child = next_child(nodes, child, settings.closed, left)
    own = nodes[index].visits - visits  # those that ended here, with the network's value
    mixed = 0.0
    if own > 0:
        mixed = (tree.values[index, player] - total) / own
    elif nodes[index].visits:
        mixed = mean_value(tree, index, player)
    if tried_prior > 0.0:
        mixed = (mixed + visits * weighted / tried_prior) / (1.0 + visits)
    weight = 0.5 * settings.value_weight * (settings.visit_offset + most)  # values from 0 to 1 are meant
    best = -np.inf
    place = 0
    left = nodes[index].children
    child = nodes[index].first_child
    while child:
        node = nodes[child]
        rating = -np.inf
        if not legal_only or node.passed == tree.lane[0].passings:
            value = tree.values[child, player] / node.visits if node.visits else mixed
            rating = node.logit + weight * value
        tree.ratings[place] = rating
        best = max(best, rating)
        place += 1
        left -= 1
        child = next_child(nodes, child, settings.closed, left)
    return best


@inlined
def select(tree: Any, index: int, player: int, settings: Any) -> int:
    """The child to go on to for `player`, of those that are legal in this passing."""
    if settings.root == GUMBEL:
        if index == 0:
            return select_considered(tree, player, settings)
        return select_improved(tree, index, player, settings)
    return select_puct(tree, index, player, settings)


@inlined
def select_puct(tree: Any, index: int, player: int, settings: Any) -> int:
    """By value and prior. In place of the parent's visits stands how often an action was available."""
    nodes, closed, passing = tree.nodes, settings.closed, tree.lane[0].passings
    legal_prior, tried_prior = 0.0, 0.0
    passed = 0
    left = nodes[index].children
    child = nodes[index].first_child
    while child:
        node = nodes[child]
        if closed or node.passed == passing:
            legal_prior += node.prior
            if node.visits:
                tried_prior += node.prior
            passed += node.visits + node.pending
        left -= 1
        child = next_child(nodes, child, closed, left)
    scale = 1.0 / legal_prior if legal_prior > 0.0 else 1.0
    untried = -settings.first_play * math.sqrt(tried_prior * scale)
    if nodes[index].visits:
        untried += mean_value(tree, index, player)
    best = 0
    best_score = -np.inf
    left = nodes[index].children
    child = nodes[index].first_child
    while child:
        node = nodes[child]
        if closed or node.passed == passing:
            available = passed if closed else node.availability
            score = tree.values[child, player] / node.visits if node.visits else untried
            growth = math.sqrt(max(available, 1)) / (1.0 + node.visits + node.pending)
            score += settings.exploration * growth * node.prior * scale
            if score > best_score:
                best, best_score = child, score
        left -= 1
        child = next_child(nodes, child, closed, left)
    return best


@inlined
def select_improved(tree: Any, index: int, player: int, settings: Any) -> int:
    """The action whose share of the visits is furthest behind its probability in the improved policy."""
    nodes, closed, passing = tree.nodes, settings.closed, tree.lane[0].passings
    if nodes[index].children == 1:
        return nodes[index].first_child
    highest = improve(tree, index, player, not closed, settings)
    total, visits = 0.0, 0
    place = 0
    left = nodes[index].children
    child = nodes[index].first_child
    while child:
        node = nodes[child]
        tree.ratings[place] = math.exp(tree.ratings[place] - highest)
        total += tree.ratings[place]
        if closed or node.passed == passing:
            visits += node.visits + node.pending
        place += 1
        left -= 1
        child = next_child(nodes, child, closed, left)
    best = 0
    best_score = -np.inf
    place = 0
    left = nodes[index].children
    child = nodes[index].first_child
    while child:
        node = nodes[child]
        if closed or node.passed == passing:
            score = tree.ratings[place] / total - (node.visits + node.pending) / (1.0 + visits)
            if score > best_score:
                best, best_score = child, score
        place += 1
        left -= 1
        child = next_child(nodes, child, closed, left)
    return best


@inlined
def select_considered(tree: Any, player: int, settings: Any) -> int:
    """At the root: of the actions that have as many visits as this round begins with, the best with its noise."""
    nodes, level = tree.nodes, tree.lane[0].level
    improve(tree, 0, player, False, settings)
    best = 0
    best_score = -np.inf
    place = 0
    left = nodes[0].children
    child = nodes[0].first_child
    while child:
        node = nodes[child]
        if node.visits + node.pending - tree.kept[node.action] == level:
            score = tree.ratings[place] + tree.gumbels[node.action]
            if best == 0 or score > best_score:
                best, best_score = child, score
        place += 1
        left -= 1
        child = next_child(nodes, child, settings.closed, left)
    return best


# ------------------------------------------------------------------ the beginning of a search


@inlined
def prepare_root(tree: Any, settings: Any) -> None:
    """Draw the root's noise and begin sequential halving; the root has its children."""
    lane, nodes = tree.lane[0], tree.nodes
    lane.ready = 1
    child = nodes[0].first_child
    while child:
        tree.kept[nodes[child].action] = nodes[child].visits
        child = nodes[child].next_sibling
    if settings.root == GUMBEL:
        lane.considered = min(settings.considered, nodes[0].children, max(lane.planned, 1))
        lane.phases = math.ceil(math.log2(max(lane.considered, 2)))
        lane.in_round = lane.level = 0
        lane.rounds = rounds_of_phase(lane)
        for action in range(len(tree.gumbels)):
            tree.gumbels[action] = 0.0
            if lane.gumbel:
                tree.gumbels[action] = -lane.gumbel * math.log(-math.log(uniform(lane.seed, _NOISE, action)))
    elif lane.dirichlet > 0.0:
        add_dirichlet(tree, settings.concentration / nodes[0].children)


@inlined
def rounds_of_phase(lane: Any) -> int:
    """How often the actions considered are visited before their number is halved."""
    return max(1, lane.planned // (lane.phases * lane.considered))


@inlined
def foresee(lane: Any, iterations: int) -> None:
    """So many iterations are to be shared out in all: the phase under way is cut or lengthened, and those to come."""
    done_rounds = rounds_of_phase(lane) - lane.rounds
    lane.planned = min(iterations, lane.budget)
    lane.rounds = max(1, rounds_of_phase(lane) - done_rounds)


@inlined
def count_visit(lane: Any) -> None:
    """Sequential halving goes on by one visit of the root."""
    lane.in_round += 1
    if lane.in_round < lane.considered:
        return
    lane.in_round = 0
    lane.level += 1
    lane.rounds -= 1
    if lane.rounds <= 0:
        lane.considered = max(min(2, lane.considered), lane.considered // 2)
        lane.rounds = rounds_of_phase(lane)


@inlined
def add_dirichlet(tree: Any, alpha: float) -> None:
    """Mix the root's prior with a draw from the symmetric Dirichlet distribution of parameter `alpha`."""
    lane, nodes = tree.lane[0], tree.nodes
    total = 0.0
    place = 0
    child = nodes[0].first_child
    while child:
        tree.ratings[place] = gamma(random_bits(lane.seed, _GAMMA, nodes[child].action), alpha)
        total += tree.ratings[place]
        place += 1
        child = nodes[child].next_sibling
    if total <= 0.0:
        return
    place = 0
    child = nodes[0].first_child
    while child:
        node = nodes[child]
        set_prior(node, node.prior + lane.dirichlet * (tree.ratings[place] / total - node.prior))
        place += 1
        child = node.next_sibling


@inlined
def uniform(seed: int, stream: int, counter: int) -> float:
    """A number above 0 and below 1."""
    return ((random_bits(seed, stream, counter) >> 11) + 0.5) * 2.0**-52


@inlined
def gamma(seed: int, shape: float) -> float:
    """A draw from the gamma distribution (Marsaglia and Tsang, "A simple method for generating gamma variables", 2000).

    Below shape 1 it is a draw for shape + 1 times a power of a uniform number.
    """
    d = shape + (1.0 if shape < 1.0 else 0.0) - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    counter = 0
    while True:
        angle = 2.0 * math.pi * uniform(seed, _GAMMA, counter)
        normal = math.sqrt(-2.0 * math.log(uniform(seed, _GAMMA, counter + 1))) * math.cos(angle)
        cube = 1.0 + c * normal
        cube = cube * cube * cube
        u = uniform(seed, _GAMMA, counter + 2)
        counter += 3
        if cube > 0.0 and math.log(u) < 0.5 * normal * normal + d - d * cube + d * math.log(cube):
            break
    drawn = d * cube
    if shape < 1.0:
        drawn *= uniform(seed, _NOISE, 0) ** (1.0 / shape)
    return drawn
