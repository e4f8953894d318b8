"""The settings of `mcts`, and what becomes of them for one game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, ValidationInfo, field_validator

from agents.agent import AgentError
from agents.heuristics.contract import NO_HEURISTICS, get_heuristics
from agents.mcts.defaults import default_settings
from agents.mcts.settings import (
    EVALUATE,
    GREEDY,
    MAX_N,
    NETWORK,
    PARANOID,
    PUCT,
    RANDOM,
    SETTINGS,
    TO_THE_END,
    UCB1,
    UCB1_TUNED,
)
from agents.registry import AgentConfig
from envs.errors import unknown
from envs.game import Game
from envs.options import Options

ITERATIONS = 1000
"""The budget of a search that is given none."""

MOST_ITERATIONS = 10**9
"""No search is longer, whatever its time: visits are counted in 32 bits."""

MOST_TREES = 1024

SELECTIONS = {"ucb1": UCB1, "ucb1_tuned": UCB1_TUNED, "puct": PUCT}
BACKUPS = {"max_n": MAX_N, "paranoid": PARANOID}
ROLLOUTS = {"random": RANDOM, "greedy": GREEDY, "evaluate": EVALUATE, "network": NETWORK}
AT_ONCE = ("evaluate", "network")
"""Rollouts that play no move."""

Array = np.ndarray[Any, Any]


class MctsConfig(AgentConfig):
    """Settings of `mcts`. Where null means the game's default, `docs/search_defaults.md` has it."""

    type: Literal["mcts"] = Field("mcts", description="Monte Carlo tree search")
    iterations: int | None = Field(
        None,
        ge=1,
        le=MOST_ITERATIONS,
        description="simulations a move, over all trees; null: 1000, or no limit where seconds are given",
    )
    seconds: float | None = Field(
        None,
        gt=0,
        le=86_400,
        description="time a move, kept to within 5 % or 3 ms, whichever is more; null: no limit",
    )
    observers: Literal["single", "multiple"] | None = Field(
        None,
        description="hidden information: one tree, the searching seat's, or one for each seat, which branches on what "
        "that seat can tell apart; null: the game's default",
    )
    determinizations: int | None = Field(
        None,
        ge=1,
        le=MOST_TREES,
        description="perfect-information Monte Carlo: so many trees, each on one determinization that stays as it "
        "is, chance to come included; null: every simulation has its own",
    )
    backup: Literal["max_n", "paranoid"] | None = Field(
        None,
        description="max_n: each seat wants its own value; paranoid: all others want the searching seat's to be low; "
        "null: the game's default",
    )
    selection: Literal["ucb1", "ucb1_tuned", "puct"] | None = Field(
        None,
        description="how actions are chosen in the tree: by confidence bounds, by bounds that heed the variance, or "
        "led by the rule of thumb; null: the game's default",
    )
    exploration: float | None = Field(
        None, ge=0, description="weight of the exploration term, for values from 0 to 1; null: the game's default"
    )
    prior: float | None = Field(
        None, ge=0, le=1, description="puct: the rule of thumb's share of the prior; null: the game's default"
    )
    first_play: Annotated[float, Field(ge=0)] | Literal["first"] | None = Field(
        None,
        description="first-play urgency: how far below its node's value, on the scale from 0 to 1, an action not "
        "tried yet is taken to be; first: each is tried before any is repeated; null: the game's default",
    )
    rollout: Literal["random", "greedy", "evaluate", "network"] | None = Field(
        None,
        description="how a leaf is judged: by random play, by the rule of thumb's play, or at once by the static "
        "evaluation or by the network of a checkpoint; null: the game's default",
    )
    depth: int | Literal["full"] | None = Field(
        None,
        description="moves from the root after which play is cut, at the next turn of the searching seat, and judged "
        "by the static evaluation; full: never; null: the game's default",
    )
    epsilon: float | None = Field(
        None, ge=0, le=1, description="how often a greedy rollout plays at random; null: the game's default"
    )
    checkpoint: str | Annotated[tuple[str, ...], Field(min_length=1)] | None = Field(
        None, description="rollout network: an agent file of ppo, or the folder of a training, or several"
    )
    weights: str | None = Field(
        None,
        validate_default=True,
        description="the first 16 digits of the checkpoint's content hash; worked out if it is not given, so that "
        "results name the very network",
    )
    heuristics: int | None = Field(None, description="version of the game's heuristics; null: the latest")
    reward: Literal["returns", "win", "rank", "score"] = Field(
        "returns",
        description="what a finished simulation pays: the game's returns, or what it would return under another "
        "choice of its option reward",
    )
    final: Literal["visits", "value"] = Field(
        "visits", description="the move: the most visited action, or the one of the greatest value"
    )
    temperature: float = Field(
        0.0, ge=0, description="0 plays the best action; else one drawn from visits to the power of 1/temperature"
    )
    reuse: bool = Field(
        True, description="keep what the tree knows of the position reached; only where nothing is hidden or drawn"
    )
    threads: int = Field(1, ge=1, le=MOST_TREES, description="trees searched at once, summed up at the root")
    node_budget: int = Field(
        1 << 20, ge=2, lt=1 << 31, description="nodes that all trees may hold; a full tree stops growing"
    )

    @field_validator("weights", mode="before")
    @classmethod
    def _name_weights(cls, given: Any, info: ValidationInfo) -> Any:
        checkpoint = info.data.get("checkpoint")
        if not checkpoint or given:
            return given
        from agents.learning.agent import weights_name

        return weights_name(checkpoint, "best")

    @property
    def is_timed(self) -> bool:
        """See `AgentConfig`."""
        return self.seconds is not None

    def smallest(self) -> Self:
        """See `AgentConfig`."""
        return self.model_copy(update={"iterations": 1, "seconds": None})


