"""Small trainings by AlphaZero for tests, and trainings that are killed at chosen moments.

    python -m tests.agents.alphazero.trainings '[{"folder": ..., "changes": {...}, "moments": [...]}, ...]'

trains in folders, under changed settings, and is killed without warning at each of some moments in turn: a process of
its own goes on from the last checkpoint until it is killed as well.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch

from agents.alphazero import trainer as trainer_module
from agents.alphazero.buffer import Buffer
from agents.alphazero.config import AlphaZeroSettings
from agents.alphazero.trainer import Trainer
from agents.learning.trainer import Progress
from envs.catalog import get_game
from envs.position import Array

SMALL: dict[str, Any] = {
    "threads": 1,
    "steps": 1000,
    "rounds": 32,
    "checkpoint_every": 5,
    "snapshot_every": 4,
    "pool_size": 3,
    "network": {"width": 16, "depth": 1},
    "self_play": {"games": 16, "iterations": 8, "fast_iterations": 4, "full_share": 0.75, "opening": 2},
    "buffer": {"size": 150},
    "learner": {"minibatch": 64, "reuse": 4.0},
    "evaluation": {"every": 4, "deals": 8, "rounds": 2},
}
"""A dozen updates of little work, in which everything happens: the buffer overwrites itself several times."""


def settings(**changes: Any) -> AlphaZeroSettings:
    """The small training, with sections changed in part."""
    merged = dict(SMALL)
    for key, value in changes.items():
        merged[key] = {**merged.get(key, {}), **value} if isinstance(value, dict) else value
    return AlphaZeroSettings.model_validate(merged)


def trainer(folder: Path, game: str = "tic_tac_toe", options: dict[str, Any] | None = None, **changes: Any) -> Trainer:
    """A small training of a game in a folder."""
    found = get_game(game)
    return Trainer(found, found.validate(options or {}), settings(**changes), folder, "small")


# ------------------------------------------------------------------ killed at chosen moments


def die() -> None:
    """Without warning, as by `kill -9`."""
    os.kill(os.getpid(), signal.SIGKILL)


class DoomedBuffer(Buffer):
    """A buffer whose process is killed at one of its doings, once it has been given so many decisions."""

    moment, decisions = "", 0

    def _is_time(self, moment: str) -> bool:
        return moment == self.moment and self.added >= self.decisions

    def _note(self, places: Array) -> None:
        super()._note(places)
        if self._is_time("noting"):  # the last entry of the journal is half there
            length = self._journal.stat().st_size
            os.truncate(self._journal, length - self.dtype.itemsize // 2)
            die()
        if self._is_time("adding"):  # the journal has them all, the ring some of the new ones
            assert self._journal.stat().st_size
            self.records[places[::2]] = np.zeros((), self.dtype)
            die()

    def _take_back(self) -> None:
        journal = self._journal.read_bytes() if self._journal.exists() else b""
        super()._take_back()
        if self._is_time("returning"):  # the ring is mended, the journal is still there
            assert journal
            self._journal.write_bytes(journal)
            die()

    def keep(self) -> None:
        if self._is_time("keeping"):  # the checkpoint is written, and the journal is that of the one before
            die()
        super().keep()


def killed(folder: Path, changes: dict[str, Any], moment: str) -> None:
    """Train until a moment such as `adding:300`: the first of its kind with so many decisions in the buffer."""
    DoomedBuffer.moment, decisions = moment.split(":")
    DoomedBuffer.decisions = int(decisions)
    trainer_module.Buffer = DoomedBuffer  # type: ignore[misc]
    run = trainer(folder, **changes)

    def report(progress: Progress) -> None:
        if run.buffer.added >= int(decisions) and moment.startswith("update"):
            die()

    run.run(report)


def fork(work: Callable[[], object]) -> int:
    """How a process ended that does some work; a negative number is the signal that killed it."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(jobs: str) -> None:
    torch.set_num_threads(1)  # a fork has no threads but one
    with TemporaryDirectory() as folder:
        trainer(Path(folder)).run()  # so that no fork has to load what is compiled
    for job in json.loads(jobs):
        for moment in job["moments"]:
            code = fork(partial(killed, Path(job["folder"]), job["changes"], moment))
            assert code == -signal.SIGKILL, f"{job}, {moment}: ended with {code}"


if __name__ == "__main__":
    main(*sys.argv[1:])
