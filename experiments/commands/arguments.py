"""What several commands take: a game by name, its options as `name=value`, and actions in words."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from envs.errors import KontorError, OptionError, unknown

if TYPE_CHECKING:
    from rich.console import Console

    from envs.game import Game
    from envs.options import Options

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="a game's name (`kontor list`), or MODULE:NAME for one that a module registers"
    ),
]
OptionPairs = Annotated[
    list[str],
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="an option of the game; give it once for each option"),
]
Seed = Annotated[int, typer.Option(help="the seed of the game")]

MOST_SEED = (1 << 63) - 1
"""Seeds of experiments and trainings are stored as 64-bit numbers."""

TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def console() -> Console:
    """Where commands print: as wide as the terminal, and without wrapping lines into a pipe or file."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 160, highlight=False, soft_wrap=False)


def find_game(name: str) -> Game:
    """The game of that name; `MODULE:NAME` imports the module first, from the working directory too.

    Errors: `KontorError`.
    """
    from envs.catalog import get_game

    module, colon, game = name.rpartition(":")
    if colon:
        if str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        try:
            import_module(module)
        except (Exception, SystemExit) as error:  # whatever the module does when it is imported
            raise KontorError(f"module {module!r} cannot be imported: {type(error).__name__}: {error}") from error
    return get_game(game)


def read_options(game: Game, pairs: Sequence[str]) -> Options:
    """The game's options with those given as `name=value`. Errors: `OptionError`."""
    schema = {option.name: option for option in game.options}
    given: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise OptionError(f"option {pair!r} has no value: write {name}=VALUE")
        if name not in schema:
            raise OptionError(unknown("option", name, schema, game.name))
        if name in given:
            raise OptionError(f"option {name!r} is given twice")
        given[name] = _value(schema[name].kind, text)
    return game.validate(given)


def _value(kind: str, text: str) -> Any:
    """The text as the option's kind of value; as it is where it is none, for the option to refuse by name."""
    if kind == "flag" and text.lower() in TRUE + FALSE:
        return text.lower() in TRUE
    if kind == "integer":
        try:
            return int(text)
        except ValueError:
            return text
    return text


def in_words(action: Mapping[str, Any]) -> str:
    """An action on one line: its type, then its arguments."""
    arguments = [f"{key} {_shown(value)}" for key, value in action.items() if key != "type"]
    return " ".join([str(action["type"]), ", ".join(arguments)]).strip()


def _shown(value: Any) -> str:
    return " ".join(str(part) for part in value) if isinstance(value, list) else str(value)


def options_in_words(options: Options) -> str:
    """Options on one line, as the command line takes them."""
    return ", ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in options.items()
    )
