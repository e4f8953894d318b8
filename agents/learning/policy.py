"""The policy over legal actions, as compiled functions: how actions are chosen, in training and everywhere else.

A policy is a masked categorical distribution: the softmax of the logits of the legal actions alone. An illegal
action has probability exactly 0, whatever its logit (Huang and Ontanon, "A Closer Look at Invalid Action
Masking in Policy Gradient Algorithms", 2022). Sums are float64, whatever the logits come in.
N lanes (games in lock-step), A actions.
"""

from __future__ import annotations

import math
from typing import Any

from agents.heuristics.contract import rule_of_thumb
from envs.chance import random_bits
from envs.compiling import compiled

LIMIT = 1e30
"""Logits are cut off here, so that their differences stay finite."""

_CHOICE, _OPENING = 1 << 23, (1 << 23) + 1
"""Streams of `random_bits`, apart from those of games, lanes, heuristics and searches."""


@compiled
def draw_keys(seed: int, step: int, keys: Any) -> None:
    """Fill `keys` (int64[N]) with 63 random bits for each lane: those of step number `step`."""
    for lane in range(len(keys)):
        keys[lane] = random_bits(seed, _CHOICE, step * len(keys) + lane)


@compiled
def draw_openings(seed: int, step: int, most: int, ended: Any, openings: Any) -> None:
    """For every lane whose game `ended` (bool[N]) in a step: how many decisions of the next are random, 0 to `most`."""
    for lane in range(len(ended)):
        if ended[lane]:
            bits = random_bits(seed, _OPENING, step * len(ended) + lane)
            openings[lane] = ((bits >> 31) * (most + 1)) >> 32


@compiled
def within_limit(logit: float) -> float:
    return min(max(logit, -LIMIT), LIMIT)


@compiled
def most_likely(logits: Any, mask: Any) -> int:
    """The legal action (`mask`, bool[A]) with the highest logit; of equal ones the first."""
    best = -1
    for action in range(len(mask)):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    return best


@compiled
def total_weight(logits: Any, mask: Any, highest: float, temperature: float) -> float:
    """The sum of exp((logit - highest) / temperature) over legal actions: what weights are divided by."""
    total = 0.0
    for action in range(len(mask)):
        if mask[action]:
            total += math.exp((within_limit(logits[action]) - highest) / temperature)
    return total


@compiled
def choose(logits: Any, mask: Any, temperature: float, key: int) -> tuple[int, float]:
    """An action by its logits (float32[A]) among those in the mask (bool[A]), and the log of its probability.

    Probabilities are those of the logits over `temperature`; with 0 it is the most likely action, of probability 1.
    `key` is 63 random bits.
    """
    best = most_likely(logits, mask)
    if temperature == 0.0:
        return best, 0.0
    highest = within_limit(logits[best])
    total = total_weight(logits, mask, highest, temperature)
    left = key * 2.0**-63 * total
    for action in range(len(mask)):
        if mask[action]:
            shifted = (within_limit(logits[action]) - highest) / temperature
            left -= math.exp(shifted)
            if left < 0.0:
                return action, shifted - math.log(total)
    return best, -math.log(total)  # rounding left a little over


@compiled
def choose_lanes(
    logits: Any, masks: Any, temperature: float, where: Any, keys: Any, actions: Any, log_probs: Any
) -> None:
    """`choose` in every lane of `where` (bool[N]), into `actions` (int64[N]) and `log_probs` (float32[N])."""
    for lane in range(len(actions)):
        if where[lane]:
            actions[lane], log_probs[lane] = choose(logits[lane], masks[lane], temperature, keys[lane])


@compiled
def choose_randomly(masks: Any, where: Any, keys: Any, actions: Any) -> None:
    """A uniformly random legal action in every lane of `where`."""
    for lane in range(len(actions)):
        if where[lane]:
            count = 0
            for action in range(masks.shape[1]):
                count += 1 if masks[lane, action] else 0
            left = ((keys[lane] >> 31) * count) >> 32
            for action in range(masks.shape[1]):
                if masks[lane, action]:
                    if left == 0:
                        actions[lane] = action
                        break
                    left -= 1


@compiled
def choose_by_thumb(token: Any, states: Any, where: Any, keys: Any, actions: Any) -> None:
    """The rule of thumb's action in every lane of `where`, by the heuristics of `token` (shape (1,)).

    It sees nothing that its seat may not know, by its contract, so it is asked of the positions themselves.
    """
    for lane in range(len(actions)):
        if where[lane]:
            actions[lane] = rule_of_thumb(token[0], states[lane], keys[lane])
