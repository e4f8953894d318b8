"""Positions with one clearly best move, read from `<game>.yaml` beside this file, and how often an agent finds it.

An entry has a `name`, `why` the move is best, the `options` and the `seed` of the game, the `actions` from the start
up to the position, and what is `best` there: one action, or several equally good ones, each with its `index` and,
for people, as the `action` that it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from agents.registry import AgentConfig, make_agent
from envs.catalog import get_game
from envs.position import Position
from envs.view import View

FOLDER = Path(__file__).parent

GAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
"""The games that have a suite."""


@dataclass(frozen=True)
class Problem:
    """A position, as a game to be replayed, and its best actions: each index with the action that it stands for."""

    game: str
    name: str
    why: str
    options: dict[str, Any]
    seed: int
    actions: tuple[int, ...]
    best: dict[int, dict[str, Any]]

    def position(self) -> Position:
        """The position, replayed from the start. Errors: `IllegalAction` if the game does not go that way."""
        position = Position(get_game(self.game), self.options, self.seed)
        for action in self.actions:
            position.apply(action)
        return position

    def solved(self, config: AgentConfig, seeds: int) -> int:
        """How many of `seeds` fresh agents, seeded 0, 1, …, choose a best action."""
        position = self.position()
        view = View(position, position.current_player)
        agents = (make_agent(config, position.game, position.options, np.random.default_rng(s)) for s in range(seeds))
        return sum(agent.act(view) in self.best for agent in agents)


def load(game: str) -> list[Problem]:
    """The positions of a game, in the order of its file."""
    entries = yaml.safe_load((FOLDER / f"{game}.yaml").read_text(encoding="utf-8"))
    return [
        Problem(
            game=game,
            name=entry["name"],
            why=entry["why"],
            options=entry.get("options", {}),
            seed=entry.get("seed", 0),
            actions=tuple(entry["actions"]),
            best={choice["index"]: choice["action"] for choice in entry["best"]},
        )
        for entry in entries
    ]
