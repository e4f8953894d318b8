"""Rollouts, against the games played over again one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from agents.learning.config import NetworkSettings
from agents.learning.crew import Crew
from agents.learning.network import NetworkShape
from agents.learning.players import Player, RandomPlayer
from agents.ppo.config import RolloutSettings
from agents.ppo.network import PolicyNetwork
from agents.ppo.rollout import Rollout
from agents.ppo.trajectories import ENDED, FOREIGN, OPEN
from envs.catalog import get_game
from envs.chance import lane_seed, next_seed
from envs.position import Position

Key = tuple[int, int]
"""A lane and a seat."""


STORED = ("observations", "masks", "actions", "values", "log_probs")


def make(
    name: str, options: dict[str, Any], shares: Sequence[float] = (), **settings: Any
) -> tuple[Rollout, PolicyNetwork]:
    game = get_game(name)
    complete = game.validate(options)
    network = PolicyNetwork(NetworkShape.of(NetworkSettings(width=16), game, complete))
    network.initialise(1)
    scale = network.shape.value_scale
    return Rollout(game, complete, RolloutSettings(**settings), shares, 5, scale, Crew(1)), network


class Replay:
    """The games of a rollout played over again, from seeds and actions alone."""

    def __init__(self, rollout: Rollout) -> None:
        self.rollout = rollout
        games = rollout.games
        self.seeds = [lane_seed(rollout.seed, lane) for lane in range(games.num_games)]
        self.positions = [Position(games.game, games.options, seed) for seed in self.seeds]
        self.open: dict[Key, int] = {}
        self.truncated = self.games = 0

    def check(self) -> int:
        """Follow one rollout; asserts everything that it stored; gives the number of closed decisions."""
        rollout, games = self.rollout, self.rollout.games
        expected = np.full(len(rollout.next_row), FOREIGN)
        rewards = np.zeros(len(rollout.next_row))
        for row in self.open.values():
            expected[row] = OPEN
        for step in range(rollout.settings.steps):
            for lane, position in enumerate(self.positions):
                row = rollout.carried + step * games.num_games + lane
                seat = position.current_player
                assert seat == rollout.seats[row]
                np.testing.assert_array_equal(rollout.observations[row], position.observe(seat))
                np.testing.assert_array_equal(rollout.masks[row], position.action_mask())
                if rollout.next_row[row] != FOREIGN:
                    expected[row] = OPEN
                    if (lane, seat) in self.open:
                        expected[self.open[lane, seat]] = row
                    self.open[lane, seat] = row
                position.apply(int(rollout.actions[row]))
                if position.is_over:
                    self.games += 1
                    self.truncated += position.truncated
                    for player, value in enumerate(position.returns()):
                        if (closed := self.open.pop((lane, player), None)) is not None:
                            expected[closed], rewards[closed] = ENDED, value / rollout.value_scale
                    self.seeds[lane] = next_seed(self.seeds[lane])
                    self.positions[lane] = Position(games.game, games.options, self.seeds[lane])
        np.testing.assert_array_equal(rollout.next_row, expected)
        np.testing.assert_allclose(rollout.row_reward[expected == ENDED], rewards[expected == ENDED], rtol=1e-6)
        np.testing.assert_array_equal(rollout.rows, np.flatnonzero(expected >= ENDED))
        return len(rollout.rows)

    def carry_over(self) -> None:
        """As the rollout does: what is open has a place of its own from now on."""
        rollout = self.rollout
        kept = {key: [getattr(rollout, name)[row].copy() for name in STORED] for key, row in self.open.items()}
        rollout.carry_over()
        self.open = {(lane, seat): lane * rollout.games.num_players + seat for lane, seat in self.open}
        for key, row in self.open.items():
            for name, value in zip(STORED, kept[key], strict=True):
                np.testing.assert_array_equal(getattr(rollout, name)[row], value)


@pytest.mark.parametrize(
    ("name", "options", "shares"),
    [
        ("leduc_poker", {"num_players": 3}, []),
        ("leduc_poker", {"num_players": 3}, [0.3, 0.3]),
        ("connect_four", {}, [0.4]),
        ("fuerstenfeld", {"num_players": 3, "max_rounds": 2}, [0.5]),
    ],
)
def test_every_trajectory_is_what_one_seat_saw_did_and_got(
    name: str, options: dict[str, Any], shares: list[float]
) -> None:
    rollout, network = make(name, options, shares, games=8, steps=23)
    replay, opponents = Replay(rollout), [RandomPlayer() for _ in shares]
    closed = 0
    for _ in range(6):
        rollout.collect(network, opponents)
        closed += replay.check()
        replay.carry_over()
    assert closed > (200 if not shares else 100)
    assert replay.games > 8
    if name == "fuerstenfeld":
        assert replay.truncated == replay.games  # cut off by the cap, paid like any other


def test_in_games_against_others_the_learner_takes_every_seat_in_turn() -> None:
    rollout, network = make("leduc_poker", {"num_players": 3}, [1.0], games=6, steps=60)
    rollout.collect(network, [RandomPlayer()])
    own = rollout.next_row[rollout.carried :] != FOREIGN
    seats = rollout.seats[rollout.carried : rollout.carried + len(own)]
    assert 0.2 < own.mean() < 0.5
    assert set(seats[own]) == {0, 1, 2}
    assert rollout.scores[0, 0] > 20
    assert 0 <= rollout.scores[0, 1] <= rollout.scores[0, 0]
    assert rollout.own_games == 0


class Stubborn:
    """Plays the first legal action, and remembers whom it was asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, lanes: Any, where: Any, keys: Any, actions: Any) -> None:
        self.asked += int(where.sum())
        actions[where] = lanes.masks[where].argmax(axis=1)


