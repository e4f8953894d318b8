"""How `mcts` searches a game unless told otherwise: measured, see `docs/search_defaults.md`."""

from __future__ import annotations

from typing import Any

FALLBACK: dict[str, Any] = {
    "observers": "single",
    "backup": "max_n",
    "selection": "ucb1",
    "exploration": 1.0,
    "prior": 0.5,
    "first_play": None,  # `first`, and with puct 0
    "rollout": "random",
    "depth": "full",
    "epsilon": 0.0,
}
"""Settings for a game that has none of its own: plain UCT with random play to the end; no heuristics needed."""

DEFAULTS: dict[str, dict[str, Any]] = {
    "connect_four": {"selection": "puct", "prior": 0.25, "rollout": "greedy"},
    "fuerstenfeld": {"selection": "puct", "rollout": "greedy"},
    "mesopotamia": {"selection": "puct", "prior": 0.25, "rollout": "greedy", "depth": 10},
    "pfeffersaecke": {"selection": "puct", "prior": 0.25, "exploration": 0.5, "rollout": "greedy"},
    "travel_blog": {"selection": "puct", "prior": 0.25, "rollout": "greedy", "depth": 4},
}
"""Settings by game, where they differ from `FALLBACK`; any setting of a search may stand here that stands there."""


def default_settings(game: str) -> dict[str, Any]:
    """The settings of a search of this game that its user leaves open."""
    return FALLBACK | DEFAULTS.get(game, {})
