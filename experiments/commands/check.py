"""`kontor check`: does a game keep the contract, its secrets, and PettingZoo's rules?"""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

from experiments.commands.arguments import GameName, OptionPairs, Seed, console, find_game, read_options


def check(
    name: GameName,
    option: OptionPairs = [],  # noqa: B006
    positions: Annotated[int, typer.Option(min=1, help="how many random positions to look at")] = 1000,
    games: Annotated[int, typer.Option(min=1, help="how many games the environment plays")] = 5,
    seed: Seed = 0,
) -> None:
    """Check a game: the conformance suite, the secrecy audit and the AEC environment, for every number of players.

    What a game breaks is said in one line, with the position it was found at. Needs PettingZoo.
    """
    from envs.audit import audit_secrecy
    from envs.conformance import check_game
    from envs.conformance_aec import check_aec, line_ups
    from envs.position import checked_seed

    checked_seed(seed)
    game = find_game(name)
    given = read_options(game, option)
    if not any(pair.startswith("num_players=") for pair in option):
        del given["num_players"]
    out = console()
    for options in line_ups(game, given):
        label = f"{game.name}, {options['num_players']} players"
        walk = check_game(game, options, positions, seed)
        out.print(f"{label}: conforms at {positions} positions of {walk.games} games")
        report = audit_secrecy(game, options, positions, seed)
        out.print(f"{label}: keeps its secrets at {report.positions} positions, {report.hidden_places} hidden places")
        unused = [kind for kind, count in walk.action_types.items() if count == 0]
        if unused:
            out.print(f"{label}: random play never chose {', '.join(unused)}: look at more positions")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_aec(game, options, games)
        out.print(f"{label}: steps as a PettingZoo environment in {games} games")
