"""Threads that share work."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import pytest

from agents.learning.crew import Crew, cut


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_are_in_order_and_every_part_is_done_once(threads: int) -> None:
    done = []

    def work(part: int) -> int:
        time.sleep(0.001 * (part % 3))
        done.append(part)
        return part * part

    assert Crew(threads).share(work, range(20)) == [part * part for part in range(20)]
    assert sorted(done) == list(range(20))


def test_other_threads_take_part() -> None:
    meeting = threading.Barrier(2, timeout=20)
    assert Crew(2).share(lambda part: meeting.wait() >= 0, range(2)) == [True, True]


def test_what_goes_wrong_in_a_part_is_told() -> None:
    for threads in (1, 3):
        with pytest.raises(ZeroDivisionError):
            Crew(threads).share(lambda part: 1 // (part - 2), range(4))


@pytest.mark.parametrize(
    ("length", "sizes"), [(1, [1]), (100, [100]), (400, [200, 200]), (2048, [512] * 4), (1001, [250, 250, 250, 251])]
)
def test_parts_are_equal_and_not_too_many(length: int, sizes: list[int]) -> None:
    parts = cut(length, 256, 4)
    assert [part.stop - part.start for part in parts] == sizes
    assert parts[0].start == 0
    assert all(a.stop == b.start for a, b in pairwise(parts))
