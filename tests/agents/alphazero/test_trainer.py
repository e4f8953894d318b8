"""Trainings: reproducible, resumable after a kill at any moment, and stopped where they go wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.agent import AgentError
from agents.alphazero.network import Evaluator, device_of
from agents.alphazero.players import SearchPlayer
from agents.learning.files import agent_file_kind, read, read_facts, training_file_kind, write
from agents.learning.players import NetworkPlayer
from agents.learning.trainer import TrainingError
from tests.agents.alphazero.trainings import settings, trainer
from tests.agents.learning import stored
from tests.agents.ppo.trainings import trainer as ppo_trainer

TRAINING, AGENT = training_file_kind("alphazero"), agent_file_kind("alphazero")

ON_DISK: dict[str, Any] = {"buffer": {"on_disk": True}}


def contents(folder: Path) -> list[bytes]:
    """What a training leaves, with its buffer where that is a file."""
    ring = folder / "buffer.ring"
    return [*stored.contents(folder, "alphazero"), *([ring.read_bytes()] if ring.exists() else [])]


def arrays_of(folder: Path) -> dict[str, np.ndarray]:
    return read(folder / "training.safetensors", TRAINING)[0]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training of 13 updates that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    trainer(folder).run()
    return folder


@pytest.fixture(scope="module")
def whole_on_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its buffer on disk."""
    folder = tmp_path_factory.mktemp("on_disk")
    trainer(folder, **ON_DISK).run()
    return folder


def test_the_seed_decides_all_and_the_number_of_threads_nothing(whole: Path, tmp_path: Path) -> None:
    trainer(tmp_path / "again").run()
    trainer(tmp_path / "threads", threads=3, checkpoint_every=3).run()
    trainer(tmp_path / "other", seed=1).run()
    assert contents(tmp_path / "again") == contents(whole)
    assert contents(tmp_path / "threads") == contents(whole)
    assert contents(tmp_path / "other")[0] != contents(whole)[0]


@pytest.mark.parametrize(("game", "options"), [("kuhn_poker", {"num_players": 3}), ("connect_four", {})])
def test_threads_make_no_difference_in_games_of_other_kinds(tmp_path: Path, game: str, options: dict[str, Any]) -> None:
    """Hidden cards and three seats; and searches of several leaves, in evaluations too."""
    changes: dict[str, Any] = {
        "steps": 300,
        "self_play": {"leaves": 2, "opening": 0},
        "evaluation": {"iterations": 4, "deals": 4, "rounds": 1, "every": 2},
    }
    for threads in (1, 2):
        trainer(tmp_path / str(threads), game, options, threads=threads, **changes).run()
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    assert read_facts(tmp_path / "1" / "best.safetensors", AGENT)["network"]["values"] == options.get("num_players", 2)


def test_a_buffer_on_disk_is_as_good_as_one_in_memory(whole: Path, whole_on_disk: Path) -> None:
    mine, theirs = arrays_of(whole), arrays_of(whole_on_disk)
    assert (whole_on_disk / "buffer.ring").read_bytes() == mine.pop("buffer.records").tobytes()
    assert mine.keys() == theirs.keys()
    assert all(np.array_equal(mine[name], theirs[name]) for name in mine)
    assert mine["buffer.added"][0] > 3 * 150  # so it has overwritten itself


@pytest.mark.parametrize("changes", [{}, ON_DISK], ids=["in memory", "on disk"])
def test_a_training_that_stops_and_goes_on_comes_to_the_same(
    whole: Path, whole_on_disk: Path, tmp_path: Path, changes: dict[str, Any]
) -> None:
    for until in (0, 1, 3, 7, 8, 20):
        run = trainer(tmp_path, **changes)
        run.run(stopped=lambda run=run, until=until: run.counters.update >= until)
    assert contents(tmp_path) == contents(whole_on_disk if changes else whole)


