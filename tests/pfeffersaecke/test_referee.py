"""Whole games, decision by decision, against the second engine of `referee.py`: every player count, every option."""

import numpy as np
import pytest

from envs.pfeffersaecke import GAME
from envs.position import Position
from envs.walk import play_randomly
from tests.pfeffersaecke import referee
from tests.pfeffersaecke.policies import play_for_cities, play_greedily, play_sensibly

POLICIES = (play_randomly, play_sensibly, play_for_cities, play_greedily)
CASES = [
    {"num_players": n, "half_points": half, "reward": reward}
    for n in range(2, 7)
    for half, reward in (("down", "win"), ("up", "rank"), ("up", "score"))
]


@pytest.mark.parametrize("options", CASES, ids=lambda options: "-".join(map(str, options.values())))
def test_games_are_played_as_the_referee_has_it(options):
    rng = np.random.default_rng(options["num_players"])
    for seed, policy in enumerate(POLICIES):
        assert_as_the_referee_has_it(Position(GAME, options, seed), policy, rng)


@pytest.mark.parametrize("num_players", range(2, 7))
def test_games_are_cut_off_as_the_referee_has_it(num_players):
    rng = np.random.default_rng(num_players)
    for max_moves in (1, num_players, num_players + 3, 29, 30, 31, 60, 61):
        position = Position(GAME, {"num_players": num_players, "max_moves": max_moves}, max_moves)
        end = assert_as_the_referee_has_it(position, play_greedily, rng)
        assert end["truncated"]
        assert end["move_number"] == max_moves


def assert_as_the_referee_has_it(position, policy, rng):
    """Play a game to its end; the last description."""
    now = position.describe()
    while not position.is_over:
        actions = position.legal_actions()
        assert [position.decode_action(action) for action in actions] == referee.legal(now)
        action = policy(position, rng)
        expected = referee.follow(now, position.decode_action(action))
        position.apply(action)
        now = position.describe()
        if "returns" in now:
            assert now.pop("returns") == pytest.approx(expected.pop("returns"))
        assert now == expected
    return now
