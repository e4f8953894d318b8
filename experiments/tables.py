"""Results in words and numbers: the table on the terminal, and the formats that the report shares."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from experiments.meta import MetaResult
from experiments.ratings import ELO
from experiments.results import AgentResult, RunResult, SettingResult, StatisticResult
from experiments.statistics import Estimate


def percent(estimate: Estimate) -> str:
    """A share with its interval, in percent."""
    return f"{100 * estimate.value:.1f} % [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"


def plus_minus(estimate: Estimate, digits: int = 2) -> str:
    """A mean with half its interval."""
    if not estimate.is_known:
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} ± {estimate.margin:.{digits}f}"


def elo(estimate: Estimate) -> str:
    """A rating with its interval; an end without bound is shown as infinite."""
    if not estimate.is_known:
        return f"{estimate.value:+.0f}"
    if estimate.low == estimate.high:
        return f"{estimate.value:.0f}"  # the agent that the others are measured by
    low = "-∞" if math.isinf(estimate.low) else f"{estimate.low:+.0f}"
    high = "∞" if math.isinf(estimate.high) else f"{estimate.high:+.0f}"
    value = "∞" if estimate.value == math.inf else "-∞" if estimate.value == -math.inf else f"{estimate.value:+.0f}"
    return f"{value} [{low}, {high}]"


def rate(value: float) -> str:
    """Something per second, to three digits or so."""
    if math.isnan(value):
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def games_of(agent: AgentResult) -> str:
    """How many games, and how many of them are no copies where that differs."""
    return str(agent.games) if agent.distinct == agent.games else f"{agent.games} ({agent.distinct} distinct)"


def heading(setting: SettingResult) -> str:
    """One line about a setting's games."""
    games = (
        f"{setting.games} games" if setting.games == setting.planned else f"{setting.games} of {setting.planned} games"
    )
    return f"{games} on {setting.deals} deals, {plus_minus(setting.moves, 0)} decisions a game"


def zero(setting: SettingResult) -> str:
    """What the rating zero is."""
    names = setting.reference
    if len(names) == 1:
        return f"Rating zero is {names[0]}."
    return f"Rating zero is the mean of {', '.join(names[:-1])} and {names[-1]}."


META_COLUMNS = ("agent", "Nash mass [95 %]", "skill against it, Elo", "alpha-rank mass [95 %]")


def meta_row(result: MetaResult) -> tuple[str, ...]:
    """An agent's row, by `META_COLUMNS` but for its name."""
    return percent(result.nash), f"{ELO * result.skill:+.0f}", percent(result.alpha)


def statistic_row(statistic: StatisticResult, agents: Sequence[str]) -> list[str]:
    """The means of a statistic, agent by agent."""
    return [plus_minus(statistic.agents[agent]) if agent in statistic.agents else "-" for agent in agents]


def lengths(setting: SettingResult) -> str:
    """How long the games were."""
    shortest, quarter, middle, three_quarters, longest = setting.lengths
    return f"{shortest} to {longest} moves, half of the games {quarter} to {three_quarters}, median {middle}"


COLUMNS = ("agent", "games", "win share [95 %]", "place", "score", "rating, Elo [95 %]", "decisions/s", "cut off")


def row(agent: AgentResult) -> tuple[str, ...]:
    """An agent's row, by `COLUMNS`."""
    return (
        agent.agent,
        games_of(agent),
        percent(agent.win_share),
        plus_minus(agent.place),
        plus_minus(agent.score),
        elo(agent.rating),
        rate(agent.decisions_per_second),
        str(agent.truncated),
    )


def print_results(result: RunResult, console: Console) -> None:
    """Print the table of every setting with its notes, and what the numbers mean."""
    for setting in result.settings:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="")
        table.title = f"[bold]{escape(setting.label)}[/]  {heading(setting)}"
        for name in COLUMNS:
            table.add_column(name, justify="left" if name == "agent" else "right")
        for agent in setting.agents:
            table.add_row(*map(escape, row(agent)))
        console.print(table)
        console.print(f"  {zero(setting)}", markup=False)
        for note in setting.notes:
            console.print(f"  {note}", markup=False)
        console.print()
    for note in result.notes:
        console.print(note, markup=False)
    console.print(LEGEND, markup=False)


LEGEND = (
    "Equal agents at a table of n win 1/n each. Intervals are for 95 % and count the games of one deal as one sample; "
    "place, score: mean ± half the interval. Rating: 400 points are odds of 10 to 1."
)
