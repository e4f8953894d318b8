"""Names from the outside: what they stand for within the folder of runs, and that none leads out of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from envs.catalog import get_game
from envs.position import Position
from envs.record import GameRecord
from experiments.locking import is_locked, lock
from experiments.web.library import Library, NotThere


def save(path: Path) -> Path:
    GameRecord.of(Position(get_game("connect_four"), {}, 1), 1, []).save(path)
    return path


@pytest.fixture
def library(tmp_path: Path) -> Library:
    runs = tmp_path / "runs"
    save(runs / "games" / "one.json")
    save(runs / "tables" / "table.json")
    save(runs / ".hidden" / "other.json")
    save(tmp_path / "outside.json")
    (runs / "out").symlink_to(tmp_path)
    (runs / "notes.json").write_text("{}", encoding="utf-8")
    training = runs / "learned"
    training.mkdir()
    (training / "status.json").write_text(json.dumps({"training": "learned", "counters": {}}), encoding="utf-8")
    return Library(runs, [runs / "tables"])


def test_records_and_runs_are_found_and_what_is_hidden_or_foreign_is_not(library):
    assert {(entry.kind, entry.name) for entry in library.entries()} == {
        ("record", "games/one.json"),
        ("training", "learned"),
    }
    assert Library(library.root / "not_there").entries() == []


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../outside.json",
        "games/../../outside.json",
        "/etc/passwd",
        "//etc/passwd",
        "out/outside.json",
        ".hidden/other.json",
        "tables/table.json",
        "games/one.json\x00",
        "games\\one.json",
        "games/one",
        "notes",
        "x" * 600,
    ],
)
def test_no_name_leads_out_of_the_folder(library, name):
    with pytest.raises(NotThere):
        library.record(name)
    with pytest.raises(NotThere):
        library.run(name)


def test_what_is_there_is_read(library):
    assert library.record("games/one.json").game.name == "connect_four"
    assert library.run("learned").kind == "training"


def test_an_unknown_name_is_refused_with_the_nearest(library):
    with pytest.raises(NotThere, match=r"unknown run 'lerned': did you mean 'learned'\?"):
        library.run("lerned")


def test_a_folder_is_at_work_while_its_lock_is_held(tmp_path):
    assert not is_locked(tmp_path)
    with lock(tmp_path, "playing"):
        assert is_locked(tmp_path)
    assert not is_locked(tmp_path)
