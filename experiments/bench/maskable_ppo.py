"""The yardstick of learning: sb3-contrib's MaskablePPO in self-play on PettingZoo's Connect Four.

Several games at once, each step of a game played by the seat to act, as in PettingZoo's own tutorial.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from agents.learning.players import Lanes
from envs.errors import KontorError
from envs.position import Array
from experiments.bench.aec import pettingzoo_connect_four

ROWS, COLUMNS = 6, 7


class SelfPlayEnv(gymnasium.Env[Array, np.int64]):
    """PettingZoo's Connect Four as an environment for one learner that plays both seats."""

    def __init__(self) -> None:
        self.game = pettingzoo_connect_four()
        self.game.reset()
        self.observation_space = self.game.observation_space("player_0")["observation"]
        self.action_space = self.game.action_space("player_0")

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        self.game.reset(seed=seed)
        return self._seen()["observation"], {}

    def step(self, action: np.int64) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        mover = self.game.agent_selection
        self.game.step(int(action))
        _, _, termination, truncation, _ = self.game.last()
        return self._seen()["observation"], self.game.rewards[mover], termination, truncation, {}

    def action_masks(self) -> Array:
        """What MaskablePPO asks for: bool[7]."""
        mask: Array = self._seen()["action_mask"]
        return mask

    def _seen(self) -> dict[str, Array]:
        seen: dict[str, Array] = self.game.observe(self.game.agent_selection)
        return seen


class Yardstick:
    """A MaskablePPO with plain tanh layers and its own defaults; a `Player` of our Connect Four as well.

    Errors: `KontorError` if it is not installed.
    """

    def __init__(self, layers: list[int], games: int, steps: int, epochs: int, minibatch: int) -> None:
        try:
            from sb3_contrib import MaskablePPO
            from stable_baselines3.common.vec_env import DummyVecEnv
        except ImportError as error:
            raise KontorError(f"measure ppo needs sb3-contrib: {error}") from None
        self.rollout = games * steps
        self.model = MaskablePPO(
            "MlpPolicy",
            DummyVecEnv([SelfPlayEnv for _ in range(games)]),
            n_steps=steps,
            n_epochs=epochs,
            batch_size=minibatch,
            policy_kwargs={"net_arch": layers},
            device="cpu",
            seed=0,
        )

    def update(self) -> int:
        """One rollout and one update; gives the decisions played."""
        self.model.learn(self.rollout, reset_num_timesteps=False)
        return self.rollout

    def choose(self, lanes: Lanes, where: Array, keys: Array, actions: Array) -> None:
        """The most likely actions: see `agents.learning.players.Player`."""
        planes = lanes.observations[:, : 2 * ROWS * COLUMNS].reshape(-1, 2, COLUMNS, ROWS)
        boards = planes[:, :, :, ::-1].transpose(0, 3, 2, 1).astype(np.int8)  # rows from the top, two planes last
        chosen, _ = self.model.predict(boards, action_masks=lanes.masks, deterministic=True)
        actions[where] = chosen[where]
