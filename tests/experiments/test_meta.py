"""Nash averaging and alpha-rank: known answers of cycles, ladders and copies."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.meta import Meeting, alpha_rank, log_odds, meta_results, nash_average


def cycle(strength: float = 0.8) -> np.ndarray:
    """Rock, paper, scissors: each beats the next."""
    shares = np.full((3, 3), 0.5)
    for one in range(3):
        shares[one, (one + 1) % 3], shares[(one + 1) % 3, one] = strength, 1 - strength
    return shares


LADDER = np.array([[0.5, 0.7, 0.9], [0.3, 0.5, 0.7], [0.1, 0.3, 0.5]])


def test_in_a_cycle_all_are_equal() -> None:
    assert nash_average(cycle()) == pytest.approx([1 / 3] * 3, abs=1e-5)
    assert alpha_rank(cycle()) == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_on_a_ladder_the_top_has_all() -> None:
    assert nash_average(LADDER) == pytest.approx([1, 0, 0], abs=1e-5)
    assert alpha_rank(LADDER)[0] > 0.99
    assert log_odds(LADDER) @ nash_average(LADDER) == pytest.approx([0, -0.8473, -2.1972], abs=1e-3)


def test_a_weighted_cycle_is_its_equilibrium() -> None:
    """Rock beats paper by odds a, paper scissors by b, scissors rock by c: the masses are as b, c, a."""
    odds = np.array([[0, 1.0, -3.0], [-1.0, 0, 2.0], [3.0, -2.0, 0]])
    shares = 1 / (1 + np.exp(-odds))
    assert nash_average(shares) == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=1e-4)


def test_a_copy_shares_the_mass_and_changes_nobodys_skill() -> None:
    """Of all equilibria the one of largest entropy: invariant to copies."""
    order = [0, 0, 1, 2]
    copied = cycle()[np.ix_(order, order)]
    mass = nash_average(copied)
    assert mass == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-4)
    assert log_odds(copied) @ mass == pytest.approx([0] * 4, abs=1e-3)


def test_results_have_intervals_and_need_all_pairs() -> None:
    rng = np.random.default_rng(0)
    shares = cycle(0.7)
    meetings = [
        Meeting(one, other, float(rng.random() < shares[one, other]), deal)
        for deal in range(60)
        for one, other in ((0, 1), (1, 2), (0, 2))
    ]
    results = meta_results(3, meetings)
    assert results is not None
    assert sum(result.nash.value for result in results) == pytest.approx(1)
    assert all(result.nash.low <= 1 / 3 <= result.nash.high for result in results)
    assert all(result.alpha.low - 1e-9 <= 1 / 3 <= result.alpha.high + 1e-9 for result in results)
    assert meta_results(3, meetings[:2]) is None
    assert meta_results(2, [meetings[0]]) is None
