"""`kontor compare`: which of two agents is better, in as few games as it takes to know."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from envs.errors import KontorError
from experiments.commands.agents import AGENT_HELP
from experiments.commands.arguments import MOST_SEED, OptionPairs, console, find_game, read_options
from experiments.commands.run import INTERRUPTED

MOST_ELO = 2000.0
"""Hypotheses further from 0 are none: 2000 points are odds of a hundred thousand to one."""


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help=AGENT_HELP)],
    second: Annotated[str, typer.Argument(metavar="B", help="the same")],
    game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="the game they play")],
    option: OptionPairs = [],  # noqa: B006
    elo0: Annotated[
        float, typer.Option(min=-MOST_ELO, max=MOST_ELO, help="one hypothesis: A is so many Elo points better than B")
    ] = 0.0,
    elo1: Annotated[float, typer.Option(min=-MOST_ELO, max=MOST_ELO, help="the other, a greater number")] = 50.0,
    alpha: Annotated[float, typer.Option(help="the chance to accept elo1 if elo0 is true")] = 0.05,
    beta: Annotated[float, typer.Option(help="the chance to accept elo0 if elo1 is true")] = 0.05,
    deals: Annotated[int, typer.Option(min=1, help="give up after so many deals")] = 2000,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="the seed of all chance")] = 0,
    workers: Annotated[int | None, typer.Option(min=0, help="processes that play; else one a core")] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="where games are kept; else under runs/")
    ] = None,
) -> None:
    """Compare two agents by a sequential test: stop as soon as the games have decided.

    Each deal is played in all seatings. Games are kept: the same command goes on where it was stopped.
    """
    from experiments.commands.agents import read_pair
    from experiments.compare import compare as play
    from experiments.compare import duel
    from experiments.progress import progress_display
    from experiments.provenance import usable_cores
    from experiments.sequential import SequentialTest
    from experiments.tables import elo as in_elo

    if elo0 >= elo1:
        raise KontorError(f"elo0 ({elo0:g}) has to be less than elo1 ({elo1:g})")
    for name, chance in (("alpha", alpha), ("beta", beta)):
        if not 0 < chance < 0.5:
            raise KontorError(f"{name} is {chance:g}: it has to be more than 0 and less than 0.5")
    found = find_game(game)
    options = read_options(found, option)
    agents = read_pair(first, second)
    for config in agents.values():
        config.check(found, options)
    one, other = agents
    label = f"{found.name}{options['num_players']}"
    experiment = duel(
        f"compare_{label}_{one}_{other}",
        agents,
        found,
        options,
        deals,
        seed,
        output,
        usable_cores() if workers is None else workers,
        [game.rpartition(":")[0]] if ":" in game else [],
    )
    test = SequentialTest(elo0, elo1, alpha, beta)
    with progress_display(experiment.name) as display:
        result = play(experiment, one, test, display)
    verdict, (low, high) = result.verdict, test.bounds
    out = console()
    out.print(
        f"{one} against {other}: score {100 * result.score.value:.1f} % "
        f"[{100 * result.score.low:.1f}, {100 * result.score.high:.1f}], Elo {in_elo(result.elo)}, "
        f"{verdict.blocks} deals of {result.games_per_block} games",
        markup=False,
    )
    out.print(f"log-likelihood ratio {verdict.ratio:+.2f}, bounds {low:+.2f} and {high:+.2f}", markup=False)
    if result.copies:
        out.print(f"{result.copies} deals were copies of others, move for move: they do not count", markup=False)
    accepted = {"elo0": elo0, "elo1": elo1}.get(verdict.accepted or "")
    if accepted is not None:
        side = "more" if verdict.accepted == "elo1" else "less"
        out.print(f"decided: {accepted:+g} Elo points or {side}", markup=False)
    else:
        out.print(f"not decided between {elo0:+g} and {elo1:+g} Elo points", markup=False)
    out.print(f"games: {result.store}", markup=False)
    if result.interrupted and accepted is None:
        print("kontor: stopped; the same command goes on from there", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
