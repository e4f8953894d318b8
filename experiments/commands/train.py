"""`kontor train`: train an agent by self-play, with its progress, and show how good it has become."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments.commands.arguments import console
from experiments.commands.run import INTERRUPTED

if TYPE_CHECKING:
    from agents.learning.trainer import BaseTrainer
    from experiments.train import Training


def train(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="the training, a YAML file")],
    overrides: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE…", help="changes to it, for example steps=200000 network.width=64"),
    ] = None,
) -> None:
    """Train an agent by self-play (`algorithm: ppo` or `alphazero`); its checkpoints can play in any experiment.

    Run it again to go on where it stopped: the result is the same as without the stop.
    """
    from experiments.progress import training_display
    from experiments.train import load_training, run

    training = load_training(config, overrides or [])
    with training_display(training.name) as display:
        trainer, interrupted = run(training, display)
    if interrupted:
        print(
            f"kontor: stopped after {trainer.counters.steps} of {training.settings.steps} steps, all of them stored in "
            f"{training.output}: the same command goes on from there",
            file=sys.stderr,
        )
        raise typer.Exit(INTERRUPTED)
    show(training, trainer)


def show(training: Training, trainer: BaseTrainer[Any]) -> None:
    """Print how the best checkpoint fares against the field, and how to let it play."""
    from rich.table import Table

    counters, best = trainer.counters, trainer.best
    assert best is not None
    out = console()
    out.print(
        f"{training.name}: {counters.steps} steps, {counters.games} games, {counters.seconds:.0f} s; "
        f"best is update {best.update} of {counters.update}, on games that it was not chosen by:",
        markup=False,
    )
    table = Table(box=None, pad_edge=False)
    for heading in ("against", "win share", "95 % interval", "games", "cut off"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for name, result in trainer.final_report().items():
        low, high = result.interval()
        interval = f"{100 * low:.1f} to {100 * high:.1f} %"
        table.add_row(name, f"{100 * result.win_rate:.1f} %", interval, str(result.games), str(result.truncated))
    out.print(table)
    out.print(f"curves: tensorboard --logdir {training.output}", markup=False)
    out.print(
        f"to play: agents: {{{training.name}: {{type: {training.algorithm}, checkpoint: {training.output}}}}}",
        markup=False,
    )
