"""Every ruling of the game's README, M1 to M39, by number: building, births, cards, mana, and the end."""

from __future__ import annotations

import pytest

from envs.mesopotamia.state import CARDS
from tests.mesopotamia.table import FOREST, NORTH, QUARRY, SOUTH, SOUTH_EAST, TEMPLE, A, B, Table


def building(*loads: str | None, num_players: int = 2) -> tuple[Table, int]:
    """Figures of seat 0 with these loads on a new plain, in phase B; the plain's number."""
    table = Table(num_players)
    plain = table.lay("plain", 2, 0)
    table.stand_all(0)
    for number, load in enumerate(loads):
        table.stand(0, number, plain, load)
    table.turn_of(0, "act")
    return table, plain


# ------------------------------------------------------------------ huts, cult sites, births


def test_m20_two_figures_one_with_wood_build_a_hut():
    table, plain = building("wood", "stone")
    supply = table.now["supply"]["wood"]
    assert table.legal("build_hut") == [{"tile": plain, "offering": cost} for cost in (2, 4, 6, 7)]
    table.play("build_hut", tile=plain, offering=6)
    assert table.tile(plain)["huts"] == [{"owner": 0, "offering": 6}]
    assert table.player(0)["unused_offerings"] == [2, 4, 7]
    assert (table.player(0)["huts_left"], table.now["supply"]["wood"]) == (3, supply + 1)
    assert table.figure(0, 0)["load"] is None


def test_m20_three_figures_are_enough_too_and_one_is_not():
    assert building("wood")[0].legal("build_hut") == []
    assert len(building("wood", None, None)[0].legal("build_hut")) == 4
    assert building(None, None)[0].legal("build_hut") == []


def test_m20_neutral_huts_and_cult_sites_take_the_room():
    table, plain = building("wood", None)
    table.hut(plain, None)
    assert table.legal("build_hut")
    table.hut(plain, None)
    assert not table.legal("build_hut")
    table, plain = building("wood", None)
    table.site(plain, 1)
    assert not table.legal("build_hut")


def test_m20_others_on_the_plain_do_not_matter_and_the_lowest_carrier_loses_the_wood():
    table, plain = building(None, "wood", "wood")
    table.stand(1, 0, plain)
    table.play("build_hut", tile=plain, offering=2)
    assert [table.figure(0, number)["load"] for number in range(3)] == [None, None, "wood"]


def test_m20_only_on_plains():
    table = Table()
    table.stand_all(0)
    table.stand(0, 0, FOREST, "wood")
    table.stand(0, 1, FOREST)
    table.turn_of(0, "act")
    assert not table.legal("build_hut")


def test_m21_a_cult_site_needs_an_empty_plain():
    table, plain = building("stone", "wood")
    table.goods(plain, wood=1)
    table.play("build_cult_site", tile=plain)
    assert table.tile(plain)["cult_site"] == 0
    assert table.player(0)["cult_sites_left"] == 2
    assert table.figure(0, 0)["load"] is None


@pytest.mark.parametrize("spoiled", ["hut", "site", "figure", "alone"])
def test_m21_huts_sites_and_others_figures_forbid_it(spoiled):
    table, plain = building("stone", "wood")
    assert table.legal("build_cult_site") == [{"tile": plain}]
    if spoiled == "hut":
        table.hut(plain, None)
    elif spoiled == "site":
        table.site(plain, 1)
    elif spoiled == "figure":
        table.stand(1, 0, plain)
    else:
        table.stand(0, 1, None)
    assert not table.legal("build_cult_site")


def test_m21_figures_come_and_go_afterwards():
    table, plain = building("stone", None)
    table.play("build_cult_site", tile=plain)
    table.stand(1, 0, B)
    table.turn_of(1)
    table.step(0, SOUTH_EAST)
    assert table.figure(1, 0)["tile"] == plain


def test_m22_one_birth_a_hut_with_two_figures_there():
    table = Table()
    table.turn_of(0, "act")
    assert table.legal("give_birth") == [{"tile": A}]
    table.play("give_birth", tile=A)
    assert table.figure(0, 3)["tile"] == A, "the lowest number of the supply"
    assert table.current == 1, "one birth a hut and turn, and nothing else is left"
    assert table.tile(A)["births"] == 0, "which are forgotten with the turn"


