"""The protocol of everything that chooses actions: `act(view) -> action`.

One fresh instance plays one seat of one game, with a generator of its own. It keeps what it likes from move
to move (a search tree, a plan), and shares nothing with any other instance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from envs.errors import KontorError
from envs.position import Array
from envs.view import View


class AgentError(KontorError):
    """An agent that cannot be made, kept or used as asked."""


class Agent(ABC):
    """Chooses actions for one seat of one game. All it ever gets to see is the seat's `View`."""

    @abstractmethod
    def act(self, view: View) -> int:
        """The index of a legal action; the view's seat is to act."""

    def act_batch(self, views: Sequence[View]) -> list[int]:
        """One action for each view, in order; the views are of different games. Here: one after another."""
        return [self.act(view) for view in views]

    def estimate(self, view: View) -> Array:
        """The return that each seat may expect, as the agent judges: float64[num_players], NaN where it has no opinion.

        The view's seat is to act. Errors: `AgentError` for an agent that judges no positions.
        """
        raise AgentError(f"a {type(self).__name__} does not judge positions: there is no estimate to show")

    def save(self, path: Path) -> None:
        """Write what the agent has learned to a file. Errors: `AgentError` where there is nothing to keep."""
        raise AgentError(f"{path}: a {type(self).__name__} has nothing to save")

    def load(self, path: Path) -> None:
        """Take over what `save` wrote. Errors: `AgentError`."""
        raise AgentError(f"{path}: a {type(self).__name__} has nothing to load")
