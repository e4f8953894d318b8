"""`kontor bench tournament` measures what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments import cli


def test_workers_and_the_first_game_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.json"
    quick = ["--game", "tic_tac_toe", "--seconds", "0.002", "--repeats", "1"]
    assert cli.main(["bench", "tournament", *quick, "--json", str(file)]) == 0
    first, one, ratio = json.loads(file.read_text(encoding="utf-8"))["results"]
    assert (first["unit"], first["target"], first["lower_is_better"]) == ("seconds", 3.0, True)
    assert 0.3 < first["median"] < 120
    assert one["median"] > 1
    assert (ratio["unit"], ratio["target"]) == ("times", 1.8)
    assert 0.2 < ratio["median"] < 4
    assert "first game" in capsys.readouterr().out
