"""The rulings F1 to F36 and those beside them, each as a test that names it (README.md lists them)."""

import itertools
from collections import Counter

import pytest

from envs.fuerstenfeld.components import FACTS
from envs.fuerstenfeld.state import GOODS
from tests.fuerstenfeld.table import Table


def sell(table: Table, brewery: int, **goods: int) -> None:
    """Sell so many of each good, in the order of the goods."""
    for good in GOODS:
        for _ in range(goods.get(good, 0)):
            table.play("sell", brewery=brewery, good=good)


class TestSetUpAndDrawing:
    def test_f1_basic_hand_of_round_one_is_three_and_three(self):
        for seat in range(2):
            player = Table().player(seat)
            assert (len(player["hand"]), len(player["deck"]), player["deck_known_from"]) == (6, 20, 20)

    def test_f2_ten_cards_instead_of_the_first_three(self):
        table = Table(variant="advanced")
        assert [len(player["hand"]) for player in table.described["players"]] == [10, 10]
        table.go_to("sell")
        for player in table.described["players"]:
            assert (len(player["hand"]), len(player["deck"])) == (1 + 3, 27 - 3)
            assert player["deck_known_from"] == 18 - 3

    @pytest.mark.parametrize("left", [0, 1, 2])
    def test_f3_a_short_deck_gives_what_it_has(self, left):
        table = Table()
        table.go_to("discard", seat=1)
        table.remove_rest(0, deck=["bank_1", "bank_2"][:left], hand=["office"])
        table.go_to("sell", round=2)
        assert len(table.player(0)["hand"]) == 1 + left
        assert table.player(0)["deck"] == []
        assert table.player(0)["deck_known_from"] == 0

    def test_f31_breweries_are_the_first_n_with_different_demand_cards(self):
        seen = Counter()
        for seed in range(200):
            demands = [tuple(brewery["demand"].values()) for brewery in Table(5, seed).described["breweries"]]
            assert len(demands) == len(set(demands)) == 5
            seen.update(demands)
        assert set(seen) == set(FACTS.demand_cards)

    def test_f36_start_order_is_random_with_all_markers_on_field_0(self):
        orders = Counter()
        for seed in range(600):
            described = Table(3, seed, in_seat_order=False).described
            orders[tuple(described["turn_order"])] += 1
            assert described["current_player"] == described["turn_order"][0]
            assert [player["order_field"] for player in described["players"]] == [0, 0, 0]
        # Six orders, 100 each expected; 60 lies 4.4 standard deviations away (false alarm below 1e-4).
        assert len(orders) == 6
        assert min(orders.values()) > 60


class TestOrderOfPlay:
    def test_f4_each_player_sells_builds_and_discards_before_the_next(self):
        table = Table(3)
        asked = []
        while table.described["round"] == 1:
            asked.append((table.current, table.phase))
            table.decline()
        runs = [key for key, _ in itertools.groupby(asked)]
        assert runs == [(seat, phase) for seat in range(3) for phase in ("sell", "build", "discard")]

    def test_f19_of_equal_markers_the_later_placed_goes_first(self):
        table = Table(5)
        table.go_to("sell", round=2)
        assert table.described["turn_order"] == [4, 3, 2, 1, 0], "all declined to sell: all lie on field 0"

    def test_f20_income_has_no_cap(self):
        table = Table()
        table.brewery(0, demand=(3, 2, 1), price=(3, 3, 3))
        table.arrange(0, goods={"hops": 9, "barley": 9, "water": 0})
        sell(table, 0, hops=9, barley=9)
        assert (table.player(0)["income"], table.player(0)["order_field"]) == (54, 54)


