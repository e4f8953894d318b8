"""What the rulebook says in so many words, section by section; the test's name says the sentence."""

from collections import Counter

import pytest

from envs.pfeffersaecke import GAME
from envs.pfeffersaecke.board import BOX, CITY_IDS, PLACE_NUMBER, TOWN_IDS
from envs.position import Position
from tests.pfeffersaecke.table import Table, open_places
from tests.pfeffersaecke.test_rulings import settled

PLAYERS = range(2, 7)
each_number = pytest.mark.parametrize("n", PLAYERS)


class TestSetUp:
    @each_number
    def test_everyone_gets_the_coins_of_the_table_two_privileges_and_45_houses_of_which_one_marks_the_score(self, n):
        for player in Table(n).described["players"]:
            assert player["coins"] == {2: 15, 3: 20, 4: 25, 5: 30, 6: 35}[n]
            assert (player["privileges"], player["supply"], player["points"]) == (2, 44, 0)
            assert player["tokens_placed"] == player["cities_won"] == []

    @each_number
    def test_high_tokens_are_dealt_evenly_first_and_the_rest_is_mixed_into_the_low_ones(self, n):
        each = {2: 9, 3: 8, 4: 6, 5: 5, 6: 4}[n]
        at_least = {2: 3, 3: 2, 4: 2, 5: 1, 6: 1}[n]
        most = 0
        for seed in range(100):
            hands = [player["tokens"] for player in Position(GAME, {"num_players": n}, seed).describe()["players"]]
            high = [sum(value >= 5 for value in hand) for hand in hands]
            assert {len(hand) for hand in hands} == {each}
            assert min(high) >= at_least
            most = max(most, *high)
        left_over = {2: 1, 3: 2, 4: 0, 5: 3, 6: 2}[n]
        assert at_least + min(left_over, 1) <= most <= at_least + left_over

    @each_number
    def test_25_tokens_in_hands_on_the_board_and_under_the_closed_cities(self, n):
        described = Table(n).described
        values = [value for player in described["players"] for value in player["tokens"]]
        values += [city["value"] for city in described["cities"].values() if city["token"] != "none"]
        assert Counter(values) == {2: 7, 3: 5, 4: 5, 5: 3, 6: 2, 7: 2, 8: 1}

    def test_two_players_play_without_the_seven_cities_and_the_two_towns(self):
        described = Table(2).described
        closed = {id for id, city in described["cities"].items() if city["token"] == "closed"}
        assert closed == {"erfurt", "leipzig", "wittenberg", "regensburg", "muenchen", "linz", "wien"}
        assert {id for id, town in described["towns"].items() if town["closed"]} == {"landshut", "hof"}
        assert len(open_places(2)) == 18 + 18

    @each_number
    def test_the_counter_starts_at_20_with_two_players_at_18_and_goes_down_with_every_founding(self, n):
        table = Table(n)
        start = 18 if n == 2 else 20
        assert table.described["free_towns"] == start
        for founded in range(1, n + 1):
            town = table.places("found")[0]
            seat = table.current
            table.play("found", town=town)
            assert table.described["free_towns"] == start - founded
            assert table.town(town)["owner"] == seat
        assert (table.described["round"], table.phase, table.current) == (1, "place_token", 0)


class TestPlacingTokens:
    def test_a_token_goes_to_a_city_of_its_number_and_a_city_gets_one_in_the_whole_game(self):
        table = Table(2, "koblenz", "celle")
        table.take_away("koeln")
        offered = {table.city(city)["value"] for city in table.places("place_token")}
        assert offered <= set(table.player(0)["tokens"])
        assert "koeln" not in table.places("place_token"), "its token has come and gone"
        laid = table.places("place_token")[0]
        table.play("place_token", city=laid)
        table.turn_of(0)
        assert laid not in table.places("place_token")


class TestExpanding:
    def test_only_where_there_is_an_own_branch_and_a_free_space_whether_the_token_lies_or_not(self):
        table = Table(2)
        table.lay("koeln", "trier", "frankfurt")
        table.take_away("ulm")
        table.branch(0, "koeln", "trier", "trier", "ulm")
        table.branch(1, "frankfurt")
        table.turn_of(0, "expand", round=1)
        assert table.places("expand") == ["koeln", "ulm"]

    @each_number
    def test_there_is_nothing_to_expand_in_the_first_round(self, n):
        table = Table(n, *[town for town in TOWN_IDS if town in open_places(n)][:n])
        while table.described["round"] == 1 and table.current is not None:
            assert table.phase != "expand"
            table.decline()


