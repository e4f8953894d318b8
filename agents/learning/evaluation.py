"""Matches of the learner against others: how strong it is, which self-play cannot tell.

Deals are fresh for each match, and each deal is played once from every seat, so that the luck of deals and
seats cancels. All games of a match run in lock-step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.agent import AgentError
from agents.heuristics.contract import heuristics_versions
from agents.learning.players import Lanes, Player, RandomPlayer, make_player
from agents.learning.policy import draw_keys
from agents.learning.shares import win_share
from envs.errors import KontorError
from envs.game import Game
from envs.kernels import start
from envs.options import Options
from envs.position import Array
from envs.vector import VectorGame

Z = 1.959963984540054
"""The normal quantile of intervals for 95 %."""


@dataclass(frozen=True)
class MatchResult:
    """The learner's shares of the win, float64[deals, P], one game of each deal from each seat; games cut by a cap."""

    shares: Array
    truncated: int

    @property
    def games(self) -> int:
        return int(self.shares.size)

    @property
    def win_rate(self) -> float:
        """The mean share of the win: a draw of two counts one half."""
        return float(self.shares.mean())

    def interval(self) -> tuple[float, float]:
        """A Wilson interval for 95 %, for as many independent games as the variance between deals amounts to."""
        share, n = self.win_rate, float(self.games)
        deals = len(self.shares)
        if deals > 1:
            variance = float(self.shares.mean(axis=1).var(ddof=1)) / deals
            n = min(n, share * (1 - share) / variance) if variance > 0 else n
        centre, scale = share + Z * Z / (2 * n), 1 + Z * Z / n
        spread = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
        return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)

    def to_json(self) -> dict[str, Any]:
        low, high = self.interval()
        return {"win_rate": self.win_rate, "low": low, "high": high, "games": self.games, "truncated": self.truncated}


def play_match(
    game: Game,
    options: Options,
    learner: Player,
    opponent: Player,
    deals: Sequence[int],
    opening: int = 0,
    threads: int = 1,
) -> MatchResult:
    """One game of each deal (the seeds of their chance) from each seat, the opponent at all others.

    The first `opening` decisions are random, the same in all games of a deal. All random bits follow from the deals:
    whoever plays them draws the same.
    """
    players = int(options["num_players"])
    lanes = len(deals) * players
    games = VectorGame(game, lanes, options, threads=threads)
    states: Array = np.zeros(lanes, game.dtype)
    template = game.template(options)
    for lane in range(lanes):
        start(states, lane, template, int(deals[lane // players]))
    batch = games.restore(states)
    own_seat = np.arange(lanes) % players
    shares = np.zeros(lanes)
    over, truncated = np.zeros(lanes, np.bool_), np.zeros(lanes, np.bool_)
    actions, keys = np.zeros(lanes, np.int64), np.zeros(lanes, np.int64)
    chance = RandomPlayer()
    step = 0
    while not over.all():
        draw_keys(deals[0], step, keys)
        view = Lanes(games.states, batch.observations, batch.masks, batch.seats)
        own = batch.seats == own_seat
        if step < opening:
            keys[:] = np.repeat(keys[::players], players)
            chance.choose(view, np.ones(lanes, np.bool_), keys, actions)
        else:
            learner.choose(view, own & ~over, keys, actions)
            opponent.choose(view, ~own & ~over, keys, actions)
            chance.choose(view, over, keys, actions)  # lanes that are done play on until all are
        batch = games.step(actions)
        for lane in np.flatnonzero(batch.ended & ~over).tolist():
            shares[lane] = win_share(batch.rewards[lane], lane % players)
        truncated |= batch.truncations & ~over
        over |= batch.ended
        step += 1
    return MatchResult(shares.reshape(-1, players), int(truncated.sum()))


def make_field(given: Mapping[str, Mapping[str, Any]] | None, game: Game, options: Options) -> dict[str, Player]:
    """The opponents by name; for None `random`, and `greedy` if the game has a rule of thumb. Errors: `AgentError`."""
    if given is None:
        given = {"random": {"type": "random"}}
        if heuristics_versions(game.name):
            given = {**given, "greedy": {"type": "greedy"}}
    field = {}
    for name, settings in given.items():
        try:
            field[name] = make_player(settings, game, options)
        except KontorError as error:
            raise AgentError(f"evaluation.field.{name}: {error}") from None
    return field
