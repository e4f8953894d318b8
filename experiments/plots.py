"""The report's plots, as SVG to be put into a page."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.curves import LearningCurve
from experiments.results import SettingResult
from experiments.statistics import Estimate

COLOUR, LINE = "#24509a", "#b0b0b0"
CURVES = ("#24509a", "#d1495b", "#2e7d4f", "#a06a00", "#6a4c93", "#555555")
ROW_INCHES, WIDTH_INCHES = 0.34, 6.2


def win_share_plot(setting: SettingResult) -> str:
    """Each agent's win share with its interval, and the share of equal agents."""
    figure, axes = _rows([agent.agent for agent in setting.agents])
    _intervals(axes, [agent.win_share for agent in setting.agents], 100)
    axes.set_xlim(-2, 102)
    equal = 100 / setting.options["num_players"]
    axes.axvline(equal, color=LINE, linestyle="--", linewidth=1, zorder=0)
    axes.set_xlabel(f"win share in percent, with 95 % interval (dashed: equal agents, {equal:.0f} %)")
    return _svg(figure)


def rating_plot(setting: SettingResult) -> str:
    """Each agent's rating with its interval; an end without bound runs to the plot's edge."""
    figure, axes = _rows([agent.agent for agent in setting.agents])
    ratings = [agent.rating for agent in setting.agents]
    numbers = [end for rating in ratings for end in (rating.low, rating.value, rating.high) if abs(end) < 1e9]
    margin = 0.08 * (max(numbers) - min(numbers)) + 20
    axes.set_xlim(min(numbers) - margin, max(numbers) + margin)
    _intervals(axes, ratings, 1)
    axes.axvline(0, color=LINE, linestyle="--", linewidth=1, zorder=0)
    axes.set_xlabel(f"rating in Elo points, with 95 % interval (zero: {', '.join(setting.reference)})")
    return _svg(figure)


def curve_plot(curve: LearningCurve) -> str:
    """A training's share of the win against each opponent, by decisions played."""
    figure = Figure(figsize=(WIDTH_INCHES, 2.8), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, points) in enumerate(curve.shares.items()):
        steps, shares = zip(*points, strict=True) if points else ((), ())
        axes.plot(steps, [100 * share for share in shares], marker=".", color=CURVES[number % len(CURVES)], label=name)
    axes.set_ylim(-2, 102)
    axes.set_xlabel("decisions played in training")
    axes.set_ylabel("win share in percent")
    axes.legend(title="against", frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return _svg(figure)


def _rows(names: Sequence[str]) -> tuple[Figure, Axes]:
    """An empty plot with one row a name, the first on top."""
    figure = Figure(figsize=(WIDTH_INCHES, 0.75 + ROW_INCHES * len(names)), layout="constrained")
    axes = figure.add_subplot()
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _intervals(axes: Axes, estimates: Sequence[Estimate], scale: float) -> None:
    left, right = axes.get_xlim()
    for line, estimate in enumerate(estimates):
        if estimate.is_known:
            low = max(scale * estimate.low, left) if estimate.low == float("-inf") else scale * estimate.low
            high = min(scale * estimate.high, right) if estimate.high == float("inf") else scale * estimate.high
            axes.plot([low, high], [line, line], color=COLOUR, linewidth=2, solid_capstyle="butt")
        axes.plot([scale * estimate.value], [line], "o", color=COLOUR, markersize=6)


def _svg(figure: Figure) -> str:
    """The figure as an `<svg>` element: text as text, nothing that points outside the page."""
    settings: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "kontor", "font.family": "sans-serif"}
    buffer = io.StringIO()
    with matplotlib.rc_context(settings):
        figure.savefig(buffer, format="svg", transparent=True)
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return re.sub(r'\s(?:xmlns(?::\w+)?|width|height|version)="[^"]*"', "", text, count=5)
