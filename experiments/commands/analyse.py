"""`kontor analyse`: what a search finds at one move of a recorded game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envs.errors import KontorError
from experiments.commands.agents import AGENT_HELP, read_agent, read_settings
from experiments.commands.arguments import console, in_words, options_in_words

if TYPE_CHECKING:
    from rich.table import Table

    from agents.mcts import SearchReport
    from agents.registry import AgentConfig
    from envs.position import Position
    from envs.record import GameRecord


def analyse(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="a record, written by `kontor play --record`, say")],
    move: Annotated[int, typer.Option(metavar="N", help="the position after N moves")],
    agent: Annotated[str, typer.Option("--agent", metavar="AGENT", help=f"who searches: {AGENT_HELP}")] = "mcts",
    iterations: Annotated[int | None, typer.Option(metavar="N", help="simulations; by default the agent's")] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="time to search for, in place of that")] = None,
    setting: Annotated[
        list[str],
        typer.Option("--setting", "-s", metavar="KEY=VALUE", help="a setting of the agent; give it once for each"),
    ] = [],  # noqa: B006
    seed: Annotated[int, typer.Option(min=0, help="the seed of the search")] = 0,
    lines: Annotated[int, typer.Option(min=1, help="how many actions are listed, best first")] = 20,
) -> None:
    """Search one position of a recorded game, from what the seat to act knows, and print what was found."""
    import numpy as np

    from agents.registry import make_agent
    from envs.record import GameRecord
    from envs.view import View

    record = GameRecord.load(file)
    position = position_after(record, move)
    config = _config(agent, setting, iterations, seconds)
    made = make_agent(config, position.game, position.options, np.random.default_rng(seed))
    search_report = getattr(made, "search_report", None)
    if search_report is None:
        raise KontorError(f"--agent {agent}: {config.type} does not search, there is nothing to report")
    seat = position.current_player
    assert seat is not None
    report = search_report(View(position, seat))
    out = console()
    out.print(f"{position.game.title}, {options_in_words(position.options)}, after move {move}", markup=False)
    print(position.game.text(position.describe(seat)))
    out.print(f"\nplayer_{seat} to act, as it sees the position", markup=False)
    for line in _summary(report):
        out.print(line, markup=False)
    out.print()
    out.print(_table(report, position, lines))
    if len(report.actions) > lines:
        out.print(f"and {len(report.actions) - lines} more (--lines)", markup=False)
    out.print("\nprincipal variation", markup=False)
    for step, words in enumerate(_in_words(report.principal_variation, position), 1):
        out.print(f"{step:4}  {words}", markup=False)
    if move < len(record.actions):
        played = in_words(position.decode_action(record.actions[move]))
        out.print(f"\nplayed in the record: {played}", markup=False)


def position_after(record: GameRecord, move: int) -> Position:
    """The position of a record after that many moves. Errors: `KontorError` if nobody is to act there."""
    moves = len(record.actions)
    if not 0 <= move <= moves:
        raise KontorError(f"--move {move} is out of range: the record has {moves} moves")
    record.replay()
    position = next(place for number, place in enumerate(record.positions()) if number == move)
    if position.is_over:
        raise KontorError(f"--move {move}: the game is over there, nothing is to be decided")
    return position


def _config(agent: str, pairs: Sequence[str], iterations: int | None, seconds: float | None) -> AgentConfig:
    """The settings of the agent that searches. Errors: `KontorError`."""
    from agents.registry import agent_config

    _, config = read_agent(agent)
    settings = read_settings(pairs)
    for name, value in (("iterations", iterations), ("seconds", seconds)):
        if value is not None:
            if name in settings:
                raise KontorError(f"setting {name!r} is given twice")
            settings[name] = value
    return agent_config(config.type, **(config.model_dump(exclude={"type"}, exclude_unset=True) | settings))


def _summary(report: SearchReport) -> list[str]:
    reused = f", {report.reused} visits kept from before" if report.reused else ""
    lines = [
        f"{report.iterations} simulations{reused} in {report.seconds:.3g} s "
        f"({report.simulations_per_second:,.0f} a second), {report.nodes} nodes"
    ]
    if report.budget_reached:
        lines.append("the node budget was reached: the tree stopped growing (node_budget)")
    return lines


def _table(report: SearchReport, position: Position, lines: int) -> Table:
    from rich.markup import escape
    from rich.table import Table

    seats = [f"player_{seat}" for seat in range(position.num_players)]
    table = Table(box=None, pad_edge=False)
    for heading in ("action", "visits", "share", "available", "prior", *seats):
        table.add_column(heading, justify="left" if heading == "action" else "right")
    visits = max(1, sum(entry.visits for entry in report.actions))
    for entry in report.actions[:lines]:
        words = in_words(position.decode_action(entry.action)) + (" (wins)" if entry.wins else "")
        table.add_row(
            escape(words),
            str(entry.visits),
            f"{100 * entry.visits / visits:.1f} %",
            str(entry.availability),
            f"{entry.prior:.3f}",
            *(f"{value:+.3f}" if entry.visits else "" for value in entry.values),
        )
    return table


def _in_words(actions: Sequence[int], position: Position) -> list[str]:
    """The actions in words; beyond the first the position is not known, and an action need not fit what comes."""
    return [in_words(position.decode_action(action)) for action in actions]
