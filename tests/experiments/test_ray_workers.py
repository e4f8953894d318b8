"""Ray's actors play as worker processes do, and are replaced when they die."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray

from envs.errors import KontorError
from experiments.match import MatchError
from experiments.ray_workers import begin_ray
from experiments.tournament import run
from tests.experiments.configs import experiment, stored, without_timings


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """One start of Ray for all tests."""
    begin_ray(ray, 2)
    yield
    ray.shutdown()


def test_the_results_are_those_of_the_local_executor_though_an_actor_dies(tmp_path: Path) -> None:
    stores = []
    for changes, lives in ((("workers=0",), 0), (("workers=2", "executor=ray"), 1)):
        folder = tmp_path / changes[-1]
        folder.mkdir()
        path = folder / "lives"
        path.write_text("life\n" * lives, encoding="utf-8")
        stores.append(run(experiment(folder, *changes, f"agents.three={{type: deadly, path: {path}}}")).store)
        assert path.read_text(encoding="utf-8") == "", "the agent has ended its process"
    local, other = stores
    assert without_timings(local) == without_timings(other)
    assert [session["executor"] for session in stored(other).sessions] == ["ray"]


def test_an_agent_that_fails_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match="agent three failed: ZeroDivisionError: of no use"):
        run(experiment(tmp_path, "workers=1", "executor=ray", "agents.three={type: broken}"))
    assert stored(tmp_path / "run" / "results.sqlite").planned == 33, "the store is whole"


def test_without_ray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def without(name: str, *arguments: Any, **keywords: Any) -> Any:
        if name == "ray":
            raise ImportError(name)
        return original(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(KontorError, match=r"needs the extra `ray`: pip install -e '.\[ray\]' in Kontor's folder"):
        run(experiment(tmp_path, "executor=ray", "workers=1"))