def test_opponents_are_asked_at_their_seats_and_only_there() -> None:
    rollout, network = make("connect_four", {}, [0.5], games=8, steps=30, opening=0)
    player = Stubborn()
    rollout.collect(network, [player])
    foreign = np.flatnonzero(rollout.next_row[rollout.carried :] == FOREIGN) + rollout.carried
    assert player.asked == len(foreign) > 0
    np.testing.assert_array_equal(rollout.actions[foreign], rollout.masks[foreign].argmax(axis=1))
    lanes = (foreign - rollout.carried) % 8
    assert (lanes >= 4).all()


def test_opponents_are_not_asked_about_random_openings() -> None:
    """A search among them would take its time for nothing. No game is over after six decisions."""
    rollout, network = make("connect_four", {}, [0.5], games=16, steps=6, opening=5)
    player = Stubborn()
    rollout.collect(network, [player])
    seats = rollout.seats[rollout.carried : rollout.carried + 6 * 16].reshape(6, 16)
    theirs = (np.arange(6)[:, None] >= rollout.opening) & (seats != rollout.learner_seat)
    assert player.asked == theirs[:, rollout.groups[0]].sum() > 0


def test_openings_are_random_and_not_learned_from() -> None:
    rollout, network = make("connect_four", {}, games=64, steps=40, opening=3)
    rollout.collect(network, [])
    grid = rollout.next_row[rollout.carried :].reshape(40, 64)
    first = (grid == FOREIGN).argmin(axis=0)  # the number of random decisions of each lane's first game
    assert set(first) == {0, 1, 2, 3}
    for lane, start in enumerate(first):
        assert (grid[start:3, lane] != FOREIGN).all()


def test_games_with_secrets_have_no_random_opening_unless_asked() -> None:
    assert make("kuhn_poker", {}, games=2, steps=1)[0].most_random == 0
    assert make("connect_four", {}, games=2, steps=1)[0].most_random == 8
    assert make("kuhn_poker", {}, games=2, steps=1, opening=1)[0].most_random == 1


def test_the_same_seed_gives_the_same_rollout_and_another_seed_another() -> None:
    def actions(seed: int) -> bytes:
        game = get_game("kuhn_poker")
        network = make("kuhn_poker", {})[1]
        rollout = Rollout(game, game.validate({}), RolloutSettings(games=16, steps=16), [0.25], seed, 2.0, Crew(1))
        rollout.collect(network, [RandomPlayer()])
        return rollout.actions.tobytes()

    assert actions(3) == actions(3) != actions(4)


def test_a_restored_rollout_goes_on_as_the_first_would_have() -> None:
    def collected(rollout: Rollout, network: PolicyNetwork, opponents: list[Player]) -> list[bytes]:
        rollout.collect(network, opponents)
        learned = [getattr(rollout, name)[rollout.rows] for name in (*STORED, "row_reward", "advantages", "seats")]
        return [array.tobytes() for array in (*learned, rollout.rows, rollout.next_row, rollout.scores)]

    first, network = make("leduc_poker", {"num_players": 3}, [0.5], games=8, steps=17)
    first.collect(network, [RandomPlayer()])
    first.carry_over()
    state = {name: array.copy() for name, array in first.state().items()}
    second, _ = make("leduc_poker", {"num_players": 3}, [0.5], games=8, steps=17)
    second.restore(state)
    assert collected(first, network, [RandomPlayer()]) == collected(second, network, [RandomPlayer()])