def test_a_training_killed_at_any_moment_comes_to_the_same_bit_for_bit(
    whole: Path, whole_on_disk: Path, tmp_path: Path
) -> None:
    """Checkpoints are written with 272 and with 596 decisions in the buffer, and at the end; there is room for 150."""
    memory, disk = tmp_path / "memory", tmp_path / "disk"
    jobs = [
        {"folder": str(memory), "changes": {}, "moments": ["update:1", "update:300", "keeping:500", "update:650"]},
        {
            "folder": str(disk),
            "changes": ON_DISK,
            "moments": [
                *("update:1", "update:200"),  # before there is a checkpoint
                *("update:400", "returning:0", "noting:300", "returning:0", "adding:300", "adding:400"),
                *("keeping:500", "update:700", "noting:700", "keeping:700"),
            ],
        },
    ]
    command = [sys.executable, "-m", "tests.agents.alphazero.trainings", json.dumps(jobs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for folder, changes, expected in ((memory, {}, whole), (disk, ON_DISK, whole_on_disk)):
        trainer(folder, **changes).run()
        assert contents(folder) == contents(expected)
    assert not list(disk.glob("*.journal"))


def test_the_checkpoint_is_that_of_the_last_save_and_nothing_undone_is_left(tmp_path: Path) -> None:
    """In one process, with a fresh trainer in place of one that is forgotten."""
    first = trainer(tmp_path, **ON_DISK)
    first.run(stopped=lambda: first.counters.update >= 4)
    state, ring = first.buffer.added, (tmp_path / "buffer.ring").read_bytes()
    for _ in range(3):
        first.update()
    assert (tmp_path / "buffer.ring").read_bytes() != ring
    again = trainer(tmp_path, **ON_DISK)
    assert again.counters.update == 4
    assert again.buffer.added == state
    assert (tmp_path / "buffer.ring").read_bytes() == ring


def test_what_is_stored_is_whole_and_unpickled(whole: Path, whole_on_disk: Path) -> None:
    names = {path.name for path in whole.iterdir()}
    assert {"training.safetensors", *stored.FILES, "status.json", "snapshots"} <= names
    assert not [name for name in names if name.startswith(".")]  # no temporary files are left
    assert {path.suffix for path in (whole / "snapshots").iterdir()} == {".safetensors"}
    assert {path.name for path in whole_on_disk.iterdir()} - {"buffer.ring"} >= {"training.safetensors"}
    facts = read_facts(whole / "best.safetensors", AGENT)
    assert facts["game"] == "tic_tac_toe"
    assert facts["settings"]["search"]["root"] == "gumbel"
    status = json.loads((whole / "status.json").read_text())
    assert status["done"]
    assert status["counters"]["update"] == 13
    assert {"random", "update_0"} <= set(status["latest"]["matches"])


def test_a_finished_training_is_not_repeated(whole: Path) -> None:
    before = contents(whole)
    run = trainer(whole)
    assert run.is_done
    run.run()
    assert contents(whole) == before
    assert run.final_report()["random"].games == 4 * 8 * 2


def test_scalars(whole: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(whole))
    events.Reload()
    expected = {
        "loss/policy", "loss/value", "policy/entropy", "policy/divergence", "policy/gradient_norm",
        "policy/learning_rate", "value/explained", "games/length", "games/truncated", "buffer/used", "buffer/added",
        "speed/evaluations_per_second", "speed/decisions_per_second", "speed/samples_per_second",
        "speed/share_of_learning", "win_rate/random", "win_rate/update_0", "evaluation/best_update",
    }  # fmt: skip
    assert expected <= set(events.Tags()["scalars"])
    assert [event.value for event in events.Scalars("buffer/used")][:4] == [30, 81, 143, 150]
    assert len(events.Scalars("loss/policy")) == 13
    assert len(events.Scalars("win_rate/random")) == 4
    for name in ("loss/policy", "games/length"):
        assert all(np.isfinite(event.value) for event in events.Scalars(name))


def test_each_decision_is_learned_from_as_often_as_is_set(tmp_path: Path) -> None:
    """What is left over of a minibatch is owed, so the rate is met however few decisions an update brings."""
    for reuse in (0.3, 4.0):
        run = trainer(tmp_path / str(reuse), learner={"reuse": reuse, "minibatch": 64})
        steps = sum(run.update().steps for _ in range(8))
        assert steps == int(run.buffer.added * reuse / 64)
    assert asdict(run.counters)["steps"] == run.self_play.counters.decisions


def test_the_learner_plays_its_policy_or_searches_in_evaluations(tmp_path: Path) -> None:
    assert isinstance((policy := trainer(tmp_path / "a")).player(policy.network), NetworkPlayer)
    run = trainer(tmp_path / "b", evaluation={"iterations": 4})
    assert isinstance(run.player(run.network), SearchPlayer)
    assert isinstance(run.past_player(run.network), SearchPlayer)


# ------------------------------------------------------------------ what is refused


def one_line(error: pytest.ExceptionInfo[AgentError]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"learner": {"reuse": 5.0}}, "learner.reuse is 4.0 there, 5.0 here"),
        ({"search": {"considered": 4}}, "search.considered is 16 there, 4 here"),
        ({"buffer": {"on_disk": True}}, "buffer.on_disk is false there, true here"),
        ({"game": "connect_four"}, 'game is "tic_tac_toe" there, "connect_four" here'),
    ],
)
def test_another_config_is_refused_with_the_first_difference(
    whole: Path, changes: dict[str, Any], message: str
) -> None:
    before = contents(whole)
    with pytest.raises(AgentError) as error:
        trainer(whole, **changes)
    assert one_line(error) == (
        f"{whole} holds a training under another config ({message}): choose another folder, or remove it"
    )
    assert contents(whole) == before


