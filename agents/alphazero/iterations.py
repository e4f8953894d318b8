"""The search itself, compiled: iterations of selection, expansion and backup, their leaves judged in batches.

Unless the trees are closed every iteration starts from a fresh determinization of the root for the searching seat, with
a seed of its own, so it sees neither hidden cards nor chance to come. At the leaf the network is shown what the acting
seat sees there. Values are vectors over the seats (max^n: Luckhardt and Irani, 1986): whoever is to act picks by its
own component, and no sign is ever flipped.

`gather` runs each search until it has a leaf for the network, or several; the games that end are backed up on the way.
`deliver` takes what the network says of them. In a tree that is not closed a position with legal actions that its node
does not know is a leaf too: it is judged, and the node comes to have all of them.
"""

from __future__ import annotations

from typing import Any

from agents.alphazero.selection import count_visit, prepare_root, select
from agents.alphazero.settings import GUMBEL
from agents.alphazero.tree import add_node, backup, borrowed_forest, clear, expand, tree_of
from agents.heuristics.contract import rule_of_thumb
from agents.inlining import inlined
from envs.chance import random_bits
from envs.compiling import borrowed, compiled
from envs.game import apply_action, determinize, legal_actions, observe, returns

_ITERATION, _FAVOURITE, _ROLLOUT = (1 << 23) + 2, (1 << 23) + 3, (1 << 23) + 4
"""Streams of `random_bits`, apart from those of games, lanes, heuristics and other searches."""

LEAST = -1.0
"""What a seat gets at least, in units of the value scale; all that it can win is what the others lose."""

TAKEN = -1
"""No level: the leaf waits for the network already."""


@inlined
def begin(tree: Any, seat: int, seed: int, iterations: int, gumbel: float, dirichlet: float, keeps: bool) -> None:
    """Begin a search of so many iterations for `seat`, in the tree as it is if it `keeps` that.

    `gumbel` is what the Gumbel noise at the root is multiplied by, `dirichlet` the share of that noise in its prior.
    """
    lane = tree.lane[0]
    lane.seat, lane.seed, lane.budget, lane.planned = seat, seed, iterations, iterations
    lane.gumbel, lane.dirichlet = gumbel, dirichlet
    lane.begun = lane.done = lane.full = lane.ready = 0
    if not keeps:
        clear(tree)


@compiled
def gather_all(
    forest: Any, roots: Any, places: Any, spare: Any, token: Any, settings: Any, leaves: int, limit: int
) -> int:
    """Run every lane's search up to `leaves` leaves, each in a row, and return how many rows there are.

    `roots` (records[L]) is where each lane starts, `places` (records[R]) are the leaves; `spare` (records[1]) is
    scratch; `token` (shape (1,)) names the heuristics, `settings` is a `SETTINGS`[1]. A lane that has played `limit`
    iterations to the end of the game makes a pause.
    """
    forest, roots, places, spare = borrowed_forest(forest), borrowed(roots), borrowed(places), borrowed(spare)
    rows = 0
    for lane in range(len(roots)):
        rows = gather(forest, lane, roots, places, spare, token, settings, rows, leaves, limit)
    return rows


@compiled
def gather(
    forest: Any,
    number: int,
    roots: Any,
    places: Any,
    spare: Any,
    token: Any,
    settings: Any,
    rows: int,
    leaves: int,
    limit: int,
) -> int:
    """The same for one lane; its leaves come after the first `rows` rows."""
    forest, places, chosen = borrowed_forest(forest), borrowed(places), settings[0]
    tree = tree_of(forest, number)
    lane = tree.lane[0]
    if not lane.ready and tree.nodes[0].children and lane.budget:
        prepare_root(tree, chosen)
    ended, last = 0, rows + (leaves if lane.ready else 1)
    while lane.begun < lane.budget and rows < last and ended < limit:
        places[rows] = roots[number]
        state = places[rows]
        own_seed = random_bits(lane.seed, _ITERATION, lane.begun)
        if not chosen.closed:
            determinize(state, lane.seat, own_seed)
        path = forest.paths[rows]
        depth = descend(tree, path, state, forest.masks[rows], chosen)
        if depth == TAKEN:
            break
        if lane.ready:
            lane.begun += 1
            if chosen.root == GUMBEL:
                count_visit(lane)
        if state.terminated or state.truncated:
            tree.nodes[path[depth]].ended += 1
            outcome_of(state, tree.outcome, chosen.value_scale)
            backup(tree, path, depth, tree.outcome, 0)
            lane.done += 1
            ended += 1
            continue
        for level in range(depth + 1):
            tree.nodes[path[level]].pending += 1
        row = forest.rows[rows]
        row.lane, row.depth, row.seat, row.favourite = number, depth, state.current_player, -1
        observe(state, state.current_player, forest.observations[rows])
        if chosen.thumb_share > 0.0:
            row.favourite = rule_of_thumb(token[0], state, random_bits(own_seed, _FAVOURITE, 0))
        if chosen.rollout_share > 0.0:
            spare[0] = state
            roll_out(spare[0], token[0], own_seed)
            outcome_of(spare[0], forest.rolled[rows], chosen.value_scale)
        rows += 1
    return rows


