"""What a new process costs: starting with a warm cache, and compiling with an empty one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from tempfile import TemporaryDirectory
from time import perf_counter

from envs.errors import KontorError
from experiments.bench.result import Result, Settings, Subject

STARTUP_SECONDS = 1.5

FIRST_CALL = """
import json, sys
from envs.catalog import get_game
from envs.position import Position

position = Position(get_game(sys.argv[1]), json.loads(sys.argv[2]))
position.apply(position.legal_actions()[0])
print("ready", flush=True)
"""

COMPILE = """
import json, sys
from time import perf_counter

import envs.vector
from envs.catalog import get_game
from envs.position import Position

started = perf_counter()
game, options = get_game(sys.argv[1]), json.loads(sys.argv[2])
position = Position(game, options)
position.apply(position.legal_actions()[0])
position.observe(0)
position.returns()
position.determinize(0, 0)
rules = perf_counter() - started
started = perf_counter()
games = envs.vector.VectorGame(game, 2, options)
games.step(games.masks.argmax(axis=1))
print(json.dumps([rules, perf_counter() - started]))
"""


def measure_startup(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """From starting a process to the end of its first move, with everything compiled and cached before."""
    for subject in subjects:
        _output(FIRST_CALL, subject)
        values = tuple(_time_to_first_line(subject) for _ in range(min(settings.repeats, 5)))
        yield Result("startup", subject.name, "seconds", values, STARTUP_SECONDS, lower_is_better=True)


def measure_compile(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Compiling the rules as single positions need them, and then as a batch does; once, in an empty cache."""
    for subject in subjects:
        with TemporaryDirectory(prefix="kontor-bench-") as folder:
            rules, batch = json.loads(_output(COMPILE, subject, {"KONTOR_CACHE_DIR": folder}))
        yield Result("compile", f"{subject.name}: one position", "seconds", (rules,), lower_is_better=True)
        yield Result("compile", f"{subject.name}: then a batch", "seconds", (batch,), lower_is_better=True)


def _command(code: str, subject: Subject) -> list[str]:
    return [sys.executable, "-c", code, subject.game.name, json.dumps(subject.options)]


def _output(code: str, subject: Subject, environment: dict[str, str] | None = None) -> str:
    """What a program prints. Errors: `KontorError` with its last line of complaint."""
    done = subprocess.run(
        _command(code, subject), env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise KontorError(f"measuring {subject.name} failed: {done.stderr.strip().rpartition(chr(10))[2]}")
    return done.stdout


def _time_to_first_line(subject: Subject) -> float:
    started = perf_counter()
    with subprocess.Popen(_command(FIRST_CALL, subject), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        return perf_counter() - started
