"""Small trainings for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.ppo.config import TrainingSettings
from agents.ppo.trainer import Trainer
from envs.catalog import get_game

SMALL: dict[str, Any] = {
    "threads": 1,
    "steps": 20 * 16 * 8,
    "checkpoint_every": 5,
    "network": {"width": 16},
    "rollout": {"games": 16, "steps": 8},
    "learner": {"minibatch": 64},
    "opponents": {"past_share": 0.25, "snapshot_every": 4, "pool_size": 4},
    "evaluation": {"every": 8, "deals": 8, "rounds": 2},
}
"""Twenty updates of little work, in which everything happens: snapshots, opponents, evaluations, checkpoints."""


def settings(**changes: Any) -> TrainingSettings:
    """The small training, with sections changed in part."""
    merged = dict(SMALL)
    for key, value in changes.items():
        merged[key] = {**merged.get(key, {}), **value} if isinstance(value, dict) else value
    return TrainingSettings.model_validate(merged)


def trainer(folder: Path, game: str = "leduc_poker", options: dict[str, Any] | None = None, **changes: Any) -> Trainer:
    """A small training of a game in a folder."""
    found = get_game(game)
    return Trainer(found, found.validate(options or {}), settings(**changes), folder, "small")
