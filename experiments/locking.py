"""Folders that one process at a time may write to."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from envs.errors import KontorError


class InUse(KontorError):
    """A folder that another process is at work in."""


def lock(folder: Path, work: str) -> IO[str]:
    """A lock on a folder until it is closed, or this process ends in whatever way; `work` is what the holder does.

    Errors: `InUse` if another process has it, `OSError` if the folder cannot be written to.
    """
    handle = (folder / ".lock").open("a")
    try:
        import fcntl
    except ImportError:  # no such lock on this system: whoever runs two at once has to look out
        return handle
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        raise InUse(f"{folder}: another process is {work}") from None
    return handle
