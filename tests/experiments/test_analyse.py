"""`kontor analyse` prints what a search finds, from the acting seat's view, and refuses what makes no sense."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from envs.catalog import get_game
from envs.position import Position
from envs.record import GameRecord
from experiments import cli
from tests.agents.alphazero.networks import checkpoint


@pytest.fixture
def analysed(capsys: pytest.CaptureFixture[str]):
    """Run `kontor analyse`, which must succeed, and give what it prints."""

    def run(*words: object) -> str:
        assert cli.main(["analyse", *map(str, words)]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]):
    """Run `kontor analyse`, which must refuse, and give the one line that says why."""

    def run(*words: object) -> str:
        assert cli.main(["analyse", *map(str, words)]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("kontor: ")
        assert printed.err.count("\n") == 1
        return printed.err

    return run


def recorded(path: Path, name: str, actions: list[int], seed: int = 1, **options: object) -> Path:
    position = Position(get_game(name), options, seed)
    for action in actions:
        position.apply(action)
    GameRecord.of(position, seed, actions).save(path)
    return path


@pytest.fixture
def four(tmp_path: Path) -> Path:
    """Connect Four in which player_0 wins with its fourth disc in column 0."""
    return recorded(tmp_path / "four.json", "connect_four", [0, 1, 0, 1, 0, 1, 0])


def test_the_best_action_comes_first_in_words_with_a_value_for_each_seat(analysed, four):
    shown = analysed(four, "--move", 6, "--iterations", 400)
    lines = shown.splitlines()
    assert lines[0] == "Connect Four, num_players=2, after move 6"
    assert "player_0 to act, as it sees the position" in lines
    heading = next(number for number, line in enumerate(lines) if line.startswith("action"))
    assert lines[heading].split() == ["action", "visits", "share", "available", "prior", "player_0", "player_1"]
    assert re.match(r"drop column 0 \(wins\) +\d+ +[\d.]+ % +400 +[\d.]+ +\+1.000 +-1.000", lines[heading + 1])
    assert sum(line.startswith("drop column") for line in lines) == 7
    assert re.search(r"^400 simulations in [\d.e-]+ s \([\d,]+ a second\), \d+ nodes$", shown, re.MULTILINE)
    assert "   1  drop column 0" in lines
    assert lines[-1] == "played in the record: drop column 0"


def test_settings_lines_and_seconds_are_taken(analysed, four):
    shown = analysed(four, "--move", 0, "--seconds", 0.02, "-s", "selection=ucb1", "-s", "node_budget=20", "--lines", 2)
    assert "the node budget was reached" in shown
    assert "and 5 more (--lines)" in shown
    seeds = {analysed(four, "--move", 2, "--iterations", 30, "--seed", seed).split("nodes")[1] for seed in (1, 1, 2)}
    assert len(seeds) == 2


def test_a_search_led_by_a_network_is_asked_and_the_network_alone(analysed, refused, four, tmp_path):
    checkpoint(tmp_path / "net" / "best.safetensors", "connect_four")
    shown = analysed(four, "--move", 6, "--agent", tmp_path / "net", "--iterations", 50)
    assert re.search(r"^50 simulations in ", shown, re.MULTILINE)
    assert re.search(r"^drop column 0 \(wins\) +\d+ ", shown, re.MULTILINE)
    alone = analysed(four, "--move", 6, "--agent", tmp_path / "net", "-s", "iterations=0")
    priors = re.findall(r"^drop column \d +0 +0.0 % +0 +(\d\.\d+) *$", alone, re.MULTILINE)
    assert len(priors) == 7
    assert sum(map(float, priors)) == pytest.approx(1.0, abs=0.005)
    assert priors == sorted(priors, reverse=True)
    assert "takes iterations or seconds, not both" in refused(
        four, "--move", 6, "--agent", tmp_path / "net", "--iterations", 5, "--seconds", 1
    )
    assert "--agent greedy: greedy does not search" in refused(four, "--move", 0, "--agent", "greedy")


def test_nothing_is_shown_that_the_seat_to_act_does_not_know(analysed, tmp_path):
    """The same is printed whatever card the other holds, but for how long it took."""
    shown = set()
    for seed in range(40):
        position = Position(get_game("kuhn_poker"), {}, seed)
        if position.state.card[0] == 1:
            path = recorded(tmp_path / f"{seed}.json", "kuhn_poker", [], seed)
            printed = analysed(path, "--move", 0, "--iterations", 200)
            shown.add(re.sub(r"in [\d.e-]+ s \([\d,]+ a second\)", "", printed))
            cards = {int(position.state.card[1])}
            assert cards <= {0, 2}
    assert len(shown) == 1


def test_what_makes_no_sense_is_refused(refused, four, tmp_path):
    assert "--move 8 is out of range: the record has 7 moves" in refused(four, "--move", 8)
    assert "--move 7: the game is over there" in refused(four, "--move", 7)
    assert "Missing option '--move'" in refused(four)
    assert "there is no such file" in refused(tmp_path / "nothing.json", "--move", 0)
    assert "did you mean 'exploration'" in refused(four, "--move", 0, "-s", "exploraton=2")
    assert "setting 'rollout' has no value: write rollout=VALUE" in refused(four, "--move", 0, "-s", "rollout")
    assert "agent mcts: rollout: " in refused(four, "--move", 0, "-s", "rollout=wild")
    assert "setting 'iterations' is given twice" in refused(four, "--move", 0, "--iterations", 3, "-s", "iterations=4")
    assert "has no option reward" in refused(four, "--move", 0, "-s", "reward=score")
