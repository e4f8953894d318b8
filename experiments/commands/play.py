"""`kontor play` and `kontor replay`: a game on the terminal, as it is played or from its record."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envs.errors import KontorError
from experiments.commands.agents import AGENT_HELP, read_agent
from experiments.commands.arguments import (
    GameName,
    OptionPairs,
    Seed,
    console,
    find_game,
    options_in_words,
    read_options,
)

if TYPE_CHECKING:
    from envs.position import Position
    from envs.record import GameRecord
    from experiments.terminal import Player

HUMAN = "human"
BAD_INPUT, INTERRUPTED = 2, 130


def play(
    name: GameName,
    option: OptionPairs = [],  # noqa: B006
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            metavar="WHO",
            help="who sits at the seats from 0 on, once for each, the last for all that are left: human, or "
            f"{AGENT_HELP}; by default a person against the rule of thumb, or a search where there is none",
        ),
    ] = [],  # noqa: B006
    seed: Seed = 0,
    actions: Annotated[
        str, typer.Option(metavar="A,B,…", help="begin with these actions (indices, `kontor show GAME --actions`)")
    ] = "",
    boards: Annotated[bool, typer.Option("--boards", help="print the board after every move")] = False,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the game's record to this file, also of one that is left")
    ] = None,
) -> None:
    """Play a game against agents in the terminal, or let agents play; the same seed deals the same game."""
    from envs.position import Position
    from experiments.terminal import Left, TerminalGame, opening, outcome

    game = find_game(name)
    position = Position(game, read_options(game, option), seed)
    begin = _indices(actions)
    positions = opening(position, begin)
    players = _players(seat, position, seed)
    out = console()
    out.print(f"{game.title}, {options_in_words(position.options)}, seed {seed}", markup=False, soft_wrap=True)
    table = TerminalGame(players, positions, begin, seed, out, boards)
    code, stopped = 0, ""
    try:
        table.run()
    except Left:
        stopped = "left"
    except EOFError:
        stopped, code = "the input has ended", BAD_INPUT
    except KeyboardInterrupt:
        stopped, code = "interrupted", INTERRUPTED
    if stopped:
        print(f"\nkontor: {stopped} after {len(table.actions)} moves; {outcome(table.position)}", file=sys.stderr)
    if record is not None:
        table.record().save(record)
        out.print(f"recorded: {record} (kontor replay {record})", markup=False, soft_wrap=True)
    if code:
        raise typer.Exit(code)


def _players(seats: Sequence[str], position: Position, seed: int) -> list[Player]:
    """Who sits where, each agent with a generator of its own. Errors: `KontorError`."""
    import numpy as np

    from agents.heuristics.contract import heuristics_versions
    from agents.registry import make_agent
    from experiments.terminal import Player, seats_for

    game = position.game
    default = "greedy" if heuristics_versions(game.name) else "mcts"
    named = seats_for(seats, position.num_players, default)
    players = []
    for text, rng in zip(named, np.random.default_rng(seed).spawn(len(named)), strict=True):
        if text == HUMAN:
            players.append(Player("you" if named.count(HUMAN) == 1 else "a person", None))
            continue
        agent, config = read_agent(text)
        config.check(game, position.options)
        players.append(Player(agent, make_agent(config, game, position.options, rng)))
    return players


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a record, written by `kontor play --record`, say")],
    move: Annotated[int | None, typer.Option(metavar="N", help="only the position after N moves")] = None,
    player: Annotated[int | None, typer.Option(metavar="SEAT", help="only what this seat (from 0) may know")] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="DIR", help="also draw every position shown into this folder")
    ] = None,
) -> None:
    """Step through the record of a game, move by move: the boards, and the actions in words."""
    from envs.record import GameRecord, write_atomically
    from experiments.terminal import outcome

    record = GameRecord.load(file)
    _check_choice(record, move, player)
    record.replay()  # a record that does not replay is refused before anything is printed
    print(_heading(record))
    for number, position in enumerate(record.positions()):
        if move is not None and number != move:
            continue
        _show(position, number, player)
        if number < len(record.actions):
            print(_next(position, record.actions[number], player))
        else:
            print(outcome(position))
        if svg is not None:
            path = svg / f"{file.stem}_{number:04d}.svg"
            write_atomically(path, position.game.draw(position.describe(player)))
    if svg is not None:
        print(f"drawn: {svg}")


def _check_choice(record: GameRecord, move: int | None, player: int | None) -> None:
    if move is not None and not 0 <= move <= len(record.actions):
        raise KontorError(f"--move {move} is out of range: the record has {len(record.actions)} moves")
    seats = record.load_game().validate(record.options)["num_players"]
    if player is not None and not 0 <= player < seats:
        raise KontorError(f"--player {player} is out of range: the seats are 0 to {seats - 1}")


def _heading(record: GameRecord) -> str:
    game = record.load_game()
    return f"{game.title}, {options_in_words(record.options)}, seed {record.seed}, {len(record.actions)} moves"


def _show(position: Position, number: int, player: int | None) -> None:
    phase = "" if len(position.game.phases) == 1 or position.is_over else f", {position.phase}"
    print(f"\nafter move {number}{phase}")
    print(position.game.text(position.describe(player)))


def _next(position: Position, action: int, player: int | None) -> str:
    """The next move in words; to a seat, of another seat's choice what the whole table gets to know of it."""
    from experiments.replay import action_in_words

    words = action_in_words(position, action, player)
    return f"{position.move_number + 1:4}  player_{position.current_player}  {words}"


def _indices(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise KontorError(f"--actions {text!r}: write action indices with commas between them") from None
