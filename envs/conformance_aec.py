"""Does a game work as a PettingZoo AEC environment? The checks, for whoever adds a game.

`check_aec(game)` runs them all for each number of players (the options given apart); the others are its parts.
Errors: `GameDefinitionError` saying what is wrong and in which game and move; `AssertionError` or a warning
turned into an error where one of PettingZoo's own tests says so.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import io
import itertools
import pickle
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from envs.aec import AECGame
from envs.errors import GameDefinitionError, IllegalAction
from envs.game import Game
from envs.options import Options
from envs.position import Position

EXPECTED_WARNINGS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
)
"""What PettingZoo says of every environment whose observations are dicts with a mask that is empty at the end."""

CHECKPOINT = 5
"""Copies are taken at every fifth move, and play the next five."""

EPISODES = 5


def check_aec(game: Game, options: Options | None = None, moves: int = 4_000, games: int = 20) -> None:
    """Run every check for each number of players that `options` leave open.

    `moves` are made in whole random games, `games` are played with copies.
    """
    for line_up in line_ups(game, options):
        check_pettingzoo(game, line_up)
        check_play(game, line_up, moves)
        check_copies(game, line_up, games)
        check_episodes(game, line_up)


def line_ups(game: Game, options: Options | None = None) -> list[Options]:
    """`options` for each number of players, or as they are if they name it."""
    given = options or {}
    if "num_players" in given:
        return [given]
    return [{**given, "num_players": n} for n in range(game.min_players, game.max_players + 1)]


def check_pettingzoo(game: Game, options: Options) -> None:
    """PettingZoo's `api_test`, `seed_test`, `render_test` and test of the state space, without a warning.

    The `EXPECTED_WARNINGS` are ignored, by their whole text.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo's tests import environments of its own that are deprecated
        from pettingzoo.test import api_test, render_test, seed_test
        from pettingzoo.test.state_test import test_state_space

    def make(render_mode: str | None = None) -> AECGame:
        return AECGame(game, render_mode, **options)

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        for text in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", re.escape(text) + "$")
        api_test(make())
        seed_test(make)
        render_test(make)
        test_state_space(make())


def check_play(game: Game, options: Options, moves: int) -> None:
    """Whole random games until `moves` were made: masks, refusals, rewards, ends, and what the rules say of each."""
    env = AECGame(game, **options)
    made = 0
    for seed in itertools.count():
        if made >= moves:
            break
        env.reset(seed=seed)
        position = Position(game, options, seed)
        rng = np.random.default_rng(seed)
        received = dict.fromkeys(env.possible_agents, 0.0)
        visited_at_end = []
        for agent in env.agent_iter():
            where = f"{env}, seed {seed}, move {position.move_number}"
            _, reward, terminated, truncated, _ = env.last()
            received[agent] += reward
            _require(terminated == position.terminated, where, "terminated is not what the position says")
            _require(truncated == position.truncated, where, "truncated is not what the position says")
            _check_observations(env, position, where)
            _check_refusal(env, position, where)
            if terminated or truncated:
                visited_at_end.append(agent)
                env.step(None)
            else:
                action = rng.choice(position.legal_actions())
                env.step(action)
                position.apply(action)
        made += max(1, position.move_number)
        _require(visited_at_end == env.possible_agents, where, f"the agents visited at the end are {visited_at_end}")
        _require(env.agents == [], where, f"{env.agents} are left after the end")
        returns = position.returns()
        _require(list(received.values()) == list(returns), where, f"{received} were received of the returns {returns}")
        lowest = game.min_return(position.options)
        _require(returns.min() >= lowest - 1e-9, where, f"{returns} goes below the lowest return {lowest}")


def _check_observations(env: AECGame, position: Position, where: str) -> None:
    """The masks of all, and what the seat to act and one other seat observe (another one at each move)."""
    acting = env.possible_agents[position.current_player] if position.current_player is not None else None
    legal = position.action_mask()
    nothing = np.zeros_like(legal)
    for agent in env.agents:
        mask = env.infos[agent]["action_mask"]
        _require(np.array_equal(mask, legal if agent == acting else nothing), where, f"{agent}'s info has another mask")
    for seat, agent in enumerate(env.possible_agents):
        if agent != acting and seat != position.move_number % len(env.possible_agents):
            continue
        observed = env.observe(agent)
        observation, mask = observed["observation"], observed["action_mask"]
        _require(observed in env.observation_space(agent), where, f"what {agent} observes is outside its space")
        _require(observation.any(), where, f"the observation of {agent} is all zeros")
        _require(np.array_equal(observation, position.observe(seat)), where, f"{agent} observes something else")
        _require(mask.any() == (agent == acting), where, f"the mask of {agent} has {mask.sum()} legal actions")
        _require(np.array_equal(mask, legal if agent == acting else nothing), where, f"{agent} has another mask")


