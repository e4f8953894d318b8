"""What is asked and what is played unasked: the list of the interface, line by line."""

import pytest

from tests.fuerstenfeld.table import Table


class TestDraft:
    def test_kept_card_then_eight_buried_ones_are_asked_the_ninth_is_not(self):
        table = Table(variant="advanced")
        asked = []
        while table.current == 0:
            action = table.legal()[0]
            asked.append(action["type"])
            table.position.apply(table.position.encode_action(action))
        assert asked == ["keep"] + ["bury"] * 8
        assert table.described["move_number"] == 9
        assert (len(table.player(0)["hand"]), len(table.player(0)["deck"])) == (1, 27)

    def test_each_finishes_before_the_next_and_all_have_drawn(self):
        table = Table(3, variant="advanced")
        assert [len(player["hand"]) for player in table.described["players"]] == [10, 10, 10]
        seats = []
        while table.phase == "draft":
            seats.append(table.current)
            assert table.described["round"] == 1
            table.position.apply(table.position.legal_actions()[0])
        assert seats == [0] * 9 + [1] * 9 + [2] * 9

    def test_the_kept_card_is_not_offered_for_burying_but_its_twin_is(self):
        table = Table(variant="advanced")
        hand = ["field_hops_2", "field_hops_2", "bank_1", "bank_2", "office"]
        table.arrange(0, hand=[*hand, "market", "crane", "warehouse", "palace_1", "palace_2"])
        table.play("keep", card="field_hops_2")
        assert "field_hops_2" in table.cards("bury")
        table.play("bury", card="field_hops_2")
        assert "field_hops_2" not in table.cards("bury")
        assert table.player(0)["hand"].count("field_hops_2") == 1


class TestDrawing:
    @pytest.mark.parametrize(("laboratories", "extra"), [(["laboratory_1"], 1), (["laboratory_2"], 2), ([1, 2], 3)])
    def test_up_to_the_laboratories_number(self, laboratories, extra):
        names = [name if isinstance(name, str) else f"laboratory_{name}" for name in laboratories]
        table = Table()
        table.arrange(0, spaces=dict(enumerate(names)), hand=[])
        table.go_to("draw")
        assert (table.current, table.types()) == (0, {"draw_extra", "stop_drawing"})
        assert [len(player["hand"]) for player in table.described["players"]] == [3, 4], "all have drawn their three"
        assert table.player(0)["goods"]["hops"] == 0, "nobody has harvested yet"
        for drawn in range(extra):
            assert table.described["extra_drawn"] == drawn
            table.play("draw_extra")
        assert (table.phase, table.described["extra_drawn"]) == ("sell", 0), "no extra draws are left"
        assert len(table.player(0)["hand"]) == 3 + extra
        assert table.player(0)["goods"]["hops"] == 1

    def test_extra_cards_are_optional(self):
        table = Table()
        table.arrange(0, spaces={0: "laboratory_2"}, hand=[])
        table.go_to("draw")
        table.play("draw_extra")
        table.play("stop_drawing")
        assert len(table.player(0)["hand"]) == 4

    def test_not_asked_without_cards(self):
        table = Table()
        table.go_to("discard", seat=1)
        table.arrange(0, spaces={0: "laboratory_2"})
        table.remove_rest(0, deck=["bank_1", "bank_2", "crane"], hand=["office"])
        while table.described["round"] == 1:
            table.decline()
        assert table.phase == "sell", "the next sale follows the last discard at once"
        assert len(table.player(0)["hand"]) == 4

    def test_not_asked_once_the_deck_is_empty(self):
        table = Table()
        table.go_to("discard", seat=1)
        table.arrange(0, spaces={0: "laboratory_2"})
        table.remove_rest(0, deck=["bank_1", "bank_2", "crane", "market"], hand=["office"])
        table.go_to("draw")
        table.play("draw_extra")
        assert table.phase == "sell"

    def test_in_turn_order(self):
        table = Table(3)
        for seat in (0, 2):
            table.arrange(seat, spaces={0: "laboratory_1"}, hand=[])
        table.go_to("draw")
        assert table.described["turn_order"] == [2, 1, 0]
        assert table.current == 2
        table.play("draw_extra")
        assert table.current == 0
        assert table.described["extra_drawn"] == 0


