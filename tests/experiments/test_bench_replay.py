"""`kontor bench replay` plays recorded games again, to the same end, and leaves out games without a rule of thumb."""

import numpy as np

from agents.heuristics.contract import get_heuristics
from envs.catalog import get_game
from envs.kernels import start
from experiments.bench import sensible
from experiments.bench.result import Settings, Subject

QUICK = Settings(seconds=0.0, repeats=2)


def subject(name):
    game = get_game(name)
    return Subject(game, game.validate({}))


def test_recorded_games_are_played_again_to_the_same_position(monkeypatch):
    game = get_game("connect_four")
    template = game.template(game.validate({}))
    states, mask, actions = template.copy(), np.empty(7, np.bool_), np.empty(500, np.int64)
    start(states, 0, template, 0)
    sensible.record(get_heuristics("connect_four").token, states, template, mask, 0, actions)
    recorded = states.tobytes()
    start(states, 0, template, 0)
    legal = sensible.replay(states, template, mask, actions)
    assert states.tobytes() == recorded
    assert 500 < legal <= 7 * 500
    assert len(set(actions)) == 7


def test_speed_is_measured_where_there_is_a_rule_of_thumb(monkeypatch):
    monkeypatch.setattr(sensible, "RECORDED_MOVES", 200)
    results = list(sensible.measure_replay([subject("kuhn_poker"), subject("connect_four")], QUICK))
    assert [result.subject for result in results] == ["connect_four, 2 players"]
    assert len(results[0].values) == 2
    assert results[0].median > 1000
