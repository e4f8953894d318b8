"""Self-play: what is learned from, and that nothing but the settings and the seed decides it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from agents.alphazero.selfplay import Samples, SelfPlay
from agents.alphazero.settings import SearchSettings, SelfPlaySettings
from agents.learning.crew import Crew
from envs.catalog import get_game
from envs.classics.connect_four import CELLS
from tests.agents.alphazero.searching import ROOTS, whimsical

GAMES, ROUNDS = 24, 300


def self_play(name: str = "connect_four", root: str = "gumbel", seed: int = 0, **settings: Any) -> SelfPlay:
    game = get_game(name)
    sizes = {"games": GAMES, "iterations": 12, "fast_iterations": 4} | settings
    return SelfPlay(game, game.validate({}), SearchSettings(root=root), SelfPlaySettings(**sizes), 1.0, seed)  # type: ignore[arg-type]


def played(play: SelfPlay, rounds: int = ROUNDS, name: str = "connect_four", threads: int = 1) -> Samples:
    game = get_game(name)
    return play.play(whimsical(game, game.validate({})), rounds, Crew(threads))


def same(one: Samples, other: Samples) -> bool:
    return all(np.array_equal(mine, yours) for mine, yours in zip(one, other, strict=True))


@pytest.mark.parametrize("root", ROOTS)
def test_samples_are_of_whole_games_and_say_who_won(root):
    play = self_play(root=root, full_share=1.0, opening=0, root_value_share=0.0)
    samples = played(play)
    assert play.counters.games > 10
    assert len(samples.values) > 100
    assert samples.policies.sum(axis=1) == pytest.approx(np.ones(len(samples.values)), abs=1e-5)
    assert not samples.policies[~samples.masks].any()
    assert (samples.values[:, 0] == -samples.values[:, 1]).all()
    discs = samples.observations[:, : 2 * CELLS].sum(axis=1)
    starts = np.flatnonzero(np.diff(discs, prepend=np.inf) < 0)
    assert len(starts) == play.counters.games
    decided = 0
    for first, last in zip(starts, [*starts[1:], len(discs)], strict=True):
        own = samples.values[first:last, 0]
        turns = discs[first:last].astype(int) % 2
        assert len(set(own[turns == 0])) <= 1  # what a seat got is the same at all of its decisions,
        assert len(set(own * (1 - 2 * turns))) == 1  # and the opposite at the other's
        if discs[last - 1] < CELLS - 7 and own[0]:
            decided += 1
            assert own[-1] == 1.0  # the last disc is the winner's
    assert decided > 5


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("name", ["connect_four", "kuhn_poker"])
def test_the_number_of_threads_makes_no_difference(name, root):
    one, other = (self_play(name, root, groups=3) for _ in range(2))
    assert same(played(one, name=name), played(other, name=name, threads=3))
    assert one.counters == other.counters


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("leaves", [1, 3])
def test_self_play_goes_on_exactly_where_it_was_stored(leaves, root):
    through = self_play(root=root, leaves=leaves)
    played(through, 70)
    stored = {name: array.copy() for name, array in through.state().items()}
    assert all(array.dtype.names is None for array in stored.values())
    again = self_play(root=root, leaves=leaves, seed=1)
    played(again, 7)  # whatever it did before
    again.restore(stored)
    assert again.counters == through.counters
    assert same(played(through, 200), played(again, 200))
    assert again.counters == through.counters
    ours, theirs = through.state(), again.state()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_every_game_has_a_leaf_in_every_round():
    play = self_play(groups=2)
    played(play, 50)
    assert play.counters.evaluations == 50 * GAMES


def test_only_full_searches_are_learned_from():
    """A quarter of some 1,000 searches: four deviations are 0.055."""
    play = self_play("kuhn_poker", full_share=0.25, games=100)
    samples = played(play, 200, "kuhn_poker")
    assert play.counters.decisions > 1000
    assert len(samples.values) / play.counters.decisions == pytest.approx(0.25, abs=0.055)
    full = self_play("kuhn_poker", full_share=1.0, games=100)
    samples = played(full, 200, "kuhn_poker")
    assert len(samples.values) == pytest.approx(full.counters.decisions, rel=0.1)  # but for games under way


@pytest.mark.parametrize("root", ROOTS)
def test_without_noise_and_temperature_all_games_are_alike(root):
    """Gumbel's full searches have noise in any case; they are as good as never here."""
    settings = {"noise": 0.0, "full_share": 1e-9, "games": 4, "fast_iterations": 8, "opening": 0}
    assert len(boards(self_play(root=root, temperature=0.0, **settings))) == 1
    assert len(boards(self_play(root=root, temperature=1.0, **settings))) > 1


