"""The commands print what they promise, and bad input is one line on standard error and exit code 2."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from envs.catalog import game_names, get_game
from envs.position import Position
from envs.record import GameRecord
from experiments import cli


@pytest.fixture
def kontor(capsys: pytest.CaptureFixture[str]):
    """Run a command line that must succeed, and give what it prints."""

    def run(*words: str) -> str:
        assert cli.main(words) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]):
    """Run a command line that must be refused, and give the one line that says why."""

    def run(*words: str) -> str:
        assert cli.main(words) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("kontor: ")
        assert printed.err.count("\n") == 1
        return printed.err

    return run


@pytest.fixture
def recorded(tmp_path: Path, kontor) -> Path:
    """The record of a game of Leduc poker for three."""
    path = tmp_path / "game.json"
    kontor("play", "leduc_poker", "-o", "num_players=3", "--seat", "random", "--seed", "4", "--record", str(path))
    return path


# ------------------------------------------------------------------ what the commands print


def test_list_names_every_game(kontor):
    lines = {line.split()[0]: line for line in kontor("list").splitlines()}
    assert set(game_names()) <= set(lines)
    assert lines["leduc_poker"].split()[1:5] == ["2", "to", "3", "3"]
    assert lines["connect_four"].split()[1:4] == ["2", "7", "86"]


def test_show_tells_options_phases_chance_and_actions(kontor):
    shown = kontor("show", "leduc_poker")
    for words in ("num_players  2 to 3", "first_round, second_round", "DEAL, PUBLIC", "3 actions", '{"type": "raise"}'):
        assert words in shown
    assert get_game("leduc_poker").title in shown


def test_show_lists_every_action_when_asked(kontor):
    shown = kontor("show", "connect_four", "--actions")
    for column in range(7):
        assert f'{column}      drop column {column}  {{"type": "drop", "column": {column}}}' in shown


def test_show_draws_the_first_position(kontor, tmp_path):
    path = tmp_path / "pictures" / "first.svg"
    kontor("show", "kuhn_poker", "--option", "num_players=3", "--svg", str(path))
    assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")


def test_the_same_seed_plays_the_same_game(kontor):
    one, two, other = (kontor("play", "connect_four", "--seat", "random", "--seed", n) for n in ("1", "1", "2"))
    assert one == two != other
    assert "won by player_" in one or "drawn" in one
    assert one.splitlines()[1].startswith("   1  player_0  Drop")


def test_given_actions_are_played_first(kontor):
    played = kontor("play", "connect_four", "--seat", "random", "--actions", "0,1,0,1,0,1,0")
    assert played.splitlines()[-1] == "won by player_0 after 7 moves; returns: player_0 +1, player_1 -1"
    assert played.splitlines()[-3] == "X O . . . . ."


def test_boards_are_printed_after_every_move_when_asked(kontor):
    assert kontor("play", "tic_tac_toe", "--seat", "random", "--boards", "--actions", "4,0").count("\n\n") >= 6


def test_replay_steps_through_a_record(kontor, recorded):
    record = GameRecord.load(recorded)
    shown = kontor("replay", str(recorded))
    assert shown.startswith(f"Leduc poker, num_players=3, seed 4, {len(record.actions)} moves\n")
    for number, position in enumerate(record.positions()):
        assert f"after move {number}" in shown
        assert position.game.text(position.describe()) in shown
    assert "returns: " in shown.splitlines()[-1]


def test_replay_shows_one_move_and_draws_it(kontor, recorded, tmp_path):
    shown = kontor("replay", str(recorded), "--move", "2", "--svg", str(tmp_path / "pictures"))
    assert shown.count("after move") == 1
    assert [path.name for path in (tmp_path / "pictures").iterdir()] == ["game_0002.svg"]


def test_replay_draws_every_position(kontor, recorded, tmp_path):
    kontor("replay", str(recorded), "--svg", str(tmp_path / "pictures"))
    moves = len(GameRecord.load(recorded).actions)
    assert len(list((tmp_path / "pictures").glob("*.svg"))) == moves + 1


def test_replay_from_a_seat_shows_what_that_seat_knows(kontor, recorded):
    position = next(GameRecord.load(recorded).positions())
    seen = kontor("replay", str(recorded), "--move", "0", "--player", "1")
    assert position.game.text(position.describe(1)) in seen
    assert position.game.text(position.describe()) not in seen
    action = position.decode_action(GameRecord.load(recorded).actions[0])
    assert position.game.say(action, position.describe(1), public=True) in seen


def test_check_runs_the_suites(kontor):
    printed = kontor("check", "kuhn_poker", "-o", "num_players=2", "--positions", "30", "--games", "1")
    for words in ("conforms at 30 positions", "keeps its secrets", "steps as a PettingZoo environment"):
        assert f"kuhn_poker, 2 players: {words}" in printed


def test_a_module_of_ones_own_brings_its_game(tmp_path):
    source = Path(get_game("tic_tac_toe").sources[0]).read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(source.replace('name="tic_tac_toe"', 'name="my_game"'), encoding="utf-8")
    done = kontor_process("show", "mine:my_game", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "my_game_v0" in done.stdout


def test_without_a_command_the_help_is_printed(kontor):
    assert "replay" in kontor()
    assert kontor("--help") == kontor()


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("lst",), "No such command 'lst'. Did you mean 'list'?"),
        (("play", "conect_four"), "unknown game 'conect_four': did you mean 'connect_four'?"),
        (("show", "chess"), "unknown game 'chess': the valid ones are"),
        (("play", "no_such_module:game"), "module 'no_such_module' cannot be imported"),
        (("play",), "Missing argument 'GAME'"),
        (("play", "connect_four", "--sed", "1"), "--seed"),
        (("play", "connect_four", "--seat", "gredy"), "unknown agent 'gredy': did you mean 'greedy'?"),
        (("play", "kuhn_poker", *["--seat", "random"] * 3), "--seat is given 3 times: there are 2 seats"),
        (("play", "connect_four", "--seed", "one"), "Invalid value for '--seed'"),
        (("play", "connect_four", "--seed", "-1"), "seed -1 is outside 0 to 2**63 - 1"),
        (("play", "leduc_poker", "-o", "num_player=2"), "unknown option 'num_player' in leduc_poker: did you mean"),
        (("play", "leduc_poker", "-o", "num_players=4"), "'num_players' of leduc_poker is 4: it must be 2 to 3"),
        (("play", "leduc_poker", "-o", "num_players=two"), "is 'two': it must be 2 to 3"),
        (("play", "leduc_poker", "-o", "num_players"), "option 'num_players' has no value: write num_players=VALUE"),
        (("play", "leduc_poker", "-o", "num_players=2", "-o", "num_players=3"), "is given twice"),
        (("play", "connect_four", "--actions", "3,7"), "connect_four, move 1: action 7 is out of range 0 to 6"),
        (
            ("play", "connect_four", "--actions", "0,0,0,0,0,0,0"),
            "move 6: action 0 {'type': 'drop', 'column': 0} is illegal",
        ),
        (("play", "connect_four", "--actions", "0,1,0,1,0,1,0,1"), "move 7: the game is over, no action can be played"),
        (("play", "connect_four", "--actions", "left"), "--actions 'left': write action indices with commas"),
        (("replay", "no_such_file.json"), "no_such_file.json: there is no such file"),
        (("check", "connect_fuor"), "did you mean 'connect_four'?"),
        (("bench", "kernl"), "unknown measure 'kernl': did you mean 'kernel'?"),
        (("bench", "kernel", "--game", "leduc"), "unknown game 'leduc': did you mean 'leduc_poker'?"),
        (("bench", "kernel", "--game", "leduc_poker", "--players", "7"), "it must be 2 to 3"),
        (("bench", "kernel", "--players", "77"), "no game is for 77 players"),
    ],
)
def test_bad_input_is_one_line(refused, words, message):
    assert message in refused(*words)


def test_a_damaged_or_foreign_record_is_refused_with_the_reason(refused, recorded, tmp_path):
    text = recorded.read_text(encoding="utf-8")
    data = json.loads(text)

    def reason(content: str) -> str:
        (tmp_path / "bad.json").write_text(content, encoding="utf-8")
        return refused("replay", str(tmp_path / "bad.json"))

    assert "is corrupted: not JSON" in reason(text[: len(text) // 2])
    assert "is corrupted: its checksum does not fit" in reason(json.dumps({**data, "actions": data["actions"][:-1]}))
    assert "is no game record" in reason('{"name": "something else"}')
    assert "is no game record" in reason("[1, 2, 3]")
    assert "has format version 99" in reason(json.dumps({**data, "format_version": 99}))


def test_a_record_of_what_cannot_be_played_is_refused(refused, recorded, tmp_path):
    record, path = GameRecord.load(recorded), tmp_path / "bad.json"

    def reason(**changes: object) -> str:
        dataclasses.replace(record, **changes).save(path)
        return refused("replay", str(path))

    assert "the game is over" in reason(actions=[*record.actions, 1])
    assert "action 9 is out of range 0 to 2" in reason(actions=[9])
    assert "unknown game 'leduc_pokr': did you mean 'leduc_poker'?" in reason(game="leduc_pokr")
    assert "version 7, here is version 0" in reason(version=7)
    assert "it must be 2 to 3" in reason(options={"num_players": 9})
    assert "ends in another position than recorded" in reason(seed=record.seed + 1, actions=[])
    assert "played under rules 0123" in reason(rules="0123", position="")


def test_moves_and_seats_that_the_record_does_not_have_are_refused(refused, recorded):
    moves = len(GameRecord.load(recorded).actions)
    assert f"the record has {moves} moves" in refused("replay", str(recorded), "--move", "999")
    assert "--player 3 is out of range: the seats are 0 to 2" in refused("replay", str(recorded), "--player", "3")


def test_a_file_that_cannot_be_written_is_named(capsys, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    path = tmp_path / "file" / "picture.svg"
    assert cli.main(["show", "tic_tac_toe", "--svg", str(path)]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err.splitlines()[-1]


def test_debug_shows_the_traceback_wherever_it_stands(capsys):
    for words in (["--debug", "play", "chess"], ["play", "chess", "--debug"]):
        assert cli.main(words) == 2
        error = capsys.readouterr().err
        assert "Traceback" in error
        assert error.splitlines()[-1].startswith("kontor: unknown game 'chess'")


def test_a_fault_of_the_program_is_told_from_bad_input(capsys, monkeypatch):
    def fail(*arguments: object) -> None:
        raise RuntimeError("the dog\nate it")

    monkeypatch.setattr(Position, "apply", fail)
    assert cli.main(["play", "connect_four", "--seat", "random"]) == 1
    assert "a fault in the program: RuntimeError: the dog ate it (--debug shows where)" in capsys.readouterr().err


# ------------------------------------------------------------------ as a process


def kontor_process(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    program = str(Path(sys.executable).with_name("kontor"))
    return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False)


def test_the_installed_program_exits_with_the_code():
    done = kontor_process("play", "conect_four")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "kontor: unknown game 'conect_four': did you mean 'connect_four'?\n"


def test_help_loads_no_engine_and_games_load_no_torch():
    code = (
        "import sys; from experiments.cli import main; main(sys.argv[1:]);"
        "heavy = {'torch', 'numba', 'pygame', 'pettingzoo', 'gymnasium', 'matplotlib'};"
        "print(heavy & set(sys.modules), file=sys.stderr)"
    )
    for words, loaded in ((["--help"], "set()"), (["play", "tic_tac_toe", "--seat", "random"], "{'numba'}")):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
        assert done.stderr.strip() == loaded


def test_too_little_memory_is_one_line_and_no_fault_of_the_program(refused, tmp_path, monkeypatch):
    def out_of_memory(*_):
        raise MemoryError("Unable to allocate 80.0 GiB")

    path = tmp_path / "four.json"
    position = Position(get_game("connect_four"), {}, 1)
    GameRecord.of(position, 1, []).save(path)
    monkeypatch.setattr("agents.registry.make_agent", out_of_memory)
    assert "there is not enough memory: Unable to allocate 80.0 GiB" in refused("analyse", str(path), "--move", "0")
