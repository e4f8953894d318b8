"""Which checkpoint is the best: a sequential test of the latest against the best so far.

Both play the same deals against the same field; what is tested is the mean difference of their shares of the win, by
A. Wald's sequential probability ratio test (Sequential Analysis, 1947) in the form for a mean whose variance is
estimated on the way, as Stockfish's fishtest has it: a test that may stop after any round and still errs no
more often than `ERROR`. A newcomer that cannot be told from the best does not replace it. Few and small rounds may run
out before the ratio has grown, however large the gain: then one that lies `CLEAR` standard errors above nothing counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from envs.position import Array

ERROR = 0.05
"""How often the test may take a worse one for better, or miss a gain of the margin."""

CLEAR = 2.33
"""One that is no better comes so far in 1 of 100 tests that have run out of rounds."""

LEAST_VARIANCE = 1e-4
"""Of the differences: where all of them are equal their variance is not known to be nothing."""


@dataclass(frozen=True)
class Choice:
    """What came of a test: whether the newcomer is better, over how many deals, and its mean gain in win share."""

    better: bool
    deals: int
    gain: float


def log_likelihood_ratio(differences: Array, margin: float) -> float:
    """Of a mean difference of `margin` against one of 0, by the differences seen (float64[deals])."""
    return len(differences) * margin * (float(differences.mean()) - margin / 2) / _variance(differences)


def _variance(differences: Array) -> float:
    return max(float(differences.var()), LEAST_VARIANCE)


def is_better(play: Callable[[int], Array], rounds: int, margin: float) -> Choice:
    """Test a newcomer: `play(n)` gives its differences in round n, one a deal (float64), at most `rounds` times."""
    bound = math.log((1 - ERROR) / ERROR)
    differences = np.zeros(0)
    ratio = 0.0
    for number in range(rounds):
        differences = np.concatenate((differences, play(number)))
        ratio = log_likelihood_ratio(differences, margin)
        if abs(ratio) >= bound:
            break
    gain, deals = float(differences.mean()), len(differences)
    better = ratio >= bound or (ratio > -bound and gain >= CLEAR * math.sqrt(_variance(differences) / deals))
    return Choice(better, deals, gain)
