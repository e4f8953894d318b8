"""Agent files of networks that nothing was learned by: enough to be found, shown and played with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.alphazero.config import AlphaZeroSettings, SearchNetworkSettings
from agents.alphazero.network import SearchNetwork, network_shape
from agents.learning.checkpoint import game_facts, write_agent
from envs.catalog import get_game


def untrained(path: Path, name: str, seed: int = 0, **options: Any) -> Path:
    """An agent file of `alphazero` for a game; the same network from the same seed."""
    game = get_game(name)
    complete = game.validate(options)
    network = SearchNetwork(network_shape(SearchNetworkSettings(width=16, depth=1), game, complete))
    network.initialise(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_agent(path, network, {**game_facts(game, complete), "settings": AlphaZeroSettings().model_dump(mode="json")})
    return path
