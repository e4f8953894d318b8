"""Compiled random play, for measuring: choices come from a hash in registers, not from an array of numbers."""

from __future__ import annotations

from typing import Any

from envs.chance import next_seed, random_bits
from envs.compiling import borrowed, compiled
from envs.game import apply_action, legal_actions, setup

_CHOICES = 0
"""The stream of `random_bits` that choices are drawn from; it has nothing to do with a position's own streams."""


@compiled
def nth_legal(mask: Any, n: int) -> int:
    """The index of the legal action number `n` (from 0) of `mask` (bool[num_actions])."""
    action = 0
    while n or not mask[action]:
        if mask[action]:
            n -= 1
        action += 1
    return action


@compiled
def uniform(seed: int, counter: int, n: int) -> int:
    """A uniform integer from 0 to n-1."""
    return ((random_bits(seed, _CHOICES, counter) >> 31) * n) >> 32


@compiled
def play_randomly(states: Any, template: Any, mask: Any, seed: int, moves: int) -> int:
    """Play `moves` uniformly random moves at `states[0]`, whole games one after another; how many games ended."""
    states, template, mask = borrowed(states), borrowed(template), borrowed(mask)
    state = states[0]
    ended = 0
    for move in range(moves):
        legal = legal_actions(state, mask)
        apply_action(state, nth_legal(mask, uniform(seed, move, legal)))
        if state.terminated or state.truncated:
            ended += 1
            game_seed = next_seed(state.seed)
            states[0] = template[0]
            state.seed = game_seed
            setup(state)
    return ended


@compiled
def choose_lanes(masks: Any, seed: int, actions: Any) -> None:
    """A uniformly random legal action for every lane of `masks` (bool[N, A]) into `actions` (int64[N])."""
    masks = borrowed(masks)
    for lane in range(len(actions)):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[lane, action]
        actions[lane] = nth_legal(masks[lane], uniform(seed, lane, legal))
