"""Playing one planned game, and what is kept of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from agents.agent import Agent
from agents.registry import AgentConfig, make_agent
from envs.errors import IllegalAction
from envs.outcome import RANK, SCORE
from envs.position import Position
from envs.record import GameRecord
from envs.statistics import collect
from envs.view import View
from experiments.config import Experiment, Setting
from experiments.plan import PlannedGame, agent_generator


class MatchError(RuntimeError):
    """A game that could not be played to its end; the message names the game and the agent."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What became of one seat: `place` counts from 1 and tied seats share the mean of their places.

    `result` is what the game returned, `score` what it would return with the option `reward: score` (the margin
    in points over the others' mean, in the game's own unit; the return where a game has no such option).
    `seconds` is the time the agent took for its `decisions`. `statistics` are those that the game names.
    """

    agent: str
    place: float
    result: float
    score: float
    decisions: int
    seconds: float
    statistics: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game.

    `copy_key` is a hash of the moves if the game's chance was never called on, else None: games of one seating
    with the same key are copies of one another. `position` is the hash of the last position.
    """

    id: str
    setting: int
    deal: int
    seed: int
    seats: tuple[SeatResult, ...]
    truncated: bool
    moves: int
    actions: tuple[int, ...]
    position: str
    copy_key: str | None


def play(planned: PlannedGame, experiment: Experiment) -> GameResult:
    """Play a game of an experiment. Errors: `MatchError` if an agent fails or plays an illegal action."""
    setting = experiment.settings[planned.setting]
    agents = make_agents(planned, setting, experiment.agents, experiment.seed)
    position = Position(setting.game, setting.options, planned.seed)
    seconds, decisions, actions = [0.0] * len(agents), [0] * len(agents), []
    while (seat := position.current_player) is not None:
        view = View(position, seat)
        start = perf_counter()
        action = decide(agents[seat], view, planned)
        seconds[seat] += perf_counter() - start
        try:
            position.apply(action)
        except IllegalAction as error:
            raise MatchError(f"game {planned.id}: agent {planned.seating[seat]}: {error}") from error
        decisions[seat] += 1
        actions.append(int(action))
    results, scores = position.returns(), returns_under(position, SCORE)
    placings = places(position)
    statistics = collect(Position(setting.game, setting.options, planned.seed), actions)
    seats = tuple(
        SeatResult(
            agent,
            placings[seat],
            float(results[seat]),
            float(scores[seat]),
            decisions[seat],
            seconds[seat],
            statistics[seat],
        )
        for seat, agent in enumerate(planned.seating)
    )
    record = GameRecord.of(position, planned.seed, actions)
    drawn = bool(position.states["draws"].any())
    return GameResult(
        id=planned.id,
        setting=planned.setting,
        deal=planned.deal,
        seed=planned.seed,
        seats=seats,
        truncated=position.truncated,
        moves=position.move_number,
        actions=tuple(actions),
        position=record.position,
        copy_key=None if drawn else hashlib.sha256(repr(actions).encode()).hexdigest()[:16],
    )


def decide(agent: Agent, view: View, planned: PlannedGame) -> int:
    """The agent's action. Errors: `MatchError` for whatever goes wrong in the agent."""
    try:
        return agent.act(view)
    except Exception as error:
        who = planned.seating[view.seat]
        raise MatchError(f"game {planned.id}: agent {who} failed: {type(error).__name__}: {error}") from error


def make_agents(
    planned: PlannedGame, setting: Setting, agents: Mapping[str, AgentConfig], run_seed: int
) -> list[Agent]:
    """A fresh agent for each seat, each with a generator of its own."""
    return [
        make_agent(agents[name], setting.game, setting.options, agent_generator(run_seed, planned.id, seat))
        for seat, name in enumerate(planned.seating)
    ]


def returns_under(position: Position, reward: int) -> Sequence[float]:
    """The returns of a finished game as the option `reward` would have them; its own where it has no such option."""
    if any(option.name == "reward" for option in position.game.own_options):
        position = position.copy()
        position.states["options"]["reward"] = reward
    return [float(value) for value in position.returns()]


def places(position: Position) -> list[float]:
    """The place of each seat of a finished game, from 1; tied seats share the mean of their places."""
    standing = np.asarray(returns_under(position, RANK))
    return [float((standing > own).sum() + ((standing == own).sum() + 1) / 2) for own in standing]


def warm_up(experiment: Experiment) -> None:
    """Compile what the games need: each agent makes one move in each game, with the smallest budget it has."""
    for index, setting in enumerate(experiment.settings):
        position = Position(setting.game, setting.options, 0)
        for name, config in experiment.agents.items():
            seat = position.current_player
            assert seat is not None
            seating = (name,) * setting.num_players
            game = PlannedGame(f"warm-up/{name}", index, 0, seating, 0)
            agent = make_agents(game, setting, {name: config.smallest()}, 0)[seat]
            action = decide(agent, View(position, seat), game)
            successor = position.copy()
            successor.apply(action)
            successor.observe(seat)
            returns_under(successor, SCORE)
