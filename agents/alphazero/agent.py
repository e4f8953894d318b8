"""`alphazero`: a search led by a network, from a checkpoint or trained for the occasion.

Torch comes with the first agent that is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field, ValidationError

from agents.agent import Agent, AgentError
from agents.alphazero.config import AlphaZeroSettings
from agents.alphazero.settings import SearchSettings
from agents.learning.agent import LearnedConfig, agent_file, load_network
from agents.mcts.report import SearchReport
from agents.registry import AgentType, register_agent
from envs.chance import SEED_BITS
from envs.game import Game
from envs.options import Options
from envs.position import Array, Position
from envs.view import View

if TYPE_CHECKING:
    from agents.alphazero.network import SearchNetwork
    from agents.alphazero.search import BatchSearch, Evaluate
    from agents.alphazero.trainer import Trainer

ITERATIONS = 200
"""The default budget."""

MOST_ITERATIONS = 1 << 20
"""Of a search by the clock."""

WARMING_UP = 3600.0
"""Seconds: a deadline that a search of a few iterations does not come near to, though all is compiled meanwhile."""


class AlphaZeroConfig(LearnedConfig):
    """Settings of `alphazero`: either a checkpoint or a training, and how it searches."""

    type: Literal["alphazero"] = Field(default="alphazero", description="a search led by a network (AlphaZero)")
    train: AlphaZeroSettings | None = Field(
        default=None,
        description="train first, for each game of the experiment, and then play: the settings of a training",
    )
    iterations: int | None = Field(
        default=None,
        ge=0,
        le=MOST_ITERATIONS,
        description=f"simulations a move; 0: the network's policy alone; null: {ITERATIONS}, unless `seconds` is given",
    )
    seconds: float | None = Field(
        default=None, gt=0, description="time a move, in place of iterations; games then depend on the machine"
    )
    reuse: bool = Field(
        default=True,
        description="keep what the tree knows of the position reached; only where nothing is hidden or drawn",
    )
    leaves: int = Field(default=8, ge=1, le=256, description="leaves of the tree that are judged at once")
    temperature: float = Field(
        default=0.0,
        ge=0,
        description="0 plays the best action; else one drawn from visits, or from the policy, to the power of "
        "1/temperature",
    )
    search: SearchSettings | None = Field(
        default=None, description="how it searches; null: as in the training that the checkpoint is from"
    )

    @property
    def is_timed(self) -> bool:
        """See `AgentConfig`."""
        return self.seconds is not None

    def smallest(self) -> Self:
        """See `AgentConfig`."""
        return self.model_copy(update={"iterations": 1, "seconds": None})

    def check(self, game: Game, options: Options) -> None:
        """See `AgentConfig`."""
        _budget(self)
        super().check(game, options)

    def check_training(self, game: Game, options: Options) -> None:
        """See `LearnedConfig`."""
        from agents.alphazero.trainer import check_settings

        assert self.train is not None
        check_settings(self.train, game, options)

    def make_trainer(self, game: Game, options: Options, folder: Path, name: str) -> Trainer:
        """See `LearnedConfig`."""
        from agents.alphazero.trainer import Trainer

        assert self.train is not None
        return Trainer(game, options, self.train, folder, name)


class AlphaZeroAgent(Agent):
    """Searches at every move, led by a network; a forced move is played at once."""

    def __init__(
        self,
        config: AlphaZeroConfig,
        game: Game,
        options: Options,
        network: SearchNetwork,
        facts: Mapping[str, Any],
        rng: np.random.Generator,
    ) -> None:
        self._config, self._game, self._options, self._rng = config, game, options, rng
        self.network, self.facts, self.temperature = network, facts, config.temperature
        self._iterations = _budget(config)
        self._prepare()
        if config.seconds is not None:
            self._warm_up()

    def _prepare(self) -> None:
        """Make the search for the network there is."""
        import torch

        from agents.alphazero.network import Evaluator
        from agents.alphazero.search import BatchSearch

        config = self._config
        settings = config.search or _search_settings(self.facts)
        if not self._iterations:
            settings = settings.model_copy(update={"thumb_share": 0.0, "rollout_share": 0.0})
        scale, most = self.network.shape.value_scale, max(1, self._iterations)
        self._evaluate: Evaluate = Evaluator(self.network, torch.device("cpu"))
        self._search: BatchSearch = BatchSearch(self._game, self._options, settings, scale, 1, most, config.leaves)
        self._report: tuple[View, SearchReport] | None = None

    def _warm_up(self) -> None:
        """Have compiled whatever a move takes, so that the first one's time is spent on searching."""
        config = self._config.model_copy(update={"seconds": None, "iterations": 2 * self._config.leaves})
        beginner = AlphaZeroAgent(config, self._game, self._options, self.network, self.facts, np.random.default_rng(0))
        position = Position(self._game, self._options)
        view = View(position, position.current_player or 0)
        for _ in range(2):  # the second time it finds a tree that may be kept
            beginner._search_now(view, WARMING_UP)

    def act(self, view: View) -> int:
        """The first action of the search's report, or at a temperature one drawn by visits or the policy."""
        legal = view.legal_actions()
        if len(legal) == 1:
            return legal[0]
        if self._iterations == 0:
            return self._by_policy(view)
        actions = self.search_report(view).actions
        visits = np.array([entry.visits for entry in actions], np.float64)
        if self.temperature == 0.0 or not visits.any():
            return actions[0].action
        weights = (visits / visits.max()) ** (1.0 / self.temperature)
        return actions[int(self._rng.choice(len(actions), p=weights / weights.sum()))].action

    def _by_policy(self, view: View) -> int:
        from agents.learning.policy import choose

        key = int(self._rng.integers(1 << SEED_BITS))
        return int(choose(self._ask(view)[0], view.action_mask, self.temperature, key)[0])

    def _ask(self, view: View) -> tuple[Array, Array]:
        """The network's logits (float32[A]) and values (float32[S], own seat first)."""
        logits, values = self._evaluate(view.observation[None], view.action_mask[None])
        return logits[0], values[0]

    def estimate(self, view: View) -> Array:
        """The mean value of the search's simulations; without any the word of the value head."""
        if self._iterations:
            report = self.search_report(view)
            if any(entry.visits for entry in report.actions):
                return report.estimate
        return np.roll(self._ask(view)[1].astype(np.float64), view.seat) * self.network.shape.value_scale

    def search_report(self, view: View) -> SearchReport:
        """What the last search found, if `view` is what it searched; else what a search of `view` finds now.

        Without a search it is what the policy says: actions never visited, by their priors.
        """
        if self._report is None or self._report[0] is not view:
            self._report = view, self._search_now(view, self._config.seconds)
        return self._report[1]

    def _search_now(self, view: View, seconds: float | None) -> SearchReport:
        from agents.alphazero.report import make_report

        started = perf_counter()
        search, states = self._search, view.sample(self._rng).states
        deadline = None if seconds is None else started + seconds
        if not self._iterations:
            deadline = started  # the root alone is judged
        seed, most = int(self._rng.integers(1 << SEED_BITS)), max(1, self._iterations)
        reuse = self._config.reuse and self._iterations > 0  # the policy alone is no search that could go on
        kept = search.begin(states, np.array([view.seat]), np.array([seed]), most, reuse=reuse)
        search.run(self._evaluate, deadline)
        scale = self.network.shape.value_scale
        return make_report(search, view.seat, view.legal_actions(), scale, int(kept[0]), perf_counter() - started)

    def save(self, path: Path) -> None:
        """Write an agent file."""
        from agents.learning.checkpoint import write_agent

        write_agent(path, self.network, self.facts)

    def load(self, path: Path) -> None:
        """Take over the network of an agent file, or of the folder of a training. Errors: `AgentError`."""
        from agents.alphazero.network import SearchNetwork
        from agents.learning.checkpoint import misfit, read_agent

        file = agent_file(path, "best")
        network, facts = read_agent(file, SearchNetwork)
        if reason := misfit(facts, self._game, self._options):
            raise AgentError(f"{file}: {reason}")
        _check_values(network, self._options)
        self.network, self.facts = network, facts
        self._prepare()


