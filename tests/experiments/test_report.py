"""The page: whole, on its own, and with the numbers of the run; and the table on the terminal."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from experiments import tables
from experiments.report import render, write_report
from experiments.results import RunResult
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
    assert "The run is not finished" not in page


def test_the_plots_show_every_agent_and_the_share_of_equal_ones(page: str, result: RunResult) -> None:
    plots = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    for index, setting in enumerate(result.settings):
        for plot in plots[2 * index : 2 * index + 2]:
            for agent in setting.agents:
                assert f">{agent.agent}<" in plot
        assert f"equal agents, {100 / setting.options['num_players']:.0f} %" in plots[2 * index]


def test_names_cannot_break_out_of_the_page(result: RunResult) -> None:
    evil = RunResult(
        {**result.run, "config": "<script>alert(1)</script>"}, result.agents, result.sessions, result.settings
    )
    assert "<script" not in render(evil)


def test_an_unfinished_run_says_so(tmp_path: Path, result: RunResult) -> None:
    unfinished = RunResult({**result.run, "planned_games": 999}, result.agents, result.sessions, result.settings)
    write_report(unfinished, tmp_path / "new" / "report.html")
    text = (tmp_path / "new" / "report.html").read_text(encoding="utf-8")
    assert f"{999 - result.games} games are still to be played" in text
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["report.html"]


def test_a_run_without_games_yet_has_a_page_too(result: RunResult) -> None:
    assert "The run is not finished" in render(RunResult(result.run, result.agents, result.sessions, []))


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
