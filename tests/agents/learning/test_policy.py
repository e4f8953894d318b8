"""How actions are chosen from logits and masks."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy.stats import chisquare

from agents.learning.policy import choose, choose_lanes, choose_randomly, draw_keys

KEYS = 4000


def random_keys(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(1 << 63, size=count)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_actions_come_with_the_softmax_of_the_legal_logits(temperature: float) -> None:
    """A chi-square test that fails a right implementation once in 1,000 seeds; the seed is fixed."""
    logits = np.array([0.3, 9.0, -1.0, 0.8, 0.1], np.float32)
    mask = np.array([True, False, True, True, True])
    expected = np.where(mask, np.exp(logits.astype(float) / temperature), 0.0)
    expected /= expected.sum()
    counts = np.zeros(5)
    for key in random_keys(KEYS):
        action, log_prob = choose(logits, mask, temperature, int(key))
        assert log_prob == pytest.approx(math.log(expected[action]), abs=1e-6)
        counts[action] += 1
    assert counts[1] == 0
    assert chisquare(counts[mask], KEYS * expected[mask]).pvalue > 0.001


def test_temperature_zero_is_the_first_of_the_most_likely_legal_actions() -> None:
    logits = np.array([1.0, 5.0, 3.0, 3.0, -2.0], np.float32)
    mask = np.array([True, False, True, True, True])
    assert {choose(logits, mask, 0.0, int(key)) for key in random_keys(50)} == {(2, 0.0)}


@pytest.mark.parametrize("legal", [1, 2, 50, 5000])
@pytest.mark.parametrize("scale", [0.0, 1.0, 1e4, 3e38])
@pytest.mark.parametrize("bits", [np.float32, "bfloat16"])
def test_any_logits_give_legal_actions_and_a_distribution(legal: int, scale: float, bits: object) -> None:
    rng = np.random.default_rng(legal)
    logits = (np.clip(rng.standard_normal(5000), -1, 1) * scale).astype(np.float32)
    if bits == "bfloat16":
        logits = torch.from_numpy(logits).bfloat16().float().numpy()
    mask = np.zeros(5000, np.bool_)
    mask[rng.choice(5000, legal, replace=False)] = True
    logits[~mask] = 3.4e38  # of no account
    for key in [0, (1 << 63) - 1, *random_keys(20)]:
        action, log_prob = choose(logits, mask, 1.0, int(key))
        assert mask[action]
        assert log_prob <= 0.0
        assert math.isfinite(log_prob)
    if scale == 0.0:
        assert log_prob == pytest.approx(-math.log(legal), abs=1e-6)


def test_a_nan_among_logits_still_gives_a_legal_action() -> None:
    """The training that makes it is stopped; the rollout it happens in must not break."""
    mask = np.array([False, True, True])
    for temperature in (0.0, 1.0):
        assert mask[choose(np.full(3, np.nan, np.float32), mask, temperature, 5)[0]]


def test_lanes_choose_as_single_games_do_and_only_where_asked() -> None:
    rng = np.random.default_rng(0)
    logits = rng.standard_normal((64, 7)).astype(np.float32)
    masks = rng.random((64, 7)) < 0.5
    masks[:, 3] = True
    where = rng.random(64) < 0.7
    keys = random_keys(64)
    actions, log_probs = np.full(64, -1), np.zeros(64, np.float32)
    choose_lanes(logits, masks, 1.0, where, keys, actions, log_probs)
    for lane in range(64):
        if where[lane]:
            action, log_prob = choose(logits[lane], masks[lane], 1.0, int(keys[lane]))
            assert (actions[lane], log_probs[lane]) == (action, np.float32(log_prob))
        else:
            assert actions[lane] == -1


def test_random_choices_are_uniform_over_legal_actions() -> None:
    """A chi-square test that fails a right implementation once in 1,000 seeds; the seed is fixed."""
    masks = np.tile(np.array([True, False, True, True]), (KEYS, 1))
    actions = np.zeros(KEYS, np.int64)
    choose_randomly(masks, np.ones(KEYS, np.bool_), random_keys(KEYS), actions)
    counts = np.bincount(actions, minlength=4)
    assert counts[1] == 0
    assert chisquare(counts[[0, 2, 3]]).pvalue > 0.001


def test_keys_differ_between_seeds_steps_and_lanes() -> None:
    drawn = []
    for seed in (0, 1):
        for step in (0, 1):
            keys = np.zeros(50, np.int64)
            draw_keys(seed, step, keys)
            assert (keys >= 0).all()
            drawn += keys.tolist()
    assert len(set(drawn)) == 200
