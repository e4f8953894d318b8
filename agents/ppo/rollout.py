"""Rollouts: decisions of many games in lock-step, kept as trajectories of each game *and seat*.

N lanes, P seats, T steps, A actions, O numbers observed. A decision is one *row* of the storage: the first N * P rows
are decisions carried over from the last rollout, the others those of this one, step by step.

A decision is closed when the same seat acts again or when the game ends, with all that the game paid it in between.
Only closed decisions are learned from. One that is still open at the end of a rollout waits for the next, so a
trajectory that is cut goes on there, and what stands at the cut for the future is the value of the seat's own next
decision: never what another seat saw, nor what this seat saw while others were to act.
A game that reaches its cap is paid by its rules and has ended like any other.

Everything random is keyed by the number of the step and the lane, so there is no generator to be stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agents.learning.crew import Crew, cut
from agents.learning.players import Lanes, Player
from agents.learning.policy import choose_lanes, choose_randomly, draw_keys, draw_openings
from agents.ppo import trajectories
from agents.ppo.config import RolloutSettings
from agents.ppo.network import PolicyNetwork
from envs.game import Game
from envs.options import Options
from envs.position import Array
from envs.vector import Batch, VectorGame

CARRIED = ("observations", "masks", "seats", "actions", "log_probs", "values", "next_row", "row_reward")
"""The storage whose first rows go on into the next rollout."""

LANES = ("last_row", "learner_seat", "whole", "length", "opening", "scores")
"""What is known of each lane's, or each group's, games."""

PART, MOST_PARTS = 512, 4
"""How many lanes a thread asks the network about at once, about, and in how many parts at most."""

RANDOM_OPENING = 8
"""The default of `opening` where nothing is hidden."""


class Rollout:
    """The storage of a rollout and the games that fill it.

    `shares` gives for each group of opponents the share of lanes in which the learner has one seat, a new one each
    game, and the opponent all others; in the other lanes the learner plays itself. Arrays by row: `observations`
    float32[R, O], `masks` bool[R, A], `seats` int64[R], `actions` int64[R], `log_probs`, `values`, `row_reward`,
    `advantages` float32[R] (the last three in units of the network's value scale), `next_row` int64[R] (see
    `agents.ppo.trajectories`). `rows` (int64) are the closed decisions once `collect` has run.
    """

    def __init__(
        self,
        game: Game,
        options: Options,
        settings: RolloutSettings,
        shares: Sequence[float],
        seed: int,
        value_scale: float,
        crew: Crew,
        threads: int = 1,
    ) -> None:
        self.settings, self.seed, self.value_scale = settings, seed, value_scale
        self.games = VectorGame(game, settings.games, options, seed, threads)
        lanes, players = settings.games, self.games.num_players
        self.carried = lanes * players
        rows = self.carried + settings.steps * lanes
        with_next = rows + lanes  # the batch behind the last step: the first of the next rollout
        self.observations = np.zeros((with_next, self.games.observation_size), np.float32)
        self.masks = np.zeros((with_next, self.games.num_actions), np.bool_)
        self.seats = np.zeros(with_next, np.int64)
        self.actions = np.zeros(rows, np.int64)
        self.log_probs = np.zeros(rows, np.float32)
        self.values = np.zeros(rows, np.float32)
        self.next_row = np.full(rows, trajectories.FOREIGN, np.int64)
        self.row_reward = np.zeros(rows, np.float32)
        self.advantages = np.zeros(rows, np.float32)
        self.rows = np.zeros(0, np.int64)

        self.groups = _slices(lanes, shares)
        self.group = np.full(lanes, -1, np.int64)
        for number, part in enumerate(self.groups):
            self.group[part] = number
        self.last_row = np.full((lanes, players), trajectories.OPEN, np.int64)
        self.learner_seat = np.where(self.group < 0, trajectories.EVERY_SEAT, np.arange(lanes) % players)
        self.whole = np.ones(lanes, np.bool_)
        self.length = np.zeros(lanes, np.int64)
        self.opening = np.zeros(lanes, np.int64)
        self.scores = np.zeros((len(shares), 2), np.float64)
        self.step = 0
        self.most_random = settings.opening if settings.opening is not None else _default_opening(game)
        draw_openings(seed, -1, self.most_random, np.ones(lanes, np.bool_), self.opening)

        self.tally, self.returns, self.own_games = np.zeros(3), np.zeros(players), 0
        self._keys = np.zeros(lanes, np.int64)
        self._rows = np.zeros(rows, np.int64)
        self._moves = np.zeros((self.carried, 2), np.int64)
        self._batches = [self._batch(step) for step in range(settings.steps + 1)]
        self._inputs = [torch.from_numpy(batch.observations) for batch in self._batches]
        self._values = torch.from_numpy(self.values[self.carried :].reshape(settings.steps, lanes))
        self._logits = torch.zeros((lanes, self.games.num_actions))
        self._crew, self._parts = crew, cut(lanes, PART, MOST_PARTS)
        self.games.restore(self.games.states.copy(), into=self._batches[0])

    def _batch(self, step: int) -> Batch:
        lanes = self.settings.games
        rows = slice(self.carried + step * lanes, self.carried + (step + 1) * lanes)
        own = self.games.batch
        return own._replace(observations=self.observations[rows], masks=self.masks[rows], seats=self.seats[rows])

    def collect(self, network: PolicyNetwork, opponents: Sequence[Player]) -> None:
        """Play `steps` decisions in every lane, the learner with `network`, and estimate the advantages.

        `tally` and `returns` then count the games that ended (see `agents.ppo.trajectories.count_games`), `own_games`
        those of the learner against itself; `scores` goes on counting those of each group of opponents.
        """
        lanes = self.settings.games
        self.tally[:], self.returns[:], self.own_games = 0.0, 0.0, 0
        logits = self._logits.numpy()
        for step, batch in enumerate(self._batches[:-1]):
            first = self.carried + step * lanes
            rows = slice(first, first + lanes)
            self._ask_network(network, self._inputs[step], self._values[step])
            draw_keys(self.seed, self.step, self._keys)
            actions, log_probs = self.actions[rows], self.log_probs[rows]
            own = (self.learner_seat == batch.seats) | (self.learner_seat == trajectories.EVERY_SEAT)
            at_random = self.length < self.opening
            self._ask_opponents(opponents, batch, ~(own | at_random), actions)
            own &= ~at_random
            choose_lanes(logits, batch.masks, 1.0, own, self._keys, actions, log_probs)
            choose_randomly(batch.masks, at_random, self._keys, actions)
            paid = self.games.step(actions, into=self._batches[step + 1])
            ended = paid.ended
            trajectories.link_step(
                first, batch.seats, own, ended, paid.rewards, self.value_scale,
                self.last_row, self.next_row, self.row_reward,
            )  # fmt: skip
            trajectories.count_games(
                ended, paid.truncations, paid.rewards, self.group, self.learner_seat, self.whole, self.length,
                self.tally, self.returns, self.scores,
            )  # fmt: skip
            draw_openings(self.seed, self.step, self.most_random, ended, self.opening)
            self.own_games += int(np.count_nonzero(ended & (self.group < 0)))
            self.step += 1
        self.rows = self._rows[: trajectories.closed_rows(self.next_row, self._rows)]
        trajectories.advantages(
            self.rows, self.next_row, self.row_reward, self.values, self.settings.discount, self.settings.gae_lambda,
            self.advantages,
        )  # fmt: skip

    def _ask_network(self, network: PolicyNetwork, observations: Tensor, values: Tensor) -> None:
        """Write the logits and the values of all lanes."""

        def ask(part: slice) -> None:
            with torch.inference_mode():
                logits, expected = network(observations[part])
                self._logits[part] = logits
                values[part] = expected

        self._crew.share(ask, self._parts)

    def _ask_opponents(self, opponents: Sequence[Player], batch: Batch, others: Array, actions: Array) -> None:
        lanes = Lanes(self.games.states, batch.observations, batch.masks, batch.seats)
        for part, opponent in zip(self.groups, opponents, strict=True):
            opponent.choose(lanes.part(part), others[part], self._keys[part], actions[part])

    def carry_over(self) -> None:
        """Keep what is still open for the next rollout, and begin it where this one ends."""
        moves = self._moves[: trajectories.carry_over(self.last_row, self.next_row, self._moves)]
        for name in CARRIED:
            if name != "next_row":
                array = getattr(self, name)
                array[moves[:, 1]] = array[moves[:, 0]]
        for first, last in zip(self._batches[0][:3], self._batches[-1][:3], strict=True):
            first[:] = last
        self.games.batch = self._batches[0]

    def change_opponent(self, group: int) -> None:
        """Count games against a group's new opponent only from those on that begin with it."""
        part = self.groups[group]
        self.whole[part] = self.length[part] == 0
        self.scores[group] = 0.0

    # -------------------------------------------------------------- checkpoints

    def state(self) -> dict[str, Array]:
        """All that the next rollout depends on; to be asked for after `carry_over`."""
        arrays = {name: getattr(self, name)[: self.carried] for name in CARRIED}
        arrays |= {name: getattr(self, name) for name in LANES}
        return arrays | {"states": self.games.states.view(np.uint8), "step": np.array([self.step])}

    def restore(self, state: dict[str, Array]) -> None:
        """Go on from what `state` gave."""
        for name in CARRIED:
            getattr(self, name)[: self.carried] = state[name]
        for name in LANES:
            getattr(self, name)[:] = state[name]
        self.step = int(state["step"][0])
        states: Any = np.ascontiguousarray(state["states"]).view(self.games.game.dtype).reshape(-1)
        self.games.restore(states, into=self._batches[0])


def _default_opening(game: Game) -> int:
    """Without chance and secrets self-play comes to few positions by itself; with secrets, see the setting."""
    return 0 if game.hidden_information else RANDOM_OPENING


def _slices(lanes: int, shares: Sequence[float]) -> list[slice]:
    """The lanes of each group of opponents, from the last lane down: at least one each."""
    sizes = [max(1, round(share * lanes)) for share in shares]
    ends = [lanes - sum(sizes[:number]) for number in range(len(sizes))]
    return [slice(max(0, end - size), end) for end, size in zip(ends, sizes, strict=True)]