class TestIncome:
    @each_number
    def test_players_less_one_coins_for_every_free_space(self, n):
        table = Table(n)
        table.lay("nuernberg")
        table.branch(0, "nuernberg", "nuernberg")
        table.turn_of(0, "expand", round=1)
        coins = table.coins()
        table.play("end_expanding")
        assert table.coins() == coins + 5 * (n - 1) + 2 * (n - 1)

    @each_number
    def test_base_income_whatever_the_branches_bring(self, n):
        table = Table(n, *[town for town in TOWN_IDS if town in open_places(n)][:n])
        coins = table.coins()
        table.place_any_token()
        assert table.coins() == coins + {2: 2, 3: 4, 4: 6, 5: 8, 6: 10}[n]

    def test_no_income_without_a_branch_after_expanding_or_when_the_token_is_gone(self):
        table = Table(2)
        table.lay("koeln", "nuernberg", "frankfurt", "ulm")
        table.take_away("augsburg")
        table.branch(0, "nuernberg", "frankfurt", "augsburg")
        table.branch(1, "koeln")
        table.turn_of(0, "expand", round=1)
        table.play("expand", city="nuernberg")
        table.decline("open")
        assert table.coins() == 15 + 3 + 2, "the 3 free spaces of Frankfurt alone"


class TestOpening:
    def test_the_price_goes_to_the_bank_and_must_be_paid_in_full(self):
        for coins, possible in ((3, True), (2, False)):
            table = Table(3, "halle", "loewen", "soest")
            table.lay("leipzig", "erfurt")
            table.give(0, coins=coins)
            table.turn_of(0, "open", round=1)
            assert ("leipzig" in table.places("open")) is possible
        table.give(0, coins=3)
        table.play("open", place="leipzig")
        assert [player["coins"] for player in table.described["players"]] == [0, 20, 20]

    def test_a_town_holds_one_branch_brings_a_point_at_once_and_moves_the_counter(self):
        table = Table(3, "loewen", "soest", "goettingen")
        table.turn_of(0, "open")
        assert table.places("open") == ["aachen"]
        table.play("open", place="aachen")
        assert table.points(0) == 2
        assert table.town("aachen")["owner"] == 0
        assert table.described["free_towns"] == 16
        table.branch(1, "koeln")
        table.give(1, coins=100)
        table.turn_of(1, "open")
        assert "aachen" not in table.places("open")

    def test_a_city_takes_branches_while_it_has_a_free_space_but_none_of_whoever_is_there(self):
        table = Table(2)
        table.lay("koeln", "trier")
        table.branch(0, "aachen", "koeln")
        table.branch(1, "trier", "trier")
        table.give(0, coins=100)
        table.turn_of(0, "open")
        assert not {"koeln", "trier"} & set(table.places("open"))
        table.branch(1, "koblenz")
        table.give(1, coins=100)
        table.turn_of(1, "open")
        assert "koeln" in table.places("open")

    def test_the_new_branch_waits_in_the_middle_until_the_turn_is_settled(self):
        table = Table(3, "halle", "loewen", "soest")
        table.lay("leipzig", "magdeburg")
        table.give(0, coins=50)
        table.turn_of(0, "open")
        table.play("open", place="leipzig")
        assert (table.city("leipzig")["middle"], table.city("leipzig")["ring"]) == ([0], [])
        table.play("pass")
        assert (table.city("leipzig")["middle"], table.city("leipzig")["ring"]) == ([], [0])

    def test_one_branch_a_turn(self):
        table = Table(3, "halle", "loewen", "soest")
        table.lay("leipzig", "magdeburg")
        table.give(0, coins=50, privileges=0)
        table.turn_of(0, "open")
        table.play("open", place="leipzig")
        assert table.current == 1


class TestSettling:
    def test_branches_stand_on_the_ring_in_the_order_in_which_they_came(self):
        table = settled(3, "koeln", [2, 1, 0, 1])
        assert table.city("koeln")["ring"] == [2, 1, 0, 1, 0]

    def test_a_majority_of_four_of_seven_or_three_of_four_brings_the_value_and_the_token_leaves(self):
        for city, ring, points in (("nuernberg", [1, 0, 0, 1, 0], 7), ("frankfurt", [0, 1, 0], 4)):
            table = settled(2, city, ring)
            assert table.points(0) == points
            assert table.city(city)["token"] == "removed"
            assert table.city(city)["ring"] == [*ring, 0], "the branches stay"

    def test_the_last_space_without_a_majority_brings_half_to_whoever_has_most(self):
        table = settled(3, "nuernberg", [1, 1, 1, 2, 2, 0])
        assert [table.points(seat) for seat in range(3)] == [0, 3, 0]
        assert table.city("nuernberg")["token"] == "removed"

    def test_of_several_with_most_whoever_opened_first_gets_it(self):
        table = settled(3, "nuernberg", [2, 1, 1, 2, 2, 1])
        assert [table.points(seat) for seat in range(3)] == [0, 0, 3], "3 and 3, seat 2 was there first"

    def test_without_a_majority_and_with_a_free_space_nothing_is_scored(self):
        table = settled(3, "nuernberg", [1, 1, 2, 2, 0])
        assert [table.points(seat) for seat in range(3)] == [0, 0, 0]
        assert table.city("nuernberg")["token"] == "placed"

    def test_only_cities_with_a_waiting_branch_are_checked(self):
        table = Table(2, "koblenz", "celle")
        table.lay("trier", "koeln")
        table.branch(0, "trier", "trier", "koeln")  # a majority that never waited in the middle
        table.turn_of(0, "expand", round=1)
        table.play("expand", city="koeln")
        table.decline("place_token", 1)
        assert table.points(0) == 1
        assert table.city("trier")["token"] == "placed"

    def test_free_spaces_can_be_used_on_after_the_token_has_left(self):
        table = settled(2, "koeln", [0, 0, 0, 0])
        assert (table.points(0), table.city("koeln")["token"]) == (8, "removed")
        table.turn_of(0, "expand", round=1)
        assert "koeln" in table.places("expand")


