"""`kontor list` and `kontor show`: which games there are, and what one is like."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.commands.arguments import GameName, OptionPairs, Seed, console, find_game, in_words, read_options

if TYPE_CHECKING:
    from rich.table import Table

    from envs.game import Game
    from envs.options import Options


def list_games() -> None:
    """List the games with their numbers of players and actions and what an agent sees."""
    from rich.table import Table

    from envs.catalog import game_names, get_game

    table = Table(box=None, pad_edge=False)
    for heading in ("game", "players", "actions", "observation", "position", "options"):
        table.add_column(heading, justify="right" if heading in ("actions", "observation", "position") else "left")
    for name in game_names():
        game = get_game(name)
        options = game.validate({})
        table.add_row(
            name,
            _players(game),
            str(game.num_actions(options)),
            f"{game.observation_size(options)} numbers",
            f"{game.dtype.itemsize} bytes",
            ", ".join(option.name for option in game.own_options),
        )
    console().print(table)


def show_game(
    name: GameName,
    option: OptionPairs = [],  # noqa: B006
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="draw the first position into this file")] = None,
    seed: Seed = 0,
    actions: Annotated[bool, typer.Option("--actions", help="list every action with its index")] = False,
) -> None:
    """Show a game: its options with ranges and defaults, phases, chance, actions, and a first position."""
    from envs.position import Position

    game = find_game(name)
    options = read_options(game, option)
    position = Position(game, options, seed)
    out = console()
    out.print(f"[bold]{game.title}[/] ({game.name}_v{game.version}): {game.summary}", end="\n\n")
    out.print(_options_table(game), "")
    out.print(f"phases: {', '.join(game.phases)}")
    out.print(f"streams of chance: {', '.join(game.streams) or 'none'}")
    out.print(f"hidden information: {'yes' if game.hidden_information else 'no'}")
    out.print(
        f"{position.num_actions} actions, an observation of {position.observation_size} numbers, "
        f"a position of {game.dtype.itemsize} bytes",
        end="\n\n",
    )
    out.print(_action_table(game, options, every=actions), "")
    print(game.text(position.describe()))
    if svg is not None:
        from envs.record import write_atomically

        write_atomically(svg, game.draw(position.describe()))
        print(f"\ndrawn: {svg}")


def _players(game: Game) -> str:
    few, many = game.min_players, game.max_players
    return str(few) if few == many else f"{few} to {many}"


def _options_table(game: Game) -> Table:
    from rich.table import Table

    table = Table("option", "values", "default", "what it does", box=None, pad_edge=False)
    for option in game.options:
        table.add_row(option.name, option.range, str(option.default).lower(), option.help)
    return table


def _action_table(game: Game, options: Options, every: bool) -> Table:
    """All actions, or for each type how many there are and the first as an example."""
    import json

    from rich.markup import escape
    from rich.table import Table

    decoded = [game.decode_action(index, options) for index in range(game.num_actions(options))]
    if every:
        table = Table("index", "action", "as JSON", box=None, pad_edge=False)
        for index, action in enumerate(decoded):
            table.add_row(str(index), escape(in_words(action)), escape(json.dumps(action)))
        return table
    table = Table("action", "how many", "for example", "as JSON", box=None, pad_edge=False)
    for kind in dict.fromkeys(action["type"] for action in decoded):
        indices = [index for index, action in enumerate(decoded) if action["type"] == kind]
        table.add_row(kind, str(len(indices)), str(indices[0]), escape(json.dumps(decoded[indices[0]])))
    return table
