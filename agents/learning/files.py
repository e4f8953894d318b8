"""Files: arrays in the safetensors format, with facts as JSON in the same file. Nothing is ever unpickled.

One file holds all of it, so that it is written whole or not at all. An *agent file* is a network and what it was
trained for (`agents.learning.checkpoint`); a *training file* is all that a training goes on from
(`agents.learning.trainer`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from agents.agent import AgentError
from envs.position import Array
from envs.record import write_atomically

VERSION = 1

SUFFIX = ".safetensors"

_FACTS = "kontor"
"""The one entry of the file's metadata: with one only, equal contents are equal bytes."""


@dataclass(frozen=True)
class FileKind:
    """What a file says it is, and the facts that it has to have."""

    name: str
    needed: tuple[str, ...]


def agent_file_kind(algorithm: str) -> FileKind:
    """A network that plays."""
    return FileKind(f"kontor {algorithm} agent", ("game", "game_version", "network", "options"))


def training_file_kind(algorithm: str) -> FileKind:
    """A training that goes on."""
    return FileKind(f"kontor {algorithm} training", ("counters", "identity", "pool"))


def write(path: Path, kind: FileKind, arrays: Mapping[str, Array], facts: Mapping[str, Any]) -> str:
    """Write a file, whole or not at all, and return its content hash (64 hex digits)."""
    body = json.dumps({"format": kind.name, "version": VERSION, **facts}, sort_keys=True)
    data = save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, {_FACTS: body})
    write_atomically(path, data)
    return hashlib.sha256(data).hexdigest()


def read(path: Path, kind: FileKind) -> tuple[dict[str, Array], dict[str, Any]]:
    """The arrays and the facts of a file. Errors: `AgentError` for what is no such file."""
    facts = read_facts(path, kind)
    with safe_open(path, framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, facts  # noqa: SIM118 (it is no mapping)


def algorithm_of(path: Path) -> str:
    """The type of the agent that plays by an agent file, such as `ppo`. Errors: `AgentError` for any other file."""
    facts = _all_facts(path)
    found = re.fullmatch(r"kontor (\w+) agent", str(facts.get("format")))
    if found is None:
        raise AgentError(f"{path}: is no agent file but {facts.get('format', 'some other file')}")
    return found[1]


def read_facts(path: Path, kind: FileKind) -> dict[str, Any]:
    """The facts of a file alone. Errors: `AgentError` for what is no such file."""
    facts = _all_facts(path)
    if facts.get("format") != kind.name:
        raise AgentError(f"{path}: is no {kind.name} but {facts.get('format', 'some other file')}")
    if facts.get("version") != VERSION:
        raise AgentError(f"{path}: has format version {facts.get('version')}, this is for version {VERSION}")
    if missing := [name for name in kind.needed if name not in facts]:
        raise AgentError(f"{path}: is a damaged {kind.name}: it does not say its {missing[0]}")
    return facts


def _all_facts(path: Path) -> dict[str, Any]:
    """The facts of a file of any kind, none if it is not Kontor's. Errors: `AgentError` for what cannot be read."""
    try:
        with safe_open(path, framework="numpy") as file:
            facts: dict[str, Any] = json.loads((file.metadata() or {}).get(_FACTS, "{}"))
    except FileNotFoundError:
        raise AgentError(f"{path}: there is no such file") from None
    except (SafetensorError, OSError, ValueError) as error:
        raise AgentError(f"{path}: is no checkpoint: {str(error).splitlines()[0]}") from None
    return facts if isinstance(facts, dict) else {}


def file_hash(path: Path) -> str:
    """The content hash of a file: 64 hex digits of SHA-256. Errors: `AgentError` if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise AgentError(f"{path}: cannot be read: {error.strerror}") from None
