"""What AlphaZero is to learn in minutes: tic-tac-toe without a flaw."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.registry import agent_config, make_agent
from envs.catalog import get_game
from envs.position import Position
from envs.view import View
from experiments.train import load_training, run

CONFIG = Path(__file__).parents[3] / "configs" / "train_tic_tac_toe_alphazero.yaml"

GAME = get_game("tic_tac_toe")


@cache
def value(state: bytes) -> float:
    """What seat 0 gets with best play on both sides."""
    position = Position.of(GAME, np.frombuffer(state, GAME.dtype)[0])
    if position.is_over:
        return float(position.returns()[0])
    values = [value(after(position, action).tobytes()) for action in position.legal_actions()]
    return max(values) if position.current_player == 0 else min(values)


def after(position: Position, action: int) -> Position:
    """The position one move later."""
    following = position.copy()
    following.apply(action)
    return following


def perfect_moves(position: Position) -> list[int]:
    """All moves that keep the position's value."""
    return [
        action
        for action in position.legal_actions()
        if value(after(position, action).tobytes()) == value(position.tobytes())
    ]


def lost(checkpoint: Path, seat: int, **settings: Any) -> list[list[int]]:
    """The games that an agent loses from a seat, of all that a perfect player may lead it to by any of its moves.

    A perfect player who draws uniformly among its perfect moves plays each of these games with some probability; that
    none is lost means that no number of games against it would have one. The agent is asked afresh at each position.
    """
    config = agent_config("alphazero", checkpoint=str(checkpoint), reuse=False, **settings)
    agent = make_agent(config, GAME, {}, np.random.default_rng(0))
    choice: dict[bytes, int] = {}
    found, games = [], [(Position(GAME), [])]
    while games:
        position, played = games.pop()
        if position.is_over:
            if position.returns()[seat] < 0:
                found.append(played)
        elif position.current_player == seat:
            key = position.tobytes()
            if key not in choice:
                choice[key] = agent.act(View(position, seat))
            games.append((after(position, choice[key]), [*played, choice[key]]))
        else:
            games += [(after(position, action), [*played, action]) for action in perfect_moves(position)]
    return found


def trained(folder: Path, *overrides: str) -> Path:
    """The folder of a training by the shipped config, maybe shortened."""
    training = load_training(CONFIG, [f"output={folder}", *overrides])
    run(training)
    return training.output


def test_perfect_moves_are_those_that_hold_the_draw() -> None:
    start = Position(GAME)
    assert perfect_moves(start) == list(range(9))
    assert perfect_moves(after(start, 0)) == [4]
    assert perfect_moves(after(start, 4)) == [0, 2, 6, 8]


def test_who_knows_nothing_loses_and_a_large_search_does_not(tmp_path: Path) -> None:
    """The check can fail, and can be passed; with a training of a moment."""
    folder = trained(tmp_path / "short", "steps=200", "self_play.games=32", "evaluation.deals=4", "threads=1")
    assert sum(len(lost(folder, seat, iterations=0)) for seat in range(2)) > 0
    assert not any(lost(folder, seat, iterations=2000, search={"root": "puct"}) for seat in range(2))


@pytest.mark.slow
def test_after_three_minutes_it_never_loses_to_a_perfect_player(tmp_path: Path) -> None:
    """By search with the default budget, from both seats, against whatever perfect play may bring."""
    folder = trained(tmp_path / "whole")
    for seat in range(2):
        assert lost(folder, seat) == []
