"""The streams of chance: the hash against SplitMix64's published output, uniformity, independence.

Statistical tests run over the seeds 0 … n-1 and raise a false alarm in 1 of 100,000 each.
"""

import os
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

from envs import chance
from envs.catalog import get_game
from tests.plain_mode import PLAIN, ROOT

FALSE_ALARM = 1e-5
DEAL, PUBLIC = 0, 1

VECTORS = {
    (0, 0, 0): 1079438718747986016,
    (0, 0, 1): 6739433831216703611,
    (0, 1, 0): 6520161800382532999,
    (1, 0, 0): 6467522174801154012,
    (123456789, 3, 7): 8108765494086533872,
    (2**62, 2, 1000): 6811473058411625502,
    (2**63 - 1, 0, 0): 8039015219778974444,
    (2**63 - 1, 5, 100): 5453852670900135696,
}
"""`random_bits(seed, stream, counter)`: records of games depend on these, so they never change."""


class SplitMix64:
    """The generator of Steele, Lea and Flood, in big integers, written apart from `envs.chance`."""

    def __init__(self, state):
        self.state = state % 2**64

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        return self.finalise(self.state)

    @staticmethod
    def finalise(z):
        z = ((z ^ z // 2**30) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ z // 2**27) * 0x94D049BB133111EB) % 2**64
        return z ^ z // 2**31


def reference_bits(seed, stream, counter):
    """Draw number `counter` of a SplitMix64 keyed by seed and stream, without its lowest bit."""
    generator = SplitMix64(SplitMix64.finalise((seed + (stream + 1) * 0xD1B54A32D192ED03) % 2**64))
    for _ in range(counter):
        generator.next()
    return generator.next() // 2


@pytest.fixture
def state():
    """A record with the two streams DEAL and PUBLIC."""
    game = get_game("leduc_poker")
    return game.template(game.validate({}))[0]


def test_reference_is_splitmix64():
    """The first five outputs for the seed 1234567, as published by Rosetta Code, "Pseudo-random numbers/Splitmix64"."""
    generator = SplitMix64(1234567)
    assert [generator.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("key", VECTORS)
def test_vectors(key):
    assert chance.random_bits(*key) == reference_bits(*key) == VECTORS[key]


def test_vectors_in_plain_mode():
    script = f"from envs.chance import random_bits\nprint([random_bits(*key) for key in {list(VECTORS)}])"
    output = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, **PLAIN},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert output.strip() == str(list(VECTORS.values()))


def test_draw_takes_the_upper_bits_and_moves_its_own_counter_on(state):
    state.seed = 42
    drawn = [chance.draw(state, PUBLIC, n) for n in (2, 6, 52, 2**31)]
    expected = [(reference_bits(42, PUBLIC, i) >> 31) * n >> 32 for i, n in enumerate((2, 6, 52, 2**31))]
    assert drawn == expected
    assert state.draws.tolist() == [0, 4]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 52])
def test_draws_are_uniform_over_seeds_and_over_counters(state, n):
    over_seeds, over_counters = np.zeros(n, int), np.zeros(n, int)
    for seed in range(5000):
        chance.reseed(state, seed)
        over_seeds[chance.draw(state, DEAL, n)] += 1
    chance.reseed(state, 0)
    for _ in range(5000):
        over_counters[chance.draw(state, DEAL, n)] += 1
    if n > 1:
        assert chisquare(over_seeds).pvalue > FALSE_ALARM
        assert chisquare(over_counters).pvalue > FALSE_ALARM


def test_streams_seeds_and_successive_draws_are_independent(state):
    """Tables of 6 by 6: two streams of a seed, the same stream of two successive seeds, two draws of one stream."""
    tables = np.zeros((3, 6, 6), int)
    for seed in range(7200):
        chance.reseed(state, seed)
        first, second = chance.draw(state, DEAL, 6), chance.draw(state, DEAL, 6)
        public = chance.draw(state, PUBLIC, 6)
        chance.reseed(state, seed + 1)
        next_first = chance.draw(state, DEAL, 6)
        for table, pair in zip(tables, ((first, public), (first, next_first), (first, second)), strict=True):
            table[pair] += 1
    for table in tables:
        assert chi2_contingency(table).pvalue > FALSE_ALARM
        assert chisquare(table.ravel()).pvalue > FALSE_ALARM


def test_drawing_from_one_stream_moves_no_other(state):
    chance.reseed(state, 9)
    undisturbed = [chance.draw(state, PUBLIC, 1000) for _ in range(10)]
    chance.reseed(state, 9)
    disturbed = []
    for i in range(10):
        for _ in range(i):
            chance.draw(state, DEAL, 7)
        disturbed.append(chance.draw(state, PUBLIC, 1000))
    assert disturbed == undisturbed


def test_reseed_goes_back_to_the_beginning(state):
    chance.reseed(state, 3)
    first = [chance.draw(state, DEAL, 100) for _ in range(5)]
    chance.reseed(state, 3)
    assert state.draws.tolist() == [0, 0]
    assert [chance.draw(state, DEAL, 100) for _ in range(5)] == first
    chance.reseed(state, 4)
    assert [chance.draw(state, DEAL, 100) for _ in range(5)] != first


def test_shuffle_makes_every_order_alike_and_touches_nothing_else(state):
    """24 orders of the four items between two that stay where they are."""
    counts = dict.fromkeys(permutations((1, 2, 3, 4)), 0)
    for seed in range(6000):
        chance.reseed(state, seed)
        items = np.arange(6, dtype=np.int8)
        chance.shuffle(state, DEAL, items, 1, 5)
        assert (items[0], items[5]) == (0, 5)
        assert state.draws.tolist() == [3, 0]
        counts[tuple(int(item) for item in items[1:5])] += 1
    assert chisquare(list(counts.values())).pvalue > FALSE_ALARM


def test_seeds_of_games_that_follow_one_another_are_seeds_and_do_not_repeat():
    chain = [0]
    for _ in range(1000):
        chain.append(chance.next_seed(chain[-1]))
    lanes = [chance.lane_seed(0, lane) for lane in range(1000)]
    assert len({*chain, *lanes}) == 2001
    assert all(0 <= seed < 2**63 for seed in chain + lanes)