def test_threads_device_time_and_checkpoints_may_change(whole: Path) -> None:
    assert trainer(whole, threads=2, device="auto", seconds=1000.0, checkpoint_every=2).is_done


def without(name: str) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda arrays, facts: arrays.pop(name)


def shorter(name: str) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda arrays, facts: arrays.update({name: arrays[name][:-1]})


@pytest.mark.parametrize(
    "damage",
    [
        without("weights"),
        without("optimiser.exp_avg"),
        without("buffer.records"),
        without("buffer.added"),
        without("self_play.0.nodes"),
        without("self_play.1.courses"),
        shorter("self_play.0.lanes"),
        shorter("buffer.records"),
        shorter("weights"),
        lambda arrays, facts: facts.pop("owed"),
        lambda arrays, facts: facts["counters"].pop("update") and facts["counters"].update(updates=1),
    ],
)
def test_a_damaged_training_file_is_refused_and_left_as_it_is(
    whole: Path, tmp_path: Path, damage: Callable[[dict[str, Any], dict[str, Any]], None]
) -> None:
    arrays, facts = read(whole / "training.safetensors", TRAINING)
    damage(arrays, facts)
    path = tmp_path / "training.safetensors"
    write(path, TRAINING, arrays, facts)
    before = path.read_bytes()
    with pytest.raises(AgentError) as error:
        trainer(tmp_path)
    assert one_line(error).startswith(f"{path}: is a damaged kontor alphazero training: ")
    assert path.read_bytes() == before


