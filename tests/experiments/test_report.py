"""The page: whole, on its own, and with the numbers of the run; and the table on the terminal."""

from __future__ import annotations

import io
import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from experiments import tables
from experiments.curves import learning_curves
from experiments.report import render, write_report
from experiments.results import RunResult, run_notes
from experiments.texts import as_json, markdown
from experiments.tournament import run
from tests.experiments.configs import experiment, stored

VOID = {"meta", "br"}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """A run with notes, copies, and an agent that always loses."""
    outcome = run(experiment(tmp_path_factory.mktemp("run"), "tournament.deals=8"))
    return stored(outcome.store)


@pytest.fixture(scope="module")
def page(result: RunResult) -> str:
    return render(result)


class Checker(HTMLParser):
    """Finds unbalanced tags and everything that points outside the page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("script", "link", "img", "iframe", "object", "embed"):
            self.outside.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "data") and not (value or "").startswith("#"):
                self.outside.append(f"{name}={value}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_needs_nothing_else_and_is_well_formed(page: str) -> None:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert not checker.open
    assert not checker.outside
    assert "http" not in page
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg.replace("xlink:href", "href"))


def test_the_page_has_the_numbers_of_the_run(page: str, result: RunResult) -> None:
    checker = Checker()
    checker.feed(page)
    cells = {text.strip() for text in checker.text}
    for setting in result.settings:
        assert setting.label in cells
        assert tables.heading(setting) + "." in cells
        for agent in setting.agents:
            assert set(tables.row(agent)) <= cells
        for share in setting.ahead.values():
            assert tables.percent(share) in cells
        for seat in setting.seats:
            assert tables.elo(seat) in cells
        for note in setting.notes:
            assert note in cells
    assert result.run["config_hash"] in cells
    assert result.run["config"].strip() in cells
    assert result.sessions[0]["command"] in cells
    assert page.count("<svg") == 2 * len(result.settings)
    assert "not finished" not in page


def test_the_plots_show_every_agent_and_the_share_of_equal_ones(page: str, result: RunResult) -> None:
    plots = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    for index, setting in enumerate(result.settings):
        for plot in plots[2 * index : 2 * index + 2]:
            for agent in setting.agents:
                assert f">{agent.agent}<" in plot
        assert f"equal agents, {100 / setting.options['num_players']:.0f} %" in plots[2 * index]


def test_names_cannot_break_out_of_the_page(result: RunResult) -> None:
    evil = replace(result, run={**result.run, "config": "<script>alert(1)</script>"})
    assert "<script" not in render(evil)


def test_the_page_is_written_whole(tmp_path: Path, result: RunResult) -> None:
    write_report(result, tmp_path / "new" / "report.html")
    assert (tmp_path / "new" / "report.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["report.html"]


def test_a_run_without_games_yet_has_a_page_too(result: RunResult) -> None:
    assert "<h2>" in render(replace(result, settings=[]))


def test_what_concerns_the_whole_run_is_said(result: RunResult) -> None:
    run = {**result.run, "planned_games": 999}
    later = {**result.sessions[0], "code": "another", "games": 3}
    timed = [{**agent, "timed": int(agent["name"] == "two")} for agent in result.agents]
    notes = run_notes(run, timed, [*result.sessions, later])
    assert notes[0] == f"The run is not finished: {999 - result.games - 3} games are still to be played."
    assert notes[1].startswith("The games were played by 2 versions of the code: ")
    assert notes[2].startswith("two: budget in seconds")
    page = render(replace(result, notes=notes))
    out = io.StringIO()
    tables.print_results(replace(result, notes=notes), Console(file=out, width=300))
    assert all(note in page and note in out.getvalue() for note in notes)
    assert run_notes(result.run, result.agents, result.sessions) == result.notes == []


def test_the_page_is_the_same_when_made_again(page: str, result: RunResult) -> None:
    def undated(text: str) -> str:
        return re.sub(r"this page made [^.]*", "", text)

    assert undated(render(result)) == undated(page)


def test_the_table_on_the_terminal_has_the_same_numbers(result: RunResult) -> None:
    out = io.StringIO()
    tables.print_results(result, Console(file=out, width=200))
    printed = out.getvalue()
    for setting in result.settings:
        assert f"{setting.label}  {tables.heading(setting)}" in printed
        for agent in setting.agents:
            line = next(line for line in printed.splitlines() if line.strip().startswith(f"{agent.agent} "))
            assert line
            for cell in tables.row(agent):
                assert cell in printed
        for note in setting.notes:
            assert note in printed


def test_statistics_of_the_game_and_learning_curves_are_shown(tmp_path: Path) -> None:
    """A training within the run: its curve is on the page, the bets of each agent in the table."""
    train = (
        "{steps: 256, threads: 1, network: {width: 8}, rollout: {games: 8, steps: 8}, evaluation: {every: 2, deals: 4}}"
    )
    text = f"""\
games: [{{game: kuhn_poker}}]
agents:
  random: {{type: random}}
  other: {{type: random}}
  net: {{type: ppo, temperature: 1.0, train: {train}}}
tournament: {{deals: 6}}
"""
    outcome = run(experiment(tmp_path, text=text))
    result = stored(outcome.store)
    [setting] = result.settings
    assert [one.name for one in setting.statistics] == ["bets"]
    assert setting.statistics[0].agents.keys() == {"random", "other", "net"}
    assert [len(agent["checkpoint"] or "") for agent in result.agents] == [16, 0, 0], "net, other, random"
    assert setting.meta.keys() == {"random", "other", "net"}
    write_report(result, outcome.store.with_name("report.html"))
    page = outcome.store.with_name("report.html").read_text(encoding="utf-8")
    assert "share of decisions that bet or raise" in page
    assert "net, kuhn_poker" in page
    assert page.count("<svg") == 3
    assert [curve.agent for curve in learning_curves(result.agents, outcome.store.parent)] == ["net"]
    for agent in result.agents:
        assert agent["hash"] in page


def test_markdown_and_json_have_the_same_numbers(result: RunResult) -> None:
    text = markdown(result)
    data = json.loads(as_json(result))
    assert data["run"]["seed"] == result.run["seed"]
    for setting, other in zip(result.settings, data["settings"], strict=True):
        assert tables.zero(setting) in text
        for agent, row in zip(setting.agents, other["agents"], strict=True):
            assert f"| {' | '.join(tables.row(agent))} |" in text
            assert row["win_share"]["value"] == agent.win_share.value
            assert row["rating"]["high"] == (None if math.isinf(agent.rating.high) else agent.rating.high)
        for (one, against), share in setting.ahead.items():
            assert other["ahead"][one][against]["value"] == share.value
