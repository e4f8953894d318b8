"""Several trees for one decision: shared out over threads, each with its part of the budget.

Root parallelisation (Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", 2008): trees are
searched independently, each with a seed of its own, and summed up at the root. What they find depends on how many
there are, and not on which is done first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from agents.mcts.config import Plan
from agents.mcts.search import judge, search
from agents.mcts.tree import AWAITING, Tree

Array = np.ndarray[Any, Any]

ENDLESS = 1 << 60
FIRST_MOVES = 4
"""Moves before the clock is first looked at."""

SOONEST = 0.0005
"""Seconds below which it is not worth looking at the clock again."""

GROWTH = 8
"""How many times the moves played so far may be played before the clock is looked at again."""

Judge = Callable[[Sequence[Array]], Array]
"""The values of positions, each a record in shape (1,): float64[positions, num_players]."""


@dataclass
class Job:
    """A tree, where its search starts and stands (records, shape (1,)), its seed, and the iterations done."""

    tree: Tree
    place: Array
    root: Array
    seed: int = 0
    done: int = 0
    reused: int = 0


class Clock:
    """How many moves may be played until the clock is looked at again. Moves are counted, for they take about as
    long wherever they are played, and simulations do not.
    """

    def __init__(self, started: float, deadline: float | None) -> None:
        self.started, self.deadline = started, deadline

    def moves(self, played: int) -> int:
        """The number of moves for a search that has played `played`; 0 when the time is up."""
        if self.deadline is None:
            return ENDLESS
        if played == 0:
            return FIRST_MOVES  # however late it is: so the root comes to have its actions
        now = perf_counter()
        left = self.deadline - now
        if left <= 0:
            return 0
        pace = played / (now - self.started)
        return max(1, min(int(pace * min(left, max(left / 4, SOONEST))), GROWTH * played))


def run_jobs(
    jobs: Sequence[Job],
    plan: Plan,
    seat: int,
    iterations: int,
    started: float,
    deadline: float | None,
    threads: int,
    judge_leaves: Judge | None,
) -> None:
    """Search every job's tree; together they have `iterations` and the time until `deadline`."""
    shares = [iterations // len(jobs) + (number < iterations % len(jobs)) for number in range(len(jobs))]
    if judge_leaves is not None:
        _run_guided(jobs, shares, plan, seat, Clock(started, deadline), judge_leaves)
        return

    def run(thread: int) -> None:
        own = range(thread, len(jobs), threads)
        begun = perf_counter()
        for place, number in enumerate(own, 1):
            until = None if deadline is None else begun + (deadline - begun) * place / len(own)
            _run(jobs[number], shares[number], plan, seat, Clock(perf_counter(), until))

    if threads == 1:
        run(0)
        return
    with ThreadPoolExecutor(threads - 1) as pool:
        others = [pool.submit(run, thread) for thread in range(1, threads)]
        run(0)
        for other in others:
            other.result()


def _run(job: Job, iterations: int, plan: Plan, seat: int, clock: Clock) -> None:
    counts = job.tree.counts
    while job.done < iterations and (moves := clock.moves(int(counts["moves"][0]))):
        job.done += _search(job, iterations, plan, seat, moves)


def _run_guided(
    jobs: Sequence[Job], shares: Sequence[int], plan: Plan, seat: int, clock: Clock, judge_leaves: Judge
) -> None:
    """All trees in step: each is searched to its next leaf, and all leaves are judged together."""
    while True:
        waiting = []
        for job, iterations in zip(jobs, shares, strict=True):
            while job.done < iterations:
                job.done += _search(job, iterations, plan, seat, ENDLESS)
                if job.tree.counts["stage"][0] == AWAITING:
                    waiting.append(job)
                    break
        if not waiting:
            return
        values = judge_leaves([job.place for job in waiting])
        for job, value in zip(waiting, values, strict=True):
            judge(job.tree, value)
        if not clock.moves(1):
            return


def _search(job: Job, iterations: int, plan: Plan, seat: int, moves: int) -> int:
    left = iterations - job.done
    found = search(job.tree, job.place, plan.token, job.root, seat, plan.settings, job.seed, job.done, left, moves)
    return int(found)
