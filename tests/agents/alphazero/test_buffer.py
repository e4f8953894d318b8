"""The replay buffer: a ring of the latest decisions, the same in memory and on disk, and whole after a kill."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from agents.agent import AgentError
from agents.alphazero.buffer import Buffer
from agents.alphazero.samples import Samples

OBSERVED, ACTIONS, SEATS, SIZE = 5, 11, 3, 20


def decisions(count: int, first: int = 0) -> Samples:
    """Decisions that say their number, with masks and policies of all kinds."""
    numbers = np.arange(first, first + count)
    rng = np.random.default_rng(first)
    masks = rng.random((count, ACTIONS)) < 0.5
    masks[np.arange(count), numbers % ACTIONS] = True
    policies = np.where(masks, rng.random((count, ACTIONS)), 0.0)
    observations = np.repeat(numbers[:, None], OBSERVED, axis=1).astype(np.float32)
    values = rng.normal(size=(count, SEATS)).astype(np.float32)
    return Samples(observations, masks, (policies / policies.sum(axis=1, keepdims=True)).astype(np.float32), values)


def buffer(folder: Path | None = None, size: int = SIZE) -> Buffer:
    return Buffer(size, OBSERVED, ACTIONS, SEATS, folder)


def numbers(kept: Buffer) -> list[int]:
    """What is at each place in use."""
    return [int(number) for number in kept.records["observation"][: kept.used, 0]]


@pytest.mark.parametrize("on_disk", [False, True])
def test_new_decisions_replace_the_oldest(tmp_path: Path, on_disk: bool) -> None:
    kept = buffer(tmp_path if on_disk else None)
    kept.add(decisions(12))
    assert (kept.used, kept.added) == (12, 12)
    assert numbers(kept) == list(range(12))
    kept.add(decisions(12, 12))
    assert (kept.used, kept.added) == (SIZE, 24)
    assert numbers(kept) == [20, 21, 22, 23, *range(4, 20)]
    kept.add(decisions(0, 24))
    assert kept.added == 24


@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.parametrize("count", [SIZE, SIZE + 1, 3 * SIZE + 7])
def test_of_more_than_there_is_room_for_the_last_are_kept(tmp_path: Path, on_disk: bool, count: int) -> None:
    kept = buffer(tmp_path if on_disk else None)
    kept.add(decisions(5))
    kept.add(decisions(count, 5))
    assert kept.added == count + 5
    assert sorted(numbers(kept)) == list(range(count + 5 - SIZE, count + 5))
    assert all(number % SIZE == place for place, number in enumerate(numbers(kept)))


def test_a_decision_comes_out_as_it_went_in() -> None:
    """But for the rounding of observations and policies to float16: 11 bits."""
    kept, given = buffer(), decisions(SIZE)
    kept.add(given)
    found = kept.draw(200, np.random.default_rng(0))
    which = found.observations[:, 0].astype(int)
    assert set(which) == set(range(SIZE))
    assert [array.dtype for array in found] == [np.float32, np.bool_, np.float32, np.float32]
    assert np.array_equal(found.masks, given.masks[which])
    assert np.array_equal(found.values, given.values[which])
    assert found.policies == pytest.approx(given.policies[which], rel=2**-11, abs=1e-7)
    assert not found.policies[~found.masks].any()
    found.values[:] = 0.0  # what is drawn is the caller's
    assert np.array_equal(kept.draw(200, np.random.default_rng(0)).values, given.values[which])


def test_all_that_is_there_and_nothing_else_is_drawn_equally_often() -> None:
    """Chi-squared over 13 or 20 places in 20,000 draws; false alarm with probability 1e-6 each."""
    for count, used, limit in ((13, 13, 54.0), (33, SIZE, 66.0)):
        kept = buffer()
        kept.add(decisions(count, 100))
        drawn = kept.draw(20_000, np.random.default_rng(1)).observations[:, 0].astype(int)
        counts = np.unique(drawn, return_counts=True)
        assert counts[0].tolist() == list(range(100 + count - used, 100 + count))
        expected = 20_000 / used
        assert ((counts[1] - expected) ** 2 / expected).sum() < limit
        pairs = np.mean(drawn[1:] == drawn[:-1])  # each draw is independent of the one before
        assert pairs == pytest.approx(1 / used, abs=5 * (1 / used / 20_000) ** 0.5)


def test_on_disk_it_is_the_same_as_in_memory(tmp_path: Path) -> None:
    memory, disk = buffer(), buffer(tmp_path / "deep" / "folder")
    for first, count in ((0, 7), (7, 20), (27, 3), (30, 45)):
        for kept in (memory, disk):
            kept.add(decisions(count, first))
        one, other = (kept.draw(50, np.random.default_rng(first)) for kept in (memory, disk))
        assert all(np.array_equal(mine, yours) for mine, yours in zip(one, other, strict=True))
    assert (tmp_path / "deep" / "folder" / "buffer.ring").read_bytes() == memory.records.tobytes()


@pytest.mark.parametrize("count", [0, 7, 33])
def test_in_memory_a_checkpoint_holds_it_all(count: int) -> None:
    kept, again = buffer(), buffer()
    kept.add(decisions(count))
    state = {name: array.copy() for name, array in kept.state().items()}
    kept.add(decisions(9, count))
    again.add(decisions(3, 500))
    again.restore(state)
    assert (again.used, again.added) == (min(count, SIZE), count)
    again.add(decisions(9, count))
    assert numbers(again) == numbers(kept)
    assert all(array.dtype.names is None for array in state.values())  # arrays that a file can hold


# ------------------------------------------------------------------ on disk: undoing what came after a checkpoint


def checkpointed(folder: Path, count: int) -> tuple[Buffer, dict[str, np.ndarray], bytes]:
    """A buffer on disk at a checkpoint, its state, and the decisions that it holds then."""
    kept = buffer(folder)
    kept.add(decisions(count))
    state = {name: array.copy() for name, array in kept.state().items()}
    kept.keep()
    return kept, state, kept.records[: kept.used].tobytes()


def gone_on(folder: Path, state: dict[str, np.ndarray]) -> Buffer:
    """A buffer that goes on from a checkpoint."""
    again = buffer(folder)
    again.restore(state)
    return again


@pytest.mark.parametrize("count", [7, SIZE, 33])
@pytest.mark.parametrize("more", [(), (4,), (4, 16, 1), (30, 30), (3 * SIZE + 1,)], ids=str)
def test_what_came_after_the_checkpoint_is_undone(tmp_path: Path, count: int, more: tuple[int, ...]) -> None:
    kept, state, expected = checkpointed(tmp_path, count)
    for number, length in enumerate(more):
        kept.add(decisions(length, 1000 * (number + 1)))
    again = gone_on(tmp_path, state)
    assert again.added == count
    assert again.records[: again.used].tobytes() == expected
    assert not list(tmp_path.glob("*.journal"))
    again.add(decisions(25, count))  # and once more, from the same checkpoint
    assert gone_on(tmp_path, state).records[: again.used].tobytes()[: len(expected)] == expected


def test_the_journal_has_what_the_checkpoint_knows_and_no_more(tmp_path: Path) -> None:
    kept, _, _ = checkpointed(tmp_path, 33)
    [journal] = [tmp_path / "buffer.33.journal"]
    kept.add(decisions(4, 33))
    assert journal.stat().st_size == 4 * kept.dtype.itemsize
    for first in (37, 137, 237):
        kept.add(decisions(100, first))
    assert journal.stat().st_size == SIZE * kept.dtype.itemsize
    kept.keep()
    assert not list(tmp_path.glob("*.journal"))


@pytest.mark.parametrize("cut", [1, -1])
def test_an_entry_that_was_cut_short_is_none(tmp_path: Path, cut: int) -> None:
    """Killed while the journal was written: what it was to save has not been overwritten yet."""
    kept, state, expected = checkpointed(tmp_path, 33)
    kept.add(decisions(4, 33))
    kept._note((kept.added + np.arange(3)) % SIZE)
    journal = tmp_path / "buffer.33.journal"
    os.truncate(journal, journal.stat().st_size - (kept.dtype.itemsize if cut < 0 else 0) - cut)
    assert gone_on(tmp_path, state).records.tobytes() == expected


def test_a_kill_between_checkpoint_and_journal_leaves_what_the_checkpoint_says(tmp_path: Path) -> None:
    """The checkpoint is written first: the journal of the one before is no longer meant."""
    kept, before, _ = checkpointed(tmp_path, 33)
    kept.add(decisions(5, 33))
    state, expected = {name: array.copy() for name, array in kept.state().items()}, kept.records.tobytes()
    again = gone_on(tmp_path, state)  # `keep` was not reached
    assert again.records.tobytes() == expected
    again.add(decisions(6, 38))
    assert gone_on(tmp_path, state).records.tobytes() == expected
    assert before["added"][0] == 33
    again.keep()
    assert [path.name for path in tmp_path.glob("*.journal")] == []


def test_a_training_that_begins_again_takes_nothing_from_a_ring_that_is_there(tmp_path: Path) -> None:
    kept = buffer(tmp_path)
    kept.add(decisions(50))  # and killed before its first checkpoint
    again = buffer(tmp_path)
    again.add(decisions(3))
    assert numbers(again) == [0, 1, 2]
    state = {name: array.copy() for name, array in again.state().items()}
    again.keep()
    assert numbers(gone_on(tmp_path, state)) == [0, 1, 2]


def test_a_journal_of_a_training_before_is_not_taken_for_its_own(tmp_path: Path) -> None:
    """Its training file was removed; the same settings come to the same number of decisions again."""
    kept, _, _ = checkpointed(tmp_path, 33)
    kept.add(decisions(6, 500))
    assert (tmp_path / "buffer.33.journal").exists()
    again, state, expected = checkpointed(tmp_path, 33)
    again.add(decisions(4, 900))
    assert gone_on(tmp_path, state).records.tobytes() == expected


@pytest.mark.parametrize(("change", "reason"), [(None, "No such file or directory"), (-1, "bytes, not"), (1, "bytes")])
def test_a_ring_that_is_gone_or_of_another_size_is_refused(tmp_path: Path, change: int | None, reason: str) -> None:
    _, state, _ = checkpointed(tmp_path, 33)
    ring = tmp_path / "buffer.ring"
    if change is None:
        ring.unlink()
    else:
        os.truncate(ring, ring.stat().st_size + change)
    with pytest.raises(AgentError, match=rf"buffer\.ring: is not the buffer .* left with .*: .*{reason}"):
        gone_on(tmp_path, state)


def test_a_ring_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "buffer.ring").mkdir()
    with pytest.raises(AgentError, match=r"buffer\.ring: cannot be written: Is a directory"):
        buffer(tmp_path).add(decisions(1))


def test_a_ring_that_the_disk_has_no_room_for_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the process would be killed by the system at some later write."""

    def full(descriptor: int, offset: int, size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(AgentError, match=r"buffer\.ring: cannot be written: No space left on device"):
        buffer(tmp_path).add(decisions(1))
