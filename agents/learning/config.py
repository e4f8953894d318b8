"""Settings that all trainings have: plain descriptions, read without torch."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    """A part of the settings: no keys but its own, and values of exactly the right type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class NetworkSettings(Section):
    """The network, see `agents.learning.network`."""

    kind: Literal["residual", "convolution", "tanh"] = Field(
        default="residual",
        description="`residual`: one trunk of residual blocks with layer norm for policy and value; `convolution`: one "
        "of residual convolutions, for games on a board (Connect Four, tic-tac-toe); `tanh`: a plain tanh network for "
        "each of the two",
    )
    width: int = Field(default=128, ge=1, le=4096, description="neurons a layer, or channels of a convolution")
    depth: int = Field(default=1, ge=0, le=64, description="residual blocks, or hidden layers of a tanh network")


class EvaluationSettings(Section):
    """Matches against a fixed field, and how the best checkpoint is chosen; see `agents.learning.evaluation`."""

    every: int = Field(default=40, ge=1, description="updates from one evaluation to the next")
    deals: int = Field(default=128, ge=1, description="deals against each opponent, each played from every seat")
    temperature: float = Field(default=0.0, ge=0, description="of the learner's play; 0 is greedy")
    opening: int | None = Field(
        default=None,
        ge=0,
        description="so many first decisions of a deal are random, the same from every seat, so that deals differ; "
        "null: 2 in games without hidden information, else none",
    )
    field: dict[str, dict[str, Any]] | None = Field(
        default=None,
        min_length=1,
        description="the opponents by name, as under `agents`; null: random, and greedy where there is one",
    )
    oldest_snapshots: int = Field(default=2, ge=0, description="so many of the oldest past selves are met too")
    rounds: int = Field(
        default=4, ge=1, description="a test of latest against best may take so many times `deals` deals"
    )
    margin: float = Field(
        default=0.02, gt=0, description="the gain in win share, averaged over the field, that the test is to find"
    )


class CommonSettings(Section):
    """What every training has: how long it is, with how many threads, and how it is judged."""

    seed: int = Field(default=0, ge=0, lt=1 << 63, description="all chance of the training follows from it")
    steps: int = Field(default=10_000_000, ge=1, description="decisions to play; learning rate and entropy follow them")
    seconds: float | None = Field(default=None, gt=0, description="stop after this time at the latest; null: no limit")
    threads: int = Field(
        default=2, ge=1, le=256, description="threads that play and learn; the result does not depend on it"
    )
    checkpoint_every: int = Field(default=20, ge=1, description="updates from one checkpoint to the next")
    evaluation: EvaluationSettings = EvaluationSettings()
