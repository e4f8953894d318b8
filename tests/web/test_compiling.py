"""Compiling beside the server: pages stay quick, a child's death is told, and no child outlives its server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from agents.mcts.agent import MctsAgent
from agents.random_agent import RandomAgent
from envs.catalog import get_game
from experiments.web import compiling
from experiments.web.compiling import Compiler, CompilingFailed
from experiments.web.seats import Seat, check_seats
from tests.web.browsing import PERSON, client
from tests.web.test_serve import serving

GAME = get_game("kuhn_poker")
OPTIONS = GAME.validate({})
PEOPLE = [Seat(type="human")] * 2


@pytest.fixture
def compiler(monkeypatch, tmp_path):
    """One that has compiled nothing so far, whatever this process has."""
    monkeypatch.setattr(Compiler, "_compiled", set())
    compiler = Compiler(tmp_path)
    yield compiler
    compiler.close()


def child(monkeypatch, code: str) -> None:
    """Let the child run this code instead."""
    monkeypatch.setattr(compiling, "COMMAND", (sys.executable, "-c", code))


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended and was not asked for does not."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(found, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_child_leaves_in_the_cache_what_a_table_needs(tmp_path):
    """In a fresh cache a child writes code, and a second child finds all of it there: it adds nothing."""
    job = compiling._job(GAME, OPTIONS, [Seat(type="random")], tmp_path)
    cached = []
    for _ in range(2):
        environment = {**os.environ, "KONTOR_CACHE_DIR": str(tmp_path / "cache")}
        with subprocess.Popen(compiling.COMMAND, stdin=subprocess.PIPE, env=environment) as process:
            process.stdin.write(job.encode() + b"\n")
            process.stdin.flush()
            assert process.wait(300) == 0
        cached.append(sorted((path.name, path.stat().st_mtime_ns) for path in tmp_path.rglob("*.nbc")))
    assert cached[0]
    assert cached[0] == cached[1]


def test_each_thing_is_compiled_once(compiler, monkeypatch, tmp_path):
    child(monkeypatch, f"open({str(tmp_path / 'jobs')!r}, 'a').write(input() + chr(10))")
    for seats in (
        PEOPLE,
        PEOPLE,
        [PEOPLE[0], Seat(type="mcts", iterations=5)],
        [PEOPLE[0], Seat(type="mcts", iterations=9)],
        [PEOPLE[0], Seat(type="mcts", seconds=1.0)],
        [Seat(type="mcts", seconds=2.0), PEOPLE[0]],
    ):
        compiler.wait_for(GAME, OPTIONS, seats)
    jobs = [json.loads(line) for line in (tmp_path / "jobs").read_text().splitlines()]
    assert [[seat["type"] for seat in job["seats"]] for job in jobs] == [[], ["mcts"], ["mcts"]]
    assert [seat["seconds"] is not None for job in jobs for seat in job["seats"]] == [False, True]


@pytest.mark.parametrize("budget", [{"iterations": 5}, {"seconds": 60.0}])
def test_a_child_makes_an_agent_by_the_clock_where_one_is_to_sit(monkeypatch, tmp_path, budget):
    made = []

    def make_agent(config, *arguments):
        made.append(config)
        return RandomAgent(arguments[-1])

    monkeypatch.setattr(compiling, "make_agent", make_agent)
    (seat,) = json.loads(compiling._job(GAME, OPTIONS, [Seat(type="mcts", **budget)], tmp_path))["seats"]
    compiling.compile_here(GAME, OPTIONS, [Seat.model_validate(seat)], tmp_path)
    assert [config.seconds for config in made if config.is_timed] == (
        [compiling.A_MOMENT] if "seconds" in budget else []
    )
    assert any(not config.is_timed for config in made)  # one that moves, by as little work as there is


def test_asking_for_an_agent_by_the_clock_runs_no_search(monkeypatch, tmp_path):
    """It would be compiled in the server, before any child is asked."""
    monkeypatch.setattr(MctsAgent, "search_report", None)
    check_seats([PEOPLE[0], Seat(type="mcts", seconds=60.0)], GAME, OPTIONS, tmp_path)


def test_a_child_that_fails_leaves_the_work_to_the_server(compiler, monkeypatch):
    child(monkeypatch, "raise SystemExit(3)")
    compiler.wait_for(GAME, OPTIONS, PEOPLE)
    real = subprocess.Popen.__init__

    def started_late(process, *arguments, **more) -> None:
        real(process, *arguments, **more)
        process.wait()  # it has ended before it is told anything

    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", started_late)
        compiler.wait_for(GAME, OPTIONS, [Seat(type="random")])
    monkeypatch.setattr(compiling, "COMMAND", ("/there/is/no/such/program",))
    compiler.wait_for(GAME, OPTIONS, [Seat(type="greedy")])


def test_a_child_that_has_ended_before_it_is_asked_leaves_the_work_to_the_server(compiler, monkeypatch):
    class Hasty(subprocess.Popen):
        def __init__(self, *arguments, **settings):
            super().__init__(*arguments, **settings)
            self.wait()

    child(monkeypatch, "raise SystemExit(3)")
    monkeypatch.setattr(subprocess, "Popen", Hasty)
    compiler.wait_for(GAME, OPTIONS, PEOPLE)
    assert not compiler._children


def test_a_child_that_is_killed_is_told_at_the_table_which_can_be_tried_again(monkeypatch, tmp_path):
    monkeypatch.setattr(Compiler, "_compiled", set())
    real = compiling.COMMAND
    child(monkeypatch, "import os; os.kill(os.getpid(), 9)")
    with client(tmp_path) as browser:
        table = browser.create("kuhn_poker", [PERSON, PERSON])
        shown = browser.turn(table)
        assert shown["status"] == "stopped"
        assert "the process that compiles its rules was ended by signal 9" in shown["problem"]
        monkeypatch.setattr(compiling, "COMMAND", real)
        assert browser.post(f"/api/tables/{table['id']}/resume", params=browser.key(table, 0)).status_code == 200
        assert browser.turn(table)["status"] == "playing"


def test_pages_are_quick_and_the_table_says_so_while_a_game_is_compiled(monkeypatch, tmp_path):
    monkeypatch.setattr(Compiler, "_compiled", set())
    child(monkeypatch, "import time; time.sleep(600)")
    with client(tmp_path) as browser:
        table = browser.create("kuhn_poker", [PERSON, PERSON])
        for _ in range(3):
            assert browser.show(table, 0)["status"] == "preparing"
            assert browser.get("/play", timeout=10).status_code == 200
        compiler = browser.app.state.compiler
        wait_until(lambda: compiler._children)
        (sleeper,) = compiler._children
    assert sleeper.poll() == -signal.SIGKILL  # with the server its child has ended


def test_closing_ends_those_who_wait(compiler, monkeypatch):
    """Whether their child is at work or still to be started, and whoever comes later."""
    child(monkeypatch, "import time; time.sleep(600)")
    agents = ["human", "random", "greedy", "mcts"]
    with ThreadPoolExecutor(len(agents)) as pool:
        waiting = [pool.submit(compiler.wait_for, GAME, OPTIONS, [Seat(type=agent)]) for agent in agents]
        wait_until(lambda: len(compiler._jobs) == len(agents) and len(compiler._children) == compiling.AT_ONCE)
        compiler.close()
        for one in waiting:
            with pytest.raises(CompilingFailed, match="ending"):
                one.result(30)
    with pytest.raises(CompilingFailed, match="ending"):
        compiler.wait_for(GAME, OPTIONS, PEOPLE)


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="asks Linux for the children of a process")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_child_outlives_its_server(tmp_path, how):
    asked = {"game": "fuerstenfeld", "seats": [PERSON, PERSON]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KONTOR_CACHE_DIR", str(tmp_path / "cache"))  # so that there is much to be compiled
        with serving(tmp_path) as (process, address):
            table = httpx.post(f"{address}api/tables", json=asked, timeout=60).json()
            httpx.get(f"{address}api/tables/{table['id']}?key={table['keys'][0]['key']}", timeout=60)
            children = f"/proc/{process.pid}/task"

            def found() -> list[int]:
                tasks = [f"{children}/{task}/children" for task in os.listdir(children)]
                return [int(child) for path in tasks for child in open(path).read().split()]

            wait_until(found)
            started = found()
            process.send_signal(how)
            process.wait(30)
            wait_until(lambda: not any(map(alive, started)), 20)
