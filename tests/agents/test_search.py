"""Tree search: values of several seats, wins at hand, invariance, budgets, and what it reports."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents.agent import AgentError
from agents.mcts import MctsAgent, simulations_per_second
from agents.mcts.search import search
from agents.registry import agent_config
from envs.catalog import get_game
from envs.position import Position
from envs.view import View
from tests.agents.games import coins, last_stone, paths, stretched_coins, stretched_last_stone
from tests.agents.play import make

ROOT = Path(__file__).parents[2]


def searched(position, seed=0, **settings):
    """The report of a fresh agent's search of a position for the seat to act."""
    agent = make(agent_config("mcts", **settings), position.game, position.options, seed)
    assert isinstance(agent, MctsAgent)
    return agent.search_report(View(position, position.current_player))


# ------------------------------------------------------------------ several seats, several moves in a row


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_seat_that_moves_three_times_in_a_row_finds_the_path_on_which_it_alone_wins(first):
    for seed in range(10):
        position = Position(paths(), {"first": first})
        for expected in (1, 0, 2):
            best = searched(position, seed, iterations=400).actions[0]
            assert best.action == expected
            assert best.values[first] == max(best.values)
            position.apply(best.action)
        assert position.returns().tolist() == [1.0 if seat == first else -0.5 for seat in range(3)]


