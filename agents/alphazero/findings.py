"""What a search found at its root, and the action that follows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agents.alphazero.selection import improve, uniform
from agents.alphazero.settings import GUMBEL
from agents.alphazero.tree import borrowed_forest, tree_of
from agents.inlining import inlined
from envs.compiling import compiled

_CHOICE = (1 << 23) + 5
"""A stream of `random_bits`, apart from those of games, lanes, heuristics and other searches."""


@inlined
def improved_policy(tree: Any, settings: Any, out: Any) -> None:
    """Write the policy to learn from into `out` (float32[A]).

    Gumbel: the softmax of logits plus weighted values, those never tried included; PUCT: the shares of the visits, or
    of the prior if there are none.
    """
    nodes = tree.nodes
    out[:] = 0.0
    total = highest = 0.0
    if settings.root == GUMBEL:
        highest = improve(tree, 0, tree.lane[0].seat, False, settings)
    visits = visits_below_root(tree)
    place = 0
    child = nodes[0].first_child
    while child:
        node = nodes[child]
        weight = 0.0
        if settings.root == GUMBEL:
            weight = math.exp(tree.ratings[place] - highest)
        else:
            weight = node.visits if visits else node.prior
        out[node.action] = weight
        total += weight
        place += 1
        child = node.next_sibling
    child = nodes[0].first_child
    while child:
        out[nodes[child].action] /= total
        child = nodes[child].next_sibling


@inlined
def visits_below_root(tree: Any) -> int:
    """How often the root's children were visited."""
    visits = 0
    child = tree.nodes[0].first_child
    while child:
        visits += tree.nodes[child].visits
        child = tree.nodes[child].next_sibling
    return visits


@inlined
def choose(tree: Any, settings: Any, temperature: float) -> int:
    """The root's child to play.

    Gumbel: of those most visited in this search, the best by logit, value and noise, which counts times the
    temperature. PUCT: the most visited, the one of greater value or prior among equals; at a temperature one drawn by
    visits to the power of 1/temperature.
    """
    nodes, lane = tree.nodes, tree.lane[0]
    if settings.root == GUMBEL:
        improve(tree, 0, lane.seat, False, settings)
        noise = temperature / lane.gumbel if lane.gumbel > 0.0 else 0.0
        return best_rated(tree, noise)
    if temperature > 0.0 and visits_below_root(tree):
        return drawn(tree, temperature)
    best = child = nodes[0].first_child
    while child:
        node, other = nodes[child], nodes[best]
        if node.visits > other.visits:
            best = child
        elif node.visits == other.visits:
            gain = tree.values[child, lane.seat] - tree.values[best, lane.seat]
            if gain > 0.0 or (gain == 0.0 and node.prior > other.prior):
                best = child
        child = node.next_sibling
    return best


@inlined
def best_rated(tree: Any, noise: float) -> int:
    """Of the root's children most visited in this search, the best by `tree.ratings` and `noise` times the noise."""
    nodes = tree.nodes
    best, most, best_score = 0, -1, -np.inf
    place = 0
    child = nodes[0].first_child
    while child:
        action = nodes[child].action
        visits = nodes[child].visits - tree.kept[action]
        score = tree.ratings[place] + noise * tree.gumbels[action]
        if visits > most or (visits == most and score > best_score):
            best, most, best_score = child, visits, score
        place += 1
        child = nodes[child].next_sibling
    return best


@inlined
def drawn(tree: Any, temperature: float) -> int:
    """One of the root's children, by visits to the power of 1/temperature."""
    nodes = tree.nodes
    most = 0
    child = nodes[0].first_child
    while child:
        most = max(most, nodes[child].visits)
        child = nodes[child].next_sibling
    total = 0.0
    place = 0
    child = nodes[0].first_child
    while child:
        tree.ratings[place] = (nodes[child].visits / most) ** (1.0 / temperature)
        total += tree.ratings[place]
        place += 1
        child = nodes[child].next_sibling
    left = total * uniform(tree.lane[0].seed, _CHOICE, 0)
    place = 0
    last = child = nodes[0].first_child
    while child:
        if tree.ratings[place] > 0.0:
            last = child
            left -= tree.ratings[place]
            if left < 0.0:
                break
        place += 1
        child = nodes[child].next_sibling
    return last


@compiled
def read_out(
    forest: Any, settings: Any, visits: Any, policies: Any, priors: Any, values: Any, action_values: Any, ended: Any,
    actions: Any,
) -> None:  # fmt: skip
    """Write what every lane found; the shapes are those of `agents.alphazero.search.Found`."""
    forest = borrowed_forest(forest)
    for number in range(len(actions)):
        tree = tree_of(forest, number)
        nodes = tree.nodes
        actions[number] = -1
        if nodes[0].children == 0:
            continue
        improved_policy(tree, settings[0], policies[number])
        actions[number] = nodes[choose(tree, settings[0], 0.0)].action
        for seat in range(values.shape[1]):
            values[number, seat] = tree.values[0, seat] / max(nodes[0].visits, 1)
        child = nodes[0].first_child
        while child:
            node = nodes[child]
            visits[number, node.action] = node.visits
            priors[number, node.action] = node.prior
            ended[number, node.action] = node.visits > 0 and node.visits == node.ended
            for seat in range(values.shape[1]):
                action_values[number, node.action, seat] = tree.values[child, seat] / max(node.visits, 1)
            child = node.next_sibling
