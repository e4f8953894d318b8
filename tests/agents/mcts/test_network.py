"""Leaves judged by a network."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from agents.agent import AgentError
from agents.learning.checkpoint import game_facts, read_agent, write_agent
from agents.learning.config import NetworkSettings
from agents.learning.network import NetworkShape
from agents.mcts.network import NetworkJudge
from agents.ppo.network import PolicyNetwork
from agents.registry import agent_config
from envs.catalog import get_game
from envs.position import Position
from tests.agents.mcts.searching import after_random_moves, searched, searcher, visits


def checkpoint(path, name, **options):
    """An agent file of an untrained network for a game."""
    game = get_game(name)
    complete = game.validate(options)
    network = PolicyNetwork(NetworkShape.of(NetworkSettings(width=16, depth=1), game, complete))
    network.initialise(3)
    write_agent(path, network, game_facts(game, complete))
    return str(path)


def value(file, position, seat):
    network = read_agent(file, PolicyNetwork)[0]
    seen = torch.from_numpy(position.observe(seat))[None]
    return float(network(seen)[1][0]) * network.shape.value_scale


def test_of_two_seats_the_one_to_act_is_asked_and_of_three_each(tmp_path):
    for players in (2, 3):
        file = checkpoint(tmp_path / f"{players}.safetensors", "leduc_poker", num_players=players)
        game, options = get_game("leduc_poker"), {"num_players": players}
        places = [after_random_moves(game, options, deal, deal % 3) for deal in range(5)]
        judge = NetworkJudge(file, None, game, game.validate(options))
        found = judge([place.states for place in places])
        assert found.shape == (5, players)
        for place, values in zip(places, found, strict=True):
            if players == 2:
                own = value(tmp_path / "2.safetensors", place, place.current_player)
                expected = [own if seat == place.current_player else -own for seat in range(2)]
            else:
                expected = [value(tmp_path / "3.safetensors", place, seat) for seat in range(3)]
            assert values == pytest.approx(expected, abs=1e-5)


def test_a_search_adds_up_what_the_network_says_of_its_leaves(tmp_path):
    """With one iteration an action each, an action's value is the network's of the position behind it."""
    file = checkpoint(tmp_path / "net.safetensors", "connect_four")
    position = after_random_moves(get_game("connect_four"), {}, 0, 4)
    report = searched(position, iterations=7, rollout="network", checkpoint=file, selection="ucb1")
    assert set(visits(report).values()) == {1}
    for entry in report.actions:
        behind = position.copy()
        behind.apply(entry.action)
        own = value(tmp_path / "net.safetensors", behind, behind.current_player)
        assert entry.values[behind.current_player] == pytest.approx(own, abs=1e-5)
    deep = searched(position, iterations=150, rollout="network", checkpoint=file, selection="ucb1")
    assert sum(visits(deep).values()) == 150


def test_trees_are_searched_in_step_and_the_end_of_a_game_needs_no_network(tmp_path):
    file = checkpoint(tmp_path / "net.safetensors", "leduc_poker")
    settings = {"rollout": "network", "checkpoint": file, "iterations": 203}
    position = after_random_moves(get_game("leduc_poker"), {}, 3, 2)
    for mode in ({"threads": 3}, {"determinizations": 4}, {"observers": "multiple"}):
        one, two = (searched(position, 1, **settings, **mode) for _ in range(2))
        assert one.actions == two.actions
        assert sum(visits(one).values()) == one.iterations == 203
    nearly_won = Position(get_game("connect_four"))
    for move in (0, 1, 0, 1, 0, 1):
        nearly_won.apply(move)
    file = checkpoint(tmp_path / "four.safetensors", "connect_four")
    best = searched(nearly_won, iterations=50, rollout="network", checkpoint=file).actions[0]
    assert (best.action, best.values, best.wins) == (0, (1.0, -1.0), True)


def test_time_is_kept_with_a_network_too(tmp_path):
    file = checkpoint(tmp_path / "net.safetensors", "connect_four")
    report = searched(Position(get_game("connect_four")), seconds=0.05, rollout="network", checkpoint=file)
    assert report.iterations > 0
    assert report.seconds > 0.04
    late = searched(Position(get_game("connect_four")), seconds=1e-9, rollout="network", checkpoint=file)
    assert len(late.actions) == 7


def test_a_network_that_is_missing_or_does_not_fit_is_refused(tmp_path):
    game = get_game("connect_four")
    with pytest.raises(AgentError, match="rollout network needs a checkpoint"):
        searcher(game, rollout="network")
    file = checkpoint(tmp_path / "net.safetensors", "leduc_poker")
    with pytest.raises(AgentError, match="it was trained for leduc_poker"):
        searcher(game, rollout="network", checkpoint=file)
    with pytest.raises(AgentError, match="a checkpoint is of use with rollout: network alone"):
        searcher(game, rollout="random", checkpoint=file)
    with pytest.raises(AgentError, match="nowhere"):
        searcher(game, rollout="network", checkpoint=str(tmp_path / "nowhere.safetensors"))
    other = checkpoint(tmp_path / "fuerstenfeld.safetensors", "fuerstenfeld")
    with pytest.raises(AgentError, match="reward rank: a network knows the game's own returns alone"):
        searcher(get_game("fuerstenfeld"), rollout="network", checkpoint=other, reward="rank")


def test_results_name_the_very_network(tmp_path):
    file = checkpoint(tmp_path / "net.safetensors", "connect_four")
    config = agent_config("mcts", rollout="network", checkpoint=file)
    assert len(config.weights) == 16
    stale = agent_config("mcts", rollout="network", checkpoint=file, weights="0" * 16)
    with pytest.raises(AgentError, match="no longer the one with weights"):
        searcher(get_game("connect_four"), **stale.model_dump(exclude={"type"}, exclude_none=True))


def test_torch_is_not_loaded_by_a_search_without_a_network():
    code = (
        "import sys, numpy as np\n"
        "from agents.registry import agent_config, make_agent\n"
        "from envs.catalog import get_game\n"
        "make_agent(agent_config('mcts'), get_game('tic_tac_toe'), {}, np.random.default_rng(0))\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
