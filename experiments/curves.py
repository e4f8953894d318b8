"""The learning curves of a run's trained agents, as their trainings wrote them for TensorBoard."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TAG = "win_rate/"
"""What the curves' names begin with: shares of the win against the opponents of the evaluations."""


@dataclass(frozen=True)
class LearningCurve:
    """How a training went: for each opponent, by name, the share of the win after so many decisions."""

    agent: str
    training: str
    shares: Mapping[str, Sequence[tuple[int, float]]]


def learning_curves(agents: Sequence[Mapping[str, Any]], run: Path) -> list[LearningCurve]:
    """The curves of all agents that were trained in a run, or before it in a folder that is still there."""
    curves = []
    for agent in agents:
        trained = sorted((run / "agents" / agent["name"]).glob("*"))
        given = agent["config"].get("checkpoint") or ()
        folders = trained + [Path(path) for path in ([given] if isinstance(given, str) else given)]
        for folder in folders:
            shares = read_shares(folder) if folder.is_dir() else {}
            if shares:
                curves.append(LearningCurve(agent["name"], folder.name, shares))
    return curves


def read_shares(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """The shares of the win in a training's folder, by opponent; none where nothing was written."""
    if not any(folder.glob("events.out.*")):
        return {}
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    events.Reload()
    return {
        tag.removeprefix(TAG): [
            (event.step, event.value) for event in events.Scalars(tag) if math.isfinite(event.value)
        ]
        for tag in sorted(events.Tags()["scalars"])
        if tag.startswith(TAG) and "update_" not in tag
    }