class TestSale:
    def test_no_goods_no_question(self):
        table = Table()
        table.arrange(1, spaces={3: None, 4: None, 5: None}, hand=["office", "market"])
        table.arrange(0, hand=["office", "market"])
        for good in ("hops", "barley", "water"):
            table.state.players[1].goods[("hops", "barley", "water").index(good)] = 0
        table.go_to("discard", seat=0)
        table.play("discard", card="office")
        assert (table.current, table.phase) == (1, "build")

    def test_not_asked_if_no_brewery_takes_any_of_the_goods(self):
        table = Table()
        for brewery in range(2):
            table.brewery(brewery, demand=(2, 2, 2), price=(0, 1, 1))
        table.arrange(1, hand=["market"], goods={"hops": 3, "barley": 0, "water": 0})
        table.arrange(0, hand=["office"])
        table.play("end_sale")
        table.play("end_building")
        assert (table.current, table.phase) == (1, "build")

    def test_asked_if_another_brewery_takes_them(self):
        table = Table()
        table.brewery(0, demand=(2, 2, 2), price=(0, 0, 0))
        assert table.phase == "sell"
        assert {action["brewery"] for action in table.legal("sell")} == {1}

    def test_asked_if_only_the_market_sells_them(self):
        table = Table()
        for brewery in range(2):
            table.brewery(brewery, demand=(2, 2, 2), price=(0, 1, 1))
        table.arrange(1, spaces={0: "market"}, goods={"hops": 3, "barley": 0, "water": 0})
        table.arrange(0, hand=["office"])
        table.play("end_sale")
        table.play("end_building")
        assert (table.current, table.types()) == (1, {"sell_as", "end_sale"})

    def test_the_rest_is_over_when_the_brewery_takes_none_of_the_goods_left(self):
        table = Table()
        table.brewery(0, demand=(2, 2, 2), price=(0, 1, 0))
        table.play("sell", brewery=0, good="barley")
        assert table.phase == "build"
        assert table.player(0)["goods"] == {"hops": 1, "barley": 0, "water": 1}
        assert table.player(0)["income"] == 1

    def test_the_rest_is_asked_even_if_the_order_of_goods_leaves_one_answer(self):
        table = Table()
        table.play("sell", brewery=0, good="water")
        assert table.legal() == [{"type": "end_sale"}], "hops and barley would be taken, but come before water"

    def test_the_rest_is_over_when_only_the_market_could_have_sold_it(self):
        """Ruling of this project: after the first plain sale the market is closed and helps no good to a buyer."""
        table = Table()
        table.brewery(0, demand=(2, 2, 2), price=(0, 1, 1))
        table.arrange(0, spaces={0: "market"}, hand=["office"], goods={"hops": 1, "barley": 1, "water": 0})
        table.play("sell", brewery=0, good="barley")
        assert table.phase == "build"

    def test_the_rest_is_asked_while_the_market_is_open(self):
        table = Table()
        table.brewery(0, demand=(2, 2, 2), price=(0, 1, 0))
        table.arrange(0, spaces={0: "market"}, hand=["office"], goods={"hops": 4, "barley": 0, "water": 1})
        table.play("sell_as", brewery=0, good="hops", as_="barley")
        assert table.types() == {"sell_as", "end_sale"}
        table.play("sell_as", brewery=0, good="hops", as_="barley")
        table.play("sell_as", brewery=0, good="hops", as_="barley")
        assert table.phase == "build", "the fourth good of hops and the water are taken by nobody"

    def test_kinds_in_order(self):
        table = Table()
        table.arrange(0, goods={"hops": 2, "barley": 2, "water": 2})
        table.play("sell", brewery=0, good="barley")
        assert [action["good"] for action in table.legal("sell")] == ["barley", "water"]


