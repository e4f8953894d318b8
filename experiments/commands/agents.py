"""Agents on the command line: `TYPE`, `TYPE,KEY=VALUE,…`, or the folder of a training."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envs.errors import KontorError

if TYPE_CHECKING:
    from agents.registry import AgentConfig

AGENT_HELP = "TYPE, TYPE,KEY=VALUE,… (for example mcts,iterations=200), or the folder of a training"


def read_agent(text: str) -> tuple[str, AgentConfig]:
    """A name fit for tables, and the settings, of an agent given in words. Errors: `KontorError`."""
    from agents.learning.agent import agent_file
    from agents.learning.files import algorithm_of
    from agents.registry import agent_config

    name = re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-._")[:40]
    if Path(text).exists() and ("/" in text or "." in text):
        return name, agent_config(algorithm_of(agent_file(Path(text), "best")), checkpoint=text)
    kind, *pairs = text.split(",")
    return name, agent_config(kind, **read_settings(pairs, f"agent {text!r}: "))


def read_pair(first: str, second: str) -> dict[str, AgentConfig]:
    """Two agents by name, names made to differ where the agents are the same."""
    (one, one_config), (other, other_config) = read_agent(first), read_agent(second)
    return {one: one_config, (f"{other}-2" if other == one else other): other_config}


def read_settings(pairs: Sequence[str], place: str = "") -> dict[str, Any]:
    """Settings given as `KEY=VALUE`, the values as in YAML; messages begin with `place`. Errors: `KontorError`."""
    import yaml  # type: ignore[import-untyped]

    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise KontorError(f"{place}setting {pair!r} has no value: write {name}=VALUE")
        if name in settings:
            raise KontorError(f"{place}setting {name!r} is given twice")
        try:
            settings[name] = yaml.safe_load(text)
        except yaml.YAMLError:
            raise KontorError(f"{place}setting {name!r}: {text!r} is no value") from None
    return settings
