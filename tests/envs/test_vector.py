"""A batch plays in every lane exactly the games that its seeds say, whatever the threads, copies and processes."""

from __future__ import annotations

import copy
import hashlib
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from envs import vector
from envs.aec import environment_makers
from envs.catalog import get_game
from envs.chance import lane_seed, next_seed, random_bits
from envs.errors import IllegalAction, KontorError, OptionError
from envs.position import Position
from envs.vector import Batch, VectorGame

ROOT = Path(__file__).parent.parent.parent

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tic_tac_toe", {}),
    ("connect_four", {}),
    ("kuhn_poker", {"num_players": 2}),
    ("leduc_poker", {"num_players": 3}),
]


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the threads share batches of any size."""
    monkeypatch.setattr(vector, "PART_BYTES", 1)


def choose(masks: np.ndarray, step: int) -> np.ndarray:
    """A seeded legal action for every lane."""
    chosen = [np.flatnonzero(mask)[random_bits(step, 0, lane) % mask.sum()] for lane, mask in enumerate(masks)]
    return np.array(chosen)


def digest(games: VectorGame, steps: int) -> str:
    """A digest of all that a batch shows in `steps` steps."""
    seen = hashlib.sha256()
    for step in range(steps):
        games.step(choose(games.masks, step))
        for array in (*games.batch, games.states, games.final_states):
            seen.update(array.tobytes())
    return seen.hexdigest()


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_lane_plays_the_games_of_its_seeds(name, options):
    game = get_game(name)
    games = VectorGame(game, 7, options, seed=5)
    seeds = [lane_seed(5, lane) for lane in range(7)]
    positions = [Position(game, options, seed) for seed in seeds]
    ended = 0
    for step in range(100):
        actions = choose(games.masks, step)
        batch = games.step(actions)
        for lane, action in enumerate(actions):
            positions[lane].apply(action)
            over = positions[lane]
            assert batch.terminations[lane] == over.terminated
            assert batch.truncations[lane] == over.truncated
            np.testing.assert_array_equal(batch.rewards[lane], over.returns())
            if over.is_over:
                ended += 1
                assert games.final_position(lane).tobytes() == over.tobytes()
                seeds[lane] = next_seed(seeds[lane])
                positions[lane] = Position(game, options, seeds[lane])
            here = positions[lane]
            assert games.position(lane).tobytes() == here.tobytes()
            assert batch.seats[lane] == here.current_player
            np.testing.assert_array_equal(batch.masks[lane], here.action_mask())
            np.testing.assert_array_equal(batch.observations[lane], here.observe(here.current_player))
        np.testing.assert_array_equal(batch.ended, batch.terminations | batch.truncations)
    assert ended > 14, "several games in a row were played in each lane"


def test_a_lane_is_an_aec_environment_that_is_reset_on_and_on():
    game = get_game("leduc_poker")
    games = VectorGame(game, 3, {"num_players": 3}, seed=9)
    envs = [environment_makers(game)[0](num_players=3) for _ in range(3)]
    for lane, env in enumerate(envs):
        env.reset(seed=lane_seed(9, lane))
    for step in range(60):
        actions = choose(games.masks, step)
        games.step(actions)
        for lane, env in enumerate(envs):
            env.step(actions[lane])
            if games.terminations[lane]:
                assert list(env.rewards.values()) == games.rewards[lane].tolist()
                env.reset()
            assert env.agent_selection == f"player_{games.seats[lane]}"
            seen = env.observe(env.agent_selection)
            np.testing.assert_array_equal(seen["observation"], games.observations[lane])
            np.testing.assert_array_equal(seen["action_mask"], games.masks[lane])


def test_the_autoreset_is_the_one_it_is_named_after():
    assert VectorGame.autoreset_mode is AutoresetMode.SAME_STEP
    games = VectorGame(get_game("connect_four"), 2)
    for action in (0, 1, 0, 1, 0, 1):
        games.step([action, 3 - 3 * (games.states["move_number"][1] >= 6)])
    games.step([0, 1])
    assert games.terminations.tolist() == [True, False], "the step that ends a game says so"
    assert games.rewards.tolist() == [[1.0, -1.0], [0.0, 0.0]]
    assert games.states["move_number"].tolist() == [0, 7], "and shows the next game"
    assert games.final_states["move_number"].tolist() == [7, 0], "the ended one is kept"
    games.step([0, 1])
    assert games.states["move_number"].tolist() == [1, 8], "the next action is played in the next game"
    assert not games.terminations.any()
    assert not games.rewards.any()


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_result_does_not_depend_on_the_threads(name, options):
    game = get_game(name)
    digests = set()
    for threads in (1, 2, 3, 8):
        games = VectorGame(game, 101, options, seed=1, threads=threads)
        assert len(games._parts) == threads
        digests.add(digest(games, 40))
    assert len(digests) == 1


@pytest.mark.usefixtures("small_parts")
def test_a_step_does_not_wait_for_threads_that_others_keep_busy():
    game = get_game("connect_four")
    expected = digest(VectorGame(game, 60, threads=1), 10)
    freed = threading.Event()
    blocked = [vector._threads().submit(freed.wait) for _ in range(os.cpu_count() or 1)]
    try:
        assert digest(VectorGame(game, 60, threads=3), 10) == expected
        assert not any(thread.done() for thread in blocked)
    finally:
        freed.set()


@pytest.mark.usefixtures("small_parts")
def test_batches_can_be_stepped_by_several_threads_at_once():
    game = get_game("leduc_poker")
    batches = [VectorGame(game, 40, seed=seed, threads=3) for seed in range(4)]
    expected = [digest(copy.deepcopy(games), 15) for games in batches]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda games: digest(games, 15), batches)) == expected


def test_small_batches_are_not_worth_a_thread_and_large_ones_use_all():
    game = get_game("connect_four")
    assert len(VectorGame(game, 64, threads=2)._parts) == 1
    parts = VectorGame(game, 4096, threads=2)._parts
    assert parts == [(0, 2048), (2048, 4096)]


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0, 7], "lane 2: connect_four, move 6: action 7 is out of range 0 to 6"),
        ([0, -1, 7], "lane 1: connect_four, move 6: action -1 is out of range 0 to 6"),
        ([3, 0, 0], "lane 0: connect_four, move 6: action 3 {'type': 'drop', 'column': 3} is illegal for player_0"),
        (np.array([0, 0, 1 << 63], np.uint64), "lane 2: connect_four, move 6: action 7 is out of range 0 to 6"),
        ([0, 0], "actions must be 3 whole numbers, not int64 of shape (2,)"),
        ([[0], [0], [0]], "of shape (3, 1)"),
        ([0.0, 0.0, 0.0], "not float64"),
        ([True, True, True], "not bool"),
        (None, "not object"),
        (["0", "0", "0"], "actions must be 3 whole numbers"),
    ],
)
def test_an_illegal_action_is_refused_and_no_lane_moves(actions, message):
    games = VectorGame(get_game("connect_four"), 3)
    for _ in range(6):
        games.step([3, 3, 3])
    before = [array.copy() for array in (*games.batch, games.states, games.final_states)]
    with pytest.raises(IllegalAction) as caught:
        games.step(actions)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    for array, kept in zip((*games.batch, games.states, games.final_states), before, strict=True):
        assert array.tobytes() == kept.tobytes()


def test_a_mask_that_was_changed_is_noticed_or_refused():
    games = VectorGame(get_game("connect_four"), 2)
    games.masks[1, 4] = False
    with pytest.raises(IllegalAction, match="lane 1: the mask was changed"):
        games.step([4, 4])


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint64])
def test_actions_of_any_whole_number_type_are_played(dtype):
    games = VectorGame(get_game("connect_four"), 3)
    games.step(np.array([0, 6, 3], dtype))
    assert games.states["height"].argmax(axis=1).tolist() == [0, 6, 3]


def test_reset_starts_the_seeds_games_and_without_a_seed_each_lanes_next():
    game = get_game("leduc_poker")
    games = VectorGame(game, 4, seed=3)
    first = games.states.copy()
    assert digest(games, 20) == digest(VectorGame(game, 4, seed=3), 20)
    games.reset(3)
    assert games.states.tobytes() == first.tobytes()
    assert not games.ended.any()
    assert not games.rewards.any()
    games.reset()
    assert games.states["seed"].tolist() == [next_seed(seed) for seed in first["seed"]]
    with pytest.raises(OptionError, match="seed"):
        games.reset(-1)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))])
def test_copies_go_on_alike_and_apart(twin_of):
    games = VectorGame(get_game("leduc_poker"), 50, seed=2)
    digest(games, 15)
    twin = twin_of(games)
    for array, own in zip((*twin.batch, twin.states), (*games.batch, games.states), strict=True):
        assert array.tobytes() == own.tobytes()
        assert not np.shares_memory(array, own)
    moved = digest(twin, 15)
    assert moved == digest(games, 15)


@pytest.mark.usefixtures("small_parts")
def test_a_batch_steps_on_in_a_forked_child_after_its_threads_ran_in_the_parent():
    games = VectorGame(get_game("connect_four"), 50, seed=2)
    digest(games, 5)
    expected = digest(copy.deepcopy(games), 10)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=lambda: sender.send(digest(games, 10)))
    child.start()
    child.join(60)
    finished = child.exitcode
    child.kill()
    assert finished == 0
    assert receiver.recv() == expected


def test_results_go_into_the_arrays_of_a_rollout():
    game = get_game("connect_four")
    games, plain = VectorGame(game, 5, seed=4), VectorGame(game, 5, seed=4)
    one = games.new_batch()
    rollout = Batch(*(np.empty((31, *array.shape), array.dtype) for array in one))
    games.reset(4, into=Batch(*(array[0] for array in rollout)))
    for step in range(30):
        actions = choose(plain.masks, step)
        plain.step(actions)
        batch = games.step(actions, into=Batch(*(array[step + 1] for array in rollout)))
        assert batch is games.batch
        for array, expected in zip(rollout, plain.batch, strict=True):
            np.testing.assert_array_equal(array[step + 1], expected)


def test_arrays_that_do_not_fit_are_refused_before_anything_moves():
    games = VectorGame(get_game("connect_four"), 5)
    fitting = games.new_batch()
    read_only = np.zeros(5, np.bool_)
    read_only.flags.writeable = False
    for name, wrong in [
        ("observations", np.zeros((5, 86))),
        ("masks", np.zeros((7, 5), np.bool_).T),
        ("seats", [0] * 5),
        ("rewards", np.zeros((5, 3))),
        ("terminations", read_only),
    ]:
        with pytest.raises(KontorError, match=f"{name} must be a writable C-contiguous array"):
            games.step(np.zeros(5, int), into=fitting._replace(**{name: wrong}))
    assert not games.states["move_number"].any()


def test_any_seat_can_be_observed_in_any_lane():
    games = VectorGame(get_game("leduc_poker"), 6, {"num_players": 3}, seed=1)
    digest(games, 4)
    seats = np.array([0, 1, 2, 2, 1, 0])
    seen = games.observe(seats)
    for lane, seat in enumerate(seats):
        np.testing.assert_array_equal(seen[lane], games.position(lane).observe(seat))
    out = np.empty_like(seen)
    assert games.observe(1, out) is out
    np.testing.assert_array_equal(out[5], games.position(5).observe(1))
    for wrong in (3, -1, [0] * 5, 0.0, "0"):
        with pytest.raises(KontorError, match="seat"):
            games.observe(wrong)


def test_without_observations_the_games_are_the_same():
    game = get_game("leduc_poker")
    seeing, blind = VectorGame(game, 20, seed=3), VectorGame(game, 20, seed=3, observations=False)
    assert blind.observations.shape == (20, 0)
    for step in range(20):
        actions = choose(seeing.masks, step)
        seeing.step(actions)
        blind.step(actions)
        assert blind.states.tobytes() == seeing.states.tobytes()
        np.testing.assert_array_equal(blind.masks, seeing.masks)
    assert blind.observe(0).shape == seeing.observations.shape


def test_a_batch_goes_on_from_kept_positions():
    game = get_game("leduc_poker")
    games, other = VectorGame(game, 8, seed=6), VectorGame(game, 8, seed=7)
    digest(games, 9)
    other.restore(games.states)
    for array, expected in zip(other.batch[:3], games.batch[:3], strict=True):
        np.testing.assert_array_equal(array, expected)
    games.step(choose(games.masks, 9))
    other.step(choose(other.masks, 9))
    assert other.states.tobytes() == games.states.tobytes()
    over = games.states.copy()
    over["terminated"][3] = 1
    wrong = [over, games.states[:7], np.zeros(8, get_game("connect_four").dtype)]
    wrong.append(VectorGame(game, 8, {"num_players": 3}).states)
    for states in wrong:
        with pytest.raises(KontorError, match="restore needs"):
            other.restore(states)


def test_a_lane_without_an_ended_game_has_no_final_position():
    games = VectorGame(get_game("connect_four"), 2)
    with pytest.raises(KontorError, match="no game has ended in lane 1"):
        games.final_position(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_games": 0}, "num_games is 0: it must be at least 1"),
        ({"num_games": 2.0}, "num_games 2.0 is no whole number"),
        ({"num_games": 2, "threads": 0}, "threads is 0"),
        ({"num_games": 2, "options": {"num_player": 2}}, "did you mean 'num_players'"),
        ({"num_games": 2, "seed": -1}, "seed -1 is outside"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(OptionError, match=message):
        VectorGame(get_game("connect_four"), **arguments)


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_plain_and_bounds_checked_play_are_the_same(mode):
    code = (
        "from tests.envs.test_vector import *; vector.PART_BYTES = 1\n"
        "print(*(digest(VectorGame(get_game(name), 6, options), 30) for name, options in GAMES))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, mode: "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == [digest(VectorGame(get_game(name), 6, options), 30) for name, options in GAMES]
