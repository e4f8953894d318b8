"""The sequential test that chooses the best checkpoint."""

from __future__ import annotations

import numpy as np
import pytest

from agents.learning.choice import ERROR, is_better, log_likelihood_ratio

MARGIN = 0.02


def chosen(gain: float, runs: int, rounds: int = 400) -> float:
    """How often a newcomer is taken whose true gain is this, its single results being far noisier."""
    taken = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        taken += is_better(lambda number, rng=rng: rng.normal(gain, 0.25, 64), rounds, MARGIN).better
    return taken / runs


def test_an_equal_one_is_taken_no_more_often_than_said_and_a_better_one_is_missed_no_more_often() -> None:
    """400 runs each; a right test exceeds the bounds (3.3 standard errors above 5 %) once in 2,000 seeds."""
    bound = ERROR + 3.3 * (ERROR * (1 - ERROR) / 400) ** 0.5
    assert chosen(0.0, 400) <= bound
    assert chosen(MARGIN, 400) >= 1 - bound
    assert chosen(-MARGIN, 100) == 0.0


def test_a_large_gain_is_seen_although_the_rounds_run_out_and_none_is_not() -> None:
    """Two rounds of 64 deals: 0.1 is 4.5 standard errors, missed by 1 in 60 of right tests; nothing is taken for
    something by no more than said (400 runs, 3.3 standard errors above 5 %: once in 2,000 seeds)."""
    assert chosen(0.1, 100, rounds=2) >= 0.93
    assert chosen(0.0, 400, rounds=2) <= ERROR + 3.3 * (ERROR * (1 - ERROR) / 400) ** 0.5
    assert chosen(-0.1, 100, rounds=2) == 0.0


def test_it_stops_as_soon_as_it_knows() -> None:
    clear = is_better(lambda number: np.full(64, 0.5) + np.linspace(-0.1, 0.1, 64), 50, MARGIN)
    assert clear.better
    assert clear.deals == 64
    assert clear.gain == pytest.approx(0.5)


def test_one_that_cannot_be_told_from_the_best_is_not_taken() -> None:
    assert not is_better(lambda number: np.zeros(64), 50, MARGIN).better
    undecided = is_better(lambda number: np.tile([0.511, -0.491], 32), 2, MARGIN)
    assert undecided.deals == 128
    assert not undecided.better


def test_the_ratio_is_that_of_two_normal_means() -> None:
    """By hand: differences 0.1 and -0.06 have mean 0.02 and variance 0.0064; 2 (0.02) (0.02 - 0.01) / 0.0064."""
    assert log_likelihood_ratio(np.array([0.1, -0.06]), 0.02) == pytest.approx(2 * 0.02 * 0.01 / 0.0064)
