"""`ppo`: a network as an agent, from a checkpoint or trained for the occasion; torch comes with its first move."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, ValidationInfo, field_validator

from agents.agent import Agent, AgentError
from agents.ppo.config import TrainingSettings
from agents.ppo.files import SUFFIX, file_hash
from agents.registry import AgentConfig, AgentType, TrainingReport, register_agent
from envs.chance import SEED_BITS
from envs.game import Game
from envs.options import Options
from envs.position import Array
from envs.view import View

if TYPE_CHECKING:
    from agents.ppo.network import PolicyNetwork
    from agents.ppo.trainer import Progress


class PpoConfig(AgentConfig):
    """Settings of `ppo`: either a checkpoint or a training."""

    type: Literal["ppo"] = Field(default="ppo", description="a network trained by self-play (PPO)")
    checkpoint: str | Annotated[tuple[str, ...], Field(min_length=1)] | None = Field(
        default=None,
        description="an agent file, or the folder of a training, or several, for several games or numbers of players: "
        "the first that fits a game plays it",
    )
    choose: Literal["best", "latest"] = Field(
        default="best", description="which checkpoint of a training's folder: the best by evaluation, or the latest"
    )
    weights: str | None = Field(
        default=None,
        validate_default=True,
        description="the first 16 digits of the checkpoint's content hash; worked out if it is not given, so that "
        "results name the very network that played",
    )
    train: TrainingSettings | None = Field(
        default=None,
        description="train first, for each game of the experiment, and then play: the settings of a training",
    )
    temperature: float = Field(
        default=0.0, ge=0, description="0 plays the most likely action; 1 draws from the policy; more is more random"
    )

    @field_validator("weights", mode="before")
    @classmethod
    def _name_weights(cls, given: Any, info: ValidationInfo) -> Any:
        checkpoint = info.data.get("checkpoint")
        if not checkpoint or given:
            return given
        try:
            return content_hash(checkpoint, info.data.get("choose", "best"))
        except AgentError:
            return given  # refused with a message when the agent is made

    @property
    def needs_training(self) -> bool:
        """Whether `train` is still to be done."""
        return self.train is not None

    def check(self, game: Game, options: Options) -> None:
        """See `AgentConfig`; of an agent to be trained the settings are checked."""
        if (self.train is None) == (self.checkpoint is None):
            raise AgentError("agent ppo needs either a checkpoint or train, the settings of a training")
        if self.train is None:
            super().check(game, options)
            return
        from agents.ppo.evaluation import make_field
        from agents.ppo.players import make_fixed

        make_field(self.train.evaluation.field, game, options)
        make_fixed(self.train.opponents, game, options)

    def trained(
        self,
        tables: Sequence[tuple[str, Game, Options]],
        folder: Path,
        report: TrainingReport,
        stopped: Callable[[], bool],
    ) -> Self:
        """See `AgentConfig`: one training for each game, in a folder of its own."""
        from agents.ppo.trainer import Trainer

        if self.train is None:
            return self
        folders = []
        for label, game, options in tables:
            place = folder / _as_file_name(label)
            trainer = Trainer(game, options, self.train, place, label)
            trainer.run(partial(_tell, report, label), stopped)
            if stopped():
                return self
            folders.append(str(place))
        return self.model_copy(update={"train": None, "checkpoint": tuple(folders)})


class PpoAgent(Agent):
    """Plays by a network: at temperature 0 its most likely action, else one drawn from its policy."""

    def __init__(self, network: PolicyNetwork, facts: Mapping[str, Any], temperature: float, rng: np.random.Generator):
        self.network, self.facts, self.temperature, self._rng = network, facts, temperature, rng

    def act(self, view: View) -> int:
        """A legal action by the policy of the seat's observation."""
        return self.act_batch([view])[0]

    def act_batch(self, views: Sequence[View]) -> list[int]:
        """As `act`, with one call of the network; rounding may differ from single calls in the last digit."""
        import torch

        from agents.ppo.policy import choose

        with torch.inference_mode():
            logits = self.network(torch.from_numpy(np.stack([view.observation for view in views])))[0].numpy()
        keys = self._rng.integers(1 << SEED_BITS, size=len(views))
        return [
            int(choose(row, view.action_mask, self.temperature, int(key))[0])
            for row, view, key in zip(logits, views, keys, strict=True)
        ]

    def estimate(self, view: View) -> Array:
        """The value head's word on the acting seat; of the others it says nothing."""
        import torch

        with torch.inference_mode():
            value = self.network(torch.from_numpy(view.observation[None]))[1].item()
        values = np.full(view.num_players, np.nan)
        values[view.seat] = value * self.network.shape.value_scale
        return values

    def save(self, path: Path) -> None:
        """Write an agent file."""
        from agents.ppo.checkpoint import write_agent

        write_agent(path, self.network, self.facts)

    def load(self, path: Path) -> None:
        """Take over the network of an agent file, or of the folder of a training. Errors: `AgentError`."""
        from agents.ppo.checkpoint import read_agent

        self.network, self.facts = read_agent(agent_file(path, "best"))


def _tell(report: TrainingReport, label: str, progress: Progress) -> None:
    report(f"{label}: {progress.in_words()}", progress.share)


def agent_file(path: Path, choose: str) -> Path:
    """The agent file that a path stands for: itself, or in the folder of a training the best or latest one."""
    return path / f"{choose}{SUFFIX}" if path.is_dir() else path


def content_hash(checkpoint: str | Sequence[str], choose: str) -> str:
    """16 hex digits over the content of one agent file or several. Errors: `AgentError`."""
    paths = [checkpoint] if isinstance(checkpoint, str) else checkpoint
    hashes = [file_hash(agent_file(Path(path), choose)) for path in paths]
    return (hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest())[:16]


def _as_file_name(label: str) -> str:
    """A game's label, such as `leduc_poker[num_players=3]`, as the name of a folder."""
    return "".join(letter if letter.isalnum() or letter in "_-." else "-" for letter in label).strip("-")


def _make(config: PpoConfig, game: Game, options: Options, rng: np.random.Generator) -> PpoAgent:
    if config.checkpoint is None:
        raise AgentError("agent ppo has no checkpoint" + (": it is to be trained first" if config.train else ""))
    network, facts = _load(config, game, tuple(options.items()))
    return PpoAgent(network, facts, config.temperature, rng)


@lru_cache(maxsize=64)
def _load(
    config: PpoConfig, game: Game, options: tuple[tuple[str, Any], ...]
) -> tuple[PolicyNetwork, Mapping[str, Any]]:
    """The first network that fits, shared by all games of a process: it is only ever read."""
    from agents.ppo.checkpoint import agent_facts, misfit, read_agent

    assert config.checkpoint is not None
    paths = [config.checkpoint] if isinstance(config.checkpoint, str) else config.checkpoint
    files = [agent_file(Path(path), config.choose) for path in paths]
    reasons = []
    for file in files:
        reason = misfit(agent_facts(file), game, dict(options))
        if reason is None:
            if config.weights and content_hash(config.checkpoint, config.choose) != config.weights:
                raise AgentError(f"{file}: the checkpoint is no longer the one with weights {config.weights}")
            return read_agent(file)
        reasons.append(f"{file}: {reason}")
    raise AgentError("agent ppo has no checkpoint for this game: " + "; ".join(reasons))


register_agent(
    AgentType(
        name="ppo",
        config=PpoConfig,
        make=_make,
        summary="plays by a network trained by self-play (proximal policy optimisation)",
    )
)
