"""Any game as a PettingZoo AEC environment.

A module `envs/<game>_v<version>.py` names a game's environment the way PettingZoo does:

    env, raw_env = environment_makers(GAME)

Both make the same bare `AECGame`, without PettingZoo's wrappers: the order of calls and the legality of
actions are checked inside, because `OrderEnforcingWrapper` alone costs more than this whole layer may
(8 microseconds a step over the compiled rules). Wrappers can be put around it as around any AEC environment.
"""

from __future__ import annotations

import secrets
from array import array
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv

from envs import kernels
from envs.chance import SEED_BITS, next_seed
from envs.errors import GameDefinitionError, IllegalAction, KontorError, OptionError, UnknownName, unknown
from envs.game import Game
from envs.gymnasium_plugin import register_envs
from envs.position import Array, Position, checked_seed
from envs.record import GameRecord
from envs.svg import to_pixels
from envs.view import View

RENDER_MODES = ("human", "ansi", "rgb_array")

OBSERVATION_BOUND = 100.0
"""Observations lie within plus and minus this: games scale theirs to about one."""

_SET_BY_RESET = frozenset(
    {"agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos"}
    | {"_cumulative_rewards", "_position", "_states", "_actions", "_over"}
)
_VIEWS = ("_states", "_to_act", "_mask", "_mask_bytes")

register_envs()  # for a checkout that is not installed; Gymnasium is loaded here anyway


class ResetNeeded(KontorError, AttributeError):
    """Something was asked of an environment before its first `reset()`."""


class ActionSpace(spaces.Discrete):
    """`Discrete(n)` that never samples an illegal action: an empty mask is refused.

    `sample(mask)` takes int8[n] or bool[n]. Errors: `IllegalAction` if no action is legal.
    """

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if isinstance(mask, np.ndarray):
            if not mask.any():
                raise IllegalAction("no action can be sampled: the mask is empty, this seat is not to act")
            if mask.dtype == np.bool_:
                mask = mask.view(np.int8)
        return super().sample(mask, probability)


def observation_box(size: int) -> spaces.Box:
    """The space of a vector of `size` observed numbers: float32[size]."""
    return spaces.Box(-OBSERVATION_BOUND, OBSERVATION_BOUND, (size,), np.float32)


def render(game: Game, description: dict[str, Any], mode: str) -> str | Array | None:
    """A described position as text (`ansi`), as uint8[height, width, 3] (`rgb_array`), or printed (`human`)."""
    if mode == "rgb_array":
        return to_pixels(game.draw(description))
    board = game.text(description)
    if mode == "ansi":
        return board
    print(board, end="\n\n", flush=True)
    return None


def checked_render_mode(mode: str | None, place: str) -> str | None:
    """The render mode if there is such a one. Errors: `OptionError`."""
    if mode is not None and mode not in RENDER_MODES:
        raise OptionError(unknown("render mode", mode, RENDER_MODES, place))
    return mode


