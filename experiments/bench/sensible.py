"""How fast the compiled rules play sensible games, whose late positions random play may never reach.

The games are played first, by the rule of thumb with one action in ten at random, and written down; what is measured is
the same games played again, masks included, so the rule of thumb's own time does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from agents.heuristics.contract import get_heuristics, heuristics_versions, rule_of_thumb
from envs.chance import next_seed
from envs.compiling import borrowed, compiled
from envs.game import apply_action, legal_actions, setup
from envs.kernels import start
from experiments.bench.kernels import nth_legal, uniform
from experiments.bench.result import Result, Settings, Subject, enough, seconds_of

REPLAY_TARGETS = {"pfeffersaecke": 1e6}
RECORDED_MOVES = 20_000
ONE_RANDOM_IN = 10


def measure_replay(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Mask and apply over recorded games, on one core; set-ups included. Games without a rule of thumb are left out."""
    for subject in subjects:
        if not heuristics_versions(subject.game.name):
            continue
        template = subject.game.template(subject.options)
        states = template.copy()
        mask = np.empty(subject.game.num_actions(subject.options), np.bool_)
        actions = np.empty(RECORDED_MOVES, np.int64)
        start(states, 0, template, 0)
        record(get_heuristics(subject.game.name).token, states, template, mask, 0, actions)
        again = partial(_replay, states, template, mask, actions)
        rounds = enough(again, settings.seconds, start=1)
        moves = rounds * RECORDED_MOVES
        values = tuple(moves / seconds_of(again, rounds) for _ in range(settings.repeats))
        target = REPLAY_TARGETS.get(subject.game.name)
        yield Result("replay", subject.name, "moves/s", values, target)


def _replay(states: Any, template: Any, mask: Any, actions: Any, rounds: int) -> None:
    for _ in range(rounds):
        start(states, 0, template, 0)
        replay(states, template, mask, actions)


@compiled
def record(token: Any, states: Any, template: Any, mask: Any, seed: int, actions: Any) -> None:
    """Play whole games one after another at `states[0]`, and write the actions (int64[moves]) down."""
    states, template, mask = borrowed(states), borrowed(template), borrowed(mask)
    state = states[0]
    for move in range(len(actions)):
        legal = legal_actions(state, mask)
        action = rule_of_thumb(token[0], state, uniform(seed, 2 * move, 1 << 30))
        if uniform(seed, 2 * move + 1, ONE_RANDOM_IN) == 0:
            action = nth_legal(mask, move % legal)
        actions[move] = action
        _play(states, template, action)


@compiled
def replay(states: Any, template: Any, mask: Any, actions: Any) -> int:
    """Play the actions again, with the mask before each; how many were legal, all taken together."""
    states, template, mask = borrowed(states), borrowed(template), borrowed(mask)
    legal = 0
    for move in range(len(actions)):
        legal += legal_actions(states[0], mask)
        _play(states, template, actions[move])
    return legal


@compiled
def _play(states: Any, template: Any, action: int) -> None:
    """Play an action at `states[0]`; a game that ends is followed by the next."""
    state = states[0]
    apply_action(state, action)
    if state.terminated or state.truncated:
        seed = next_seed(state.seed)
        states[0] = template[0]
        state.seed = seed
        setup(state)
