"""Which games there are, by name: the shipped ones and those that installed packages bring along.

A package adds its games with an entry point in the group `kontor.games`: the name of the game, and the
module that registers it. A game registered by hand (`envs.game.register`) is found as well.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from envs import game as contract
from envs.errors import UnknownName

SHIPPED = {
    "tic_tac_toe": "envs.classics.tic_tac_toe",
    "connect_four": "envs.classics.connect_four",
    "kuhn_poker": "envs.classics.kuhn_poker",
    "leduc_poker": "envs.classics.leduc_poker",
    "fuerstenfeld": "envs.fuerstenfeld",
    "travel_blog": "envs.travel_blog",
    "pfeffersaecke": "envs.pfeffersaecke",
    "mesopotamia": "envs.mesopotamia",
}
"""The module that registers each shipped game; loaded when the game is first asked for."""


@cache
def _installed() -> dict[str, str]:
    return {point.name: point.value for point in entry_points(group="kontor.games")}


def game_names() -> list[str]:
    """The names of all games that can be asked for: shipped, installed, and registered in this process."""
    others = {*_installed(), *contract.registered_names()} - SHIPPED.keys()
    return [*SHIPPED, *sorted(others)]


def get_game(name: str) -> contract.Game:
    """A game by its name, loaded if need be. Errors: `UnknownName` with the nearest valid name."""
    if name not in contract.registered_names():
        module = SHIPPED.get(name) or _installed().get(name)
        if module is None:
            raise UnknownName("game", name, game_names())
        import_module(module)
    return contract.registered(name)