def test_m22_two_free_huts_on_one_hex_give_one_each():
    table, plain = building(None, None)
    table.hut(plain, 0)
    table.hut(plain, 0)
    table.play("give_birth", tile=plain)
    assert table.tile(plain)["births"] == 1
    table.play("give_birth", tile=plain)
    assert (table.figure(0, 2)["tile"], table.figure(0, 3)["tile"], table.current) == (plain, plain, 1)


def test_m22_no_birth_over_an_offering_but_beside_one():
    table, plain = building(None, None)
    table.hut(plain, 0, 4)
    assert not table.legal("give_birth")
    table.hut(plain, 0)
    table.play("give_birth", tile=plain)
    assert table.current == 1, "the hut with the offering gives none"


def test_m22_needs_a_figure_in_the_supply_two_on_the_hex_and_an_own_hut():
    table = Table()
    table.turn_of(0, "act")
    table.stand_all(0, A, B)
    assert not table.legal("give_birth")
    table.stand_all(0, B, B)
    assert not table.legal("give_birth"), "the huts there are another's and a neutral one"
    table.stand_all(0, *[A] * 8)
    assert not table.legal("give_birth")
    table.stand_all(0, *[A] * 7)
    table.stand(1, 0, A)
    assert table.legal("give_birth") == [{"tile": A}], "others' figures do not matter"


def test_m23_offerings_are_taken_from_under_the_own_hut_and_stay():
    table = Table()
    plain = table.lay("plain", 2, 0)
    table.hut(plain, 0, 6)
    table.hut(plain, 1, 2)
    table.stand_all(0, plain, plain)
    table.stand(0, 1, plain, "wood")
    table.turn_of(0)
    assert table.legal("take_offering") == [{"figure": 0, "offering": 6}]
    table.play("take_offering", figure=0, offering=6)
    assert table.tile(plain)["huts"][0] == {"owner": 0, "offering": None}
    assert table.figure(0, 0)["load"] == 6
    assert table.legal("drop") == [{"figure": 1}], "an offering is not laid down"
    assert table.now["movement_points"] == 5
    table.play("end_movement")
    assert table.may("give_birth", tile=plain), "the hut is free again"


# ------------------------------------------------------------------ cards


def with_cards(*cards: str, num_players: int = 3, phase: str = "move") -> Table:
    table = Table(num_players)
    table.deal(0, *cards)
    table.turn_of(0, phase)
    return table


def test_m24_not_in_the_turn_in_which_it_is_drawn():
    table = Table(3)
    table.give(0, mana=0)
    table.next_card("holy_stone")
    table.turn_of(0, "act")
    table.play("draw_card")
    assert table.current == 1, "nobody expects a card to be played"
    table.turn_of(0)
    assert table.may("play_card", card="holy_stone")


def test_m24_of_two_of_a_kind_the_older_may_be_played():
    table = with_cards("holy_stone", phase="act")
    table.next_card("holy_stone")
    table.play("draw_card")
    assert (table.now["drawn_card"], table.now["action_kind"]) == ("holy_stone", "draw_card")
    table.play("play_card", card="holy_stone")
    assert table.current == 1
    assert table.player(0)["hand"] == ["holy_stone"]


def test_m24_a_hand_is_asked_for_though_it_holds_nothing_playable():
    """Whether a seat is asked depends on the size of its hand, not on what it holds."""
    table = with_cards("fertility")
    table.stand_all(0, A)
    table.turn_of(0, points=1)
    table.step(0, SOUTH)
    assert (table.phase, table.types()) == ("move", {"end_movement"})
    table.state.draw_size = 0
    table.play("end_movement")
    assert (table.phase, table.types()) == ("act", {"end_action"})


def test_m24_which_cards_in_which_phase():
    cards = ("endurance", "land", "holy_stone", "teleport", "expulsion", "fertility", "mana_theft", "priest")
    table = with_cards(*cards)
    table.give(1, mana=1)
    assert [action["card"] for action in table.legal("play_card")] == [
        "endurance",
        "land",
        "holy_stone",
        "teleport",
        "expulsion",
    ]
    assert table.legal("steal_mana") == [{"from": 1}]
    table.play("end_movement")
    assert [action["card"] for action in table.legal("play_card")] == [
        "holy_stone",
        "teleport",
        "expulsion",
        "fertility",
    ]
    assert table.legal("steal_mana") == [{"from": 1}]
    assert "play_priest" not in table.types()


