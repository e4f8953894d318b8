"""What a run shows: from the stored games to the numbers of the table and the report.

A pure function of the stored games, whatever the order they were played in.
"""

from __future__ import annotations

import gc
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from typing import Any

import numpy as np

from envs.statistics import statistics_of
from experiments.meta import Meeting, MetaResult, meta_results
from experiments.ratings import Placing, Ratings, fit_ratings
from experiments.statistics import Estimate, games_for, mean_estimate, share_estimate, win_shares
from experiments.store import SeatRow, Store

FINE_MARGIN = 0.03
"""The margin of a win share that notes on precision speak of."""


@dataclass(frozen=True)
class AgentResult:
    """How one agent did under one setting. An agent that sat twice at a table counts twice.

    `distinct` is the number of its games that are no copies of others; `seconds` is its thinking time.
    """

    agent: str
    games: int
    distinct: int
    win_share: Estimate
    place: Estimate
    score: Estimate
    rating: Estimate
    truncated: int
    decisions: int
    seconds: float

    @property
    def decisions_per_second(self) -> float:
        """Decisions a second of its own thinking time."""
        return self.decisions / self.seconds if self.seconds else math.nan


@dataclass(frozen=True)
class StatisticResult:
    """A statistic that the game names: what it means, and its mean by agent, over the games in which there is one."""

    name: str
    meaning: str
    agents: dict[str, Estimate]


@dataclass(frozen=True)
class SettingResult:
    """One game under one set of options.

    `agents` are ordered by rating, the best first. `ahead[a, b]` is the share of the games at common tables in
    which a placed ahead of b, ties half. `seats` are the seats' advantages in rating points. `lengths` are the moves
    of the shortest game, of the one at a quarter, in the middle, at three quarters, and of the longest. `meta` are the
    results by `experiments.meta`, by agent, where they apply. `notes` say in words what the numbers cannot tell.
    """

    label: str
    game: str
    options: dict[str, Any]
    games: int
    planned: int
    distinct: int
    deals: int
    truncated: int
    moves: Estimate
    agents: list[AgentResult]
    ahead: dict[tuple[str, str], Estimate]
    seats: list[Estimate]
    reference: tuple[str, ...]
    notes: list[str]
    lengths: tuple[int, ...] = ()
    meta: dict[str, MetaResult] = field(default_factory=dict)
    statistics: list[StatisticResult] = field(default_factory=list)


@dataclass(frozen=True)
class RunResult:
    """A run: where it comes from, and one result per setting that has any games yet.

    `notes` say in words what concerns the run as a whole.
    """

    run: dict[str, Any]
    agents: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
    settings: list[SettingResult]
    notes: list[str]

    @property
    def games(self) -> int:
        return sum(setting.games for setting in self.settings)

    @property
    def planned(self) -> int:
        return int(self.run["planned_games"])


@dataclass(frozen=True)
class _Game:
    seats: list[SeatRow]
    shares: list[float]
    cluster: Any


def results(store: Store) -> RunResult:
    """Everything that is shown of a run, finished or not. Errors: `StoreError`."""
    with _no_garbage():
        return _results(store)


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Without looking for cycles: of the millions of small objects that hold the games none is part of one."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _results(store: Store) -> RunResult:
    by_setting: dict[int, dict[int, list[SeatRow]]] = defaultdict(lambda: defaultdict(list))
    for seat in store.seats():
        by_setting[seat.setting][seat.game].append(seat)
    settings = [
        setting_result(row, list(by_setting[row["setting"]].values()))
        for row in store.settings()
        if row["setting"] in by_setting
    ]
    run, agents, sessions = store.run(), store.agents(), store.sessions()
    return RunResult(run, agents, sessions, settings, run_notes(run, agents, sessions))