class TestSelling:
    def test_f5_one_brewery_a_sale(self):
        table = Table(3)
        assert {action["brewery"] for action in table.legal("sell")} == {0, 1, 2}
        table.play("sell", brewery=1, good="hops")
        assert {action["brewery"] for action in table.legal("sell")} == {1}

    def test_f6_surplus_is_paid_at_the_price_before_the_sale(self):
        table = Table()
        table.brewery(0, demand=(1, 2, 2), price=(3, 1, 1))
        table.arrange(0, goods={"hops": 3, "barley": 0, "water": 0})
        sell(table, 0, hops=3)
        assert table.player(0)["income"] == 9
        assert table.price(0, "hops") == 1
        assert table.described["breweries"][0]["delivered"]["hops"] == 1

    def test_f6_surplus_is_counted_per_sale_from_what_lies_there(self):
        """Ruling beside: paid first, then one step for each good beyond the spaces that were still empty."""
        table = Table()
        table.brewery(0, demand=(2, 2, 2), price=(3, 3, 3))
        for seat, count in ((0, 1), (1, 2)):
            table.go_to("sell", seat=seat)
            table.arrange(seat, goods={"hops": count, "barley": 0, "water": 0})
            sell(table, 0, hops=count)
            assert table.player(seat)["income"] == 3 * count
        assert table.price(0, "hops") == 2

    def test_deliveries_of_several_players_fill_the_same_spaces(self):
        table = Table(3)
        table.brewery(0, demand=(3, 2, 1), price=(2, 1, 1))
        for seat, filled in ((0, 1), (1, 2), (2, 3)):
            table.go_to("sell", seat=seat)
            sell(table, 0, hops=1)
            table.play("end_sale")
            assert table.described["breweries"][0]["delivered"]["hops"] == filled
            assert table.price(0, "hops") == 2

    def test_f7_at_price_0_nothing_is_taken(self):
        table = Table()
        for brewery in range(2):
            table.brewery(brewery, demand=(2, 2, 2), price=(0, 1, 1))
        table.arrange(0, spaces={0: "market"})
        assert {action["good"] for action in table.legal("sell")} == {"barley", "water"}
        exchanges = {(action["good"], action["as"]) for action in table.legal("sell_as")}
        assert exchanges == {("hops", "barley"), ("hops", "water"), ("barley", "water"), ("water", "barley")}

    def test_f8_prices_stay_between_0_and_3(self):
        table = Table()
        table.brewery(0, demand=(3, 3, 1), price=(1, 3, 2))
        table.brewery(1, demand=(1, 1, 1), price=(0, 1, 2))
        table.go_to("sell", round=2)
        assert table.described["breweries"][0]["price"] == {"hops": 3, "barley": 3, "water": 3}
        assert table.described["breweries"][1]["price"] == {"hops": 1, "barley": 2, "water": 3}

    def test_f9_prices_rise_where_nobody_sold(self):
        table = Table(3)
        table.brewery(2, demand=(1, 2, 0))
        table.play("sell", brewery=0, good="hops")
        table.go_to("sell", round=2)
        assert table.described["breweries"][2]["price"] == {"hops": 2, "barley": 3, "water": 1}

    def test_f10_office_pays_for_each_kind_not_for_each_good(self):
        table = Table()
        table.arrange(0, spaces={0: "office"}, goods={"hops": 2, "barley": 0, "water": 1})
        sell(table, 0, hops=2, water=1)
        assert table.player(0)["income"] == 3 + 2

    def test_f10_office_counts_what_a_good_was_sold_as(self):
        table = Table()
        table.arrange(0, spaces={0: "office", 1: "market"}, goods={"hops": 1, "barley": 1, "water": 0})
        table.play("sell_as", brewery=0, good="hops", as_="barley")
        table.play("sell", brewery=0, good="barley")
        assert table.player(0)["income"] == 2 + 1

    def test_f11_all_coins_of_phase_3_are_income(self):
        table = Table(variant="advanced")
        table.go_to("sell", seat=0)
        buildings = ("bank_1", "bank_2", "office", "tourist_guide", "palace_5", "palace_6")
        table.arrange(0, spaces=dict(enumerate(buildings)))
        coins = table.player(0)["coins"]
        table.play("sell", brewery=0, good="hops")
        table.play("end_sale")
        assert table.player(0)["income"] == 1 + 3 + 5 + 1 + 2 * 2
        assert table.player(0)["coins"] == coins + 14
        assert table.player(0)["order_field"] == 14

    def test_f11_banks_and_guide_pay_without_a_sale(self):
        table = Table(variant="advanced")
        table.go_to("sell", seat=0)
        table.arrange(0, spaces={0: "bank_1", 1: "tourist_guide", 3: "palace_4"})
        table.play("end_sale")
        assert table.player(0)["income"] == 3 + 2

    def test_f12_market_three_goods_of_one_kind_as_one_other(self):
        table = Table()
        table.brewery(0, demand=(1, 2, 2), price=(2, 3, 1))
        table.arrange(0, spaces={0: "market"}, goods={"hops": 4, "barley": 1, "water": 1})
        for _ in range(3):
            table.play("sell_as", brewery=0, good="hops", as_="barley")
        assert table.legal("sell_as") == []
        sell(table, 0, hops=1, barley=1, water=1)
        assert table.player(0)["income"] == 3 * 3 + 2 + 3 + 1
        delivered = table.described["breweries"][0]
        assert delivered["delivered"] == {"hops": 1, "barley": 2, "water": 1}
        assert delivered["price"] == {"hops": 2, "barley": 1, "water": 1}, "barley: four sold, two beyond the demand"

    def test_f12_only_one_pair_a_sale_and_before_the_plain_sales(self):
        table = Table()
        table.arrange(0, spaces={0: "market"}, goods={"hops": 2, "barley": 2, "water": 2})
        table.play("sell_as", brewery=0, good="hops", as_="barley")
        exchanges = table.legal("sell_as")
        assert exchanges == [{"type": "sell_as", "brewery": 0, "good": "hops", "as": "barley"}]
        table.play("sell", brewery=0, good="hops")
        assert table.legal("sell_as") == []

    def test_f12_the_market_is_there_once_a_round(self):
        table = Table()
        table.arrange(0, spaces={0: "market"}, goods={"hops": 1})
        table.play("sell_as", brewery=0, good="hops", as_="barley")
        table.go_to("sell", seat=0, round=2)
        assert table.legal("sell_as")

    def test_f13_market_and_office_are_single_cards(self):
        assert [FACTS.cards[name].copies for name in ("market", "office")] == [1, 1]

    def test_f14_fewer_goods_may_be_sold_even_none(self):
        table = Table()
        assert "end_sale" in table.types()
        table.play("end_sale")
        assert (table.player(0)["income"], table.phase) == (0, "build")
        assert table.player(0)["goods"] == {"hops": 1, "barley": 1, "water": 1}

    def test_f18_magistrate_lays_the_marker_three_lower(self):
        table = Table()
        table.brewery(0, demand=(3, 2, 1), price=(3, 1, 1))
        table.arrange(0, spaces={0: "magistrate"}, goods={"hops": 2})
        coins = table.player(0)["coins"]
        sell(table, 0, hops=2)
        table.decline()
        player = table.player(0)
        assert (player["income"], player["order_field"], player["coins"]) == (6, 3, coins + 6)

    def test_f18_magistrate_not_below_0_and_on_top(self):
        table = Table(3)
        table.arrange(1, spaces={0: "magistrate"})
        table.play("end_sale")
        table.go_to("sell", seat=1)
        table.play("sell", brewery=0, good="hops")
        table.play("end_sale")
        assert (table.player(1)["income"], table.player(1)["order_field"]) == (1, 0)
        table.go_to("sell", seat=2)
        table.play("sell", brewery=1, good="hops")
        table.go_to("sell", round=2)
        assert table.described["turn_order"] == [1, 0, 2]

    def test_f18_magistrate_built_now_works_from_the_next_sale(self):
        table = Table()
        table.arrange(0, hand=["magistrate"], coins=9)
        sell(table, 0, hops=1, barley=1, water=1)
        table.play("build", card="magistrate", space=0)
        assert table.player(0)["order_field"] == 3


