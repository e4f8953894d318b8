"""Whoever sits at the other seats, choosing actions for many games in lock-step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch

from agents.agent import AgentError
from agents.heuristics.contract import get_heuristics
from agents.learning.network import Network
from agents.learning.policy import choose_by_thumb, choose_lanes, choose_randomly
from agents.registry import AgentConfig, agent_config, make_agent
from envs.errors import KontorError
from envs.game import Game
from envs.options import Options
from envs.position import Array, Position
from envs.view import View


class Lanes(NamedTuple):
    """Some games in lock-step, N of them, and what their seats to act see and may do.

    `states`: records[N], `observations`: float32[N, O], `masks`: bool[N, A], `seats`: int64[N].
    """

    states: Array
    observations: Array
    masks: Array
    seats: Array

    def part(self, lanes: slice) -> Lanes:
        """The same of some of the lanes."""
        return Lanes(*(array[lanes] for array in self))


class Player(Protocol):
    """Chooses actions in many games at once."""

    def choose(self, lanes: Lanes, where: Array, keys: Array, actions: Array) -> None:
        """Write an action into `actions` (int64[N]) in each lane of `where` (bool[N]), by its random bits `keys`."""
        ...


class NetworkPlayer:
    """A network that plays; 0 is the temperature of greedy play."""

    def __init__(self, network: Network, temperature: float) -> None:
        self.network, self.temperature = network, temperature

    def choose(self, lanes: Lanes, where: Array, keys: Array, actions: Array) -> None:
        """See `Player`."""
        with torch.inference_mode():
            logits, _ = self.network(torch.from_numpy(lanes.observations))
        unused = np.empty(len(actions), np.float32)
        choose_lanes(logits.numpy(), lanes.masks, self.temperature, where, keys, actions, unused)


class RandomPlayer:
    """Uniformly random legal actions."""

    def choose(self, lanes: Lanes, where: Array, keys: Array, actions: Array) -> None:
        """See `Player`."""
        choose_randomly(lanes.masks, where, keys, actions)


class ThumbPlayer:
    """The rule of thumb of the game, as the agent `greedy` plays it."""

    def __init__(self, game: Game, version: int | None) -> None:
        self._token = get_heuristics(game.name, version).token

    def choose(self, lanes: Lanes, where: Array, keys: Array, actions: Array) -> None:
        """See `Player`."""
        choose_by_thumb(self._token, lanes.states, where, keys, actions)


class AgentPlayer:
    """Any agent, one game after another: a fresh one for each decision, so that nothing is left to be stored."""

    def __init__(self, config: AgentConfig, game: Game, options: Options) -> None:
        self._config, self._game, self._options = config, game, options
        make_agent(config, game, options, np.random.default_rng(0))  # refuses now what it cannot play

    def choose(self, lanes: Lanes, where: Array, keys: Array, actions: Array) -> None:
        """See `Player`."""
        for lane in np.flatnonzero(where):
            rng = np.random.default_rng(int(keys[lane]))
            agent = make_agent(self._config, self._game, self._options, rng)
            position = Position.of(self._game, lanes.states[lane], self._options)
            actions[lane] = agent.act(View(position, int(lanes.seats[lane])))


def make_fixed(agents: Sequence[Mapping[str, Any]], game: Game, options: Options) -> list[Player]:
    """The opponents of other kinds that a training mixes in. Errors: `AgentError`."""
    players = []
    for number, agent in enumerate(agents):
        try:
            players.append(make_player(agent, game, options))
        except KontorError as error:
            raise AgentError(f"opponents.fixed.{number}: {error}") from None
    return players


def make_player(given: Mapping[str, Any], game: Game, options: Options) -> Player:
    """The player for an agent's `type` and settings; compiled ones for `random` and `greedy`.

    Errors: `AgentError`, `UnknownName`.
    """
    settings = dict(given)
    kind = settings.pop("type", None)
    if kind is None:
        raise AgentError("an opponent needs a type, for example {type: greedy}")
    config = agent_config(kind, **settings)
    if kind == "random":
        return RandomPlayer()
    if kind == "greedy":
        return ThumbPlayer(game, getattr(config, "version", None))
    if config.is_timed:
        raise AgentError(f"agent {kind} thinks by the clock, and no such training can be repeated: give it iterations")
    return AgentPlayer(config, game, options)
