"""The registry of agents: names, settings, and what is refused with a line that helps."""

import subprocess
import sys

import numpy as np
import pytest
from pydantic import ValidationError

from agents.agent import Agent, AgentError
from agents.registry import AgentConfig, AgentType, agent_config, agent_names, agent_type, make_agent, register_agent
from envs.catalog import get_game
from envs.errors import UnknownName
from envs.position import Position
from envs.view import View
from tests.agents.play import make


def test_the_shipped_agents_are_there_and_say_what_they_do():
    assert agent_names()[:3] == ["random", "greedy", "mcts"]
    for name in ("random", "greedy", "mcts"):
        kind = agent_type(name)
        assert kind.name == name
        assert kind.summary
        assert kind.config().type == name
        for key, field in kind.config.model_fields.items():
            assert field.description, f"{name}: {key} has no description"


def test_an_unknown_agent_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName, match="unknown agent 'greddy': did you mean 'greedy'"):
        agent_type("greddy")


def test_an_unknown_or_wrong_setting_is_refused_by_name():
    with pytest.raises(AgentError, match="unknown setting 'itterations' in agent mcts: did you mean 'iterations'"):
        agent_config("mcts", itterations=100)
    with pytest.raises(AgentError, match="agent mcts: exploration: Input should be a finite number"):
        agent_config("mcts", exploration=float("inf"))
    with pytest.raises(AgentError, match="agent mcts: depth: Input should be a valid integer"):
        agent_config("mcts", depth="ful")
    with pytest.raises(AgentError, match=r"agent ppo: train\.learner\.clip: "):
        agent_config("ppo", train={"learner": {"clip": -1.0}})
    with pytest.raises(AgentError, match=r"agent ppo: train\.learner\.clap: "):
        agent_config("ppo", train={"learner": {"clap": 1.0}})
    with pytest.raises(AgentError, match="agent mcts: node_budget"):
        agent_config("mcts", node_budget=1 << 40)  # nodes are numbered in 32 bits
    for key in ("name", "type"):
        with pytest.raises(AgentError, match=f"unknown setting '{key}' in agent mcts"):
            agent_config("mcts", **{key: "random"})
    with pytest.raises(AgentError, match="agent mcts: iterations"):
        agent_config("mcts", iterations="many")
    with pytest.raises(AgentError, match="agent mcts: rollout"):
        agent_config("mcts", rollout="rnadom")
    with pytest.raises(ValidationError):
        agent_type("mcts").config(itterations=100)


def test_settings_cannot_be_changed_afterwards():
    config = agent_config("mcts", iterations=100)
    with pytest.raises(ValidationError):
        config.iterations = 200


def test_the_registry_imports_no_learning_library():
    code = (
        "import sys; from agents.registry import agent_type; agent_type('random'); agent_type('mcts'); "
        "agent_type('greedy'); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class First(Agent):
    def act(self, view):
        return view.legal_actions()[0]


class FirstConfig(AgentConfig):
    type: str = "first"


def test_an_agent_of_ones_own_is_found_once_registered_but_no_name_twice():
    kind = AgentType("first", FirstConfig, lambda config, game, options, rng: First(), "the first legal action")
    register_agent(kind)
    assert "first" in agent_names()
    game = get_game("tic_tac_toe")
    agent = make_agent(agent_config("first"), game, {}, np.random.default_rng(0))
    position = Position(game)
    views = [View(position, 0), View(position, 0)]
    assert agent.act_batch(views) == [0, 0]
    with pytest.raises(AgentError, match="registered already"):
        register_agent(kind)


def test_agents_with_nothing_to_keep_say_so(tmp_path):
    agent = make(agent_config("random"), get_game("tic_tac_toe"))
    with pytest.raises(AgentError, match="nothing to save"):
        agent.save(tmp_path / "agent")
    with pytest.raises(AgentError, match="nothing to load"):
        agent.load(tmp_path / "agent")


def test_random_plays_every_legal_action_about_equally_often():
    """The count of each of 9 actions in 4,500 is 500 ± 21; false alarm at 5 standard errors: one in 200,000 runs."""
    game = get_game("tic_tac_toe")
    agent = make(agent_config("random"), game)
    view = View(Position(game), 0)
    counts = np.bincount([agent.act(view) for _ in range(4500)], minlength=9)
    assert np.abs(counts - 500).max() < 5 * 21.1
