"""The report of a run: one HTML file that needs nothing else, rebuilt from the store at any time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from envs.record import write_atomically
from experiments import tables
from experiments.curves import LearningCurve, learning_curves
from experiments.plots import curve_plot, rating_plot, win_share_plot
from experiments.results import AgentResult, RunResult, SettingResult
from experiments.store import now

FILE_NAME = "report.html"


def write_report(result: RunResult, path: Path) -> None:
    """Write the page whole or not at all; trainings are looked for beside it."""
    write_atomically(path, render(result, learning_curves(result.agents, path.parent)))


def render(result: RunResult, curves: Sequence[LearningCurve] = ()) -> str:
    """The page as HTML, with the learning curves of trained agents."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    return environment.get_template("report.html.j2").render(
        run=result.run,
        agents=result.agents,
        sessions=result.sessions,
        settings=result.settings,
        games=result.games,
        planned=result.planned,
        notes=result.notes,
        made=now(),
        columns=tables.COLUMNS,
        legend=tables.LEGEND,
        row=tables.row,
        zero=tables.zero,
        lengths=tables.lengths,
        meta_columns=tables.META_COLUMNS,
        meta_row=tables.meta_row,
        statistic_row=tables.statistic_row,
        curves=curves,
        curve_plot=lambda curve: Markup(curve_plot(curve)),
        heading=tables.heading,
        percent=tables.percent,
        elo=tables.elo,
        tint=tint,
        win_share_plot=lambda setting: Markup(win_share_plot(setting)),
        rating_plot=lambda setting: Markup(rating_plot(setting)),
    )


def tint(setting: SettingResult, one: AgentResult, other: AgentResult) -> Markup:
    """A cell's background in the matrix: blue where the agent on the left is ahead, red where it is behind."""
    cell = setting.ahead.get((one.agent, other.agent))
    if cell is None:
        return Markup("")
    strength = round(abs(cell.value - 0.5) * 0.9, 3)
    colour = "36, 80, 154" if cell.value > 0.5 else "209, 73, 91"
    return Markup(f' style="background: rgba({colour}, {strength})"')
