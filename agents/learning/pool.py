"""The learner's past selves: snapshots as files, and which of them it meets.

A snapshot is an agent file named after its content hash: nothing that is learned afterwards can change it. Opponents
are drawn by prioritised fictitious self-play, the more often the harder they are for the present learner (Vinyals et
al., "Grandmaster Level in StarCraft II Using Multi-Agent Reinforcement Learning", 2019). Against its present
self alone a learner can run in circles, in games like rock, paper, scissors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic

import numpy as np

from agents.agent import AgentError
from agents.learning.checkpoint import AnyNetwork, read_agent, write_agent
from agents.learning.files import SUFFIX, file_hash
from agents.learning.network import Network
from envs.record import write_atomically

MEMORY = 500.0
"""A result weighs less by a factor e after so many more games against the same snapshot: the learner has moved on."""

LEAST_WEIGHT = 0.01
"""So that no snapshot is forgotten, not even one that never wins."""

_DRAW = 2


@dataclass
class Snapshot:
    """A past self: the update it was taken after, its file's hash, and how the learner has fared against it.

    `games` and `share` are sums that fade (see `MEMORY`): games, and the learner's shares of the win in them.
    """

    update: int
    hash: str
    games: float = 0.0
    share: float = 0.0

    @property
    def file_name(self) -> str:
        return f"{self.update:06}-{self.hash[:12]}{SUFFIX}"

    @property
    def win_rate(self) -> float:
        """The learner's win rate, as if one more game had been drawn."""
        return (self.share + 0.5) / (self.games + 1.0)


class Pool(Generic[AnyNetwork]):
    """The snapshots in a folder, oldest first; at most `size`; all networks of one kind."""

    def __init__(self, kind: type[AnyNetwork], folder: Path, size: int, priority: float, seed: int) -> None:
        self.kind = kind
        self.folder, self.size, self.priority, self.seed = folder, size, priority, seed
        self.snapshots: list[Snapshot] = []

    def add(self, network: Network, update: int, facts: Mapping[str, Any]) -> Snapshot:
        """Take a snapshot. A full pool first drops every second one but the oldest: what is left covers all times."""
        if len(self.snapshots) >= self.size:
            self.snapshots = self.snapshots[::2]
        self.snapshots.append(self.write(network, update, facts))
        return self.snapshots[-1]

    def write(self, network: Network, update: int, facts: Mapping[str, Any]) -> Snapshot:
        """Write a network to the folder without adding it to the pool."""
        temporary = self.folder / f"new{SUFFIX}"
        snapshot = Snapshot(update, write_agent(temporary, network, facts))
        temporary.replace(self.folder / snapshot.file_name)
        return snapshot

    def copy(self, snapshot: Snapshot, path: Path) -> None:
        """Copy a snapshot's file."""
        write_atomically(path, (self.folder / snapshot.file_name).read_bytes())

    def draw(self, drawing: int) -> Snapshot:
        """The snapshot that is met after drawing number `drawing`."""
        weights = np.array([(1.0 - snapshot.win_rate) ** self.priority + LEAST_WEIGHT for snapshot in self.snapshots])
        rng = np.random.default_rng((self.seed, _DRAW, drawing))
        return self.snapshots[rng.choice(len(weights), p=weights / weights.sum())]

    def record(self, snapshot: Snapshot, games: float, share: float) -> None:
        """Take in how the learner fared in some more games: its shares of the win, summed."""
        fading = float(np.exp(-games / MEMORY))
        snapshot.games = snapshot.games * fading + games
        snapshot.share = snapshot.share * fading + share

    def load(self, snapshot: Snapshot) -> AnyNetwork:
        """The snapshot's network. Errors: `AgentError` if the file is not the one that was written."""
        path = self.folder / snapshot.file_name
        if file_hash(path) != snapshot.hash:
            raise AgentError(f"{path}: the snapshot's content is not what its name says")
        return read_agent(path, self.kind)[0]

    def find(self, hash: str) -> Snapshot | None:
        """The snapshot with that hash, if the pool still has it."""
        return next((snapshot for snapshot in self.snapshots if snapshot.hash == hash), None)

    def remove_others(self, keep: set[str]) -> None:
        """Remove the files of snapshots that are neither in the pool nor named in `keep`."""
        wanted = {snapshot.file_name for snapshot in self.snapshots} | keep
        for path in self.folder.glob(f"*{SUFFIX}"):
            if path.name not in wanted:
                path.unlink()

    # -------------------------------------------------------------- checkpoints

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(snapshot) for snapshot in self.snapshots]

    def restore(self, data: list[dict[str, Any]]) -> None:
        """Go on from what `to_json` gave."""
        self.snapshots = [Snapshot(**entry) for entry in data]
