"""Agents that play by a trained network: from a checkpoint, or trained for the occasion. Read without torch."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, ValidationInfo, field_validator

from agents.agent import AgentError
from agents.learning.config import CommonSettings
from agents.learning.files import SUFFIX, file_hash
from agents.registry import AgentConfig, TrainingReport
from envs.game import Game
from envs.options import Options

if TYPE_CHECKING:
    from agents.learning.checkpoint import AnyNetwork
    from agents.learning.trainer import BaseTrainer, Progress


class LearnedConfig(AgentConfig):
    """Settings of an agent that learns: either a checkpoint or `train`, the settings of a training.

    A subclass has a field `train` of its kind of settings, and says how the training is made and checked.
    """

    checkpoint: str | Annotated[tuple[str, ...], Field(min_length=1)] | None = Field(
        default=None,
        description="an agent file, or the folder of a training, or several, for several games or numbers of players: "
        "the first that fits a game plays it",
    )
    choose: Literal["best", "latest"] = Field(
        default="best",
        description="which checkpoint of a training's folder: the best by evaluation, or the latest",
    )
    weights: str | None = Field(
        default=None,
        validate_default=True,
        description="the first 16 digits of the checkpoint's content hash; worked out if it is not given, so that "
        "results name the very network that played",
    )

    @field_validator("weights", mode="before")
    @classmethod
    def _name_weights(cls, given: Any, info: ValidationInfo) -> Any:
        return given or weights_name(info.data.get("checkpoint"), info.data.get("choose", "best"))

    @property
    def training(self) -> CommonSettings | None:
        """The field `train`."""
        found: CommonSettings | None = getattr(self, "train", None)
        return found

    @abstractmethod
    def check_training(self, game: Game, options: Options) -> None:
        """Refuse settings of a training that do not go with a game. Errors: `AgentError`."""

    @abstractmethod
    def make_trainer(self, game: Game, options: Options, folder: Path, name: str) -> BaseTrainer[Any]:
        """The training in a folder. Errors: `AgentError`."""

    @property
    def needs_training(self) -> bool:
        """Whether `train` is still to be done."""
        return self.training is not None

    def check(self, game: Game, options: Options) -> None:
        """See `AgentConfig`; of an agent to be trained the settings are checked."""
        if (self.training is None) == (self.checkpoint is None):
            raise AgentError(f"agent {self.type} needs either a checkpoint or train, the settings of a training")
        if self.training is None:
            super().check(game, options)
        else:
            self.check_training(game, options)

    def trained(
        self,
        tables: Sequence[tuple[str, Game, Options]],
        folder: Path,
        report: TrainingReport,
        stopped: Callable[[], bool],
    ) -> Self:
        """See `AgentConfig`: one training for each game, in a folder of its own."""
        if self.training is None:
            return self
        folders = []
        for label, game, options in tables:
            place = folder / _as_file_name(label)
            self.make_trainer(game, options, place, label).run(partial(_tell, report, label), stopped)
            if stopped():
                return self
            folders.append(str(place))
        return self.model_copy(update={"train": None, "checkpoint": tuple(folders)})


def weights_name(checkpoint: str | Sequence[str] | None, choose: str) -> str | None:
    """The content hash of a checkpoint; None where there is none to be read: that is said when the agent is made."""
    try:
        return content_hash(checkpoint, choose) if checkpoint else None
    except AgentError:
        return None


def load_network(
    config: LearnedConfig, game: Game, options: Options, kind: type[AnyNetwork]
) -> tuple[AnyNetwork, Mapping[str, Any]]:
    """The first network of a config that fits a game, and its facts; shared by all games of a process.

    Errors: `AgentError` if there is none, or if the weights are no longer those that the config names.
    """
    if config.checkpoint is None:
        hint = ": it is to be trained first" if config.training else ""
        raise AgentError(f"agent {config.type} has no checkpoint{hint}")
    given: Any = kind  # mypy takes no class with an unknown constructor for hashable
    return _load(config.type, config.checkpoint, config.choose, config.weights, game, tuple(options.items()), given)


@lru_cache(maxsize=64)
def _load(
    agent: str,
    checkpoint: str | tuple[str, ...],
    choose: str,
    weights: str | None,
    game: Game,
    options: tuple[tuple[str, Any], ...],
    kind: type[AnyNetwork],
) -> tuple[AnyNetwork, Mapping[str, Any]]:
    from agents.learning.checkpoint import agent_facts, misfit, read_agent

    paths = [checkpoint] if isinstance(checkpoint, str) else checkpoint
    files = [agent_file(Path(path), choose) for path in paths]
    reasons = []
    for file in files:
        reason = misfit(agent_facts(file, kind.algorithm), game, dict(options))
        if reason is None:
            if weights and content_hash(checkpoint, choose) != weights:
                raise AgentError(f"{file}: the checkpoint is no longer the one with weights {weights}")
            return read_agent(file, kind)
        reasons.append(f"{file}: {reason}")
    raise AgentError(f"agent {agent} has no checkpoint for this game: " + "; ".join(reasons))


def agent_file(path: Path, choose: str) -> Path:
    """The agent file that a path stands for: itself, or in the folder of a training the best or latest one."""
    return path / f"{choose}{SUFFIX}" if path.is_dir() else path


def content_hash(checkpoint: str | Sequence[str], choose: str) -> str:
    """16 hex digits over the content of one agent file or several. Errors: `AgentError`."""
    paths = [checkpoint] if isinstance(checkpoint, str) else checkpoint
    hashes = [file_hash(agent_file(Path(path), choose)) for path in paths]
    return (hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest())[:16]


def _tell(report: TrainingReport, label: str, progress: Progress) -> None:
    report(f"{label}: {progress.in_words()}", progress.share)


def _as_file_name(label: str) -> str:
    """A game's label, such as `leduc_poker[num_players=3]`, as the name of a folder."""
    return "".join(letter if letter.isalnum() or letter in "_-." else "-" for letter in label).strip("-")
