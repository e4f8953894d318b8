"""Trainings: reproducible, resumable after a kill, and stopped where they go wrong."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.agent import Agent, AgentError
from agents.learning.files import read, read_facts, write
from agents.learning.trainer import TrainingError
from agents.ppo.config import AGENT, TRAINING
from agents.ppo.trajectories import FOREIGN
from agents.registry import AgentConfig, AgentType, register_agent
from envs.view import View
from tests.agents.learning import stored
from tests.agents.learning.stored import FILES, kill_after
from tests.agents.ppo.trainings import settings, trainer


class LastAction(Agent):
    """Plays the last legal action."""

    def act(self, view: View) -> int:
        return view.legal_actions()[-1]


register_agent(AgentType("last_action", AgentConfig, lambda config, game, options, rng: LastAction(), "for tests"))


def contents(folder: Path) -> list[bytes]:
    return stored.contents(folder, "ppo")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training of 20 updates that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    trainer(folder).run()
    return folder


def test_the_seed_decides_all_and_the_number_of_threads_nothing(whole: Path, tmp_path: Path) -> None:
    trainer(tmp_path / "again").run()
    trainer(tmp_path / "threads", threads=3, checkpoint_every=7).run()
    trainer(tmp_path / "other", seed=1).run()
    assert contents(tmp_path / "again") == contents(whole)
    assert contents(tmp_path / "threads") == contents(whole)
    assert contents(tmp_path / "other")[0] != contents(whole)[0]


def test_a_training_that_stops_and_goes_on_comes_to_the_same(whole: Path, tmp_path: Path) -> None:
    for until in (3, 10, 11, 20):
        run = trainer(tmp_path)
        run.run(stopped=lambda run=run, until=until: run.counters.update >= until)
    assert contents(tmp_path) == contents(whole)


def test_a_killed_training_comes_to_the_same_weights_bit_for_bit(whole: Path, tmp_path: Path) -> None:
    """Killed without warning after update 12 or a little later; the last checkpoint is that of update 10."""
    kill_after("tests.agents.ppo.trainings", tmp_path, 12)
    assert read_facts(tmp_path / "training.safetensors", TRAINING)["counters"]["update"] == 10
    run = trainer(tmp_path)
    assert run.counters.update == 10
    run.run()
    assert contents(tmp_path) == contents(whole)


def test_a_kill_before_the_last_evaluation_leaves_a_training_that_makes_up_for_it(tmp_path: Path) -> None:
    """The checkpoint of the last update holds all steps, but no network has been found the best yet."""

    def killed() -> dict[str, float]:
        raise KeyboardInterrupt

    changes: dict[str, Any] = {"steps": 5 * 128, "evaluation": {"every": 100}}
    trainer(tmp_path / "whole", **changes).run()
    run = trainer(tmp_path / "killed", **changes)
    run.evaluate = killed  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        run.run()
    assert read_facts(tmp_path / "killed" / "training.safetensors", TRAINING)["counters"]["update"] == 5
    trainer(tmp_path / "killed", **changes).run()
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_rollouts_in_which_nobody_acts_twice_are_waited_out(tmp_path: Path) -> None:
    """Two decisions a rollout, of two seats each once: nothing is learned from the first."""
    run = trainer(tmp_path, game="connect_four", rollout={"steps": 2, "opening": 0}, opponents={"past_share": 0.0})
    before = run.learner.optimiser.weights.detach().clone()
    statistics = run.update()
    assert not len(run.rollout.rows)
    assert statistics.epochs == 0
    assert torch.equal(run.learner.optimiser.weights, before)
    assert run.update().epochs == 3
    assert not torch.equal(run.learner.optimiser.weights, before)


def test_a_kill_between_any_two_files_leaves_a_training_that_goes_on(whole: Path, tmp_path: Path) -> None:
    """Files that belong to a later moment than the checkpoint: the copies for players are made again from it."""
    run = trainer(tmp_path)
    run.run(stopped=lambda: run.counters.update >= 10)
    expected = (tmp_path / "latest.safetensors").read_bytes()
    for name in FILES:
        (tmp_path / name).write_bytes((whole / name).read_bytes())
    (tmp_path / "snapshots" / "new.safetensors").write_bytes(b"half a fi")
    again = trainer(tmp_path)
    assert (tmp_path / "latest.safetensors").read_bytes() == expected
    again.run()
    assert contents(tmp_path) == contents(whole)


def test_what_is_stored_is_whole_and_unpickled(whole: Path) -> None:
    names = {path.name for path in whole.iterdir()}
    assert {"training.safetensors", *FILES, "status.json", "snapshots"} <= names
    assert not [name for name in names if name.startswith(".")]  # no temporary files are left
    assert {path.suffix for path in (whole / "snapshots").iterdir()} == {".safetensors"}
    facts = read_facts(whole / "best.safetensors", AGENT)
    assert facts["game"] == "leduc_poker"
    assert facts["options"] == {"num_players": 2}
    status = json.loads((whole / "status.json").read_text())
    assert status["done"]
    assert status["counters"]["update"] == 20
    assert set(status["latest"]["matches"]) == {"random", "update_0", "update_8"}


def test_a_finished_training_is_not_repeated(whole: Path) -> None:
    before, status = contents(whole), json.loads((whole / "status.json").read_text())
    run = trainer(whole)
    assert run.is_done
    assert set(run.progress().win_rates) == {"random"}
    run.run()
    assert contents(whole) == before
    assert json.loads((whole / "status.json").read_text()) == status
    results = run.final_report()
    assert results["random"].games == 4 * 8 * 2


def test_time_can_be_limited(tmp_path: Path) -> None:
    run = trainer(tmp_path, steps=10**9, seconds=0.5)
    started = time.monotonic()
    run.run()
    assert time.monotonic() - started < 60
    assert 0 < run.counters.update < 10**6
    assert run.is_done
    assert trainer(tmp_path, steps=10**9, seconds=0.5).is_done
    assert (tmp_path / "best.safetensors").exists()


def test_another_config_is_refused_with_the_first_difference(whole: Path) -> None:
    with pytest.raises(AgentError, match=r"learner\.epochs is 3 there, 5 here"):
        trainer(whole, learner={"epochs": 5})
    with pytest.raises(AgentError, match="kuhn_poker"):
        trainer(whole, game="kuhn_poker")


@pytest.mark.parametrize("poison", [float("nan"), float("inf"), 1e20])
def test_a_loss_out_of_hand_stops_with_step_and_name_and_keeps_the_last_checkpoint(
    tmp_path: Path, poison: float
) -> None:
    run = trainer(tmp_path)
    run.run(stopped=lambda: run.counters.update >= 10)
    before = contents(tmp_path)
    with torch.no_grad():
        run.learner.optimiser.weights[-3:] = poison  # the value head's
    with pytest.raises(TrainingError, match=r"training small: .* in update 11, step 1408 \(learner\.learning_rate"):
        run.run()
    assert contents(tmp_path) == before
    again = trainer(tmp_path)
    again.run()
    assert again.counters.update == 20


def test_a_learning_rate_that_explodes_is_found_out(tmp_path: Path) -> None:
    run = trainer(tmp_path, learner={"learning_rate": 1e30, "final_learning_rate": 1e30})
    with pytest.raises(TrainingError, match=r"learning_rate 1e\+30\): there is no checkpoint yet"):
        run.run()


def test_opponents_change_and_how_it_went_is_kept(whole: Path) -> None:
    run = trainer(whole)
    assert run.counters.drawings > 4
    assert sum(snapshot.games for snapshot in run.pool.snapshots) > 0
    updates = [snapshot.update for snapshot in run.pool.snapshots]
    assert updates[0] == 0
    assert updates == sorted(updates)
    assert len(updates) <= 4


def test_fixed_opponents_sit_at_their_share_of_tables(tmp_path: Path) -> None:
    fixed = ({"agent": {"type": "random"}, "share": 0.5}, {"agent": {"type": "last_action"}, "share": 0.125})
    run = trainer(tmp_path, opponents={"past_share": 0.25, "past_groups": 1, "fixed": fixed})
    sizes = [part.stop - part.start for part in run.rollout.groups]
    assert sizes == [4, 8, 2]
    assert np.bincount(run.rollout.group + 1).tolist() == [2, 4, 8, 2]
    run.update()
    rows = run.rollout.carried + np.arange(128).reshape(8, 16)[:, run.rollout.groups[2]]
    theirs = run.rollout.next_row[rows] == FOREIGN
    assert 0 < theirs.sum() < theirs.size
    last = run.rollout.masks.shape[1] - 1 - run.rollout.masks[:, ::-1].argmax(axis=1)
    np.testing.assert_array_equal(run.rollout.actions[rows[theirs]], last[rows[theirs]])
    with pytest.raises(ValueError, match="sum to more than 1"):
        settings(opponents={"past_share": 0.75, "fixed": fixed})


def test_scalars(whole: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(whole))
    events.Reload()
    expected = {
        "loss/policy", "loss/value", "policy/entropy", "policy/kl", "policy/clip_fraction", "value/explained_variance",
        "speed/steps_per_second", "games/length", "returns/seat_0", "returns/seat_1",
        "win_rate/random", "win_rate/update_0",
        "policy/learning_rate",
    }  # fmt: skip
    assert expected <= set(events.Tags()["scalars"])
    steps = [event.step for event in events.Scalars("loss/policy")]
    assert steps == [128 * update for update in range(1, 21)]
    assert [event.step for event in events.Scalars("win_rate/random")] == [8 * 128, 16 * 128, 20 * 128]


def rising(values: list[Any]) -> bool:
    return all(a <= b for a, b in pairwise(values))


def test_progress_tells_steps_speed_win_rates_and_time_left(tmp_path: Path) -> None:
    told = []
    trainer(tmp_path).run(told.append)
    assert len(told) == 21
    assert rising([progress.share for progress in told])
    assert told[-1].share == 1.0
    assert told[-1].seconds_left == 0
    assert "random" in told[-1].in_words()
    assert "k steps/s" in told[-1].in_words()


@pytest.mark.parametrize("missing", ["weights", "optimiser.exp_avg", "rollout.observations"])
def test_a_damaged_training_file_is_refused_and_left_as_it_is(whole: Path, tmp_path: Path, missing: str) -> None:
    arrays, facts = read(whole / "training.safetensors", TRAINING)
    path = tmp_path / "training.safetensors"
    write(path, TRAINING, {name: array for name, array in arrays.items() if name != missing}, facts)
    before = path.read_bytes()
    with pytest.raises(AgentError, match=r"training\.safetensors: is a damaged kontor ppo training"):
        trainer(tmp_path)
    assert path.read_bytes() == before