class TestBuilding:
    def test_f21_crane_takes_2_off_palaces_too(self):
        table = Table()
        table.arrange(0, spaces={0: "crane"}, hand=["palace_1", "office"], coins=10)
        table.go_to("build")
        before = table.player(0)["coins"]
        table.play("build", card="palace_1", space=1)
        assert before - table.player(0)["coins"] == 8 - 2

    def test_f21_cost_is_never_below_0(self):
        table = Table(variant="advanced")
        table.go_to("sell", seat=0)
        table.arrange(0, spaces={0: "crane"}, hand=["scavenger", "office"], coins=0)
        table.play("end_sale")
        assert table.cards("build") == ["scavenger"]
        table.play("build", card="scavenger", space=1)
        assert table.player(0)["coins"] == 0

    def test_f22_second_palace_pays_the_risen_price(self):
        table = Table()
        table.state.palaces_at_price = 1
        table.arrange(0, hand=["palace_1", "palace_2"], coins=30)
        table.go_to("build")
        coins = table.player(0)["coins"]
        table.play("build", card="palace_1", space=0)
        table.play("build", card="palace_2", space=1)
        assert coins - table.player(0)["coins"] == 8 + 10

    @pytest.mark.parametrize("num_players", [2, 3, 4, 5])
    def test_f23_the_price_cards_last_for_all_palaces(self, num_players):
        table = Table(num_players)
        table.go_to("build")
        prices = []
        for seat, number in itertools.product(range(num_players), range(1, 7)):
            table.state.current_player = table.state.turn = seat
            table.state.built = 0
            table.arrange(seat, hand=[f"palace_{number}", "office", "market"], coins=100)
            prices.append(table.described["palace_price"])
            table.play("build", card=f"palace_{number}", space=number - 1)
        assert prices == [price for price in (8, 10, 12, 14, 16, 18) for _ in range(num_players)]
        assert (table.described["palace_price"], table.described["palaces_at_price"]) == (18, num_players)

    def test_f24_a_card_built_this_turn_may_be_covered(self):
        table = Table()
        table.arrange(0, hand=["office", "market"], coins=20)
        table.go_to("build")
        table.play("build", card="office", space=2)
        table.play("build", card="market", space=2)
        assert table.player(0)["spaces"][2] == "market"
        assert table.player(0)["removed"] == ["office"]

    def test_f27_what_was_built_after_its_phase_counts_from_the_next_round(self):
        table = Table()
        table.arrange(0, hand=["field_hops_2", "bank_1"], coins=20)
        table.play("end_sale")
        table.play("build", card="field_hops_2", space=0)
        table.play("build", card="bank_1", space=1)
        assert (table.current, table.player(0)["income"]) == (1, 0)
        table.go_to("sell", seat=0, round=2)
        assert table.player(0)["goods"]["hops"] == 1 + 2
        table.play("end_sale")
        assert table.player(0)["income"] == 3

    def test_f27_a_laboratory_built_now_draws_from_the_next_round(self):
        table = Table()
        table.arrange(0, hand=["laboratory_2", "office"], coins=20)
        table.play("end_sale")
        table.play("build", card="laboratory_2", space=0)
        table.go_to("draw")
        assert (table.current, table.described["round"]) == (0, 2)

    def test_f30_advanced_palaces_have_their_own_spaces(self):
        table = Table(variant="advanced")
        table.go_to("sell", seat=0)
        hand = [f"palace_{number}" for number in range(1, 7)]
        table.arrange(0, hand=[*hand, "office"], coins=200)
        table.play("end_sale")
        spaces = {(action["card"], action["space"]) for action in table.legal("build")}
        own = {(f"palace_{number}", number - 1) for number in range(1, 7)}
        assert spaces == own | {("office", space) for space in range(6)}

    def test_f30_other_buildings_go_anywhere_but_on_palaces(self):
        table = Table(variant="advanced")
        table.go_to("sell", seat=0)
        table.arrange(0, spaces={0: "palace_1", 4: "palace_5"}, hand=["office", "palace_5"][:1], coins=200)
        table.play("end_sale")
        assert {action["space"] for action in table.legal("build")} == {1, 2, 3, 5}

    def test_basic_palaces_go_on_any_space_but_never_on_a_palace(self):
        table = Table()
        table.arrange(0, spaces={0: "palace_6", 1: "office"}, hand=["palace_1", "market"], coins=200)
        table.go_to("build")
        assert {action["space"] for action in table.legal("build")} == {1, 2, 3, 4, 5}

    def test_f33_coins_and_goods_do_not_run_out(self):
        """There are 60 coins and 25 goods of a kind in the box; more of them are simply owed."""
        table = Table()
        table.arrange(0, spaces={0: "warehouse"}, coins=500, goods={"hops": 60, "barley": 0, "water": 0})
        table.play("end_sale")
        assert table.player(0)["coins"] == 500
        assert table.player(0)["goods"]["hops"] == 60


