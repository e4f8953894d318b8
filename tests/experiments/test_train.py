"""`kontor train`, and agents that are trained before they play."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from agents.alphazero import AlphaZeroConfig
from agents.learning.files import file_hash
from experiments.cli import main
from experiments.config import is_model, load_experiment
from experiments.locking import lock
from experiments.store import Store
from experiments.tournament import TRAINING, Progress, run
from experiments.train import AlphaZeroTrainConfig, TrainConfig, load_training

TRAINED: dict[str, Any] = {
    "steps": 6 * 16 * 8,
    "threads": 1,
    "checkpoint_every": 2,
    "network": {"width": 16},
    "rollout": {"games": 16, "steps": 8},
    "evaluation": {"every": 3, "deals": 8},
}


SEARCHED: dict[str, Any] = {
    "steps": 200,
    "threads": 1,
    "rounds": 4,
    "checkpoint_every": 2,
    "network": {"width": 16, "depth": 1},
    "self_play": {"games": 16, "iterations": 4},
    "evaluation": {"every": 3, "deals": 8, "rounds": 1},
}
"""A small training by AlphaZero."""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small training of Kuhn poker, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bluff.yaml"
    path.write_text(yaml.safe_dump({"game": "kuhn_poker", "options": {"num_players": 3}, **TRAINED}))
    return path


def kontor(*words: object) -> int:
    return main(["train", *(str(word) for word in words)])


def test_a_training_ends_with_a_table_and_how_to_play(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kontor(config) == 0
    out, err = capsys.readouterr()
    assert "bluff: 768 steps" in out
    assert "random" in out
    assert "96" in out  # 4 times 8 deals from 3 seats
    assert "{bluff: {type: ppo, checkpoint: runs/bluff}}" in out
    assert "k steps/s" in err
    assert "left" in err
    for name in ("training.safetensors", "best.safetensors", "latest.safetensors", "status.json"):
        assert Path("runs/bluff", name).is_file()


def test_alphazero_is_trained_by_the_same_command_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = {
        "game": "kuhn_poker",
        "algorithm": "alphazero",
        "output": str(tmp_path / "zero"),
        "steps": 400,
        "threads": 1,
        "rounds": 64,
        "network": {"width": 8},
        "self_play": {"games": 8, "groups": 1, "iterations": 4},
        "learner": {"minibatch": 32},
        "evaluation": {"every": 100, "deals": 4},
    }
    path = tmp_path / "zero.yaml"
    path.write_text(yaml.safe_dump(small))
    assert kontor(path) == 0
    out = capsys.readouterr().out
    assert f"{{zero: {{type: alphazero, checkpoint: {tmp_path}/zero}}}}" in out.replace("\n", "")
    assert kontor(path, "algorithm=alphazer") == 2
    assert "unknown algorithm 'alphazer': did you mean 'alphazero'" in capsys.readouterr().err

    agents = {
        "zero": {"type": "alphazero", "checkpoint": str(tmp_path / "zero"), "iterations": 4},
        "random": {"type": "random"},
    }
    duel = {"games": [{"game": "kuhn_poker"}], "agents": agents, "tournament": {"deals": 2}, "workers": 0}
    file = tmp_path / "duel.yaml"
    file.write_text(yaml.safe_dump({**duel, "output": str(tmp_path / "duel")}))
    assert main(["run", str(file)]) == 0
    with Store.read(tmp_path / "duel" / "results.sqlite") as store:
        noted = {agent["name"]: agent["checkpoint"] for agent in store.agents()}
    assert noted == {"zero": file_hash(tmp_path / "zero" / "best.safetensors")[:16], "random": None}


def test_its_agent_plays_in_tournaments(config: Path, tmp_path: Path) -> None:
    assert kontor(config) == 0
    duel = tmp_path / "duel.yaml"
    agents = {
        "bluff": {"type": "ppo", "checkpoint": "runs/bluff", "temperature": 1.0},
        "random": {"type": "random"},
        "other": {"type": "random"},
    }
    games = [{"game": "kuhn_poker", "options": {"num_players": 3}}]
    duel.write_text(yaml.safe_dump({"games": games, "agents": agents, "tournament": {"deals": 3}, "workers": 1}))
    assert main(["run", str(duel)]) == 0
    with Store.read(tmp_path / "runs" / "duel" / "results.sqlite") as store:
        assert len(store.finished()) == 9
    weights = load_experiment(duel).agents["bluff"].model_dump()["weights"]
    assert weights
    assert load_experiment(duel).hash == load_experiment(duel).hash
    assert kontor(config, "steps=1536", "name=longer") == 0
    assert (
        load_experiment(duel, ["agents.bluff.checkpoint=runs/longer"]).agents["bluff"].model_dump()["weights"]
        != weights
    )


def test_a_second_run_does_nothing_and_another_config_is_refused(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kontor(config) == 0
    before = Path("runs/bluff/training.safetensors").read_bytes()
    assert kontor(config) == 0
    assert Path("runs/bluff/training.safetensors").read_bytes() == before
    capsys.readouterr()
    assert kontor(config, "learner.epochs=1") == 2
    assert (
        "runs/bluff holds a training under another config (learner.epochs is 3 there, 1 here)"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("learner.epoch=1", "unknown key 'epoch' in learner: did you mean 'epochs'?"),
        ("epochs=1", "unknown key 'epochs': did you mean 'learner.epochs'?"),
        ("learner.clip=-1", "learner.clip is -1: input should be greater than 0"),
        ("learner.entropy=.inf", "learner.entropy is Infinity: input should be a finite number"),
        ("network.kind=conv", "network.kind is"),
        ("game=kuhn", "unknown game 'kuhn': did you mean 'kuhn_poker'?"),
        ("options.num_players=4", "options: "),
        ("evaluation.field={}", "evaluation.field is {}: "),
        ("evaluation.field.a.type=gredy", "unknown agent 'gredy': did you mean 'greedy'?"),
        ("evaluation.field.a.type=greedy", "evaluation.field.a: kuhn_poker has no rule of thumb"),
        ("steps", "is no override"),
        ("network.kind=convolution", "network.kind convolution: there is no board declared for kuhn_poker"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_and_nothing_is_written(
    config: Path, capsys: pytest.CaptureFixture[str], override: str, message: str
) -> None:
    assert kontor(config, override) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not Path("runs").exists()


def test_an_exploding_training_names_step_and_config(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kontor(config, "learner.learning_rate=1e30", "learner.final_learning_rate=1e30") == 2
    assert "kontor: training bluff: the " in (error := capsys.readouterr().err)
    assert "in update 1, step 128 (learner.learning_rate 1e+30)" in error


def test_ctrl_c_keeps_a_checkpoint_and_the_same_command_goes_on(config: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "experiments.cli",
        "train",
        str(config),
        "steps=50000000",
        "checkpoint_every=1000000",
    ]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "steps/s" in line and "left" in line:
                break
        process.send_signal(2)
        rest = process.stderr.read()
    assert process.wait() == 130
    assert "the same command goes on from there" in rest
    training = load_training(config, ["steps=50000000"])
    steps = training.trainer().counters.steps
    assert 0 < steps < 50_000_000
    assert f"stopped after {steps} of 50000000 steps" in rest


@pytest.fixture
def searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small training by AlphaZero, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "deep.yaml"
    path.write_text(yaml.safe_dump({"algorithm": "alphazero", "game": "tic_tac_toe", **SEARCHED}))
    return path


def test_alphazero_is_trained_in_the_same_way(searched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kontor(searched) == 0
    out, _ = capsys.readouterr()
    assert re.search(r"deep: 2\d\d steps, \d+ games", out)
    assert "{deep: {type: alphazero, checkpoint: runs/deep}}" in out
    before = Path("runs/deep/training.safetensors").read_bytes()
    assert kontor(searched) == 0
    assert Path("runs/deep/training.safetensors").read_bytes() == before
    capsys.readouterr()
    assert kontor(searched, "learner.reuse=3.0") == 2
    assert "another config (learner.reuse is 8.0 there, 3.0 here)" in capsys.readouterr().err
    assert kontor(searched, "device=auto") == 0  # where it is done changes no training


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("algorithm=alphazeros", "unknown algorithm 'alphazeros': did you mean 'alphazero'?"),
        ("algorithm=[alphazero]", "unknown algorithm"),
        ("learner.epochs=1", "unknown key 'epochs' in learner"),
        ("search.root=ucb", "search.root is"),
        ("device=cuda", "device cuda: torch finds no GPU here; `auto` takes one if there is one"),
        ("search.thumb_share=0.5", "tic_tac_toe has no rule of thumb"),
        ("evaluation.field.a.type=gredy", "unknown agent 'gredy': did you mean 'greedy'?"),
    ],
)
def test_what_is_wrong_with_alphazero_is_said_in_a_line_and_nothing_is_written(
    searched: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, override: str, message: str
) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert kontor(searched, override) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not Path("runs").exists()


def test_an_exploding_training_by_alphazero_names_step_and_config(
    searched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kontor(searched, "learner.learning_rate=1e30", "learner.final_learning_rate=1e30") == 2
    assert "kontor: training deep: the " in (error := capsys.readouterr().err)
    assert "(learner.learning_rate 1e+30)" in error
    assert error.rstrip().count("\n") == 0 or "Traceback" not in error


LEARNERS = [{"type": "ppo", "train": TRAINED}, {"type": "alphazero", "train": SEARCHED, "iterations": 4}]


@pytest.fixture(params=LEARNERS, ids=lambda learner: learner["type"])
def quick(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An experiment with two games and an agent that is trained for them."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "quick.yaml"
    games = [{"game": "kuhn_poker"}, {"game": "tic_tac_toe"}]
    agents = {"learner": request.param, "random": {"type": "random"}}
    path.write_text(
        yaml.safe_dump({"games": games, "agents": agents, "tournament": {"deals": 2}, "workers": 1, "seed": 3})
    )
    return path


def test_an_agent_is_trained_for_every_game_and_then_plays(quick: Path) -> None:
    told: list[Progress] = []
    outcome = run(load_experiment(quick), told.append)
    assert outcome.done == outcome.total == 8
    trained = [progress.detail for progress in told if progress.stage == TRAINING]
    assert trained[0].startswith("training learner, 0 %: kuhn_poker")
    assert any(detail.startswith("training learner, 100 %: tic_tac_toe") for detail in trained)
    folder = Path("runs/quick/agents/learner")
    files = [folder / game / "best.safetensors" for game in ("kuhn_poker-num_players-2", "tic_tac_toe")]
    before = [path.read_bytes() for path in files]

    # what is missing is played again by the same agents, without another training
    told.clear()
    Path("runs/quick/results.sqlite").unlink()
    assert run(load_experiment(quick), told.append).done == 8
    assert [path.read_bytes() for path in files] == before
    assert [progress for progress in told if progress.stage == TRAINING] == []


def test_a_run_stopped_while_training_goes_on_there(quick: Path) -> None:
    from experiments import tournament

    experiment = load_experiment(quick)
    told: list[str] = []
    stop = 2  # after two updates
    ready = tournament.trained(experiment, told.append, lambda: len(told) > stop)
    assert ready.agents["learner"].needs_training
    assert not Path("runs/quick/agents/learner/tic_tac_toe").exists()
    ready = tournament.trained(experiment, told.append, lambda: False)
    assert not ready.agents["learner"].needs_training
    assert experiment.agents["learner"].needs_training  # the experiment is still the one of the config
    stopped, resumed = told[stop], told[stop + 1]
    assert re.match(r"training learner, [1-9]\d? %: kuhn_poker", stopped)
    assert stopped.partition(" %")[0] == resumed.partition(" %")[0]


def default_of(field: Any) -> str:
    """A setting's default, as the docs write it."""
    if field.is_required():
        return ""
    value = field.get_default(call_default_factory=True)
    if value is None or (isinstance(value, tuple | dict) and not value):
        return "`null`" if value is None else "none"
    return f"`{value}`"


def described(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """A line of the docs' table for each setting."""
    for name, field in model.model_fields.items():
        if is_model(field.annotation):
            yield from described(field.annotation, f"{prefix}{name}.")
        else:
            yield f"| `{prefix}{name}` | {default_of(field)} | {field.description} |"


@pytest.mark.parametrize(
    ("page", "section", "model"),
    [
        ("training.md", "All settings", TrainConfig),
        ("alphazero.md", "All settings", AlphaZeroTrainConfig),
        ("alphazero.md", "Letting it play", AlphaZeroConfig),
    ],
)
def test_the_docs_list_every_setting_with_its_default_and_meaning(
    page: str, section: str, model: type[BaseModel]
) -> None:
    text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    table = text.partition(f"## {section}\n")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    assert sorted(lines) == sorted(line for line in described(model) if not line.startswith("| `type` "))


def test_a_folder_is_trained_in_by_one_process_at_a_time(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("runs/bluff").mkdir(parents=True)
    with lock(Path("runs/bluff"), "training here"):
        assert kontor(config) == 2
    assert "kontor: runs/bluff: another process is training here" in capsys.readouterr().err
    assert not Path("runs/bluff/training.safetensors").exists()
