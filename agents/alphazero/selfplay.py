"""Signatures first; see below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from agents.alphazero.search import Evaluate
from agents.alphazero.settings import SearchSettings, SelfPlaySettings
from agents.learning.crew import Crew
from envs.game import Game
from envs.options import Options
from envs.position import Array


class Samples(NamedTuple):
    """Decisions to learn from, n of them: what the acting seat saw and might do, the policy that the search found, and
    the value for every seat, own seat first, in units of the value scale.

    `observations` float32[n, O], `masks` bool[n, A], `policies` float32[n, A], `values` float32[n, S].
    """

    observations: Array
    masks: Array
    policies: Array
    values: Array


@dataclass
class Counters:
    """Since the beginning: games ended, those cut by a cap, decisions, samples, leaf evaluations of the network."""

    games: int = 0
    truncated: int = 0
    decisions: int = 0
    samples: int = 0
    evaluations: int = 0


class SelfPlay:
    """Games in self-play, `settings.games` at once. Result does not depend on the crew's threads."""

    def __init__(
        self,
        game: Game,
        options: Options,
        search: SearchSettings,
        settings: SelfPlaySettings,
        value_scale: float,
        seed: int,
    ) -> None:
        self.counters = Counters()

    def play(self, evaluate: Evaluate, rounds: int, crew: Crew) -> Samples:
        """Run `rounds` rounds: in each one leaf of every game (`leaves` at most) is judged. `evaluate` is called from
        the crew's threads, one group's batch a call. Gives samples of the games that ended."""
        ...

    def state(self) -> dict[str, Array]: ...

    def restore(self, state: dict[str, Array]) -> None: ...
