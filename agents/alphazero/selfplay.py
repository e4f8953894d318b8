"""Self-play: many games at once, every seat by search with the present network, and what is to be learned from them.

The games are played in groups. A group runs by itself, a round after the other: its games are played and searched until
each has a leaf, and all leaves are judged at once. So threads meet no more than once for many rounds, tree work of one
group goes on beside the network's work for another, and what comes out depends on the groups alone, never on how many
threads there are. Playout-cap randomisation: Wu, "Accelerating self-play learning in Go", 2019.

Everything random is keyed by the seeds of the games, which follow from one another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from agents.alphazero.games import COURSE, PLAN, Story, collect, play_on
from agents.alphazero.iterations import deliver
from agents.alphazero.search import Evaluate, heuristics_token
from agents.alphazero.settings import SearchSettings, SelfPlaySettings, search_record
from agents.alphazero.tree import make_forest, tree_budget
from agents.learning.crew import Crew
from envs.chance import lane_seed
from envs.game import Game
from envs.kernels import start
from envs.options import Options
from envs.position import Array

RANDOM_OPENING = 8
"""The default of `opening` where nothing is hidden."""

FIRST_DECISIONS = 32
"""How many decisions of a game there is room for at first."""


class Samples(NamedTuple):
    """Decisions to learn from, n of them: what the acting seat saw and could do, the policy that the search found, and
    the value for every seat, own seat first, in units of the value scale.

    `observations` float32[n, O], `masks` bool[n, A], `policies` float32[n, A], `values` float32[n, S].
    """

    observations: Array
    masks: Array
    policies: Array
    values: Array


@dataclass(frozen=True)
class Counters:
    """Since the beginning: games ended, those among them that a cap ended, moves chosen by search, and leaves that the
    network judged."""

    games: int
    truncated: int
    decisions: int
    evaluations: int


class SelfPlay:
    """Games of all seats by one network, `settings.games` at once.

    `value_scale` is what returns are divided by. Errors: `AgentError` where settings need a rule of thumb and the game
    has none.
    """

    def __init__(
        self,
        game: Game,
        options: Options,
        search: SearchSettings,
        settings: SelfPlaySettings,
        value_scale: float,
        seed: int,
    ) -> None:
        self._game, self._options = game, options
        groups = min(settings.groups, settings.games)
        ends = [settings.games * number // groups for number in range(groups + 1)]
        self._groups = [
            _Group(game, options, search, settings, value_scale, seed, range(first, last))
            for first, last in pairwise(ends)
        ]

    @property
    def counters(self) -> Counters:
        """What was done so far."""
        courses = np.concatenate([group.courses for group in self._groups])
        return Counters(
            games=int(courses["games"].sum()),
            truncated=int(courses["truncated"].sum()),
            decisions=int(courses["decisions"].sum()),
            evaluations=sum(int(group.evaluations[0]) for group in self._groups),
        )

    def play(self, evaluate: Evaluate, rounds: int, crew: Crew) -> Samples:
        """Play on for `rounds` rounds, in each of which leaves of all games are judged, and give what is to be learned
        from the games that have ended. `evaluate` is called from the threads of the crew, for a group at a time."""
        told = crew.share(lambda group: group.play(evaluate, rounds), self._groups)
        parts = [part for parts in told for part in parts] or [self._groups[0].empty()]
        return Samples(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    # -------------------------------------------------------------- checkpoints

    def state(self) -> dict[str, Array]:
        """All that the games and searches under way depend on, as arrays of numbers."""
        return {
            f"{number}.{name}": array
            for number, group in enumerate(self._groups)
            for name, array in group.state().items()
        }

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go on from what `state` gave, under the same settings."""
        for number, group in enumerate(self._groups):
            prefix = f"{number}."
            group.restore({name[len(prefix) :]: array for name, array in state.items() if name.startswith(prefix)})


