"""The contract: registry, dispatch by type, record types, and what every game does alike."""

import dataclasses
import pickle
from copy import deepcopy

import numpy as np
import pytest

from envs.catalog import game_names, get_game
from envs.classics.connect_four import GAME
from envs.errors import GameDefinitionError, UnknownName
from envs.game import check_record, game_of, register
from envs.position import Position


def test_an_unknown_game_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName, match=r"unknown game 'conect_four': did you mean 'connect_four'\?"):
        get_game("conect_four")


def test_every_name_of_the_catalog_is_a_game_of_that_name():
    for name in game_names():
        assert get_game(name).name == name


def test_a_second_game_with_the_name_or_the_type_of_another_is_refused():
    with pytest.raises(GameDefinitionError, match="registered already"):
        register(dataclasses.replace(GAME))


def test_another_rule_makes_another_record_type():
    renamed = dataclasses.replace(GAME, name="connect_four_twin")
    assert renamed.dtype != GAME.dtype
    assert renamed.dtype.names[-1] == f"rules_{renamed.rules_hash}"


def test_a_record_names_its_game():
    assert game_of(Position(GAME).state) is GAME
    with pytest.raises(UnknownName):
        game_of(np.zeros(1, np.dtype((np.record, [("a", "i1")])))[0])


def test_games_are_copied_and_pickled_as_themselves():
    assert deepcopy(GAME) is GAME
    assert pickle.loads(pickle.dumps(GAME)) is GAME


@pytest.mark.parametrize(
    ("dtype", "reason"),
    [
        (np.dtype((np.record, np.dtype([("a", "i1"), ("b", "i8")], align=True))), "padding"),
        (np.dtype((np.record, [("a", "f4")])), "integers"),
        (np.dtype((np.record, [("a", "?")])), "integers"),
        (np.dtype((np.record, [("a", "u8")])), "integers"),
        (np.dtype((np.record, [("a", [("b", "i1")])])), "np.record"),
    ],
)
def test_records_that_would_behave_differently_somewhere_are_refused(dtype, reason):
    with pytest.raises(GameDefinitionError, match=reason):
        check_record(dtype, "a game")


def test_a_finished_game_has_no_legal_action_and_an_unfinished_one_no_returns():
    position = Position(GAME)
    assert not position.returns().any()
    for action in (0, 1, 0, 1, 0, 1, 0):
        assert not position.is_over
        position.apply(action)
    assert position.is_over
    assert not position.action_mask().any()
    assert position.returns().tolist() == [1, -1]
