"""Ratings: one maximum-likelihood fit of strengths to the placings of all games.

The model is Plackett's and Luce's: at a table the first place goes to seat i with probability
exp(s_i) / sum_j exp(s_j), the second by the same rule among the others, and so on; for two players it is that of
Bradley and Terry, and Elo's curve. A seat's s is the strength of its agent plus the advantage of the seat.
Tied seats count as every order among them, equally weighted: with two players, half a win each.

The log-likelihood is a sum over the sets that a place was chosen from: it depends on how often each set
occurred, not on the order of the games, and it is concave, so Newton's method finds its one maximum. Every
pair of agents that met, and every pair of seats, is given one drawn game more, so that there is a maximum
also where someone never lost.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from experiments.statistics import LEVEL, Estimate, Z, t_quantile

Array = np.ndarray[Any, Any]

ELO = 400 / math.log(10)
"""Elo points of one unit of strength: 400 points are odds of ten to one."""

RESAMPLES = 500
"""Resamples of the bootstrap."""

NONE = -1
"""Stands for the seat, or the agent, that an added game does without."""

Item = tuple[int, int]
"""An agent and a seat, by number."""

Choice = tuple[Item, ...]
"""The items that a place was chosen from, sorted."""


@dataclass(frozen=True)
class Placing:
    """How one game ended: by seat, the agents' names and their places (the lower the better, ties equal).

    Games of one `cluster` are not independent of one another.
    """

    agents: tuple[str, ...]
    places: tuple[float, ...]
    cluster: Hashable


@dataclass(frozen=True)
class Ratings:
    """Fitted strengths in Elo points, by name, and the advantages of the seats, each with its interval.

    The mean of the agents in `reference` is zero, and so is that of the seats. An agent that never finished
    behind, or never ahead of, anyone of the reference has no likeliest finite strength: one end of its interval
    is infinite, the other is where Wilson's interval would have it (z² games more that it lost, or won).
    """

    agents: dict[str, Estimate]
    seats: list[Estimate]
    reference: tuple[str, ...]


def fit_ratings(placings: Sequence[Placing], distinct: int | None = None, seed: int = 0) -> Ratings:
    """Ratings of all agents that occur in `placings`, which are of tables of one size.

    Intervals are percentiles of a bootstrap that draws whole clusters (its generator is seeded by `seed`),
    widened for the clusters being few as Student's is; they are NaN for fewer than two clusters. `distinct` is
    the number of games that are no copies of others.
    """
    likelihood = _Likelihood(placings)
    names, seats = likelihood.names, likelihood.seats
    strengths = likelihood.maximum()
    samples = likelihood.bootstrap(strengths, np.random.default_rng(seed))
    reference, above, below = _order(strengths[: len(names)], likelihood.ahead)

    def elo(values: Array) -> Array:
        agents = values[..., : len(names)]
        return ELO * (agents - agents[..., reference].mean(axis=-1, keepdims=True))

    values = elo(strengths)
    widening = likelihood.widening
    low, high = _interval(values, elo(samples), widening)
    doubt = Z * Z * len(placings) / (distinct or len(placings))
    for index in above:
        low[index], high[index] = elo(likelihood.maximum(strengths, {index: -doubt}))[index], math.inf
    for index in below:
        low[index], high[index] = -math.inf, elo(likelihood.maximum(strengths, {index: doubt}))[index]
    games = [sum(name in placing.agents for placing in placings) for name in names]
    seat_values = ELO * strengths[len(names) :]
    seat_low, seat_high = _interval(seat_values, ELO * samples[:, len(names) :], widening)
    return Ratings(
        {name: Estimate(float(values[i]), float(low[i]), float(high[i]), games[i]) for i, name in enumerate(names)},
        [Estimate(float(seat_values[i]), float(seat_low[i]), float(seat_high[i]), len(placings)) for i in range(seats)],
        tuple(names[index] for index in reference),
    )


class _Likelihood:
    """The log-likelihood of strengths b (the agents', then the seats'), as counts cluster by cluster.

    It is `chosen @ design @ b - counts @ log(choices @ exp(design @ b))`: how often each item was given a place,
    and how often a place was chosen from each set of items. `chosen` and `counts` have one row a cluster; the
    added games are kept apart from them.
    """

    def __init__(self, placings: Sequence[Placing]) -> None:
        self.names = sorted({name for placing in placings for name in placing.agents})
        self.seats = len(placings[0].agents)
        agent = {name: index for index, name in enumerate(self.names)}
        clusters = {cluster: row for row, cluster in enumerate(sorted({p.cluster for p in placings}, key=repr))}
        kinds = Counter((clusters[p.cluster], tuple(agent[name] for name in p.agents), p.places) for p in placings)
        self.ahead = {
            (agents[s], agents[t])
            for _, agents, places in kinds
            for s, t in permutations(range(self.seats), 2)
            if places[s] <= places[t] and agents[s] != agents[t]
        }
        self.pairs = sorted({(min(pair), max(pair)) for pair in self.ahead})

        played = [
            (row, times, *_terms(tuple(zip(agents, range(self.seats), strict=True)), places))
            for (row, agents, places), times in kinds.items()
        ]
        added = [((a, NONE), (b, NONE)) for a, b in self.pairs]
        added += [((NONE, s), (NONE, t)) for s, t in combinations(range(self.seats), 2)]
        draws = [(0, 1, *_terms(pair, (1.0, 1.0))) for pair in added]
        self.choice_number = _numbered(choice for *_, counts in [*played, *draws] for choice in counts)
        self.item_number = _numbered(item for choice in self.choice_number for item in choice)
        self.design = np.zeros((len(self.item_number), len(self.names) + self.seats))
        for (a, s), row in self.item_number.items():
            if a != NONE:
                self.design[row, a] = 1
            if s != NONE:
                self.design[row, len(self.names) + s] = 1
        self.choices = _matrix(
            ((row, self.item_number[item], 1) for choice, row in self.choice_number.items() for item in choice),
            (len(self.choice_number), len(self.item_number)),
        )
        self.chosen, self.counts = self._tabulate(played, len(clusters))
        self.drawn_chosen, self.drawn_counts = (table.sum(axis=0) for table in self._tabulate(draws, 1))

    def _tabulate(self, games: Iterable[tuple[int, float, Mapping, Mapping]], rows: int) -> tuple[csr_array, csr_array]:
        """Rows of `chosen` and `counts` from (row, how many times, the terms of a game)."""
        games = list(games)
        chosen = ((row, self.item_number[i], times * w) for row, times, items, _ in games for i, w in items.items())
        counts = ((row, self.choice_number[c], times * w) for row, times, _, sets in games for c, w in sets.items())
        shapes = (rows, len(self.item_number)), (rows, len(self.choice_number))
        return _matrix(chosen, shapes[0]), _matrix(counts, shapes[1])

    def maximum(self, start: Array | None = None, extra: Mapping[int, float] | None = None) -> Array:
        """The likeliest strengths, with `extra[a]` more games won (if negative: lost) by agent a against all it met."""
        chosen, counts = self.chosen.sum(axis=0) + self.drawn_chosen, self.counts.sum(axis=0) + self.drawn_counts
        for index, games in (extra or {}).items():
            met = [pair for pair in self.pairs if index in pair]
            for pair in met:
                winner = index if games > 0 else next(other for other in pair if other != index)
                chosen[self.item_number[winner, NONE]] += abs(games) / len(met)
                counts[self.choice_number[tuple((a, NONE) for a in pair)]] += abs(games) / len(met)
        return self._climb(chosen, counts, start, 1e-12)

    @property
    def widening(self) -> float:
        """What a bootstrap of few clusters falls short by: Student's quantile, and the mean taken from the sample."""
        clusters = self.counts.shape[0]
        return t_quantile(clusters - 1) / Z * math.sqrt(clusters / (clusters - 1)) if clusters > 1 else math.nan

    def bootstrap(self, start: Array, rng: np.random.Generator) -> Array:
        """The likeliest strengths of `RESAMPLES` draws of as many clusters as there are; NaN if there is only one."""
        clusters = self.counts.shape[0]
        if clusters < 2:
            return np.full((RESAMPLES, len(start)), np.nan)
        samples = []
        for _ in range(RESAMPLES):
            times = np.bincount(rng.integers(clusters, size=clusters), minlength=clusters)
            chosen, counts = times @ self.chosen + self.drawn_chosen, times @ self.counts + self.drawn_counts
            samples.append(self._climb(chosen, counts, start, 1e-7))
        return np.array(samples)

    def _climb(self, chosen: Array, counts: Array, start: Array | None, tolerance: float) -> Array:
        """Newton's method, steps of at most one unit, until the gradient is below `tolerance` times the games."""
        agents, design = len(self.names), self.design
        strengths = np.zeros(design.shape[1]) if start is None else start
        level = np.zeros((len(strengths), len(strengths)))  # the means are free: hold them where they are
        level[:agents, :agents] = level[agents:, agents:] = 1.0
        for _ in range(200):
            odds = np.exp(design @ strengths)
            total = self.choices @ odds
            mean = self.choices @ (odds[:, None] * design) / total[:, None]  # of each set, weighted by the odds
            gradient = chosen @ design - counts @ mean
            if np.abs(gradient).max() <= tolerance * counts.sum():
                break
            expected = odds * (counts / total @ self.choices)
            curvature = (design.T * expected) @ design - (mean.T * counts) @ mean
            step = np.linalg.solve(curvature + level, gradient)
            strengths = strengths + step / max(1.0, np.abs(step).max())
        strengths = strengths.copy()
        strengths[:agents] -= strengths[:agents].mean()
        strengths[agents:] -= strengths[agents:].mean()
        return strengths