class _Group:
    """Games that are played together; `lanes` are their numbers among all games."""

    def __init__(
        self,
        game: Game,
        options: Options,
        search: SearchSettings,
        settings: SelfPlaySettings,
        value_scale: float,
        seed: int,
        lanes: range,
    ) -> None:
        self._game, self._options, self._leaves = game, options, settings.leaves
        is_open = not game.hidden_information and not game.streams
        self._settings = search_record(search, value_scale, is_open, settings.concentration)
        self._plan: Any = np.zeros(1, PLAN)
        most_random = 0 if game.hidden_information else RANDOM_OPENING
        settings = settings.model_copy(
            update={"opening": most_random if settings.opening is None else settings.opening}
        )
        for name in PLAN.names or ():
            self._plan[name] = getattr(settings, name)
        self._token = heuristics_token(game, search)
        longest = max(settings.iterations, settings.fast_iterations)
        budget = tree_budget(game, options, longest, search.node_budget, settings.games)
        self._forest = make_forest(game, options, len(lanes), settings.leaves, budget, 2 * longest)
        self._template = game.template(options)
        self._games: Array = np.zeros(len(lanes), game.dtype)
        for lane, number in enumerate(lanes):
            start(self._games, lane, self._template, int(lane_seed(seed, number)))
        self._places: Array = np.zeros(len(lanes) * settings.leaves, game.dtype)
        self._spare: Array = np.zeros(1, game.dtype)
        self._story = self._make_story(FIRST_DECISIONS)
        self.courses: Array = np.zeros(len(lanes), COURSE)
        self.evaluations = np.zeros(1, np.int64)

    def _make_story(self, room: int) -> Story:
        lanes, actions, seats = len(self._games), self._game.num_actions(self._options), self._options["num_players"]
        return Story(
            positions=np.zeros((lanes, room), self._game.dtype),
            policies=np.zeros((lanes, room, actions), np.float32),
            root_values=np.zeros((lanes, room, seats), np.float32),
            payoffs=np.zeros((lanes, seats)),
        )

    def empty(self) -> Samples:
        """No samples."""
        return self._new_samples(0)

    def _new_samples(self, count: int) -> Samples:
        actions = self._game.num_actions(self._options)
        return Samples(
            observations=np.zeros((count, self._game.observation_size(self._options)), np.float32),
            masks=np.zeros((count, actions), np.bool_),
            policies=np.zeros((count, actions), np.float32),
            values=np.zeros((count, self._options["num_players"]), np.float32),
        )

    def play(self, evaluate: Evaluate, rounds: int) -> list[Samples]:
        """See `SelfPlay.play`."""
        forest = self._forest
        parts = []
        for _ in range(rounds):
            rows, ended, told, most = play_on(
                forest,
                self._games,
                self.courses,
                self._story,
                self._template,
                self._places,
                self._spare,
                self._token,
                self._settings,
                self._plan,
                self._leaves,
            )
            if ended:
                samples = self._new_samples(told)
                collect(self.courses, self._story, self._plan, *samples)
                parts.append(samples)
            if most == self._story.positions.shape[1]:
                self._make_room(2 * most)
            if rows == 0:
                continue
            deliver(forest, rows, *evaluate(forest.observations[:rows], forest.masks[:rows]), self._settings)
            self.evaluations += rows
        return parts

    def _make_room(self, room: int) -> None:
        before, self._story = self._story, self._make_story(room)
        for old, new in zip(before, self._story, strict=True):
            new[:, : old.shape[1]] = old

    def _parts(self) -> dict[str, Array]:
        """What is stored, cut to what is in use."""
        forest, story = self._forest, self._story
        used, told = int(forest.lanes["used"].max()), int(self.courses["told"].max())
        return {
            "games": self._games,
            "courses": self.courses,
            "evaluations": self.evaluations,
            "lanes": forest.lanes,
            "nodes": forest.nodes[:, :used],
            "values": forest.values[:, :used],
            "gumbels": forest.gumbels,
            "kept": forest.kept,
            "positions": story.positions[:, :told],
            "policies": story.policies[:, :told],
            "root_values": story.root_values[:, :told],
        }

    def state(self) -> dict[str, Array]:
        """See `SelfPlay.state`. What is left over of trees and games before is cleared, so that equals look equal."""
        parts = {name: part.copy() for name, part in self._parts().items()}
        for names, in_use in (
            (("nodes", "values"), self._forest.lanes["used"]),
            (("positions", "policies", "root_values"), self.courses["told"]),
        ):
            for name in names:
                parts[name][np.arange(parts[name].shape[1]) >= in_use[:, None]] = np.zeros((), parts[name].dtype)
        stored = {name: part.view(np.uint8) if part.dtype.names else part for name, part in parts.items()}
        return stored | {"room": np.array([self._story.positions.shape[1]])}

    def restore(self, state: Mapping[str, Array]) -> None:
        """See `SelfPlay.restore`."""
        self._forest.lanes[:] = _records(state["lanes"], self._forest.lanes)
        self.courses[:] = _records(state["courses"], self.courses)
        self._story = self._make_story(int(state["room"][0]))  # where there is none a game has to wait a round
        for name, part in self._parts().items():
            part[...] = _records(state[name], part)


def _records(stored: Array, like: Array) -> Any:
    """Numbers as they were, or bytes as the records that they were made from."""
    if like.dtype.names is None:
        return stored
    records: Any = np.ascontiguousarray(stored).view(like.dtype)
    return records.reshape(like.shape)
