"""What agents make of a position: in the game's returns, seat by seat, from what the seat to act knows."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from agents.agent import AgentError
from agents.learning.config import NetworkSettings
from agents.learning.network import NetworkShape
from agents.ppo.agent import PpoAgent
from agents.ppo.network import PolicyNetwork
from agents.registry import agent_config, make_agent
from envs.catalog import get_game
from envs.position import Position
from envs.view import View


def view_after(game: str, *actions: int, options: dict | None = None) -> View:
    position = Position(get_game(game), options or {}, 2)
    for action in actions:
        position.apply(action)
    assert position.current_player is not None
    return View(position, position.current_player)


def agent(name: str, view: View, **settings):
    return make_agent(agent_config(name, **settings), view.game, view.options, np.random.default_rng(0))


def test_a_search_finds_a_win_at_hand_and_says_what_it_is_worth():
    view = view_after("tic_tac_toe", 0, 3, 1, 4)  # the seat to act completes its row
    found = agent("mcts", view, iterations=200).estimate(view)
    assert found[0] > 0.7
    assert found.sum() == pytest.approx(0)


def test_the_estimate_of_a_search_is_the_mean_of_its_simulations():
    view = view_after("tic_tac_toe", 4)
    search = agent("mcts", view, iterations=50)
    found, report = search.estimate(view), search.search_report(view)
    visits = sum(entry.visits for entry in report.actions)
    for seat in range(2):
        mean = sum(entry.visits * entry.values[seat] for entry in report.actions) / visits
        assert found[seat] == pytest.approx(mean)


def test_the_rule_of_thumb_sees_three_in_a_row():
    ahead = view_after("connect_four", 2, 6, 3, 6, 4, 5)
    found = agent("greedy", ahead).estimate(ahead)
    assert found[0] > 0 > found[1]


def test_a_network_speaks_for_the_acting_seat_alone():
    view = view_after("kuhn_poker", options={"num_players": 3})
    shape = NetworkShape.of(NetworkSettings(width=8, depth=1), view.game, view.options)
    network = PolicyNetwork(shape)
    network.initialise(0)
    found = PpoAgent(network, {}, 0.0, np.random.default_rng(0)).estimate(view)
    with torch.inference_mode():
        value = network(torch.from_numpy(view.observation[None]))[1].item()
    assert shape.value_scale > 1
    assert found[view.seat] == pytest.approx(value * shape.value_scale)
    assert np.isnan(np.delete(found, view.seat)).all()


def test_an_agent_without_an_opinion_says_so():
    view = view_after("tic_tac_toe")
    with pytest.raises(AgentError, match="RandomAgent does not judge positions"):
        agent("random", view).estimate(view)
