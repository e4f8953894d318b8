"""Who sits at a table: people, and agents with settings a table can afford, checkpoints under the runs among them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.agent import AgentError
from agents.learning.files import agent_file_kind, algorithm_of, read_facts
from agents.registry import AgentConfig, agent_config
from envs.errors import KontorError, UnknownName
from envs.game import Game
from envs.options import Options

MOST_ITERATIONS = 100_000
MOST_SECONDS = 60.0
"""Budgets of a search at a table: somebody waits for it."""

LEARNED = ("ppo", "alphazero")
"""Agents that play by a checkpoint."""

CHECKPOINTS = ("best", "latest")
MOST_DEPTH = 4
"""How far below the folder of runs a training may lie."""


class Seat(BaseModel):
    """One seat as it is asked for: a person, or an agent with its budget or checkpoint.

    `checkpoint` is the name of one that `checkpoints` finds; to `mcts` it lends its network.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    type: Literal["human", "random", "greedy", "mcts", "ppo", "alphazero"]
    name: Annotated[str, Field(max_length=40)] = ""
    iterations: Annotated[int, Field(ge=1, le=MOST_ITERATIONS)] | None = None
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] | None = None
    checkpoint: Annotated[str, Field(max_length=300)] | None = None

    @property
    def is_human(self) -> bool:
        return self.type == "human"

    @property
    def shown(self) -> str:
        """What the seat is called at the table."""
        if self.name.strip():
            return " ".join(self.name.split())
        parts: list[str] = ["a person" if self.is_human else self.type]
        if self.iterations is not None:
            parts.append(f"{self.iterations} simulations")
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} s a move")
        if self.checkpoint is not None:
            parts.append(self.checkpoint)
        return ", ".join(parts)


@dataclass(frozen=True)
class Checkpoint:
    """The network of a training: `name` is its place under the runs, without the suffix; `agent` plays by it."""

    name: str
    file: Path
    agent: str
    facts: dict[str, Any]

    def fits(self, game: Game, options: Options) -> bool:
        """Whether it was trained for the game, its version and so many players, with actions of the same number."""
        return (
            self.facts["game"] == game.name
            and self.facts.get("game_version") == game.version
            and self.num_players == options["num_players"]
            and self.facts.get("network", {}).get("num_actions") == game.num_actions(options)
        )

    @property
    def num_players(self) -> int:
        return int(self.facts["options"]["num_players"])


def checkpoints(runs: Path, game: Game) -> Iterator[Checkpoint]:
    """The networks under `runs` that were trained for a game, by name; what cannot be read is passed over."""
    for folder in sorted(_folders(runs)):
        for which in CHECKPOINTS:
            file = folder / f"{which}.safetensors"
            found = _checkpoint(file, file.relative_to(runs).with_suffix("").as_posix()) if file.is_file() else None
            if found is not None and found.facts["game"] == game.name:
                yield found


def _checkpoint(file: Path, name: str) -> Checkpoint | None:
    """What an agent file says of itself, without reading its network; None for any other file."""
    try:
        agent = algorithm_of(file)
        facts = read_facts(file, agent_file_kind(agent))
        if agent not in LEARNED or not isinstance(facts["game"], str):
            return None
        if not isinstance(facts["options"]["num_players"], int):
            return None
    except (AgentError, KeyError, TypeError):
        return None
    return Checkpoint(name, file, agent, facts)


def _folders(runs: Path) -> Iterator[Path]:
    """The folders down to `MOST_DEPTH`; links are not followed."""
    for place, below, _ in os.walk(runs):
        folder = Path(place)
        yield folder
        if len(folder.relative_to(runs).parts) >= MOST_DEPTH:
            below.clear()


def seat_config(seat: Seat, game: Game, options: Options, runs: Path) -> AgentConfig:
    """The checked settings of a seat's agent. Errors: `KontorError` for what it cannot play or does not take."""
    settings: dict[str, Any] = {}
    if seat.iterations is not None:
        settings["iterations"] = seat.iterations
    if seat.seconds is not None:
        settings["seconds"] = seat.seconds
    if seat.checkpoint is not None:
        found = {checkpoint.name: checkpoint for checkpoint in checkpoints(runs, game)}
        if seat.checkpoint not in found:
            raise UnknownName("checkpoint", seat.checkpoint, found, f"{runs} for {game.name}")
        settings["checkpoint"] = str(found[seat.checkpoint].file)
        if seat.type == "mcts":
            settings["rollout"] = "network"
    config = agent_config(seat.type, **settings)
    config.check(game, options)
    return config


def check_seats(seats: Sequence[Seat], game: Game, options: Options, runs: Path) -> None:
    """Refuse seats that cannot sit down. Errors: `KontorError`."""
    if len(seats) != options["num_players"]:
        raise KontorError(f"{game.name} for {options['num_players']} players has as many seats, not {len(seats)}")
    for number, seat in enumerate(seats):
        if seat.is_human:
            if (seat.iterations, seat.seconds, seat.checkpoint) != (None, None, None):
                raise KontorError(f"seat {number}: a person takes no iterations, seconds or checkpoint")
            continue
        try:
            seat_config(seat, game, options, runs)
        except KontorError as error:
            raise KontorError(f"seat {number}: {error}") from None
