"""Which agents there are, by name, and how one is made for a seat.

A shipped agent's module is loaded when the agent is first asked for. A package adds its own with an entry
point in the group `kontor.agents`: the name of the agent, and the module that registers it. An agent
registered by hand (`register_agent`) is found as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.agent import Agent, AgentError
from envs.errors import UnknownName, unknown
from envs.game import Game
from envs.options import Options

SHIPPED = {
    "random": "agents.random_agent",
    "greedy": "agents.greedy",
    "mcts": "agents.mcts",
    "ppo": "agents.ppo",
    "alphazero": "agents.alphazero",
}
"""The module that registers each shipped agent; loaded when the agent is first asked for."""

TrainingReport = Callable[[str, float], None]
"""What a training tells of itself: how it goes, in words, and the share of it that is done."""


class AgentConfig(BaseModel):
    """The settings of an agent. A subclass adds its own, each with a default and a description."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    type: str = Field(description="which agent: its name in the registry")

    @property
    def is_timed(self) -> bool:
        """Whether moves depend on the clock, and so on the machine and its load."""
        return False

    def smallest(self) -> Self:
        """The same agent with as little work a move as it can do: enough to have its code compiled."""
        return self

    @property
    def needs_training(self) -> bool:
        """Whether the agent has to be `trained` before it can play."""
        return False

    def check(self, game: Game, options: Options) -> None:
        """Refuse a game, under complete options, that the agent cannot play. Errors: `AgentError`."""
        tried = self.smallest() if self.is_timed else self  # making a timed agent runs, and compiles, its search
        make_agent(tried, game, options, np.random.default_rng(0))

    def trained(
        self,
        tables: Sequence[tuple[str, Game, Options]],
        folder: Path,
        report: TrainingReport,
        stopped: Callable[[], bool],
    ) -> Self:
        """The agent ready to play these games, each with a label and complete options; `folder` keeps what it learns.

        What is trained there already is not trained again, and a training that was interrupted goes on.
        Once `stopped()` it ends soon, and still needs training.
        """
        return self


@dataclass(frozen=True)
class AgentType:
    """A kind of agent: its name, its settings, and how one is made.

    `make(config, game, options, rng)` gives a fresh `Agent` for one seat of one game; `options` are complete and
    `rng` is the agent's own. Errors of `make`: `AgentError` for a game or options it cannot play.
    """

    name: str
    config: type[AgentConfig]
    make: Callable[[Any, Game, Options, np.random.Generator], Agent]
    summary: str


_BY_NAME: dict[str, AgentType] = {}


def register_agent(agent: AgentType) -> AgentType:
    """Make a kind of agent known by its name, and return it. Errors: `AgentError`."""
    if agent.name in _BY_NAME:
        raise AgentError(f"an agent named {agent.name!r} is registered already")
    _BY_NAME[agent.name] = agent
    return agent


@cache
def _installed() -> dict[str, str]:
    return {point.name: point.value for point in entry_points(group="kontor.agents")}


def agent_names() -> list[str]:
    """The names of all agents that can be asked for: shipped, installed, and registered in this process."""
    return [*SHIPPED, *sorted({*_installed(), *_BY_NAME} - SHIPPED.keys())]


def agent_type(name: str) -> AgentType:
    """A kind of agent by its name, loaded if need be. Errors: `UnknownName` with the nearest valid name."""
    if name not in _BY_NAME:
        module = SHIPPED.get(name) or _installed().get(name)
        if module is None:
            raise UnknownName("agent", name, agent_names())
        import_module(module)
    return _BY_NAME[name]


def agent_config(name: str, /, **settings: Any) -> AgentConfig:
    """The checked settings of an agent, defaults completed by `settings`.

    Errors: `UnknownName` for an unknown agent, `AgentError` naming the setting that is unknown or wrong.
    """
    config = agent_type(name).config
    known = config.model_fields.keys() - {"type"}
    for key in settings:
        if key not in known:
            raise AgentError(unknown("setting", key, known, f"agent {name}"))
    try:
        return config(type=name, **settings)
    except ValidationError as error:
        problem = error.errors()[0]
        keys = problem["loc"] if problem["type"] in ("missing", "extra_forbidden") else _in(settings, problem["loc"])
        place = ".".join(map(str, keys)) or "settings"
        raise AgentError(f"agent {name}: {place}: {problem['msg']}") from None


def _in(data: Any, keys: Sequence[str | int]) -> list[str | int]:
    """The part of a path that leads through `data`; behind it stand names of alternatives within a type."""
    found: list[str | int] = []
    for key in keys:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            break
        found.append(key)
    return found


def make_agent(config: AgentConfig, game: Game, options: Options, rng: np.random.Generator) -> Agent:
    """A fresh agent for one seat of one game. Errors: `UnknownName`, `AgentError`, `OptionError`."""
    return agent_type(config.type).make(config, game, game.validate(options), rng)
