"""The positions that strength is measured by, and the measuring."""

from __future__ import annotations

from agents.registry import agent_config
from tests.agents.alphazero.strength import POSITIONS, load, optimal_moves
from tests.classics.connect_four_solver import Solver


def test_the_positions_have_the_optimal_moves_that_the_solver_finds():
    problems = load()
    assert len(problems) == POSITIONS
    assert sum(problem.source == "strong" for problem in problems) == POSITIONS // 2
    solver, solved = Solver(), 0
    for problem in problems:
        position = problem.position()
        assert problem.best < set(position.legal_actions())
        if len(problem.columns) >= 20:
            values = solver.move_values(position)
            assert problem.best == {column for column, value in values.items() if value == max(values.values())}
            assert len(set(values.values())) > 1
            solved += 1
    assert solved > 200


def test_a_search_finds_more_of_them_than_chance_does():
    problems = load()[::10]
    found = {name: sum(optimal_moves(problems, agent_config(name))) for name in ("random", "mcts")}
    assert found["random"] < 50 < 75 < found["mcts"]
