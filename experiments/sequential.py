"""A sequential test of two agents: it ends as soon as the games have decided between two hypotheses.

What is counted are blocks, one deal played in all seatings, since its games are not independent of one another. A block
has a score from 0 to 1, the first agent's share of the comparisons with the second; for two players and two seatings
that is one of 0, 1/4, 1/2, 3/4 and 1, as in the pentanomial model of chess engines' tests. The hypotheses are that the
mean score is that of `elo0` points, or of `elo1`.

Wald's test needs the distribution of scores under both. It is not known, so each is given its likeliest one with the
hypothesis' mean (M. Van den Bergh, "A Practical Introduction to the GSPRT", 2019; the theory is of X. Li, J. Liu and
Z. Ying, "Generalized Sequential Probability Ratio Test for Separate Families of Hypotheses", 2014).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scipy.optimize import brentq

FEWEST_BLOCKS = 8
"""No decision before: the likeliest distributions of so few scores say nothing."""

DOUBT = 1e-3
"""Blocks added at 0 and at 1, so that there is a distribution for every mean."""


def expected_score(elo: float) -> float:
    """The score that a difference of so many Elo points leads to."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference in Elo points that leads to a score; infinite for 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True)
class Verdict:
    """How far a test is: `accepted` is "elo0" or "elo1" once it is decided, after `blocks` blocks.

    `ratio` is the logarithm of the likelihood of `elo1` over that of `elo0`.
    """

    accepted: Literal["elo0", "elo1"] | None
    ratio: float
    blocks: int


@dataclass(frozen=True)
class SequentialTest:
    """Is the difference `elo0` points, or `elo1` (the greater)? `alpha` and `beta` are the chances to err if it is the
    first, and if it is the second."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the logarithm of the ratio decides for `elo0`, and for `elo1` (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def run(self, scores: Sequence[float]) -> Verdict:
        """Take the scores of blocks in order, and stop where they decide."""
        low, high = self.bounds
        counts: Counter[float] = Counter()
        ratio = 0.0
        for number, score in enumerate(scores, 1):
            counts[score] += 1
            ratio = log_likelihood_ratio(counts, expected_score(self.elo0), expected_score(self.elo1))
            if number >= FEWEST_BLOCKS and not low < ratio < high:
                return Verdict("elo1" if ratio >= high else "elo0", ratio, number)
        return Verdict(None, ratio, len(scores))


def log_likelihood_ratio(counts: Mapping[float, float], mean0: float, mean1: float) -> float:
    """The logarithm of the scores' likelihood under the likeliest distribution of mean `mean1` over that of `mean0`."""
    weights = {0.0: DOUBT, 1.0: DOUBT}
    for score, count in counts.items():
        weights[score] = weights.get(score, 0.0) + count
    one, other = (_tilt(weights, mean) for mean in (mean0, mean1))
    return sum(
        weight * (math.log1p(one * (score - mean0)) - math.log1p(other * (score - mean1)))
        for score, weight in weights.items()
    )


def _tilt(weights: Mapping[float, float], mean: float) -> float:
    """The t for which the likeliest distribution of that mean is proportional to weight / (1 + t (score - mean))."""
    low, high = -1 / (1 - mean), 1 / mean
    margin = 1e-9 * (high - low)
    slope = lambda t: sum(w * (score - mean) / (1 + t * (score - mean)) for score, w in weights.items())  # noqa: E731
    return float(brentq(slope, low + margin, high - margin, xtol=1e-12))
