"""The rulings of the game's README one by one: `test_p07_…` shows ruling P7."""

import re

import pytest

from envs.pfeffersaecke.board import BOX, PLACE_NUMBER, TOWN_IDS
from envs.position import Position
from tests.pfeffersaecke.table import CITY_IDS, Table, open_places

CITY_OF_VALUE = {2: "trier", 3: "ulm", 4: "frankfurt", 5: "strassburg", 6: "augsburg", 7: "nuernberg", 8: "koeln"}
MAJORITY = {2: 2, 3: 2, 4: 3, 5: 3, 6: 4, 7: 4, 8: 5}


def settled(num_players: int, city: str, ring: list[int], twice: bool = False, **options: str) -> Table:
    """Seat 0 expands in a city with that ring, or opens its first branch there, and its turn ends."""
    table = Table(num_players, **options)
    table.lay(city)
    for seat in ring:
        table.branch(seat, city)
    for seat in range(num_players):
        table.give(seat, coins=0)
    table.branch(0, "amsterdam")  # a second city, so that the turn does not end before we look
    table.take_away("amsterdam")
    if ring.count(0):
        table.turn_of(0, "expand")
        table.play("expand_twice" if twice else "expand", city=city)
    else:
        table.branch(0, "heilbronn")
        table.give(0, coins=20)
        table.turn_of(0, "open")
        table.play("open", place=city)
    while table.current == 0:
        table.decline()
    return table


def test_p01_one_token_is_placed_a_turn_while_there_is_one_in_hand_and_the_choice_is_free():
    table = Table(3, "halle", "loewen", "soest")
    hand = table.player(0)["tokens"]
    free = [id for id, city in table.described["cities"].items() if city["token"] == "none" and city["value"] in hand]
    assert table.legal() == [{"type": "place_token", "city": city} for city in free]
    table.play("place_token", city=free[-1])
    value = table.city(free[-1])["value"]
    hand.remove(value)
    assert table.player(0)["tokens"] == hand
    assert table.player(0)["tokens_placed"] == [value]
    assert table.city(free[-1])["token"] == "placed"
    assert table.phase != "place_token" or table.current != 0


def test_p01_placing_is_asked_even_where_only_one_city_fits_and_skipped_with_an_empty_hand():
    table = Table(2, "celle", "koblenz")
    table.lay_all(1)
    table.lay_all(0, keep=1)
    assert len(table.legal()) == 1
    assert table.types() == {"place_token"}
    table.place_any_token()
    table.turn_of(1, "open")
    table.play("pass")
    assert (table.current, table.phase) == (0, "expand"), "an empty hand is skipped"


@pytest.mark.parametrize(
    ("num_players", "token"), [(2, "closed"), (3, "placed"), (4, "placed"), (5, "none"), (6, "placed")]
)
def test_p02_wittenberg_has_its_open_token_with_3_4_and_6_players(num_players, token):
    table = Table(num_players)
    assert table.city("wittenberg")["token"] == token
    others = {city["token"] for id, city in table.described["cities"].items() if id != "wittenberg"}
    assert others == ({"none", "closed"} if num_players == 2 else {"none"})


def test_p03_one_branch_a_city_and_turn_in_any_number_of_cities_with_a_free_space():
    table = Table(2)
    table.lay("koeln", "trier", "frankfurt", "muenster")
    table.branch(0, "koeln", "koeln", "frankfurt", "trier", "muenster")
    table.branch(1, "muenster")  # full
    table.turn_of(0, "expand", round=1)
    assert table.places("expand") == ["koeln", "trier", "frankfurt"]
    coins, supply = table.coins(), table.player(0)["supply"]
    table.play("expand", city="koeln")
    assert table.places("expand") == ["trier", "frankfurt"]
    assert table.city("koeln")["middle"] == [0]
    table.play("expand", city="trier")
    assert table.places("expand") == ["frankfurt"]
    assert (table.coins(), table.player(0)["supply"]) == (coins, supply - 2), "free of charge, from the supply"


def test_p03_cities_are_expanded_in_their_order():
    table = Table(2)
    table.lay("koeln", "trier", "frankfurt")
    table.branch(0, "koeln", "trier", "frankfurt")
    table.turn_of(0, "expand")
    table.play("expand", city="trier")
    assert table.places("expand") == ["frankfurt"]
    assert table.places("expand_twice") == ["frankfurt"]
    table.play("expand", city="frankfurt")
    assert table.phase == "open", "only the end was left"


