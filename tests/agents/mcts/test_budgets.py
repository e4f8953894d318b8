"""Time, threads, trees that are kept, and room for nodes."""

from __future__ import annotations

import numpy as np
import pytest

from agents.agent import AgentError
from agents.mcts import agent as agent_module
from agents.mcts import parallel
from agents.mcts.agent import MctsAgent
from agents.reuse import MOST_MOVES
from envs.catalog import get_game
from envs.position import Position
from envs.view import View
from tests.agents.games import last_stone
from tests.agents.mcts.searching import after_random_moves, searched, searcher, visits

UCT = {"selection": "ucb1", "rollout": "random", "depth": "full"}

# ------------------------------------------------------------------ time


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by so many seconds for each move that a search plays, and that a search is told by."""

    class Counted:
        now = 100.0
        a_move = 0.0

    def counted_search(tree, *rest):
        before = int(tree.counts["moves"][0])
        found = true_search(tree, *rest)
        Counted.now += (int(tree.counts["moves"][0]) - before) * Counted.a_move
        return found

    true_search = parallel.search
    for module in (parallel, agent_module):
        monkeypatch.setattr(module, "perf_counter", lambda: Counted.now)
    monkeypatch.setattr(parallel, "search", counted_search)
    return Counted


@pytest.mark.parametrize("a_move", [1e-7, 1e-5, 2e-4])
@pytest.mark.parametrize("seconds", [0.002, 0.05, 0.4])
@pytest.mark.parametrize("trees", [None, 4])
def test_a_move_takes_its_time_and_not_much_more_however_long_a_simulation_is(clock, a_move, seconds, trees):
    """A random game of Connect Four is some twenty moves: at 0.2 ms a move one alone would take too long."""
    game = get_game("connect_four")
    if a_move == 1e-7:
        seconds = min(seconds, 0.02)  # for the moves are really played
    position = after_random_moves(game, {}, 1, 2)
    agent = searcher(game, {}, seconds=seconds, determinizations=trees, **UCT)
    assert position.current_player is not None
    started, clock.a_move = clock.now, a_move
    report = agent.search_report(View(position, position.current_player))
    spent = clock.now - started
    assert spent <= seconds + max(0.05 * seconds, 0.003)
    assert spent >= 0.95 * seconds
    assert report.seconds == pytest.approx(spent)
    if a_move == 2e-4 and seconds == 0.002:
        assert report.iterations == 0
        assert sorted(entry.action for entry in report.actions) == position.legal_actions()


@pytest.mark.parametrize("mode", [{}, {"determinizations": 4}, {"observers": "multiple"}, {"threads": 2}], ids=str)
def test_there_is_a_move_even_if_the_time_is_up_before_the_search_begins(mode):
    """A busy machine may take longer than that to get so far."""
    position = after_random_moves(get_game("leduc_poker"), {}, 2, 1)
    agent = searcher(position.game, {}, seconds=1e-9, **mode)
    assert agent.act(View(position, position.current_player)) in position.legal_actions()


def test_a_time_budget_that_iterations_use_up_ends_with_them(clock):
    clock.a_move = 1e-6
    assert searched(Position(get_game("connect_four")), seconds=10.0, iterations=321, **UCT).iterations == 321


# ------------------------------------------------------------------ threads


def test_several_threads_find_the_same_every_time_and_use_every_iteration():
    position = after_random_moves(get_game("connect_four"), {}, 2, 4)
    for threads in (2, 3):
        first, second = (searched(position, 7, iterations=2000, threads=threads, **UCT) for _ in range(2))
        assert first.actions == second.actions
        assert first.principal_variation == second.principal_variation
        assert sum(visits(first).values()) == first.iterations == 2000
    alone = searched(position, 7, iterations=2000, **UCT)
    assert alone.actions != searched(position, 7, iterations=2000, threads=2, **UCT).actions


def test_two_threads_sum_up_two_trees():
    """What two threads find is what two searches with half of the iterations find, summed up."""
    position = after_random_moves(get_game("leduc_poker"), {}, 2, 1)
    agent = searcher(position.game, {}, 5, iterations=1000, threads=2)
    report = agent.search_report(View(position, position.current_player))
    assert [job.done for job in agent._jobs] == [500, 500]
    trees = [job.tree for job in agent._jobs]
    assert trees[0].nodes["visits"][:20].tolist() != trees[1].nodes["visits"][:20].tolist()
    for entry in report.actions:
        found = np.zeros(3)
        for tree in trees:
            child = int(tree.nodes["first_child"][0])
            while child:
                if tree.nodes["action"][child] == entry.action:
                    found += [tree.nodes["visits"][child], *tree.values[child]]
                child = int(tree.nodes["next_sibling"][child])
        assert entry.visits == found[0]
        assert entry.values == pytest.approx(tuple(found[1:] / found[0]))


def test_fixed_determinizations_find_the_same_in_any_number_of_threads():
    position = after_random_moves(get_game("leduc_poker"), {}, 2, 1)
    one, two = (searched(position, iterations=900, determinizations=7, threads=threads) for threads in (1, 2))
    assert one.actions == two.actions


# ------------------------------------------------------------------ trees that are kept


def below(tree, node: int, depth: int = 40):
    """All that a tree counts from a node on, as nested tuples."""
    entry = tree.nodes[node]
    counted = tuple(int(entry[name]) for name in ("visits", "children", "tried", "ended"))
    children, child = [], int(entry["first_child"])
    while child:
        children.append((int(tree.nodes["action"][child]), below(tree, child, depth - 1)))
        child = int(tree.nodes["next_sibling"][child])
    return counted, tree.values[node].tolist(), children


def child_of(tree, node: int, action: int) -> int:
    child = int(tree.nodes["first_child"][node])
    while tree.nodes["action"][child] != action:
        child = int(tree.nodes["next_sibling"][child])
    return child


@pytest.mark.parametrize("settings", [UCT, {**UCT, "selection": "ucb1_tuned"}, {"rollout": "greedy"}], ids=str)
def test_a_kept_tree_is_the_part_below_the_moves_that_were_played(settings):
    agent = searcher(get_game("connect_four"), iterations=800, **settings)
    position = Position(get_game("connect_four"))
    for _ in range(3):
        report = agent.search_report(View(position, 0))
        tree = agent._jobs[0].tree
        moves = report.principal_variation[:2]
        kept = child_of(tree, child_of(tree, 0, moves[0]), moves[1])
        expected = below(tree, kept)
        for move in moves:
            position.apply(move)
        squares = [tree.squares[kept].tolist()] if len(tree.squares) else []
        agent._prepare(View(position, 0))
        assert agent._jobs[0].reused == expected[0][0] > 10
        assert below(tree, 0) == expected
        assert [row.tolist() for row in tree.squares[:1]] == squares
        report = agent.search_report(View(position, 0))
        assert report.iterations == 800
        assert report.reused == expected[0][0]
        assert sum(visits(report).values()) in (800 + report.reused, 800 + report.reused - 1)


def test_a_kept_tree_is_gone_on_with_as_if_the_search_had_not_stopped():
    """A search of the position that was reached goes on with its tree; of another one it begins anew."""
    position = Position(get_game("connect_four"))
    agent = searcher(position.game, iterations=300, **UCT)
    agent.search_report(View(position, 0))
    again = agent.search_report(View(position, 0))
    assert again.reused == 300
    assert sum(visits(again).values()) == 600
    longer = searched(position, iterations=600, **UCT)
    assert abs(visits(again)[3] - visits(longer)[3]) < 150
    elsewhere = after_random_moves(position.game, {}, 5, 14)
    assert agent.search_report(View(elsewhere, 0)).reused == 0


def test_moves_that_the_agent_was_not_asked_about_are_followed_too():
    """Forced moves are played without a search; the tree is found again some moves later."""
    game = last_stone()
    position = Position(game, {"stones": 15})
    agent = searcher(game, {"stones": 15}, iterations=5000)
    line = agent.search_report(View(position, 0)).principal_variation[:6]
    assert len(line) == 6
    for move in line:
        position.apply(move)
    if not position.is_over:
        assert agent.search_report(View(position, 0)).reused > 0
    far = Position(game, {"stones": 15 + MOST_MOVES})
    assert searcher(game, {"stones": 15 + MOST_MOVES}, iterations=10).search_report(View(far, 0)).reused == 0


def test_nothing_is_kept_where_something_is_hidden_or_drawn_or_it_is_not_wanted():
    for name, settings in (("leduc_poker", {}), ("connect_four", {"reuse": False})):
        position = Position(get_game(name))
        agent = searcher(position.game, iterations=200, **settings)
        found = [agent.search_report(View(position, 0)) for _ in range(2)]
        assert [report.reused for report in found] == [0, 0]
        assert [sum(visits(report).values()) for report in found] == [200, 200]


def test_an_agent_that_keeps_its_tree_plays_the_same_game_every_time():
    position = Position(get_game("connect_four"))
    games = []
    for _ in range(2):
        place, agents = position.copy(), [searcher(position.game, {}, seat, iterations=150) for seat in range(2)]
        while (seat := place.current_player) is not None:
            place.apply(agents[seat].act(View(place, seat)))
        games.append(place.tobytes())
    assert games[0] == games[1]


# ------------------------------------------------------------------ room for nodes


@pytest.mark.parametrize("settings", [{"observers": "multiple"}, {"determinizations": 3}, {"threads": 2}], ids=str)
def test_every_tree_has_its_part_of_the_nodes(settings):
    position = after_random_moves(get_game("leduc_poker"), {}, 2, 1)
    report = searched(position, iterations=3000, node_budget=40, **settings)
    assert report.budget_reached
    assert report.nodes <= 40
    assert sum(visits(report).values()) == report.iterations == 3000
    assert not searched(position, iterations=300, **settings).budget_reached


def test_a_kept_tree_that_was_full_has_room_again():
    position = Position(get_game("connect_four"))
    agent = searcher(position.game, iterations=3000, node_budget=300, **UCT)
    first = agent.search_report(View(position, 0))
    assert first.budget_reached
    for move in first.principal_variation[:2]:
        position.apply(move)
    agent._prepare(View(position, 0))
    assert int(agent._jobs[0].tree.counts["used"][0]) < 300
    second = agent.search_report(View(position, 0))
    assert second.nodes <= 300
    assert second.iterations == 3000


def test_a_budget_too_small_for_its_trees_is_refused():
    with pytest.raises(AgentError, match="node_budget 12 is too small: a tree of connect_four needs 8 nodes, and "):
        searcher(get_game("connect_four"), node_budget=12, threads=2)
    assert isinstance(searcher(get_game("connect_four"), node_budget=16, threads=2), MctsAgent)
