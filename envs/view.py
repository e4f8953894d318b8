"""What one seat may know of a position: all that an agent is ever handed.

A view is made from a determinization of the position for its seat, and holds nothing else. Two positions
which the seat cannot tell apart give byte-identical determinizations, so a view holds no secret to leak,
wherever an agent looks; that determinizing is sound is what `envs.audit` tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.game import Game
from envs.options import Options
from envs.position import Array, Position

_VIEW_SEED = 0


class View:
    """What seat `seat` knows: observation, mask, public facts, and fair samples of the whole position."""

    __slots__ = ("_sample", "seat")

    def __init__(self, position: Position, seat: int) -> None:
        self.seat = position.checked_seat(seat)
        self._sample = position.determinize(seat, _VIEW_SEED)

    @property
    def game(self) -> Game:
        return self._sample.game

    @property
    def options(self) -> Options:
        return self._sample.options

    @property
    def num_players(self) -> int:
        return self._sample.num_players

    @property
    def current_player(self) -> int | None:
        """The seat to act, or None once the game is over."""
        return self._sample.current_player

    @property
    def move_number(self) -> int:
        return self._sample.move_number

    @property
    def observation(self) -> Array:
        """float32[observation_size], own seat first."""
        return self._sample.observe(self.seat)

    @property
    def action_mask(self) -> Array:
        """bool[num_actions]; all False unless this seat is to act."""
        mask = self._sample.action_mask()
        return mask if self.current_player == self.seat else np.zeros_like(mask)

    def legal_actions(self) -> list[int]:
        """The indices of the legal actions, ascending; none unless this seat is to act."""
        return [int(action) for action in np.flatnonzero(self.action_mask)]

    def describe(self) -> dict[str, Any]:
        """The position as a JSON-able dict with what this seat cannot know hidden."""
        return self._sample.describe(self.seat)

    def sample(self, rng: np.random.Generator) -> Position:
        """A whole position drawn fairly from what this seat knows; fresh at every call."""
        return self._sample.determinize(self.seat, int(rng.integers(1 << 62)))
