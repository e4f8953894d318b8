"""How often an `alphazero` agent finds an optimal move of Connect Four, by exact values.

    python -m tests.agents.alphazero.strength CHECKPOINT [iterations]

prints the share over 1,000 positions in which the moves differ in value, with a search (200 simulations unless others
are given) and by the policy alone, with Wilson intervals for 95 %. Half of the positions are from random play, half
from games of `mcts` with 1,000 simulations a move after two random moves; of each game one position is taken, between
the 8th and the 34th move. `connect_four_positions.txt` has them: whence, the columns played, the optimal columns.

    python -m tests.agents.alphazero.strength --generate

works that file out again, which takes a quarter of an hour.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from agents.registry import AgentConfig, agent_config, make_agent
from envs.catalog import get_game
from envs.position import Position
from envs.view import View
from experiments.statistics import wilson
from tests.classics.connect_four_solver import Solver

FILE = Path(__file__).with_name("connect_four_positions.txt")

POSITIONS = 1000
FIRST, LAST = 8, 34
"""Moves played before a position that is taken."""

STRONG = agent_config("mcts", iterations=1000, reuse=False)
OPENING = 2

SIMULATIONS = 200


class Problem(NamedTuple):
    """A position: whence it is, the columns played, and the optimal ones."""

    source: str
    columns: tuple[int, ...]
    best: frozenset[int]

    def position(self) -> Position:
        """The position."""
        position = Position(get_game("connect_four"))
        for column in self.columns:
            position.apply(column)
        return position


def load() -> list[Problem]:
    """The positions of the file."""
    lines = (line.split() for line in FILE.read_text().splitlines())
    return [Problem(source, tuple(map(int, columns)), frozenset(map(int, best))) for source, columns, best in lines]


def random_game(rng: np.random.Generator) -> Iterator[int]:
    """The columns of a game of random play."""
    position = Position(get_game("connect_four"))
    while not position.is_over:
        column = int(rng.choice(position.legal_actions()))
        yield column
        position.apply(column)


def strong_game(rng: np.random.Generator) -> Iterator[int]:
    """The columns of a game of `STRONG` against itself after a random opening."""
    position = Position(get_game("connect_four"))
    agents = [make_agent(STRONG, position.game, position.options, rng) for _ in range(2)]
    while (seat := position.current_player) is not None:
        if position.move_number < OPENING:
            column = int(rng.choice(position.legal_actions()))
        else:
            column = agents[seat].act(View(position, seat))
        yield column
        position.apply(column)


def generate() -> Iterator[Problem]:
    """As many positions from either source, in which the moves differ in value."""
    solver = Solver()
    for source, game in (("random", random_game), ("strong", strong_game)):
        rng, found = np.random.default_rng(0), 0
        while found < POSITIONS // 2:
            columns, length = tuple(game(rng)), int(rng.integers(FIRST, LAST + 1))
            if length >= len(columns):
                continue
            position = Problem(source, columns[:length], frozenset()).position()
            values = solver.move_values(position)
            highest = max(values.values())
            if min(values.values()) < highest:
                found += 1
                best = frozenset(column for column, value in values.items() if value == highest)
                yield Problem(source, columns[:length], best)


def optimal_moves(problems: list[Problem], config: AgentConfig) -> list[bool]:
    """In which positions the agent plays an optimal move."""
    game = get_game("connect_four")
    agent = make_agent(config, game, game.validate({}), np.random.default_rng(0))
    found = []
    for problem in problems:
        position = problem.position()
        assert position.current_player is not None
        found.append(agent.act(View(position, position.current_player)) in problem.best)
    return found


def main(arguments: list[str]) -> None:
    if arguments == ["--generate"]:
        with FILE.open("w") as file:
            for problem in generate():
                columns, best = ("".join(map(str, part)) for part in (problem.columns, sorted(problem.best)))
                print(problem.source, columns, best, file=file, flush=True)
        return
    torch.set_num_threads(1)  # for a few rows at once more of them only wait for one another
    checkpoint, iterations = arguments[0], int(arguments[1]) if len(arguments) > 1 else SIMULATIONS
    problems = load()
    for words, budget in ((f"{iterations} simulations", iterations), ("policy alone", 0)):
        config = agent_config("alphazero", checkpoint=checkpoint, iterations=budget, reuse=False)
        found = optimal_moves(problems, config)
        for sources in (("random", "strong"), ("random",), ("strong",)):
            some = [good for good, problem in zip(found, problems, strict=True) if problem.source in sources]
            share = sum(some) / len(some)
            low, high = wilson(share, len(some))
            play = f"{words}, positions of {' and '.join(sources)} play"
            print(
                f"{play}: {100 * share:.1f} % optimal ({100 * low:.1f} to {100 * high:.1f}), n = {len(some)}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