class TestGoodsAtTheEndOfATurn:
    def test_f15_warehouse_keeps_three_of_any_mix_old_and_new(self):
        table = Table()
        table.arrange(0, spaces={0: "warehouse"}, hand=[], goods={"hops": 2, "barley": 2, "water": 2})
        table.play("end_sale")
        assert table.types() == {"store", "end_storing"}
        for good in ("hops", "barley", "water"):
            table.play("store", good=good)
        table.go_to("sell", seat=0, round=2)
        assert table.player(0)["goods"] == {"hops": 1 + 1, "barley": 1 + 1, "water": 1 + 1}

    def test_f15_stored_goods_may_be_given_up_for_new_ones(self):
        table = Table()
        table.arrange(0, spaces={0: "warehouse"}, goods={"hops": 1, "barley": 0, "water": 2})
        table.play("end_sale")
        table.play("store", good="water")
        table.play("end_storing")
        assert table.player(0)["goods"] == {"hops": 0, "barley": 0, "water": 1}

    def test_f15_a_warehouse_built_this_round_works_at_once(self):
        table = Table()
        table.arrange(0, hand=["warehouse"], coins=9)
        table.play("end_sale")
        table.play("build", card="warehouse", space=0)
        assert table.types() == {"store", "end_storing"}

    def test_f16_a_covered_warehouse_keeps_nothing(self):
        table = Table()
        table.arrange(0, spaces={0: "warehouse"}, hand=["office", "market"], coins=9)
        table.play("end_sale")
        table.play("build", card="office", space=0)
        table.play("end_building")
        assert table.player(0)["goods"] == {"hops": 0, "barley": 0, "water": 0}
        assert table.current == 1, "one card is left in hand: nothing to discard"

    def test_f17_goods_of_a_covered_field_may_still_be_stored(self):
        table = Table()
        table.arrange(0, spaces={0: "warehouse"}, hand=["office", "market"], coins=20)
        table.play("end_sale")
        table.play("build", card="office", space=3)
        table.play("build", card="market", space=4)
        assert table.player(0)["goods"] == {"hops": 1, "barley": 1, "water": 1}
        table.play("store", good="hops")
        table.play("store", good="barley")
        table.play("end_storing")
        assert table.player(0)["goods"] == {"hops": 1, "barley": 1, "water": 0}

    def test_goods_without_a_warehouse_are_lost(self):
        table = Table()
        table.play("end_sale")
        table.play("end_building")
        assert table.phase == "discard"
        assert table.player(0)["goods"] == {"hops": 0, "barley": 0, "water": 0}


