"""Mutants of the classics whose rules fall into one integer trap each; plain mode must catch them all."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from envs.classics import connect_four, kuhn_poker
from envs.compiling import compiled
from envs.game import State, register


@compiled
def pays_two_hundred_chips(state: State, action: int) -> None:
    """100 + 100 is stored in a field of eight bits."""
    kuhn_poker.apply_action(state, action)
    state.chips[0] = 100
    state.chips[0] += state.chips[0]


@compiled
def folds_below_zero(state: State, action: int) -> None:
    """-200 chips: below the smallest number of eight bits."""
    kuhn_poker.apply_action(state, action)
    state.last_move = -100 - state.num_players * 50


@compiled
def stores_three_hundred(state: State, action: int) -> None:
    kuhn_poker.apply_action(state, action)
    state.betting[0] = 300


@compiled
def writes_past_the_end(state: State, column: int) -> None:
    """The column to the right of the last one."""
    connect_four.apply_action(state, column)
    state.height[column + 1] += 0


@compiled
def reads_before_the_start(state: State, mask: Any) -> int:
    """Python would take the last element, compiled code whatever lies there."""
    count = connect_four.legal_actions(state, mask)
    return count + 0 * state.height[state.current_player - 1]


def trap(game: Any, name: str, **rules: Any) -> Any:
    return register(replace(game, name=name, sources=(*game.sources, Path(__file__)), **rules))


trap(kuhn_poker.GAME, "trap_sum", apply_action=pays_two_hundred_chips)
trap(kuhn_poker.GAME, "trap_negative", apply_action=folds_below_zero)
trap(kuhn_poker.GAME, "trap_store", apply_action=stores_three_hundred)
trap(connect_four.GAME, "trap_past_the_end", apply_action=writes_past_the_end)
trap(connect_four.GAME, "trap_before_the_start", legal_actions=reads_before_the_start)
