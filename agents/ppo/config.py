"""The settings of a training: a plain description, read without torch."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from agents.learning.config import CommonSettings, NetworkSettings, Section
from agents.learning.files import agent_file_kind, training_file_kind

AGENT, TRAINING = agent_file_kind("ppo"), training_file_kind("ppo")
"""What its files are called in themselves."""


class RolloutSettings(Section):
    """How experience is collected between two updates."""

    games: int = Field(default=512, ge=1, le=1 << 16, description="games in lock-step")
    steps: int = Field(default=32, ge=1, le=1 << 16, description="decisions in each game between two updates")
    opening: int | None = Field(
        default=None,
        ge=0,
        description="up to so many first decisions of a game are random, and not learned from; null: none in games "
        "with hidden information, where they would falsify what can be concluded, else 8",
    )
    discount: float = Field(default=1.0, gt=0, le=1, description="the discount from one decision of a seat to its next")
    gae_lambda: float = Field(default=0.95, ge=0, le=1, description="the lambda of generalised advantage estimation")


class LearnerSettings(Section):
    """One update, see `agents.ppo.learner`."""

    learning_rate: float = Field(default=1e-3, gt=0, description="Adam's step size at the start")
    final_learning_rate: float = Field(default=1e-4, ge=0, description="and at the end; linear in between")
    epochs: int = Field(default=3, ge=1, le=1000, description="times that each decision is used in an update")
    minibatch: int = Field(default=2048, ge=1, description="decisions in a step of the optimiser, about")
    clip: float = Field(default=0.2, gt=0, description="how far the policy's ratio may leave 1 for gain")
    value_clip: float | None = Field(
        default=None, gt=0, description="how far values may move from the old ones for gain; null: as far as they like"
    )
    value_coefficient: float = Field(default=0.5, ge=0, description="weight of the value loss")
    entropy: float = Field(default=0.01, ge=0, description="weight of the entropy bonus at the start")
    final_entropy: float | None = Field(
        default=None, ge=0, description="and at the end, linear in between; null: the same throughout"
    )
    max_gradient_norm: float = Field(default=0.5, gt=0, description="gradients longer than this are shortened to it")
    target_kl: float | None = Field(
        default=None, gt=0, description="an update ends after the epoch in which the policy has moved 1.5 times as far"
    )
    normalise: Literal["minibatch", "batch", "none"] = Field(
        default="batch", description="over what advantages are brought to mean 0 and deviation 1"
    )


class FixedOpponent(Section):
    """An agent of another kind among the opponents."""

    agent: dict[str, Any] = Field(description="`type` and settings, as under `agents` of an experiment")
    share: float = Field(gt=0, le=1, description="the share of all games in which it sits at the other seats")


class OpponentSettings(Section):
    """Whom the learner plays, apart from itself; see `agents.learning.pool`."""

    past_share: float = Field(default=0.2, ge=0, le=1, description="the share of games against past selves")
    past_groups: int = Field(default=2, ge=1, le=64, description="past selves that are met at the same time")
    snapshot_every: int = Field(default=20, ge=1, description="updates from one snapshot of the learner to the next")
    pool_size: int = Field(default=16, ge=2, le=1000, description="snapshots kept; a full pool drops every second one")
    priority: float = Field(
        default=2.0, ge=0, description="a past self is drawn with weight (1 - win rate against it) to this power"
    )
    fixed: tuple[FixedOpponent, ...] = Field(default=(), strict=False, description="agents of other kinds mixed in")

    @model_validator(mode="after")
    def _shares(self) -> OpponentSettings:
        if self.past_share + sum(opponent.share for opponent in self.fixed) > 1:
            raise ValueError("the shares of past selves and fixed opponents sum to more than 1")
        return self


class TrainingSettings(CommonSettings):
    """A training, but for the game: what stands under `train` of a `ppo` agent."""

    network: NetworkSettings = NetworkSettings()
    rollout: RolloutSettings = RolloutSettings()
    learner: LearnerSettings = LearnerSettings()
    opponents: OpponentSettings = OpponentSettings()
