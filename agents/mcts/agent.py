"""`mcts`: Monte Carlo tree search as an agent."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Literal, Self

import numpy as np
from pydantic import Field

from agents.agent import Agent, AgentError
from agents.heuristics.contract import NO_HEURISTICS, get_heuristics
from agents.mcts.defaults import default_settings
from agents.mcts.report import SearchReport, root_actions
from agents.mcts.search import EVALUATE, GREEDY, PUCT, RANDOM, SETTINGS, TO_THE_END, UCB1, search
from agents.mcts.tree import Tree, clear, make_tree
from agents.registry import AgentConfig, AgentType, register_agent
from envs.chance import SEED_BITS
from envs.game import Game
from envs.options import Options
from envs.view import View

ITERATIONS = 1000
"""The budget of a search that is given none."""

MOST_ITERATIONS = 10**9
"""No search is longer, whatever its time: visits are counted in 32 bits."""

SELECTIONS = {"ucb1": UCB1, "puct": PUCT}
POLICIES = {"random": RANDOM, "greedy": GREEDY, "evaluate": EVALUATE}


class MctsConfig(AgentConfig):
    """Settings of `mcts`. Where null means the game's default, `docs/search_defaults.md` has it."""

    type: Literal["mcts"] = Field("mcts", description="Monte Carlo tree search")
    iterations: int | None = Field(
        None,
        ge=1,
        le=MOST_ITERATIONS,
        description="simulations a move; null: 1000, or no limit where seconds are given",
    )
    seconds: float | None = Field(None, gt=0, le=86_400, description="time a move; null: no limit")
    selection: Literal["ucb1", "puct"] | None = Field(
        None,
        description="how actions are chosen in the tree: ucb1 tries every one in its turn, puct is led by the rule of "
        "thumb; null: the game's default",
    )
    exploration: float | None = Field(
        None, ge=0, description="weight of the exploration term, for values from 0 to 1; null: the game's default"
    )
    prior: float | None = Field(
        None, ge=0, le=1, description="puct: the rule of thumb's share of the prior; null: the game's default"
    )
    first_play: float | None = Field(
        None,
        ge=0,
        description="puct: how far below its node's value, on the scale from 0 to 1, an action not tried yet is taken "
        "to be; null: the game's default",
    )
    rollout: Literal["random", "greedy", "evaluate"] | None = Field(
        None,
        description="how a leaf is judged: by random play, by the rule of thumb's play, or at once by the static "
        "evaluation; null: the game's default",
    )
    depth: int | Literal["full"] | None = Field(
        None,
        description="moves from the root after which play is cut, at the next turn of the searching seat, and judged "
        "by the static evaluation; full: never; null: the game's default",
    )
    epsilon: float | None = Field(
        None, ge=0, le=1, description="how often a greedy rollout plays at random; null: the game's default"
    )
    heuristics: int | None = Field(None, description="version of the game's heuristics; null: the latest")
    node_budget: int = Field(1 << 20, ge=2, description="nodes a tree may hold; a full tree stops growing")

    @property
    def is_timed(self) -> bool:
        """See `AgentConfig`."""
        return self.seconds is not None

    def smallest(self) -> Self:
        """See `AgentConfig`."""
        return self.model_copy(update={"iterations": 1, "seconds": None})


