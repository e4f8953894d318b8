"""Ratings: one maximum-likelihood fit of strengths to the placings of all games.

The model is that of Davidson and Luce (D. Firth, I. Kosmidis, H. Turner, "Davidson-Luce model for multi-item choice
with ties", 2019): what is placed first at a table is a seat, or a tie of several. A seat i has the weight exp(s_i), a
tie of k seats the weight exp(t_k) times the geometric mean of theirs; the probability of each is its weight over the
sum of all weights. The next place is chosen by the same rule from the seats that are left. Without ties this is the
model of Plackett and Luce, for two players that of Davidson (1970), without ties Bradley's and Terry's: Elo's curve. A
seat's s is the strength of its agent plus the advantage of the seat; the t_k, one for each size of tie that occurred,
tell how frequent ties are.

The log-likelihood is a sum over the sets that a place was chosen from: it depends on how often each set occurred and
what was chosen from it, not on the order of the games. It is concave, so Newton's method finds its one maximum. Every
pair of agents that met, every pair of seats, and each size of tie against none, is given one more choice that went
half to each, so that there is a maximum also where someone never lost.
"""

from __future__ import annotations

import math
from collections import Counter
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
"""Stands for the seat, or the agent, that an added choice does without."""

Item = tuple[int, int]
"""An agent and a seat, by number."""

Items = tuple[Item, ...]
"""Items, sorted."""

Alternative = tuple[Items, int]
"""What can be given a place: the items that tie for it, and how many those are (one: no tie)."""

Choice = tuple[Items, tuple[int, ...]]
"""The items that a place was chosen from, and how many may tie for it."""


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
    is infinite, the other is where Wilson's interval would have it (z² games more that it lost, or won). One that met
    nobody of the reference, not even through others, has no interval.
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
    apart = [i for i in range(len(names)) if likelihood.islands[i] != likelihood.islands[reference[0]]]
    low[apart] = high[apart] = math.nan
    for index in set(above) - set(apart):
        low[index], high[index] = elo(likelihood.maximum(strengths, {index: -doubt}))[index], math.inf
    for index in set(below) - set(apart):
        low[index], high[index] = -math.inf, elo(likelihood.maximum(strengths, {index: doubt}))[index]
    games = [sum(name in placing.agents for placing in placings) for name in names]
    seat_columns = slice(len(names), len(names) + seats)
    seat_values = ELO * strengths[seat_columns]
    seat_low, seat_high = _interval(seat_values, ELO * samples[:, seat_columns], widening)
    return Ratings(
        {name: Estimate(float(values[i]), float(low[i]), float(high[i]), games[i]) for i, name in enumerate(names)},
        [Estimate(float(seat_values[i]), float(seat_low[i]), float(seat_high[i]), len(placings)) for i in range(seats)],
        tuple(names[index] for index in reference),
    )


