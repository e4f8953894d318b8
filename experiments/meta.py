"""Who is best where strength is no line, as among rock, paper and scissors: Nash averaging and alpha-rank.

Both see agents as the strategies of a game whose pay-offs are how they fare against one another; two-player settings
only, in which all pairs have met.

- Nash averaging (D. Balduzzi et al., "Re-evaluating Evaluation", 2018): the equilibrium of largest entropy of the game
  whose pay-off is the logarithm of the odds. An agent's mass is how often it is in the equilibrium; its skill is what
  it wins against that, zero at most. Copies of an agent change nobody else's skill.
- alpha-rank (S. Omidshafiei et al., "alpha-Rank: Multi-Agent Evaluation by Evolution", 2019), in the limit of strong
  selection: the share of time that a population, in which a better strategy now and then takes over, spends with each.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog, minimize

from experiments.statistics import LEVEL, Estimate

Array = np.ndarray[Any, Any]

RESAMPLES = 100
"""Resamples of the bootstrap over deals."""

MUTATION = 1e-3
"""The probability with which a worse strategy takes over, in place of zero: so the population never gets stuck."""


@dataclass(frozen=True)
class Meeting:
    """A game of two agents, by number: the score of the first, from 0 to 1; games of a cluster are not independent."""

    first: int
    second: int
    score: float
    cluster: Hashable


@dataclass(frozen=True)
class MetaResult:
    """One agent's part: its mass in the equilibrium, its skill (logarithm of odds), its mass by alpha-rank."""

    nash: Estimate
    skill: float
    alpha: Estimate


def meta_results(agents: int, meetings: Sequence[Meeting]) -> list[MetaResult] | None:
    """The results of all agents, with percentile intervals of a bootstrap over clusters; None if a pair has not met."""
    scores, counts = _totals(agents, meetings)
    if agents < 3 or not (counts.sum(axis=0) + np.eye(agents) > 0).all():
        return None
    shares = _shares(scores.sum(axis=0), counts.sum(axis=0))
    nash, alpha = nash_average(shares), alpha_rank(shares)
    rng = np.random.default_rng(0)
    clusters = len(scores)
    samples = []
    for _ in range(RESAMPLES if clusters > 1 else 0):
        drawn = np.bincount(rng.integers(clusters, size=clusters), minlength=clusters)
        resampled = _shares(np.tensordot(drawn, scores, 1), np.tensordot(drawn, counts, 1))
        samples.append((nash_average(resampled), alpha_rank(resampled)))
    ends = (1 - LEVEL) / 2, (1 + LEVEL) / 2
    low, high = np.quantile(samples, ends, axis=0) if samples else np.full((2, 2, agents), np.nan)
    games = counts.sum(axis=(0, 2))
    skill = log_odds(shares) @ nash
    return [
        MetaResult(
            Estimate(float(nash[i]), float(low[0, i]), float(high[0, i]), int(games[i])),
            float(skill[i]),
            Estimate(float(alpha[i]), float(low[1, i]), float(high[1, i]), int(games[i])),
        )
        for i in range(agents)
    ]


def nash_average(shares: Array) -> Array:
    """The equilibrium of largest entropy of the game with pay-offs `log_odds(shares)`: float64[agents]."""
    odds = log_odds(shares)
    agents = len(odds)
    found = linprog(np.zeros(agents), odds, np.zeros(agents), np.ones((1, agents)), [1.0], method="highs")
    start = found.x if found.success else np.full(agents, 1 / agents)
    best = minimize(
        lambda p: float(np.sum(p * np.log(np.maximum(p, 1e-12)))),
        0.9 * start + 0.1 / agents,
        jac=lambda p: np.log(np.maximum(p, 1e-12)) + 1,
        bounds=[(0.0, 1.0)] * agents,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(agents)},
            {"type": "ineq", "fun": lambda p: -odds @ p, "jac": lambda p: -odds},
        ],
        method="SLSQP",
        options={"maxiter": 200, "ftol": 1e-10},
    )
    mass = best.x if best.success and (odds @ best.x).max() < 1e-4 else start
    mass = np.where(mass < 1e-6, 0.0, mass)
    return mass / mass.sum()


def alpha_rank(shares: Array) -> Array:
    """The shares of time by alpha-rank in the limit of strong selection: float64[agents].

    `shares[a, b]`, float64[agents, agents], is the share of games that a wins against b, ties half.
    """
    agents = len(shares)
    takes_over = np.where(shares > 0.5 + 1e-9, 1 - MUTATION, np.where(shares < 0.5 - 1e-9, MUTATION, 0.5)).T
    moves = takes_over / max(1, agents - 1)
    np.fill_diagonal(moves, 0.0)
    np.fill_diagonal(moves, 1 - moves.sum(axis=1))
    system = np.vstack([moves.T - np.eye(agents), np.ones(agents)])
    mass = np.linalg.lstsq(system, np.array([*np.zeros(agents), 1.0]), rcond=None)[0]
    return np.clip(mass, 0, 1) / np.clip(mass, 0, 1).sum()


def log_odds(shares: Array) -> Array:
    """The logarithm of the odds of each share."""
    odds: Array = np.log(shares) - np.log1p(-shares)
    return odds


def _totals(agents: int, meetings: Sequence[Meeting]) -> tuple[Array, Array]:
    """By cluster, the sums of scores and the numbers of games of each pair: float64[clusters, agents, agents]."""
    numbers: dict[Hashable, int] = {}
    for meeting in meetings:
        numbers.setdefault(meeting.cluster, len(numbers))
    scores, counts = np.zeros((2, len(numbers), agents, agents))
    for meeting in meetings:
        one, other, row = meeting.first, meeting.second, numbers[meeting.cluster]
        scores[row, one, other] += meeting.score
        scores[row, other, one] += 1 - meeting.score
        counts[row, one, other] += 1
        counts[row, other, one] += 1
    return scores, counts


def _shares(scores: Array, counts: Array) -> Array:
    """The shares of the win with one more drawn game for each pair: none is 0 or 1; one half on the diagonal."""
    shares: Array = (scores + 0.5) / (counts + 1)
    np.fill_diagonal(shares, 0.5)
    return shares
