"""How rule code is compiled, and where compiled code is kept so that old rules are never served.

Numba notices a change only in the file that holds a function. Two measures close the gap: a game's record
type ends with a field named after the hash of its sources (`envs.game`), and each package's compiled code
lives in a cache directory named after the hash of the sources it may have been built from (here): the
core's own files, and for another package than `envs` those of its files that compile anything.

The directories lie under `$KONTOR_CACHE_DIR`, else `$XDG_CACHE_HOME/kontor`, else `~/.cache/kontor`. One
that no process has opened for 30 days is removed, a fresher one never.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.extending import intrinsic

_config: Any = numba.config

F = TypeVar("F", bound=Callable[..., Any])

PLAIN = bool(_config.DISABLE_JIT)
"""True under `NUMBA_DISABLE_JIT=1`: rules run as Python over the range-checking proxy of `envs.plain`."""

UNUSED_DAYS = 30
_MARK = "last_used"


def hash_files(paths: Iterable[Path], *extra: str) -> str:
    """Twelve hex digits over the names and contents of `paths` (in any order) and the strings `extra`."""
    digest = hashlib.sha256()
    for path in sorted(paths, key=lambda path: (path.name, str(path))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for text in extra:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:12]


def cache_root() -> Path:
    """The directory that holds one cache directory for each version of the core."""
    if chosen := os.environ.get("KONTOR_CACHE_DIR"):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "kontor"


def sources_of(package: str, file: str) -> list[Path]:
    """The files that compiled code of a top-level package may be built from, game rules apart.

    `file` stands for the package if it is a lone module.
    """
    core = [path for path in Path(__file__).parent.glob("*.py") if _compiles(path)]
    if package == __name__.partition(".")[0]:
        return core
    folders = getattr(sys.modules.get(package), "__path__", [])
    own = [path for folder in folders for path in Path(folder).rglob("*.py") if _compiles(path)]
    return core + (own or [Path(file)])


def _compiles(path: Path) -> bool:
    return b"envs.compiling" in path.read_bytes() or path == Path(__file__)


@cache
def cache_directory(package: str, file: str) -> Path:
    """The cache directory for the compiled code of a top-level package, made and marked as used."""
    root = cache_root()
    flags = f"numba {numba.__version__} boundscheck {_config.BOUNDSCHECK}"
    directory = root / f"{package}-{hash_files(sources_of(package, file), flags)}"
    with contextlib.suppress(OSError):  # where nothing can be written, Numba says so or keeps its own cache
        directory.mkdir(parents=True, exist_ok=True)
        (directory / _MARK).touch()
        remove_unused(root)
    return directory


def remove_unused(root: Path, now: float | None = None) -> list[Path]:
    """Remove the cache directories under `root` that no process has opened for `UNUSED_DAYS` days."""
    limit = (time.time() if now is None else now) - UNUSED_DAYS * 86_400
    old = [mark.parent for mark in root.glob(f"*/{_MARK}") if mark.stat().st_mtime < limit]
    for directory in old:
        shutil.rmtree(directory, ignore_errors=True)
    return old


def compiled(function: F) -> F:
    """Compile a rule function or a kernel over records: cached on disk, without the GIL, C division.

    Under `NUMBA_DISABLE_JIT=1` the function stays as it is.
    """
    if not PLAIN:
        package = function.__module__.partition(".")[0]
        _config.CACHE_DIR = str(cache_directory(package, function.__code__.co_filename))
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


if PLAIN:

    def borrowed(array: Any) -> Any:
        return array

else:

    @intrinsic
    def borrowed(typing_context: Any, array: Any) -> Any:
        """The same array without reference counting, for a kernel to use while its caller holds the array.

        Taking `array[i]` inside a loop otherwise counts up and down atomically, and threads that work on parts
        of one array wait for each other at its counter.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            from numba.np.arrayobj import make_array

            view = make_array(signature.args[0])(context, builder, arguments[0])
            view.meminfo = view.meminfo.type(None)
            return view._getvalue()

        return array(array), generate