def test_m24_no_card_inside_a_sub_choice():
    table = with_cards("teleport", "holy_stone")
    table.play("play_card", card="teleport")
    assert table.types() == {"pick_figure", "pick_good"}


def test_m24_any_number_a_turn_also_after_the_action():
    table = with_cards("holy_stone", "teleport", phase="act")
    table.play("give_birth", tile=A)
    table.play("play_card", card="holy_stone")
    table.play("play_card", card="teleport")
    assert table.now["pending"] == {"card": "teleport", "resume": "act"}
    table.play("pick_figure", seat=0, figure=0)
    table.play("pick_tile", tile=B)
    assert table.current == 1
    assert table.now["discard_pile"] == ["holy_stone", "teleport"]


def test_m25_the_discards_are_shuffled_when_a_card_is_drawn_and_the_pile_is_empty():
    table = Table()
    table.discard_pile()
    table.turn_of(0, "act")
    pile = table.now["discard_pile"]
    table.play("draw_card")
    now = table.now
    assert now["discard_pile"] == []
    assert len(now["draw_pile"]) == len(pile) - 1
    assert sorted(now["draw_pile"] + now["players"][0]["hand"]) == sorted(pile)


def test_m25_without_discards_no_card():
    table = Table()
    table.state.draw_size = 0
    table.turn_of(0, "act")
    assert "draw_card" not in table.types()


def test_m26_endurance_adds_three_points_and_adds_up():
    table = with_cards("endurance", "endurance")
    table.play("play_card", card="endurance")
    table.play("play_card", card="endurance")
    assert table.now["movement_points"] == 11


def test_m27_fertility_gives_two_births_at_every_hut_used_this_turn():
    table, plain = building(None, None)
    table.deal(0, "fertility", "fertility")
    table.hut(plain, 0)
    table.stand(0, 2, A)
    table.stand(0, 3, A)
    table.play("give_birth", tile=plain)
    table.play("play_card", card="fertility")
    assert (table.now["births_per_hut"], table.now["action_kind"]) == (2, "give_birth")
    assert not table.may("play_card", card="fertility"), "once a turn"
    for tile in (plain, A, A):
        table.play("give_birth", tile=tile)
    assert not table.legal("give_birth")
    assert (table.tile(plain)["births"], table.tile(A)["births"]) == (2, 2)
    table.play("end_action")
    assert table.now["births_per_hut"] == 1


def test_m27_fertility_only_when_a_birth_is_possible_and_with_no_other_kind():
    table = with_cards("fertility", phase="act")
    table.play("play_card", card="fertility")
    assert table.types() == {"give_birth", "end_action"}, "it makes the action one of births"
    table = with_cards("fertility", phase="act")
    table.stand_all(0, A)
    assert not table.may("play_card", card="fertility")
    table = with_cards("fertility", phase="act")
    table.play("draw_card")
    assert not table.may("play_card", card="fertility")


@pytest.mark.parametrize(("mana", "after"), [(0, 2), (1, 3), (2, 3)])
def test_m28_holy_stone(mana, after):
    table = with_cards("holy_stone")
    table.give(0, mana=mana)
    table.play("play_card", card="holy_stone")
    assert table.player(0)["mana"] == after
    assert table.player(0)["hand"] == []
    assert table.now["discard_pile"] == ["holy_stone"]


def test_m28_not_at_the_maximum():
    table = with_cards("holy_stone")
    table.give(0, mana=3)
    assert not table.may("play_card", card="holy_stone")


def test_m29_mana_theft():
    table = with_cards("mana_theft")
    table.give(1, mana=2)
    assert table.legal("steal_mana") == [{"from": 1}], "seat 2 has none"
    table.play("steal_mana", **{"from": 1})
    assert [table.player(seat)["mana"] for seat in range(3)] == [1, 1, 0]
    assert table.now["discard_pile"] == ["mana_theft"]
    table.deal(0, "mana_theft")
    table.give(0, mana=3)
    assert table.legal("steal_mana") == [], "not at the own maximum"


