"""How long the report of many stored games takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from agents.registry import agent_config
from experiments.bench.result import Result, Settings, Subject, seconds_of
from experiments.config import Experiment, Setting, TournamentConfig
from experiments.match import GameResult, SeatResult
from experiments.plan import plan, planned_counts
from experiments.report import write_report
from experiments.results import results
from experiments.store import Store

REPORT_SECONDS = 10.0
GAMES = 100_000
AGENTS = 4


def measure_report(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Seconds from a store of 100,000 made-up games, with statistics, to the written page.

    Of several games only Connect Four is measured.
    """
    for subject in subjects:
        if len(subjects) > 1 and subject.game.name != "connect_four":
            continue
        with TemporaryDirectory(prefix="kontor-bench-") as folder:
            store = fill(Path(folder), subject, GAMES)
            seconds = tuple(seconds_of(report, store) for _ in range(min(settings.repeats, 3)))
        yield Result(
            "report", f"{subject.name}: {GAMES:,} games", "seconds", seconds, REPORT_SECONDS, lower_is_better=True
        )


def report(store_path: Path) -> None:
    """From the store to the page."""
    with Store.read(store_path) as store:
        write_report(results(store), store_path.with_name("report.html"))


def fill(folder: Path, subject: Subject, games: int) -> Path:
    """A finished run of about so many games between agents of different strength, none of them really played."""
    players = subject.options["num_players"]
    agents = {f"agent{number}": agent_config("random") for number in range(max(AGENTS, players))}
    setting = Setting(subject.game.name, subject.options, 1)
    experiment = Experiment("bench", 0, folder, 0, False, (), TournamentConfig(), (setting,), agents)
    setting = Setting(subject.game.name, subject.options, max(1, games // len(plan(experiment))))
    experiment = Experiment("bench", 0, folder, 0, False, (), TournamentConfig(), (setting,), agents)
    rng = np.random.default_rng(0)
    with Store.for_run(experiment, planned_counts(experiment)) as store:
        session = store.begin_session("kontor bench report", 0)
        made = []
        for game in plan(experiment):
            luck = [rng.gumbel() + int(agent[5:]) for agent in game.seating]
            places = [1.0 + sum(other > own for other in luck) for own in luck]
            seats = tuple(
                SeatResult(agent, place, -place, -place, 20, 1e-3, {"points": place})
                for agent, place in zip(game.seating, places, strict=True)
            )
            moves = int(rng.integers(20, 42))
            made.append(GameResult(game.id, 0, game.deal, game.seed, seats, False, moves, (), "none", None))
        store.add(session, made, records=False)
        store.end_session(session)
    return store.path
