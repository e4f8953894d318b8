"""The settings of a training by AlphaZero: a plain description, read without torch."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agents.alphazero.settings import SearchSettings, SelfPlaySettings
from agents.learning.config import CommonSettings, EvaluationSettings, NetworkSettings, Section

ALGORITHM = "alphazero"


class SearchNetworkSettings(NetworkSettings):
    """The network: a deeper one than PPO's, since every evaluation of it comes with the work of a search."""

    depth: int = Field(default=2, ge=0, le=64, description="residual blocks, or hidden layers of a tanh network")


class BufferSettings(Section):
    """What is learned from, see `agents.alphazero.buffer`."""

    size: int = Field(default=200_000, ge=1, le=1 << 31, description="decisions kept; new ones replace the oldest")
    on_disk: bool = Field(default=False, description="keep them in a file of the training's folder, not in memory")


class LearnerSettings(Section):
    """How the network learns, see `agents.alphazero.learner`."""

    reuse: float = Field(
        default=8.0, gt=0, le=1000, description="how often each new decision is learned from, on average"
    )
    symmetries: bool = Field(
        default=True, description="learn from a random image of each decision, where the board has symmetries"
    )
    minibatch: int = Field(default=512, ge=1, description="decisions in a step of the optimiser")
    learning_rate: float = Field(default=2e-3, gt=0, description="Adam's step size at the start")
    final_learning_rate: float = Field(default=2e-4, ge=0, description="and at the end; linear in between")
    weight_decay: float = Field(default=1e-4, ge=0, description="AdamW's weight decay")
    value_coefficient: float = Field(default=1.0, ge=0, description="weight of the value loss")
    max_gradient_norm: float = Field(default=1.0, gt=0, description="gradients longer than this are shortened to it")


class SearchEvaluationSettings(EvaluationSettings):
    """Matches against a fixed field: of the policy alone, or with a search."""

    every: int = Field(default=50, ge=1, description="updates from one evaluation to the next")
    deals: int = Field(default=64, ge=1, description="deals against each opponent, each played from every seat")
    rounds: int = Field(
        default=2, ge=1, description="a test of latest against best may take so many times `deals` deals"
    )
    iterations: int = Field(
        default=0, ge=0, le=1 << 20, description="simulations of the learner's search a move; 0: it plays its policy"
    )


class AlphaZeroSettings(CommonSettings):
    """A training, but for the game: what stands under `train` of an `alphazero` agent."""

    device: Literal["auto", "cpu", "cuda"] = Field(
        default="cpu", description="where the network is evaluated and learns; `auto`: a GPU if torch has one"
    )
    rounds: int = Field(
        default=256, ge=1, description="rounds of self-play between two updates: leaves judged in every game"
    )
    snapshot_every: int = Field(default=50, ge=1, description="updates from one snapshot to the next")
    pool_size: int = Field(default=16, ge=2, le=1000, description="snapshots kept; a full pool drops every second one")
    network: SearchNetworkSettings = SearchNetworkSettings()
    search: SearchSettings = SearchSettings()
    self_play: SelfPlaySettings = SelfPlaySettings()
    buffer: BufferSettings = BufferSettings()
    learner: LearnerSettings = LearnerSettings()
    evaluation: SearchEvaluationSettings = SearchEvaluationSettings()