def test_m30_priest_brings_one_more_at_a_site_that_pays():
    table = Table(3)
    plain = table.lay("plain", 2, 0)
    table.site(plain, 0)
    table.stand_all(0, plain)
    table.deal(0, "priest", "priest", "priest")
    table.give(0, mana=0, mana_max=3)
    table.turn_of(0, "act")
    table.play("end_action")
    assert (table.phase, table.types()) == ("mana", {"play_priest", "end_turn"})
    assert table.player(0)["mana"] == 1
    table.play("play_priest")
    assert table.player(0)["mana"] == 2
    table.play("play_priest")
    assert (table.player(0)["mana"], table.current) == (3, 1), "at the maximum no Priest can help"


def test_m30_asked_for_any_hand_but_only_where_a_site_pays():
    table = Table(3)
    plain = table.lay("plain", 2, 0)
    table.site(plain, 0)
    table.stand_all(0, plain)
    table.deal(0, "land")
    table.turn_of(0, "act")
    table.play("end_action")
    assert (table.phase, table.types()) == ("mana", {"end_turn"}), "others cannot know that it is no Priest"
    table = with_cards("priest", phase="act")
    table.play("end_action")
    assert table.current == 1


def test_m31_teleport_moves_loose_goods_loads_and_any_figure():
    table = with_cards("teleport")
    table.stand(1, 0, B, "stone")
    table.play("play_card", card="teleport")
    assert table.phase == "pick_target"
    assert table.now["pending"] == {"card": "teleport", "resume": "move"}
    assert table.legal("pick_load") == [{"seat": 1, "figure": 0}]
    assert table.legal("pick_good") == [{"tile": QUARRY, "good": "stone"}, {"tile": FOREST, "good": "wood"}]
    assert table.legal("pick_figure") == [
        {"seat": 0, "figure": 0},
        {"seat": 1, "figure": 0},
        {"seat": 1, "figure": 1},
        {"seat": 2, "figure": 0},
    ]
    table.play("pick_load", seat=1, figure=0)
    assert table.now["pending"]["target"] == {"type": "pick_load", "seat": 1, "figure": 0}
    assert [action["tile"] for action in table.legal("pick_tile")] == [A, QUARRY, FOREST], "another hex than its own"
    table.play("pick_tile", tile=A)
    assert (table.phase, table.tile(A)["stone"], table.figure(1, 0)["load"]) == ("move", 1, None)


def test_m31_a_loose_good_and_a_figure_with_an_offering():
    table = with_cards("teleport", "teleport")
    table.play("play_card", card="teleport")
    table.play("pick_good", tile=FOREST, good="wood")
    table.play("pick_tile", tile=A)
    assert (table.tile(FOREST)["wood"], table.tile(A)["wood"]) == (2, 1)
    table.stand(1, 0, B, 7)
    table.play("play_card", card="teleport")
    table.play("pick_figure", seat=1, figure=0)
    table.play("pick_tile", tile=QUARRY)
    assert table.figure(1, 0) == {"tile": QUARRY, "load": 7, "has_stolen": False, "dropped": []}


def test_m31_a_card_is_a_change_of_hex():
    """What a figure laid down is forgotten when it is teleported; that it has stolen is not."""
    table = with_cards("teleport")
    table.stand(0, 0, B, "wood")
    table.play("drop", figure=0)
    table.state.players[0].figures[0].has_stolen = 1
    table.play("play_card", card="teleport")
    table.play("pick_figure", seat=0, figure=0)
    table.play("pick_tile", tile=A)
    assert table.figure(0, 0) == {"tile": A, "load": None, "has_stolen": True, "dropped": []}


def test_m32_expulsion_of_a_figure():
    table = with_cards("expulsion")
    far = [table.lay("plain", 1, -2 - number) for number in range(4)]
    table.stand_all(1, A)
    table.stand(1, 0, A, "wood")
    table.stand_all(2)
    table.play("play_card", card="expulsion")
    assert table.phase == "pick_target"
    assert table.legal("pick_figure") == [{"seat": 1, "figure": 0}], "no own figure"
    table.play("pick_figure", seat=1, figure=0)
    reach = [action["tile"] for action in table.legal("pick_tile")]
    assert reach == [B, QUARRY, FOREST, *far[:3]], "at most three hexes away, no temple, no volcano"
    table.play("pick_tile", tile=far[0])
    assert (table.tile(A)["wood"], table.figure(1, 0)["load"], table.figure(1, 0)["tile"]) == (1, None, far[0])


