"""How values are backed up and actions selected, against trees and bandits worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from agents.agent import AgentError
from agents.registry import agent_config
from envs.catalog import get_game
from envs.position import Position
from envs.view import View
from tests.agents.mcts.searching import after_random_moves, searched, searcher, visits
from tests.agents.mcts.tables import ALLIANCE_PAYS, GO_ON, PAID, SURE, TAKE, alliance, arms, noise
from tests.agents.play import make

# ------------------------------------------------------------------ backups


def test_max_n_trusts_that_another_seat_wants_its_own_best_and_paranoid_does_not():
    for seed in range(5):
        trusting = searched(alliance(), seed, iterations=2000)
        assert trusting.actions[0].action == GO_ON
        assert trusting.principal_variation == (GO_ON, 0)
        assert trusting.actions[0].values == pytest.approx((0.9, 0.8, 0.1), abs=0.15)
        wary = searched(alliance(), seed, iterations=2000, backup="paranoid")
        assert wary.actions[0].action == TAKE
        assert wary.actions[0].values == pytest.approx(ALLIANCE_PAYS[SURE])
        assert wary.actions[1].values[0] < -0.5


def test_paranoid_and_max_n_agree_where_two_seats_want_the_opposite():
    for moves in (0, 6, 12):
        position = after_random_moves(get_game("connect_four"), {}, 1, moves)
        settings = {"iterations": 500, "selection": "ucb1", "rollout": "random"}
        one, other = (searched(position, backup=backup, **settings) for backup in ("max_n", "paranoid"))
        assert one.actions == other.actions


# ------------------------------------------------------------------ selection


def bandit(rule: str, exploration: float, iterations: int) -> list[int]:
    """How often each arm of `arms` is pulled after `iterations` (3 at least), worked out apart."""
    pulls, scaled = [1, 1, 1], (PAID + 1) / 2
    for done in range(3, iterations):
        scores = []
        for arm in range(3):
            breadth = math.log(done) / pulls[arm]
            if rule == "ucb1_tuned":  # the arms have no variance of their own
                breadth *= min(0.25, math.sqrt(2 * breadth))
            scores.append(scaled[arm] + exploration * math.sqrt(breadth))
        pulls[int(np.argmax(scores))] += 1
    return pulls


@pytest.mark.parametrize("rule", ["ucb1", "ucb1_tuned"])
@pytest.mark.parametrize("exploration", [0.3, 1.0, 2.5])
def test_bandits_are_played_by_the_formula(rule, exploration):
    for iterations in (3, 4, 10, 57, 200, 2000):
        report = searched(arms(), iterations=iterations, selection=rule, exploration=exploration)
        assert [visits(report)[arm] for arm in range(3)] == bandit(rule, exploration, iterations)
        for entry in report.actions:
            assert entry.values == (PAID[entry.action], -PAID[entry.action])


def test_ucb1_tuned_tries_what_varies_more_often():
    """A sure arm and one that pays plus or minus as much, over 4,000 tries with ten seeds."""
    shares = {}
    for rule in ("ucb1", "ucb1_tuned"):
        reports = [searched(noise(), seed, iterations=4000, selection=rule) for seed in range(10)]
        shares[rule] = np.mean([visits(report)[GO_ON] / 4000 for report in reports])
    assert 0.35 < shares["ucb1"] < 0.65
    assert shares["ucb1_tuned"] > shares["ucb1"] + 0.1


def test_first_play_urgency_says_when_another_action_is_tried():
    for selection in ("ucb1", "ucb1_tuned"):
        settings = {"iterations": 100, "selection": selection, "exploration": 0.0}
        once = [sorted(visits(searched(arms(), seed, first_play=2.0, **settings)).values()) for seed in range(6)]
        assert once == [[0, 0, 100]] * 6, "nothing is as bad as what is not tried"
        each = visits(searched(arms(), first_play="first", **settings))
        assert sorted(each.values()) == [1, 1, 98]
        assert each[0] == 98
    for seed in range(6):  # whatever comes first, the best arm is found when half of the scale is no reason to stay
        report = searched(arms(), seed, iterations=400, first_play=0.5)
        assert report.actions[0].action == 0


def test_puct_tries_the_rule_of_thumbs_move_first_and_most():
    position = Position(get_game("connect_four"))
    report = searched(position, iterations=1, selection="puct", prior=0.9)
    (first,) = [entry for entry in report.actions if entry.visits]
    assert first.prior == pytest.approx(0.9 + 0.1 / 7)
    assert sum(entry.prior for entry in report.actions) == pytest.approx(1.0)
    led, even = (
        searched(position, iterations=300, selection="puct", prior=prior, exploration=8.0) for prior in (0.9, 0.0)
    )
    assert visits(led)[first.action] > 200
    assert max(visits(even).values()) < 100


# ------------------------------------------------------------------ the final move


def test_the_final_move_goes_by_visits_or_by_value():
    """With so few iterations some action looks better than the most visited one."""
    game, differing = get_game("connect_four"), 0
    for seed in range(30):
        settings = {"iterations": 40, "selection": "ucb1", "rollout": "random"}
        by_visits, by_value = (searched(Position(game), seed, final=final, **settings) for final in ("visits", "value"))
        assert set(by_visits.actions) == set(by_value.actions)
        assert by_visits.actions[0].visits == max(entry.visits for entry in by_visits.actions)
        assert by_value.actions[0].values[0] == max(entry.values[0] for entry in by_value.actions if entry.visits)
        differing += by_visits.actions[0] != by_value.actions[0]
    assert differing > 0


@pytest.mark.parametrize("temperature", [0.5, 1.0])
def test_at_a_temperature_moves_are_drawn_by_visits(temperature):
    """Chi-square of 600 moves against the visits' power; 2 degrees of freedom, 0.1 % point 13.8."""
    position, counts = arms(), np.zeros(3)
    config = agent_config("mcts", iterations=60, exploration=2.5, temperature=temperature)
    for seed in range(600):
        counts[make(config, position.game, position.options, seed).act(View(position, 0))] += 1
    pulls = np.array(bandit("ucb1", 2.5, 60), float) ** (1 / temperature)
    expected = 600 * pulls / pulls.sum()
    assert expected.min() > 5
    assert ((counts - expected) ** 2 / expected).sum() < 13.8


# ------------------------------------------------------------------ rewards


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_searching_for_a_reward_is_searching_the_game_that_pays_it(reward):
    game = get_game("fuerstenfeld")
    settings = {"iterations": 12, "rollout": "random", "depth": 30, "selection": "ucb1"}
    reports = []
    for options, asked in (({"num_players": 3}, reward), ({"num_players": 3, "reward": reward}, "returns")):
        position = after_random_moves(game, options, 3, 40)
        reports.append(searched(position, reward=asked, **settings).actions)
    assert reports[0] == reports[1]
    others = {"win", "rank", "score"} - {reward}
    position = after_random_moves(game, {"num_players": 3}, 3, 40)
    assert all(searched(position, reward=other, **settings).actions != reports[0] for other in others)


def test_a_reward_that_the_game_does_not_know_is_refused():
    with pytest.raises(AgentError, match="reward rank: connect_four has no option reward, only its returns"):
        searcher(get_game("connect_four"), reward="rank")
