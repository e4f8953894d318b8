"""Shares and means with their intervals, for games that are not independent of one another.

Games of one deal share its luck, and games of deterministic agents may be copies of one another. So every
game belongs to a cluster, and the intervals count clusters: the variance of a mean is that of the clusters'
totals (the usual estimate for cluster samples, see W. G. Cochran, Sampling Techniques, 1977, chapter 9A).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

Array = np.ndarray[Any, Any]

LEVEL = 0.95
"""All intervals are for this level."""

Z = 1.959963984540054
"""The normal quantile that belongs to `LEVEL`."""


@dataclass(frozen=True)
class Estimate:
    """A number with its interval; `low` and `high` are NaN where there is too little to give one."""

    value: float
    low: float
    high: float
    games: int

    @property
    def margin(self) -> float:
        """Half the interval's length."""
        return (self.high - self.low) / 2

    @property
    def is_known(self) -> bool:
        """Whether there is an interval."""
        return not (math.isnan(self.low) or math.isnan(self.high))


def t_quantile(degrees: int) -> float:
    """The quantile of Student's t distribution that belongs to `LEVEL`."""
    return float(stdtrit(degrees, (1 + LEVEL) / 2))


def wilson(share: float, n: float, z: float = Z) -> tuple[float, float]:
    """The interval of a share out of `n` (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927); `n` need not be whole."""
    centre = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if share == 0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if share == 1 else min(1.0, (centre + spread) / scale)
    return low, high


def cluster_totals(values: Array, clusters: Sequence[object]) -> Array:
    """The sum of the values of each cluster, in the order in which clusters first appear."""
    number: dict[object, int] = {}
    labels = [number.setdefault(cluster, len(number)) for cluster in clusters]
    return np.bincount(labels, weights=values, minlength=len(number))


def standard_error(values: Array, clusters: Sequence[object]) -> tuple[float, int]:
    """The standard error of the mean of clustered values, and the number of clusters; NaN for a single one."""
    totals = cluster_totals(values - values.mean(), clusters)
    count = len(totals)
    if count < 2:
        return math.nan, count
    return float(np.sqrt(count / (count - 1) * (totals**2).sum())) / len(values), count


def mean_estimate(values: Sequence[float], clusters: Sequence[object]) -> Estimate:
    """The mean of clustered values with Student's interval."""
    array = np.asarray(values, np.float64)
    error, count = standard_error(array, clusters)
    half = error * t_quantile(count - 1) if count > 1 else math.nan
    mean = float(array.mean())
    return Estimate(mean, mean - half, mean + half, len(array))


def share_estimate(shares: Sequence[float], clusters: Sequence[object], distinct: int) -> Estimate:
    """The mean of win shares (each from 0 to 1) with a Wilson interval for clustered games.

    The interval is Wilson's for an effective number of games: as many independent games as would have the
    variance that the clusters show, at most the `distinct` ones there are, corrected for the clusters being
    few as by E. L. Korn and B. I. Graubard (Survey Methodology 24, 1998).
    """
    array = np.asarray(shares, np.float64)
    share = min(1.0, max(0.0, float(array.mean())))
    error, count = standard_error(array, clusters)
    if count < 2:
        return Estimate(share, *wilson(share, 1), len(array))
    effective = float(distinct)
    if error > 0:
        effective = min(effective, share * (1 - share) / error**2)
    effective *= (Z / t_quantile(count - 1)) ** 2
    return Estimate(share, *wilson(share, effective), len(array))


def win_shares(places: Sequence[float]) -> list[float]:
    """Each seat's share of the win: 1/k for k seats that share first place (places count from 1, ties their mean)."""
    best = min(places)
    winners = sum(place == best for place in places)
    return [1 / winners if place == best else 0.0 for place in places]


def games_for(estimate: Estimate, margin: float) -> int:
    """About how many games of the same kind would bring the interval down to ± `margin`, to two digits."""
    needed = estimate.games * (estimate.margin / margin) ** 2
    if not math.isfinite(needed) or needed <= 0:
        return 0
    unit = 10 ** max(0, math.floor(math.log10(needed)) - 1)
    return math.ceil(needed / unit) * unit
