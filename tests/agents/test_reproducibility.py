"""The same seed gives the same moves, in this process and in another, which compiles nothing again."""

import json
import os
import subprocess
import sys
from pathlib import Path

from agents.mcts.search import search
from agents.registry import agent_config
from envs.catalog import get_game
from envs.position import Position
from envs.view import View
from tests.agents.play import make

ROOT = Path(__file__).parents[2]
CASES = [
    ("connect_four", {}, {"iterations": 200}),
    ("connect_four", {}, {"iterations": 100, "rollout": "greedy", "epsilon": 0.2}),
    ("fuerstenfeld", {"num_players": 3}, {"iterations": 20}),
]


def moves(name, options, settings):
    """The first moves of a game of `mcts` against itself, and all that each search found."""
    game = get_game(name)
    position = Position(game, options, 1)
    agents = [make(agent_config("mcts", **settings), game, options, seat) for seat in range(position.num_players)]
    found = []
    while len(found) < 12 and not position.is_over:
        seat = position.current_player
        report = agents[seat].search_report(View(position, seat))
        found.append([[entry.action, entry.visits, *entry.values] for entry in report.actions])
        position.apply(report.actions[0].action)
    return found


def test_two_processes_find_the_same_and_the_second_compiles_nothing():
    here = [moves(*case) for case in CASES]
    environment = {**os.environ, "PYTHONHASHSEED": "123"}
    command = [sys.executable, "-m", "tests.agents.test_reproducibility"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    there = json.loads(done.stdout)
    assert there["moves"] == here
    assert there["compiled"] == 0


if __name__ == "__main__":
    found = [moves(*case) for case in CASES]
    print(json.dumps({"moves": found, "compiled": sum(search.stats.cache_misses.values())}))