@cache
def _terms(items: Choice, places: tuple[float, ...]) -> tuple[dict[Item, float], dict[Choice, float]]:
    """What a placing adds to the likelihood: how often each item is given a place, and out of which sets.

    Of g tied items the one placed first leaves g - 1, and so on; every order is equally weighted, so each set of
    r items among the g is what a place is chosen from with weight 1 / C(g, r).
    """
    chosen: dict[Item, float] = defaultdict(float)
    counts: dict[Choice, float] = defaultdict(float)
    for place in sorted(set(places)):
        tied = [item for item, own in zip(items, places, strict=True) if own == place]
        behind = [item for item, own in zip(items, places, strict=True) if own > place]
        for remaining in range(len(tied), 0, -1):
            if remaining + len(behind) == 1 and len(tied) == 1:
                continue  # the last place is no choice
            sets = list(combinations(tied, remaining))
            for choice in sets:
                counts[tuple(sorted([*choice, *behind]))] += 1 / len(sets)
        if len(tied) > 1 or behind:
            for item in tied:
                chosen[item] += 1
    return dict(chosen), dict(counts)


def _order(strengths: Array, ahead: set[tuple[int, int]]) -> tuple[list[int], list[int], list[int]]:
    """The agents whose strengths can be told relative to one another, those above them and those below.

    The first are the largest group in which everyone finished ahead of (or level with) everyone, directly or
    through others; the middle one by strength if there are several.
    """
    size = len(strengths)
    links = _matrix(((a, b, 1) for a, b in ahead), (size, size))
    _, labels = connected_components(links, directed=True, connection="strong")
    groups = [[int(index) for index in np.flatnonzero(labels == label)] for label in sorted(set(labels))]
    largest = [group for group in groups if len(group) == max(map(len, groups))]
    largest.sort(key=lambda group: (float(strengths[group].mean()), group))
    reference = largest[(len(largest) - 1) // 2]
    others = [index for index in range(size) if index not in reference]
    above = [index for index in others if strengths[index] > strengths[reference].mean()]
    return reference, above, [index for index in others if index not in above]


def _interval(values: Array, samples: Array, widening: float) -> tuple[Array, Array]:
    """The two ends of the percentile interval by column, drawn away from the values by a factor."""
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return values + widening * (low - values), values + widening * (high - values)


def _numbered(things: Iterable[Any]) -> dict[Any, int]:
    """The things in ascending order, each with its index."""
    return {thing: index for index, thing in enumerate(sorted(set(things)))}


def _matrix(entries: Iterable[tuple[int, int, float]], shape: tuple[int, int]) -> csr_array:
    """A sparse matrix from (row, column, value); values at one place add up."""
    rows, columns, values = zip(*entries, strict=True) if (entries := list(entries)) else ((), (), ())
    return csr_array((np.array(values, np.float64), (rows, columns)), shape=shape)
