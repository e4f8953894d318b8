"""Tournaments: what a second worker process brings, and how soon `kontor run` has played its first game."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import yaml  # type: ignore[import-untyped]

from envs.errors import KontorError
from experiments.bench.result import Result, Settings, Subject
from experiments.config import Experiment, load_experiment
from experiments.match import warm_up
from experiments.plan import PlannedGame, plan
from experiments.store import FILE_NAME
from experiments.workers import Workers

TIMES_ONE_WORKER = 1.8
FIRST_GAME_SECONDS = 3.0
ITERATIONS = 1000
"""Budget a move: high enough that searching is nearly all that is done."""

FEWEST_GAMES = 40
"""At the end of a batch one worker waits for the other: that must not weigh."""


def measure_tournament(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Games a second of `mcts` against itself with one worker and with two, in turn; seconds to the first game.

    Of several games only Connect Four is measured: what is asked is how worker processes do, not how long games are.
    """
    for subject in subjects:
        if len(subjects) > 1 and subject.game.name != "connect_four":
            continue
        with TemporaryDirectory(prefix="kontor-bench-") as folder:
            experiment = load_experiment(write_config(Path(folder), subject))
            warm_up(experiment)
            seconds = tuple(seconds_to_first_game(Path(folder), number) for number in range(min(settings.repeats, 5)))
            one, two = games_per_second(experiment, settings)
        yield Result(
            "tournament", f"{subject.name}: first game", "seconds", seconds, FIRST_GAME_SECONDS, lower_is_better=True
        )
        yield Result("tournament", f"{subject.name}: one worker", "games/s", one)
        ratios = tuple(b / a for a, b in zip(one, two, strict=True))
        yield Result("tournament", f"{subject.name}: two workers over one", "times", ratios, TIMES_ONE_WORKER)


def write_config(folder: Path, subject: Subject) -> Path:
    """A config of many games of `mcts` against itself."""
    search = {"type": "mcts", "iterations": ITERATIONS}
    config = {
        "games": [{"game": subject.game.name, "options": subject.options}],
        "agents": {f"mcts_{number}": search for number in range(subject.options["num_players"])},
        "tournament": {"deals": 10_000},
    }
    path = folder / "bench.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path


def games_per_second(experiment: Experiment, settings: Settings) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Games a second with one worker and with two, measured in turn on the same games, worker start-up apart."""
    games = iter(plan(experiment))
    with Workers(experiment, 1) as alone, Workers(experiment, 2) as both:
        each = seconds_for(alone, _take(games, 4)) / 4
        seconds_for(both, _take(games, 8))
        count = max(FEWEST_GAMES, round(4 * settings.seconds / each))
        one, two = [], []
        for _ in range(min(settings.repeats, 5)):
            batch = _take(games, count)
            one.append(count / seconds_for(alone, batch))
            two.append(count / seconds_for(both, batch))
    return tuple(one), tuple(two)


def seconds_for(workers: Workers, games: Sequence[PlannedGame]) -> float:
    """How long the workers take for the games."""
    started = perf_counter()
    for _ in workers.play(games, lambda: False):
        pass
    return perf_counter() - started


def seconds_to_first_game(folder: Path, number: int) -> float:
    """From starting `kontor run` to the first stored game."""
    output = folder / f"run{number}"
    command = [sys.executable, "-m", "experiments.cli", "run", str(folder / "bench.yaml"), f"output={output}"]
    started = perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            while not has_games(output / FILE_NAME):
                if process.poll() is not None:
                    assert process.stderr is not None
                    raise KontorError(f"measuring a tournament failed: {process.stderr.read().strip()}")
                sleep(0.005)
            return perf_counter() - started
        finally:
            process.kill()


def has_games(store: Path) -> bool:
    """Whether any game is stored."""
    if not store.exists():
        return False
    connection = sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True)
    try:
        return bool(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # the tables are not made yet, or just being written
        return False
    finally:
        connection.close()


def _take(games: Iterator[PlannedGame], count: int) -> list[PlannedGame]:
    return [next(games) for _ in range(count)]