def test_p04_a_city_is_expanded_in_or_gives_income():
    for expanded, income in (("koeln", 3), ("frankfurt", 7)):
        table = Table(2)
        table.lay("koeln", "frankfurt")
        table.branch(0, "koeln", "frankfurt")
        table.turn_of(0, "expand", round=1)
        table.play("expand", city=expanded)
        table.decline("open")
        assert table.coins() == 15 + income + 2


def test_p05_income_counts_the_spaces_that_hold_no_branch():
    table = Table(3)
    table.lay("koeln")
    table.branch(0, "koeln", "koeln")
    table.branch(1, "koeln")
    table.branch(2, "koeln", "koeln")
    table.turn_of(0, "expand")
    table.decline("open")
    assert table.coins() == 20 + 2 * 3 + 4, "how many branches are one's own does not matter"


def test_p06_income_is_collected_without_being_asked_for():
    table = Table(2, "koblenz", "celle")
    table.lay("trier", "muenster")
    table.branch(0, "trier")
    table.branch(1, "trier")  # full: there is nothing to decide
    table.branch(0, "muenster")
    table.give(0, supply=0)
    table.turn_of(0, round=1)
    table.place_any_token()
    assert table.coins() == 15 + 1 + 2
    assert table.types() == {"place_token"}, "nothing to expand, no house to open with: the next player's turn"


def test_p07_the_base_income_is_paid_in_the_first_round():
    table = Table(5, "halle", "loewen", "soest", "celle", "hof")
    table.place_any_token()
    assert table.described["round"] == 1
    assert table.coins() == 30 + 8


def test_p08_a_branch_is_opened_next_to_an_own_one_and_not_beyond_other_places():
    table = Table(3, "halle", "loewen", "soest")
    table.give(0, coins=100)
    table.lay("leipzig", "erfurt", "magdeburg", "regensburg")
    table.turn_of(0, "open", round=1)
    assert table.places("open") == ["magdeburg", "leipzig", "erfurt"]
    table.turn_of(0, "open", round=2)
    table.play("open", place="leipzig")
    assert "regensburg" in table.places("open"), "next to the branch opened in this turn"


def test_p09_the_cheapest_route_is_paid():
    table = Table(2, "koblenz", "celle")
    table.lay("koeln")
    table.branch(0, "soest", "aachen")
    table.give(0, coins=40)
    table.turn_of(0, "open")
    table.play("open", place="koeln")
    assert table.coins() == 40 - 9, "9 from Aachen, not 11 from Koblenz or 15 from Soest"


def test_p10_a_route_costs_the_same_both_ways():
    for start, target in (("aachen", "koeln"), ("koeln", "aachen")):
        table = Table(2)
        table.lay("koeln")
        table.branch(0, start)
        table.give(0, coins=40)
        table.turn_of(0, "open")
        table.play("open", place=target)
        assert table.coins() == 31


def test_p11_a_city_whose_token_is_gone_can_be_entered_while_it_has_room_and_scores_no_more():
    table = Table(2)
    table.branch(0, "aachen")
    table.take_away("koeln", "trier")
    table.branch(1, "trier", "trier", "koeln", "koeln", "koeln", "koeln", "koeln")
    table.branch(0, "koblenz")
    table.give(0, coins=40)
    table.turn_of(0, "open")
    assert "koeln" in table.places("open")
    assert "trier" not in table.places("open")
    table.play("open", place="koeln")
    table.decline()
    assert table.city("koeln")["ring"] == [1, 1, 1, 1, 1, 0]
    assert (table.points(0), table.points(1)) == (0, 0)


def test_p12_a_city_without_its_token_cannot_be_entered():
    table = Table(2)
    table.branch(0, "aachen")
    table.give(0, coins=40)
    table.turn_of(0, "open")
    assert table.places("open") == ["loewen"]
    table.lay("koeln")
    assert table.places("open") == ["koeln", "loewen"]


