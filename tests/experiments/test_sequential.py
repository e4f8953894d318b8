"""The sequential test: known ratios, and how often it errs."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

from experiments.sequential import SequentialTest, Verdict, elo_of, expected_score, log_likelihood_ratio

PENTANOMIAL = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def test_scores_and_elo_points_are_each_others_inverse() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert [elo_of(expected_score(elo)) for elo in (-50, 0, 120)] == pytest.approx([-50, 0, 120])
    assert (elo_of(0.0), elo_of(1.0)) == (-math.inf, math.inf)


def test_two_outcomes_are_walds_test() -> None:
    """Wins and losses alone: the likeliest distribution of a mean is the only one there is."""
    ratio = log_likelihood_ratio({1.0: 60, 0.0: 40}, 0.5, 0.55)
    assert ratio == pytest.approx(60 * math.log(0.55 / 0.5) + 40 * math.log(0.45 / 0.5), abs=1e-3)


def test_the_ratio_is_that_of_the_likeliest_distributions() -> None:
    """The same by a general optimiser over the probabilities."""
    counts = dict(zip(PENTANOMIAL, (10, 25, 40, 30, 15), strict=True))

    def likeliest(mean: float) -> float:
        constraints = [
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ PENTANOMIAL - mean},
        ]
        loss = lambda p: -sum(n * math.log(q) for n, q in zip(counts.values(), p, strict=True))  # noqa: E731
        start = np.full(5, 0.2)
        found = minimize(
            loss, start, bounds=[(1e-9, 1)] * 5, constraints=constraints, method="SLSQP", options={"ftol": 1e-12}
        )
        return -float(found.fun)

    expected = likeliest(0.6) - likeliest(0.5)
    assert log_likelihood_ratio(counts, 0.5, 0.6) == pytest.approx(expected, abs=1e-2)


def test_the_ratio_changes_sign_with_the_sides() -> None:
    counts = Counter({0.0: 3, 0.25: 7, 0.75: 5, 1.0: 2})
    mirrored = Counter({1 - score: count for score, count in counts.items()})
    assert log_likelihood_ratio(counts, 0.5, 0.55) == pytest.approx(-log_likelihood_ratio(mirrored, 0.45, 0.5))


def test_nothing_is_decided_by_draws_alone_nor_at_once() -> None:
    test = SequentialTest(-10, 10)
    assert test.run([0.5] * 1000).accepted is None
    assert SequentialTest(0, 400).run([1.0] * 7).accepted is None
    assert SequentialTest(0, 400).run([1.0] * 100) == Verdict("elo1", pytest.approx(3.5, abs=1.5), 8)


def errors(elo: float, test: SequentialTest, wrong: str, runs: int, seed: int) -> tuple[float, float]:
    """The share of simulated tests that decide wrongly, and the mean number of blocks.

    Blocks are pairs of games between agents `elo` points apart, a third of the games drawn; each deal favours a seat by
    150 points, which one agent has in the first game and the other in the second.
    """
    rng = np.random.default_rng(seed)
    both = lambda points: (expected_score(points + 150) + expected_score(points - 150)) / 2  # noqa: E731
    skill = brentq(lambda points: both(points) - expected_score(elo), -1000, 1000)
    found, blocks = 0, 0
    for _ in range(runs):
        scores: list[float] = []
        verdict = Verdict(None, 0.0, 0)
        while verdict.accepted is None:
            scores += list((_games(skill + 150, 200, rng) + _games(skill - 150, 200, rng)) / 2)
            verdict = test.run(scores)
        found += verdict.accepted == wrong
        blocks += verdict.blocks
    return found / runs, blocks / runs


def _games(elo: float, number: int, rng: np.random.Generator) -> np.ndarray:
    """Scores of games: by the logistic curve on average, a third of them draws where that leaves room."""
    mean = expected_score(elo)
    draw = min(1 / 3, 2 * min(mean, 1 - mean))
    return rng.choice([0.0, 0.5, 1.0], size=number, p=[1 - mean - draw / 2, draw, mean - draw / 2])


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "elo1"), (60.0, "elo0")])
def test_it_errs_as_seldom_as_it_says(truth: float, wrong: str) -> None:
    """100 tests of 0 against 60 points (seed 0): at most 5 % wrong, and three standard errors more."""
    share, blocks = errors(truth, SequentialTest(0, 60), wrong, 100, 0)
    assert share <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 100)
    assert 20 < blocks < 400


@pytest.mark.slow
@pytest.mark.parametrize("elo1", [20, 60])
@pytest.mark.parametrize("side", [0, 1])
def test_it_errs_as_seldom_as_it_says_over_a_thousand_tests(side: int, elo1: float) -> None:
    """1,000 tests on each side (seed 1): at most 5 % wrong, and two standard errors more."""
    share, blocks = errors((0, elo1)[side], SequentialTest(0, elo1), ("elo1", "elo0")[side], 1000, 1)
    print(
        f"0 against {elo1} points, truth {(0, elo1)[side]}: {100 * share:.1f} % wrong, {blocks:.0f} blocks on average"
    )
    assert share <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 1000)
