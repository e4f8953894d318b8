"""Folders that one process at a time may write to."""

from __future__ import annotations

import time
from pathlib import Path
from typing import IO

from envs.errors import KontorError

NAME = ".lock"
TRIES, SECONDS_BETWEEN = 5, 0.05
"""`is_locked` has the lock for a moment to see whether it can, so one that is taken is tried for again."""


class InUse(KontorError):
    """A folder that another process is at work in."""


def lock(folder: Path, work: str) -> IO[str]:
    """A lock on a folder until it is closed, or this process ends in whatever way; `work` is what the holder does.

    Errors: `InUse` if another process has it, `OSError` if the folder cannot be written to.
    """
    handle = (folder / NAME).open("a")
    try:
        import fcntl
    except ImportError:  # no such lock on this system: whoever runs two at once has to look out
        return handle
    for _ in range(TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return handle
        except BlockingIOError:
            time.sleep(SECONDS_BETWEEN)
    handle.close()
    raise InUse(f"{folder}: another process is {work}")


def is_locked(folder: Path) -> bool:
    """Whether a process is at work in a folder, as far as can be told: False where the system knows no locks."""
    try:
        import fcntl

        with (folder / NAME).open() as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (ImportError, OSError):
        return False
    return False
