"""The Gymnasium ids of Kontor's games: `kontor/ConnectFour-v0` for the module `connect_four_v0`, and so on.

`import gymnasium` is enough to know them; registering loads no game and no compiler. Gymnasium 1.0 gave up the
entry points by which packages used to announce their environments, so the installed project brings a start-up
file instead (`kontor_gymnasium.pth`, which Python reads when it starts). It has `register_when_imported` wait for
Gymnasium; a program that never imports Gymnasium pays nothing else.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:  # every start of Python imports this file: what it needs is imported where it is needed
    from collections.abc import Iterator
    from importlib.machinery import ModuleSpec
    from types import ModuleType

NAMESPACE = "kontor"

_REGISTRY_MODULE = "gymnasium.envs.registration"


def environment_id(game: str, version: int) -> str:
    """The id of a game's Gymnasium environment: `connect_four`, 0 gives `kontor/ConnectFour-v0`."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in game.split('_'))}-v{version}"


def game_modules() -> Iterator[tuple[str, int]]:
    """Name and version of each game that has a module `envs/<name>_v<version>.py`."""
    import pkgutil
    import re

    import envs

    for module in pkgutil.iter_modules(envs.__path__):
        if match := re.fullmatch(r"(\w+)_v(\d+)", module.name):
            yield match[1], int(match[2])


def register_envs() -> None:
    """Register the single-agent environment of every game; a second call changes nothing."""
    from gymnasium.envs.registration import register, registry

    for game, version in game_modules():
        name = environment_id(game, version)
        if name not in registry:
            register(name, entry_point="envs.solo:SoloGame", kwargs={"game": game})


def register_when_imported() -> None:
    """Register the environments as soon as Gymnasium's registry has been imported; at once if it has been."""
    if _REGISTRY_MODULE in sys.modules:
        register_envs()
    else:
        sys.meta_path.insert(0, _Finder())


class _Finder:
    """Finds one module as Python would, and has its loader register the environments behind it."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != _REGISTRY_MODULE:
            return None
        from importlib.machinery import PathFinder

        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = cast("Any", _Loader(spec.loader))
        return spec


class _Loader:
    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        register_envs()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)
