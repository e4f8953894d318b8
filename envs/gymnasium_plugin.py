"""The Gymnasium ids of Kontor's games: `kontor/ConnectFour-v0` for the module `connect_four_v0`, and so on.

Registering loads no game and no compiler. Gymnasium calls no entry points since its version 1.0, so the ids
are known once `envs.aec` or `envs.solo` has been imported; `gymnasium.make("envs.solo:kontor/ConnectFour-v0")`
imports the module itself.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

NAMESPACE = "kontor"


def environment_id(game: str, version: int) -> str:
    """The id of a game's Gymnasium environment: `connect_four`, 0 gives `kontor/ConnectFour-v0`."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in game.split('_'))}-v{version}"


def game_modules() -> Iterator[tuple[str, int]]:
    """Name and version of each game that has a module `envs/<name>_v<version>.py`."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if match := re.fullmatch(r"(\w+)_v(\d+)", module.name):
            yield match[1], int(match[2])


def register_envs() -> None:
    """Register the single-agent environment of every game; a second call changes nothing."""
    from gymnasium.envs.registration import register, registry

    for game, version in game_modules():
        name = environment_id(game, version)
        if name not in registry:
            register(name, entry_point="envs.solo:SoloGame", kwargs={"game": game})