def test_p13_the_privilege_puts_two_branches_into_one_city_that_has_two_free_spaces():
    table = Table(2)
    table.lay("koeln", "trier", "frankfurt", "ulm")
    table.branch(0, "koeln", "trier", "frankfurt", "ulm")
    table.turn_of(0, "expand")
    assert table.places("expand_twice") == ["koeln", "frankfurt", "ulm"], "Trier has one space left"
    table.play("expand", city="koeln")
    table.play("expand_twice", city="frankfurt")
    assert table.city("frankfurt")["middle"] == [0, 0]
    assert table.legal() == [{"type": "expand", "city": "ulm"}, {"type": "end_expanding"}], "the others get one each"
    table.play("expand", city="ulm")
    table.decline("place_token", 1)
    assert table.city("frankfurt")["ring"] == [0, 0, 0]
    assert table.city("koeln")["ring"] == [0, 0]
    assert table.player(0)["privileges"] == 1


def test_p13_two_branches_need_two_houses():
    table = Table(2)
    table.lay("koeln")
    table.branch(0, "koeln")
    table.give(0, supply=1)
    table.turn_of(0, "expand")
    assert table.types() == {"expand", "double_income", "end_expanding"}


def test_p14_double_income_is_declared_before_expanding_and_opening_stays_allowed():
    table = Table(2)
    table.lay("koeln", "nuernberg", "augsburg")
    table.branch(0, "koeln", "nuernberg", "augsburg")
    table.turn_of(0, "expand")
    assert {"double_income"} <= table.types()
    table.play("double_income")
    assert table.coins() == 15 + 48, "7 + 6 + 5 + 2 = 20, doubled 40"
    assert table.phase == "open"
    assert all(not city["middle"] for city in table.described["cities"].values())
    table.turn_of(0, "expand")
    table.play("expand", city="koeln")
    assert "double_income" not in table.types()


def test_p15_the_second_opening_spends_the_privilege_and_may_start_from_the_first():
    table = Table(3, "halle", "loewen", "soest")
    table.give(0, coins=100)
    table.lay("leipzig", "regensburg")
    table.turn_of(0, "open")
    table.play("open", place="leipzig")
    assert (table.player(0)["privileges"], table.described["privilege_used"]) == (2, False)
    table.play("open", place="regensburg")
    assert table.player(0)["privileges"] == 1
    assert table.coins() == 100 - 3 - 27
    assert table.current == 1, "there is no third one"


def test_p15_without_a_second_opening_the_privilege_is_kept():
    table = Table(3, "halle", "loewen", "soest")
    table.give(0, coins=100)
    table.lay("leipzig")
    table.turn_of(0, "open")
    table.play("open", place="leipzig")
    table.play("pass")
    assert table.player(0)["privileges"] == 2


def test_p15_two_openings_may_come_in_either_order():
    for first, second in (("leipzig", "magdeburg"), ("magdeburg", "leipzig")):
        table = Table(3, "halle", "loewen", "soest")
        table.give(0, coins=100)
        table.lay("leipzig", "magdeburg")
        table.turn_of(0, "open")
        table.play("open", place=first)
        assert second in table.places("open")


def test_p16_no_privilege_in_the_first_turn_and_no_two_in_one():
    table = Table(3, "halle", "loewen", "soest")
    table.lay("koeln", "leipzig")
    table.branch(0, "koeln")
    table.give(0, coins=100)
    table.turn_of(0, "expand", round=1)
    assert table.types() == {"expand", "end_expanding"}
    table.turn_of(0, "open", round=1)
    table.play("open", place="leipzig")
    assert table.current == 1, "a second opening is not offered"
    table.turn_of(0, "expand", round=2)
    table.play("expand_twice", city="koeln")
    table.decline("open")
    table.play("open", place="aachen")
    assert table.current == 1
    assert table.player(0)["privileges"] == 1


def test_p16_double_income_leaves_no_privilege_for_a_second_opening():
    table = Table(3, "halle", "loewen", "soest")
    table.lay("leipzig", "magdeburg")
    table.turn_of(0, "expand")
    table.play("double_income")
    table.play("open", place="leipzig")
    assert table.current == 1


def test_p16_without_privileges_none_is_offered():
    table = Table(3, "halle", "loewen", "soest")
    table.lay("koeln")
    table.branch(0, "koeln")
    table.give(0, privileges=0)
    table.turn_of(0, "expand")
    assert table.types() == {"expand", "end_expanding"}


