"""The report of a run as Markdown, and as JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from experiments import tables
from experiments.results import RunResult, SettingResult


def markdown(result: RunResult) -> str:
    """The tables of the report in Markdown."""
    lines = [f"# {result.run['name']}", "", f"{result.games} of {result.planned} games. Begun {result.run['created']}."]
    lines += [f"- {note}" for note in result.notes]
    for setting in result.settings:
        lines += ["", f"## {setting.label}", "", f"{tables.heading(setting)}. {tables.zero(setting)}", ""]
        lines += _table(tables.COLUMNS, [tables.row(agent) for agent in setting.agents])
        lines += ["", *(f"- {note}" for note in setting.notes)]
        lines += ["", "### Head to head", "", *_head_to_head(setting)]
        seats = [f"seat {number}" for number in range(len(setting.seats))]
        lines += ["", "### Seats", "", *_table(seats, [[tables.elo(seat) for seat in setting.seats]])]
        if setting.meta:
            rows = [(name, *tables.meta_row(own)) for name, own in setting.meta.items()]
            lines += ["", "### Where strength is no line", "", *_table(tables.META_COLUMNS, rows)]
        if setting.statistics:
            names = [agent.agent for agent in setting.agents]
            rows = [(one.meaning, *tables.statistic_row(one, names)) for one in setting.statistics]
            lines += ["", "### How they play", "", *_table(["", *names], rows)]
    lines += ["", tables.LEGEND, "", "## Where the numbers come from", ""]
    lines += [f"- config hash {result.run['config_hash']}, seed {result.run['seed']}"]
    for session in result.sessions:
        versions = ", ".join(f"{name} {version}" for name, version in session["versions"].items())
        lines += [
            f"- `{session['command']}`: {session['started']} to {session['ended'] or '?'}, {session['games']} games, "
            f"{session['workers']} workers ({session['executor']}); {versions}; code {session['code']}; "
            f"{session['machine']['processor']}, {session['machine']['cores']} cores, load {session['load']}"
        ]
    return "\n".join(lines) + "\n"


def as_json(result: RunResult) -> str:
    """Everything that is in the report, as JSON; a number that is not known or has no bound is null."""
    body = {
        "run": {**result.run, "identity": json.loads(result.run["identity"])},
        "games": result.games,
        "notes": result.notes,
        "settings": [_setting(setting) for setting in result.settings],
        "agents": result.agents,
        "sessions": result.sessions,
    }
    return json.dumps(_plain(body), indent=2, ensure_ascii=False) + "\n"


def _setting(setting: SettingResult) -> dict[str, Any]:
    ahead: dict[str, dict[str, Any]] = {}
    for (one, other), share in setting.ahead.items():
        ahead.setdefault(one, {})[other] = share
    return {**{name: getattr(setting, name) for name in setting.__dataclass_fields__}, "ahead": ahead}


def _plain(data: Any) -> Any:
    """Data as JSON has it."""
    if is_dataclass(data) and not isinstance(data, type):
        return _plain(asdict(data))
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def _head_to_head(setting: SettingResult) -> list[str]:
    names = [agent.agent for agent in setting.agents]
    rows = []
    for one in names:
        cells = [setting.ahead.get((one, other)) for other in names]
        rows.append([one, *(tables.percent(cell) if cell else "" for cell in cells)])
    return _table(["", *names], rows)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    marks = ["---", *["---:"] * (len(columns) - 1)]
    return [f"| {' | '.join(cells)} |" for cells in (columns, marks, *rows)]
