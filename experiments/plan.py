"""Which games a tournament plays: a pure function of its config, and in a Swiss tournament of its earlier rounds.

A deal is one seed of a game's chance. The agents that sit down together are a line-up; the games of one
line-up on one deal, one for each seating, are a block, in which the luck of the deal and of the seat cancels
(duplicate play). All line-ups of a game play the same deals.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np

from envs.chance import SEED_BITS
from experiments.config import Experiment, TournamentConfig

WINDOW = 2
"""How far apart checkpoints of one training may be at a table of a league, unless the config says so."""

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


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """What a later round depends on: who sat at a table of a setting, and their shares of the win."""

    setting: int
    deal: int
    seating: tuple[str, ...]
    shares: tuple[float, ...]


def num_rounds(experiment: Experiment) -> int:
    """How many rounds are played: one after another, each planned from what came out of those before."""
    tournament = experiment.tournament
    if tournament.format != "swiss":
        return 1
    return tournament.rounds or max(2, math.ceil(math.log2(len(experiment.agents))))


def planned_counts(experiment: Experiment) -> list[int]:
    """How many games each setting has, all rounds together."""
    counts = Counter(game.setting for game in plan(experiment))
    return [counts[index] * num_rounds(experiment) for index in range(len(experiment.settings))]


def plan(experiment: Experiment, number: int = 0, played: Sequence[PlayedGame] = ()) -> list[PlannedGame]:
    """All games of a round, in the order they are started: deal by deal, so that the mix never changes.

    Only a Swiss tournament has more than one; round `number` needs all games `played` in those before.
    """
    agents = sorted(experiment.agents)
    tables = []
    for index, setting in enumerate(experiment.settings):
        if experiment.tournament.format == "swiss":
            earlier = [game for game in played if game.setting == index and game.deal < number * setting.deals]
            lineups = swiss_round(agents, setting.num_players, earlier)
        else:
            draw_up = FORMATS[experiment.tournament.format]
            lineups = list(draw_up(agents, setting.num_players, experiment.tournament))
        tables.append([seating for lineup in lineups for seating in seatings(lineup, experiment.tournament)])
    games = []
    for turn in range(max(setting.deals for setting in experiment.settings)):
        for index, setting in enumerate(experiment.settings):
            if turn < setting.deals:
                deal = number * setting.deals + turn
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


def gauntlet(agents: Sequence[str], seats: int, tournament: TournamentConfig) -> Iterator[Lineup]:
    """The challenger, once, with every group of the others that fills the table."""
    others = [agent for agent in agents if agent != tournament.challenger]
    groups = combinations_with_replacement if tournament.repeat_agents else combinations
    for group in groups(others, seats - 1):
        yield tuple(sorted((str(tournament.challenger), *group)))


def league(agents: Sequence[str], seats: int, tournament: TournamentConfig) -> Iterator[Lineup]:
    """Every group in which checkpoints of one training, `NAME.NUMBER`, are at most `window` checkpoints apart.

    So each meets its neighbours in age, all other agents meet everyone, and the games grow with the number of
    checkpoints, not with its square; ratings reach from the first to the last along the chain.
    """
    ages: dict[str, tuple[str, int]] = {}
    families: dict[str, list[int]] = defaultdict(list)
    for agent in agents:
        family, _, number = agent.rpartition(".")
        if family and number.isdigit():
            families[family].append(int(number))
    for agent in agents:
        family, _, number = agent.rpartition(".")
        if family in families and number.isdigit():
            ages[agent] = family, sorted(families[family]).index(int(number))
    window = tournament.window or WINDOW
    for lineup in combinations(agents, seats):
        pairs = combinations([ages[agent] for agent in lineup if agent in ages], 2)
        if all(one[0] != other[0] or abs(one[1] - other[1]) <= window for one, other in pairs):
            yield lineup


FORMATS: dict[str, Callable[[Sequence[str], int, TournamentConfig], Iterator[Lineup]]] = {
    "round_robin": round_robin,
    "gauntlet": gauntlet,
    "league": league,
}
"""How line-ups are drawn up where they do not depend on results: one function for each `tournament.format`."""


def swiss_round(agents: Sequence[str], seats: int, played: Sequence[PlayedGame]) -> list[Lineup]:
    """The tables of the next round: filled from the top of the standings, with those met least often so far.

    The standing is the mean share of the win. If the agents do not fill all tables, those sit out who did so least
    often, of these the lowest. This is the idea of the Dutch system (FIDE Handbook C.04.3), for any number of seats
    and without its rules on colours: every table plays its deals in all seatings.
    """
    shares: dict[str, list[float]] = {agent: [] for agent in agents}
    met: Counter[tuple[str, str]] = Counter()
    for game in played:
        for agent, share in zip(game.seating, game.shares, strict=True):
            shares[agent].append(share)
        met.update(permutations(game.seating, 2))
    standing = {agent: sum(own) / len(own) if own else 0.0 for agent, own in shares.items()}
    order = sorted(agents, key=lambda agent: (-round(standing[agent], 9), agent))
    sitting_out = sorted(order, key=lambda agent: (-len(shares[agent]), -order.index(agent)))[: len(order) % seats]
    free = [agent for agent in order if agent not in sitting_out]
    lineups = []
    while free:
        table = [free.pop(0)]
        while len(table) < seats:
            table.append(min(free, key=lambda other: (sum(met[one, other] for one in table), free.index(other))))
            free.remove(table[-1])
        lineups.append(tuple(sorted(table)))
    return lineups


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
