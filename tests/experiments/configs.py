"""Experiments for the tests, small enough to play at once."""

from __future__ import annotations

from pathlib import Path

from experiments.config import Experiment, load_experiment
from experiments.results import RunResult, results
from experiments.store import Store

TEXT = """\
name: small
seed: 5
imports: [tests.experiments.doubles]
games:
  - game: tic_tac_toe
  - game: kuhn_poker
    options: {num_players: 3}
    deals: 3
agents:
  one: {type: random}
  two: {type: random}
  three: {type: first_legal}
tournament: {deals: 4}
"""


def experiment(folder: Path, *overrides: str, text: str = TEXT) -> Experiment:
    """The experiment of a config text, its run in `folder / "run"`, played in this process unless overridden."""
    path = folder / "config.yaml"
    path.write_text(text, encoding="utf-8")
    return load_experiment(path, [f"output={folder / 'run'}", "workers=0", *overrides])


def stored(path: Path) -> RunResult:
    """The results in a store."""
    with Store.read(path) as store:
        return results(store)


def without_timings(path: Path) -> list[tuple]:
    """Everything in a store that must not depend on how the games were played."""
    with Store.read(path) as store:
        rows = [
            (row.setting, row.deal, row.seat, row.agent, row.place, row.result, row.score, row.decisions, row.truncated)
            for row in store.seats()
        ]
        return [*rows, *((id, store.record(id)) for id in store.game_ids())]