def boards(play: SelfPlay) -> set[bytes]:
    """The different boards some moves into the first games."""
    played(play, 40)
    stored = play.state()
    states: Any = np.concatenate([stored[f"{group}.games"] for group in range(2)]).view(get_game("connect_four").dtype)
    assert states["move_number"].min() > 2
    return {record["discs"].tobytes() for record in states.reshape(-1)}


def test_openings_are_random_of_any_length_up_to_the_most_and_not_learned_from():
    samples = played(self_play(full_share=1.0, opening=5, games=60))
    discs = samples.observations[:, : 2 * CELLS].sum(axis=1).astype(int)
    firsts = discs[np.diff(discs, prepend=CELLS) < 0]
    assert set(firsts.tolist()) == set(range(6))
    at_once = played(self_play(full_share=1.0, opening=0, games=60))
    assert at_once.observations[0, : 2 * CELLS].sum() == 0


def test_the_value_learned_may_be_the_roots():
    paid = played(self_play(full_share=1.0, root_value_share=0.0))
    mixed = played(self_play(full_share=1.0, root_value_share=1.0))
    assert np.array_equal(paid.observations, mixed.observations)
    assert set(np.unique(paid.values)) <= {-1.0, 0.0, 1.0}
    assert len(np.unique(mixed.values)) > 100
    assert np.corrcoef(paid.values[:, 0], mixed.values[:, 0])[0, 1] > 0.1


PLAIN = """
import numpy as np
from tests.agents.alphazero.test_selfplay import ROOTS, played, self_play
for root in ROOTS:
    samples = played(self_play(root=root, games=3, iterations=6, opening=4, full_share=1.0), 120)
    print(len(samples.values), (samples.policies * np.arange(7)).sum().round(3), samples.values.sum(axis=0))
"""


ROOM = """
from agents.alphazero import selfplay
from tests.agents.alphazero.test_selfplay import ROOTS, many_moves_at_once, played
selfplay.FIRST_DECISIONS = 1
for root in ROOTS:
    samples = played(many_moves_at_once(root), 120, "tic_tac_toe")
    print(len(samples.values), samples.observations.sum(axis=1), samples.values[:, 0])
"""


def many_moves_at_once(root: str) -> SelfPlay:
    """At the end of a game kept trees may have nothing to ask the network: several moves are made in one round, and
    games may begin where nothing is to be decided any more."""
    return self_play("tic_tac_toe", root, games=8, iterations=4, opening=8, full_share=1.0, root_value_share=0.0)


def test_there_is_room_for_every_decision_however_many_come_at_once():
    """Plain mode checks every index."""
    compiled, plain = printed(ROOM)
    assert compiled == plain


def test_self_play_goes_on_exactly_with_the_room_it_had(monkeypatch):
    monkeypatch.setattr("agents.alphazero.selfplay.FIRST_DECISIONS", 1)
    for rounds in range(1, 30):
        through, again = (many_moves_at_once("puct") for _ in range(2))
        played(through, rounds, "tic_tac_toe")
        again.restore(through.state())
        assert same(played(through, 30, "tic_tac_toe"), played(again, 30, "tic_tac_toe"))


def printed(program: str) -> list[str]:
    """What a program prints, compiled and in plain mode."""
    return [
        subprocess.run(
            [sys.executable, "-c", program], env=os.environ | more, capture_output=True, text=True, check=True
        ).stdout
        for more in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]


def test_plain_python_plays_the_same_games():
    """Plain mode also checks every index and every number stored."""
    compiled, plain = printed(PLAIN)
    assert compiled == plain
    assert all(int(line.split()[0]) > 20 for line in compiled.splitlines())