def test_m32_an_offering_goes_along():
    table = with_cards("expulsion")
    table.stand_all(1)
    table.stand(1, 0, A, 6)
    table.play("play_card", card="expulsion")
    table.play("pick_figure", seat=1, figure=0)
    table.play("pick_tile", tile=B)
    assert (table.figure(1, 0)["load"], table.figure(1, 0)["tile"]) == (6, B)


def test_m33_expulsion_of_a_hut_to_a_plain_with_room():
    table = with_cards("expulsion")
    room = table.lay("plain", 2, 0)
    site = table.lay("plain", 2, -1)
    one_hut = table.lay("plain", 2, -2)
    distant = table.lay("plain", 4, -1)
    table.site(site, 1)
    table.hut(room, 1, 4)
    table.hut(room, 2)
    table.hut(one_hut, None)
    table.play("play_card", card="expulsion")
    assert {"tile": room, "hut": 0} in table.legal("pick_hut")
    table.play("pick_hut", tile=room, hut=0)
    assert [action["tile"] for action in table.legal("pick_tile")] == [one_hut, distant]
    table.play("pick_tile", tile=one_hut)
    assert table.tile(room)["huts"] == [{"owner": 2, "offering": None}], "the other hut moves up"
    assert table.tile(one_hut)["huts"] == [{"owner": None, "offering": None}, {"owner": 1, "offering": 4}]


def test_m33_of_two_huts_alike_the_first_is_offered():
    table = with_cards("expulsion")
    plain = table.lay("plain", 2, 0)
    table.lay("plain", 2, -1)
    table.hut(plain, 1)
    table.hut(plain, 1)
    table.play("play_card", card="expulsion")
    assert [action for action in table.legal("pick_hut") if action["tile"] == plain] == [{"tile": plain, "hut": 0}]
    table.state.tiles[plain].huts[1].offering = 1
    assert len([action for action in table.legal("pick_hut") if action["tile"] == plain]) == 2


def test_m34_neutral_and_own_huts_are_not_expelled():
    table = with_cards("expulsion")
    table.lay("plain", 2, 0)
    table.play("play_card", card="expulsion")
    assert table.legal("pick_hut") == [{"tile": B, "hut": 0}, {"tile": B, "hut": 1}], "on A an own and a neutral one"


def test_m34_neutral_huts_give_no_births():
    table = Table(3)
    table.stand_all(1, A, A)
    table.turn_of(1, "act")
    assert not table.legal("give_birth")


def test_m35_land_shows_four_hexes_and_one_is_taken():
    table = with_cards("land")
    table.next_hexes("plain", "forest", "volcano", "plain", "quarry")
    table.play("play_card", card="land")
    assert table.now["land_armed"]
    table.step(0, NORTH)
    assert table.phase == "choose_hex"
    now = table.now
    assert now["pending"] == {"figure": 0, "direction": NORTH}
    assert now["stack"][:4] == ["plain", "forest", "volcano", "plain"]
    assert table.legal("choose_hex") == [{"kind": "plain"}, {"kind": "forest"}, {"kind": "volcano"}]
    table.play("choose_hex", kind="forest")
    assert (table.tile(7)["kind"], table.now["land_armed"]) == ("forest", False)
    before = sorted(now["stack"])
    before.remove("forest")
    assert sorted(table.now["stack"]) == before


def test_m35_the_stack_is_shuffled_afterwards():
    orders = set()
    for seed in range(12):
        table = Table(3, seed)
        table.deal(0, "land")
        table.turn_of(0)
        table.only_hexes("plain", "forest", *["quarry"] * 6)
        table.play("play_card", card="land")
        table.step(0, NORTH)
        table.play("choose_hex", kind="plain")
        orders.add(tuple(table.now["stack"]))
    assert len(orders) > 3


def test_m35_a_volcano_chosen_is_placed_and_a_hex_drawn():
    table = with_cards("land")
    table.only_hexes("volcano", "plain", "plain")
    table.play("play_card", card="land")
    table.step(0, NORTH)
    table.play("choose_hex", kind="volcano")
    assert (table.phase, len(table.now["stack"])) == ("place_volcano", 2)
    table.play("place_volcano", tile=B, direction=SOUTH)
    assert (table.tile(8)["kind"], table.figure(0, 0)["tile"]) == ("plain", 8)