class TestBuilding:
    def test_empty_hand_is_not_asked(self):
        table = Table()
        table.arrange(0, hand=[])
        table.play("end_sale")
        assert (table.current, table.phase) == (1, "sell")

    def test_asked_although_nothing_can_be_paid(self):
        table = Table()
        table.arrange(0, hand=["bank_2"], coins=0)
        table.play("end_sale")
        assert table.legal() == [{"type": "end_building"}]

    def test_over_after_two_cards(self):
        table = Table()
        table.arrange(0, hand=["office", "market", "crane", "bank_1"], coins=50)
        table.play("end_sale")
        table.play("build", card="office", space=0)
        assert table.described["built"] == 1
        table.play("build", card="market", space=1)
        assert (table.phase, table.described["built"]) == ("discard", 0)

    def test_both_orders_of_two_buildings_are_offered(self):
        table = Table()
        table.arrange(0, hand=["office", "market", "crane"], coins=50)
        table.play("end_sale")
        assert table.cards("build") == ["office", "market", "crane"]
        table.play("build", card="crane", space=0)
        assert table.cards("build") == ["office", "market"]

    def test_basic_game_offers_the_lowest_palace_only(self):
        table = Table()
        table.arrange(0, hand=["palace_3", "palace_5", "office"], coins=50)
        table.play("end_sale")
        assert table.cards("build") == ["office", "palace_3"]
        table.play("end_building")
        assert table.cards("discard") == ["office", "palace_3"]


class TestStoring:
    def test_asked_only_with_a_warehouse_and_goods(self):
        table = Table()
        table.arrange(0, spaces={0: "warehouse"}, hand=["office"], goods={"hops": 0, "barley": 0, "water": 1})
        table.play("sell", brewery=0, good="water")
        table.play("end_building")
        assert table.current == 1, "no goods, one card: storing and discarding are over unasked"

    def test_over_after_three_or_without_goods(self):
        for count, asked in ((2, 2), (5, 3)):
            table = Table()
            table.arrange(0, spaces={0: "warehouse"}, goods={"hops": count, "barley": 0, "water": 0})
            table.play("end_sale")
            for _ in range(asked):
                table.play("store", good="hops")
            assert table.current == 1
            assert table.player(0)["goods"]["hops"] == asked

    def test_kinds_in_order_and_asked_with_one_answer(self):
        table = Table()
        table.arrange(0, spaces={0: "warehouse"}, goods={"hops": 2, "barley": 2, "water": 0})
        table.play("end_sale")
        table.play("store", good="barley")
        assert [action["good"] for action in table.legal("store")] == ["barley"]
        table.play("store", good="barley")
        assert table.legal() == [{"type": "end_storing"}], "hops are left but come before barley"

    def test_storing_comes_before_discarding(self):
        table = Table()
        table.arrange(0, spaces={0: "warehouse"}, hand=["office", "market"])
        table.play("end_sale")
        table.play("end_building")
        assert table.types() == {"store", "end_storing"}
        table.play("end_storing")
        assert table.types() == {"discard"}


class TestDiscarding:
    @pytest.mark.parametrize("hand", [[], ["office"]])
    def test_not_asked_with_at_most_one_card(self, hand):
        table = Table()
        table.arrange(0, hand=hand)
        table.play("end_sale")
        if hand:
            table.play("end_building")
        assert (table.current, table.phase) == (1, "sell")

    def test_asked_within_the_limit_too(self):
        table = Table()
        table.arrange(0, spaces={0: "town_hall_2"}, hand=["office", "market"])
        table.play("end_sale")
        table.play("end_building")
        assert table.types() == {"discard", "end_discarding"}

    def test_over_when_one_card_is_left(self):
        table = Table(variant="advanced")
        table.go_to("sell", seat=0)
        table.arrange(0, spaces={0: "scavenger"}, hand=["office", "market"])
        table.play("end_sale")
        table.play("end_building")
        table.play("scavenge", card="office")
        assert table.current == 1
        assert table.player(0)["hand"] == ["market"]


def test_several_automatic_turns_in_one_action():
    """Three players without goods and cards are passed over at once, and the round ends within the same action."""
    table = Table(4)
    for seat in (1, 2, 3):
        table.arrange(seat, spaces={3: "office", 4: None, 5: None}, hand=[], goods={"hops": 0, "barley": 0, "water": 0})
    table.arrange(0, hand=[])
    table.play("end_sale")
    assert (table.described["round"], table.described["move_number"]) == (2, 1)
    assert (table.current, table.phase) == (3, "build"), "all lie on field 0, so the last goes first; he has no goods"


def test_only_asked_actions_are_counted():
    table = Table()
    assert table.described["move_number"] == 0
    table.play("end_sale")
    assert table.described["move_number"] == 1
