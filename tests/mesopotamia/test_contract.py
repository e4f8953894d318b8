"""Mesopotamia keeps the contract: its laws on 10,000 positions, the same play in every mode, PettingZoo's tests."""

from collections import Counter

import pytest

from envs.conformance import check_game
from envs.conformance_aec import check_aec
from envs.mesopotamia import GAME
from envs.walk import Walk, play_randomly
from tests.mesopotamia.laws import LAWS, broken_law_at, obeys_the_laws
from tests.mesopotamia.policies import play_cards, play_greedily, play_sensibly
from tests.mesopotamia.table import FOREST, TEMPLE, A, Table
from tests.plain_mode import BOUNDS_CHECKED, PLAIN, digest_of_play, digest_under

CASES = [
    {"num_players": num_players, "starting_card": variants, "no_reshuffle": variants}
    for num_players in (2, 3, 4)
    for variants in (False, True)
]
POLICIES = (play_randomly, play_sensibly, play_cards, play_greedily)
POSITIONS = 10_000


def test_laws_on_10_000_positions_in_which_every_kind_of_action_occurs():
    types: Counter[str] = Counter()
    deliveries = sites = huts = 0
    for options in CASES:
        walk = Walk(GAME, GAME.validate(options), POSITIONS // len(CASES) + 1, policies=POLICIES, stride=5)
        for position in walk:
            obeys_the_laws(position)
            if position.is_over:
                players = position.describe()["players"]
                deliveries += sum(len(player["delivered"]) for player in players)
                sites += sum(3 - player["cult_sites_left"] for player in players)
                huts += sum(4 - player["huts_left"] for player in players)
        types.update(walk.action_types)
    assert len(types) == 23
    assert min(types.values()) > 0, types
    assert min(deliveries, sites, huts) > 50


@pytest.mark.parametrize("options", CASES, ids=str)
def test_conformance(options):
    """Every legal action of each position is played, every other one refused."""
    walk = check_game(GAME, options, 24, policies=POLICIES, stride=67, invariant=obeys_the_laws)
    assert walk.games >= 1


def test_each_law_can_be_broken():
    table = Table(2)
    table.deal(0, "land")
    state = table.state
    assert broken_law_at(table.position.states, 0) == 0

    def broken(place, name, value):
        """The law that breaks when one number of the record is changed."""
        kept = place[name] if isinstance(name, int) else getattr(place, name)
        _store(place, name, value)
        law = broken_law_at(table.position.states, 0)
        _store(place, name, kept)
        return LAWS[law]

    found = {
        broken(state, "stack_size", 0),
        broken(state.supply, 0, 3),
        broken(state.draw_pile, 0, (state.draw_pile[0] + 1) % 8),
        broken(state.players[0], "hand_size", 0),
        broken(state.players[1], "unused_offerings", 7),
        broken(state.players[1], "mana", 4),
        broken(state.players[0], "huts_left", 5),
        broken(state.tiles[FOREST].huts[0], "owner", 5),
        broken(state.players[0].figures[0], "tile", 2),
        broken(state.tiles[TEMPLE].goods, 0, 1),
        broken(state.tiles[A].neighbours, 0, 3),
        broken(state.tiles[A], "births", 1),
        broken(state.pending, "left", 1),
        broken(state.players[3], "mana_max", 3),
    }
    found.add(broken(state.stack, 0, (int(state.stack[0]) + 1) % 4))
    assert found == set(LAWS[1:])


def _store(place, name, value):
    if isinstance(name, int):
        place[name] = value
    else:
        setattr(place, name, value)


SAME_PLAY = [
    ({"num_players": 2, "max_rounds": 4}, 14),
    ({"num_players": 2, "starting_card": True, "no_reshuffle": True, "max_rounds": 4}, 10),
    ({"num_players": 3, "max_rounds": 3}, 8),
    ({"num_players": 3, "starting_card": True, "max_rounds": 3, "reward": "rank"}, 6),
    ({"num_players": 4, "max_rounds": 3}, 6),
    ({"num_players": 4, "starting_card": True, "no_reshuffle": True, "max_rounds": 3, "reward": "score"}, 6),
]
"""Options and number of games: 50 in all."""


@pytest.mark.parametrize(("options", "games"), SAME_PLAY, ids=str)
def test_plain_and_compiled_play_are_the_same(options, games):
    assert digest_under(PLAIN, "mesopotamia", options, games) == digest_of_play("mesopotamia", options, games)


@pytest.mark.slow
def test_bounds_checked_play_is_the_same():
    options = {"num_players": 4}
    assert digest_under(BOUNDS_CHECKED, "mesopotamia", options, 20) == digest_of_play("mesopotamia", options, 20)


@pytest.mark.parametrize("options", CASES, ids=str)
def test_pettingzoo(options):
    check_aec(GAME, {**options, "max_rounds": 6}, moves=300, games=2)
