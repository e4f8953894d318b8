"""The AEC environments side by side: the same games, chosen beforehand by the same random numbers.

What is timed is stepping: `reset`, `last` and `step` of whole games, the closing round of `step(None)` too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from envs.aec import AECGame
from envs.errors import KontorError
from envs.position import Position
from envs.vector import VectorGame
from experiments.bench.moves import steps_per_second
from experiments.bench.result import Result, Settings, Subject, seconds_of

TIMES_PETTINGZOO = 5.0
ADDED_MICROSECONDS = 8.0

Games = list[tuple[int, list[int]]]
"""Games to play: the seed and the actions of each."""


def measure_aec(subjects: Sequence[Subject], settings: Settings) -> Iterator[Result]:
    """Steps a second of each game's AEC environment; for Connect Four also PettingZoo's, alternating with ours.

    What the environment adds to the rules is its time for a call of `step` or `reset`, less that of a batch for
    a move, on one thread.
    """
    for subject in subjects:
        ours = AECGame(subject.game, **subject.options)
        theirs = pettingzoo_connect_four() if subject.game.name == "connect_four" else None
        games = _games_for(ours, subject, settings)
        steps = sum(len(actions) for _, actions in games)
        batch = VectorGame(subject.game, 256, subject.options, threads=1)
        bare = [1 / speed for speed in steps_per_second(batch, settings)]
        mine, other = [], []
        for _ in range(settings.repeats):
            mine.append(steps / seconds_of(play, ours, games))
            if theirs is not None:
                other.append(steps / seconds_of(play, theirs, games))
        calls = steps + len(games) * (1 + subject.options["num_players"])  # each seat's closing step(None), and reset
        added = tuple(1e6 * (steps / speed / calls - rules) for speed, rules in zip(mine, bare, strict=True))
        yield Result("aec", subject.name, "steps/s", tuple(mine))
        yield Result(
            "aec", f"{subject.name}: added to the rules", "µs/call", added, ADDED_MICROSECONDS, lower_is_better=True
        )
        if theirs is not None:
            _check_alike(ours, theirs, games[0])
            ratios = tuple(a / b for a, b in zip(mine, other, strict=True))
            yield Result("aec", "PettingZoo's connect_four_v3", "steps/s", tuple(other))
            yield Result("aec", "ours over PettingZoo's, in turn", "times", ratios, TIMES_PETTINGZOO)


def play(env: Any, games: Games) -> None:
    """Play the games to their ends."""
    for seed, actions in games:
        env.reset(seed=seed)
        left = iter(actions)
        for _ in env.agent_iter():
            _, _, termination, truncation, _ = env.last()
            env.step(None if termination or truncation else next(left))


def random_games(subject: Subject, count: int) -> Games:
    """The first `count` games of a stream of uniformly random play."""
    rng = np.random.default_rng(0)
    games: Games = []
    for seed in range(count):
        position = Position(subject.game, subject.options, seed)
        actions = []
        while not position.is_over:
            legal = np.flatnonzero(position.action_mask())
            actions.append(int(legal[int(rng.random() * len(legal))]))
            position.apply(actions[-1])
        games.append((seed, actions))
    return games


def pettingzoo_connect_four() -> Any:
    """PettingZoo's own Connect Four, as it is made for users. Errors: `KontorError` if it cannot be imported."""
    try:
        from pettingzoo.classic import connect_four_v3  # type: ignore[attr-defined, unused-ignore]
    except ImportError as error:
        raise KontorError(f"measure aec needs PettingZoo's classic games and pygame: {error}") from None
    return connect_four_v3.env()


def _games_for(env: AECGame, subject: Subject, settings: Settings) -> Games:
    """As many random games as take our environment about a quarter of the time: PettingZoo's takes longer."""
    few = random_games(subject, 4)
    play(env, few)
    count = round(4 * settings.seconds / 4 / seconds_of(play, env, few))
    return random_games(subject, max(4, min(count, 1000)))


def _check_alike(ours: Any, theirs: Any, game: tuple[int, list[int]]) -> None:
    """Both environments play the same game: the rewards at its end agree."""
    seed, actions = game
    for env in (ours, theirs):
        env.reset(seed=seed)
        for action in actions:
            env.step(action)
    if ours.rewards != theirs.rewards:
        raise KontorError(f"the two Connect Fours disagree: rewards {ours.rewards} and {theirs.rewards}")
