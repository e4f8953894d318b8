"""Fürstenfeld keeps the contract: conformance with its laws of conservation, and the same play in every mode."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from envs.conformance import check_game
from envs.conformance_aec import check_aec
from envs.fuerstenfeld import GAME
from envs.fuerstenfeld.components import COPIES, COST, DEMAND_CARDS
from envs.fuerstenfeld.state import CARD_NAMES, CARDS, CARDS_END, GOODS, SCAVENGER
from envs.position import Position
from envs.walk import Walk, play_randomly
from tests.fuerstenfeld.policies import play_sensibly
from tests.plain_mode import BOUNDS_CHECKED, PLAIN, digest_of_play, digest_under

CASES = [
    {"num_players": num_players, "variant": variant}
    for num_players in (2, 3, 4, 5)
    for variant in ("basic", "advanced")
]
each_case = pytest.mark.parametrize("options", CASES, ids=lambda options: "-".join(map(str, options.values())))

BASIC_SET = {card: int(COPIES[card]) for card in CARDS if card < SCAVENGER}
ADVANCED_SET = {card: int(COPIES[card]) for card in CARDS}


def obeys_the_laws(position: Position) -> None:
    """Every card lies in one place, prices and demand are in range, nothing lies in unused slots, returns sum to 0."""
    state, n = position.state, position.num_players
    whole_set = ADVANCED_SET if position.options["variant"] == "advanced" else BASIC_SET
    for seat in range(n):
        player = state.players[seat]
        places = (player.deck_top + np.arange(player.deck_size)) % len(player.deck)
        hand = Counter({card: int(player.hand[card]) for card in CARDS if player.hand[card]})
        lying = [int(card) for card in player.spaces if 0 < card < CARDS_END]
        removed = [int(card) for card in player.removed[: player.removed_size]]
        everywhere = hand + Counter(int(card) for card in player.deck[places]) + Counter(lying) + Counter(removed)
        assert everywhere == Counter(whole_set), f"the cards of player_{seat} are not complete"
        assert hand.total() == player.hand_size
        assert np.count_nonzero(player.deck) == player.deck_size
        assert 0 <= player.deck_known <= player.deck_size
        assert np.count_nonzero(player.removed) == player.removed_size
        assert player.palaces == sum(18 <= card <= 23 for card in lying)
        assert player.coins >= 0
        assert player.goods.min() >= 0
        assert player.kept == 0 or player.hand[player.kept] > 0
    built = sum(int(player.palaces) for player in state.players[:n])
    assert built == state.price_card * n + state.palaces_at_price, "the price cards count all palaces"
    for brewery in state.breweries[:n]:
        assert tuple(brewery.demand) in {tuple(card) for card in DEMAND_CARDS}
        assert brewery.price.min() >= 0
        assert brewery.price.max() <= 3
        assert all(brewery.delivered <= brewery.demand)
    assert sorted(state.turn_order[:n]) == list(range(n))
    assert not any(player.tobytes().strip(b"\0") for player in state.players[n:])
    assert not any(brewery.tobytes().strip(b"\0") for brewery in state.breweries[n:])
    assert not state.turn_order[n:].any()
    assert not state.declined
    assert position.returns().sum() == pytest.approx(0.0)


@each_case
def test_conformance_and_conservation(options):
    walk = check_game(
        GAME, options, positions=150, policies=(play_sensibly, play_randomly), invariant=obeys_the_laws, stride=19
    )
    assert walk.games >= 2


def sales_finished(described: dict[str, Any], seat: int) -> int:
    """How many sales a seat has finished since the start of the game: one a round."""
    phase, order = described["phase"], described["turn_order"]
    if phase == "over":
        return described["round"]
    if phase in ("draft", "draw"):
        return described["round"] - 1
    place, turn = order.index(seat), order.index(described["current_player"])
    return described["round"] - 1 + (place < turn or (place == turn and phase != "sell"))


@each_case
def test_coins_flow_by_income_and_cost_only(options):
    """What a player has changes by the income of a finished sale and by the cost of a building, by nothing else."""
    rng = np.random.default_rng(0)
    position = Position(GAME, options, 0)
    last = position.describe()
    while not position.is_over:
        seat, index = position.current_player, play_randomly(position, rng)
        action = position.decode_action(index)
        position.apply(index)
        now = position.describe()
        for other in range(options["num_players"]):
            before, after = last["players"][other], now["players"][other]
            sales = sales_finished(now, other) - sales_finished(last, other)
            assert sales in (0, 1)
            cost = 0
            if other == seat and action["type"] == "build":
                palace = action["card"].startswith("palace")
                cost = last["palace_price"] if palace else int(COST[CARD_NAMES.index(action["card"])])
                cost -= 2 * ("crane" in before["spaces"])
            assert after["coins"] - before["coins"] == sales * after["income"] - cost
        last = now


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_rewards_sum_to_zero_and_respect_the_lowest(reward):
    options = GAME.validate({"num_players": 3, "reward": reward, "max_rounds": 12})
    for position in Walk(GAME, options, 60, stride=1000):
        if position.is_over:
            returns = position.returns()
            assert returns.sum() == pytest.approx(0.0)
            assert returns.min() >= GAME.min_return(options)
            assert int(returns.argmax()) in position.winners()


SAME_PLAY = [({**options, "max_rounds": 12 // options["num_players"]}, 6) for options in CASES]
SAME_PLAY += [({"num_players": 2, "variant": "advanced"}, 2)]
"""Options and number of games, 50 in all; two are played to the end, the others for a few rounds."""


@pytest.mark.parametrize(("options", "games"), SAME_PLAY, ids=str)
def test_plain_and_compiled_play_are_the_same(options, games):
    options = {**options, "scavenge_palaces": True}
    assert digest_under(PLAIN, "fuerstenfeld", options, games) == digest_of_play("fuerstenfeld", options, games)


@pytest.mark.slow
@each_case
def test_plain_and_compiled_play_of_whole_games_are_the_same(options):
    assert digest_under(PLAIN, "fuerstenfeld", options, 7) == digest_of_play("fuerstenfeld", options, 7)


def test_bounds_checked_play_is_the_same():
    options = {"num_players": 5, "variant": "advanced"}
    assert digest_under(BOUNDS_CHECKED, "fuerstenfeld", options, 4) == digest_of_play("fuerstenfeld", options, 4)


@each_case
def test_pettingzoo(options):
    check_aec(GAME, {**options, "max_rounds": 8}, moves=400, games=2)


def test_goods_are_named_as_in_the_interface():
    assert GOODS == ("hops", "barley", "water")
