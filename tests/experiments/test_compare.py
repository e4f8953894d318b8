"""`kontor compare`: blocks, their scores, and a verdict that depends on nothing but the games in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.registry import agent_config
from envs.catalog import get_game
from experiments.cli import main
from experiments.commands.agents import read_agent, read_pair
from experiments.compare import block_scores, compare, duel
from experiments.config import Experiment, import_modules
from experiments.plan import plan
from experiments.sequential import SequentialTest
from experiments.store import SeatRow

DOUBLES = "tests.experiments.doubles"


def rows(deal: int, game: int, *places: tuple[str, float], copy_key: str | None = None) -> list[SeatRow]:
    return [
        SeatRow(game, 0, deal, seat, agent, place, 0.0, 0.0, 1, 0.1, 0, 9, copy_key)
        for seat, (agent, place) in enumerate(places)
    ]


def test_a_block_is_scored_by_who_is_ahead_of_whom() -> None:
    seats = [
        *rows(0, 1, ("a", 1), ("b", 2), ("b", 3)),
        *rows(0, 2, ("b", 1), ("a", 2.5), ("b", 2.5)),
        *rows(1, 3, ("b", 1), ("b", 2), ("a", 3)),
        *rows(1, 4, ("b", 2), ("a", 1), ("a", 3)),
        *rows(2, 5, ("a", 1), ("b", 2), ("b", 3)),
    ]
    assert block_scores(seats, "a", 2) == ([(1 + 0.25) / 2, (0 + 0.5) / 2], 0), "deal 2 is not finished"
    assert block_scores(seats[6:], "a", 2) == ([], 0), "deal 0 is missing"


def test_copies_of_games_count_once() -> None:
    seats = [
        seat
        for deal in range(3)
        for game in (0, 1)
        for seat in rows(deal, 2 * deal + game, ("a", 1), ("b", 2), copy_key=f"k{game}")
    ]
    assert block_scores(seats, "a", 2) == ([1.0], 2)


def kuhn(folder: Path, workers: int, players: int = 2) -> Experiment:
    game = get_game("kuhn_poker")
    import_modules([DOUBLES])
    agents = {"first": agent_config("first_legal"), "random": agent_config("random")}
    return duel("duel", agents, game, game.validate({"num_players": players}), 600, 1, folder, workers, [DOUBLES])


def test_three_at_a_table_are_both_mixtures_in_all_rotations(tmp_path: Path) -> None:
    games = [game for game in plan(kuhn(tmp_path, 0, 3)) if game.deal == 0]
    assert sorted(game.seating.count("first") for game in games) == [1, 1, 1, 2, 2, 2]


def test_the_verdict_does_not_depend_on_the_workers_and_a_decided_test_plays_no_more(tmp_path: Path) -> None:
    test = SequentialTest(0, 80)
    alone = compare(kuhn(tmp_path / "a", 0), "first", test)
    both = compare(kuhn(tmp_path / "b", 2), "first", test)
    assert alone.verdict == both.verdict
    assert alone.score == both.score
    assert alone.verdict.accepted is not None
    assert 8 <= alone.verdict.blocks < 600
    again = compare(kuhn(tmp_path / "a", 0), "first", test)
    assert again == alone


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_command_ends_with_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "greedy", "random", "-g", "connect_four", "--workers", "0"]) == 0
    out = capsys.readouterr().out
    assert "greedy against random: score " in out
    assert "decided: +50 Elo points or more" in out
    assert "games: runs/compare_connect_four2_greedy_random/results.sqlite" in out


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["greedy", "randm"], "unknown agent 'randm': did you mean 'random'"),
        (["greedy", "mcts,iteration=3"], "unknown setting 'iteration' in agent mcts: did you mean 'iterations'"),
        (["greedy", "mcts,iterations"], "'iterations' has no value: write iterations=VALUE"),
        (["greedy", "random", "--elo0", "50"], "elo0 (50) has to be less than elo1 (50)"),
        (["greedy", "random", "--elo0", "nan"], "Invalid value for '--elo0'"),
        (["greedy", "random", "--elo1", "1e300"], "Invalid value for '--elo1'"),
        (["greedy", "random", "--seed", "99999999999999999999"], "Invalid value for '--seed'"),
        (["greedy", "random", "--alpha", "0"], "alpha is 0: it has to be more than 0"),
    ],
)
def test_bad_input_is_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *words, "-g", "connect_four"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert not Path("runs").exists()


def test_agents_in_words() -> None:
    name, config = read_agent("mcts,iterations=30,rollout=random")
    assert name == "mcts-iterations-30-rollout-random"
    assert (config.iterations, config.rollout) == (30, "random")  # type: ignore[attr-defined]
    assert list(read_pair("random", "random")) == ["random", "random-2"]
