"""The measure of the report makes a store that is whole, and reports it."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.catalog import get_game
from experiments.bench import reports
from experiments.bench.result import Settings, Subject
from tests.experiments.configs import stored


def test_the_measure_reports_a_whole_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = get_game("connect_four")
    subject = Subject(game, game.validate({}))
    store = reports.fill(tmp_path, subject, 600)
    result = stored(store)
    assert result.games == result.planned == 600
    assert [agent.agent for agent in result.settings[0].agents] == ["agent3", "agent2", "agent1", "agent0"]
    reports.report(store)
    assert (tmp_path / "report.html").stat().st_size > 10_000
    monkeypatch.setattr(reports, "GAMES", 24)
    [measured] = reports.measure_report([subject], Settings(0.0, 2))
    assert len(measured.values) == 2
    assert measured.is_met
