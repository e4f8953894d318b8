"""Any game as a Gymnasium environment: one seat learns, the others are played by given opponents.

`gymnasium.make("kontor/ConnectFour-v0", opponents=[...])`, with no import but Gymnasium's (`envs.gymnasium_plugin`).
A game without such an id is played with `SoloGame(name)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np

from envs import kernels
from envs.aec import RENDER_MODES, ActionSpace, ResetNeeded, checked_render_mode, observation_box, render
from envs.catalog import get_game
from envs.chance import SEED_BITS
from envs.errors import IllegalAction, KontorError, OptionError, unknown
from envs.game import Game
from envs.position import Array, Position
from envs.record import GameRecord
from envs.view import View

Opponent = Callable[[View], int]
"""What plays a seat: it is handed the seat's view, and gives a legal action."""

RANDOM_SEAT = "random"
ON_ILLEGAL = ("raise", "lose")
MAX_GAMES_SKIPPED = 10_000


class RandomOpponent:
    """Plays a uniformly random legal action, drawn from a generator of its own."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def __call__(self, view: View) -> int:
        legal = view.legal_actions()
        return legal[self._rng.integers(len(legal))]


class SoloGame(gymnasium.Env[Array, Any]):
    """A game for one learner: it acts in its seat, and what lies between two of its moves is played for it.

    An observation is float32[observation_size], the learner's seat first; `info["action_mask"]` is the mask
    as int8[num_actions] (`action_space.sample` takes it), `action_masks()` the same as bool, as sb3-contrib's
    MaskablePPO asks for it; `info["seat"]` the learner's seat. The reward is 0 until the game is over, then the
    seat's return; `info["returns"]` then holds those of all seats.

    - `game`: a game or its name, `options`: the game's options. Errors: `UnknownName`, `OptionError`.
    - `opponents`: callables `opponent(view) -> action`, one for each other seat, the first to the learner's
      left (the next in seat order); or one callable that plays all of them; or None for random play.
      An opponent's illegal action is an `IllegalAction` that names its seat.
    - `seat`: the learner's, or `"random"` for a new one in each game.
    - `on_illegal`: with `"raise"` the learner's illegal action is an `IllegalAction` and changes nothing, with
      `"lose"` it ends the episode with the lowest return of the game, and `info["illegal_action"]` says why.
    - `render_mode`: `human` (printed after each reset and step), `ansi` or `rgb_array`; they show what the
      learner may know.

    `reset(seed)` seeds `np_random`, from which come each game's deal, random seats and random opponents; an
    opponent with a generator of its own is not reseeded. Where the opponents end a game before the learner has
    moved, the next one is dealt; `info["games_skipped"]` of `reset` counts these.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        opponents: Opponent | Sequence[Opponent] | None = None,
        seat: int | str = 0,
        on_illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = get_game(game) if isinstance(game, str) else game
        self.options = self.game.validate(options)
        self.num_players: int = self.options["num_players"]
        self.render_mode = checked_render_mode(render_mode, self.game.name)
        if on_illegal not in ON_ILLEGAL:
            raise OptionError(unknown("choice of on_illegal", on_illegal, ON_ILLEGAL, self.game.name))
        self.on_illegal = on_illegal
        self._chosen_seat = self._checked_seat(seat)
        self._given_opponents = self._checked_opponents(opponents)
        self.action_space = ActionSpace(self.game.num_actions(self.options))
        self.observation_space = observation_box(self.game.observation_size(self.options))
        self.seat = self._chosen_seat or 0
        self._refusal: str | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Deal a game and let the opponents play up to the learner's first move; `options` are ignored.

        Errors: `IllegalAction` of an opponent; `KontorError` if the opponents never let the learner move.
        """
        super().reset(seed=seed)
        self._opponents = self._given_opponents or [RandomOpponent(np.random.default_rng(self._draw_seed()))]
        for skipped in range(MAX_GAMES_SKIPPED):
            self._deal()
            if not self._position.is_over:
                if self.render_mode == "human":
                    self.render()
                return self._observation(), {**self._info(), "games_skipped": skipped}
        raise KontorError(
            f"{self.game.name}: the opponents ended {MAX_GAMES_SKIPPED} games before seat {self.seat} could move"
        )

    def _deal(self) -> None:
        chosen = self._chosen_seat
        self.seat = int(self.np_random.integers(self.num_players)) if chosen is None else chosen
        self._seed = self._draw_seed()
        self._position = Position(self.game, self.options, self._seed)
        self._actions: list[int] = []
        self._play_opponents()

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(1 << SEED_BITS))

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and the opponents' up to its next one or the end.

        Errors: `IllegalAction` (also after the end of the episode), `ResetNeeded`.
        """
        position = self._position
        if self._refusal:
            raise IllegalAction(f"{self.game.name}: {self._refusal}: reset first")
        reward = 0.0
        try:
            index = position.checked_action(action)
        except IllegalAction as error:
            if self.on_illegal == "raise" or position.is_over:
                raise
            self._refusal = "the episode ended with an illegal action"
            reward = self.game.min_return(self.options)
            info = {**self._info(), "illegal_action": str(error)}
        else:
            self._apply(index)
            self._play_opponents()
            info = self._info()
            if position.is_over:
                info["returns"] = [float(value) for value in position.returns()]
                reward = info["returns"][self.seat]
        if self.render_mode == "human":
            self.render()
        terminated = position.terminated or self._refusal is not None
        return self._observation(), reward, terminated, position.truncated, info

    def _play_opponents(self) -> None:
        self._refusal = "an opponent failed in mid-game"
        while (seat := self._position.current_player) is not None and seat != self.seat:
            opponent = self._opponents[(seat - self.seat - 1) % self.num_players % len(self._opponents)]
            try:
                self._apply(self._position.checked_action(opponent(View(self._position, seat))))
            except IllegalAction as error:
                raise IllegalAction(f"the opponent in seat {seat} played: {error}") from None
        self._refusal = None

    def _apply(self, action: int) -> None:
        kernels.apply_action_at(self._position.states, 0, action)
        self._actions.append(action)

    # -------------------------------------------------------------- looking

    def action_masks(self) -> Array:
        """The learner's legal actions: bool[num_actions], all False once the episode has ended."""
        mask = self._position.action_mask()
        return np.zeros_like(mask) if self._refusal else mask

    def _observation(self) -> Array:
        return self._position.observe(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().view(np.int8), "seat": self.seat}

    def view(self) -> View:
        """What the learner may know, in the form that Kontor's agents are handed."""
        return View(self._position, self.seat)

    def describe(self) -> dict[str, Any]:
        """The position as a JSON-able dict with what the learner cannot know hidden."""
        return self._position.describe(self.seat)

    def record(self) -> GameRecord:
        """The game so far as a record that replays exactly."""
        return GameRecord.of(self._position, self._seed, self._actions)

    def render(self) -> Any:
        """The table as the learner sees it: text, pixels, or None for a board that was printed."""
        if self.render_mode is None:
            gymnasium.logger.warn(f"{self}: render() shows nothing: the environment was made without a render_mode")
            return None
        return render(self.game, self.describe(), self.render_mode)

    # -------------------------------------------------------------- checks

    def __getattr__(self, name: str) -> Any:
        if name in ("_position", "_seed"):
            raise ResetNeeded(f"{self.game.name}: nothing is on the table yet: call reset() first")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def _checked_seat(self, seat: Any) -> int | None:
        if seat == RANDOM_SEAT:
            return None
        if not isinstance(seat, int | np.integer) or not 0 <= seat < self.num_players:
            raise OptionError(
                f"option 'seat' of {self.game.name} is {seat!r}: it must be 0 to {self.num_players - 1} or 'random'"
            )
        return int(seat)

    def _checked_opponents(self, opponents: Any) -> list[Opponent] | None:
        if opponents is None:
            return None
        try:
            given = [opponents] if callable(opponents) else list(opponents)
        except TypeError:
            given = [opponents]
        for opponent in given:
            if not callable(opponent):
                raise OptionError(f"{self.game.name}: opponent {opponent!r} is no callable that takes a view")
        if not callable(opponents) and len(given) != self.num_players - 1:
            raise OptionError(
                f"{self.game.name}: {len(given)} opponents for {self.num_players - 1} seats beside the learner's"
            )
        return given