class TestDiscarding:
    @pytest.mark.parametrize(
        ("halls", "limit"),
        [([], 1), (["town_hall_1"], 2), (["town_hall_2"], 3), (["town_hall_1", "town_hall_2"], 4)],
    )
    def test_f25_hand_limit_with_town_halls(self, halls, limit):
        table = Table()
        hand = ["office", "market", "crane", "bank_1", "bank_2", "warehouse"]
        table.arrange(0, spaces=dict(enumerate(halls)), hand=hand)
        table.play("end_sale")
        table.play("end_building")
        while "end_discarding" not in table.types() and table.current == 0:
            table.play("discard", card=table.cards("discard")[0])
        assert len(table.player(0)["hand"]) == limit

    def test_f25_more_may_be_discarded_but_one_card_is_kept(self):
        """Ruling beside: at least one card is kept, the places of the town halls are optional."""
        table = Table()
        table.arrange(0, spaces={0: "town_hall_2"}, hand=["office", "market", "crane"])
        table.play("end_sale")
        table.play("end_building")
        assert "end_discarding" in table.types()
        table.play("discard", card="market")
        assert "end_discarding" in table.types()
        table.play("discard", card="office")
        assert table.current == 1
        assert table.player(0)["hand"] == ["crane"]

    def test_f26_a_town_hall_built_now_counts_a_covered_one_does_not(self):
        table = Table()
        table.arrange(0, spaces={0: "town_hall_1"}, hand=["town_hall_2", "office", "market", "crane"], coins=20)
        table.play("end_sale")
        table.play("build", card="town_hall_2", space=0)
        table.play("end_building")
        assert "end_discarding" in table.types(), "three cards in hand, three may be kept"

    def test_f26_a_scavenger_built_now_counts_a_covered_one_does_not(self):
        table = Table(variant="advanced")
        table.go_to("sell", seat=0)
        table.arrange(0, hand=["scavenger", "office", "market", "crane"], coins=20)
        table.play("end_sale")
        table.play("build", card="scavenger", space=0)
        other = table.position.copy()
        table.play("end_building")
        assert "scavenge" in table.types()
        covered = Table(variant="advanced")
        covered.position.states[:] = other.states
        covered.play("build", card="office", space=0)
        assert "scavenge" not in covered.types()

    def test_f28_discards_lie_under_the_deck_in_the_order_chosen(self):
        table = Table()
        table.arrange(0, hand=["office", "market", "crane"], known=["bank_1"])
        table.play("end_sale")
        table.play("end_building")
        table.play("discard", card="crane")
        table.play("discard", card="office")
        player = table.player(0)
        assert player["deck"][-3:] == ["bank_1", "crane", "office"]
        assert player["deck_known_from"] == len(player["deck"]) - 3

    def test_f29_a_palace_may_not_be_scavenged(self):
        """Ruling beside: masked by default, an engine rule; the option allows it."""
        for allowed in (False, True):
            table = Table(variant="advanced", scavenge_palaces=allowed)
            table.go_to("sell", seat=0)
            table.arrange(0, spaces={0: "scavenger"}, hand=["palace_2", "palace_3", "office"])
            table.play("end_sale")
            table.play("end_building")
            assert table.cards("scavenge") == (["office", "palace_2", "palace_3"] if allowed else ["office"])

    def test_a_scavenged_card_is_shown_and_out_of_play(self):
        """Ruling beside: a scavenged card is shown when it leaves."""
        table = Table(variant="advanced")
        table.go_to("sell", seat=0)
        table.arrange(0, spaces={0: "scavenger"}, hand=["field_hops_2", "field_hops_2", "office", "market", "crane"])
        table.play("end_sale")
        table.play("end_building")
        table.play("scavenge", card="field_hops_2")
        assert table.position.describe(1)["scavenged"] == ["field_hops_2"]
        assert table.position.describe(1)["players"][0]["removed"] == ["field_hops_2"]
        assert "field_hops_2" in table.cards("scavenge"), "the second card is not before the first, so may be its twin"
        table.play("scavenge", card="office")
        assert table.legal("scavenge") == []
        assert table.player(0)["removed"] == ["field_hops_2", "office"]

    def test_scavenging_in_card_order_and_before_the_first_discard(self):
        table = Table(variant="advanced")
        table.go_to("sell", seat=0)
        table.arrange(0, spaces={0: "scavenger"}, hand=["bank_1", "office", "market", "crane", "field_hops_2"])
        table.play("end_sale")
        table.play("end_building")
        table.play("scavenge", card="office")
        assert table.cards("scavenge") == ["market", "crane"]
        table.play("discard", card="crane")
        assert table.legal("scavenge") == []