class MctsAgent(Agent):
    """Searches afresh at every move; a forced move is played without a search.

    Errors at construction: `AgentError` for a game without heuristics where the settings need them, or a node
    budget that does not hold the root's actions.
    """

    def __init__(self, config: MctsConfig, game: Game, options: Options, rng: np.random.Generator) -> None:
        self._game, self._options, self._rng = game, options, rng
        self._iterations, self._seconds = config.iterations, config.seconds
        if self._iterations is None and self._seconds is None:
            self._iterations = ITERATIONS
        self._settings, needs_heuristics = _settings(config, game)
        self._token = get_heuristics(game.name, config.heuristics).token if needs_heuristics else NO_HEURISTICS
        self._budget = config.node_budget
        num_actions = game.num_actions(options)
        if self._budget <= num_actions:
            raise AgentError(
                f"agent mcts: node_budget {self._budget} is too small: {game.name} has {num_actions} actions"
            )
        if self._iterations is not None:
            self._budget = min(self._budget, 1 + (self._iterations + 1) * num_actions)
        self._tree: Tree | None = None
        self._report: tuple[View, SearchReport] | None = None
        if self._seconds is not None:  # so that the first move's time is spent on the search, not on compiling it
            tree = make_tree(game, options["num_players"], num_actions, 1 + num_actions)
            search(tree, self._token, game.template(options), 0, self._settings, 0, 0, 0)

    def act(self, view: View) -> int:
        """A win at hand, else the most visited action; of equals the one of greater value, then of lower index."""
        legal = view.legal_actions()
        if len(legal) == 1:
            return legal[0]
        return self.search_report(view).actions[0].action

    def search_report(self, view: View) -> SearchReport:
        """What the last search found, if `view` is what it searched; else what a search of `view` finds now."""
        if self._report is None or self._report[0] is not view:
            self._report = view, self._search(view)
        return self._report[1]

    def _search(self, view: View) -> SearchReport:
        started = perf_counter()
        root = view.sample(self._rng).states
        seed = int(self._rng.integers(1 << SEED_BITS))
        if self._tree is None:
            self._tree = make_tree(self._game, view.num_players, len(view.action_mask), self._budget)
        tree = self._tree
        clear(tree)
        done, chunk = 0, self._chunk(0, 0.0)
        while chunk:
            search(tree, self._token, root, view.seat, self._settings, seed, done, chunk)
            done += chunk
            chunk = self._chunk(done, perf_counter() - started)
        counts = tree.counts[0]
        return SearchReport(
            seat=view.seat,
            iterations=done,
            nodes=int(counts["used"]),
            budget_reached=bool(counts["full"]),
            seconds=perf_counter() - started,
            actions=root_actions(tree, view.seat),
        )

    def _chunk(self, done: int, elapsed: float) -> int:
        """How many iterations to run before the clock is looked at again; 0 when the budget is used up."""
        left = (self._iterations or MOST_ITERATIONS) - done
        if self._seconds is None or left <= 0:
            return max(left, 0)
        remaining = self._seconds - elapsed
        if done == 0:
            return 1
        if remaining <= 0:
            return 0
        affordable = int(done / elapsed * min(remaining, max(remaining / 4, 0.001)))
        return min(left, max(affordable, 1))


def _settings(config: MctsConfig, game: Game) -> tuple[np.ndarray[Any, Any], bool]:
    """The settings as the compiled search takes them, and whether they need the game's heuristics."""
    defaults = default_settings(game.name)
    given = config.model_dump(include=set(defaults), exclude_none=True)
    chosen = defaults | given
    if chosen["rollout"] == "evaluate":
        if config.depth not in (None, 0):
            raise AgentError(f"agent mcts: depth {config.depth} needs a rollout that plays: random or greedy")
        chosen["depth"] = 0
    settings = np.zeros(1, SETTINGS)
    settings["selection"] = SELECTIONS[chosen["selection"]]
    settings["rollout"] = POLICIES[chosen["rollout"]]
    settings["depth"] = TO_THE_END if chosen["depth"] == "full" else chosen["depth"]
    for name in ("exploration", "prior", "first_play", "epsilon"):
        settings[name] = chosen[name]
    plain = chosen["selection"] == "ucb1" and chosen["rollout"] == "random" and chosen["depth"] == "full"
    return settings, not plain


def _make(config: MctsConfig, game: Game, options: Options, rng: np.random.Generator) -> MctsAgent:
    return MctsAgent(config, game, options, rng)


register_agent(
    AgentType(
        name="mcts", config=MctsConfig, make=_make, summary="searches the tree of moves, with hidden cards dealt anew"
    )
)