def test_a_search_that_flips_signs_at_each_move_does_not_find_it():
    """The mutant is right about two seats that alternate, so only the seat that moves again shows it up."""
    command = [sys.executable, "-m", "tests.agents.sign_flips"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    solved = json.loads(done.stdout)
    assert solved["true search"] == {"alternating": 6, "three in a row": 6}
    assert solved["sign flips"]["alternating"] == 6
    assert solved["sign flips"]["three in a row"] <= 1


def test_of_three_seats_each_takes_the_last_stone_within_fifty_simulations():
    for first in range(3):
        for stones in (1, 2, 3):
            for seed in range(5):
                position = Position(last_stone(), {"stones": stones, "first": first})
                report = searched(position, seed, iterations=50)
                best = report.actions[0]
                assert best.action == stones - 1
                assert best.values == tuple(1.0 if seat == first else -0.5 for seat in range(3))


WIN_IN_ONE = {0: ((0, 1, 0, 1, 0, 1), 0), 1: ((0, 1, 0, 1, 2, 1, 6), 1)}
"""Moves of Connect Four after which a seat is to act and wins at once, and the winning column."""


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("rollout", ["random", "greedy", "evaluate"])
def test_a_win_in_one_is_found_within_fifty_simulations_and_valued_exactly(seat, rollout):
    moves, column = WIN_IN_ONE[seat]
    position = Position(get_game("connect_four"))
    for move in moves:
        position.apply(move)
    assert position.current_player == seat
    for seed in range(20):
        best = searched(position, seed, iterations=50, rollout=rollout).actions[0]
        assert best.action == column
        assert best.values[seat] == 1.0
        assert best.values[1 - seat] == -1.0


# ------------------------------------------------------------------ returns times a plus b


@pytest.mark.parametrize(
    ("one", "other", "options"),
    [(last_stone, stretched_last_stone, {"stones": 11}), (coins, stretched_coins, {})],
    ids=["last_stone", "coins"],
)
def test_returns_times_a_plus_b_choose_the_same_moves(one, other, options):
    for deal in range(10):
        positions = [Position(game, options, deal) for game in (one(), other())]
        agents = [
            [make(agent_config("mcts", iterations=60), position.game, options, (deal, seat)) for seat in range(3)]
            for position in positions
        ]
        while (seat := positions[0].current_player) is not None:
            views = [View(position, seat) for position in positions]
            visits = [
                [(entry.action, entry.visits) for entry in agent[seat].search_report(view).actions]
                for agent, view in zip(agents, views, strict=True)
            ]
            assert visits[0] == visits[1]
            for position in positions:
                position.apply(visits[0][0][0])


# ------------------------------------------------------------------ budgets and reports


def test_the_report_accounts_for_every_iteration_and_orders_the_actions():
    report = searched(Position(get_game("connect_four")), iterations=500)
    assert report.iterations == 500
    assert sum(entry.visits for entry in report.actions) == 500
    assert [entry.availability for entry in report.actions] == [500] * 7
    order = [(not entry.wins, -entry.visits, -entry.values[0], entry.action) for entry in report.actions]
    assert order == sorted(order)
    assert sorted(entry.action for entry in report.actions) == list(range(7))
    for entry in report.actions:
        assert entry.values[0] == -entry.values[1]


def test_the_report_is_of_the_last_search_and_the_move_is_its_first_action():
    position = Position(get_game("connect_four"))
    agent = make(agent_config("mcts", iterations=100), position.game)
    view = View(position, 0)
    action = agent.act(view)
    report = agent.search_report(view)
    assert report.actions[0].action == action
    assert agent.search_report(view) is report
    assert agent.search_report(View(position, 0)) is not report


def test_a_forced_move_is_played_without_a_search():
    position = Position(last_stone(), {"stones": 1})
    agent = make(agent_config("mcts", iterations=10**9), position.game)
    assert agent.act(View(position, 0)) == 0


def test_a_full_tree_stops_growing_and_loses_nothing():
    position = Position(get_game("connect_four"))
    for budget in (8, 9, 60, 400):
        report = searched(position, iterations=2000, node_budget=budget)
        assert report.nodes <= budget
        assert report.budget_reached
        assert report.iterations == sum(entry.visits for entry in report.actions) == 2000
    roomy = searched(position, iterations=2000)
    assert not roomy.budget_reached
    assert roomy.nodes > 400
    for move in WIN_IN_ONE[1][0]:
        position.apply(move)
    assert searched(position, iterations=2000, node_budget=8).actions[0].action == WIN_IN_ONE[1][1]


def test_every_node_has_the_visits_of_its_children_and_the_sum_of_their_values():
    """Each visit of a node but its first goes on to a child, unless the game is over or the tree is full there."""
    position = Position(get_game("connect_four"))
    agent = make(agent_config("mcts", iterations=3000), position.game)
    agent.search_report(View(position, 0))
    tree, inner = agent._jobs[0].tree, 0
    for index in range(int(tree.counts["used"][0])):
        children = []
        child = int(tree.nodes["first_child"][index])
        while child:
            children.append(child)
            child = int(tree.nodes["next_sibling"][child])
        if children:
            inner += 1
            own = int(tree.nodes["visits"][index]) - (index > 0)
            assert own == tree.nodes["visits"][children].sum()
            assert len({int(tree.nodes["action"][child]) for child in children}) == len(children)
            difference = tree.values[index] - tree.values[children].sum(axis=0)
            assert np.abs(difference).max() <= (1.0 if index else 0.0)
    assert inner > 100


def test_the_iterations_are_the_same_in_however_many_calls_they_are_run():
    position = Position(get_game("connect_four"))
    trees = []
    for parts in ((300,), (1, 99, 200)):
        agent = make(agent_config("mcts", iterations=300), position.game)
        agent.search_report(View(position, 0))
        tree, done = agent._jobs[0].tree, 0
        root = View(position, 0).sample(np.random.default_rng(0)).states
        from agents.mcts.tree import clear

        clear(tree)
        for part in parts:
            place, plan = agent._jobs[0].place, agent._plan
            assert search(tree, place, plan.token, root, 0, plan.settings, 7, done, part, 1 << 60) == part
            done += part
        size = int(tree.counts["used"][0])
        trees.append((tree.nodes[:size].tobytes(), tree.values[:size].tobytes()))
    assert trees[0] == trees[1]


def test_a_time_budget_ends_the_search():
    position = Position(get_game("connect_four"))
    report = searched(position, seconds=0.05)
    assert report.iterations > 100
    assert 0.03 < report.seconds < 2.0
    both = searched(position, seconds=60.0, iterations=50)
    assert both.iterations == 50


def test_what_the_settings_cannot_mean_is_refused():
    game = get_game("leduc_poker")
    with pytest.raises(AgentError, match="leduc_poker has no rule of thumb"):
        make(agent_config("mcts", rollout="greedy"), game)
    with pytest.raises(AgentError, match="leduc_poker has no rule of thumb"):
        make(agent_config("mcts", rollout="random", depth=4), game)
    with pytest.raises(AgentError, match="leduc_poker has no rule of thumb"):
        make(agent_config("mcts", selection="puct"), game)
    with pytest.raises(AgentError, match="depth 3 needs a rollout that plays"):
        make(agent_config("mcts", rollout="evaluate", depth=3), get_game("connect_four"))
    with pytest.raises(AgentError, match="node_budget 7 is too small"):
        make(agent_config("mcts", node_budget=7), get_game("connect_four"))


def test_the_measure_of_speed_measures():
    assert simulations_per_second(iterations=200, repeats=3) > 0
    assert simulations_per_second("tic_tac_toe", iterations=200, repeats=3, moves=3) > 0
