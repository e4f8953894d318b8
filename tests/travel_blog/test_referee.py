"""Whole games, position by position, against the second engine of `referee.py`: every player count, every option."""

from itertools import product

import numpy as np
import pytest

from envs.position import Position
from envs.travel_blog import GAME
from tests.travel_blog import referee

LINE_UPS = [(n, False) for n in range(2, 7)] + [(n, True) for n in (2, 3)]


@pytest.mark.parametrize(("map_id", "timing"), list(product(("europe", "usa"), ("ticks", "sequence"))))
@pytest.mark.parametrize(("num_players", "demanding"), LINE_UPS)
def test_games_are_played_as_the_referee_has_it(num_players, demanding, map_id, timing):
    options = {"num_players": num_players, "demanding": demanding, "map": map_id, "timing": timing}
    position = Position(GAME, options, seed=num_players)
    rng = np.random.default_rng(num_players)
    decisions = 0
    for seed in range(3):
        position.restart(seed)
        now = position.describe()
        referee.check_start(now)
        while not position.is_over:
            actions = position.legal_actions()
            assert [position.decode_action(action) for action in actions] == referee.legal(now)
            action = int(rng.choice(actions))
            position.apply(action)
            then = position.describe()
            referee.follow(now, position.decode_action(action), then)
            now = then
            decisions += 1
        assert then["round"] == 7
        assert sum(then["returns"]) == pytest.approx(0)
    tokens = {False: 12, True: 24}[demanding] * num_players * 3
    longest = {False: 26, True: 38}[demanding] * num_players * 3
    assert decisions == tokens if timing == "sequence" else tokens < decisions <= longest
