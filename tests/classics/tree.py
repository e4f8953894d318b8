"""Game trees of perfect information, walked by compiled code: move sequences, results, positions by ply."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.compiling import compiled
from envs.game import Game, apply_action, legal_actions, returns
from envs.position import Position

Array = np.ndarray[Any, Any]


@compiled
def _visit(stack: Any, masks: Any, payoffs: Any, ply: int, depth: int, sequences: Any, results: Any) -> None:
    sequences[ply] += 1
    if legal_actions(stack[ply], masks[ply]) == 0:
        returns(stack[ply], payoffs)
        results[0 if payoffs[0] > 0.0 else 1 if payoffs[1] > 0.0 else 2] += 1
    elif ply < depth:
        for action in range(masks.shape[1]):
            if masks[ply, action]:
                stack[ply + 1] = stack[ply]
                apply_action(stack[ply + 1], action)
                _visit(stack, masks, payoffs, ply + 1, depth, sequences, results)


def count_sequences(game: Game, depth: int) -> tuple[list[int], list[int]]:
    """How many move sequences there are of each length 0 to `depth`; of those that ended the game, how many
    were won by the first player, won by the second, and drawn.
    """
    start = Position(game)
    stack = np.repeat(start.states, depth + 1)
    masks = np.zeros((depth + 1, start.num_actions), np.bool_)
    sequences, results = np.zeros(depth + 1, np.int64), np.zeros(3, np.int64)
    _visit(stack, masks, np.zeros(2), 0, depth, sequences, results)
    return sequences.tolist(), results.tolist()


@compiled
def _expand(states: Any, mask: Any, children: Any) -> int:
    count = 0
    for i in range(len(states)):
        legal_actions(states[i], mask)
        for action in range(len(mask)):
            if mask[action]:
                children[count] = states[i]
                apply_action(children[count], action)
                count += 1
    return count


def positions_by_ply(game: Game, depth: int) -> list[Array]:
    """The distinct positions after 0 to `depth` moves, finished ones among them: one array of records a ply."""
    start = Position(game)
    plies = [start.states]
    mask = np.zeros(start.num_actions, np.bool_)
    for _ in range(depth):
        children = np.zeros(len(plies[-1]) * start.num_actions, game.dtype)
        count = _expand(plies[-1], mask, children)
        as_bytes = children[:count].view(np.dtype((np.void, game.dtype.itemsize)))
        _, first = np.unique(as_bytes, return_index=True)
        plies.append(children[first])
    return plies
