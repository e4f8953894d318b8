"""The settings of a training: a plain description, read without torch."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Section(BaseModel):
    """A part of the settings: no keys but its own, and values of exactly the right type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class NetworkSettings(Section):
    """The network, see `agents.ppo.network`."""

    kind: Literal["residual", "tanh"] = Field(
        default="residual",
        description="`residual`: one trunk of residual blocks with layer norm for policy and value; `tanh`: a plain "
        "tanh network for each of the two",
    )
    width: int = Field(default=128, ge=1, le=4096, description="neurons a layer")
    depth: int = Field(default=1, ge=0, le=64, description="residual blocks, or hidden layers of a tanh network")


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
    """Whom the learner plays, apart from itself; see `agents.ppo.pool`."""

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


class EvaluationSettings(Section):
    """Matches against a fixed field, and how the best checkpoint is chosen; see `agents.ppo.evaluation`."""

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


class TrainingSettings(Section):
    """A training, but for the game: what stands under `train` of a `ppo` agent."""

    seed: int = Field(default=0, ge=0, lt=1 << 63, description="all chance of the training follows from it")
    steps: int = Field(default=10_000_000, ge=1, description="decisions to play; learning rate and entropy follow them")
    seconds: float | None = Field(default=None, gt=0, description="stop after this time at the latest; null: no limit")
    threads: int = Field(
        default=2, ge=1, le=256, description="threads that play and learn; the result does not depend on it"
    )
    checkpoint_every: int = Field(default=20, ge=1, description="updates from one checkpoint to the next")
    network: NetworkSettings = NetworkSettings()
    rollout: RolloutSettings = RolloutSettings()
    learner: LearnerSettings = LearnerSettings()
    opponents: OpponentSettings = OpponentSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
