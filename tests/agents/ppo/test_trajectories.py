"""Trajectories and advantages of a table of three, against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from agents.ppo.trajectories import (
    ENDED,
    FOREIGN,
    OPEN,
    advantages,
    carry_over,
    closed_rows,
    count_games,
    link_step,
    win_share,
)

DISCOUNT, LAMBDA = 0.9, 0.8
SEATS = 3


class Table:
    """One lane of a game for three, whose seats act as the test says."""

    def __init__(self, steps: int) -> None:
        rows = SEATS + steps
        self.next_row = np.full(rows, FOREIGN, np.int64)
        self.row_reward = np.zeros(rows, np.float32)
        self.values = np.zeros(rows, np.float32)
        self.last_row = np.full((1, SEATS), OPEN, np.int64)
        self.row = SEATS

    def act(self, seat: int, value: float, returns: list[float] | None = None, own: bool = True) -> int:
        """The seat makes a decision, after which the game may end with returns; gives the decision's row."""
        row = self.row
        self.values[row] = value
        rewards = np.array([returns or [0.0] * SEATS])
        link_step(
            row, np.array([seat]), np.array([own]), np.array([returns is not None]), rewards, 1.0,
            self.last_row, self.next_row, self.row_reward,
        )  # fmt: skip
        self.row += 1
        return row

    def advantages(self) -> dict[int, float]:
        """The advantage of every closed row."""
        rows = np.zeros(len(self.next_row), np.int64)
        rows = rows[: closed_rows(self.next_row, rows)]
        out = np.zeros(len(self.next_row), np.float32)
        advantages(rows, self.next_row, self.row_reward, self.values, DISCOUNT, LAMBDA, out)
        return {int(row): float(out[row]) for row in rows}


def test_each_seat_has_a_trajectory_of_its_own() -> None:
    table = Table(5)
    a = table.act(0, 0.5)
    b = table.act(1, 0.1)
    c = table.act(1, 0.2)  # the same seat twice in a row
    d = table.act(2, -0.3)
    e = table.act(0, 0.4, returns=[1.0, -0.75, -0.25])
    assert table.next_row[[a, b, c, d, e]].tolist() == [e, c, ENDED, ENDED, ENDED]
    assert table.advantages() == pytest.approx(
        {
            e: 1.0 - 0.4,
            c: -0.75 - 0.2,
            d: -0.25 + 0.3,
            a: 0.9 * 0.4 - 0.5 + 0.72 * (1.0 - 0.4),
            b: 0.9 * 0.2 - 0.1 + 0.72 * (-0.75 - 0.2),
        },
        abs=1e-6,
    )


def test_a_cut_is_bootstrapped_with_the_seats_own_next_decision_and_no_other() -> None:
    table = Table(5)
    a = table.act(0, 0.5)
    b = table.act(1, 0.1)
    table.act(2, 100.0)
    table.act(0, 0.4)
    table.act(1, -0.6)
    # seats 0 and 1 have acted again, so their first decisions are closed; what is open is not learned from
    assert table.advantages() == pytest.approx({a: 0.9 * 0.4 - 0.5, b: 0.9 * -0.6 - 0.1}, abs=1e-6)


def test_an_open_decision_goes_on_in_the_next_rollout() -> None:
    first = Table(4)
    first.act(0, 0.5)
    first.act(1, 0.1)
    a = first.act(0, 0.25)
    first.act(2, -0.5)
    moves = np.zeros((SEATS, 2), np.int64)
    count = carry_over(first.last_row, first.next_row, moves)
    assert moves[:count].tolist() == [[a, 0], [a - 1, 1], [a + 1, 2]]
    assert first.last_row.tolist() == [[0, 1, 2]]

    second = Table(4)
    second.last_row, second.next_row[:SEATS] = first.last_row, first.next_row[:SEATS]
    second.values[:SEATS] = 0.25, 0.1, -0.5
    b = second.act(1, 0.7)
    c = second.act(0, 0.3, returns=[0.0, 1.0, -1.0])
    assert second.advantages() == pytest.approx(
        {
            0: 0.9 * 0.3 - 0.25 + 0.72 * (0.0 - 0.3),
            1: 0.9 * 0.7 - 0.1 + 0.72 * (1.0 - 0.7),
            2: -1.0 + 0.5,
            b: 1.0 - 0.7,
            c: 0.0 - 0.3,
        },
        abs=1e-6,
    )


def test_decisions_carried_twice_stay_in_their_place() -> None:
    table = Table(2)
    table.act(0, 0.5)
    table.act(1, 0.1)
    moves = np.zeros((SEATS, 2), np.int64)
    assert carry_over(table.last_row, table.next_row, moves) == 2
    assert carry_over(table.last_row, table.next_row, moves) == 0
    assert table.next_row[:SEATS].tolist() == [OPEN, OPEN, FOREIGN]
    assert not table.advantages()


def test_the_next_game_of_a_lane_is_another_trajectory() -> None:
    table = Table(4)
    a = table.act(0, 0.5)
    table.act(1, 0.0, returns=[1.0, 0.0, -1.0])
    table.act(0, 0.3)
    table.act(0, 0.2)
    assert table.next_row[a] == ENDED
    assert table.advantages()[a] == pytest.approx(0.5)


def test_what_others_decide_is_not_learned_from() -> None:
    table = Table(4)
    a = table.act(0, 0.5)
    b = table.act(1, 9.0, own=False)
    c = table.act(2, 9.0, own=False)
    d = table.act(0, 0.25, returns=[-1.0, 1.0, 0.0])
    assert table.next_row[[b, c]].tolist() == [FOREIGN, FOREIGN]
    assert table.advantages() == pytest.approx({d: -1.25, a: 0.9 * 0.25 - 0.5 + 0.72 * -1.25}, abs=1e-6)


def test_rewards_are_told_in_units() -> None:
    next_row, reward, last = np.full(5, FOREIGN, np.int64), np.zeros(5, np.float32), np.full((1, 2), OPEN, np.int64)
    link_step(
        2, np.array([1]), np.array([True]), np.array([True]), np.array([[-30.0, 30.0]]), 40.0, last, next_row, reward
    )
    assert reward[2] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("returns", "shares"),
    [
        ([1.0, -0.5, -0.5], [1, 0, 0]),
        ([0.5, 0.5, -1.0], [0.5, 0.5, 0]),
        ([0.0, 0.0, 0.0], [1 / 3] * 3),
        ([-3.0, -1.0, -2.0], [0, 1, 0]),
    ],
)
def test_shares_of_the_win(returns: list[float], shares: list[float]) -> None:
    assert [win_share(np.array(returns), seat) for seat in range(3)] == pytest.approx(shares)


def test_games_are_counted_and_the_learner_moves_on_to_the_next_seat() -> None:
    """Three lanes: one against itself, one whose game began with this opponent, one whose game did not."""
    ended, truncated = np.array([True, True, True]), np.array([False, True, False])
    rewards = np.array([[1.0, -1.0], [1.0, -1.0], [0.0, 0.0]])
    group, seat, whole = np.array([-1, 0, 0]), np.array([-1, 1, 0]), np.array([True, True, False])
    length, tally, returns, scores = np.array([4, 6, 1]), np.zeros(3), np.zeros(2), np.zeros((1, 2))
    count_games(ended, truncated, rewards, group, seat, whole, length, tally, returns, scores)
    assert tally.tolist() == [3, 1, 5 + 7 + 2]
    assert returns.tolist() == [1.0, -1.0]
    assert scores.tolist() == [[1.0, 0.0]]
    assert seat.tolist() == [-1, 0, 1]
    assert whole.all()
    assert not length.any()
