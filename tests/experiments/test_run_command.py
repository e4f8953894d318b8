"""`kontor run` and `kontor report`: from a config to a table and a page, and back from the store."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from experiments.cli import main
from experiments.store import FILE_NAME
from tests.experiments.configs import TEXT


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with the config in it."""
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_a_run_ends_with_a_table_and_the_path_of_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml", "workers=0"]) == 0
    out, err = capsys.readouterr()
    for label in ("tic_tac_toe  24 games on 4 deals", "kuhn_poker[num_players=3]  9 games on 3 deals"):
        assert label in out
    assert "win share [95 %]" in out
    assert "rating, Elo [95 %]" in out
    assert out.endswith("report: runs/small/report.html\n")
    assert "small: 33 of 33 games, " in err
    assert {path.name for path in Path("runs/small").iterdir()} >= {FILE_NAME, "report.html"}


def test_a_finished_run_is_shown_again_without_playing(capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "small.yaml", "workers=0"])
    first = capsys.readouterr().out
    page = Path("runs/small/report.html")
    page.unlink()
    assert main(["run", "small.yaml", "workers=0"]) == 0
    assert capsys.readouterr() == (first, "")
    assert page.exists()


def test_the_report_is_rebuilt_from_the_store_by_name_folder_or_file(capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "small.yaml", "workers=0"])
    first = capsys.readouterr().out
    for run in ("small", "runs/small", f"runs/small/{FILE_NAME}"):
        Path("runs/small/report.html").unlink()
        assert main(["report", run]) == 0
        assert capsys.readouterr().out == first
        assert Path("runs/small/report.html").exists()


def test_the_report_of_an_unfinished_run(capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "small.yaml", "workers=0"])
    connection = sqlite3.connect(f"runs/small/{FILE_NAME}")
    for table in ("moves", "seats", "games"):
        connection.execute(f"DELETE FROM {table} WHERE game > 20")
    connection.commit()
    connection.close()
    capsys.readouterr()
    assert main(["report", "small"]) == 0
    out = capsys.readouterr().out
    assert "of 24 games on" in out
    assert "The run is not finished: 13 games are still to be played." in out


def test_overrides_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml", "workers=0", "tournament.deals=1", "name=short"]) == 0
    assert "6 games on 1 deals" in capsys.readouterr().out
    assert Path("runs/short").is_dir()
    assert not Path("runs/small").exists()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ["run", "small.yaml", "workers=0", "seed=9"],
            2,
            "runs/small holds another experiment (seed was 5, is now 9): ",
        ),
        (["run", "smal.yaml"], 2, "smal.yaml: there is no such file"),
        (["run"], 2, "Missing argument 'CONFIG'"),
        (["report", "smal"], 2, "unknown run 'smal': did you mean 'small'?"),
        (["report", "small.yaml"], 2, "small.yaml: file is not a database"),
        (["run", "small.yaml", "workers=0", "name=new", "agents.one={type: broken}"], 1, "agent one failed: ZeroDiv"),
    ],
)
def test_errors_are_one_line(words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "small.yaml", "workers=0"])
    capsys.readouterr()
    assert main(words) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


def test_there_is_no_run_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "small"]) == 2
    assert capsys.readouterr().err == "kontor: there is no run 'small', nor any other under runs/\n"
