"""Thousands of games in lock-step: arrays of actions in, arrays of observations, masks and rewards out.

A lane is a place at which games are played one after another. N lanes, P seats, A actions, O numbers observed.

Autoreset is Gymnasium's `AutoresetMode.SAME_STEP`: in the step that ends a lane's game, its rewards and its
termination or truncation are those of the ended game, and its observation, mask and seat are already those
of the next. The ended position is kept in `final_states` until the lane's next game ends.

Threads share a step, without the GIL: each has a part of the lanes, the same at every step, so that they stay
in its core's cache. Lanes do not touch one another, so the result is the same for any number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode

from envs import lanes
from envs.errors import IllegalAction, KontorError, OptionError
from envs.game import Game
from envs.options import Options
from envs.position import Array, Position, checked_seed

PART_BYTES = 3 << 18
"""How many bytes (positions, observations, masks) a thread's part has at least: waking a thread costs some 50 µs."""


class Batch(NamedTuple):
    """All lanes at one moment: what their seats to act see and may do, and what the last step paid.

    `observations` (float32[N, O]), `masks` (bool[N, A]) and `seats` (int64[N]) are of the seat to act, of which
    there always is one. `rewards` (float64[N, P]) are the returns, per seat, of the games that ended in the
    last step, else 0; `terminations` and `truncations` (bool[N]) say which ended, by the rules or by a cap.
    """

    observations: Array
    masks: Array
    seats: Array
    rewards: Array
    terminations: Array
    truncations: Array

    @property
    def ended(self) -> Array:
        """Which lanes' games ended in the last step: bool[N]."""
        return self.terminations | self.truncations


