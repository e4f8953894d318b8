"""How `mcts` searches a game unless told otherwise: measured, see `docs/search_defaults.md`."""

from __future__ import annotations

from typing import Any

FALLBACK: dict[str, Any] = {
    "selection": "ucb1",
    "exploration": 1.0,
    "prior": 0.5,
    "first_play": 0.0,
    "rollout": "random",
    "depth": "full",
    "epsilon": 0.0,
}
"""Settings for a game that has none of its own: plain UCT with random play to the end; no heuristics needed."""

DEFAULTS: dict[str, dict[str, Any]] = {
    "connect_four": {"selection": "puct", "prior": 0.25, "rollout": "greedy"},
    "fuerstenfeld": {"selection": "puct", "rollout": "greedy"},
}
"""Settings by game, where they differ from `FALLBACK`."""


def default_settings(game: str) -> dict[str, Any]:
    """The settings of a search of this game that its user leaves open."""
    return FALLBACK | DEFAULTS.get(game, {})
