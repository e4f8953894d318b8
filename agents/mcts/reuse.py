"""A search that goes on in the tree of the one before it."""

from __future__ import annotations

from agents.mcts.tree import Tree, start_afresh
from agents.reuse import keep, locate
from envs.position import Array


def continue_at(tree: Tree, root: Array, target: Array) -> int:
    """Make the node of position `target` (shape (1,)) the root of the tree, whose root was `root`.

    Returns the visits that are kept; 0 if the position was never visited, and the tree is as it was but for that.
    """
    node = locate(tree.nodes, root, target)
    if node < 0:
        return 0
    tree.counts["used"] = keep(tree.nodes, int(tree.counts["used"][0]), node, tree.values, tree.squares)
    start_afresh(tree)
    return int(tree.nodes["visits"][0])
