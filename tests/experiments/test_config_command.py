"""`kontor config`: the schema has every key, and files are checked without being run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.cli import main
from experiments.config import ExperimentConfig
from experiments.train import AlphaZeroTrainConfig, load_training
from tests.experiments.configs import TEXT

CONFIGS = Path(__file__).parents[2] / "configs"


def test_the_schema_has_every_key_with_its_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"].keys() == ExperimentConfig.model_fields.keys()
    assert all("description" in value for value in schema["properties"].values())
    assert schema["$defs"]["TournamentConfig"]["properties"]["format"]["enum"][-1] == "league"
    assert main(["config", "schema", "train"]) == 0
    assert "steps" in json.loads(capsys.readouterr().out)["properties"]
    assert main(["config", "schema", "alphazero"]) == 0
    assert json.loads(capsys.readouterr().out)["properties"].keys() == AlphaZeroTrainConfig.model_fields.keys()
    assert main(["config", "schema", "--agent", "mcts"]) == 0
    assert "iterations" in json.loads(capsys.readouterr().out)["properties"]
    assert main(["config", "schema", "rnu"]) == 2
    assert "unknown kind of config 'rnu': did you mean 'run'?" in capsys.readouterr().err


def test_a_file_is_checked_and_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_text(TEXT, encoding="utf-8")
    Path("bad.yaml").write_text(TEXT.replace("deals: 4", "dels: 4"), encoding="utf-8")
    assert main(["config", "check", "good.yaml", str(CONFIGS / "train_connect_four.yaml")]) == 0
    out = capsys.readouterr().out
    assert "good.yaml: an experiment of 33 games by 3 agents" in out
    steps = load_training(CONFIGS / "train_connect_four.yaml").settings.steps
    assert f"train_connect_four.yaml: a training of {steps} steps" in out
    assert main(["config", "check", "good.yaml", "bad.yaml"]) == 2
    assert "bad.yaml:13: unknown key 'dels' in tournament: did you mean 'deals'?" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"good.yaml", "bad.yaml"}
