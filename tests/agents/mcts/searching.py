"""Searching a position, as the tests of search need it."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.mcts import MctsAgent, SearchReport
from agents.registry import agent_config
from envs.game import Game
from envs.position import Position
from envs.view import View
from tests.agents.play import make


def searcher(game: Game, options: dict[str, Any] | None = None, seed: Any = 0, **settings: Any) -> MctsAgent:
    """A fresh agent."""
    agent = make(agent_config("mcts", **settings), game, options, seed)
    assert isinstance(agent, MctsAgent)
    return agent


def searched(position: Position, seed: Any = 0, **settings: Any) -> SearchReport:
    """The report of a fresh agent's search of a position for the seat to act."""
    agent = searcher(position.game, position.options, seed, **settings)
    assert position.current_player is not None
    return agent.search_report(View(position, position.current_player))


def visits(report: SearchReport) -> dict[int, int]:
    """Visits by action."""
    return {entry.action: entry.visits for entry in report.actions}


def after_random_moves(game: Game, options: dict[str, Any], deal: int, moves: int) -> Position:
    """The position of `deal` after that many random moves, or the last one in which somebody is to act."""
    position = Position(game, options, deal)
    rng = np.random.default_rng((deal, moves))
    for _ in range(moves):
        following = position.copy()
        following.apply(int(rng.choice(position.legal_actions())))
        if following.is_over:
            break
        position = following
    return position
