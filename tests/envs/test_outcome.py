"""What a finished game pays: the three choices of the option `reward`."""

import numpy as np
import pytest

from envs.outcome import RANK, SCORE, WIN, pay


def paid(reward, standing, points=None, scale=10.0):
    out = np.zeros(len(standing))
    pay(reward, np.array(standing), np.array(points or standing), len(standing), scale, out)
    return out.tolist()


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        ([3, 1], [1, -1]),
        ([2, 2], [0, 0]),
        ([5, 1, 4, 2], [1, -1 / 3, -1 / 3, -1 / 3]),
        ([5, 5, 4], [0.25, 0.25, -0.5]),
        ([7, 7, 7], [0, 0, 0]),
    ],
)
def test_win_pays_a_sole_winner_one_and_joint_winners_their_share(standing, expected):
    assert paid(WIN, standing) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("standing", "expected"),
    [([3, 1], [1, -1]), ([9, 4, 6], [1, -1, 0]), ([9, 6, 6], [1, -0.5, -0.5]), ([1, 1, 1, 1], [0, 0, 0, 0])],
)
def test_rank_pays_places_and_tied_seats_share_the_mean(standing, expected):
    assert paid(RANK, standing) == pytest.approx(expected, abs=1e-15)


def test_score_pays_the_margin_over_the_mean_of_the_others():
    assert paid(SCORE, [1, 2, 3], points=[30, 10, 20]) == pytest.approx([1.5, -1.5, 0])


@pytest.mark.parametrize("reward", [WIN, RANK, SCORE])
def test_returns_sum_to_zero(reward):
    rng = np.random.default_rng(0)
    for _ in range(200):
        standing = rng.integers(0, 4, size=rng.integers(2, 7)).tolist()
        assert sum(paid(reward, standing)) == pytest.approx(0, abs=1e-12)