def test_m35_one_kind_among_those_looked_at_is_no_choice():
    table = with_cards("land")
    table.only_hexes("plain", "plain", "plain", "plain", "forest")
    table.play("play_card", card="land")
    table.step(0, NORTH)
    assert (table.phase, table.tile(7)["kind"], table.now["land_armed"]) == ("move", "plain", False)


def test_m35_land_is_lost_unused_and_played_only_where_a_discovery_is_possible():
    table = with_cards("land", "land")
    table.play("play_card", card="land")
    assert not table.may("play_card", card="land"), "while one is armed"
    table.play("end_movement")
    assert not table.now["land_armed"]
    table = with_cards("land")
    table.stand_all(0, TEMPLE)
    assert not table.may("play_card", card="land"), "the temple has a neighbour on every side"
    table = with_cards("land")
    table.turn_of(0, points=0)
    assert not table.may("play_card", card="land")
    table.turn_of(0, discoveries=0)
    assert not table.may("play_card", card="land")


# ------------------------------------------------------------------ mana and the end


def test_m36_own_sites_with_one_figure_others_with_two():
    table = Table(3)
    own, theirs = table.lay("plain", 2, 0), table.lay("plain", 2, -1)
    table.site(own, 0)
    table.site(theirs, 1)
    table.stand_all(0, own, own, theirs)
    table.stand_all(1, theirs)
    table.turn_of(0, "act")
    table.play("end_action")
    assert table.player(0)["mana"] == 1, "two figures on the own site are no more than one, one elsewhere is too few"
    table.stand(0, 1, theirs)
    table.turn_of(0, "act")
    table.play("end_action")
    assert table.player(0)["mana"] == 3
    table.turn_of(1, "act")
    table.play("end_action")
    assert table.player(1)["mana"] == 1, "a site can pay owner and visitor"
    table.turn_of(0, "act")
    table.play("end_action")
    assert table.player(0)["mana"] == 3, "up to the maximum"


def cut_off(*standings: tuple[tuple[int, ...], int], reward: str = "rank") -> Table:
    """The last turn of a game at its round limit; delivered costs and mana by seat."""
    table = Table(len(standings), max_rounds=2, reward=reward)
    for seat, (delivered, mana) in enumerate(standings):
        table.deliver(seat, *delivered)
        table.give(seat, mana=mana, mana_max=8)
    table.turn_of(len(standings) - 1, "act", round=2)
    table.play("end_action")
    return table


@pytest.mark.parametrize(
    ("standings", "winners"),
    [
        ((((2, 4), 0), ((7,), 8)), [0]),
        ((((2, 4), 8), ((2, 6), 0)), [1]),
        ((((2, 4), 3), ((2, 4), 4)), [1]),
        ((((2, 4), 4), ((2, 4), 4)), [0, 1]),
    ],
)
def test_m37_cut_off_and_ranked(standings, winners):
    """Offerings delivered, then their costs, then mana; equal in all is shared."""
    now = cut_off(*standings).now
    assert (now["truncated"], now["terminated"], now["phase"]) == (True, False, "over")
    assert now["winners"] == winners
    assert now["round"] == 2


def test_m37_the_shortest_ways_to_the_temple_decide_last():
    table = Table(2, max_rounds=2)
    near, middle, far = (table.lay("plain", 1 + number, 0 + (number == 0)) for number in (0, 1, 2))
    assert (near, middle, far) == (7, 8, 9)
    table.hut(far, 0, 2)
    table.hut(middle, 1, 4)
    table.stand(1, 0, None)
    table.turn_of(1, "act", round=2)
    table.play("end_action")
    assert table.now["winners"] == [1], "two steps against three; the unused ones count the same"


def test_m37_an_unused_offering_counts_as_far_as_can_be_and_a_carrier_by_its_steps():
    table = Table(2, max_rounds=2)
    table.stand(0, 0, QUARRY, 7)
    table.turn_of(1, "act", round=2)
    table.play("end_action")
    assert table.now["winners"] == [0]


def test_m37_ways_lead_around_volcanoes():
    table = Table(2, max_rounds=2)
    behind = table.lay("plain", 0, -2)
    table.hut(behind, 0, 2)
    table.lay("plain", 2, -1)
    table.hut(behind + 1, 1, 2)
    table.turn_of(1, "act", round=2)
    table.play("end_action")
    assert table.now["winners"] == [1], "two steps; the other hut is two away only over a volcano, and cut off so far"


