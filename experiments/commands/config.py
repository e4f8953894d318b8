"""`kontor config`: the schema of config files, and whether a file is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from envs.errors import UnknownName
from experiments.commands.arguments import console

config = typer.Typer(help="The schema of config files, and whether a file is right.", no_args_is_help=True)

KINDS = ("run", "train", "alphazero")


@config.command("schema")
def schema(
    kind: Annotated[
        str, typer.Argument(help="run: of an experiment; train: of a training by ppo; alphazero: by that")
    ] = "run",
    agent: Annotated[str | None, typer.Option(metavar="TYPE", help="instead: of the settings of an agent")] = None,
) -> None:
    """Print the JSON schema of a config file, every key with its default and meaning."""
    from agents.registry import agent_type
    from experiments.config import ExperimentConfig
    from experiments.train import AlphaZeroTrainConfig, TrainConfig

    if kind not in KINDS:
        raise UnknownName("kind of config", kind, KINDS)
    model: Any = {"run": ExperimentConfig, "train": TrainConfig, "alphazero": AlphaZeroTrainConfig}[kind]
    if agent is not None:
        model = agent_type(agent).config
    print(json.dumps(model.model_json_schema(), indent=2, ensure_ascii=False))


@config.command("check")
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="experiments and trainings")],
) -> None:
    """Check config files without running anything: the first thing that is wrong is told in one line."""
    from experiments.config import ConfigLoader, load_experiment
    from experiments.plan import planned_counts
    from experiments.train import load_training
    from experiments.yaml_source import YamlSource

    out = console()
    for file in files:
        data = ConfigLoader(YamlSource.read(file), ()).data
        if isinstance(data, dict) and "game" in data and "games" not in data:
            training = load_training(file)
            out.print(f"{file}: a training of {training.settings.steps} steps", markup=False)
        else:
            experiment = load_experiment(file)
            games = sum(planned_counts(experiment))
            out.print(f"{file}: an experiment of {games} games by {len(experiment.agents)} agents", markup=False)