def setting_result(row: dict[str, Any], tables: Sequence[list[SeatRow]]) -> SettingResult:
    """The numbers of one setting; `row` is the store's, each table the seats of a game in order."""
    games = [_Game(seats, win_shares([seat.place for seat in seats]), cluster(seats)) for seats in tables]
    distinct = count_distinct(games)
    placings = [
        Placing(tuple(s.agent for s in game.seats), tuple(s.place for s in game.seats), game.cluster) for game in games
    ]
    ratings = fit_ratings(placings, distinct)
    agents = [agent_result(name, games, ratings) for name in ratings.agents]
    agents.sort(key=lambda agent: (-agent.rating.value, agent.agent))
    return SettingResult(
        label=row["label"],
        game=row["game"],
        options=row["options"],
        games=len(games),
        planned=row["planned_games"],
        distinct=distinct,
        deals=len({game.seats[0].deal for game in games}),
        truncated=sum(game.seats[0].truncated for game in games),
        moves=mean_estimate([game.seats[0].moves for game in games], [game.cluster for game in games]),
        agents=agents,
        ahead=head_to_head(games),
        seats=ratings.seats,
        reference=ratings.reference,
        notes=notes(agents, games, distinct, ratings),
        lengths=tuple(
            int(value) for value in np.quantile([game.seats[0].moves for game in games], (0, 0.25, 0.5, 0.75, 1))
        ),
        meta=meta([agent.agent for agent in agents], games),
        statistics=statistics(row["game"], [agent.agent for agent in agents], games),
    )


def meta(names: Sequence[str], games: Sequence[_Game]) -> dict[str, MetaResult]:
    """Nash averaging and alpha-rank by agent; empty for other than two players, two agents, or pairs that never met."""
    if len(games[0].seats) != 2:
        return {}
    number = {name: index for index, name in enumerate(names)}
    meetings = [
        Meeting(
            number[one.agent],
            number[other.agent],
            (1 + (one.place < other.place) - (one.place > other.place)) / 2,
            game.cluster,
        )
        for game in games
        for one, other in [game.seats]
        if one.agent != other.agent
    ]
    found = meta_results(len(names), meetings) if meetings else None
    return dict(zip(names, found, strict=True)) if found else {}


def statistics(game: str, agents: Sequence[str], games: Sequence[_Game]) -> list[StatisticResult]:
    """The means of the statistics that the game names, in its order."""
    named = statistics_of(game)
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    clusters: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for played in games:
        for seat in played.seats:
            for name, value in seat.statistics.items():
                if value is not None:
                    values[name, seat.agent].append(value)
                    clusters[name, seat.agent].append(played.cluster)
    meanings = dict(named.meanings) if named else {}
    found = []
    for name in [*meanings, *sorted({name for name, _ in values} - meanings.keys())]:
        own = {
            agent: mean_estimate(values[name, agent], clusters[name, agent])
            for agent in agents
            if (name, agent) in values
        }
        if own:
            found.append(StatisticResult(name, meanings.get(name, name), own))
    return found


def cluster(seats: Sequence[SeatRow]) -> tuple[Any, ...]:
    """What a game belongs to: its deal, whose luck it shares; if there was no chance in it, itself and its copies."""
    if seats[0].copy_key is None:
        return ("deal", seats[0].deal)
    return ("moves", seats[0].copy_key, *(seat.agent for seat in seats))


def count_distinct(games: Sequence[_Game]) -> int:
    """How many games are no copies of others; games in which chance was drawn never are."""
    return len({game.cluster for game in games if game.cluster[0] == "moves"}) + sum(
        game.cluster[0] == "deal" for game in games
    )


def agent_result(name: str, games: Sequence[_Game], ratings: Ratings) -> AgentResult:
    """One agent's row."""
    own = [(game, seat) for game in games for seat in range(len(game.seats)) if game.seats[seat].agent == name]
    rows = [game.seats[seat] for game, seat in own]
    clusters = [game.cluster for game, _ in own]
    distinct = count_distinct([game for game, _ in own])
    return AgentResult(
        agent=name,
        games=len(own),
        distinct=distinct,
        win_share=share_estimate([game.shares[seat] for game, seat in own], clusters, distinct),
        place=mean_estimate([row.place for row in rows], clusters),
        score=mean_estimate([row.score for row in rows], clusters),
        rating=ratings.agents[name],
        truncated=sum(row.truncated for row in rows),
        decisions=sum(row.decisions for row in rows),
        seconds=sum(row.seconds for row in rows),
    )


