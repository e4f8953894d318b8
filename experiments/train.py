"""A training as a YAML file, and how it is run: the schema is that of `train` under an agent, and the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agents.alphazero.config import AlphaZeroSettings
from agents.learning.agent import LearnedConfig
from agents.learning.config import CommonSettings, Section
from agents.ppo.config import TrainingSettings
from agents.registry import agent_config
from envs.errors import KontorError, unknown
from envs.game import Game
from envs.options import Options
from experiments.config import ConfigLoader, Name
from experiments.locking import lock
from experiments.yaml_source import YamlSource

if TYPE_CHECKING:
    from agents.learning.trainer import BaseTrainer, Progress


class TrainFile(Section):
    """What every training's file has beside the settings of the training itself."""

    name: Name | None = Field(default=None, description="the training's name; else the file's name")
    output: str | None = Field(default=None, description="the folder of the training; else `runs/<name>`")
    imports: tuple[str, ...] = Field(default=(), strict=False, description="modules to import first")
    game: str = Field(description="the game's name, see `kontor list`")
    options: dict[str, Any] = Field(default_factory=dict, description="the game's options, see `kontor show GAME`")


class TrainConfig(TrainFile, TrainingSettings):
    """The whole file of a training by PPO."""

    algorithm: Literal["ppo"] = Field(default="ppo", description="how it learns: `ppo`, or `alphazero`")


class AlphaZeroTrainConfig(TrainFile, AlphaZeroSettings):
    """The whole file of a training by AlphaZero."""

    algorithm: Literal["alphazero"] = Field(description="how it learns: `alphazero`; else it is `ppo`")


ALGORITHMS: dict[str, tuple[type[TrainFile], type[CommonSettings]]] = {
    "ppo": (TrainConfig, TrainingSettings),
    "alphazero": (AlphaZeroTrainConfig, AlphaZeroSettings),
}
"""How agents are trained, by the type of the agent: the whole file, and the part that is the training's own."""


@dataclass(frozen=True)
class Training:
    """A checked config: a game under complete options, the settings, and the folder."""

    name: str
    output: Path
    game: Game
    options: Options
    algorithm: str
    settings: CommonSettings

    def trainer(self) -> BaseTrainer[Any]:
        """What trains, with whatever the folder holds already. Errors: `AgentError`."""
        agent = agent_config(self.algorithm, train=self.settings)
        assert isinstance(agent, LearnedConfig)
        return agent.make_trainer(self.game, self.options, self.output, self.name)


def load_training(path: Path, overrides: Sequence[str] = ()) -> Training:
    """Read, complete and check a config file; `overrides` are `key=value`. Errors: `ConfigError`."""
    loader = ConfigLoader(YamlSource.read(path), overrides)
    algorithm = loader.data.get("algorithm", "ppo") if isinstance(loader.data, dict) else "ppo"
    if str(algorithm) not in ALGORITHMS:  # it may be anything
        raise loader.fail(("algorithm",), unknown("algorithm", str(algorithm), ALGORITHMS))
    file, part = ALGORITHMS[algorithm]
    config = loader.check(file, loader.data)
    loader.import_modules(config.imports)
    game, options = loader.game(config.game, config.options)
    own = set(file.model_fields) - set(part.model_fields)
    settings = part.model_validate_json(config.model_dump_json(exclude=own), strict=True)
    _check_opponents(loader, settings, game, options)
    name = config.name or path.stem
    output = Path(config.output) if config.output else Path("runs") / name
    return Training(name, output, game, options, algorithm, settings)


def _check_opponents(loader: ConfigLoader, settings: CommonSettings, game: Game, options: Options) -> None:
    """All agents named in the settings can be made, and can play the game, and so can what is trained."""
    from agents.learning.evaluation import make_field
    from agents.learning.network import NetworkShape
    from agents.learning.players import make_fixed

    places: list[tuple[tuple[str, ...], Callable[[], object]]] = [
        (("evaluation", "field"), lambda: make_field(settings.evaluation.field, game, options)),
    ]
    if isinstance(settings, TrainingSettings):
        fixed = [opponent.agent for opponent in settings.opponents.fixed]
        places.append((("opponents", "fixed"), lambda: make_fixed(fixed, game, options)))
        places.append((("network", "kind"), lambda: NetworkShape.of(settings.network, game, options)))
    if isinstance(settings, AlphaZeroSettings):
        from agents.alphazero.trainer import check_settings

        places.append(((), lambda: check_settings(settings, game, options)))
    for place, make in places:
        try:
            make()
        except KontorError as error:
            raise loader.fail(place, str(error)) from None


def run(
    training: Training, report: Callable[[Progress], None] = lambda progress: None
) -> tuple[BaseTrainer[Any], bool]:
    """Train to the end, or until Ctrl-C; gives the trainer, and whether it was interrupted.

    Errors: `TrainingError`; `InUse` if another process is at it.
    """
    from experiments.tournament import stop_on_interrupt

    training.output.mkdir(parents=True, exist_ok=True)
    with lock(training.output, "training here"):
        trainer = training.trainer()
        with stop_on_interrupt() as stopped:
            trainer.run(report, stopped)
        return trainer, not trainer.is_done
