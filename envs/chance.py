"""The streams of chance inside a position.

A draw is a hash of the position's seed, the stream's number and that stream's counter, so the same
seed gives the same game everywhere, and what is drawn from one stream never moves another. The hash
is the SplitMix64 finaliser (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
OOPSLA 2014), applied once to key the stream and once to each counter.

64-bit unsigned arithmetic stays in this file: every function takes and gives signed integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.compiling import PLAIN, compiled

SEED_BITS = 63
"""Seeds are integers from 0 to 2**63 - 1."""

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_STREAM = 0xD1B54A32D192ED03
_MUL1 = 0xBF58476D1CE4E5B9
_MUL2 = 0x94D049BB133111EB

if PLAIN:

    def _mix(x: Any) -> Any:
        x &= _MASK
        x = ((x ^ (x >> 30)) * _MUL1) & _MASK
        x = ((x ^ (x >> 27)) * _MUL2) & _MASK
        return x ^ (x >> 31)

    def _hash(seed: Any, stream: Any, counter: Any) -> Any:
        key = _mix(int(seed) + (int(stream) + 1) * _STREAM)
        return _mix(key + (int(counter) + 1) * _GOLDEN)

    def random_bits(seed: Any, stream: Any, counter: Any) -> Any:
        return _hash(seed, stream, counter) >> 1

else:
    _U1, _U27, _U30, _U31 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31)
    _U_GOLDEN, _U_STREAM = np.uint64(_GOLDEN), np.uint64(_STREAM)
    _U_MUL1, _U_MUL2 = np.uint64(_MUL1), np.uint64(_MUL2)

    @compiled
    def _mix(x: Any) -> Any:
        x = (x ^ (x >> _U30)) * _U_MUL1
        x = (x ^ (x >> _U27)) * _U_MUL2
        return x ^ (x >> _U31)

    @compiled
    def random_bits(seed: Any, stream: Any, counter: Any) -> Any:
        """63 random bits as a non-negative int64: the draw number `counter` of `stream` under `seed`."""
        key = _mix(np.uint64(seed) + np.uint64(stream + 1) * _U_STREAM)
        return np.int64(_mix(key + np.uint64(counter + 1) * _U_GOLDEN) >> _U1)


@compiled
def draw(state: Any, stream: int, n: int) -> int:
    """A uniform integer from 0 to n-1 from one of the position's streams, whose counter moves on by one.

    `n` is at most 2**31; the bias is below n / 2**32 (multiply and shift, no rejection: one draw is
    always one step of the counter).
    """
    bits = random_bits(state.seed, stream, state.draws[stream])
    state.draws[stream] += 1
    return ((bits >> 31) * n) >> 32


@compiled
def shuffle(state: Any, stream: int, items: Any, start: int, stop: int) -> None:
    """Shuffle `items[start:stop]` in place (Fisher-Yates), with `stop - start - 1` draws of the stream."""
    for last in range(stop - 1, start, -1):
        other = start + draw(state, stream, last - start + 1)
        held = items[last]
        items[last] = items[other]
        items[other] = held


@compiled
def reseed(state: Any, seed: int) -> None:
    """Give the position a new seed and set every stream back to its beginning."""
    state.seed = seed
    for stream in range(len(state.draws)):
        state.draws[stream] = 0


@compiled
def next_seed(seed: int) -> int:
    """The seed of the game after the one with `seed`, wherever games follow one another in one place."""
    return random_bits(seed, 1 << 20, 0)


@compiled
def lane_seed(seed: int, lane: int) -> int:
    """The seed of the first game in lane `lane` of a batch seeded with `seed`."""
    return random_bits(seed, 1 << 21, lane)