@pytest.mark.parametrize("value", CITY_OF_VALUE)
def test_p17_an_absolute_majority_is_more_than_half_of_the_value(value):
    city = CITY_OF_VALUE[value]
    table = settled(2, city, [0] * (MAJORITY[value] - 1))
    assert table.points(0) == value
    assert table.player(0)["cities_won"] == [city]
    assert table.city(city)["token"] == "removed"
    if value > 3:
        short = settled(2, city, [0] * (MAJORITY[value] - 2))
        assert short.points(0) == 0
        assert short.city(city)["token"] == "placed"


@pytest.mark.parametrize(
    ("city", "ring", "points"), [("trier", [0], 2), ("ulm", [1, 0], 3), ("strassburg", [0, 1, 0, 1], 5)]
)
def test_p18_the_last_space_and_the_majority_at_once_bring_the_full_value(city, ring, points):
    table = settled(2, city, ring)
    assert len(table.city(city)["ring"]) == table.city(city)["value"]
    assert table.points(0) == points


@pytest.mark.parametrize(
    ("city", "ring", "down", "up"),
    [
        ("ulm", [1, 2], 1, 2),
        ("frankfurt", [1, 0, 1], 2, 2),
        ("strassburg", [1, 1, 0, 2], 2, 3),
        ("nuernberg", [1, 1, 1, 0, 0, 2], 3, 4),
    ],
)
def test_p19_half_of_an_odd_value_is_rounded_down_or_by_the_option_up(city, ring, down, up):
    for rounding, points in (("down", down), ("up", up)):
        table = settled(3, city, ring, half_points=rounding)
        assert [table.points(seat) for seat in range(3)] == [0, points, 0]
        assert table.player(1)["cities_won"] == [city]


def test_p20_without_houses_nothing_is_built_or_opened():
    table = Table(2)
    assert table.player(0)["supply"] == 44, "one of 45 marks the score"
    table.lay("koeln")
    table.branch(0, "koeln", "aachen")
    table.give(0, supply=1, coins=50)
    table.turn_of(0, "expand")
    table.play("expand", city="koeln")
    assert table.player(0)["supply"] == 0
    assert table.current == 1, "nothing could be opened"
    assert table.city("koeln")["ring"] == [0, 0]


@pytest.mark.parametrize(("ring", "winner"), [([1, 0, 1], 1), ([0, 1, 1], 0), ([1, 1, 0], 1)])
def test_p21_a_tie_for_the_half_goes_to_whoever_came_first(ring, winner):
    table = settled(2, "frankfurt", ring)
    assert table.points(winner) == 2
    assert table.points(1 - winner) == 0


def test_p22_several_cities_are_scored_in_one_turn():
    table = Table(2)
    table.lay("frankfurt", "trier", "ulm")
    table.branch(0, "frankfurt", "frankfurt", "trier", "ulm")
    table.branch(1, "ulm")
    table.turn_of(0, "expand")
    for city in ("trier", "frankfurt", "ulm"):
        table.play("expand", city=city)
    table.decline("place_token", 1)
    assert table.points(0) == 2 + 4 + 3
    assert set(table.player(0)["cities_won"]) == {"trier", "frankfurt", "ulm"}


def test_p23_a_majority_by_the_first_of_two_branches_scores_once_and_both_stay():
    table = settled(2, "frankfurt", [0, 0], twice=True)
    assert table.points(0) == 4
    assert table.city("frankfurt")["ring"] == [0, 0, 0, 0]
    assert table.player(0)["cities_won"] == ["frankfurt"]


def test_p24_the_game_ends_with_the_turn_and_nobody_has_another_one():
    table = Table(3)
    table.branch(0, "halle", *[town for town in TOWN_IDS if town not in ("halle", "stendal")])
    table.lay("magdeburg")
    table.branch(0, "magdeburg")
    table.turn_of(0, "open")
    table.give(0, coins=100, privileges=1)
    table.lay("leipzig")
    table.play("open", place="stendal")
    assert table.described["free_towns"] == 0
    assert table.current == 0, "the turn goes on: a second opening is possible"
    table.play("pass")
    assert table.described["terminated"]
    assert table.phase == "over"
    assert table.current is None


