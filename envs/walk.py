"""Positions of a game as play reaches them: what the audit, the conformance suite and tests look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from envs.chance import lane_seed
from envs.errors import GameDefinitionError
from envs.game import Game
from envs.options import Options
from envs.position import Position

Policy = Callable[[Position, np.random.Generator], int]
"""Chooses an action for the seat to act; for tests, so it is handed the whole position."""

Invariant = Callable[[Position], None]
"""Raises AssertionError at a position that breaks a law of the game (conservation and the like)."""

MOVE_LIMIT = 100_000
"""A game that goes on for longer than this many decisions is taken never to end."""


def play_randomly(position: Position, rng: np.random.Generator) -> int:
    """A uniformly random legal action."""
    return int(rng.choice(np.flatnonzero(position.action_mask())))


@dataclass
class Walk:
    """A walk through `count` positions of whole games, the finished ones among them.

    Game number k has the seed `lane_seed(seed, k)` and is played by `policies[k % len(policies)]`. Of each
    game only every `stride`-th position (from a random start) and its last are yielded; `action_types`
    counts all actions played, by the type they decode to, and `games` the games finished.
    """

    game: Game
    options: Options
    count: int
    seed: int = 0
    policies: Sequence[Policy] = (play_randomly,)
    stride: int = 1
    games: int = 0
    decisions: int = 0
    action_types: dict[str, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Position]:
        """Yields positions that the caller may look at but not change; each is moved on afterwards."""
        for action in range(self.game.num_actions(self.options)):
            self.action_types.setdefault(self._type(action), 0)
        rng = np.random.default_rng((self.seed, 1))
        yielded = 0
        while yielded < self.count:
            policy = self.policies[self.games % len(self.policies)]
            position = Position(self.game, self.options, lane_seed(self.seed, self.games))
            offset = int(rng.integers(self.stride))
            while True:
                over = position.is_over
                if yielded < self.count and (over or position.move_number % self.stride == offset):
                    yield position
                    yielded += 1
                if over or yielded >= self.count:
                    break
                if position.move_number >= MOVE_LIMIT:
                    raise GameDefinitionError(f"{self.game.name}: a game goes on after {MOVE_LIMIT} decisions")
                action = policy(position, rng)
                self.action_types[self._type(action)] += 1
                self.decisions += 1
                position.apply(action)
            self.games += 1

    def _type(self, action: int) -> Any:
        return self.game.decode_action(action, self.options)["type"]
