"""Game records: they replay byte for byte, and a file that would not is refused with the reason."""

import dataclasses
import json
from pathlib import Path

import pytest

from envs.classics.connect_four import GAME
from envs.errors import RecordError
from envs.position import Position
from envs.record import GameRecord, write_atomically

ACTIONS = [3, 3, 2, 4, 2, 1, 0, 0]


@pytest.fixture
def record() -> GameRecord:
    position = Position(GAME, seed=11)
    for action in ACTIONS:
        position.apply(action)
    return GameRecord.of(position, 11, ACTIONS)


def test_a_record_replays_byte_for_byte_from_its_file(record, tmp_path):
    record.save(tmp_path / "game.json")
    loaded = GameRecord.load(tmp_path / "game.json")
    assert loaded == record
    position = Position(GAME, seed=11)
    for action, replayed in zip([None, *ACTIONS], loaded.positions(), strict=True):
        if action is not None:
            position.apply(action)
        assert replayed.tobytes() == position.tobytes()


def changed(record: GameRecord, tmp_path, **changes):
    """A file whose content was edited without its checksum."""
    record.save(tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text())
    (tmp_path / "game.json").write_text(json.dumps({**data, **changes}))
    return tmp_path / "game.json"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"actions": [3, 3, 2]}, "checksum"),
        ({"format": "chess"}, "no game record"),
        ({"format_version": 9}, "format version 9"),
    ],
)
def test_an_edited_file_is_refused(record, tmp_path, changes, reason):
    with pytest.raises(RecordError, match=reason):
        GameRecord.load(changed(record, tmp_path, **changes))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game": "conect_four"}, "did you mean 'connect_four'"),
        ({"version": 7}, "version 7"),
        ({"actions": [3, 3, 3, 3, 3, 3, 3]}, "action 3 .* is illegal"),
        ({"actions": [3, 3, 99]}, "out of range"),
        ({"actions": ["a"]}, "no whole number"),
        ({"options": {"num_players": 9}}, "num_players"),
        ({"seed": -4}, "seed"),
        ({"actions": [3, 3, 2]}, "ends in another position"),
        ({"position": "00"}, "ends in another position"),
        ({"rules": "0123", "position": "00"}, "played under rules 0123"),
    ],
)
def test_a_foreign_record_is_refused_with_the_reason(record, changes, reason):
    with pytest.raises(RecordError, match=reason):
        dataclasses.replace(record, **changes).replay()


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "not JSON"), (b'{"format": ', "not JSON"), (b"[1]", "no game record"), (b"\xff", "read")],
)
def test_a_corrupted_file_is_refused(tmp_path, content, reason):
    (tmp_path / "game.json").write_bytes(content)
    with pytest.raises(RecordError, match=reason):
        GameRecord.load(tmp_path / "game.json")
    with pytest.raises(RecordError, match="no such file"):
        GameRecord.load(tmp_path / "other.json")


@pytest.mark.parametrize("changes", [{"options": []}, {"seed": "1"}, {"actions": {}}, {"position": None}])
def test_a_record_with_fields_of_the_wrong_kind_is_refused(record, tmp_path, changes):
    dataclasses.replace(record, **changes).save(tmp_path / "game.json")
    with pytest.raises(RecordError, match=f"{next(iter(changes))} is"):
        GameRecord.load(tmp_path / "game.json")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    write_atomically(tmp_path / "file", "old")

    def full(handle: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_atomically(tmp_path / "file", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "old"


def test_a_device_is_not_replaced_and_a_link_is_followed(tmp_path):
    with pytest.raises(OSError, match="no file"):
        write_atomically(Path("/dev/null"), "content")
    assert Path("/dev/null").is_char_device()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_atomically(tmp_path / "link", "content")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "content"
    with pytest.raises(OSError, match=str(tmp_path)):
        write_atomically(tmp_path, "content")


@pytest.mark.parametrize("content", ["[" * 100_000, '{"format": ' + "9" * 5000 + "}"])
def test_a_file_that_the_reader_chokes_on_is_refused(tmp_path, content):
    (tmp_path / "game.json").write_text(content)
    with pytest.raises(RecordError, match="corrupted"):
        GameRecord.load(tmp_path / "game.json")
