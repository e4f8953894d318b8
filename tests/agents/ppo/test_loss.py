"""The loss and its closed-form gradient, against torch's automatic one and against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from agents.ppo.loss import CLIPPED, ENTROPY, KL, NO_CLIP, POLICY_LOSS, VALUE_LOSS, loss_gradients

CLIP, VALUE_COEFFICIENT, ENTROPY_COEFFICIENT = 0.2, 0.7, 0.03


def gradients(logits, masks, actions, old_log_probs, advantages, values, old_values, targets, value_clip=NO_CLIP):
    """The gradients by logits and by values, and the statistics, of a batch that is its whole minibatch."""
    count = len(actions)
    by_logits, by_values, statistics = np.zeros_like(logits), np.zeros(count, np.float32), np.zeros(5)
    loss_gradients(
        np.arange(count), logits, values, advantages, masks, actions, old_log_probs, old_values, targets,
        CLIP, value_clip, VALUE_COEFFICIENT, ENTROPY_COEFFICIENT, count, by_logits, by_values, statistics,
    )  # fmt: skip
    return by_logits, by_values, statistics / count


def reference(logits, masks, actions, old_log_probs, advantages, values, old_values, targets, value_clip=NO_CLIP):
    """The same by torch, in float64, written as the paper has it."""
    logits = torch.tensor(logits, dtype=torch.float64, requires_grad=True)
    values = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    policy = torch.distributions.Categorical(logits=logits.masked_fill(~torch.tensor(masks), -1e9))
    log_ratio = policy.log_prob(torch.tensor(actions)) - torch.tensor(old_log_probs)
    ratio, advantages = log_ratio.exp(), torch.tensor(advantages)
    surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages)
    errors = (values - torch.tensor(targets)).square()
    if value_clip != NO_CLIP:
        old = torch.tensor(old_values)
        near = old + (values - old).clamp(-value_clip, value_clip)
        errors = torch.maximum(errors, (near - torch.tensor(targets)).square())
    entropy = -(policy.probs * policy.logits.masked_fill(~torch.tensor(masks), 0.0)).sum(-1)
    loss = -surrogate.mean() + VALUE_COEFFICIENT * errors.mean() - ENTROPY_COEFFICIENT * entropy.mean()
    loss.backward()
    outside = ((ratio - 1).abs() > CLIP).double()
    means = [-surrogate, errors, entropy, ratio - 1 - log_ratio, outside]
    return logits.grad.numpy(), values.grad.numpy(), [value.mean().item() for value in means]


def batch(count: int = 200, size: int = 9, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    logits = rng.standard_normal((count, size)).astype(np.float32)
    masks = rng.random((count, size)) < 0.6
    actions = rng.integers(size, size=count)
    masks[np.arange(count), actions] = True
    old = np.log(rng.uniform(0.05, 0.9, count)).astype(np.float32)
    return [logits, masks, actions, old, *rng.standard_normal((4, count)).astype(np.float32)]


@pytest.mark.parametrize("value_clip", [NO_CLIP, 0.3])
def test_the_gradient_is_that_of_the_papers_loss(value_clip: float) -> None:
    given = batch()
    by_logits, by_values, statistics = gradients(*given, value_clip)
    expected_logits, expected_values, expected_statistics = reference(*given, value_clip)
    np.testing.assert_allclose(by_logits, expected_logits, atol=1e-8, rtol=1e-5)
    np.testing.assert_allclose(by_values, expected_values, atol=1e-8, rtol=1e-5)
    np.testing.assert_allclose(statistics, expected_statistics, rtol=1e-6)
    assert 0 < statistics[CLIPPED] < 1


def test_by_hand() -> None:
    """Two legal actions with logits log 3 and 0: probabilities 3/4 and 1/4; the old one of the first was 1/2."""
    logits = np.array([[math.log(3), 0.0, 7.0]], np.float32)
    masks = np.array([[True, True, False]])
    by_logits, by_values, statistics = gradients(
        logits, masks, np.array([0]), np.log(np.array([0.5], np.float32)),
        np.array([-2.0], np.float32), np.array([0.5], np.float32), np.zeros(1, np.float32), np.array([1.0], np.float32),
    )  # fmt: skip
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    # the ratio is 3/2, beyond the clip, but the advantage is negative, so the slope stays: -A r (1 - p) = 0.75
    bonus = ENTROPY_COEFFICIENT * 0.75 * (math.log(0.75) + entropy)
    assert by_logits[0, 0] == pytest.approx(2.0 * 1.5 * 0.25 + bonus, rel=1e-6)
    assert by_logits[0, 1] == pytest.approx(-2.0 * 1.5 * 0.25 - bonus, rel=1e-6)
    assert by_logits[0, 2] == 0.0
    assert by_values[0] == pytest.approx(VALUE_COEFFICIENT * 2 * -0.5)
    assert statistics[POLICY_LOSS] == pytest.approx(3.0)
    assert statistics[VALUE_LOSS] == pytest.approx(0.25)
    assert statistics[ENTROPY] == pytest.approx(entropy)
    assert statistics[KL] == pytest.approx(0.5 - math.log(1.5))


def test_beyond_the_clip_there_is_no_more_gain() -> None:
    """With a positive advantage and a ratio of 1.5 only the entropy is left to push."""
    logits, masks = np.zeros((1, 2), np.float32), np.ones((1, 2), np.bool_)
    old = np.log(np.array([0.5 / 1.5], np.float32))
    ones, zeros = np.ones(1, np.float32), np.zeros(1, np.float32)
    by_logits, _, statistics = gradients(logits, masks, np.array([0]), old, ones, zeros, zeros, zeros)
    assert not by_logits.any()
    assert statistics[POLICY_LOSS] == pytest.approx(-1.2)


@pytest.mark.parametrize("legal", [1, 2, 50, 5000])
@pytest.mark.parametrize("scale", [0.0, 1.0, 1e4, 3e38])
def test_illegal_actions_have_no_gradient_and_extreme_logits_a_finite_one(legal: int, scale: float) -> None:
    rng = np.random.default_rng(legal)
    logits = (np.clip(rng.standard_normal((4, 5000)), -1, 1) * scale).astype(np.float32)
    masks = np.zeros((4, 5000), np.bool_)
    actions = np.zeros(4, np.int64)
    for row in range(4):
        chosen = rng.choice(5000, legal, replace=False)
        masks[row, chosen] = True
        best = chosen[logits[row, chosen].argmax()]
        actions[row] = best
    logits[~masks] = 3.4e38
    fill = [np.full(4, value, np.float32) for value in (-0.5, 1.0, 0.0, 0.0, 1.0)]
    by_logits, by_values, statistics = gradients(logits, masks, actions, *fill)
    assert np.isfinite(by_logits).all()
    assert np.isfinite(by_values).all()
    assert not by_logits[~masks].any()
    # what is given to one action is taken from others
    np.testing.assert_allclose(by_logits.sum(axis=1), 0.0, atol=1e-6)
    assert -1e-6 <= statistics[ENTROPY] <= math.log(legal) + 1e-6
    if scale == 0.0:
        assert statistics[ENTROPY] == pytest.approx(math.log(legal), abs=1e-6)


def test_bfloat16_logits_are_worked_on_in_full_precision() -> None:
    logits, *rest = batch()
    rounded = torch.from_numpy(logits).bfloat16().float().numpy()
    by_logits, _, statistics = gradients(rounded, *rest)
    expected, _, expected_statistics = reference(rounded, *rest)
    np.testing.assert_allclose(by_logits, expected, atol=1e-8, rtol=1e-5)
    np.testing.assert_allclose(statistics, expected_statistics, rtol=1e-6)
