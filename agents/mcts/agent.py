"""`mcts`: Monte Carlo tree search as an agent."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from agents.agent import Agent, AgentError
from agents.mcts.config import ITERATIONS, MOST_ITERATIONS, MctsConfig, make_plan
from agents.mcts.network import NetworkJudge
from agents.mcts.parallel import Array, Job, run_jobs
from agents.mcts.report import SearchReport, make_report
from agents.mcts.reuse import continue_at
from agents.mcts.settings import NETWORK, UCB1_TUNED
from agents.mcts.tree import apart, clear, make_tree
from agents.registry import AgentType, register_agent
from envs.chance import SEED_BITS
from envs.game import Game
from envs.options import Options
from envs.position import Position
from envs.view import View


class MctsAgent(Agent):
    """Searches at every move, from what it knows already where that is sound; a forced move is played at once.

    Errors at construction: `AgentError` for settings that do not fit the game or one another.
    """

    def __init__(self, config: MctsConfig, game: Game, options: Options, rng: np.random.Generator) -> None:
        self._config, self._game, self._options, self._rng = config, game, options, rng
        self._plan = make_plan(config, game, options)
        self._iterations = config.iterations or (ITERATIONS if config.seconds is None else MOST_ITERATIONS)
        self._judge = None
        if self._plan.settings["rollout"] == NETWORK:
            self._judge = NetworkJudge(config.checkpoint, config.weights, game, options)
        self._budget = config.node_budget // self._plan.trees
        least = game.num_actions(options) + (options["num_players"] if self._plan.has_observers else 1)
        if self._budget < least:
            raise AgentError(
                f"agent mcts: node_budget {config.node_budget} is too small: a tree of {game.name} needs {least} nodes"
                + (f", and there are {self._plan.trees}" if self._plan.trees > 1 else "")
            )
        self._reuse = config.reuse and self._plan.is_open
        self._jobs: list[Job] = []
        self._report: tuple[View, SearchReport] | None = None
        if config.seconds is not None:  # so that the first move's time is spent on the search, not on compiling it
            position = Position(game, options)
            beginner = MctsAgent(config.smallest(), game, options, np.random.default_rng(0))
            for _ in range(2):
                beginner.search_report(View(position, position.current_player or 0))

    def act(self, view: View) -> int:
        """The first action of the search's report, or at a temperature one drawn by visits."""
        legal = view.legal_actions()
        if len(legal) == 1:
            return legal[0]
        actions = self.search_report(view).actions
        visits = np.array([entry.visits for entry in actions], np.float64)
        if self._config.temperature == 0.0 or not visits.any():
            return actions[0].action
        weights = (visits / visits.max()) ** (1.0 / self._config.temperature)
        return actions[int(self._rng.choice(len(actions), p=weights / weights.sum()))].action

    def estimate(self, view: View) -> Array:
        """The mean value of the search's simulations."""
        return self.search_report(view).estimate

    def search_report(self, view: View) -> SearchReport:
        """What the last search found, if `view` is what it searched; else what a search of `view` finds now."""
        if self._report is None or self._report[0] is not view:
            self._report = view, self._search(view)
        return self._report[1]

    def _search(self, view: View) -> SearchReport:
        started = perf_counter()
        config, plan = self._config, self._plan
        deadline = None if config.seconds is None else started + config.seconds
        self._prepare(view)
        jobs = self._jobs
        run_jobs(jobs, plan, view.seat, self._iterations, started, deadline, config.threads, self._judge)
        return make_report(
            [job.tree for job in jobs],
            view.seat,
            plan.settings,
            config.final == "value",
            sum(job.done for job in jobs),
            sum(job.reused for job in jobs),
            perf_counter() - started,
        )

    def _prepare(self, view: View) -> None:
        """Give every tree its root and seed; what it holds is kept if the position is one that it knows."""
        plan = self._plan
        if not self._jobs:
            squares = bool(plan.settings["selection"] == UCB1_TUNED)
            for _ in range(plan.trees):
                tree = make_tree(self._game, self._options, self._budget, plan.has_observers, squares)
                self._jobs.append(Job(tree, apart(1, self._game.dtype), self._game.template(self._options)))
        shared = self._sample(view)
        for job in self._jobs:
            before, job.root = job.root, self._sample(view) if plan.is_fixed else shared
            job.seed, job.done, job.reused = int(self._rng.integers(1 << SEED_BITS)), 0, 0
            if self._reuse and self._report is not None and self._report[0].seat == view.seat:
                job.reused = continue_at(job.tree, before, job.root)
            if job.reused == 0:
                clear(job.tree)

    def _sample(self, view: View) -> Array:
        """A position to search from, which pays what is searched for."""
        states = view.sample(self._rng).states
        if self._plan.is_open:
            states["seed"] = 0  # it has no meaning here, and equal positions shall be equal
        if self._plan.reward is not None:
            states["options"]["reward"] = self._plan.reward
        return states


def _make(config: MctsConfig, game: Game, options: Options, rng: np.random.Generator) -> MctsAgent:
    return MctsAgent(config, game, options, rng)


register_agent(
    AgentType(
        name="mcts", config=MctsConfig, make=_make, summary="searches the tree of moves, with hidden cards dealt anew"
    )
)
