"""The loss of proximal policy optimisation and its gradient by logits and values, in closed form.

For a decision with action a, policy p (the softmax of the legal logits l), ratio r = p_a / old p_a,
advantage A, entropy H = -sum p log p, value v and target R the loss is

    -min(r A, clip(r, 1 - c, 1 + c) A)  +  value_coefficient (v - R)^2  -  entropy_coefficient H

and its gradient

    by l_j:  -A r [not clipped] (1[j = a] - p_j)  +  entropy_coefficient p_j (log p_j + H)
    by v:    2 value_coefficient (v - R)

so one pass over the legal actions does what takes an automatic differentiation some forty passes over all of them. What
lies before the logits and values is differentiated by torch. An illegal action has no gradient: it is never touched.
"""

from __future__ import annotations

import math
from typing import Any

from agents.learning.policy import most_likely, total_weight, within_limit
from envs.compiling import compiled

POLICY_LOSS, VALUE_LOSS, ENTROPY, KL, CLIPPED = range(5)
"""The places of the statistics."""

NO_CLIP = -1.0
"""In place of `value_clip`."""


@compiled
def loss_gradients(
    rows: Any,
    logits: Any,
    values: Any,
    advantages: Any,
    masks: Any,
    actions: Any,
    old_log_probs: Any,
    old_values: Any,
    targets: Any,
    clip: float,
    value_clip: float,
    value_coefficient: float,
    entropy_coefficient: float,
    total: int,
    logits_gradient: Any,
    values_gradient: Any,
    statistics: Any,
) -> None:
    """The gradient of the mean loss over `total` decisions, of which these are some, and sums of statistics.

    B decisions: `rows` (int64[B]) are their places in the storage, by which `masks`, `actions`, `old_log_probs`,
    `old_values` and `targets` are indexed; `logits` (float32[B, A]), `values` and `advantages` (float32[B]) are in
    their order. Writes `logits_gradient` (float32[B, A], given as zeros) and `values_gradient` (float32[B]), and adds
    to `statistics` (float64[5]: POLICY_LOSS and so on) what is to be divided by `total`. Unless `value_clip` is
    NO_CLIP, the value loss is the greater one of the value's and that of the value kept so near to the old one.
    """
    for i in range(len(rows)):
        row = rows[i]
        mask = masks[row]
        action = actions[row]
        highest = within_limit(logits[i, most_likely(logits[i], mask)])
        weight = total_weight(logits[i], mask, highest, 1.0)
        log_weight = math.log(weight)
        entropy = log_weight
        for j in range(len(mask)):
            if mask[j]:
                shifted = within_limit(logits[i, j]) - highest
                entropy -= math.exp(shifted) / weight * shifted

        log_ratio = within_limit(logits[i, action]) - highest - log_weight - old_log_probs[row]
        ratio = math.exp(log_ratio)
        advantage = advantages[i]
        clipped = min(max(ratio, 1.0 - clip), 1.0 + clip)
        slope = -advantage * ratio if ratio * advantage <= clipped * advantage else 0.0
        for j in range(len(mask)):
            if mask[j]:
                log_prob = within_limit(logits[i, j]) - highest - log_weight
                prob = math.exp(log_prob)
                gradient = slope * ((1.0 if j == action else 0.0) - prob)
                gradient += entropy_coefficient * prob * (log_prob + entropy)
                logits_gradient[i, j] = gradient / total

        error = values[i] - targets[row]
        value_loss, value_slope = error * error, 2.0 * error
        move = values[i] - old_values[row]
        if value_clip != NO_CLIP and abs(move) > value_clip:
            near = old_values[row] + (value_clip if move > 0.0 else -value_clip) - targets[row]
            if near * near > value_loss:
                value_loss, value_slope = near * near, 0.0
        values_gradient[i] = value_coefficient * value_slope / total

        statistics[POLICY_LOSS] -= min(ratio * advantage, clipped * advantage)
        statistics[VALUE_LOSS] += value_loss
        statistics[ENTROPY] += entropy
        statistics[KL] += ratio - 1.0 - log_ratio
        statistics[CLIPPED] += 1.0 if abs(ratio - 1.0) > clip else 0.0
