"""Ratings: known answers, independence of order, ties, and how often the intervals hold."""

from __future__ import annotations

import math
import random
from itertools import combinations

import numpy as np
import pytest

from experiments.ratings import ELO, Array, Placing, _Likelihood, fit_ratings
from experiments.statistics import Z


def values(placings: list[Placing]) -> dict[str, float]:
    return {name: rating.value for name, rating in fit_ratings(placings).agents.items()}


def duel(first: str, second: str, wins: int, losses: int, draws: int = 0) -> list[Placing]:
    """Games between two agents that change seats, each on a deal of its own."""
    results = [(1.0, 2.0)] * wins + [(2.0, 1.0)] * losses + [(1.5, 1.5)] * draws
    return [
        Placing((first, second), places, (first, second, deal))
        if deal % 2
        else Placing((second, first), places[::-1], (first, second, deal))
        for deal, places in enumerate(results)
    ]


def field(
    seed: int, seats: int, agents: int, deals: int, scale: float = 0.7, ties: float = 0.0
) -> tuple[list[Placing], dict[str, float]]:
    """A simulated round robin by the model itself, without an effect of seat or deal; and the true ratings.

    A tie of k has `ties` to the power k - 1 as its parameter; 0: there are none.
    """
    rng = np.random.default_rng(seed)
    strengths = rng.normal(size=agents) * scale
    strengths -= strengths.mean()
    placings = []
    for deal in range(deals):
        for lineup in combinations(range(agents), seats):
            for turn in range(seats):
                seating = [*lineup[turn:], *lineup[:turn]]
                places = [0.0] * seats
                left, done = list(range(seats)), 0
                while left:
                    groups = [group for size in range(1, seats + 1) for group in combinations(left, size)]
                    groups = groups if ties else [(seat,) for seat in left]
                    weights = [
                        ties ** (len(group) - 1) * math.exp(np.mean([strengths[seating[seat]] for seat in group]))
                        for group in groups
                    ]
                    first = groups[rng.choice(len(groups), p=np.array(weights) / sum(weights))]
                    for seat in first:
                        places[seat] = done + (len(first) + 1) / 2
                    left, done = [seat for seat in left if seat not in first], done + len(first)
                placings.append(Placing(tuple(f"agent{index}" for index in seating), tuple(places), deal))
    return placings, {f"agent{index}": ELO * strength for index, strength in enumerate(strengths)}


def test_two_players_are_elos_curve() -> None:
    """75 wins of 100 and one added draw: the odds are 75.5 to 25.5, whatever the seats."""
    ratings = values(duel("a", "b", 75, 25))
    assert ratings["a"] - ratings["b"] == pytest.approx(400 * math.log10(75.5 / 25.5), abs=0.5)
    assert ratings["a"] + ratings["b"] == pytest.approx(0, abs=1e-9)


def test_draws_between_two_leave_the_odds_of_wins_to_losses() -> None:
    """Davidson's model: the strengths' ratio is that of wins to losses, whatever the number of draws."""
    drawn = values(duel("a", "b", 60, 20, 20))
    assert drawn["a"] - drawn["b"] == pytest.approx(400 * math.log10(60.5 / 20.5), abs=2)


def test_the_order_of_games_and_seats_of_the_sum_does_not_matter() -> None:
    placings, _ = field(0, 3, 4, 6)
    shuffled = placings[:]
    random.Random(1).shuffle(shuffled)
    one, other = fit_ratings(placings), fit_ratings(shuffled)
    for name, rating in one.agents.items():
        again = other.agents[name]
        assert (rating.value, rating.low, rating.high) == pytest.approx((again.value, again.low, again.high), abs=1e-9)
    assert [seat.value for seat in one.seats] == pytest.approx([seat.value for seat in other.seats], abs=1e-9)


def test_agents_that_always_tie_are_equal_and_so_are_mirror_images() -> None:
    tied = [
        Placing(seating, (1.5, 1.5, 3.0), deal) for deal in range(4) for seating in (("a", "b", "c"), ("b", "a", "c"))
    ]
    ratings = values(tied)
    assert ratings["a"] == pytest.approx(ratings["b"], abs=1e-9)
    assert ratings["c"] < ratings["a"]
    everyone = [Placing(("a", "b", "c"), (2.0, 2.0, 2.0), deal) for deal in range(4)]
    assert list(values(everyone).values()) == pytest.approx([0, 0, 0], abs=1e-9)


def test_the_maximum_is_one() -> None:
    """No strength can be moved a little without the likelihood, written out plainly, going down: ties included."""
    placings, _ = field(3, 3, 4, 5, ties=0.6)
    assert {2, 3} <= {placing.places.count(place) for placing in placings for place in placing.places}
    likelihood = _Likelihood(placings)
    found = likelihood.maximum()

    def log_likelihood(strengths: Array) -> float:
        skill, seats, ties = strengths[:4], strengths[4:7], {1: 0.0, 2: strengths[7], 3: strengths[8]}
        total = 0.0
        for placing in placings:
            left = [
                (skill[int(name[-1])] + seats[seat], placing.places[seat]) for seat, name in enumerate(placing.agents)
            ]
            while len(left) > 1:
                best = min(place for _, place in left)
                first = [own for own, place in left if place == best]
                everything = [group for size in ties for group in combinations([own for own, _ in left], size)]
                weights = [math.exp(ties[len(group)] + sum(group) / len(group)) for group in everything]
                total += ties[len(first)] + sum(first) / len(first) - math.log(sum(weights))
                left = [(own, place) for own, place in left if place > best]
        for a, b in [*combinations(skill, 2), *combinations(seats, 2), (0, ties[2]), (0, ties[3])]:  # the added choices
            total += (a + b) / 2 - math.log(math.exp(a) + math.exp(b))
        return total

    best = log_likelihood(found)
    for number in range(len(found)):
        for step in (-0.01, 0.01):
            moved = found.copy()
            moved[number] += step
            assert log_likelihood(moved) < best


