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
    from agents.registry import agent_config

    name = re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-._")[:40]
    if Path(text).exists() and ("/" in text or "." in text):
        return name, agent_config("ppo", checkpoint=text)
    kind, *pairs = text.split(",")
    return name, agent_config(kind, **_settings(text, pairs))


def read_pair(first: str, second: str) -> dict[str, AgentConfig]:
    """Two agents by name, names made to differ where the agents are the same."""
    (one, one_config), (other, other_config) = read_agent(first), read_agent(second)
    return {one: one_config, (f"{other}-2" if other == one else other): other_config}


def _settings(text: str, pairs: Sequence[str]) -> dict[str, Any]:
    import yaml  # type: ignore[import-untyped]

    settings = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise KontorError(f"agent {text!r}: {pair!r} has no value: write {key}=VALUE")
        if key in settings:
            raise KontorError(f"agent {text!r}: {key!r} is given twice")
        try:
            settings[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise KontorError(f"agent {text!r}: {value!r} is no value") from None
    return settings