@compiled
def descend(tree: Any, path: Any, state: Any, mask: Any, settings: Any) -> int:
    """Play from the root down to a leaf or the game's end, and return at which level it lies, or `TAKEN`.

    The nodes are `path[0]` to `path[level]`; `mask` (bool[A]) becomes the legal actions at the leaf. A decision
    between one action and nothing is no leaf: it costs no judgement.
    """
    nodes, lane = tree.nodes, tree.lane[0]
    depth = node = 0
    path[0] = 0
    while not (state.terminated or state.truncated):
        if nodes[node].children == 0 and nodes[node].pending:
            return TAKEN
        count = 0
        if nodes[node].children == 0 or depth + 1 == len(path) or not settings.closed:
            count = legal_actions(state, mask)
            if depth + 1 == len(path):
                break
        if nodes[node].children == 0:
            if count > 1 or depth == 0 or lane.used == len(nodes):
                break
            action = 0
            while not mask[action]:
                action += 1
            nodes[node].first_child = add_node(tree, action, 1.0)
            nodes[node].children = 1
        if not settings.closed and pass_by(tree, node, mask) < count:
            break
        child = select(tree, node, state.current_player, settings)
        apply_action(state, int(nodes[child].action))
        depth += 1
        path[depth] = node = child
    return depth


@inlined
def pass_by(tree: Any, index: int, mask: Any) -> int:
    """Note which children of a node are legal (`mask`) in this passing, and return how many."""
    nodes, lane = tree.nodes, tree.lane[0]
    lane.passings += 1
    met = 0
    child = nodes[index].first_child
    while child:
        node = nodes[child]
        if mask[node.action]:
            node.passed = lane.passings
            node.availability += 1
            met += 1
        child = node.next_sibling
    return met


@compiled
def roll_out(state: Any, token: Any, seed: int) -> None:
    """Play to the end by the rule of thumb."""
    number = 0
    while not (state.terminated or state.truncated):
        apply_action(state, rule_of_thumb(token, state, random_bits(seed, _ROLLOUT, number)))
        number += 1


@inlined
def outcome_of(state: Any, out: Any, value_scale: float) -> None:
    """Write what each seat got in a game that is over into `out` (float64[S]), in units of the value scale."""
    returns(state, out)
    for seat in range(len(out)):
        out[seat] /= value_scale


@compiled
def deliver(forest: Any, rows: int, logits: Any, values: Any, settings: Any) -> None:
    """Take the network's word on the first `rows` rows: logits float32[R, A], values float32[R, S], own seat first."""
    forest, logits, values, chosen = borrowed_forest(forest), borrowed(logits), borrowed(values), settings[0]
    seats = values.shape[1]
    for number in range(rows):
        row = forest.rows[number]
        tree = tree_of(forest, row.lane)
        path = forest.paths[number]
        share = chosen.rollout_share
        for place in range(seats):
            seat = (row.seat + place) % seats
            expected = min(max(values[number, place], LEAST), seats - 1.0)  # no estimate is better than to win it all
            tree.outcome[seat] = (1.0 - share) * expected + share * forest.rolled[number, seat]
        expand(tree, path[row.depth], forest.masks[number], logits[number], row.favourite, chosen)
        backup(tree, path, row.depth, tree.outcome, 1)
        if tree.lane[0].ready:
            tree.lane[0].done += 1
