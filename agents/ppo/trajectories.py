"""Compiled bookkeeping of rollouts: the trajectories of each game and seat, their advantages, and what games paid.

N lanes (games in lock-step), P seats. A *row* is one decision in the storage of a rollout.
"""

from __future__ import annotations

from typing import Any

from agents.learning.shares import win_share
from envs.compiling import compiled

ENDED, OPEN, FOREIGN = -1, -2, -3
"""In place of a seat's next row: its game ended; it has not acted again yet; this is no decision of the learner's."""

EVERY_SEAT = -1
"""In place of the learner's seat: the learner plays every seat of the lane."""


@compiled
def link_step(
    first_row: int,
    seats: Any,
    own: Any,
    ended: Any,
    rewards: Any,
    unit: float,
    last_row: Any,
    next_row: Any,
    row_reward: Any,
) -> None:
    """Take a step of all lanes into the trajectories of their seats.

    Lane i's decision is row `first_row + i`, made by `seats[i]` (int64[N]); it counts if it was the learner's `own`
    (bool[N]). `ended` (bool[N]) and `rewards` (float64[N, P]) are what came
    of it. `last_row` (int64[N, P]) holds each seat's last decision, or OPEN for none: it is closed
    when the *same* seat acts again, by `next_row`, or when the game ends, by ENDED and all that the game pays
    this seat in `row_reward` (float32), in multiples of `unit`.
    """
    for lane in range(len(seats)):
        seat = seats[lane]
        row = first_row + lane
        next_row[row] = FOREIGN
        if own[lane]:
            next_row[row] = OPEN
            row_reward[row] = 0.0
            if last_row[lane, seat] >= 0:
                next_row[last_row[lane, seat]] = row
            last_row[lane, seat] = row
        if ended[lane]:
            for player in range(rewards.shape[1]):
                if last_row[lane, player] >= 0:
                    next_row[last_row[lane, player]] = ENDED
                    row_reward[last_row[lane, player]] = rewards[lane, player] / unit
                    last_row[lane, player] = OPEN


@compiled
def closed_rows(next_row: Any, rows: Any) -> int:
    """Write the learner's decisions that are closed into `rows` (int64), ascending, and return how many there are."""
    found = 0
    for row in range(len(next_row)):
        if next_row[row] >= ENDED:
            rows[found] = row
            found += 1
    return found


@compiled
def advantages(
    rows: Any, next_row: Any, row_reward: Any, values: Any, discount: float, gae_lambda: float, out: Any
) -> None:
    """Generalised advantage estimates of the closed `rows` (ascending), along each seat's own decisions.

    A row's successor is the same seat's next decision and lies behind it. Where that is not closed itself the
    sum is cut, bootstrapped with the value of that very decision; a game's end, by the rules or by a cap, is an
    end. `next_row`, `row_reward`, `values` and `out` are indexed by row (float32). Schulman, Moritz, Levine,
    Jordan and Abbeel, "High-Dimensional Continuous Control Using Generalized Advantage Estimation", 2016.
    """
    for i in range(len(rows) - 1, -1, -1):
        row = rows[i]
        following = next_row[row]
        advantage = row_reward[row] - values[row]
        if following >= 0:
            advantage += discount * values[following]
            if next_row[following] != OPEN:
                advantage += discount * gae_lambda * out[following]
        out[row] = advantage


@compiled
def carry_over(last_row: Any, next_row: Any, moves: Any) -> int:
    """Make room for the next rollout: the open row of a seat moves to its own place among the first N * P rows.

    Writes pairs (from, to) into `moves` (int64[N * P, 2]) for the caller to copy and returns how many. A row that was
    carried before is at its place already, so nothing is overwritten.
    """
    found = 0
    players = last_row.shape[1]
    for lane in range(len(last_row)):
        for player in range(players):
            row, place = last_row[lane, player], lane * players + player
            next_row[place] = OPEN if row >= 0 else FOREIGN
            if row >= 0 and row != place:
                last_row[lane, player] = place
                moves[found, 0], moves[found, 1] = row, place
                found += 1
    return found


# ------------------------------------------------------------------ counting games


@compiled
def count_games(
    ended: Any,
    truncated: Any,
    rewards: Any,
    group: Any,
    learner_seat: Any,
    whole: Any,
    length: Any,
    tally: Any,
    returns: Any,
    scores: Any,
) -> None:
    """Count a step of all lanes, and hand the learner the next seat where a game against others ended.

    `length` (int64[N]) are the decisions of each lane's game so far. Where it has `ended`: `tally` (float64[3]) adds up
    games, truncated ones, and decisions in them; `returns` (float64[P]) what was paid in games of the learner
    against itself; `scores` (float64[G, 2]) games of each `group` (int64[N], -1: against itself) and
    the learner's shares of the win in them, of games that were `whole` (bool[N]): played to the end against the same
    opponent.
    """
    players = rewards.shape[1]
    for lane in range(len(ended)):
        length[lane] += 1
        if not ended[lane]:
            continue
        tally[0] += 1
        tally[1] += truncated[lane]
        tally[2] += length[lane]
        length[lane] = 0
        if group[lane] < 0:
            for player in range(players):
                returns[player] += rewards[lane, player]
            continue
        seat = learner_seat[lane]
        if whole[lane]:
            scores[group[lane], 0] += 1
            scores[group[lane], 1] += win_share(rewards[lane], seat)
        whole[lane] = True
        learner_seat[lane] = (seat + 1) % players