class TestPrivileges:
    def test_double_income_brings_at_least_48(self):
        table = Table(2, "koblenz", "celle")
        table.turn_of(0, "expand")
        table.play("double_income")
        assert table.coins() == 15 + 48

    def test_double_income_of_20_is_48_and_of_30_is_60(self):
        for cities, single, double in (
            (("koeln", "nuernberg", "augsburg"), 20, 48),
            (("koeln", "nuernberg", "augsburg", "antwerpen", "hamburg", "trier"), 30, 60),
        ):
            for action, income in (("end_expanding", single), ("double_income", double)):
                table = Table(2)
                table.lay(*cities)
                table.branch(0, *cities)
                table.turn_of(0, "expand")
                table.play(action)
                assert table.coins() == 15 + income

    def test_a_used_privilege_is_out_of_the_game(self):
        table = Table(3, "halle", "loewen", "soest")
        table.lay_all(0, keep=1)
        for left in (1, 0):
            table.turn_of(0, "expand")
            table.play("double_income")
            assert table.player(0)["privileges"] == left
        table.turn_of(0, "expand")
        assert "double_income" not in table.types()

    def test_the_second_branch_may_lie_beyond_the_first(self):
        table = Table(3, "loewen", "halle", "soest")
        table.lay("trier")
        table.turn_of(0, "open")
        assert table.places("open") == ["aachen"]
        table.play("open", place="aachen")
        assert table.places("open") == ["trier"]
        table.play("open", place="trier")
        assert (table.coins(), table.player(0)["privileges"]) == (20 - 4 - 8, 1)

    def test_a_second_branch_that_cannot_be_paid_is_not_offered(self):
        table = Table(3, "loewen", "halle", "soest")
        table.lay("trier")
        table.give(0, coins=11)
        table.turn_of(0, "open")
        table.play("open", place="aachen")
        assert table.current == 1, "8 for Trier were not there"


class TestTheEnd:
    def table(self, n: int = 2) -> Table:
        """No end is near."""
        table = Table(n, *["koblenz", "celle", "soest"][:n])
        for seat in range(n):
            table.give(seat, coins=0)
        return table

    def test_a_no_free_town(self):
        table = self.table()
        left = "stendal"
        table.branch(1, *[id for id in open_places(2) if id in TOWN_IDS and id not in (left, "koblenz", "celle")])
        table.branch(0, "lueneburg")
        table.give(0, coins=10)
        table.turn_of(0, "open")
        table.play("open", place=left)
        assert table.described["terminated"]
        assert table.described["turns_without_opening"] == 0
        assert any(player["tokens"] for player in table.described["players"])

    def test_b_all_tokens_have_left(self):
        table = self.table()
        table.lay("trier")
        table.branch(0, "trier")
        for city in [id for id in CITY_IDS if id in open_places(2) and id != "trier"]:
            table.take_away(city)
        table.give(0, coins=20)
        table.turn_of(0, "expand")
        table.play("expand", city="trier")
        table.play("open", place=table.places("open")[0])
        table.decline()
        assert table.described["terminated"]
        assert table.described["turns_without_opening"] == 0
        assert table.described["free_towns"] > 0
        assert table.player(0)["cities_won"] == ["trier"]

    def test_c_nobody_opens_for_as_many_turns_as_there_are_players(self):
        table = self.table(3)
        table.lay("koeln")
        table.turn_of(2, "open", round=4, without_opening=2)
        table.play("pass")
        assert table.described["terminated"]
        assert table.described["free_towns"] > 0

    def test_founding_is_no_opening_and_the_first_round_may_end_the_game(self):
        table = Table(2, "koblenz", "celle")
        for seat in range(2):
            table.give(seat, coins=0)
        table.place_any_token()
        assert not table.described["terminated"]
        table.place_any_token()
        assert table.described["terminated"]
        assert table.described["round"] == 1

    def test_two_points_a_region_and_one_for_every_full_20_coins(self):
        table = self.table()
        table.branch(0, "loewen", "deventer")  # Rheinland, Flandern, Holland
        table.give(0, coins=59, points=7)
        table.give(1, coins=40, points=3)
        table.take_all_away()
        table.turn_of(0, "open")
        table.play("pass")
        assert [player["final_points"] for player in table.described["players"]] == [7 + 6 + 2, 3 + 2 + 2]
        assert [player["points"] for player in table.described["players"]] == [7, 3]
        assert table.described["winners"] == [0]
        assert table.described["returns"] == [1.0, -1.0]


@each_number
def test_no_city_is_named_twice_and_every_place_lies_in_a_region(n):
    described = Table(n).described
    places = {**described["cities"], **described["towns"]}
    assert set(places) == set(PLACE_NUMBER)
    assert {place["region"] for place in places.values()} == set(BOX.regions)