def test_p25_an_empty_board_is_no_end_while_somebody_holds_a_token():
    for held in (True, False):
        table = Table(2, "koblenz", "celle")
        table.take_all_away()
        if held:
            record = table.state.players[1]
            record.num_placed -= 1
            record.tokens[record.tokens_placed[record.num_placed]] += 1
        table.turn_of(0, "open")
        table.play("pass")
        assert table.described["terminated"] is not held


def test_p25_a_token_on_the_board_is_no_end_either():
    table = Table(2, "koblenz", "celle")
    table.lay("koeln")
    table.lay_all()
    table.turn_of(0, "open")
    table.play("pass")
    assert not table.described["terminated"]


def test_p26_as_many_turns_in_a_row_as_players_without_an_opening_end_the_game_across_rounds():
    table = Table(3, "loewen", "goettingen", "wuerzburg")
    table.decline("open", 0)
    table.play("open", place="aachen")
    assert table.described["turns_without_opening"] == 0
    for count, seat in enumerate((1, 2), 1):
        table.decline("open", seat)
        table.play("pass")
        assert table.described["turns_without_opening"] == count
    assert table.described["round"] == 2
    table.decline("open", 0)
    table.play("pass")
    assert table.described["terminated"]
    assert table.described["turns_without_opening"] == 3


def test_p26_the_counter_changes_at_the_end_of_a_turn_only():
    table = Table(3, "loewen", "halle", "soest")
    table.lay("bruessel")
    table.turn_of(0, "open", without_opening=2)
    table.play("open", place="aachen")
    assert table.described["turns_without_opening"] == 2
    table.play("pass")
    assert table.described["turns_without_opening"] == 0


def test_p27_the_founded_branch_is_a_point():
    table = Table(4, "halle", "loewen")
    assert [player["points"] for player in table.described["players"]] == [1, 1, 0, 0]
    assert table.described["free_towns"] == 18


def test_p28_the_start_player_is_drawn_founds_first_and_the_others_follow_around_the_table():
    starts = set()
    for seed in range(60):
        position = Position(Table(4).position.game, {"num_players": 4}, seed)
        starts.add(position.current_player)
        assert position.describe()["start_player"] == position.current_player
        order = []
        while position.phase == "found":
            order.append(position.current_player)
            position.apply(position.legal_actions()[0])
        assert order == [(order[0] + i) % 4 for i in range(4)]
        assert position.current_player == order[0]
    assert starts == {0, 1, 2, 3}


@pytest.mark.parametrize("num_players", range(2, 7))
def test_p28_any_free_town_may_be_founded_in(num_players):
    table = Table(num_players)
    towns = [town for town in TOWN_IDS if town in open_places(num_players)]
    assert table.places("found") == towns
    table.play("found", town=towns[3])
    assert table.places("found") == [town for town in towns if town != towns[3]]


def test_p29_two_towns_are_out_with_two_players():
    closed = [id for id, town in Table(2).described["towns"].items() if town["closed"]]
    assert sorted(closed) == ["hof", "landshut"]
    assert Table(2).described["free_towns"] == 18
    for num_players in range(3, 7):
        assert not any(town["closed"] for town in Table(num_players).described["towns"].values())
        assert Table(num_players).described["free_towns"] == 20


def test_p30_routes_to_closed_places_are_useless_with_two_players():
    table = Table(2)
    table.branch(0, *[id for id in open_places(2) if id in TOWN_IDS])
    table.lay(*[id for id in CITY_IDS if id in open_places(2)])
    table.give(0, coins=1000)
    table.turn_of(0, "open")
    assert set(table.places("open")) == {id for id in CITY_IDS if id in open_places(2)}
    assert not {"place_token"} & table.types()


def test_p30_braunschweig_nuernberg_stays_passable_with_two_players():
    table = Table(2)
    table.lay("braunschweig", "nuernberg")
    table.branch(0, "braunschweig")
    table.give(0, coins=56)
    table.turn_of(0, "open")
    assert "nuernberg" in table.places("open")
    table.play("open", place="nuernberg")
    assert table.coins() == 0


def test_p31_any_branch_counts_for_its_region():
    table = Table(3)
    table.give(0, coins=0)
    table.take_all_away()
    table.branch(0, "halle", "leipzig", "loewen", "koeln")  # a town and a city of Sachsen, Flandern, Rheinland
    table.turn_of(1, "open")
    table.play("pass")
    assert table.player(0)["final_points"] == 2 * 3
    assert table.points(0) == 0, "the score track stays"


