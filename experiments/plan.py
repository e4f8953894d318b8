"""Which games a tournament plays: a pure function of its config.

A deal is one seed of a game's chance. The agents that sit down together are a line-up; the games of one
line-up on one deal, one for each seating, are a block, in which the luck of the deal and of the seat cancels
(duplicate play). All line-ups of a game play the same deals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np

from envs.chance import SEED_BITS
from experiments.config import Experiment, TournamentConfig

Lineup = tuple[str, ...]
"""The names of the agents at a table, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game to be played: seat s is played by the agent named `seating[s]`; `seed` is the deal's."""

    id: str
    setting: int
    deal: int
    seating: tuple[str, ...]
    seed: int

    @property
    def lineup(self) -> Lineup:
        return tuple(sorted(self.seating))


def plan(experiment: Experiment) -> list[PlannedGame]:
    """All games of an experiment, in the order they are started: deal by deal, so that the mix never changes."""
    agents = sorted(experiment.agents)
    tables = [
        [seating for lineup in lineups for seating in seatings(lineup, experiment.tournament)]
        for lineups in (
            FORMATS[experiment.tournament.format](agents, setting.num_players, experiment.tournament)
            for setting in experiment.settings
        )
    ]
    games = []
    for deal in range(max(setting.deals for setting in experiment.settings)):
        for index, setting in enumerate(experiment.settings):
            if deal < setting.deals:
                seed = deal_seed(experiment.seed, setting.label, deal)
                games += [
                    PlannedGame(f"{setting.label}/{deal}/{'+'.join(seating)}", index, deal, seating, seed)
                    for seating in tables[index]
                ]
    return games


def round_robin(agents: Sequence[str], seats: int, tournament: TournamentConfig) -> Iterator[Lineup]:
    """Every group of agents that fills a table; with `repeat_agents` also those with an agent more than once.

    An agent is alone with itself only where there is no other.
    """
    if not tournament.repeat_agents:
        yield from combinations(agents, seats)
        return
    for lineup in combinations_with_replacement(agents, seats):
        if len(set(lineup)) > 1 or len(agents) == 1:
            yield lineup


FORMATS: dict[str, Callable[[Sequence[str], int, TournamentConfig], Iterator[Lineup]]] = {"round_robin": round_robin}
"""How line-ups are drawn up: one function for each `tournament.format`."""


def seatings(lineup: Lineup, tournament: TournamentConfig) -> list[tuple[str, ...]]:
    """The seatings in which a line-up plays each deal, without those that differ in copies of an agent only."""
    if tournament.seats == "permutations":
        orders = list(permutations(lineup))
    else:
        orders = [(*lineup[turn:], *lineup[:turn]) for turn in range(len(lineup))]
    return list(dict.fromkeys(orders))


def deal_seed(run_seed: int, setting: str, deal: int) -> int:
    """The seed of a game's chance: the same for all line-ups and seatings of a deal."""
    return int.from_bytes(_hash("deal", run_seed, setting, deal)[:8], "big") >> (64 - SEED_BITS)


def agent_generator(run_seed: int, game_id: str, seat: int) -> np.random.Generator:
    """The generator of the agent at one seat of one game, apart from the deal's chance."""
    return np.random.default_rng(int.from_bytes(_hash("agent", run_seed, game_id, seat)[:16], "big"))


def _hash(*parts: object) -> bytes:
    return hashlib.sha256("\0".join(str(part) for part in parts).encode()).digest()
