"""Intervals: known values, and how often they hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from experiments.statistics import (
    Estimate,
    Z,
    games_for,
    mean_estimate,
    share_estimate,
    standard_error,
    t_quantile,
    wilson,
    win_shares,
)


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_against_published_values(wins: int, n: int, low: float, high: float) -> None:
    assert wilson(wins / n, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_is_symmetric_and_stays_inside() -> None:
    for share, n in ((0.0, 1), (1.0, 1), (0.3, 2.5), (1.0, 1000), (0.999, 7)):
        low, high = wilson(share, n)
        assert 0 <= low <= share <= high <= 1
        mirrored = wilson(1 - share, n)
        assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high))
    assert wilson(1, 20)[1] == 1
    assert wilson(1, 20)[0] == pytest.approx(20 / (20 + Z * Z))


def test_student_quantiles() -> None:
    assert [round(t_quantile(degrees), 3) for degrees in (1, 9, 19, 1000)] == [12.706, 2.262, 2.093, 1.962]


def test_win_shares_of_ties() -> None:
    assert win_shares([1, 2, 3]) == [1, 0, 0]
    assert win_shares([1.5, 3, 1.5]) == [0.5, 0, 0.5]
    assert win_shares([2, 2, 2]) == pytest.approx([1 / 3] * 3)
    assert win_shares([3.5, 1, 3.5, 2]) == [0, 1, 0, 0]


def test_single_games_as_clusters_give_the_textbook_interval() -> None:
    values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]
    estimate = mean_estimate(values, range(8))
    half = t_quantile(7) * np.std(values, ddof=1) / math.sqrt(8)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((5.0, 5 - half, 5 + half))


def test_copies_within_a_cluster_add_nothing() -> None:
    values = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    once, _ = standard_error(values, range(5))
    thrice, count = standard_error(np.repeat(values, 3), list(np.repeat(range(5), 3)))
    assert count == 5
    assert thrice == pytest.approx(once)


def test_one_cluster_gives_no_interval() -> None:
    assert not mean_estimate([1.0, 2.0], ["a", "a"]).is_known
    share = share_estimate([1.0, 0.0], ["a", "a"], 2)
    assert (share.low, share.high) == wilson(0.5, 1)


def test_a_share_never_claims_more_than_its_distinct_games() -> None:
    always_won = share_estimate([1.0] * 100, range(100), 100)
    copies = share_estimate([1.0] * 100, [i % 2 for i in range(100)], 2)
    assert always_won.low == pytest.approx(wilson(1, 100 * (Z / t_quantile(99)) ** 2)[0])
    assert copies.low < 0.1
    paired = share_estimate([1.0, 0.0] * 50, [i // 2 for i in range(100)], 100)  # the first seat always wins
    assert paired.margin >= (wilson(0.5, 100)[1] - 0.5) * 0.999


@pytest.mark.parametrize(("share", "kind"), [(0.5, "independent"), (0.7, "shared"), (0.25, "shared"), (0.6, "paired")])
def test_share_intervals_hold(share: float, kind: str) -> None:
    """400 samples (seeds 0 to 399) of 50 deals of two games: at least 92 % of the intervals hold the truth.

    At exactly 95 % the chance of a false alarm is 0.6 %; `shared` games of a deal end alike half the time.
    """
    held = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        games = rng.random((50, 2)) < share
        if kind == "shared":
            alike = rng.random(50) < 0.5
            games[alike, 1] = games[alike, 0]
        if kind == "paired":
            first = rng.random(50) < 0.5  # the winner is decided by the seat half the time
            games = np.where(first[:, None], rng.random((50, 2)) < [share + 0.3, share - 0.3], games)
        estimate = share_estimate(games.ravel().astype(float).tolist(), np.repeat(range(50), 2).tolist(), 100)
        held += estimate.low <= share <= estimate.high
    assert held >= 368


def test_how_many_games_a_margin_needs() -> None:
    low, high = wilson(0.25, 800)
    assert games_for(Estimate(0.25, low, high, 800), 0.03) == 800
    assert games_for(Estimate(0.5, 0.4, 0.6, 100), 0.01) == 10_000
    assert games_for(Estimate(0.5, math.nan, math.nan, 2), 0.03) == 0
