"""`kontor bench alphazero`: what it measures; how fast that is, it is there to tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.catalog import get_game
from experiments.bench import alphazero
from experiments.bench.result import Settings, Subject
from experiments.train import load_training

CONFIGS = Path(__file__).parents[2] / "configs"


def test_self_play_is_set_against_the_network_alone_and_one_game(monkeypatch):
    monkeypatch.setitem(alphazero.NETWORKS, "kuhn_poker", {"width": 8})
    game = get_game("kuhn_poker")
    results = list(alphazero.measure_alphazero([Subject(game, game.validate({}))], Settings(seconds=0.002, repeats=3)))
    ours, network, single, over_network, over_single = results
    assert [len(result.values) for result in results] == [3] * 5
    assert over_network.values == tuple(a / b for a, b in zip(ours.values, network.values, strict=True))
    assert over_single.values == tuple(a / b for a, b in zip(ours.values, single.values, strict=True))
    assert (over_network.target, over_single.target) == (0.6, 4.0)
    assert min(network.values) > 0


@pytest.mark.parametrize("name", sorted(alphazero.NETWORKS))
def test_the_networks_measured_are_those_of_the_shipped_trainings(name):
    shipped = load_training(CONFIGS / f"train_{name}_alphazero.yaml").settings.network
    measured = type(shipped).model_validate(alphazero.NETWORKS[name])
    assert measured == shipped