def head_to_head(games: Sequence[_Game]) -> dict[tuple[str, str], Estimate]:
    """For each two agents that met, the share of their games in which the first placed ahead, ties half."""
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    met: dict[tuple[str, str], list[_Game]] = defaultdict(list)
    for game in games:
        for one, other in permutations(game.seats, 2):
            if one.agent != other.agent:
                pair = one.agent, other.agent
                shares[pair].append((1 + (one.place < other.place) - (one.place > other.place)) / 2)
                met[pair].append(game)
    return {
        pair: share_estimate(shares[pair], [game.cluster for game in met[pair]], count_distinct(met[pair]))
        for pair in sorted(met)
    }


def difference(games: Sequence[_Game], one: str, other: str) -> Estimate | None:
    """The mean difference of two agents' win shares at common tables, paired within each; None if they never met."""
    values, clusters = [], []
    for game in games:
        shares: dict[str, list[float]] = {one: [], other: []}
        for seat, share in zip(game.seats, game.shares, strict=True):
            if seat.agent in shares:
                shares[seat.agent].append(share)
        if all(shares.values()):
            means = [sum(part) / len(part) for part in shares.values()]
            values.append(means[0] - means[1])
            clusters.append(game.cluster)
    return mean_estimate(values, clusters) if values else None


def notes(agents: Sequence[AgentResult], games: Sequence[_Game], distinct: int, ratings: Ratings) -> list[str]:
    """What a reader has to know before trusting the table."""
    lines = []
    if distinct < len(games):
        lines.append(
            f"{len(games) - distinct} of {len(games)} games are copies of others, move for move: "
            f"they count as {distinct} games in the intervals."
        )
    for better, worse in pairwise(agents):
        apart = difference(games, better.agent, worse.agent)
        if apart is None:
            continue
        if not apart.is_known:
            lines.append(f"Too small to tell {better.agent} from {worse.agent}: there are no two independent deals.")
        elif apart.margin >= 1.0:
            lines.append(f"Too small to tell {better.agent} from {worse.agent}: there are too few independent deals.")
        elif apart.low <= 0 <= apart.high:
            line = (
                f"Too small to tell {better.agent} from {worse.agent}: their win shares differ by "
                f"{100 * apart.value:+.1f} ± {100 * apart.margin:.1f} % over {apart.games} games at common tables"
            )
            needed = games_for(apart, abs(apart.value)) if apart.value else 0
            lines.append(f"{line}; about {needed:,} would tell so small a difference." if needed else f"{line}.")
    widest = max(agents, key=lambda agent: agent.win_share.margin)
    if widest.win_share.margin > FINE_MARGIN and len(agents) > 1:
        needed = games_for(widest.win_share, FINE_MARGIN)
        lines.append(
            f"Win shares are known to ± {100 * widest.win_share.margin:.1f} % at the widest; "
            f"± {100 * FINE_MARGIN:.0f} % needs about {needed:,} games an agent."
        )
    for agent in agents:
        if math.isinf(agent.rating.high) or math.isinf(agent.rating.low):
            side = "never finished behind" if math.isinf(agent.rating.high) else "never finished ahead of"
            lines.append(f"{agent.agent} {side} {_listed(ratings.reference)}: its rating has no bound on that side.")
    truncated = sum(game.seats[0].truncated for game in games)
    if truncated:
        lines.append(f"{truncated} of {len(games)} games were cut off at the game's limit and count as its rule says.")
    return lines


def run_notes(run: dict[str, Any], agents: Sequence[dict[str, Any]], sessions: Sequence[dict[str, Any]]) -> list[str]:
    """What a reader has to know of the run as a whole."""
    lines = []
    missing = run["planned_games"] - sum(session["games"] for session in sessions)
    if missing:
        lines.append(f"The run is not finished: {missing} games are still to be played.")
    codes = sorted({session["code"] for session in sessions if session["games"]})
    if len(codes) > 1:
        lines.append(f"The games were played by {len(codes)} versions of the code: {', '.join(codes)}.")
    timed = [agent["name"] for agent in agents if agent["timed"]]
    if timed:
        loads = ", ".join(f"{s['load']} to {s['load_at_end']}" for s in sessions if s["load"] is not None)
        lines.append(
            f"{', '.join(timed)}: budget in seconds, so another run gives other results, and the load of the machine "
            f"matters ({loads or 'not known'} here)."
        )
    return lines


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