class AECGame(AECEnv[str, Any, Any]):
    """A game as an AEC environment: agents `player_0` … in seat order, the one to act in `agent_selection`.

    An observation is a dict of `observation` (float32[observation_size], own seat first) and `action_mask`
    (int8[num_actions], all zeros for a seat that is not to act and at the end); `infos[agent]` holds the mask
    too. All arrays are fresh: they may be kept and written to. Rewards are zero until the game is over, then
    each agent's return; every agent is then visited once more, as PettingZoo has it, with `step(None)`.
    One seat may decide several times in a row.

    `options` are the game's options (errors: `OptionError`). `render_mode` is None, `human` (the board is
    printed after each reset and step), `ansi` (`render()` returns it as text) or `rgb_array` (as pixels).
    Rendering shows the whole table, hidden cards too, since an environment is the referee;
    with `render_player` it shows what that seat may know.

    `reset(seed)` deals exactly the game of `Position(game, options, seed)`; `reset()` goes on to the
    `next_seed` of the last one, and the first time to a random seed. `game_seed` is that of the game on the
    table. Copies (`copy.deepcopy`, `pickle`) are exact, in mid-game too.
    """

    def __init__(
        self, game: Game, render_mode: str | None = None, render_player: int | None = None, **options: Any
    ) -> None:
        super().__init__()
        self.game = game
        self.options = game.validate(options)
        self.num_actions = game.num_actions(self.options)
        self.observation_size = game.observation_size(self.options)
        self.game_seed: int | None = None
        name = f"{game.name}_v{game.version}"
        self.metadata = {
            "name": name,
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.options["num_players"])]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.render_mode = checked_render_mode(render_mode, name)
        self.render_player = None if render_player is None else self._seat(render_player)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observation_space())
        self.action_spaces = {agent: ActionSpace(self.num_actions) for agent in self.possible_agents}
        self.state_space = observation_box(self.observation_size * len(self.possible_agents))

    def _observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self.num_actions,), np.int8)
        return spaces.Dict({"observation": observation_box(self.observation_size), "action_mask": mask})

    # -------------------------------------------------------------- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; `options` are ignored (a game's options are given at construction).

        Errors: `OptionError` for a seed outside 0 to 2**63 - 1 (the game on the table stays).
        """
        if seed is not None:
            seed = checked_seed(seed)
        elif self.game_seed is None:
            seed = secrets.randbits(SEED_BITS)
        else:
            seed = next_seed(self.game_seed)
        if self.game_seed is None:
            self._position = Position(self.game, self.options, seed)
            self._make_views()
        else:
            self._position.restart(seed)
        self.game_seed = seed
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._no_actions() for agent in self.agents}
        self._actions = array("i")  # not a list: copying one costs a call for each action
        self._over = False
        self._turn()

    def step(self, action: Any) -> None:
        """Play the action of `agent_selection`; once the game is over, None takes that agent off the table.

        Errors: `IllegalAction` (nothing has changed then), `ResetNeeded`.
        """
        if self._over:
            self._leave(action)
            return
        try:
            index = action.__index__()
            legal = index >= 0 and self._mask[index]
        except (AttributeError, TypeError, IndexError, OverflowError):
            legal = False
        if not legal:
            index = self._position.checked_action(action)  # raises, saying what is wrong
        kernels.apply_action_at(self._states, 0, index)
        self._actions.append(index)
        self.infos[self.agent_selection] = self._no_actions()
        self._turn()

    def _turn(self) -> None:
        """Make ready for the seat to act, or for the end: the part that `reset` and `step` share."""
        if kernels.legal_actions_at(self._states, 0, self._mask):
            self.agent_selection = agent = self.possible_agents[self._to_act[0]]
            self.infos[agent] = {"action_mask": self._mask_bytes.copy()}
        else:
            self._finish()
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        position = self._position
        if not position.is_over:
            raise GameDefinitionError(f"{self}, move {position.move_number}: nothing is legal, but the game goes on")
        self._over = True
        self.rewards = {agent: float(value) for agent, value in zip(self.agents, position.returns(), strict=True)}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, position.terminated)
        self.truncations = dict.fromkeys(self.agents, position.truncated)
        self.agent_selection = self.agents[0]

    def _leave(self, action: Any) -> None:
        if action is not None or not self.agents:
            self._position.checked_action(action)  # raises: the game is over
        self._was_dead_step(None)

    def _no_actions(self) -> dict[str, Any]:
        return {"action_mask": np.zeros(self.num_actions, np.int8)}

    # -------------------------------------------------------------- looking

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, whoever is to act: `observation` and `action_mask`. Errors: `UnknownName`."""
        seat = self._seats.get(agent)
        if seat is None:
            raise UnknownName("agent", agent, self.possible_agents, str(self))
        observation = np.empty(self.observation_size, np.float32)
        kernels.observe_at(self._states, 0, seat, observation)
        if agent == self.agent_selection and not self._over:
            return {"observation": observation, "action_mask": self._mask_bytes.copy()}
        return {"observation": observation, **self._no_actions()}

    def state(self) -> Array:
        """What all seats see together: their observations one after another, float32[players * observation_size]."""
        return np.concatenate([self._position.observe(seat) for seat in self._seats.values()])

    def describe(self, player: int | str | None = None) -> dict[str, Any]:
        """The position as a JSON-able dict: everything for None, what a seat (or agent) may know otherwise."""
        return self._position.describe(None if player is None else self._seat(player))

    def view(self, player: int | str) -> View:
        """What a seat (or agent) may know, in the form that Kontor's agents are handed."""
        return View(self._position, self._seat(player))

    def decode_action(self, index: int) -> dict[str, Any]:
        """An action index as a JSON object. Errors: `IllegalAction` out of range."""
        return self._position.decode_action(index)

    def encode_action(self, action: dict[str, Any]) -> int:
        """A JSON object as an action index. Errors: `IllegalAction` for one that the game does not know."""
        return self._position.encode_action(action)

    def record(self) -> GameRecord:
        """The game so far, finished or not, as a record that replays exactly."""
        position, seed = self._position, self.game_seed
        assert seed is not None
        return GameRecord.of(position, seed, self._actions.tolist())

    def render(self) -> str | Array | None:
        """Show the table as the render mode says: text, pixels, or None for a board that was printed."""
        if self.render_mode is None:
            gymnasium.logger.warn(f"{self}: render() shows nothing: the environment was made without a render_mode")
            return None
        return render(self.game, self.describe(self.render_player), self.render_mode)

    def close(self) -> None:
        """Nothing needs closing."""

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        return self.action_spaces[agent]

    def _seat(self, player: Any) -> int:
        seat = self._seats.get(player, player)
        if not isinstance(seat, int | np.integer) or not 0 <= seat < len(self.possible_agents):
            raise UnknownName("player", player, self.possible_agents, str(self))
        return int(seat)

    # -------------------------------------------------------------- order and copies

    def __getattr__(self, name: str) -> Any:
        if name in _SET_BY_RESET:
            raise ResetNeeded(f"{self}: nothing is on the table yet: call reset() first")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def _make_views(self) -> None:
        """Look into the record and the mask without a copy; a copied or unpickled environment makes its own."""
        self._states = self._position.states
        self._to_act = self._states["current_player"]
        self._mask = self._position.action_mask()
        self._mask_bytes = self._mask.view(np.int8)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _VIEWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_position" in state:
            self._make_views()


def environment_makers(game: Game) -> tuple[Callable[..., AECGame], Callable[..., AECGame]]:
    """PettingZoo's `env` and `raw_env` for a game: `env(render_mode=None, render_player=None, **options)`."""

    def env(render_mode: str | None = None, render_player: int | None = None, **options: Any) -> AECGame:
        return AECGame(game, render_mode, render_player, **options)

    def raw_env(render_mode: str | None = None, render_player: int | None = None, **options: Any) -> AECGame:
        return AECGame(game, render_mode, render_player, **options)

    return env, raw_env