def test_a_training_file_that_is_cut_short_or_of_another_kind_is_refused(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "training.safetensors"
    path.write_bytes((whole / "training.safetensors").read_bytes()[:-100])
    with pytest.raises(AgentError) as error:
        trainer(tmp_path)
    assert one_line(error).startswith(f"{path}: is no checkpoint: ")
    ppo_trainer(tmp_path / "ppo", "kuhn_poker", steps=128).save()
    with pytest.raises(AgentError) as error:
        trainer(tmp_path / "ppo", "kuhn_poker")
    assert one_line(error).endswith("training.safetensors: is no kontor alphazero training but kontor ppo training")
    with pytest.raises(AgentError, match="is no kontor ppo training but kontor alphazero training"):
        ppo_trainer(whole, "kuhn_poker")


def delete(path: Path) -> None:
    path.unlink()


def shorten(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"0" * 1000)


@pytest.mark.parametrize("damage", [delete, shorten, lengthen])
def test_a_buffer_that_is_not_the_one_left_is_refused_and_left_as_it_is(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    trainer(tmp_path, steps=400, **ON_DISK).run()
    ring = tmp_path / "buffer.ring"
    damage(ring)
    before = ring.read_bytes() if ring.exists() else None
    with pytest.raises(AgentError) as error:
        trainer(tmp_path, steps=400, **ON_DISK)
    refused = f"{ring}: is not the buffer that the training was left with (remove the folder to begin anew): "
    assert one_line(error).startswith(refused)
    assert (ring.read_bytes() if ring.exists() else None) == before


# ------------------------------------------------------------------ what goes wrong


@pytest.mark.parametrize("poison", [float("nan"), float("inf"), 1e20])
def test_a_loss_out_of_hand_stops_with_step_and_name_and_keeps_the_last_checkpoint(
    tmp_path: Path, poison: float
) -> None:
    run = trainer(tmp_path, **ON_DISK)
    run.run(stopped=lambda: run.counters.update >= 5)
    before = contents(tmp_path)
    with torch.no_grad():
        run.learner.optimiser.weights[-3:] = poison  # the value head's
    with pytest.raises(TrainingError, match=r"training small: .* in update 6, step .* holds the last good checkpoint"):
        run.run()
    again = trainer(tmp_path, **ON_DISK)
    assert contents(tmp_path) == before
    again.run()
    assert again.is_done


@pytest.mark.parametrize("reuse", [0.5, 4.0], ids=["a step an update", "several"])
def test_a_learning_rate_that_explodes_is_found_out(tmp_path: Path, reuse: float) -> None:
    run = trainer(tmp_path, learner={"learning_rate": 1e30, "final_learning_rate": 1e30, "reuse": reuse})
    with pytest.raises(TrainingError, match=r"learning_rate 1e\+30\): ") as error:
        run.run()
    one_line(error)


def test_a_learning_rate_that_explodes_later_ends_with_the_last_good_checkpoint(tmp_path: Path) -> None:
    """The learner's step size is changed behind the training's back, so that the first updates go well."""
    run = trainer(tmp_path)
    run.run(stopped=lambda: run.counters.update >= 5)
    before = contents(tmp_path)
    run.learner.settings = run.learner.settings.model_copy(update={"learning_rate": 1e30})
    with pytest.raises(TrainingError, match="holds the last good checkpoint"):
        run.run()
    assert contents(tmp_path) == before


# ------------------------------------------------------------------ devices


def test_without_a_gpu_auto_takes_the_cpu_and_cuda_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert device_of("auto") == device_of("cpu") == trainer(tmp_path / "auto", device="auto").device
    with pytest.raises(AgentError) as error:
        trainer(tmp_path / "cuda", device="cuda")
    assert one_line(error) == "device cuda: torch finds no GPU here; `auto` takes one if there is one"
    assert not (tmp_path / "cuda").exists()


def test_the_evaluator_gives_what_the_network_gives(whole: Path) -> None:
    run = trainer(whole)
    observations = np.random.default_rng(0).normal(size=(5, run.network.shape.observation_size)).astype(np.float32)
    logits, values = Evaluator(run.network, device_of("cpu"))(observations, np.ones((5, 9), np.bool_))
    with torch.inference_mode():
        expected = run.network(torch.from_numpy(observations))
    assert np.array_equal(logits, expected[0].numpy())
    assert np.array_equal(values, expected[1].numpy())
    assert settings().device == "cpu"
