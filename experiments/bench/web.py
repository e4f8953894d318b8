"""The table in a browser: how soon pages are answered while agents play at ten tables at once."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import numpy as np

from envs.errors import KontorError
from experiments.bench.result import Result, Settings, Subject

TABLES = 10
PERCENTILE = 95
MOST_SECONDS = 0.2
PACE = 0.7
"""Seconds a move, as tables have it unless asked otherwise: ten of them make some fourteen moves a second."""

REQUESTS = 20
"""Answers timed at each table for one value."""


def measure_web(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """The 95th percentile of the seconds to an answer, of what pages ask for while agents play at ten tables.

    The agents play the rule of thumb; games without one are passed over. The server is a process of its own;
    without the extra `[web]` nothing is measured.
    """
    from agents.heuristics.contract import heuristics_versions

    if find_spec("fastapi") is None or find_spec("uvicorn") is None:  # the extra `[web]`
        return
    for subject in subjects:
        if not heuristics_versions(subject.game.name):
            continue
        values = []
        with TemporaryDirectory(prefix="kontor-bench-") as folder, serving(Path(folder)) as address:
            for _ in range(min(settings.repeats, 3)):
                values.append(float(np.percentile(seconds_of_answers(address, subject), PERCENTILE)))
        yield Result(
            "web",
            f"{subject.name}: {TABLES} tables, {PERCENTILE} % of answers within",
            "seconds",
            tuple(values),
            MOST_SECONDS,
            lower_is_better=True,
        )


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of `kontor serve` with its tables in `folder`. Errors: `KontorError` if it does not start."""
    command = [sys.executable, "-m", "experiments.cli", "serve", "--port", "0", "--runs", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = re.search(r"http://\S+", said)
            if found is None:
                assert process.stderr is not None
                raise KontorError(f"measuring the web failed: {process.stderr.read().strip()}")
            yield found[0]
        finally:
            process.terminate()


def seconds_of_answers(address: str, subject: Subject) -> list[float]:
    """How long each answer took: pages and what their scripts ask for, from ten askers at once."""
    seats = [{"type": "greedy"}] * subject.options["num_players"]
    asked = {"game": subject.game.name, "options": subject.options, "seats": seats, "pace": PACE}
    tables = [ask(address, "api/tables", asked)["id"] for _ in range(TABLES)]
    for table in tables:
        while ask(address, f"api/tables/{table}")["status"] == "preparing":
            sleep(0.05)
    seconds: list[float] = []
    askers = [threading.Thread(target=look, args=(address, table, seconds)) for table in tables]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    return seconds


def look(address: str, table: str, seconds: list[float]) -> None:
    """Ask for a table's page once and for its state again and again, as a page that follows the game does."""
    for number in range(REQUESTS):
        started = perf_counter()
        with urlopen(f"{address}{'tables' if number == 0 else 'api/tables'}/{table}", timeout=60) as answer:
            answer.read()
        seconds.append(perf_counter() - started)
        sleep(PACE)


def ask(address: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """The JSON answer of the server. Errors: `KontorError`."""
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(address + path, data, {"content-type": "application/json"}), timeout=600) as answer:
            found: dict[str, Any] = json.load(answer)
            return found
    except URLError as error:
        raise KontorError(f"measuring the web failed: {error}") from None
