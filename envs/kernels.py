"""Compiled entry points from Python: one element of an array of records at a time.

Passing an array and an index costs half of what passing a record does. `states` is an array of
records of one game; `i` the index of the position meant.
"""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.game import apply_action, determinize, legal_actions, observe, returns, setup


@compiled
def start(states: Any, i: int, template: Any, seed: int) -> None:
    """Make `states[i]` the fresh position of `seed` with the options of `template` (shape (1,))."""
    states[i] = template[0]
    states[i].seed = seed
    setup(states[i])


@compiled
def legal_actions_at(states: Any, i: int, mask: Any) -> int:
    """`legal_actions` of position `i`."""
    return legal_actions(states[i], mask)


@compiled
def apply_action_at(states: Any, i: int, action: int) -> None:
    """`apply_action` on position `i`."""
    apply_action(states[i], action)


@compiled
def observe_at(states: Any, i: int, player: int, out: Any) -> None:
    """`observe` of position `i`."""
    observe(states[i], player, out)


@compiled
def determinize_at(states: Any, i: int, player: int, seed: int) -> None:
    """`determinize` position `i`."""
    determinize(states[i], player, seed)


@compiled
def returns_at(states: Any, i: int, out: Any) -> None:
    """`returns` of position `i`."""
    returns(states[i], out)