def _check_refusal(env: AECGame, position: Position, where: str) -> None:
    """An action that cannot be played is refused and changes nothing: another kind of it at each move."""
    bad: list[Any] = [-1, position.num_actions, 0.5, "0", *np.flatnonzero(~position.action_mask())]
    action = bad[position.move_number * 7919 % len(bad)]
    before = env.record()
    try:
        env.step(action)
    except IllegalAction:
        _require(env.record() == before, where, f"the refused action {action!r} has changed the position")
    else:
        _require(False, where, f"the action {action!r} was not refused")


def check_copies(game: Game, options: Options, games: int) -> None:
    """Exact copies: at every fifth move, a copy and the original play the next five alike; one a game plays to its end.

    Copies are made by `copy.deepcopy` and by `pickle` in turn.
    """
    env = AECGame(game, **options)
    for seed in range(games):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        steps: list[Any] = []
        traces = [_trace(env)]
        pending: list[tuple[int, AECGame]] = []
        while env.agents:
            if len(steps) % CHECKPOINT == 0:
                _replay(pending, steps, traces)
                deep = (seed + len(steps) // CHECKPOINT) % 2
                pending = [(len(steps), copy.deepcopy(env) if deep else pickle.loads(pickle.dumps(env)))]
            if len(steps) in (0, CHECKPOINT):
                to_the_end = (len(steps), copy.deepcopy(env))
            steps.append(_choose(env, rng))
            env.step(steps[-1])
            traces.append(_trace(env))
        _replay([*pending, to_the_end], steps, traces)


def _replay(copies: list[tuple[int, AECGame]], steps: list[Any], traces: list[str]) -> None:
    """Play the steps since it was made on each copy, and compare what it shows."""
    for start, twin in copies:
        _require(_trace(twin) == traces[start], f"{twin}, move {start}", "a copy differs from the original")
        for number, action in enumerate(steps[start:], start + 1):
            twin.step(action)
            _require(
                _trace(twin) == traces[number], f"{twin}, move {number}", f"a copy made at move {start} plays otherwise"
            )


def check_episodes(game: Game, options: Options, seed: int = 0) -> None:
    """Episodes that follow one another in an environment equal those of fresh ones given their seeds."""
    env = AECGame(game, **options)
    seeds = []
    digests = []
    for episode in range(EPISODES):
        env.reset(seed=None if episode else seed)
        seeds.append(env.game_seed)
        digests.append(_play_through(env))
    _require(len(set(seeds)) == EPISODES, str(env), f"the seeds of its episodes repeat: {seeds}")
    for episode, (later, digest) in enumerate(zip(seeds, digests, strict=True)):
        fresh = AECGame(game, **options)
        fresh.reset(seed=later)
        _require(_play_through(fresh) == digest, f"{env}, seed {later}", f"episode {episode} differs in a fresh one")


def episode_digests(game: Game, options: Options, seed: int) -> Iterator[str]:
    """One digest an episode over all that five random episodes from `seed` show: equal in every process."""
    env = AECGame(game, **options)
    for episode in range(EPISODES):
        env.reset(seed=None if episode else seed)
        yield _play_through(env)


def _play_through(env: AECGame) -> str:
    rng = np.random.default_rng(env.game_seed)
    digest = hashlib.sha256(_trace(env).encode())
    while env.agents:
        env.step(_choose(env, rng))
        digest.update(_trace(env).encode())
    return digest.hexdigest()


def _choose(env: AECGame, rng: np.random.Generator) -> int | None:
    """A random legal action of the agent to act, or None once the game is over."""
    legal = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
    return int(rng.choice(legal)) if len(legal) else None


def _trace(env: AECGame) -> str:
    """Everything an environment shows from outside, as one digest."""
    shown = hashlib.sha256(env.state().tobytes())
    for agent in env.agents:
        shown.update(env.infos[agent]["action_mask"])
    tables = (env.rewards, env._cumulative_rewards, env.terminations, env.truncations)
    shown.update(repr((env.agents, env.agent_selection, env.game_seed, *tables)).encode())
    return shown.hexdigest()


def _require(condition: Any, where: str, problem: str) -> None:
    if not condition:
        raise GameDefinitionError(f"{where}: {problem}")
