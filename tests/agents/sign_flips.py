"""How often a search, and one that flips signs at each move, finds the winning move: run in plain mode.

NUMBA_DISABLE_JIT=1 python -m tests.agents.sign_flips
"""

import json

from agents.mcts import search as module
from agents.registry import agent_config
from envs.position import Position
from envs.view import View
from tests.agents.games import last_stone, paths
from tests.agents.play import make

SEEDS = 6


def flipping_backup(tree, depth):
    """The mutant: one value, the root seat's, whose sign changes from level to level as if seats alternated."""
    counts = tree.counts[0]
    value = tree.outcome[ROOT_SEAT]
    counts.lowest, counts.highest = -1.0, 1.0
    for level in range(depth + 1):
        index = tree.path[0, level]
        node = tree.nodes[index]
        node.visits += 1
        node.rarity = node.visits**-0.5
        tree.values[index, :] += value if level % 2 else -value


ROOT_SEAT = 0


def solved(game, options, path):
    """Of `SEEDS` searches, how many choose the first move of `path`."""
    count = 0
    for seed in range(SEEDS):
        position = Position(game, options)
        agent = make(agent_config("mcts", iterations=250), game, options, seed)
        count += agent.search_report(View(position, ROOT_SEAT)).actions[0].action == path[0]
    return count


def main():
    found = {}
    true_backup = module.backup
    for name, backup in (("true search", true_backup), ("sign flips", flipping_backup)):
        module.backup = backup
        found[name] = {
            "alternating": solved(last_stone(), {"stones": 2}, (1,)),
            "three in a row": solved(paths(), {}, (1, 0, 2)),
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
