"""Agents made for the tests of experiments; a config reaches them with `imports: [tests.experiments.doubles]`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Self

import numpy as np

from agents.agent import Agent
from agents.registry import AgentConfig, AgentType, register_agent
from envs.view import View

PACE = "KONTOR_TEST_PACE"
"""The environment variable for the seconds that `slow` takes whatever its config says: no result depends on it."""


class FirstLegal(Agent):
    """Deterministic: the first legal action; draws nothing from its generator."""

    def act(self, view: View) -> int:
        return view.legal_actions()[0]


class Slow(Agent):
    """Random, and takes its time; while it does there is a file `note`, if asked for."""

    def __init__(self, rng: np.random.Generator, seconds: float, note: str | None) -> None:
        self.rng, self.seconds, self.note = rng, seconds, note

    def act(self, view: View) -> int:
        if self.note:
            Path(self.note).touch()
        time.sleep(float(os.environ.get(PACE, self.seconds)))
        return int(self.rng.choice(view.legal_actions()))


class Broken(Agent):
    """Fails at its third decision, or plays an illegal action then."""

    def __init__(self, illegal: bool) -> None:
        self.illegal, self.decisions = illegal, 0

    def act(self, view: View) -> int:
        self.decisions += 1
        if self.decisions == 3:
            if self.illegal:
                return int(np.flatnonzero(~view.action_mask)[0])
            raise ZeroDivisionError("of no use")
        return view.legal_actions()[0]


class Deadly(Agent):
    """Ends its process at its second decision, as often as the file `lives` says, one line each."""

    def __init__(self, rng: np.random.Generator, lives: Path) -> None:
        self.rng, self.lives, self.decisions = rng, lives, 0

    def act(self, view: View) -> int:
        self.decisions += 1
        if self.decisions == 2:
            lines = self.lives.read_text(encoding="utf-8").splitlines()
            if lines:
                self.lives.write_text("\n".join(lines[1:]), encoding="utf-8")
                os._exit(7)
        return int(self.rng.choice(view.legal_actions()))


class Threads(FirstLegal):
    """Notes how many threads its process has for Numba and for torch, and which process that is."""

    def __init__(self, folder: Path) -> None:
        import numba
        import torch

        self.note = f"{numba.get_num_threads()} {torch.get_num_threads()}"
        self.path = folder / str(os.getpid())

    def act(self, view: View) -> int:
        if "multiprocessing.spawn" in sys.modules and os.environ.get("NUMBA_NUM_THREADS"):
            self.path.write_text(self.note, encoding="utf-8")
        return super().act(view)


class SlowConfig(AgentConfig):
    seconds: float = 0.0
    note: str | None = None

    def smallest(self) -> Self:
        return self.model_copy(update={"seconds": 0.0, "note": None})


class BrokenConfig(AgentConfig):
    illegal: bool = False


class PathConfig(AgentConfig):
    path: str


for name, config, make in (
    ("first_legal", AgentConfig, lambda config, game, options, rng: FirstLegal()),
    ("slow", SlowConfig, lambda config, game, options, rng: Slow(rng, config.seconds, config.note)),
    ("broken", BrokenConfig, lambda config, game, options, rng: Broken(config.illegal)),
    ("deadly", PathConfig, lambda config, game, options, rng: Deadly(rng, Path(config.path))),
    ("threads", PathConfig, lambda config, game, options, rng: Threads(Path(config.path))),
):
    register_agent(AgentType(name, config, make, "made for the tests"))
