"""Runs: any number of workers, any kill, any Ctrl-C, and the same results; workers that die, agents that fail."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.match import MatchError
from experiments.plan import plan
from experiments.store import FILE_NAME, Store
from experiments.tables import row
from experiments.tournament import Progress, run
from tests.experiments.configs import TEXT, experiment, stored, without_timings
from tests.experiments.doubles import PACE

ROOT = Path(__file__).parents[2]

STEADY = """\
name: steady
seed: 3
imports: [tests.experiments.doubles]
games:
  - game: tic_tac_toe
  - game: kuhn_poker
    options: {num_players: 3}
agents:
  one: {type: random}
  two: {type: first_legal}
  slow: {type: slow, seconds: 0.003}
tournament: {deals: 40}
"""
"""360 games, some milliseconds each: time enough to be interrupted in."""


def table(store: Path) -> list[tuple[str, ...]]:
    """The final table without its column of speeds."""
    return [
        (setting.label, *(cell for index, cell in enumerate(row(agent)) if index != 6))
        for setting in stored(store).settings
        for agent in setting.agents
    ]


# ------------------------------------------------------------------ workers


def test_the_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    alone = run(experiment(tmp_path, "name=alone"))
    expected = without_timings(alone.store)
    for workers in (1, 3):
        folder = tmp_path / str(workers)
        folder.mkdir()
        outcome = run(experiment(folder, f"workers={workers}"))
        assert (outcome.done, outcome.total, outcome.interrupted) == (alone.done, alone.total, False)
        assert without_timings(outcome.store) == expected
        assert table(outcome.store) == table(alone.store)


def test_progress_is_told_from_compiling_to_the_end(tmp_path: Path) -> None:
    seen: list[Progress] = []
    total = run(experiment(tmp_path), seen.append).total
    assert [progress.stage for progress in seen] == ["compiling", *["playing"] * (total + 1)]
    assert [progress.done for progress in seen] == [0, *range(total + 1)]
    assert {progress.total for progress in seen} == {total}
    again: list[Progress] = []
    run(experiment(tmp_path), again.append)
    assert again == []


def test_a_worker_has_one_thread_of_each_kind(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    config = experiment(tmp_path, "workers=1", f"agents.three={{type: threads, path: {notes}}}")
    run(config)
    assert {path.read_text(encoding="utf-8") for path in notes.iterdir()} == {"1 1"}
    assert os.environ.get("NUMBA_NUM_THREADS") is None


def deadly(tmp_path: Path, lives: int) -> Callable[[], Path]:
    """A run with an agent that ends its process so many times."""
    path = tmp_path / "lives"
    path.write_text("life\n" * lives, encoding="utf-8")
    config = experiment(tmp_path, "workers=2", f"agents.three={{type: deadly, path: {path}}}")
    return lambda: run(config).store


def test_a_worker_that_dies_is_replaced_and_its_games_are_played(tmp_path: Path) -> None:
    store = deadly(tmp_path, 2)()
    (tmp_path / "well").mkdir()
    well = deadly(tmp_path / "well", 0)()
    assert without_timings(store) == without_timings(well)


def test_a_game_that_kills_its_workers_again_and_again_is_named(tmp_path: Path) -> None:
    play = deadly(tmp_path, 1000)
    with pytest.raises(MatchError, match=r"game \S+three\S*: the process that played it died 3 times \(exit code 7\)"):
        play()


@pytest.mark.parametrize("workers", [0, 1])
def test_an_agent_that_fails_stops_the_run_and_the_finished_games_are_kept(workers: int, tmp_path: Path) -> None:
    config = experiment(tmp_path, f"workers={workers}", "agents.two={type: broken}", "tournament.seats=permutations")
    with pytest.raises(MatchError, match=r"game \S+: agent two failed: ZeroDivisionError: of no use"):
        run(config)
    with Store.read(config.output / FILE_NAME) as store:
        assert 0 < len(store.finished()) < len(plan(config))


# ------------------------------------------------------------------ kills


def start(folder: Path, *overrides: str, pace: float | None = None) -> subprocess.Popen[str]:
    """`kontor run` in a process of its own, in a group of its own as a terminal would make it; `pace`: see `PACE`."""
    (folder / "config.yaml").write_text(STEADY, encoding="utf-8")
    command = [sys.executable, "-m", "experiments.cli", "run", str(folder / "config.yaml"), f"output={folder / 'run'}"]
    return subprocess.Popen(
        [*command, *overrides],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | ({} if pace is None else {PACE: str(pace)}),
    )


def count(folder: Path) -> int:
    """How many games are stored; 0 while there is no store yet."""
    path = folder / "run" / FILE_NAME
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)
        try:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return 0


def wait_for(folder: Path, process: subprocess.Popen[str], games: int) -> None:
    """Wait until so many games are stored."""

    def are_stored() -> bool:
        assert process.poll() is None, process.communicate()
        return count(folder) >= games

    wait_until(are_stored)


def wait_until(happened: Callable[[], bool]) -> None:
    """Look every few milliseconds whether something has happened."""
    deadline = time.monotonic() + 300
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(path.parent.name))
    return found


def gone(pid: int) -> bool:
    """Whether a process has ended, within some seconds."""
    for _ in range(3000):
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of the same run, played in peace."""
    return run(experiment(tmp_path_factory.mktemp("undisturbed"), text=STEADY)).store


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_at_many_moments_the_run_ends_as_if_undisturbed(number: int, tmp_path: Path, undisturbed: Path) -> None:
    """Moments (seed 0): twice before the first game, then after random numbers of games."""
    rng = random.Random(0)
    moments = [0, 0, *sorted(rng.sample(range(1, 350), number - 2))]
    finished: set[str] = set()
    for turn, moment in enumerate(moments):
        process = start(tmp_path, f"workers={1 + (turn in (1, 4, 8))}")
        if moment:
            wait_for(tmp_path, process, moment)
        else:
            time.sleep(rng.uniform(0.1, 1.5))
        workers = children(process.pid)
        process.kill()
        process.communicate()
        assert all(map(gone, workers)), "no worker outlives its parent"
        if (tmp_path / "run" / FILE_NAME).exists() and count(tmp_path):
            with Store.read(tmp_path / "run" / FILE_NAME) as store:
                assert finished <= store.finished(), "what was stored stays"
                finished = store.finished()
                assert [store.record(game_id).replay().is_over for game_id in sorted(finished)[::20]]
        assert moment <= len(finished)
    process = start(tmp_path, "workers=2")
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert "360 of 360 games" in err
    assert f"{len(finished)} of 360 games are there already" in err
    result = stored(tmp_path / "run" / FILE_NAME)
    assert sum(session["games"] for session in result.sessions) == result.games == result.planned == 360
    assert result.sessions[-1]["games"] == 360 - len(finished), "the rerun plays only the rest"
    assert without_timings(tmp_path / "run" / FILE_NAME) == without_timings(undisturbed)
    assert table(tmp_path / "run" / FILE_NAME) == table(undisturbed)
    for setting in result.settings:
        assert setting.label in out


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_a_worker_deep_in_thought_does_not_outlive_its_parent(tmp_path: Path) -> None:
    note = tmp_path / "note"
    process = start(
        tmp_path, "workers=1", "games=[{game: tic_tac_toe}]", "agents.slow.seconds=300", f"agents.slow.note={note}"
    )
    wait_until(note.exists)
    workers = children(process.pid)
    process.kill()
    process.wait(timeout=10)
    try:
        assert workers
        assert all(map(gone, workers))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def test_ctrl_c_keeps_the_finished_games_and_says_how_to_go_on(tmp_path: Path, undisturbed: Path) -> None:
    """Moments (seed 1): when the store is made, then after random numbers of games."""
    finished = 0
    for moment in [0, *sorted(random.Random(1).sample(range(10, 100), 3))]:
        process = start(tmp_path, "workers=2", pace=0.03)  # so that it is far from its end
        if moment:
            wait_for(tmp_path, process, moment)
        else:
            wait_until((tmp_path / "run" / FILE_NAME).exists)
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to the workers too
        out, err = process.communicate(timeout=300)
        assert process.returncode == 130, err
        assert out == ""
        assert "Traceback" not in err
        finished = count(tmp_path)
        assert finished >= moment
        if moment:
            assert f"stopped after {finished} of 360 games, all of them stored in {tmp_path / 'run'}" in err
            assert "the same command goes on from there" in err
    process = start(tmp_path, "workers=2")
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    result = stored(tmp_path / "run" / FILE_NAME)
    assert result.sessions[-1]["games"] == 360 - finished
    assert without_timings(tmp_path / "run" / FILE_NAME) == without_timings(undisturbed)


def test_ctrl_c_during_a_game_in_the_own_process_ends_after_it(tmp_path: Path) -> None:
    config = experiment(tmp_path)

    def press(progress: Progress) -> None:
        if progress.done == 5:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    outcome = run(config, press)
    assert (outcome.done, outcome.interrupted) == (5, True)
    assert signal.getsignal(signal.SIGINT) is before
    assert not run(config).interrupted


def test_a_run_of_many_games_is_the_plan_exactly(tmp_path: Path) -> None:
    outcome = run(experiment(tmp_path, "workers=2", text=TEXT))
    with Store.read(outcome.store) as store:
        assert store.finished() == {game.id for game in plan(experiment(tmp_path))}
