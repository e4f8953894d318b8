"""Travel Blog keeps the contract: conformance on 10,000 positions, the same play in every mode, PettingZoo's tests."""

import pytest

from envs.conformance import check_game
from envs.conformance_aec import check_aec
from envs.travel_blog import GAME
from tests.plain_mode import BOUNDS_CHECKED, PLAIN, digest_of_play, digest_under
from tests.travel_blog.laws import LAWS, broken_law_at, obeys_the_laws
from tests.travel_blog.policies import cautious, sensible
from tests.travel_blog.table import Table

CASES = [
    {"num_players": 2},
    {"num_players": 3, "demanding": True, "map": "usa", "knowledge": "costs"},
    {"num_players": 4, "timing": "sequence", "knowledge": "costs", "reward": "rank"},
    {"num_players": 2, "demanding": True, "timing": "sequence", "knowledge": "graph", "map": "usa"},
    {"num_players": 6, "reward": "score"},
]


@pytest.mark.parametrize("options", CASES, ids=str)
def test_conformance(options):
    """2,000 positions each of cautious and sensible play; every kind of action is played."""
    policies = cautious, sensible
    walk = check_game(GAME, options, 2_000, policies=policies, stride=3, invariant=obeys_the_laws, draw_every=400)
    assert walk.games >= 20
    assert min(walk.action_types.values()) > 0
    waits = {"wait"} if options.get("timing") != "sequence" else set()
    assert set(walk.action_types) == {"place"} | waits


def test_each_law_can_be_broken():
    table = Table(2, round=3, demanding=True)
    table.commit(1, 0)
    state = table.state
    assert broken_law_at(table.position.states, 0) == 0

    def broken(place, name, value):
        """The law that breaks when one number of the record is changed."""
        kept = place[name] if isinstance(name, int) else getattr(place, name)
        _store(place, name, value)
        law = broken_law_at(table.position.states, 0)
        _store(place, name, kept)
        return LAWS[law]

    found = [
        broken(state.deck, 0, state.deck[1]),
        broken(state, "dealt", 20),
        broken(state.board.offer, 3, state.deck[0]),
        broken(state.board.stacks[4], 0, 1),
        broken(state.players[1].tokens_left, 0, 1),
        broken(state.players[0], "cash", -10),
        broken(state.players[1], "pending", 1),
        broken(state.players[2], "cash", 10),
        broken(state, "last_round", 1),
    ]
    state.board.heights[4], state.board.stacks[4][0] = 1, 1
    found.append(LAWS[broken_law_at(table.position.states, 0)])
    assert set(found) == set(LAWS[1:])


def _store(place, name, value):
    if isinstance(name, int):
        place[name] = value
    else:
        setattr(place, name, value)


@pytest.mark.parametrize(
    ("options", "games"),
    [
        ({"num_players": 2}, 26),
        ({"num_players": 3, "demanding": True, "map": "usa"}, 4),
        ({"num_players": 4, "timing": "sequence", "reward": "rank"}, 8),
        ({"num_players": 2, "demanding": True, "timing": "sequence", "map": "usa"}, 7),
        ({"num_players": 6, "reward": "score"}, 3),
        ({"num_players": 2, "knowledge": "costs"}, 1),
        ({"num_players": 2, "knowledge": "graph", "timing": "sequence"}, 1),
    ],
    ids=str,
)
def test_plain_and_compiled_play_are_the_same(options, games):
    """50 games in all."""
    assert digest_of_play(GAME.name, options, games) == digest_under(PLAIN, GAME.name, options, games)


@pytest.mark.slow
@pytest.mark.parametrize("options", CASES, ids=str)
def test_bounds_checked_play_is_the_same(options):
    assert digest_under(BOUNDS_CHECKED, GAME.name, options, games=300) == digest_of_play(GAME.name, options, games=300)


@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 2, "demanding": True, "map": "usa", "reward": "rank"},
        {"num_players": 3, "timing": "sequence", "knowledge": "costs"},
        {"num_players": 4},
        {"num_players": 5, "knowledge": "graph", "reward": "score"},
        {"num_players": 6},
    ],
    ids=str,
)
def test_as_a_pettingzoo_environment(options):
    """Every number of players, and every value of every option at least once."""
    check_aec(GAME, options, moves=400, games=2)