class VectorGame:
    """`num_games` games of one kind in lock-step, each lane starting its next game when one ends.

    `options` may be partial. Lane `i` begins with the game of `envs.chance.lane_seed(seed, i)` and goes on with the
    `next_seed` of its last game, as an AEC environment does that was reset with that first seed. With
    `observations=False` none are written (O is 0). Errors: `OptionError`.

    `batch` is what the next actions are chosen from, and each of its arrays is an attribute too (`games.masks`).
    The arrays are allocated once and written by each step: copy what is to be kept, or let `step` write
    `into` arrays of your own. Change none of them before the next step: it checks the actions against the masks.

    Copies (`copy.deepcopy`, `pickle`) are exact and independent; threads are no part of them.
    """

    autoreset_mode = AutoresetMode.SAME_STEP

    def __init__(
        self,
        game: Game,
        num_games: int,
        options: Options | None = None,
        seed: int = 0,
        threads: int = 2,
        observations: bool = True,
    ) -> None:
        self.game = game
        self.options = game.validate(options or {})
        self.num_games = _positive("num_games", num_games)
        self.threads = _positive("threads", threads)
        self.num_players: int = self.options["num_players"]
        self.num_actions = game.num_actions(self.options)
        self.observation_size = game.observation_size(self.options) if observations else 0
        self.states = np.zeros(num_games, game.dtype)
        """The position of each lane: records[N]."""
        self.final_states = np.zeros(num_games, game.dtype)
        """The last position of each lane's last game to end: records[N], zero before a game has ended there."""
        self.batch = self.new_batch()
        self._template = game.template(self.options)
        self._parts = self._cut()
        self.reset(seed)

    # -------------------------------------------------------------- playing

    def reset(self, seed: int | None = None, into: Batch | None = None) -> Batch:
        """Start new games in all lanes: those of `seed`, or for None each lane's next. Errors: `OptionError`."""
        if seed is None:
            lanes.restart_lanes(self.states, self._template)
        else:
            lanes.start_lanes(self.states, self._template, checked_seed(seed))
        return self._ask(into)

    def step(self, actions: Any, into: Batch | None = None) -> Batch:
        """Play one action in every lane (whole numbers[N]) and return the batch to choose the next ones from.

        `into` gets the results instead of the arrays of `batch`, and becomes `batch`: slices of the storage of a
        rollout, say (`new_batch` shows the shapes; arrays must be C-contiguous).
        Errors: `IllegalAction` naming the first lane whose action is not legal; no lane has moved then.
        """
        actions = self._checked(actions)
        batch = self.batch if into is None else self._fitting(into)
        self._share(
            lanes.step_lanes,
            self.states,
            self.final_states,
            self._template,
            actions,
            self.observation_size > 0,
            *batch,
        )
        self.batch = batch
        return batch

    def restore(self, states: Array, into: Batch | None = None) -> Batch:
        """Go on from copies of `states` (records[N] of this game, none of them over, under these options).

        Errors: `KontorError`.
        """
        if states.dtype != self.game.dtype or states.shape != self.states.shape:
            raise KontorError(f"{self}: restore needs {self.num_games} records of {self.game.name}'s present rules")
        if states["terminated"].any() or states["truncated"].any():
            raise KontorError(f"{self}: restore needs games that are not over")
        for field in ("num_players", "options"):
            if field in (self.game.dtype.names or ()) and (states[field] != self._template[field]).any():
                raise KontorError(f"{self}: restore needs games under the same options")
        self.states[:] = states
        return self._ask(into)

    def _ask(self, into: Batch | None) -> Batch:
        batch = self.batch if into is None else self._fitting(into)
        for paid in (batch.rewards, batch.terminations, batch.truncations):
            paid.fill(0)
        observing = self.observation_size > 0
        lanes.ask_lanes(self.states, observing, batch.observations, batch.masks, batch.seats)
        self.batch = batch
        return batch

    # -------------------------------------------------------------- looking

    @property
    def observations(self) -> Array:
        """What each lane's seat to act sees: float32[N, O]."""
        return self.batch.observations

    @property
    def masks(self) -> Array:
        """The legal actions of each lane's seat to act: bool[N, A]."""
        return self.batch.masks

    @property
    def seats(self) -> Array:
        """The seat to act in each lane: int64[N]."""
        return self.batch.seats

    @property
    def rewards(self) -> Array:
        """The returns of the games that ended in the last step, else 0: float64[N, P]."""
        return self.batch.rewards

    @property
    def terminations(self) -> Array:
        """Which lanes' games ended by the rules in the last step: bool[N]."""
        return self.batch.terminations

    @property
    def truncations(self) -> Array:
        """Which lanes' games ended by a cap in the last step: bool[N]."""
        return self.batch.truncations

    @property
    def ended(self) -> Array:
        """Which lanes' games ended in the last step, one way or the other: bool[N]."""
        return self.batch.ended

    def observe(self, seats: Any, out: Array | None = None) -> Array:
        """What seat `seats[i]` (or the same seat everywhere) sees of lane `i`, whoever is to act: float32[N, O].

        Errors: `KontorError` for a seat that does not exist.
        """
        everywhere = np.asarray(seats)
        if everywhere.dtype.kind not in "iu" or everywhere.shape not in ((), (self.num_games,)):
            raise KontorError(f"{self}: observe needs a seat, or {self.num_games} of them")
        if (everywhere < 0).any() or (everywhere >= self.num_players).any():
            raise KontorError(f"{self}: the seats are 0 to {self.num_players - 1}")
        chosen = np.empty(self.num_games, np.int64)
        chosen[:] = everywhere
        size = self.game.observation_size(self.options)
        if out is None:
            out = np.empty((self.num_games, size), np.float32)
        _check_array("out", out, (self.num_games, size), np.float32)
        lanes.observe_lanes(self.states, chosen, out)
        return out

    def position(self, lane: int) -> Position:
        """A copy of a lane's position."""
        return Position.of(self.game, self.states[lane], self.options)

    def final_position(self, lane: int) -> Position:
        """A copy of the last position of the lane's last game to end. Errors: `KontorError` if none has ended."""
        state = self.final_states[lane]
        if not (state.terminated or state.truncated):
            raise KontorError(f"{self}: no game has ended in lane {lane}")
        return Position.of(self.game, state, self.options)

    def new_batch(self) -> Batch:
        """Arrays for `step(…, into=…)`, all zero."""
        n = self.num_games
        return Batch(
            observations=np.zeros((n, self.observation_size), np.float32),
            masks=np.zeros((n, self.num_actions), np.bool_),
            seats=np.zeros(n, np.int64),
            rewards=np.zeros((n, self.num_players), np.float64),
            terminations=np.zeros(n, np.bool_),
            truncations=np.zeros(n, np.bool_),
        )

    def __repr__(self) -> str:
        return f"VectorGame({self.game.name}, {self.num_games})"

    # -------------------------------------------------------------- checks at the edge

    def _checked(self, actions: Any) -> Array:
        given = np.asarray(actions)
        if given.shape != (self.num_games,) or given.dtype.kind not in "iu":
            raise IllegalAction(
                f"{self}: actions must be {self.num_games} whole numbers, not {given.dtype} of shape {given.shape}"
            )
        if given.dtype == np.uint64:
            given = np.minimum(given, np.uint64(self.num_actions))
        checked = np.ascontiguousarray(given, np.int64)
        lane = int(lanes.first_illegal(self.batch.masks, checked))
        if lane >= 0:
            try:
                self.position(lane).checked_action(int(checked[lane]))
            except IllegalAction as error:
                raise IllegalAction(f"lane {lane}: {error}") from None
            raise IllegalAction(f"lane {lane}: the mask was changed since the last step")
        return checked

    def _fitting(self, into: Batch) -> Batch:
        for name, array, own in zip(Batch._fields, into, self.batch, strict=True):
            _check_array(name, array, own.shape, own.dtype)
        return Batch(*into)

    # -------------------------------------------------------------- threads

    def _cut(self) -> list[tuple[int, int]]:
        """The lanes, as parts `(start, stop)`: one for each thread, if there is enough to do for it."""
        lane_bytes = self.game.dtype.itemsize + 4 * self.observation_size + self.num_actions
        parts = max(1, min(self.threads, self.num_games, self.num_games * lane_bytes // PART_BYTES))
        return list(pairwise(self.num_games * part // parts for part in range(parts + 1)))

    def _share(self, kernel: Callable[..., None], *arrays: Any) -> None:
        """Run a kernel over all lanes: the first part here, the others in threads.

        A part that no thread has begun by then is done here as well: where other programs keep the cores
        busy, nothing waits for a thread to get its turn.
        """
        (start, stop), *others = self._parts
        waiting = [_threads().submit(kernel, *part, *arrays) for part in others]
        kernel(start, stop, *arrays)
        for part, work in zip(others, waiting, strict=True):
            if work.cancel():
                kernel(*part, *arrays)
            else:
                work.result()


@cache
def _threads() -> ThreadPoolExecutor:
    """The threads that all batches of this process share; they only run kernels, so none waits for another."""
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="kontor-lanes")


if hasattr(os, "register_at_fork"):  # threads do not survive a fork: a child starts its own
    os.register_at_fork(after_in_child=_threads.cache_clear)


def _positive(name: str, number: Any) -> int:
    try:
        value = int(number.__index__())
    except (AttributeError, TypeError):
        raise OptionError(f"{name} {number!r} is no whole number") from None
    if value < 1:
        raise OptionError(f"{name} is {value}: it must be at least 1")
    return value


def _check_array(name: str, array: Any, shape: tuple[int, ...], dtype: Any) -> None:
    fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
    if not fits or not (array.flags.c_contiguous and array.flags.writeable):
        raise KontorError(f"{name} must be a writable C-contiguous array of {np.dtype(dtype)} of shape {shape}")
