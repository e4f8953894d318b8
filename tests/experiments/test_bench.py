"""`kontor bench` measures what it says; how fast that is on a machine is for `kontor bench` itself to tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from envs.aec import AECGame
from envs.catalog import get_game
from envs.chance import next_seed
from envs.kernels import start
from envs.position import Position
from experiments import cli
from experiments.bench import moves, searches
from experiments.bench import result as timing
from experiments.bench.aec import pettingzoo_connect_four, play, random_games
from experiments.bench.kernels import choose_lanes, nth_legal, play_randomly, uniform
from experiments.bench.measures import MEASURES, Measure
from experiments.bench.result import Result, Settings, Subject, enough

QUICK = ("--seconds", "0.002", "--repeats", "3")


def subject(name: str, **options: Any) -> Subject:
    game = get_game(name)
    return Subject(game, game.validate(options))


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    """Run `kontor bench`, and give what it prints and its results."""

    def run(*words: str) -> tuple[str, list[dict[str, Any]]]:
        file = tmp_path / "results.json"
        assert cli.main(["bench", *words, *QUICK, "--json", str(file)]) == 0
        return capsys.readouterr().out, json.loads(file.read_text(encoding="utf-8"))["results"]

    return run


def test_kernel_observations_and_vector_are_measured_for_any_game(bench):
    printed, results = bench("kernel", "observe", "vector", "--game", "kuhn_poker", "--players", "3", "--games", "64")
    assert [result["measure"] for result in results] == ["kernel", "observe", "vector"]
    for result in results:
        assert result["n"] == len(result["values"]) == 3
        assert min(result["values"]) <= result["median"] <= max(result["values"])
        assert result["median"] > 100
        assert result["target"] is None
    assert "kuhn_poker, 3 players: 64 games, 2 threads" in printed
    assert "cores" in printed.splitlines()[0]
    assert "numba" in printed.splitlines()[1]


def test_the_aec_environments_are_measured_side_by_side(bench):
    _, results = bench("aec", "--game", "connect_four")
    ours, added, theirs, ratio = (result["median"] for result in results)
    assert ours > theirs > 0
    assert 0 < added < 1e6 / ours * 1.5
    assert ratio > 1
    assert [result["target"] for result in results] == [None, 8.0, None, 5.0]


def test_starting_and_compiling_are_measured_in_new_processes(bench):
    _, results = bench("startup", "compile", "--game", "tic_tac_toe")
    assert [result["unit"] for result in results] == ["seconds"] * 3
    start_up, rules, batch = (result["median"] for result in results)
    assert rules > 0.2, "the rules were compiled, not taken from the cache"
    assert batch > 0.2
    assert start_up > 0
    assert results[0]["target"] == 1.5


def test_every_measure_has_its_target_for_the_games_that_it_is_set_for():
    quick = Settings(seconds=0.0, repeats=1, games=4096)
    kernel = {r.subject: r.target for r in moves.measure_kernel([subject("connect_four")], quick)}
    assert kernel == {"connect_four, 2 players": 20e6}
    leduc = [subject("leduc_poker"), subject("leduc_poker", num_players=3)]
    assert [result.target for result in moves.measure_kernel(leduc, quick)] == [10e6, None]
    (vector,) = moves.measure_vector([subject("connect_four")], quick)
    assert (vector.target, vector.aim) == (10e6, 18e6)
    (other,) = moves.measure_vector([subject("connect_four")], Settings(seconds=0.0, repeats=1, games=64))
    assert (other.target, other.aim) == (None, None)


@pytest.mark.parametrize(
    ("values", "target", "lower", "met"),
    [
        ((1.0, 9.0, 5.0), 5.0, False, True),
        ((1.0, 9.0, 4.0), 5.0, False, False),
        ((1.0, 9.0, 5.0), 5.0, True, True),
        ((1.0, 9.0, 6.0), 5.0, True, False),
        ((1.0,), None, False, None),
    ],
)
def test_a_target_is_met_by_the_median(values, target, lower, met):
    result = Result("kernel", "game", "moves/s", values, target, lower_is_better=lower)
    assert result.is_met is met


def test_a_missed_target_is_shown_and_can_fail_the_command(capsys, monkeypatch):
    slow = Result("kernel", "a slow game", "moves/s", (1.0, 2.0, 3.0), 20e6, 30e6)
    monkeypatch.setitem(MEASURES, "kernel", Measure("kernel", "nothing", lambda subjects, settings: iter([slow])))
    assert cli.main(["bench", "kernel"]) == 0
    printed = capsys.readouterr().out
    assert "a slow game" in printed
    assert "1 to 3" in printed
    assert "at least 20 M, aim 30 M: missed" in printed
    assert cli.main(["bench", "kernel", "--check"]) == 1
    assert capsys.readouterr().err == "kontor: a target is missed\n"


def test_the_kernel_plays_whole_games_by_the_rules():
    game = get_game("leduc_poker")
    template = game.template(game.validate({}))
    states, mask = template.copy(), np.empty(3, np.bool_)
    start(states, 0, template, 11)
    ended = play_randomly(states, template, mask, 5, 1000)
    position, games = Position(game, seed=11), 0
    for move in range(1000):
        legal = position.legal_actions()
        position.apply(legal[uniform(5, move, len(legal))])
        if position.is_over:
            games += 1
            position = Position(game, seed=next_seed(position.state.seed))
    assert ended == games > 100
    assert states.tobytes() == position.tobytes()


def test_choices_are_legal_and_uniform():
    """Chi-square over 7,000 choices among 7; its 0.1 % point for 6 degrees of freedom is 22.46 (one seed)."""
    masks = np.zeros((7000, 12), np.bool_)
    masks[:, [0, 2, 3, 5, 7, 8, 11]] = True
    actions = np.empty(7000, np.int64)
    choose_lanes(masks, 0, actions)
    assert masks[np.arange(7000), actions].all()
    counts = np.bincount(actions, minlength=12)[masks[0]]
    assert ((counts - 1000) ** 2 / 1000).sum() < 22.46
    assert [nth_legal(masks[0], n) for n in range(7)] == [0, 2, 3, 5, 7, 8, 11]


def test_both_connect_fours_play_the_same_games_to_the_end():
    games = random_games(subject("connect_four"), 5)
    assert games == random_games(subject("connect_four"), 5)
    ours, theirs = AECGame(get_game("connect_four")), pettingzoo_connect_four()
    for game in games:
        steps = []
        for env in (ours, theirs):
            play(env, [game])
            assert env.agents == []
            env.reset(seed=game[0])
            for action in game[1]:
                assert env.observe(env.agent_selection)["action_mask"][action]
                env.step(action)
            steps.append((env.terminations, env.rewards))
        assert steps[0] == steps[1]
        assert all(steps[0][0].values()), "the actions end the game"


def test_enough_work_takes_about_the_time_asked_for(monkeypatch):
    clock = 0.0

    def work(n: int) -> None:
        nonlocal clock
        clock += 0.003 * n

    monkeypatch.setattr(timing, "perf_counter", lambda: clock)
    assert enough(work, 30.0) == 10_000
    assert enough(work, 0.0) == 1


def test_the_search_is_measured_beside_open_spiel_in_two_threads_and_by_the_clock(bench, monkeypatch):
    monkeypatch.setattr(searches, "TIMED_MOVES", 3)
    monkeypatch.setattr(searches, "open_spiel_search", lambda iterations: lambda: 1000.0)
    _, results = bench("search", "--game", "tic_tac_toe")
    speed, ratio, over = results
    assert [result["unit"] for result in results] == ["simulations/s", "times", "of the slack"]
    assert speed["median"] > 100
    assert ratio["median"] > 0
    assert [result["target"] for result in results] == [None, None, 1.0]
    assert over["subject"] == "tic_tac_toe, 2 players: longest of 3 moves at 0.03 s"
    assert over["n"] == 1
    _, results = bench("search", "--game", "tic_tac_toe", "--game", "connect_four")
    assert [(result["subject"], result["target"]) for result in results[:4]] == [
        ("connect_four, 2 players: 10000 simulations", 1.06e6),
        ("OpenSpiel's MCTSBot, random rollouts", None),
        ("ours over OpenSpiel's, in turn", 8.0),
        ("connect_four, 2 players: two threads over one, 100000 simulations", 1.8),
    ]
    ours, theirs, times = (result["values"] for result in results[:3])
    assert times == [a / b for a, b in zip(ours, theirs, strict=True)]
    assert len(results) == 6


def test_rollouts_of_fuerstenfeld_are_measured_in_the_middle_of_a_game(monkeypatch):
    asked = []
    monkeypatch.setattr(searches, "simulations_per_second", lambda *words, **more: asked.append((words, more)) or 5.0)
    monkeypatch.setattr(searches, "overshoots", lambda *words: [0.001, -0.002])
    both = [subject("fuerstenfeld"), subject("fuerstenfeld", num_players=3)]
    results = list(searches.measure_search(both, Settings(repeats=2)))
    assert [(result.target, result.values) for result in results[:4]] == [
        (1.5e3, (5.0, 5.0)),
        (20e3, (5.0, 5.0)),
        (None, (5.0, 5.0)),
        (None, (5.0, 5.0)),
    ]
    assert results[4].median == pytest.approx(0.001 / 0.003)
    assert {more["moves"] for _, more in asked} == {searches.MID_GAME}
    assert [more.get("depth") for _, more in asked[:3]] == [None, None, searches.TWO_ROUNDS]
