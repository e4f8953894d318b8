"""Pfeffersäcke keeps the contract: conformance with its laws of conservation, and the same play in every mode."""

from collections import Counter

import numpy as np
import pytest

from envs.conformance import check_game
from envs.conformance_aec import check_aec
from envs.pfeffersaecke import GAME
from envs.pfeffersaecke.board import CITIES, FIRST_TOWN, OPEN_TOKENS, PLACES, TOKENS_DEALT, TOKENS_EACH, VALUE
from envs.pfeffersaecke.state import CLOSED_CITY, EXPAND, NO_TOKEN, OPEN, PLACED, REMOVED
from envs.position import Position
from envs.walk import Walk, play_randomly
from tests.pfeffersaecke import referee
from tests.pfeffersaecke.policies import play_for_cities, play_greedily, play_sensibly
from tests.plain_mode import BOUNDS_CHECKED, PLAIN, digest_of_play, digest_under

PLAYERS = range(2, 7)
POLICIES = (play_randomly, play_sensibly, play_greedily, play_for_cities)
each_number = pytest.mark.parametrize("n", PLAYERS)


def obeys_the_laws(position: Position) -> None:
    """45 houses a colour and 25 tokens, each in one place; nothing lies in unused slots; returns sum to 0."""
    state, n = position.state, position.num_players
    players, cities = state["players"], state["cities"]
    seats, rings = np.arange(1, n + 1), cities["ring"]
    acting = int(state["current_player"])

    on_rings = [[int((rings[city] == seat).sum()) for city in range(CITIES)] for seat in seats]
    for seat in range(n):
        branches = int(players[seat]["branches"])
        towns = (branches >> FIRST_TOWN).bit_count()
        waiting = int(cities["middle"].sum()) if seat == acting else 0
        houses = sum(on_rings[seat]) + waiting + towns + int(players[seat]["supply"])
        assert houses == 44, f"player_{seat} has {houses} houses beside the score marker"
        for city in range(CITIES):
            here = on_rings[seat][city] + (int(cities["middle"][city]) if seat == acting else 0)
            assert ((branches >> city) & 1) == (here > 0)
        assert not branches >> PLACES
        assert players[seat]["coins"] >= 0
        assert players[seat]["points"] >= towns
    owned = [int(players[seat]["branches"]) >> FIRST_TOWN for seat in range(n)]
    assert sum(mask.bit_count() for mask in owned) == np.bitwise_or.reduce(owned).bit_count(), "a town has two owners"
    assert state["free_towns"] == (18 if n == 2 else 20) - sum(mask.bit_count() for mask in owned)

    laid = Counter[int]()
    for seat in range(n):
        placed = players[seat]["tokens_placed"][: players[seat]["num_placed"]]
        laid.update(int(value) for value in placed)
        assert players[seat]["tokens"].sum() + len(placed) == TOKENS_EACH[n]
        assert not players[seat]["tokens_placed"][len(placed) :].any()
    in_hands = players[:n]["tokens"].sum(axis=0)
    assert all(in_hands[value] + laid[value] == TOKENS_DEALT[n, value] for value in range(len(in_hands)))
    came = Counter(int(VALUE[city]) for city in range(CITIES) if cities["token"][city] in (PLACED, REMOVED))
    if OPEN_TOKENS[n]:
        came[2] -= 1
    assert +came == laid, "each city has had a token of its value or none"
    under = Counter(int(VALUE[city]) for city in range(CITIES) if cities["token"][city] == CLOSED_CITY)
    waiting_for = Counter(int(VALUE[city]) for city in range(CITIES) if cities["token"][city] == NO_TOKEN)
    assert sum(in_hands) == waiting_for.total(), "tokens in hand and cities without one match one to one"
    assert sum((came + under + waiting_for).values()) + int(OPEN_TOKENS[n]) == 25

    for city in range(CITIES):
        size = int(cities["num_branches"][city])
        assert size + int(cities["middle"][city]) <= VALUE[city]
        assert all(1 <= seat <= n for seat in rings[city][:size])
        assert not rings[city][size:].any()
        assert (cities["winner"][city] > 0) == (cities["won_as"][city] > 0) == (cities["token"][city] == REMOVED)
        assert size == 0 or cities["token"][city] in (PLACED, REMOVED)
    assert sorted(cities["won_as"][cities["won_as"] > 0]) == list(range(1, int(state["cities_won"]) + 1))
    assert state["phase"] in (EXPAND, OPEN) or not cities["middle"].any()
    assert not any(player.tobytes().strip(b"\0") for player in players[n:])
    assert position.returns().sum() == pytest.approx(0.0)


