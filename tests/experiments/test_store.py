"""The store: what is refused, what is whole after a failure, and that a stored game can be replayed."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from experiments import schema
from experiments.locking import InUse
from experiments.match import play
from experiments.plan import plan
from experiments.store import FILE_NAME, SCHEMA_VERSION, Store, StoreError
from experiments.tournament import run
from tests.experiments.configs import experiment, stored


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """The store of a run that is finished."""
    return run(experiment(tmp_path)).store


def test_every_stored_game_replays_to_the_end_it_had(finished: Path) -> None:
    with Store.read(finished) as store:
        ids = store.game_ids()
        assert ids
        for game_id in ids:
            record = store.record(game_id)
            assert record.replay().is_over
        with pytest.raises(StoreError, match="no game 'nothing' is stored"):
            store.record("nothing")


def test_moves_are_kept_only_if_asked(tmp_path: Path) -> None:
    outcome = run(experiment(tmp_path, "records=false"))
    with Store.read(outcome.store) as store, pytest.raises(StoreError, match=r"moves of game .* were not kept"):
        store.record(store.game_ids()[0])


def test_the_store_says_where_its_games_come_from(finished: Path, tmp_path: Path) -> None:
    config = experiment(tmp_path)
    result = stored(finished)
    assert (result.run["name"], result.run["config_hash"], result.run["seed"]) == ("small", config.hash, 5)
    assert result.run["config"] == config.to_yaml()
    assert [agent["name"] for agent in result.agents] == ["one", "three", "two"]
    assert result.agents[0]["config"] == {"type": "random"}
    [session] = result.sessions
    assert session["games"] == result.games == result.planned
    assert session["ended"] >= session["started"]
    assert {"python", "kontor", "numpy", "numba"} <= session["versions"].keys()
    assert session["machine"]["cores"] >= 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("PRAGMA user_version = 99", f"has schema version 99, this Kontor reads version {SCHEMA_VERSION}"),
        ("PRAGMA application_id = 7", "is an SQLite file, but no Kontor run"),
    ],
)
def test_a_foreign_store_is_refused_and_left_alone(change: str, message: str, finished: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(finished)
    connection.execute(change)
    connection.close()
    before = finished.read_bytes()
    with pytest.raises(StoreError, match=message):
        Store.read(finished)
    with pytest.raises(StoreError, match=message):
        run(experiment(tmp_path))
    assert finished.read_bytes() == before


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    config.output.mkdir()
    path = config.output / FILE_NAME
    path.write_text("no database at all " * 100, encoding="utf-8")
    for attempt in (lambda: Store.read(path), lambda: run(config)):
        with pytest.raises(StoreError, match=f"{FILE_NAME}: file is not a database"):
            attempt()


def test_a_corrupted_store_is_refused_in_one_line(finished: Path) -> None:
    content = bytearray(finished.read_bytes())
    content[4096:] = b"\x07" * (len(content) - 4096)
    finished.write_bytes(content)
    with pytest.raises(StoreError, match=FILE_NAME) as caught:
        stored(finished)
    assert "\n" not in str(caught.value)


def contents(path: Path) -> list[object]:
    """All that results are made of, or the one line that refuses it."""
    try:
        with Store.read(path) as store:
            return [store.seats(), store.run(), store.settings(), store.agents(), store.sessions()]
    except StoreError as error:
        return [str(error)]


def flips(content: bytes, number: int, seed: int) -> Iterator[bytes]:
    """The content with one bit flipped."""
    rng = random.Random(seed)
    for _ in range(number):
        damaged = bytearray(content)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        yield bytes(damaged)


def test_a_flipped_bit_is_found_or_changes_nothing(finished: Path) -> None:
    """600 single bits (seed 0): each is refused in one line, or nothing is kept there; the numbers never change."""
    before, found = contents(finished), 0
    for damaged in flips(finished.read_bytes(), 600, 0):
        finished.write_bytes(damaged)
        after = contents(finished)
        if len(after) == 1:
            found += 1
            assert str(finished) in str(after[0])
            assert "\n" not in str(after[0])
        else:
            assert after == before
    assert found > 60


def test_a_flipped_bit_does_not_have_a_game_played_again(finished: Path, tmp_path: Path) -> None:
    """60 single bits (seed 1) before a run that is to go on: it refuses, or finds every game."""
    before = contents(finished)
    for damaged in flips(finished.read_bytes(), 60, 1):
        finished.write_bytes(damaged)
        with contextlib.suppress(StoreError):
            run(experiment(tmp_path))
        assert contents(finished) == before or len(contents(finished)) == 1


def test_a_store_of_the_first_schema_is_brought_up_to_date(finished: Path, tmp_path: Path) -> None:
    before = stored(finished)
    connection = sqlite3.connect(finished)
    for statement in (
        "ALTER TABLE agents DROP COLUMN checkpoint",
        "ALTER TABLE sessions DROP COLUMN executor",
        "ALTER TABLE games DROP COLUMN checksum",
        "ALTER TABLE seats DROP COLUMN statistics",
        "DROP TABLE checksums",
        "PRAGMA user_version = 1",
    ):
        connection.execute(statement)
    connection.commit()
    connection.close()
    after = stored(finished)
    assert after.settings == [replace(setting, statistics=[]) for setting in before.settings]
    assert after.agents == before.agents
    assert run(experiment(tmp_path)).done == before.games
    with Store.read(finished) as store:
        assert store.table("games")[1][0][-1] is None, "games of then have no checksum"


def test_a_locked_store_is_one_line_and_loses_nothing(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("experiments.store.BUSY_SECONDS", 0.1)
    connection = sqlite3.connect(finished)
    connection.execute("DELETE FROM seats WHERE game = 1")
    connection.execute("DELETE FROM games WHERE game = 1")
    connection.commit()
    connection.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match=f"{FILE_NAME}: database is locked: another program has it open"):
        run(experiment(tmp_path))
    connection.rollback()
    connection.close()
    connection = sqlite3.connect(finished)
    connection.execute("DELETE FROM moves WHERE game = 1")
    connection.commit()
    connection.close()
    assert run(experiment(tmp_path)).done == stored(finished).games


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    """The file may not grow beyond some pages, which SQLite reports as it does a full disk."""
    config = experiment(tmp_path, "tournament.deals=40")
    games = plan(config)
    with Store.for_run(config, [120, 9]) as store:
        session = store.begin_session("test", 0)
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
        kept = 0

        def fill() -> None:
            nonlocal kept
            for game in games:
                store.add(session, [play(game, config)])
                kept += 1

        with pytest.raises(StoreError, match="database or disk is full: what was stored is kept") as caught:
            fill()
        assert "\n" not in str(caught.value)
        assert kept
        assert len(store.finished()) == kept
    outcome = run(config)
    assert outcome.done == len(games) == stored(outcome.store).games


def test_there_must_be_a_run(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no run here"):
        Store.read(tmp_path / FILE_NAME)
    (tmp_path / FILE_NAME).touch()
    with pytest.raises(StoreError, match="the run has not begun"):
        Store.read(tmp_path / FILE_NAME)


def test_a_store_left_blank_by_a_kill_is_made_anew(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    config.output.mkdir()
    (config.output / FILE_NAME).touch()
    assert run(config).done == len(plan(config))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("seed=6", r"seed was 5, is now 6"),
        ("tournament.deals=9", r"games\.0\.deals was 4, is now 9"),
        ("agents.one={type: slow}", r"agents\.one\.seconds was not there, is now 0\.0"),
        ("games.1.options.num_players=2", r"games\.1\.options\.num_players was 3, is now 2"),
    ],
)
def test_a_changed_config_under_the_same_name_is_refused(
    change: str, message: str, finished: Path, tmp_path: Path
) -> None:
    before = stored(finished)
    with pytest.raises(StoreError, match=f"holds another experiment .{message}.: .*name="):
        run(experiment(tmp_path, change))
    assert stored(finished) == before


def test_changed_rules_under_the_same_name_are_refused(finished: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(finished)
    connection.execute("UPDATE settings SET rules = 'abc' WHERE game = 'kuhn_poker'")
    schema.seal(connection, "settings")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=r"played under other rules of kuhn_poker \(version abc"):
        run(experiment(tmp_path))


def test_one_process_at_a_time_plays_a_run(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    counts = Counter(game.setting for game in plan(config))
    with (
        Store.for_run(config, [counts[0], counts[1]]),
        pytest.raises(InUse, match="another process is playing this run"),
    ):
        run(config)
    assert run(config).done == sum(counts.values())


def test_games_are_stored_all_or_none_and_never_twice(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    games = plan(config)
    one, other, third = (play(game, config) for game in games[:3])
    with Store.for_run(config, [12, 9]) as store:
        session = store.begin_session("test", 0)
        store.add(session, [one])
        with pytest.raises(StoreError, match="UNIQUE"):
            store.add(session, [other, one])
        assert store.finished() == {one.id}
        broken = replace(third, seats=(*third.seats, replace(third.seats[0], agent=None)))  # type: ignore[arg-type]
        with pytest.raises((StoreError, TypeError)):
            store.add(session, [other, broken])
        assert store.finished() == {one.id}
        store.add(session, [other, third])
        assert store.finished() == {one.id, other.id, third.id}


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be written to"):
        run(experiment(tmp_path))


def test_a_store_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    with Store.for_run(config, [12, 9]) as store:
        session = store.begin_session("test", 0)
        store.add(session, [play(plan(config)[0], config)])
        assert stored(store.path).games == 1
