"""`kontor serve` as a command: its address, its token, clear refusals, and an end on Ctrl-C that keeps its tables."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from experiments import cli
from experiments.web.serving import allowed_hosts, checked_token, claim, is_local


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "experiments.cli", "serve", "--port", "0", "--runs", str(folder), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = process.stdout.readline()
            yield process, re.search(r"http://\S+", said)[0]
        finally:
            process.kill()


def test_it_says_where_it_is_and_ends_on_ctrl_c(tmp_path):
    """Neither an open page nor an agent that thinks for a minute holds the end up."""
    with serving(tmp_path) as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        asked = {"game": "connect_four", "seats": [{"type": "human"}, {"type": "human"}]}
        thinking = {**asked, "seats": [{"type": "mcts", "seconds": 60.0}, {"type": "random"}]}
        thinker = httpx.post(f"{address}api/tables", json=thinking, timeout=60).json()["id"]
        while httpx.get(f"{address}api/tables/{thinker}", timeout=60).json()["status"] != "playing":
            time.sleep(0.05)
        table = httpx.post(f"{address}api/tables", json=asked, timeout=60).json()
        with httpx.stream("GET", f"{address}api/tables/{table['id']}/events?key={table['keys'][0]['key']}") as stream:
            lines = stream.iter_lines()
            while "playing" not in next(lines):
                pass
            process.send_signal(signal.SIGINT)
            assert process.wait(30) in (0, 130)
        assert "Traceback" not in process.stderr.read()
    assert (tmp_path / "tables" / f"{table['id']}.json").exists()


def test_elsewhere_it_asks_for_a_token(tmp_path):
    with serving(tmp_path, "--host", "0.0.0.0") as (_, address):
        port, token = re.search(r":(\d+)/\?token=(\S+)", address).groups()
        assert len(token) >= 24
        assert httpx.get(f"http://127.0.0.1:{port}/play", timeout=60).status_code == 401
        with httpx.Client(follow_redirects=True, timeout=60) as browser:
            assert browser.get(f"http://127.0.0.1:{port}/?token={token}").status_code == 200
            assert browser.get(f"http://127.0.0.1:{port}/api/tables").status_code == 200


def test_who_needs_a_token_and_which_names_it_answers_to():
    assert [is_local(host) for host in ("127.0.0.1", "127.3.2.1", "localhost", "::1")] == [True] * 4
    assert [is_local(host) for host in ("0.0.0.0", "::", "192.168.1.5", "example.com", "")] == [False] * 5
    assert checked_token("127.0.0.1", None) is None
    assert checked_token("127.0.0.1", "long-enough") == "long-enough"
    assert checked_token("0.0.0.0", None) != checked_token("0.0.0.0", None)
    assert "localhost" in allowed_hosts("127.0.0.1")
    assert allowed_hosts("0.0.0.0") is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--host", "300.1.1.1"), "no such address"),
        (("--host", "a" * 70 + ".example"), "no such address"),
        (("--token", "short"), "8 to 100 letters"),
        (("--token", "with spaces in it"), "8 to 100 letters"),
    ],
)
def test_bad_input_is_one_line(capsys, tmp_path, arguments, words):
    assert cli.main(["serve", "--runs", str(tmp_path), "--no-browser", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_port_in_use_is_one_line(capsys, tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert cli.main(["serve", "--runs", str(tmp_path), "--no-browser", "--port", port]) == 2
    assert f"port {port}" in capsys.readouterr().err


def test_two_servers_do_not_keep_the_same_tables(capsys, tmp_path):
    with claim(tmp_path / "tables"):
        assert cli.main(["serve", "--runs", str(tmp_path), "--no-browser", "--port", "0"]) == 2
    error = capsys.readouterr().err
    assert "another process is serving these tables" in error
    assert "--tables DIR" in error
    claim(tmp_path / "tables").close()  # it is free again


@pytest.mark.parametrize("tables", ["runs", "."])
def test_tables_do_not_hide_the_runs(capsys, tmp_path, tables):
    (tmp_path / "runs").mkdir()
    folders = ["--runs", str(tmp_path / "runs"), "--tables", str(tmp_path / tables)]
    assert cli.main(["serve", "--no-browser", "--port", "0", *folders]) == 2
    error = capsys.readouterr().err
    assert "folder of their own" in error
    assert error.count("\n") == 1
    assert not list((tmp_path / "runs").iterdir())


@pytest.mark.parametrize("option", ["--runs", "--tables"])
def test_a_file_where_a_folder_should_be_is_one_line(capsys, tmp_path, option):
    (tmp_path / "file").write_text("")
    given = {"--runs": str(tmp_path), "--tables": str(tmp_path / "tables"), option: str(tmp_path / "file")}
    arguments = [part for pair in given.items() for part in pair]
    assert cli.main(["serve", "--no-browser", "--port", "0", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert option in error
