"""The examples that the rulebook works through, one test each."""

from tests.fuerstenfeld.table import Table


def test_first_round_three_goods_bring_three_coins():
    """Phase 2 and 3: the printed fields give one good each; in round 1 they sell for a coin apiece."""
    table = Table()
    assert table.player(0)["goods"] == {"hops": 1, "barley": 1, "water": 1}
    for good in ("hops", "barley", "water"):
        table.play("sell", brewery=0, good=good)
    assert (table.player(0)["coins"], table.player(0)["income"], table.player(0)["order_field"]) == (5, 3, 3)
    assert table.phase == "build", "nothing is left to sell, so the sale is over unasked"


def test_first_round_six_cards_in_hand():
    """Phase 1: four cards in hand in later rounds, six in the first."""
    table = Table()
    assert [len(player["hand"]) for player in table.described["players"]] == [6, 6]
    table.go_to("sell", round=2)
    assert [len(player["hand"]) for player in table.described["players"]] == [4, 4]


def test_four_water_into_a_demand_of_two():
    """Phase 3: four water bring four coins, two go back, and the price falls by two, here from 1 to no less than 0."""
    table = Table()
    table.brewery(0, demand=(1, 3, 2))
    table.arrange(0, goods={"hops": 0, "barley": 0, "water": 4})
    coins = table.player(0)["coins"]
    for _ in range(4):
        assert table.price(0, "water") == 1
        table.play("sell", brewery=0, good="water")
    assert table.player(0)["coins"] == coins + 4
    assert table.price(0, "water") == 0
    assert table.described["breweries"][0]["delivered"]["water"] == 2


def test_four_water_at_price_three_fall_by_two():
    """The same sale at a price of 3: all four are paid 3, and the price falls by two steps to 1."""
    table = Table()
    table.brewery(0, demand=(1, 3, 2), price=(1, 1, 3))
    table.arrange(0, goods={"hops": 0, "barley": 0, "water": 4})
    for _ in range(4):
        table.play("sell", brewery=0, good="water")
    assert table.player(0)["income"] == 12
    assert table.price(0, "water") == 1


def test_adjusting_market_prices():
    """Phase 6: of hops 1, barley 3, water 2 one barley and two water came: hops +1, barley +2, water stays."""
    table = Table()
    table.brewery(0, demand=(1, 3, 2))
    table.arrange(0, goods={"hops": 0, "barley": 1, "water": 2})
    table.play("sell", brewery=0, good="barley")
    table.play("sell", brewery=0, good="water")
    table.play("sell", brewery=0, good="water")
    assert table.described["breweries"][0]["delivered"] == {"hops": 0, "barley": 1, "water": 2}
    table.go_to("sell", round=2)
    assert table.described["breweries"][0]["price"] == {"hops": 2, "barley": 3, "water": 1}
    assert table.described["breweries"][0]["delivered"] == {"hops": 0, "barley": 0, "water": 0}


def test_third_palace_of_three_players_raises_the_price():
    """Phase 4: with three players the third palace uses up the price card; from then on a palace costs 2 more."""
    table = Table(num_players=3)
    table.arrange(0, hand=["palace_1", "palace_2", "bank_1"], coins=100)
    table.arrange(1, hand=["palace_3", "palace_4", "bank_1"], coins=100)
    table.go_to("build", seat=0)
    before = table.player(0)["coins"]
    table.play("build", card="palace_1", space=0)
    table.play("build", card="palace_2", space=1)
    assert (before - table.player(0)["coins"], table.described["palace_price"]) == (16, 8)
    table.go_to("build", seat=1)
    table.play("build", card="palace_3", space=0)
    assert (table.described["palace_price"], table.described["palaces_at_price"]) == (10, 0)


def test_turn_order_by_income():
    """The lowest income starts the next round; of equal incomes the marker placed later, on top, goes first."""
    table = Table(num_players=4)
    for seat, sold in enumerate((2, 0, 2, 1)):
        table.go_to("sell", seat=seat)
        for good in ("hops", "barley")[:sold]:
            table.play("sell", brewery=seat, good=good)
        table.decline()
    table.go_to("sell", round=2)
    assert table.described["turn_order"] == [1, 3, 2, 0]


def test_crane_discount_starts_with_the_second_building():
    """Card overview: the crane takes 2 off the second building of the same round, and off the card that covers it."""
    table = Table()
    table.arrange(0, hand=["crane", "bank_1", "office"], coins=20)
    table.go_to("build")
    coins = table.player(0)["coins"]
    table.play("build", card="crane", space=0)
    assert coins - table.player(0)["coins"] == 5
    table.play("build", card="office", space=0)
    assert coins - table.player(0)["coins"] == 5 + 3
    assert table.player(0)["removed"] == ["crane"]


def test_nine_cards_are_put_under_a_third_of_the_deck():
    """Advanced game: ten cards are drawn, one is kept, nine go under the deck, whose order is then a third known."""
    table = Table(variant="advanced")
    hand = table.player(0)["hand"]
    assert len(hand) == 10
    table.play("keep", card=hand[0])
    buried = []
    while table.current == 0:
        buried.append(table.cards("bury")[0])
        table.play("bury", card=buried[-1])
    deck = table.player(0)["deck"]
    assert (len(deck), table.player(0)["deck_known_from"]) == (27, 18)
    assert deck[18:26] == buried
    assert sorted([*deck[18:], hand[0]]) == sorted(hand)