class _Likelihood:
    """The log-likelihood of parameters b (agents' strengths, seats', ties'), as counts cluster by cluster.

    It is `chosen @ design @ b - counts @ log(choices @ exp(design @ b))`: how often each alternative was given a place,
    and how often a place was chosen from each set of alternatives. `chosen` and `counts` have one row a cluster; the
    added choices are kept apart from them.
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
        sizes = tuple(sorted({1, *(places.count(place) for *_, places in kinds for place in set(places))}))
        self.ties = sizes[1:]

        played = [
            (row, times, *_terms(tuple(zip(agents, range(self.seats), strict=True)), places, sizes))
            for (row, agents, places), times in kinds.items()
        ]
        added = [_half_each((one,), (other,)) for one, other in self._pairs_of_items()]
        added += [_half_each((), (), size) for size in self.ties]
        draws = [(0, 1, *terms) for terms in added]
        self.choice_number = _numbered(choice for *_, counts in [*played, *draws] for choice in counts)
        contents = {choice: _alternatives(*choice) for choice in self.choice_number}
        self.number = _numbered(alternative for inner in contents.values() for alternative in inner)
        self.design = self._design()
        self.choices = _matrix(
            ((row, self.number[inner], 1) for choice, row in self.choice_number.items() for inner in contents[choice]),
            (len(self.choice_number), len(self.number)),
        )
        self.chosen, self.counts = self._tabulate(played, len(clusters))
        self.drawn_chosen, self.drawn_counts = (table.sum(axis=0) for table in self._tabulate(draws, 1))
        self.level = self._level()

    def _pairs_of_items(self) -> list[tuple[Item, Item]]:
        """The pairs between which a choice is added: agents that met, and seats."""
        agents = [((a, NONE), (b, NONE)) for a, b in self.pairs]
        return agents + [((NONE, s), (NONE, t)) for s, t in combinations(range(self.seats), 2)]

    def _design(self) -> Array:
        """What the logarithm of each alternative's weight is made of: float64[alternatives, parameters]."""
        design = np.zeros((len(self.number), len(self.names) + self.seats + len(self.ties)))
        for (items, size), row in self.number.items():
            for a, s in items:
                if a != NONE:
                    design[row, a] += 1 / len(items)
                if s != NONE:
                    design[row, len(self.names) + s] += 1 / len(items)
            if size > 1:
                design[row, len(self.names) + self.seats + self.ties.index(size)] = 1
        return design

    def _level(self) -> Array:
        """Added to the curvature, it holds the means that games say nothing about: of the seats, and of agents that
        met one another, directly or through others."""
        agents, size = len(self.names), self.design.shape[1]
        level = np.zeros((size, size))
        links = _matrix(((a, b, 1) for a, b in self.pairs), (agents, agents))
        _, self.islands = connected_components(links, directed=False)
        level[:agents, :agents] = self.islands[:, None] == self.islands[None, :]
        level[agents : agents + self.seats, agents : agents + self.seats] = 1.0
        return level

    def _tabulate(self, games: Iterable[tuple[int, float, Mapping, Mapping]], rows: int) -> tuple[csr_array, csr_array]:
        """Rows of `chosen` and `counts` from (row, how many times, the terms of a game)."""
        games = list(games)
        chosen = ((row, self.number[i], times * w) for row, times, terms, _ in games for i, w in terms.items())
        counts = ((row, self.choice_number[c], times * w) for row, times, _, sets in games for c, w in sets.items())
        shapes = (rows, len(self.number)), (rows, len(self.choice_number))
        return _matrix(chosen, shapes[0]), _matrix(counts, shapes[1])

    def maximum(self, start: Array | None = None, extra: Mapping[int, float] | None = None) -> Array:
        """The likeliest strengths, with `extra[a]` more games won (if negative: lost) by agent a against all it met."""
        chosen, counts = self.chosen.sum(axis=0) + self.drawn_chosen, self.counts.sum(axis=0) + self.drawn_counts
        for index, games in (extra or {}).items():
            met = [pair for pair in self.pairs if index in pair]
            for pair in met:
                winner = index if games > 0 else next(other for other in pair if other != index)
                chosen[self.number[((winner, NONE),), 1]] += abs(games) / len(met)
                counts[self.choice_number[tuple((a, NONE) for a in pair), (1,)]] += abs(games) / len(met)
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
        seats, design = slice(len(self.names), len(self.names) + self.seats), self.design
        strengths = np.zeros(design.shape[1]) if start is None else start
        for _ in range(200):
            odds = np.exp(design @ strengths)
            total = self.choices @ odds
            mean = self.choices @ (odds[:, None] * design) / total[:, None]  # of each set, weighted by the odds
            gradient = chosen @ design - counts @ mean
            if np.abs(gradient).max() <= tolerance * counts.sum():
                break
            expected = odds * (counts / total @ self.choices)
            curvature = (design.T * expected) @ design - (mean.T * counts) @ mean
            step = np.linalg.solve(curvature + self.level, gradient)
            strengths = strengths + step / max(1.0, np.abs(step).max())
        strengths = strengths.copy()
        for island in range(self.islands.max() + 1):
            members = np.flatnonzero(self.islands == island)
            strengths[members] -= strengths[members].mean()
        strengths[seats] -= strengths[seats].mean()
        return strengths


@cache
def _terms(
    items: Items, places: tuple[float, ...], sizes: tuple[int, ...]
) -> tuple[dict[Alternative, float], dict[Choice, float]]:
    """What a placing adds to the likelihood: the alternatives that were given places, and out of which sets."""
    chosen: dict[Alternative, float] = {}
    counts: dict[Choice, float] = {}
    for place in sorted(set(places)):
        tied = tuple(sorted(item for item, own in zip(items, places, strict=True) if own == place))
        left = tuple(sorted(item for item, own in zip(items, places, strict=True) if own >= place))
        if len(left) > 1:  # the last place is no choice
            chosen[tied, len(tied)] = counts[left, sizes] = 1
    return chosen, counts


def _half_each(one: Items, other: Items, size: int = 1) -> tuple[dict[Alternative, float], dict[Choice, float]]:
    """The terms of an added choice that went half to `one` and half to `other`, or to a tie of `size`."""
    choice = tuple(sorted(one + other)), (1, size) if size > 1 else (1,)
    return {(one, 1): 0.5, (other, size): 0.5}, {choice: 1}


def _alternatives(items: Items, sizes: tuple[int, ...]) -> list[Alternative]:
    """What a place is chosen from: every item, and every tie of one of the sizes; without items, the sizes alone."""
    if not items:
        return [((), size) for size in sizes]
    return [(group, size) for size in sizes for group in combinations(items, size)]


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
