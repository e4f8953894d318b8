"""How `mcts` searches a game unless told otherwise: measured, see `docs/search_defaults.md`."""

from __future__ import annotations

from typing import Any

DEFAULTS: dict[str, dict[str, Any]] = {}
"""Settings by game, where they differ from `FALLBACK`."""

FALLBACK: dict[str, Any] = {
    "rollout": "random",
    "depth": "full",
    "epsilon": 0.1,
    "exploration": 1.0,
    "first_play": float("inf"),
}
"""Settings for any other game: rollouts to its end by random play."""


def default_settings(game: str) -> dict[str, Any]:
    """The settings of a search of this game that its user leaves open."""
    return FALLBACK | DEFAULTS.get(game, {})