@dataclass(frozen=True)
class Plan:
    """How one game is searched: settings and heuristics as compiled code takes them, and how many trees there are.

    `settings` is a `SETTINGS`[1], `token` shape (1,). `trees` are searched independently; `is_fixed` says that each
    has a determinization of its own, `is_open` that the game hides and draws nothing, `has_observers` that every
    seat has a tree. `reward` is what `state.options.reward` is set to, None to leave it.
    """

    settings: Array
    token: Array
    trees: int
    is_fixed: bool
    is_open: bool
    has_observers: bool
    reward: int | None


def make_plan(config: MctsConfig, game: Game, options: Options) -> Plan:
    """What the settings mean for a game. Errors: `AgentError` for what the game or other settings do not allow."""
    defaults = default_settings(game.name)
    chosen = defaults | config.model_dump(include=set(defaults), exclude_none=True)
    if chosen["first_play"] is None:
        chosen["first_play"] = 0.0 if chosen["selection"] == "puct" else "first"
    if chosen["rollout"] in AT_ONCE:
        if config.depth not in (None, 0):
            raise AgentError(f"agent mcts: depth {config.depth} needs a rollout that plays: random or greedy")
        chosen["depth"] = 0
    elif config.checkpoint is not None:
        raise AgentError("agent mcts: a checkpoint is of use with rollout: network alone")
    is_open = not game.hidden_information and not game.streams
    is_fixed = config.determinizations is not None and not is_open
    settings = np.zeros(1, SETTINGS)
    settings["selection"] = SELECTIONS[chosen["selection"]]
    settings["backup"] = BACKUPS[chosen["backup"]]
    settings["rollout"] = ROLLOUTS[chosen["rollout"]]
    settings["depth"] = TO_THE_END if chosen["depth"] == "full" else chosen["depth"]
    settings["first_play"] = -np.inf if chosen["first_play"] == "first" else chosen["first_play"]
    settings["closed"] = is_open or is_fixed
    for name in ("exploration", "prior", "epsilon"):
        settings[name] = chosen[name]
    if config.observers == "multiple" and config.determinizations is not None:
        raise AgentError("agent mcts: observers and determinizations exclude each other: multiple needs new cards")
    thumb = chosen["selection"] == "puct" or chosen["rollout"] == "greedy"
    judged = chosen["rollout"] != "network" and chosen["depth"] != "full"
    return Plan(
        settings=settings,
        token=get_heuristics(game.name, config.heuristics).token if thumb or judged else NO_HEURISTICS,
        trees=max(config.threads, config.determinizations or 1),
        is_fixed=is_fixed,
        is_open=is_open,
        has_observers=chosen["observers"] == "multiple" and not (is_open or is_fixed),
        reward=_reward(config, game, chosen["rollout"]),
    )


def _reward(config: MctsConfig, game: Game, rollout: str) -> int | None:
    """The choice of the option `reward` that finished simulations are paid by, as it lies in the record."""
    if config.reward == "returns":
        return None
    option = next((option for option in game.own_options if option.name == "reward"), None)
    if option is None:
        raise AgentError(f"agent mcts: reward {config.reward}: {game.name} has no option reward, only its returns")
    if config.reward not in option.choices:
        raise AgentError(unknown("reward", config.reward, option.choices, f"agent mcts for {game.name}"))
    if rollout == "network":
        raise AgentError(f"agent mcts: reward {config.reward}: a network knows the game's own returns alone")
    return int(option.encode(config.reward))
