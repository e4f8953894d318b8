"""Heuristics: blind, legal, versioned; and `greedy` as a yardstick that stays what it is."""

import hashlib

import numpy as np
import pytest

from agents.agent import AgentError
from agents.heuristics.contract import (
    NO_HEURISTICS,
    SHIPPED,
    Heuristics,
    get_heuristics,
    heuristics_versions,
    register_heuristics,
)
from agents.registry import agent_config
from envs.catalog import get_game
from envs.errors import UnknownName
from envs.position import Position
from envs.view import View
from tests.agents.blindness import choose, judge, look
from tests.agents.games import PEEKING, coins, leaky_coins
from tests.agents.play import make, play_game, shares

OPTIONS = {
    "connect_four": [{}],
    "fuerstenfeld": [
        {"num_players": 2},
        {"num_players": 3, "reward": "rank"},
        {"num_players": 5, "reward": "score"},
        {"num_players": 2, "variant": "advanced", "scavenge_palaces": True},
        {"num_players": 4, "variant": "advanced"},
    ],
}
"""The options under which a game's heuristics are checked here; other games' are checked beside their rules."""

CASES = [(name, version, options) for name, version in SHIPPED for options in OPTIONS.get(name, [])]


@pytest.mark.parametrize(("name", "version", "options"), CASES, ids=str)
def test_heuristics_are_blind_to_hidden_things_and_play_legally(name, version, options):
    game = get_game(name)
    looked = look(get_heuristics(name, version), game, options, positions=600)
    assert looked.positions > 500
    assert looked.undecided > 0, "ties are never broken by the seed"
    lowest = game.min_return(game.validate(options))
    assert looked.lowest >= lowest
    assert looked.highest <= -lowest * (game.validate(options)["num_players"] - 1)
    assert looked.lowest < 0 < looked.highest


def test_heuristics_that_look_at_a_hidden_coin_are_caught():
    game = coins()
    with pytest.raises(AssertionError, match="sees what is hidden"):
        look(PEEKING, game, {}, positions=50)


def test_without_heuristics_greedy_is_refused():
    for name in ("leduc_poker", "tic_tac_toe"):
        with pytest.raises(AgentError, match=f"{name} has no rule of thumb"):
            make(agent_config("greedy"), get_game(name))


def test_versions_are_chosen_by_number_the_latest_by_default():
    assert heuristics_versions("connect_four") == [1]
    assert get_heuristics("connect_four") is get_heuristics("connect_four", 1)
    with pytest.raises(UnknownName, match="unknown heuristics version 7 in connect_four: the valid ones are 1"):
        make(agent_config("greedy", version=7), get_game("connect_four"))
    with pytest.raises(AgentError, match="registered already"):
        register_heuristics(get_heuristics("connect_four", 1))


def test_two_versions_for_one_game_are_two_types_and_an_edit_is_a_third(tmp_path):
    """So compiled code of one is never run for another: the source's hash is in the type's name."""
    first = get_heuristics("connect_four", 1)
    edited = tmp_path / first.sources[0].name
    edited.write_text(first.sources[0].read_text() + "# edited\n")
    types = {
        first.dtype,
        Heuristics("connect_four", 2, first.evaluate, first.rule_of_thumb, first.sources).dtype,
        Heuristics("connect_four", 1, first.evaluate, first.rule_of_thumb, (edited,)).dtype,
        NO_HEURISTICS.dtype,
    }
    assert len(types) == 4


def test_without_a_set_the_generic_functions_say_nothing():
    position = Position(leaky_coins())
    out = np.full(2, 5.0)
    judge(NO_HEURISTICS, position.states, 0, 0, out)
    assert out.tolist() == [0.0, 0.0]
    assert choose(NO_HEURISTICS, position.states, 0, 0) == -1


# ------------------------------------------------------------------ the yardstick


YARDSTICKS = {
    ("connect_four", 1): "56b13fee65df4a7e",
    ("fuerstenfeld", 1): "73a68c51b260ce9e",
}
"""The first 16 digits of the hash over all moves of ten games of each version against itself: a version, once
published, plays the same for ever. (A change of the game's rules may change it too: then, and only then, these.)"""


@pytest.mark.parametrize(("name", "version"), YARDSTICKS, ids=str)
def test_a_version_of_greedy_plays_the_same_for_ever(name, version):
    game = get_game(name)
    digest = hashlib.sha256()
    for deal in range(10):
        position = Position(game, {}, deal)
        players = [make(agent_config("greedy", version=version), game, {}, (deal, seat)) for seat in range(2)]
        while (seat := position.current_player) is not None:
            action = players[seat].act(View(position, seat))
            digest.update(action.to_bytes(4, "little"))
            position.apply(action)
    assert digest.hexdigest()[:16] == YARDSTICKS[name, version]


def test_greedy_finishes_fuerstenfeld_in_thirteen_rounds_on_average():
    """About 11.0 with a standard deviation of 2 a game: 13 would be ten standard errors away over 100 games."""
    config = agent_config("greedy", version=1)
    games = [play_game(get_game("fuerstenfeld"), {}, [config, config], deal) for deal in range(100)]
    assert all(game.terminated for game in games)
    assert np.mean([game.describe()["round"] for game in games]) <= 13.0


@pytest.mark.parametrize(
    ("num_players", "variant", "most"),
    [(3, "basic", 12.0), (5, "basic", 11.0), (2, "advanced", 13.5), (4, "advanced", 12.0)],
)
def test_greedy_finishes_at_every_table(num_players, variant, most):
    options = {"num_players": num_players, "variant": variant}
    config = agent_config("greedy", version=1)
    games = [play_game(get_game("fuerstenfeld"), options, [config] * num_players, deal) for deal in range(20)]
    assert all(game.terminated for game in games)
    assert np.mean([game.describe()["round"] for game in games]) <= most


def test_greedy_beats_random_in_fuerstenfeld():
    """It wins all of them so far; with a true share of 0.99 fewer than 95 % of 100 games: one run in 2,000."""
    found = shares(get_game("fuerstenfeld"), {}, agent_config("greedy", version=1), agent_config("random"), 50)
    assert found.mean() >= 0.95


def test_greedy_beats_random_in_connect_four():
    found = shares(get_game("connect_four"), {}, agent_config("greedy", version=1), agent_config("random"), 50)
    assert found.mean() >= 0.95
