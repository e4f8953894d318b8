"""Where a result comes from: versions, machine, and a hash of the code that made it."""

from __future__ import annotations

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import agents
import envs
from envs.compiling import hash_files

PACKAGES = ("kontor", "numpy", "numba", "scipy", "torch")


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that results may depend on; nothing is imported for it."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def usable_cores() -> int:
    """How many processor cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def machine() -> dict[str, Any]:
    """The processor, the cores this process may use, memory in GiB and system."""
    facts: dict[str, Any] = {
        "processor": _processor(),
        "cores": usable_cores(),
        "system": platform.platform(terse=True),
    }
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        facts["memory_gib"] = round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30, 1)
    return facts


def load() -> float | None:
    """Processes that ran or waited for a core during the last minute, on average; None where it is not known."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


@cache
def code_hash() -> str:
    """Twelve hex digits over all Python and TOML files of `envs` and `agents`: what decides how games go."""
    folders = [Path(folder) for package in (envs, agents) for folder in package.__path__]
    return hash_files([path for folder in folders for end in ("*.py", "*.toml") for path in folder.rglob(end)])


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
