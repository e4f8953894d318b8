"""Threads that share work in parts, cut without regard to how many threads there are: so is every result.

Torch's own threads meet at the end of every single operation, and wait for each other in vain where other programs
keep the cores busy. These meet once for hundreds of operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


class Crew:
    """The calling thread and `threads - 1` others."""

    def __init__(self, threads: int) -> None:
        self._others = ThreadPoolExecutor(threads - 1, "kontor-crew") if threads > 1 else None

    def share(self, work: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
        """`work` of every part, in order. The first is done here, and then, from the last one backwards, what no other
        thread has begun: they come from the front."""
        if self._others is None or len(parts) == 1:
            return [work(part) for part in parts]
        begun = {number: self._others.submit(work, part) for number, part in enumerate(parts) if number}
        own = {0: work(parts[0])}
        for number in reversed(begun):
            if begun[number].cancel():
                own[number] = work(parts[number])
        return [own[number] if number in own else begun[number].result() for number in range(len(parts))]


def cut(length: int, size: int, most: int) -> list[slice]:
    """`length` in equal parts of about `size`, at most `most` of them."""
    parts = max(1, min(most, round(length / size)))
    return [slice(start, stop) for start, stop in pairwise(length * part // parts for part in range(parts + 1))]
