"""A training as a YAML file, and how it is run: the schema is that of `train` under an agent, and the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from agents.ppo.config import TrainingSettings
from envs.errors import KontorError
from envs.game import Game
from envs.options import Options
from experiments.config import ConfigLoader, Name
from experiments.locking import lock
from experiments.yaml_source import YamlSource

if TYPE_CHECKING:
    from agents.ppo.trainer import Progress, Trainer


class TrainConfig(TrainingSettings):
    """The whole file."""

    name: Name | None = Field(default=None, description="the training's name; else the file's name")
    output: str | None = Field(default=None, description="the folder of the training; else `runs/<name>`")
    imports: tuple[str, ...] = Field(default=(), strict=False, description="modules to import first")
    game: str = Field(description="the game's name, see `kontor list`")
    options: dict[str, Any] = Field(default_factory=dict, description="the game's options, see `kontor show GAME`")


@dataclass(frozen=True)
class Training:
    """A checked config: a game under complete options, the settings, and the folder."""

    name: str
    output: Path
    game: Game
    options: Options
    settings: TrainingSettings

    def trainer(self) -> Trainer:
        """What trains, with whatever the folder holds already. Errors: `AgentError`."""
        from agents.ppo.trainer import Trainer

        return Trainer(self.game, self.options, self.settings, self.output, self.name)


def load_training(path: Path, overrides: Sequence[str] = ()) -> Training:
    """Read, complete and check a config file; `overrides` are `key=value`. Errors: `ConfigError`."""
    loader = ConfigLoader(YamlSource.read(path), overrides)
    config = loader.check(TrainConfig, loader.data)
    loader.import_modules(config.imports)
    game, options = loader.game(config.game, config.options)
    own = set(TrainConfig.model_fields) - set(TrainingSettings.model_fields)
    settings = TrainingSettings.model_validate_json(config.model_dump_json(exclude=own), strict=True)
    _check_opponents(loader, settings, game, options)
    name = config.name or path.stem
    return Training(name, Path(config.output) if config.output else Path("runs") / name, game, options, settings)


def _check_opponents(loader: ConfigLoader, settings: TrainingSettings, game: Game, options: Options) -> None:
    """All agents named in the settings can be made, and can play the game."""
    from agents.ppo.evaluation import make_field
    from agents.ppo.players import make_fixed

    places: list[tuple[tuple[str, ...], Callable[[], object]]] = [
        (("evaluation", "field"), lambda: make_field(settings.evaluation.field, game, options)),
        (("opponents", "fixed"), lambda: make_fixed(settings.opponents, game, options)),
    ]
    for place, make in places:
        try:
            make()
        except KontorError as error:
            raise loader.fail(place, str(error)) from None


def run(training: Training, report: Callable[[Progress], None] = lambda progress: None) -> tuple[Trainer, bool]:
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