def test_someone_who_never_lost_has_no_upper_bound() -> None:
    placings = [*duel("a", "b", 30, 20), *duel("a", "weak", 40, 0), *duel("b", "weak", 40, 0)]
    ratings = fit_ratings(placings)
    assert ratings.reference == ("a", "b")
    assert ratings.agents["weak"].low == -math.inf
    assert ratings.agents["weak"].value <= ratings.agents["weak"].high < ratings.agents["b"].low
    assert all(math.isfinite(ratings.agents[name].high) for name in "ab")
    duels = fit_ratings(duel("strong", "weak", 40, 0))
    assert duels.agents["strong"].high == math.inf
    expected = 400 * math.log10(40.5 / (0.5 + Z * Z))
    assert duels.agents["strong"].low - duels.agents["weak"].value == pytest.approx(expected, abs=1)


def test_thousands_of_wins_without_a_loss_are_fitted_all_the_same() -> None:
    placings = [
        Placing(("a", "b") if deal % 2 else ("b", "a"), (1.0, 2.0) if deal % 2 else (2.0, 1.0), deal)
        for deal in range(5000)
    ]
    ratings = values(placings)
    assert ratings["a"] - ratings["b"] == pytest.approx(400 * math.log10(5000.5 / 0.5), abs=2)


def test_a_seat_that_decides_is_told_from_strength() -> None:
    """The first seat wins three games of four between equals: the advantage is the seat's."""
    placings = [
        Placing(seating, (1.0, 2.0) if deal % 4 else (2.0, 1.0), deal)
        for deal in range(200)
        for seating in (("a", "b"), ("b", "a"))
    ]
    ratings = fit_ratings(placings)
    assert ratings.agents["a"].value == pytest.approx(0, abs=1e-6)
    assert ratings.seats[0].value - ratings.seats[1].value == pytest.approx(400 * math.log10(3), abs=5)
    assert ratings.seats[0].low > 0 > ratings.seats[1].high


def test_an_agent_against_itself_says_something_about_seats_only() -> None:
    placings = [Placing(("a", "a"), (1.0, 2.0), deal) for deal in range(10)]
    placings += [Placing(("a", "b"), (2.0, 1.0), ("x", deal)) for deal in range(10)]
    ratings = fit_ratings(placings)
    assert ratings.agents["b"].value > ratings.agents["a"].value


def test_one_deal_gives_no_interval() -> None:
    ratings = fit_ratings([Placing(("a", "b"), (1.0, 2.0), 0), Placing(("b", "a"), (1.0, 2.0), 0)])
    assert not ratings.agents["a"].is_known


def test_the_intervals_hold_and_are_not_too_wide() -> None:
    """24 simulated fields (seeds 0 to 23), 96 ratings: about 95 % of the intervals hold the truth, and about two thirds
    of their inner halves.

    The limits are three standard errors away, as if the ratings were independent: a false alarm in under 1 %.
    """
    whole, inner = [], []
    for seed in range(24):
        placings, truth = field(seed, 2 + seed % 3, 3 + seed % 3, (12, 25, 40)[seed % 3])
        for name, rating in fit_ratings(placings).agents.items():
            whole.append(rating.low <= truth[name] <= rating.high)
            inner.append(abs(rating.value - truth[name]) <= rating.margin / 2)
    assert len(whole) == 96
    assert np.mean(whole) >= 0.88
    assert 0.52 <= np.mean(inner) <= 0.82


def test_agents_that_never_met_cannot_be_compared() -> None:
    placings = [*duel("a", "b", 12, 8), *duel("b", "c", 12, 8), *duel("x", "y", 15, 5)]
    ratings = fit_ratings(placings)
    assert ratings.reference == ("a", "b", "c")
    assert ratings.agents["a"].is_known
    assert not ratings.agents["x"].is_known


@pytest.mark.slow
def test_the_intervals_hold_on_a_hundred_fields() -> None:
    """100 simulated fields (seeds 100 to 199), tables of 2 to 6, half of them with ties: 92 to 98 % hold, pooled."""
    whole = []
    for number in range(100):
        seats = 2 + number % 5
        ties = 0.3 if number % 2 else 0.0
        placings, truth = field(100 + number, seats, max(seats + (seats < 5), 4), (15, 25, 40)[number % 3], ties=ties)
        for name, rating in fit_ratings(placings).agents.items():
            whole.append((seats, ties, rating.low <= truth[name] <= rating.high))
    held = [hold for *_, hold in whole]
    print(f"{len(held)} intervals, {100 * np.mean(held):.1f} % hold")
    for ties in (0.0, 0.3):
        print(f"ties {ties}: {100 * np.mean([hold for _, own, hold in whole if own == ties]):.1f} %")
    assert 0.92 <= np.mean(held) <= 0.98
