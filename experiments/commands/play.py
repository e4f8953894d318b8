"""`kontor play` and `kontor replay`: a game on the terminal, as it is played or from its record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envs.errors import KontorError
from experiments.commands.arguments import (
    GameName,
    OptionPairs,
    Seed,
    find_game,
    in_words,
    options_in_words,
    read_options,
)

if TYPE_CHECKING:
    from envs.position import Position
    from envs.record import GameRecord


def play(
    name: GameName,
    option: OptionPairs = [],  # noqa: B006
    seed: Seed = 0,
    actions: Annotated[
        str, typer.Option(metavar="A,B,…", help="begin with these actions (indices, `kontor show GAME --actions`)")
    ] = "",
    boards: Annotated[bool, typer.Option("--boards", help="print the board after every move")] = False,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="write the game's record to this file")] = None,
) -> None:
    """Play a game at random and print it; the same seed plays the same game."""
    import numpy as np

    from envs.position import Position
    from envs.record import GameRecord

    game = find_game(name)
    position = Position(game, read_options(game, option), seed)
    begin = _indices(actions)
    rng = np.random.default_rng(seed)
    lines = [f"{game.title}, {options_in_words(position.options)}, seed {seed}"]
    played: list[int] = []
    while begin or not position.is_over:
        action = begin.pop(0) if begin else int(rng.choice(position.legal_actions()))
        lines.append(_move(position, position.checked_action(action)))
        position.apply(action)
        played.append(action)
        if boards and not position.is_over:
            lines += [game.text(position.describe()), ""]
    lines += ["", game.text(position.describe()), _outcome(position)]
    if record is not None:
        GameRecord.of(position, seed, played).save(record)
        lines.append(f"recorded: {record} (kontor replay {record})")
    print("\n".join(lines))


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
            print(_outcome(position))
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
    """The next move in words; to a seat, another seat's choice is told by what the board shows of it."""
    if player is None or player == position.current_player:
        return _move(position, action)
    return f"{position.move_number + 1:4}  player_{position.current_player} acts"


def _move(position: Position, action: int) -> str:
    return f"{position.move_number + 1:4}  player_{position.current_player}  {in_words(position.decode_action(action))}"


def _outcome(position: Position) -> str:
    if not position.is_over:
        return f"the game is not over: player_{position.current_player} is to act"
    returns = ", ".join(f"player_{seat} {value:+g}" for seat, value in enumerate(position.returns()))
    winners = position.winners()
    if len(winners) == position.num_players:
        result = "drawn"
    else:
        result = f"won by {' and '.join(f'player_{seat}' for seat in winners)}"
    cap = " (cut off by the cap on its length)" if position.truncated else ""
    return f"{result} after {position.move_number} moves{cap}; returns: {returns}"


def _indices(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise KontorError(f"--actions {text!r}: write action indices with commas between them") from None