def test_m37_rewards():
    assert cut_off(((2, 4), 0), ((7,), 8), ((), 0)).now["returns"] == [1.0, 0.0, -1.0]
    assert cut_off(((2, 4), 0), ((7,), 8), ((), 0), reward="score").now["returns"] == [0.375, 0.0, -0.375]
    shared = cut_off(((2,), 1), ((2,), 1), ((), 0), reward="win").now["returns"]
    assert shared == pytest.approx([0.25, 0.25, -0.5])


def test_m38_what_is_hidden():
    table = Table(3)
    plain = table.lay("plain", 2, 0)
    table.hut(plain, 0, 4)
    table.stand(0, 0, plain, 6)
    table.deal(0, "land", "priest")
    table.turn_of(0)
    seen = table.position.describe(1)
    assert seen["players"][0]["hand"] == [None, None]
    assert seen["players"][0]["unused_offerings"] == [None, None]
    assert seen["players"][0]["figures"][0]["load"] == "hidden"
    assert seen["tiles"][plain]["huts"] == [{"owner": 0, "offering": "hidden"}]
    assert set(seen["stack"]) == set(seen["draw_pile"]) == {None}
    own = table.position.describe(0)
    assert own["players"][0]["hand"] == ["priest", "land"], "in the order of the data"
    assert own["players"][0]["unused_offerings"] == [2, 7]
    assert own["players"][0]["figures"][0]["load"] == 6
    assert own["tiles"][plain]["huts"] == [{"owner": 0, "offering": 4}]
    table.deliver(0, 2)
    assert table.position.describe(1)["players"][0]["delivered"] == [2]


def test_m38_only_the_looking_seat_sees_the_hexes_of_land_and_the_card_drawn():
    table = with_cards("land", "priest")
    table.next_hexes("plain", "forest", "plain", "quarry")
    table.play("play_card", card="land")
    table.step(0, NORTH)
    assert table.position.describe(0)["stack"][:5] == ["plain", "forest", "plain", "quarry", None]
    assert set(table.position.describe(1)["stack"]) == {None}
    table = with_cards("land", phase="act")
    table.next_card("priest")
    table.play("draw_card")
    assert [table.position.describe(seat)["drawn_card"] for seat in (None, 0, 1)] == ["priest", "priest", None]


def test_m39_a_starting_card_is_playable_in_the_first_turn():
    for seed in range(30):
        table = Table(3, seed, starting_card=True)
        now = table.now
        assert [len(player["hand"]) for player in now["players"]] == [1, 1, 1]
        assert (len(now["draw_pile"]), now["drawn_card"]) == (15, None)
        if now["players"][0]["hand"] == ["endurance"]:
            assert table.may("play_card", card="endurance")
            return
    raise AssertionError("seat 0 never started with Endurance")


def test_m39_dealt_in_seat_order_from_the_top():
    plain, dealt = Table(4, 5), Table(4, 5, starting_card=True)
    assert [player["hand"][0] for player in dealt.now["players"]] == plain.now["draw_pile"][:4]


def test_m39_no_reshuffle():
    table = Table(2, no_reshuffle=True)
    table.discard_pile()
    table.turn_of(0, "act")
    assert "draw_card" not in table.types()
    assert len(table.now["discard_pile"]) == 14


def test_both_variants_are_off_by_default():
    options = Table().position.options
    assert (options["starting_card"], options["no_reshuffle"], options["max_rounds"]) == (False, False, 60)


def test_cards_with_heads_are_out_with_two_players():
    assert set(Table(2).now["draw_pile"]) == set(CARDS) - {"mana_theft", "expulsion"}
    assert set(Table(3).now["draw_pile"]) == set(CARDS)


def test_a_turn_passes_without_a_question_when_nothing_can_be_done():
    """A seat without figures and cards, and with an empty pile, is not asked at all."""
    table = Table()
    table.stand_all(1)
    table.state.draw_size = 0
    table.turn_of(0, "act")
    moves = table.now["move_number"]
    table.play("end_action")
    assert (table.current, table.now["round"], table.now["move_number"]) == (0, 3, moves + 1)


def test_the_end_of_movement_clears_what_belongs_to_it():
    table = Table()
    table.stand(0, 0, B)
    table.turn_of(0)
    table.play("end_movement")
    now = table.now
    assert (now["movement_points"], now["discoveries_left"], now["phase"]) == (0, 0, "act")