@each_number
def test_conformance_and_conservation(n):
    walk = check_game(
        GAME, {"num_players": n}, positions=200, policies=POLICIES, invariant=obeys_the_laws, stride=9, draw_every=100
    )
    assert walk.games > 5


def end_of(position: Position) -> str:
    """Which of the ends a finished game came to."""
    state = position.state
    if position.truncated:
        return "cut off"
    if state["free_towns"] == 0:
        return "no free town"
    if state["turns_without_opening"] == position.num_players:
        return "nobody opens"
    return "all tokens gone"


def test_laws_hold_on_10_000_positions_in_which_every_action_and_every_end_occurs():
    types: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for n in PLAYERS:
        for max_moves, positions in ((2000, 1900), (70, 100)):
            options = {"num_players": n, "max_moves": max_moves}
            walk = Walk(GAME, GAME.validate(options), positions, policies=POLICIES, stride=4)
            for position in walk:
                obeys_the_laws(position)
                if position.is_over:
                    ends[end_of(position)] += 1
                else:
                    assert position.action_mask().any()
            types.update(walk.action_types)
    assert len(types) == 8
    assert all(types.values()), types
    assert set(ends) == {"no free town", "nobody opens", "all tokens gone", "cut off"}, ends


@each_number
def test_coins_come_from_the_bank_and_go_to_it(n):
    """Opening costs its player the price of the route; beside that coins only rise, by whole incomes."""
    rng = np.random.default_rng(n)
    position = Position(GAME, {"num_players": n}, n)
    while not position.is_over:
        before, seat = position.describe(), position.current_player
        action = position.decode_action(play_sensibly(position, rng))
        position.apply(position.encode_action(action))
        for other, (then, now) in enumerate(zip(before["players"], position.describe()["players"], strict=True)):
            income = now["coins"] - then["coins"]
            if other == seat and action["type"] == "open":
                income += referee.price_of(before, action["place"])
            assert income >= 0
            assert income % (n - 1) == 0 or action["type"] == "double_income"


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_rewards_sum_to_zero_and_respect_the_lowest(reward):
    for n in (2, 4, 6):
        options = GAME.validate({"num_players": n, "reward": reward})
        for position in Walk(GAME, options, 12, policies=(play_randomly, play_sensibly), stride=10_000):
            if position.is_over:
                returns = position.returns()
                assert returns.sum() == pytest.approx(0.0)
                assert returns.min() >= GAME.min_return(options)
                assert returns.max() == pytest.approx(max(returns[seat] for seat in position.winners()))


@pytest.mark.parametrize(("n", "games"), [(2, 12), (3, 4), (4, 3), (5, 3), (6, 3)])
def test_plain_and_compiled_play_are_the_same(n, games):
    options = {"num_players": n, "max_moves": 80}
    assert digest_under(PLAIN, "pfeffersaecke", options, games) == digest_of_play("pfeffersaecke", options, games)


def test_bounds_checked_play_is_the_same():
    options = {"num_players": 6}
    assert digest_under(BOUNDS_CHECKED, "pfeffersaecke", options, 10) == digest_of_play("pfeffersaecke", options, 10)


@each_number
def test_pettingzoo(n):
    check_aec(GAME, {"num_players": n, "max_moves": 60}, moves=400, games=3)
