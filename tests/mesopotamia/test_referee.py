"""The compiled rules and the referee agree on every legal action and every described field, game after game."""

import numpy as np
import pytest

from envs.mesopotamia import GAME
from envs.position import Position
from envs.walk import play_randomly
from tests.mesopotamia.policies import play_cards, play_greedily, play_sensibly
from tests.mesopotamia.referee import Referee

POLICIES = (play_randomly, play_sensibly, play_cards, play_greedily)
CASES = [
    {"num_players": 2},
    {"num_players": 2, "starting_card": True, "no_reshuffle": True, "max_rounds": 15},
    {"num_players": 3, "no_reshuffle": True, "max_rounds": 25},
    {"num_players": 3, "starting_card": True, "max_rounds": 25},
    {"num_players": 4, "max_rounds": 20},
    {"num_players": 4, "starting_card": True, "no_reshuffle": True, "max_rounds": 20},
]


def key(action):
    return tuple(sorted((name, str(value)) for name, value in action.items()))


def compare_game(options, seed, policy):
    """Play a game in both engines; the number of decisions."""
    position = Position(GAME, options, seed)
    rng = np.random.default_rng(seed)
    referee = Referee(position.describe())
    while not position.is_over:
        where = f"seed {seed}, move {position.move_number}"
        legal = [position.decode_action(index) for index in position.legal_actions()]
        assert sorted(map(key, legal)) == sorted(map(key, referee.legal())), where
        index = policy(position, rng)
        action = position.decode_action(index)
        position.apply(index)
        described = position.describe()
        referee.play(action, described)
        assert referee.p == described, f"{where}: {action}"
    return position.move_number


@pytest.mark.parametrize("options", CASES, ids=str)
def test_both_engines_play_the_same_games(options):
    decisions = sum(compare_game(options, seed, policy) for seed, policy in enumerate(POLICIES))
    assert decisions > 1000