@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [
        (["trier", "muenster"], ["frankfurt"], [0]),  # more cities
        (["trier", "frankfurt"], ["ulm", "bremen"], [0, 1]),  # 2 + 4 = 3 + 3: nothing decides
        (["trier", "koeln"], ["ulm", "bremen"], [0]),  # the higher sum
        (["trier"], ["ulm"], [1]),
        ([], [], [0, 1]),
    ],
)
def test_p32_ties_go_to_most_cities_won_then_to_the_highest_sum_of_their_values(first, second, winners):
    table = Table(2, "koblenz", "celle")
    table.win(0, *first)
    table.win(1, *second)
    table.take_all_away()
    table.turn_of(0, "open")
    table.play("pass")
    described = table.described
    assert described["players"][0]["final_points"] == described["players"][1]["final_points"]
    assert described["winners"] == winners


def test_p32_points_come_before_cities():
    table = Table(2, "koblenz", "celle")
    table.win(0, "trier", "koeln")
    table.give(1, points=2)
    table.take_all_away()
    table.turn_of(0, "open")
    table.play("pass")
    assert table.described["winners"] == [1]


def test_p33_privileges_left_over_are_worth_nothing():
    table = Table(2, "koblenz", "celle")
    table.give(0, privileges=0)
    table.take_all_away()
    table.turn_of(0, "open")
    table.play("pass")
    assert table.described["winners"] == [0, 1]


def test_p34_only_the_tokens_of_the_others_are_hidden():
    table = Table(4, "halle", "loewen", "soest", "celle")
    everything = table.described
    for seat in range(4):
        seen = table.position.describe(seat)
        for other in range(4):
            hand = everything["players"][other]["tokens"]
            assert seen["players"][other]["tokens"] == (hand if other == seat else len(hand))
            seen["players"][other]["tokens"] = hand
        assert seen == everything


def test_p35_the_bank_is_never_empty():
    table = Table(6)
    table.lay("koeln")
    table.branch(0, "koeln")
    table.give(0, coins=2_000_000_000)
    table.turn_of(0, "expand", round=1)
    table.play("end_expanding")
    assert table.coins() == 2_000_000_000 + 5 * 7 + 10


def test_p36_opening_is_voluntary():
    table = Table(3, "halle", "loewen", "soest")
    table.give(0, coins=100)
    table.lay("leipzig")
    table.turn_of(0, "open")
    assert table.types() == {"open", "pass"}


def test_p37_expanding_stays_possible_when_the_token_is_gone_without_points():
    table = Table(2)
    table.take_away("frankfurt")
    table.branch(0, "frankfurt", "frankfurt")
    table.lay("koeln")
    table.branch(1, "koeln")
    table.turn_of(0, "expand", round=1)
    assert table.places("expand") == ["frankfurt"]
    table.play("expand", city="frankfurt")
    table.decline("place_token", 1)
    assert table.city("frankfurt")["ring"] == [0, 0, 0]
    assert (table.points(0), table.player(0)["cities_won"]) == (0, [])
    assert table.coins(0) == 15 + 2, "nor does it give income"


def test_p38_counting_goes_on_beyond_a_hundred_points():
    table = Table(2, "koblenz", "celle")
    table.give(0, points=127, coins=2000)
    table.take_all_away()
    table.turn_of(0, "open")
    table.play("pass")
    assert table.player(0)["points"] == 127
    assert table.player(0)["final_points"] == 127 + 2 + 100


def test_every_ruling_has_its_test():
    shown = {int(match[1]) for name in globals() if (match := re.match(r"test_p(\d\d)_", name))}
    assert shown == set(range(1, 39))


def test_the_map_has_what_these_tests_take_for_granted():
    prices = {frozenset((route.a, route.b)): route.price for route in BOX.routes}
    assert prices[frozenset(("aachen", "koeln"))] == 9
    assert prices[frozenset(("halle", "leipzig"))] == 3
    assert prices[frozenset(("leipzig", "regensburg"))] == 27
    assert all(BOX.places[PLACE_NUMBER[city]].value == value for value, city in CITY_OF_VALUE.items())