class TestTheEnd:
    @staticmethod
    def about_to_finish(*seats: int, num_players: int = 3, **options) -> Table:
        """A table at which each of `seats` can build their sixth palace in this round."""
        table = Table(num_players, **options)
        for seat in seats:
            estate = {space: f"palace_{space + 1}" for space in range(5)}
            table.arrange(
                seat, spaces=estate, hand=["palace_6", "office"], coins=100 + seat, goods=dict.fromkeys(GOODS, 0)
            )
        return table

    def test_the_round_is_finished_then_the_game_ends(self):
        table = self.about_to_finish(0)
        table.go_to("build", seat=0)
        table.play("build", card="palace_6", space=5)
        while table.current is not None:
            assert table.described["round"] == 1
            table.decline()
        described = table.described
        assert (described["terminated"], described["truncated"], described["phase"]) == (True, False, "over")
        assert (described["winners"], described["returns"]) == ([0], [1.0, -0.5, -0.5])
        assert (described["round"], described["turn_order"]) == (1, [0, 1, 2])
        prices = [price for brewery in described["breweries"] for price in brewery["price"].values()]
        assert min(prices) > 1, "phase 6 of the last round is carried out"

    def test_of_several_finished_most_coins_win(self):
        table = self.about_to_finish(0, 2)
        for seat in (0, 2):
            table.go_to("build", seat=seat)
            table.play("build", card="palace_6", space=5)
        while table.current is not None:
            table.decline()
        assert table.described["winners"] == [2]

    def test_f32_equal_coins_share_the_win(self):
        table = self.about_to_finish(0, 1)
        for seat in (0, 1):
            table.go_to("build", seat=seat)
            table.arrange(seat, spaces={5: "printed_water"}, hand=["palace_6", "office"], coins=100)
            table.play("build", card="palace_6", space=5)
        while table.current is not None:
            table.decline()
        assert table.described["winners"] == [0, 1]
        assert table.described["returns"] == [0.25, 0.25, -0.5]

    def test_f35_round_limit_truncates_and_pays_palaces_then_coins(self):
        table = Table(3, max_rounds=2)
        table.arrange(0, spaces={0: "palace_1"}, coins=1)
        table.arrange(1, spaces={0: "palace_1"}, coins=4)
        table.arrange(2, coins=50)
        while table.current is not None:
            table.decline()
        described = table.described
        assert (described["terminated"], described["truncated"], described["phase"]) == (False, True, "over")
        assert (described["round"], described["winners"]) == (2, [1])

    def test_f35_finishing_in_the_last_round_terminates(self):
        table = self.about_to_finish(1, max_rounds=1)
        table.go_to("build", seat=1)
        table.play("build", card="palace_6", space=5)
        while table.current is not None:
            table.decline()
        assert (table.described["terminated"], table.described["truncated"]) == (True, False)

    def test_rank_and_score_pay_by_palaces_then_coins(self):
        expected = {"rank": [0.0, 1.0, -1.0], "score": [(14 - 33.5) / 78, (17 - 32) / 78, (50 - 15.5) / 78]}
        for reward, returns in expected.items():
            table = Table(3, max_rounds=1, reward=reward)
            table.arrange(0, spaces={0: "palace_1"}, coins=1)
            table.arrange(1, spaces={0: "palace_1"}, coins=4)
            table.arrange(2, coins=50)
            while table.current is not None:
                table.decline()
            assert table.described["returns"] == pytest.approx(returns)
            assert table.described["winners"] == [1]


def test_f34_open_and_hidden_information():
    """Money, estates, goods, prices, markers, covered cards and sizes are open; hands and decks are not."""
    table = Table(variant="advanced")
    table.go_to("discard", seat=0)
    mine, theirs = table.position.describe(1)["players"][1], table.position.describe(1)["players"][0]
    everything = table.player(0)
    for key in everything:
        if key not in ("hand", "deck", "kept"):
            assert theirs[key] == everything[key]
    assert theirs["hand"] == [None] * len(everything["hand"])
    assert theirs["deck"] == [None] * len(everything["deck"])
    assert mine["hand"] == table.player(1)["hand"]
    assert mine["deck"] == [None] * 15 + table.player(1)["deck"][15:]
