"""Are heuristics blind to what their seat cannot know? A check for any set, and what it counts on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.heuristics.contract import Heuristics, evaluate, rule_of_thumb
from envs.compiling import compiled
from envs.game import Game
from envs.position import Position
from envs.walk import Walk


@compiled
def judge(token: Any, states: Any, i: int, seat: int, out: Any) -> None:
    """`evaluate` of position `i` as `seat` sees it."""
    evaluate(token[0], states[i], seat, out)


@compiled
def choose(token: Any, states: Any, i: int, seed: int) -> int:
    """`rule_of_thumb` for the seat to act in position `i`."""
    return rule_of_thumb(token[0], states[i], seed)


@dataclass
class Looked:
    """What a check looked at: positions, actions chosen by random seed rather than by merit, evaluations' extremes."""

    positions: int = 0
    undecided: int = 0
    lowest: float = np.inf
    highest: float = -np.inf


def look(heuristics: Heuristics, game: Game, options: dict[str, Any], positions: int, seed: int = 0) -> Looked:
    """Check a set of heuristics at positions of games played at random and by its own rule of thumb.

    At each one, for each seat: the evaluation is the same on two determinizations for that seat, finite, and
    leaves the position as it is; so is the action of the rule of thumb for the seat to act, which is legal.
    Raises AssertionError.
    """
    token = heuristics.token
    options = game.validate(options)

    def by_the_rule(position: Position, rng: np.random.Generator) -> int:
        return choose(token, position.states, 0, int(rng.integers(1 << 62)))

    def mostly_by_the_rule(position: Position, rng: np.random.Generator) -> int:
        if rng.random() < 0.2:
            return int(rng.choice(np.flatnonzero(position.action_mask())))
        return by_the_rule(position, rng)

    def at_random(position: Position, rng: np.random.Generator) -> int:
        return int(rng.choice(np.flatnonzero(position.action_mask())))

    looked = Looked()
    rng = np.random.default_rng((seed, 3))
    for position in Walk(game, options, positions, seed, (at_random, by_the_rule, mostly_by_the_rule)):
        if position.is_over:
            continue
        looked.positions += 1
        for seat in range(position.num_players):
            samples = [position.determinize(seat, int(r)) for r in rng.integers(1 << 62, size=2)]
            before = [sample.tobytes() for sample in samples]
            values = np.empty((2, position.num_players))
            for sample, out in zip(samples, values, strict=True):
                judge(token, sample.states, 0, seat, out)
            where = f"{game.name}: player_{seat} at move {position.move_number}"
            assert values[0].tobytes() == values[1].tobytes(), f"{where}: the evaluation sees what is hidden"
            assert np.isfinite(values).all(), f"{where}: the evaluation is {values[0]}"
            looked.lowest = min(looked.lowest, float(values.min()))
            looked.highest = max(looked.highest, float(values.max()))
            if seat == position.current_player:
                tie, other_tie = (int(r) for r in rng.integers(1 << 62, size=2))
                chosen = [choose(token, sample.states, 0, tie) for sample in samples]
                assert chosen[0] == chosen[1], f"{where}: the rule of thumb sees what is hidden"
                assert position.action_mask()[chosen[0]], f"{where}: the rule of thumb plays {chosen[0]}, illegally"
                looked.undecided += choose(token, samples[0].states, 0, other_tie) != chosen[0]
            assert [sample.tobytes() for sample in samples] == before, f"{where}: heuristics change the position"
    return looked
