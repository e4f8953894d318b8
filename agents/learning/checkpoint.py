"""Agent files: a network, and what it was trained for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import torch

from agents.agent import AgentError
from agents.learning.config import NetworkSettings
from agents.learning.files import agent_file_kind, read, read_facts, write
from agents.learning.network import Network, NetworkShape
from envs.game import Game
from envs.options import Options

AnyNetwork = TypeVar("AnyNetwork", bound=Network)


def write_agent(path: Path, network: Network, facts: Mapping[str, Any]) -> str:
    """Write a network, with `facts` about it (see `game_facts`), and return the content hash."""
    arrays = {name: tensor.detach().cpu().numpy() for name, tensor in network.state_dict().items()}
    return write(path, agent_file_kind(network.algorithm), arrays, {**facts, "network": network.shape.to_json()})


def read_agent(path: Path, kind: type[AnyNetwork]) -> tuple[AnyNetwork, dict[str, Any]]:
    """The network of an agent file, in memory of its own, and the facts. Errors: `AgentError`."""
    facts = agent_facts(path, kind.algorithm)
    arrays = read(path, agent_file_kind(kind.algorithm))[0]
    try:
        network = kind(NetworkShape(**facts["network"]))
        network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise AgentError(f"{path}: is a damaged agent file: {' '.join(str(error).split())}") from None
    if not all(bool(weights.isfinite().all()) for weights in network.parameters()):
        raise AgentError(f"{path}: is a damaged agent file: not all of its weights are finite numbers")
    network.requires_grad_(False)
    return network, facts


def agent_facts(path: Path, algorithm: str) -> dict[str, Any]:
    """The facts of an agent file, its network no larger than one that is trained here. Errors: `AgentError`."""
    facts = read_facts(path, agent_file_kind(algorithm))
    try:
        shape, _ = NetworkShape(**facts["network"]), facts["options"]["num_players"]
        NetworkSettings(kind=shape.kind, width=shape.width, depth=shape.depth)  # type: ignore[arg-type]
    except KeyError as error:
        raise AgentError(f"{path}: is a damaged agent file: it does not say its {error.args[0]}") from None
    except (TypeError, ValueError):
        raise AgentError(f"{path}: is a damaged agent file: no such network is ever trained") from None
    return facts


def game_facts(game: Game, options: Options) -> dict[str, Any]:
    """What a network is for."""
    return {"game": game.name, "game_version": game.version, "options": dict(options)}


def misfit(facts: Mapping[str, Any], game: Game, options: Options) -> str | None:
    """Why an agent with these facts cannot play a game; None if it can.

    It needs the game, version and number of players it was trained for, and observations and actions of the same sizes.
    Other options may differ: a network trained for the basic game can be tried in the advanced one.
    """
    if facts["game"] != game.name:
        return f"it was trained for {facts['game']}"
    if facts["game_version"] != game.version:
        return f"it was trained for version {facts['game_version']} of {game.name}, this is version {game.version}"
    if facts["options"]["num_players"] != options["num_players"]:
        return f"it was trained for {facts['options']['num_players']} players"
    shape = facts["network"]
    if (shape["observation_size"], shape["num_actions"]) != (game.observation_size(options), game.num_actions(options)):
        return "it was trained under options with other observations or actions"
    return None
