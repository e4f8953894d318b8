"""The search that a network leads: what holds of every search, and games worked out by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from agents.alphazero.search import BatchSearch
from agents.alphazero.settings import SearchSettings
from envs.catalog import get_game
from envs.position import Position
from tests.agents.alphazero.searching import ROOTS, begin, searched, uniform, whimsical
from tests.agents.mcts.searching import after_random_moves
from tests.agents.mcts.tables import ALLIANCE_PAYS, GO_ON, PAID, TAKE, alliance, arms, fusion, veiled
from tests.classics.enumeration import with_cards
from tests.positions.suite import load


def some_positions(name: str) -> list[Position]:
    return [after_random_moves(get_game(name), {}, deal, deal % 3 + 1) for deal in range(4)]


# ------------------------------------------------------------------ what holds of every search


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("leaves", [1, 5])
@pytest.mark.parametrize("name", ["connect_four", "kuhn_poker"])
def test_every_iteration_is_one_visit_below_the_root_and_nothing_is_left_pending(name, leaves, root):
    positions = some_positions(name)
    game, options = positions[0].game, positions[0].options
    search = searched(positions, whimsical(game, options), 90, leaves=leaves, root=root, gumbel=1.0)
    found, forest = search.found(), search.forest
    assert found.visits.sum(axis=1).tolist() == [90] * 4 == found.iterations.tolist()
    assert not forest.nodes["pending"].any()
    for lane, position in enumerate(positions):
        legal = position.action_mask()
        assert not found.visits[lane, ~legal].any()
        assert not found.policies[lane, ~legal].any()
        assert found.policies[lane].sum() == pytest.approx(1.0, abs=1e-5)
        assert found.priors[lane].sum() == pytest.approx(1.0, abs=1e-5)
        assert legal[found.actions[lane]]
    for lane in range(4):
        nodes = forest.nodes[lane, : forest.lanes["used"][lane]]
        for parent in range(len(nodes)):
            below = children(nodes, parent)
            assert sum(int(nodes["visits"][child]) for child in below) <= nodes["visits"][parent]
            if below and name == "connect_four":
                assert sum(nodes["prior"][child] for child in below) == pytest.approx(1.0, abs=1e-5)


def children(nodes: np.ndarray, parent: int) -> list[int]:
    found, child = [], int(nodes["first_child"][parent])
    while child:
        found.append(child)
        child = int(nodes["next_sibling"][child])
    return found


@pytest.mark.parametrize("root", ROOTS)
def test_a_search_is_the_same_whatever_else_is_searched_at_once(root):
    positions = some_positions("connect_four")
    evaluate = whimsical(positions[0].game, positions[0].options)
    together = searched(positions, evaluate, 64, root=root, gumbel=1.0).found()
    for lane, position in enumerate(positions):
        alone = searched([position], evaluate, 64, seed=lane, root=root, gumbel=1.0).found()
        for one, other in zip(together, alone, strict=True):
            assert np.array_equal(one[lane], other[0])


@pytest.mark.parametrize("root", ROOTS)
def test_a_full_tree_stops_growing_and_the_search_goes_on(root):
    positions = some_positions("connect_four")
    evaluate = whimsical(positions[0].game, positions[0].options)
    found = searched(positions, evaluate, 300, leaves=4, root=root, node_budget=100).found()
    assert found.full.all()
    assert (found.nodes <= 100).all()
    assert found.visits.sum(axis=1).tolist() == [300] * 4


@pytest.mark.parametrize("root", ROOTS)
def test_wins_are_found_without_a_network_worth_the_name(root):
    problems = [problem for problem in load("connect_four") if "wins_now" in problem.name]
    blocks = [problem for problem in load("connect_four") if problem.name == "block_the_middle_of_four"]
    assert len(problems) >= 2
    positions = [problem.position() for problem in problems]
    assert len({position.current_player for position in positions}) == 2
    found = searched(positions, iterations=50, root=root).found()
    for lane, problem in enumerate(problems):
        assert found.actions[lane] in problem.best
        assert found.ended[lane, found.actions[lane]]
        assert found.action_values[lane, found.actions[lane], positions[lane].current_player] == 1.0
    found = searched([problem.position() for problem in blocks], iterations=200, root=root).found()
    assert all(found.actions[lane] in problem.best for lane, problem in enumerate(blocks))


# ------------------------------------------------------------------ the roots


def test_sequential_halving_visits_the_considered_actions_equally_often_and_halves_them():
    start = [Position(get_game("connect_four"))]
    visits = searched(start, iterations=16, considered=4, gumbel=1.0).found().visits[0]
    assert sorted(visits.tolist()) == [0, 0, 0, 2, 2, 6, 6]  # 2 visits of 4, then 4 more of 2
    visits = searched(start, iterations=48, considered=16, gumbel=1.0).found().visits[0]
    assert sorted(visits.tolist()) == [2, 2, 2, 2, 7, 16, 17]  # 2 visits of 7, 5 of 3, then those left of 2
    several = searched(start, iterations=16, considered=4, gumbel=1.0, leaves=4).found().visits[0]
    assert sorted(several.tolist()) == [0, 0, 0, 2, 2, 6, 6]


def test_gumbel_noise_considers_actions_by_their_probability():
    """Without replacement, the action put first follows the prior: 400 seeds, chance of a false alarm below 1e-6."""
    position = arms()
    logits = np.log(np.array([[0.2, 0.3, 0.5]], np.float32))

    def evaluate(observations, masks):
        return np.repeat(logits, len(masks), axis=0), np.zeros((len(masks), 2), np.float32)

    found = searched([position] * 400, evaluate, 1, considered=1, gumbel=1.0).found()
    shares = found.visits.sum(axis=0) / 400
    assert shares == pytest.approx([0.2, 0.3, 0.5], abs=0.125)
    found = searched([position] * 4, evaluate, 1, considered=1).found()
    assert found.visits[:, 2].all()


def test_the_improved_policy_is_the_softmax_of_logits_and_weighted_values():
    found = searched([arms()], iterations=9, considered=2, value_weight=0.1, visit_offset=5.0).found()
    visits = found.visits[0]
    tried = visits > 0
    assert tried.sum() == 2
    values = PAID.copy()
    values[~tried] = (0.0 + 9 * PAID[tried].mean()) / 10  # the network's 0 and what was found, mixed
    weighted = 0.1 * (5 + visits.max()) * (values + 1) / 2
    expected = np.exp(weighted) / np.exp(weighted).sum()
    assert found.policies[0] == pytest.approx(expected, abs=1e-5)
    by_visits = searched([arms()], iterations=9, root="puct").found()
    assert by_visits.policies[0] == pytest.approx(by_visits.visits[0] / 9)


def test_puct_visits_are_those_worked_out_by_hand():
    found = searched([arms()], iterations=30, root="puct", exploration=2.0, first_play=0.5).found()
    pulls = [0, 0, 0]
    for done in range(30):
        mean = float(np.dot(pulls, PAID)) / (done + 1)
        tried = sum(count > 0 for count in pulls) / 3
        scores = [
            (PAID[arm] if pulls[arm] else mean - 0.5 * np.sqrt(tried))
            + 2.0 / 3 * np.sqrt(max(done, 1)) / (1 + pulls[arm])
            for arm in range(3)
        ]
        pulls[int(np.argmax(scores))] += 1
    assert found.visits[0].tolist() == pulls


def test_dirichlet_noise_moves_the_prior_and_keeps_it_a_distribution():
    positions = [Position(get_game("connect_four"))] * 50
    game, options = positions[0].game, positions[0].options
    search = BatchSearch(game, options, SearchSettings(root="puct"), 1.0, 50, 10)
    begin(search, positions, 10, 0, dirichlet=0.25)
    search.run(uniform(game, options))
    priors = search.found().priors
    assert priors.sum(axis=1) == pytest.approx(np.ones(50), abs=1e-5)
    assert priors.min() >= 0.75 / 7 - 1e-6
    noise = (priors - 0.75 / 7) / 0.25
    # seven shares of parameter 10/7: mean 1/7, variance (6/49)/11; eight deviations of 350 draws
    assert noise.var() == pytest.approx(6 / 49 / 11, rel=0.4)
    assert len(np.unique(priors[:, 0])) == 50


# ------------------------------------------------------------------ several seats, hidden cards


@pytest.mark.parametrize("root", ROOTS)
def test_every_seat_wants_its_own(root):
    found = searched([alliance()], iterations=200, root=root, visit_offset=5.0).found()
    assert found.actions[0] == GO_ON  # seat 1's better option is good for seat 0 too
    assert found.action_values[0, TAKE] == pytest.approx(ALLIANCE_PAYS[1])
    assert found.action_values[0, GO_ON] == pytest.approx(ALLIANCE_PAYS[2], abs=0.2)


@pytest.mark.parametrize("root", ROOTS)
def test_the_network_is_shown_what_the_acting_seat_sees_and_its_values_are_turned_to_the_seats(root):
    position = alliance()
    asked = []

    def evaluate(observations, masks):
        asked.append((observations.copy(), masks.copy()))
        return np.zeros((len(masks), 3), np.float32), np.tile(np.array([0.5, 0.1, -0.2], np.float32), (len(masks), 1))

    found = searched([position], evaluate, 2, root=root).found()
    child = position.copy()
    child.apply(GO_ON)
    assert np.array_equal(asked[0][0][0], position.observe(0))
    assert np.array_equal(asked[1][0][0], child.observe(1))
    assert asked[1][1][0].tolist() == child.action_mask().tolist()
    assert found.action_values[0, GO_ON] == pytest.approx([-0.2, 0.5, 0.1])  # seat 1's own value comes first


@pytest.mark.parametrize("root", ROOTS)
def test_no_search_looks_at_hidden_cards(root):
    start = Position(get_game("kuhn_poker"))
    alike = [with_cards(start, (1, 0)), with_cards(start, (1, 2))]
    for position in alike:
        position.apply(0)
        position.apply(1)
    evaluate = whimsical(start.game, start.options)
    one, other = (searched([position], evaluate, 200, root=root, gumbel=1.0).found() for position in alike)
    for mine, yours in zip(one, other, strict=True):
        assert np.array_equal(mine, yours)


@pytest.mark.parametrize("root", ROOTS)
def test_no_search_believes_that_it_will_know_what_it_will_not(root):
    """Guessing a coin pays 0 on average, less than the fifth that is sure, though every coin could be guessed."""
    found = searched([fusion(deal) for deal in range(8)], iterations=400, root=root, visit_offset=5.0).found()
    assert (found.actions == TAKE).all()
    assert abs(found.action_values[:, GO_ON, 0].mean()) < 0.15


@pytest.mark.parametrize("root", ROOTS)
def test_a_node_comes_to_have_the_actions_of_all_positions_that_it_stands_for(root):
    """Where the coin allows it seat 1 wins: seat 0 loses 1 half of the time, and gets a fifth in the other half."""
    search = searched([veiled()] * 8, iterations=400, root=root, visit_offset=5.0)
    found = search.found()
    assert (found.actions == TAKE).all()
    for lane in range(8):
        nodes = search.forest.nodes[lane]
        (theirs,) = (child for child in children(nodes, 0) if nodes["action"][child] == GO_ON)
        options = {int(nodes["action"][child]): child for child in children(nodes, theirs)}
        assert set(options) == {0, 1}
        assert nodes["availability"][options[0]] >= nodes["availability"][options[1]] > 0
    assert found.action_values[:, GO_ON, 0].mean() < -0.1


# ------------------------------------------------------------------ one search after another


@pytest.mark.parametrize("root", ROOTS)
def test_a_tree_goes_on_from_the_position_reached(root):
    first = after_random_moves(get_game("connect_four"), {}, 3, 4)
    evaluate = whimsical(first.game, first.options)
    search = searched([first], evaluate, 200, root=root)
    before = search.found()
    mine = int(before.actions[0])
    reached = first.copy()
    reached.apply(mine)
    nodes = search.forest.nodes[0]
    (child,) = (child for child in children(nodes, 0) if nodes["action"][child] == mine)
    reply = max(children(nodes, child), key=lambda grandchild: nodes["visits"][grandchild])
    visits, value = int(nodes["visits"][reply]), search.forest.values[0, reply].copy()
    reached.apply(int(nodes["action"][reply]))
    kept = begin(search, [reached], 100, 7, reuse=True)
    assert kept.tolist() == [visits]
    assert search.forest.values[0, 0] == pytest.approx(value)
    search.run(evaluate)
    after = search.found()
    assert after.visits[0].sum() == visits - 1 + 100
    elsewhere = after_random_moves(get_game("connect_four"), {}, 8, 12)
    assert begin(search, [elsewhere], 100, 7, reuse=True).tolist() == [0]
    assert begin(search, [elsewhere], 100, 7).tolist() == [0]


@pytest.mark.parametrize("root", ROOTS)
def test_a_search_whose_time_is_up_still_has_a_move(root):
    position = Position(get_game("connect_four"))
    evaluate = whimsical(position.game, position.options)
    search = BatchSearch(position.game, position.options, SearchSettings(root=root), 1.0, 1, 1000, 8)
    begin(search, [position], 1000, 0)
    search.run(evaluate, deadline=0.0)
    found = search.found()
    assert found.iterations[0] == 0
    assert found.actions[0] == found.priors[0].argmax()


def test_a_search_by_the_clock_halves_the_actions_as_if_it_had_known_how_many_iterations_it_would_get(monkeypatch):
    ticks = itertools.count()
    monkeypatch.setattr("agents.alphazero.search.perf_counter", lambda: float(next(ticks)))  # a second a batch
    position = Position(get_game("connect_four"))
    search = BatchSearch(position.game, position.options, SearchSettings(), 1.0, 1, 1 << 20, 8)
    begin(search, [position], 1 << 20, 0, gumbel=1.0)
    search.run(uniform(position.game, position.options), 60.0)
    visits = np.sort(search.found().visits[0])
    assert 300 < visits.sum() <= 480
    assert visits[-2:].sum() > 3 * visits[:4].sum()
    assert visits[0] == pytest.approx(visits[3], abs=1)
