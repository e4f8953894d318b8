"""Agent files of untrained networks, and agents that play by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.alphazero.agent import AlphaZeroAgent
from agents.alphazero.config import AlphaZeroSettings, SearchNetworkSettings
from agents.alphazero.network import SearchNetwork, network_shape
from agents.learning.checkpoint import game_facts, write_agent
from agents.registry import agent_config, make_agent
from envs.catalog import get_game


def checkpoint(
    path: Path, name: str, seed: int = 0, gain: float = 100.0, search: dict[str, Any] | None = None, **options: Any
) -> Path:
    """An agent file as a training writes it, of an untrained network; `gain` makes its policy more decided."""
    game = get_game(name)
    complete = game.validate(options)
    network = SearchNetwork(network_shape(SearchNetworkSettings(width=16, depth=1), game, complete))
    network.initialise(seed)
    with torch.no_grad():
        network.policy_head.weight *= gain
    settings = AlphaZeroSettings.model_validate({"search": search or {}}).model_dump(mode="json")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_agent(path, network, {**game_facts(game, complete), "settings": settings})
    return path


def agent(
    path: Path, name: str, seed: int = 0, options: dict[str, Any] | None = None, **settings: Any
) -> AlphaZeroAgent:
    """An agent that plays by a file."""
    made = make_agent(
        agent_config("alphazero", checkpoint=str(path), **settings),
        get_game(name),
        options or {},
        np.random.default_rng(seed),
    )
    assert isinstance(made, AlphaZeroAgent)
    return made
