"""Two agents against each other until it is decided which hypothesis holds: a round robin of two that ends early.

The verdict is that of the deals in order, up to the first that is not finished; so it does not depend on the number of
workers, and games played beyond it do not count.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from agents.registry import AgentConfig
from envs.game import Game
from envs.options import Options
from experiments.config import Experiment, Setting, TournamentConfig
from experiments.plan import plan
from experiments.sequential import SequentialTest, Verdict, elo_of
from experiments.statistics import Estimate, share_estimate
from experiments.store import SeatRow, Store
from experiments.tournament import Progress, run

SECONDS_BETWEEN_LOOKS = 0.25
"""How often the stored games are looked at, to see whether they decide."""


@dataclass(frozen=True)
class Comparison:
    """What came out: the verdict, the first agent's mean score in the blocks that it is of, that in Elo points, and
    how many blocks were copies of others and not counted. `interrupted`: Ctrl-C ended it."""

    verdict: Verdict
    score: Estimate
    elo: Estimate
    copies: int
    games_per_block: int
    store: Path
    interrupted: bool


def duel(
    name: str,
    agents: Mapping[str, AgentConfig],
    game: Game,
    options: Options,
    deals: int,
    seed: int = 0,
    output: Path | None = None,
    workers: int = 1,
    imports: Sequence[str] = (),
) -> Experiment:
    """The experiment in which two agents, by name, fill the table in all ways, on so many deals."""
    return Experiment(
        name=name,
        seed=seed,
        output=output or Path("runs") / name,
        workers=workers,
        records=True,
        imports=tuple(imports),
        tournament=TournamentConfig(repeat_agents=options["num_players"] > 2),
        settings=(Setting(game.name, options, deals),),
        agents=agents,
    )


def compare(
    experiment: Experiment,
    first: str,
    test: SequentialTest,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Comparison:
    """Play a `duel` until the test decides about `first`, or all deals are played."""
    games_per_block = len(plan(experiment)) // experiment.settings[0].deals
    last_look = 0.0

    def is_decided(store: Store) -> bool:
        nonlocal last_look
        if time.monotonic() - last_look < SECONDS_BETWEEN_LOOKS:
            return False
        scores, _ = block_scores(store.seats(), first, games_per_block)
        last_look = time.monotonic()
        return test.run(scores).accepted is not None

    outcome = run(experiment, report, is_decided)
    with Store.read(outcome.store) as store:
        scores, copies = block_scores(store.seats(), first, games_per_block)
    verdict = test.run(scores)
    counted = scores[: verdict.blocks]
    score = share_estimate(counted, range(len(counted)), len(counted)) if counted else Estimate(0.5, 0.0, 1.0, 0)
    elo = Estimate(elo_of(score.value), elo_of(score.low), elo_of(score.high), score.games)
    return Comparison(verdict, score, elo, copies, games_per_block, outcome.store, outcome.interrupted)


def block_scores(seats: Sequence[SeatRow], first: str, games_per_block: int) -> tuple[list[float], int]:
    """The scores of `first` deal by deal, up to the first deal that is not finished; and how many deals were left out.

    A score is the share of comparisons, seat by seat with the other agent's at the same table, in which `first` placed
    ahead, ties half. A deal whose games are copies, move for move, of those of another says nothing new, and is left
    out.
    """
    tables: dict[int, dict[int, list[SeatRow]]] = defaultdict(lambda: defaultdict(list))
    for seat in seats:
        tables[seat.deal][seat.game].append(seat)
    finished = takewhile(lambda deal: len(tables.get(deal, ())) == games_per_block, range(len(tables)))
    scores, copies = [], 0
    seen: set[tuple[str | None, ...]] = set()
    for deal in finished:
        games = list(tables[deal].values())
        moves = tuple(game[0].copy_key for game in games)
        if None not in moves and moves in seen:
            copies += 1
            continue
        seen.add(moves)
        scores.append(sum(_score(game, first) for game in games) / len(games))
    return scores, copies


def _score(table: Sequence[SeatRow], first: str) -> float:
    """The share of the comparisons at one table in which `first` placed ahead of the other agent, ties half."""
    results = [
        (1 + (own.place < other.place) - (own.place > other.place)) / 2
        for own in table
        for other in table
        if own.agent == first and other.agent != first
    ]
    return sum(results) / len(results)
