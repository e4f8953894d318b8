"""The command line: `kontor COMMAND …`.

A command is a typer function in a module of `experiments.commands`; adding one is an import and a line below.

Bad input is one line on standard error and exit code 2. What is not the user's fault exits with 1: one line
too, with the traceback under `--debug`, which may stand anywhere on the line.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from envs.errors import KontorError
from experiments.commands.analyse import analyse
from experiments.commands.bench import bench
from experiments.commands.check import check
from experiments.commands.compare import compare
from experiments.commands.config import config
from experiments.commands.exploit import exploit
from experiments.commands.export import export
from experiments.commands.games import list_games, show_game
from experiments.commands.play import play, replay
from experiments.commands.report import report
from experiments.commands.run import run
from experiments.commands.serve import serve
from experiments.commands.train import train

BAD_INPUT, FAULT, INTERRUPTED = 2, 1, 130

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

app.command("list")(list_games)
app.command("show")(show_game)
app.command("play")(play)
app.command("replay")(replay)
app.command("analyse")(analyse)
app.command("check")(check)
app.command("bench")(bench)
app.command("run")(run)
app.command("train")(train)
app.command("report")(report)
app.command("compare")(compare)
app.command("exploit")(exploit)
app.add_typer(config, name="config")
app.command("export")(export)
app.command("serve")(serve)


@app.callback(invoke_without_command=True)
def kontor(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="show the traceback of an error")] = False,
) -> None:
    """Agents that play modern board games: games, experiments, and how fast they are."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    try:
        code: Any = app([word for word in words if word != "--debug"], prog_name="kontor", standalone_mode=False)
        return int(code or 0)
    except typer.Abort:
        return INTERRUPTED
    except Exception as error:
        if debug:
            traceback.print_exc()
        message, code = _explained(error)
        print(f"kontor: {' '.join(message.split())}", file=sys.stderr)
        return code


def _explained(error: Exception) -> tuple[str, int]:
    """What to tell the user of an error, and the exit code."""
    if isinstance(error, KontorError):
        return str(error), BAD_INPUT
    if hasattr(error, "format_message"):  # typer's own: an unknown command, a missing argument
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        return f"{error.format_message()}{hint}", BAD_INPUT
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}", BAD_INPUT
    if isinstance(error, OSError):
        return f"cannot write the output: {error.strerror or error}", BAD_INPUT
    if isinstance(error, MemoryError):
        return f"there is not enough memory: {error}", BAD_INPUT
    return f"a fault in the program: {type(error).__name__}: {error} (--debug shows where)", FAULT


if __name__ == "__main__":
    sys.exit(main())
