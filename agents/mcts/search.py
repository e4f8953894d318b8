"""The search itself, compiled: iterations of selection, expansion, rollout and backup over a `Tree`.

Unless the tree is closed every iteration starts from a fresh determinization of the root for the searching seat,
with a seed of its own, so it sees neither hidden cards nor chance to come. Values are vectors over the seats
(max^n: Luckhardt and Irani, 1986): whoever is to act picks by its own component, and no sign is ever flipped.
Paranoid (Sturtevant and Korf, 2000) looks at the searching seat's component alone, which all others want to be low.

The iteration in hand is kept in the tree. So a search can break off in the middle of a rollout and go on later, and
can hand a leaf out to be judged by something else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agents.heuristics.contract import rule_of_thumb
from agents.inlining import inlined
from agents.mcts.rollouts import rollout
from agents.mcts.selection import select
from agents.mcts.settings import FAVOURITE, ITERATION, NETWORK, OBSERVATION, PUCT
from agents.mcts.tree import AWAITING, IDLE, JUDGED, PLAYING, SEVERAL, add_node, borrowed_tree
from envs.chance import random_bits
from envs.compiling import borrowed, compiled
from envs.game import apply_action, determinize, legal_actions, observe

_PRIME, _63_BITS = 0x100000001B3, (1 << 63) - 1


@compiled
def search(
    tree: Any,
    place: Any,
    token: Any,
    root: Any,
    seat: int,
    settings: Any,
    seed: int,
    first: int,
    iterations: int,
    moves: int,
) -> int:
    """Run the iterations numbered from `first`, `iterations` of them, from `root` (shape (1,)) for `seat`.

    The position of the iteration in hand is kept in `place` (shape (1,)).
    `token` (shape (1,)) names the heuristics, `settings` is a `SETTINGS`[1]. Returns how many were brought to their
    end: fewer once about `moves` moves have been played, or when a leaf is to be judged (`AWAITING`: whoever
    writes its value into `tree.outcome` sets `JUDGED`). The same seed gives the same tree, in however many calls
    the iterations are run.
    """
    tree, place, root, chosen = borrowed_tree(tree), borrowed(place), borrowed(root), settings[0]
    counts, state = tree.counts[0], place[0]
    last = counts.moves + moves
    done = 0
    while done < iterations and counts.moves < last:
        own_seed = random_bits(seed, ITERATION, first + done)
        if counts.stage == IDLE:
            place[0] = root[0]
            if not chosen.closed:
                determinize(state, seat, own_seed)
            counts.depth = descend(tree, token[0], state, seat, chosen, seed, own_seed)
            counts.played = counts.depth
            counts.moves += counts.depth
            counts.mover = seat
            counts.stage = PLAYING
            if chosen.rollout == NETWORK and not (state.terminated or state.truncated):
                counts.stage = AWAITING
        if counts.stage == AWAITING:
            return done
        if counts.stage == PLAYING and not rollout(tree, state, token[0], seat, chosen, own_seed, last - counts.moves):
            return done
        backup(tree, counts.depth)
        counts.stage = IDLE
        counts.moves += 1
        done += 1
    return done


@compiled
def descend(tree: Any, token: Any, state: Any, seat: int, settings: Any, seed: int, own_seed: int) -> int:
    """Play from the root down to a node not visited yet or the game's end, and return at which level it lies.

    The nodes are `path[tree, 0]` to `path[tree, level]`. `seed` is the search's, `own_seed` the iteration's.
    """
    tree = borrowed_tree(tree)  # a function of its own does not know that it is borrowed
    nodes, path = tree.nodes, tree.path
    trees, levels = path.shape
    depth = node = mine = 0
    for other in range(trees):
        path[other, 0] = other
    is_leaf = False
    while not (is_leaf or state.terminated or state.truncated) and depth + 1 < levels:
        player = state.current_player
        if trees > 1:
            mine = player
            node = path[mine, depth]
        count = nodes[node].children if settings.closed else 0
        if count == 0:
            count = legal_actions(state, tree.mask)
        favourite = -1
        if settings.selection == PUCT and count > 1:
            favourite = nodes[node].favourite - 1
            if favourite < 0:
                favourite = rule_of_thumb(token, state, random_bits(seed, FAVOURITE, node))
                if settings.closed:  # else it may depend on the cards dealt, and is asked anew each time
                    nodes[node].favourite = favourite + 1
            if depth == 0:
                tree.favoured[favourite] += 1
        child = select(tree, node, count, player, seat, favourite, settings, own_seed)
        if child == 0:
            break
        is_leaf = nodes[child].visits == 0
        action = nodes[child].action
        apply_action(state, action)
        depth += 1
        path[mine, depth] = node = child
        for other in range(trees):
            if other != mine:
                path[other, depth] = follow(tree, path[other, depth - 1], action, state, other)
                is_leaf |= path[other, depth] == 0
    if state.terminated or state.truncated:
        for other in range(trees):
            if path[other, depth]:
                nodes[path[other, depth]].ended += 1
    return depth


@inlined
def follow(tree: Any, parent: int, action: int, state: Any, observer: int) -> int:
    """The child of `parent` in the tree of `observer` that stands for another's action, by what it then sees.

    Positions that look alike to a seat are one node in its tree. 0 where there is no room for it.
    """
    nodes = tree.nodes
    key = sight(state, observer, tree.seen)
    last = 0
    child = nodes[parent].first_child
    while child:
        node = nodes[child]
        if node.action < 0 and tree.keys[child] == key:
            if node.action != ~action:
                node.action = SEVERAL
            return child
        last = child
        child = node.next_sibling
    if tree.counts[0].used == len(nodes):
        tree.counts[0].full = 1
        return 0
    child = add_node(tree, ~action)
    tree.keys[child] = key
    if last:
        nodes[last].next_sibling = child
    else:
        nodes[parent].first_child = child
    nodes[parent].children += 1
    return child


@compiled
def sight(state: Any, seat: int, seen: Any) -> int:
    """63 bits of hash over what `seat` observes (FNV-1a, folded); `seen` (float32[observation_size]) is scratch."""
    observe(state, seat, seen)
    bits = seen.view(np.int32)
    key = 0
    for i in range(len(bits)):
        key = ((key ^ (key >> 29) ^ int(bits[i])) * _PRIME) & _63_BITS
    return random_bits(key, OBSERVATION, 0)


@inlined
def backup(tree: Any, depth: int) -> None:
    """Add `tree.outcome` to every node of the path and widen the range of values seen."""
    counts, outcome = tree.counts[0], tree.outcome
    seats = len(outcome)
    for seat in range(seats):
        counts.lowest = min(counts.lowest, outcome[seat])
        counts.highest = max(counts.highest, outcome[seat])
    for which in range(len(tree.path)):
        for level in range(depth + 1):
            index = tree.path[which, level]
            if level and index == 0:  # there was no room for it
                break
            node = tree.nodes[index]
            if level and node.visits == 0:
                tree.nodes[tree.path[which, level - 1]].tried += 1
            node.visits += 1
            node.rarity = 1.0 / math.sqrt(node.visits)
            for seat in range(seats):
                tree.values[index, seat] += outcome[seat]
                if len(tree.squares):
                    tree.squares[index, seat] += outcome[seat] * outcome[seat]


def judge(tree: Any, values: Any) -> None:
    """Give the leaf that awaits it its value for each seat."""
    tree.outcome[:] = values
    tree.counts["stage"] = JUDGED
