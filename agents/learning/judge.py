"""How good a network is, against a fixed field, and whether it is better than the best so far.

Deals are never used twice: those a network is reported on are others than those it was chosen on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.learning.choice import Choice, is_better
from agents.learning.config import EvaluationSettings
from agents.learning.evaluation import MatchResult, make_field, play_match
from agents.learning.players import Player
from envs.game import Game
from envs.options import Options
from envs.position import Array

FINAL_DEALS = 4
"""The final report is over so many times the deals of an evaluation."""

USUAL_OPENING = 2
"""Random decisions at the start of a match's deals where nothing is hidden: two seats of seven actions have 49 such."""

_REPORT, _CHOICE, _FINAL = 3, 4, 5
"""What deals are for."""


@dataclass(frozen=True)
class Evaluation:
    """Matches after an update: against the field, and against past selves, by name."""

    update: int
    steps: int
    field: Mapping[str, MatchResult]
    past: Mapping[str, MatchResult]

    @property
    def win_rates(self) -> dict[str, float]:
        """The share of the win against each opponent."""
        return {name: result.win_rate for name, result in {**self.field, **self.past}.items()}

    def to_json(self) -> dict[str, Any]:
        matches = {name: result.to_json() for name, result in {**self.field, **self.past}.items()}
        return {"update": self.update, "steps": self.steps, "matches": matches}


class Judge:
    """Plays the matches of a training. Errors: `AgentError` for a field that cannot play the game."""

    def __init__(self, game: Game, options: Options, settings: EvaluationSettings, seed: int, threads: int) -> None:
        self.game, self.options, self.settings, self.seed, self.threads = game, options, settings, seed, threads
        self.field = make_field(settings.field, game, options)
        usual = 0 if game.hidden_information else USUAL_OPENING
        self.opening = usual if settings.opening is None else settings.opening

    def evaluate(self, own: Player, update: int, steps: int, past: Mapping[str, Player]) -> Evaluation:
        """The learner of an update against the field and its past selves."""
        deals = self._deals(self.settings.deals, _REPORT, update)
        return Evaluation(update, steps, self._matches(own, self.field, deals), self._matches(own, past, deals))

    def compare(self, newcomer: Player, best: Player, update: int) -> Choice:
        """Test whether the newcomer, of an update, does better against the field than the best so far."""

        def differences(number: int) -> Array:
            deals = self._deals(self.settings.deals, _CHOICE, update, number)
            new, old = (self._matches(player, self.field, deals) for player in (newcomer, best))
            return np.mean([(new[name].shares - old[name].shares).mean(axis=1) for name in self.field], axis=0)

        return is_better(differences, self.settings.rounds, self.settings.margin)

    def final_report(self, own: Player) -> dict[str, MatchResult]:
        """The learner against the field, on more deals than in an evaluation."""
        return self._matches(own, self.field, self._deals(FINAL_DEALS * self.settings.deals, _FINAL))

    def _matches(self, own: Player, others: Mapping[str, Player], deals: Sequence[int]) -> dict[str, MatchResult]:
        return {
            name: play_match(self.game, self.options, own, other, deals, self.opening, self.threads)
            for name, other in others.items()
        }

    def _deals(self, count: int, *purpose: int) -> list[int]:
        return np.random.default_rng((self.seed, *purpose)).integers(1 << 62, size=count).tolist()
