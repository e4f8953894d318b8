"""The replay buffer: the latest decisions of self-play, as a ring, in memory or in a file.

R places, O numbers observed, A actions, S seats. Observations and policies are kept as float16 and masks as bits: half
the memory, and what is lost is far below what the targets are uncertain by.

In memory it is part of every checkpoint. On disk it is a file of its own that is written as it is filled, beside a
journal, as databases have it: before a decision is overwritten that the last checkpoint knows, it is appended to the
journal. A training that goes on from that checkpoint takes back from there what has been overwritten since, and so has
the very same buffer, whenever it was killed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from agents.agent import AgentError
from agents.alphazero.samples import Samples
from envs.position import Array

RING, JOURNAL = "buffer.ring", "buffer.{}.journal"
"""The files of a buffer on disk; a journal has the number of decisions that there were at its checkpoint."""


class Buffer:
    """The last `size` decisions that were added; in files of a folder, if one is given. Errors: `AgentError`.

    `added` is how many decisions ever were, `used` how many of them are there.
    """

    def __init__(
        self, size: int, observation_size: int, num_actions: int, seats: int, folder: Path | None = None
    ) -> None:
        self.size, self.num_actions, self.folder = size, num_actions, folder
        self.dtype = np.dtype(
            [
                ("value", np.float32, (seats,)),
                ("observation", np.float16, (observation_size,)),
                ("policy", np.float16, (num_actions,)),
                ("mask", np.uint8, ((num_actions + 7) // 8,)),
            ]
        )
        self.added, self._kept = 0, 0
        self._records: Array | None = None if folder else np.zeros(size, self.dtype)

    @property
    def used(self) -> int:
        """How many decisions there are to learn from."""
        return min(self.size, self.added)

    @property
    def records(self) -> Array:
        """The places; a file is made when the first decision comes, with all the room on the disk that it will need."""
        if self._records is None:
            assert self.folder is not None
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                with (self.folder / RING).open("wb") as ring:
                    if hasattr(os, "posix_fallocate"):
                        os.posix_fallocate(ring.fileno(), 0, self.size * self.dtype.itemsize)
                self._records = np.memmap(self.folder / RING, self.dtype, "r+", shape=(self.size,))
            except OSError as error:
                raise AgentError(f"{self.folder / RING}: cannot be written: {error.strerror or error}") from None
        return self._records

    def add(self, batch: Samples) -> None:
        """Take in decisions, in place of the oldest where the buffer is full."""
        for start in range(0, len(batch.values), self.size):
            self._add(Samples(*(array[start : start + self.size] for array in batch)))

    def _add(self, batch: Samples) -> None:
        places = (self.added + np.arange(len(batch.values))) % self.size
        new: Array = np.zeros(len(places), self.dtype)
        new["observation"], new["policy"], new["value"] = batch.observations, batch.policies, batch.values
        new["mask"] = np.packbits(batch.masks, axis=1, bitorder="little")
        if self.folder:
            self._note(places)
        self.records[places] = new
        self.added += len(places)

    def draw(self, count: int, rng: np.random.Generator) -> Samples:
        """Decisions drawn with equal chances, each independently of the others."""
        found = self.records[rng.integers(self.used, size=count)]
        masks = np.unpackbits(found["mask"], axis=1, count=self.num_actions, bitorder="little").view(np.bool_)
        observations, policies = found["observation"].astype(np.float32), found["policy"].astype(np.float32)
        return Samples(observations, masks, policies, found["value"].copy())

    # -------------------------------------------------------------- checkpoints

    def state(self) -> dict[str, Array]:
        """What a checkpoint holds of it: all of it, or of a buffer on disk how much there is."""
        added = np.array([self.added], np.int64)
        if self.folder:
            return {"added": added}
        assert self._records is not None
        return {
            "added": added,
            "records": self._records[: self.used].view(np.uint8).reshape(self.used, self.dtype.itemsize),
        }

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go on from what `state` gave. Errors: `KeyError`, `ValueError`, and `AgentError` for a ring that is gone."""
        self.added = self._kept = int(state["added"][0])
        if self.folder is None:
            self.records[: self.used] = np.ascontiguousarray(state["records"]).view(self.dtype).reshape(-1)
        elif self.added:
            self._records = self._found(self.folder / RING)
            self._take_back()
        self.keep()

    def _found(self, path: Path) -> Array:
        """The ring of a file. One of another size is refused: numpy would lengthen it by nothing without a word."""
        refused = f"{path}: is not the buffer that the training was left with (remove the folder to begin anew)"
        try:
            size, wanted = path.stat().st_size, self.size * self.dtype.itemsize
            if size != wanted:
                raise AgentError(f"{refused}: it has {size} bytes, not {wanted}")
            return np.memmap(path, self.dtype, "r+", shape=(self.size,))
        except OSError as error:
            raise AgentError(f"{refused}: {error.strerror or error}") from None

    def keep(self) -> None:
        """Say that a checkpoint has been written: what comes now is undone if the training goes on from there."""
        if self.folder:
            self._kept = self.added
            for path in self.folder.glob(JOURNAL.format("*")):
                path.unlink()  # one of this very number is from a training before: nothing is overwritten yet

    @property
    def _journal(self) -> Path:
        assert self.folder is not None
        return self.folder / JOURNAL.format(self._kept)

    def _note(self, places: Array) -> None:
        """Append to the journal what the last checkpoint knows of these places, which are about to be overwritten."""
        numbers = self.added + np.arange(len(places))  # number n takes the place of number n - size
        known = (numbers >= self.size) & (numbers < self._kept + self.size)
        if known.any():
            with self._journal.open("ab") as journal:
                journal.write(self.records[places[known]].tobytes())

    def _take_back(self) -> None:
        """Write back what the journal has, from the oldest place on; an entry that was cut short is none."""
        if self._journal.exists():
            data = self._journal.read_bytes()
            old = np.frombuffer(data[: len(data) // self.dtype.itemsize * self.dtype.itemsize], self.dtype)
            first = max(self._kept, self.size)  # the first number that took a place
            self.records[(first + np.arange(len(old))) % self.size] = old
            self._journal.unlink()