def _budget(config: AlphaZeroConfig) -> int:
    """How many simulations a move has at most. Errors: `AgentError` where both a number and a time are given."""
    if config.seconds is None:
        return ITERATIONS if config.iterations is None else config.iterations
    if config.iterations is not None:
        raise AgentError("agent alphazero takes iterations or seconds, not both")
    return MOST_ITERATIONS


def _search_settings(facts: Mapping[str, Any]) -> SearchSettings:
    """How the training searched. Errors: `AgentError` where the facts do not say it."""
    try:
        return SearchSettings.model_validate(facts["settings"]["search"])
    except (KeyError, TypeError, ValidationError):
        raise AgentError("agent alphazero: the checkpoint does not say how to search: give `search`") from None


def _check_values(network: SearchNetwork, options: Options) -> None:
    """Refuse a network that does not speak of every seat. Errors: `AgentError`."""
    seats = options["num_players"]
    if network.shape.values != seats:
        raise AgentError(f"agent alphazero: the checkpoint has {network.shape.values} values for {seats} seats")


def _make(config: AlphaZeroConfig, game: Game, options: Options, rng: np.random.Generator) -> AlphaZeroAgent:
    from agents.alphazero.network import SearchNetwork

    _budget(config)
    network, facts = load_network(config, game, options, SearchNetwork)
    _check_values(network, options)
    return AlphaZeroAgent(config, game, options, network, facts, rng)


register_agent(
    AgentType(
        name="alphazero",
        config=AlphaZeroConfig,
        make=_make,
        summary="searches led by a network that it has learned by self-play (AlphaZero)",
    )
)
