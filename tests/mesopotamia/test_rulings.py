"""Every ruling of the game's README, M1 to M39, by number: phases A, the temple, discovering and stealing."""

from __future__ import annotations

import pytest

from tests.mesopotamia.table import (
    FOREST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    QUARRY,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    TEMPLE,
    A,
    B,
    Table,
)

# ------------------------------------------------------------------ turn and movement


def test_m1_seat_0_starts():
    for seed in range(5):
        assert Table(4, seed).current == 0


def test_m2_an_action_is_no_duty_and_one_kind_a_turn():
    table = Table()
    plain = table.lay("plain", 2, 0)
    table.stand(0, 0, plain, "wood")
    table.stand(0, 1, plain, "stone")
    table.stand(0, 2, plain, "wood")
    table.turn_of(0, "act")
    assert {"build_hut", "build_cult_site", "draw_card", "end_action"} <= table.types()
    table.play("build_hut", tile=plain, offering=4)
    assert table.types() == {"build_hut", "end_action"}, "as often as its conditions hold, and nothing else"
    table.play("build_hut", tile=plain, offering=2)
    assert table.current == 1, "no third hut has room, so the turn is over"


def test_m2_passing():
    table = Table()
    table.turn_of(0, "act")
    table.play("end_action")
    assert table.current == 1


def test_m3_a_good_laid_down_is_not_taken_again_before_the_next_hex():
    table = Table()
    table.goods(A, wood=1, stone=1)
    table.turn_of(0)
    table.play("take", figure=0, good="wood")
    table.play("drop", figure=0)
    assert table.figure(0, 0)["dropped"] == ["wood"]
    assert not table.may("take", figure=0, good="wood")
    assert table.may("take", figure=0, good="stone"), "of another kind it may"
    assert table.may("take", figure=1, good="wood"), "and others may"
    table.play("take", figure=0, good="stone")
    table.play("drop", figure=0)
    assert table.figure(0, 0)["dropped"] == ["wood", "stone"]
    table.step(0, SOUTH)
    assert table.figure(0, 0)["dropped"] == []
    table.step(0, NORTH)
    assert table.may("take", figure=0, good="wood")


def test_m3_dropped_is_forgotten_at_the_end_of_movement():
    table = Table()
    table.stand(0, 0, A, "wood")
    table.turn_of(0)
    table.play("drop", figure=0)
    table.play("end_movement")
    assert table.figure(0, 0)["dropped"] == []


def test_m4_goods_pass_between_own_figures():
    table = Table()
    table.stand(0, 0, A, "stone")
    table.turn_of(0)
    table.play("drop", figure=0)
    table.play("take", figure=1, good="stone")
    assert [table.figure(0, number)["load"] for number in (0, 1)] == [None, "stone"]
    assert table.now["movement_points"] == 5


def test_m5_one_load_a_figure():
    table = Table()
    table.stand(0, 0, A, "stone")
    table.goods(A, wood=2)
    table.turn_of(0)
    assert not table.may("take", figure=0, good="wood")
    assert table.may("take", figure=1, good="wood")


def test_m6_anybody_takes_loose_goods():
    table = Table()
    table.stand(0, 0, B)
    table.stand(1, 0, B, "wood")
    table.turn_of(1)
    table.play("drop", figure=0)
    table.turn_of(0)
    table.play("take", figure=0, good="wood")
    assert table.figure(0, 0)["load"] == "wood"


# ------------------------------------------------------------------ the temple


def test_m7_no_wood_into_the_temple():
    table = Table()
    table.stand(0, 0, A, "wood")
    table.turn_of(0)
    assert not table.may("step", figure=0, direction=SOUTH_WEST)
    assert table.may("step", figure=1, direction=SOUTH_WEST)


@pytest.mark.parametrize(("mana", "most", "after"), [(0, 3, (1, 4)), (3, 3, (4, 4)), (5, 8, (6, 8)), (8, 8, (8, 8))])
def test_m8_a_stone_is_laid_at_the_temple(mana, most, after):
    table = Table()
    table.stand(0, 0, QUARRY, "stone")
    table.give(0, mana=mana, mana_max=most)
    table.turn_of(0)
    supply = table.now["supply"]["stone"]
    table.step(0, NORTH_EAST)
    assert (table.player(0)["mana"], table.player(0)["mana_max"]) == after
    assert table.figure(0, 0) == {"tile": TEMPLE, "load": None, "has_stolen": False, "dropped": []}
    assert table.now["supply"]["stone"] == supply + 1


def test_m9_an_offering_that_cannot_be_paid_stays_outside():
    table = Table()
    table.stand(0, 0, A, 4)
    table.give(0, mana=3, mana_max=5)
    table.turn_of(0)
    assert not table.may("step", figure=0, direction=SOUTH_WEST)
    table.give(0, mana=4)
    assert table.may("step", figure=0, direction=SOUTH_WEST)


def test_m10_an_offering_is_delivered_at_once():
    table = Table()
    table.stand(0, 0, A, 4)
    table.give(0, mana=5, mana_max=5)
    table.turn_of(0)
    table.step(0, SOUTH_WEST)
    assert table.player(0)["delivered"] == [4]
    assert table.player(0)["mana"] == 1
    assert table.figure(0, 0)["tile"] is None
    assert table.figure(0, 0)["load"] is None
    assert table.now["movement_points"] == 4


def test_m10_the_fourth_delivery_wins_in_mid_turn():
    table = Table(3)
    table.deliver(0, 7, 2, 6)
    table.stand(0, 0, A, 4)
    table.give(0, mana=4, mana_max=5)
    table.turn_of(0)
    table.step(0, SOUTH_WEST)
    now = table.now
    assert (now["terminated"], now["truncated"], now["phase"], now["current_player"]) == (True, False, "over", None)
    assert now["winners"] == [0]
    assert now["players"][0]["delivered"] == [7, 2, 6, 4]
    assert now["movement_points"] == 4, "the turn stops where it is"
    assert now["returns"] == [1.0, -0.5, -0.5]


def test_m11_figures_without_load_pass_the_temple():
    table = Table()
    table.turn_of(0)
    table.step(0, SOUTH_WEST, SOUTH_WEST)
    assert table.figure(0, 0)["tile"] == QUARRY
    assert table.now["movement_points"] == 3
    table.step(0, NORTH_EAST)
    table.play("end_movement")
    assert table.figure(0, 0)["tile"] == TEMPLE


# ------------------------------------------------------------------ discovering


def test_m12_a_discovery_costs_one_point_also_with_a_load():
    table = Table()
    table.stand(0, 0, A, "wood")
    table.next_hexes("plain")
    table.turn_of(0)
    table.step(0, NORTH)
    now = table.now
    assert now["tiles"][7] == {
        "kind": "plain",
        "q": 1,
        "r": -2,
        "wood": 0,
        "stone": 0,
        "huts": [],
        "cult_site": None,
        "births": 0,
    }
    assert table.figure(0, 0) == {"tile": 7, "load": "wood", "has_stolen": False, "dropped": []}
    assert (now["movement_points"], now["discoveries_left"], len(now["stack"])) == (4, 2, 27)


def test_three_discoveries_a_turn():
    table = Table()
    table.next_hexes("plain", "plain", "plain", "plain")
    table.turn_of(0)
    table.step(0, NORTH, NORTH, NORTH)
    assert table.now["discoveries_left"] == 0
    assert not table.may("step", figure=0, direction=NORTH)
    assert table.may("step", figure=0, direction=SOUTH)


def test_m13_too_few_other_forests():
    """Three players, one other forest: it gets one, the new one two, without a decision."""
    table = Table(3)
    table.next_hexes("forest")
    table.turn_of(0)
    table.step(0, NORTH)
    assert table.phase == "move"
    assert (table.tile(FOREST)["wood"], table.tile(7)["wood"]) == (4, 2)
    assert table.now["supply"]["wood"] == 14


def seeding(others: int, num_players: int = 2, left_in_supply: int | None = None) -> Table:
    """A forest has just been discovered; so many others lie on the map."""
    table = Table(num_players)
    for number in range(others - 1):
        table.lay("forest", -2, -number)
    if left_in_supply is not None:
        table.state.supply[0] = left_in_supply
    table.next_hexes("forest")
    table.turn_of(0)
    table.step(0, NORTH)
    return table


def test_m13_the_discoverer_chooses_with_enough_forests():
    """Two tokens on any two of three forests, in ascending order, each next one above the last."""
    table = seeding(2)
    new = len(table.now["tiles"]) - 1
    assert table.phase == "seed"
    assert table.now["pending"] == {"good": "wood", "left": 2, "seeded": []}
    assert table.legal() == [{"type": "seed", "tile": FOREST}, {"type": "seed", "tile": 7}]
    table.play("seed", tile=FOREST)
    assert table.now["pending"] == {"good": "wood", "left": 1, "seeded": [FOREST]}
    assert table.legal("seed") == [{"tile": 7}, {"tile": new}]
    table.play("seed", tile=new)
    assert (table.phase, table.now["pending"]) == ("move", None)
    assert [table.tile(tile)["wood"] for tile in (FOREST, 7, new)] == [3, 0, 1]
    assert table.figure(0, 0)["tile"] == new


def test_m13_the_last_token_is_laid_where_it_must():
    table = seeding(2)
    table.play("seed", tile=7)
    assert table.phase == "move", "only the new forest is above"
    assert [table.tile(tile)["wood"] for tile in (FOREST, 7, 8)] == [2, 1, 1]


def test_m13_as_many_others_as_tokens_is_a_choice_of_all_forests():
    table = seeding(3, num_players=3)
    assert table.legal("seed") == [{"tile": FOREST}, {"tile": 7}]


def test_m14_a_small_supply_is_seeded_as_far_as_it_goes():
    table = seeding(2, num_players=4, left_in_supply=1)
    assert table.now["pending"]["left"] == 1
    assert table.legal("seed") == [{"tile": FOREST}, {"tile": 7}, {"tile": 8}]
    table.play("seed", tile=7)
    assert (table.phase, table.now["supply"]["wood"], table.tile(7)["wood"]) == ("move", 0, 1)


def test_m14_an_empty_supply_seeds_nothing():
    table = seeding(2, left_in_supply=0)
    assert table.phase == "move"
    assert table.tile(8)["wood"] == 0


def test_quarries_are_seeded_alike():
    table = Table(2)
    table.next_hexes("quarry")
    table.turn_of(0)
    table.step(0, NORTH)
    assert (table.tile(QUARRY)["stone"], table.tile(7)["stone"], table.now["supply"]["stone"]) == (3, 1, 16)


def test_m15_a_volcano_is_placed_elsewhere_and_another_hex_drawn():
    table = Table()
    table.next_hexes("volcano", "volcano", "plain")
    table.turn_of(0)
    table.step(0, NORTH)
    now = table.now
    assert table.phase == "place_volcano"
    assert now["pending"] == {"figure": 0, "direction": NORTH}
    assert now["movement_points"] == 4, "the point is paid"
    assert (now["discoveries_left"], now["players"][0]["figures"][0]["tile"]) == (3, A)
    assert len(now["stack"]) == 27, "the volcano has left the stack"
    assert not table.may("place_volcano", tile=A, direction=NORTH), "not where the figure steps"
    assert not table.may("place_volcano", tile=1, direction=NORTH_EAST), "under whatever name"
    table.play("place_volcano", tile=A, direction=NORTH_EAST)
    assert (table.phase, table.tile(7)["kind"], table.tile(7)["q"], table.tile(7)["r"]) == (
        "place_volcano",
        "volcano",
        2,
        -2,
    )
    table.play("place_volcano", tile=7, direction=NORTH)
    assert (table.phase, table.now["pending"]) == ("move", None)
    assert (table.tile(9)["kind"], table.figure(0, 0)["tile"]) == ("plain", 9)
    assert (table.now["movement_points"], table.now["discoveries_left"]) == (4, 2), "volcanoes do not count"


def test_m15_a_place_is_named_once_by_its_lowest_tile():
    table = Table()
    table.next_hexes("volcano", "plain")
    table.turn_of(0)
    table.step(0, NORTH)
    places = {}
    for action in table.legal("place_volcano"):
        tile = table.tile(action["tile"])
        q, r = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))[action["direction"]]
        places.setdefault((tile["q"] + q, tile["r"] + r), []).append(action["tile"])
    assert len(places) == 12 - 1, "all places around the start map but the one entered"
    assert all(len(names) == 1 for names in places.values())
    assert places[2, -2] == [A]
    assert places[0, 2] == [4], "south of the second volcano; the quarry, tile 5, is no neighbour"


@pytest.mark.parametrize("stack", [(), ("volcano",), ("volcano", "volcano")])
def test_m16_no_discovery_without_an_enterable_hex_in_the_stack(stack):
    table = Table()
    table.only_hexes(*stack)
    table.turn_of(0)
    assert not table.may("step", figure=0, direction=NORTH)
    table.only_hexes(*stack, "plain")
    assert table.may("step", figure=0, direction=NORTH)


def test_m17_volcanoes_are_not_entered():
    table = Table()
    table.turn_of(0)
    assert not table.may("step", figure=0, direction=NORTH_WEST)
    table.deal(0, "teleport")
    table.play("play_card", card="teleport")
    table.play("pick_figure", seat=0, figure=0)
    assert [target["tile"] for target in table.legal("pick_tile")] == [B, QUARRY, FOREST], "neither temple nor volcano"


# ------------------------------------------------------------------ stealing


def test_m18_more_figures_than_the_victim_alone():
    """Two on the hex against one of either victim, though the others together are as many."""
    table = Table(3)
    table.stand_all(0, A, A)
    table.stand(1, 0, A, "wood")
    table.stand(2, 0, A, "stone")
    table.turn_of(0)
    assert table.legal("steal") == [
        {"figure": 0, "from": 1, "good": "wood"},
        {"figure": 0, "from": 2, "good": "stone"},
    ]
    table.stand(1, 1, A)
    assert table.legal("steal") == [{"figure": 0, "from": 2, "good": "stone"}]


def test_m18_laden_figures_count():
    table = Table()
    table.stand_all(0, A, A)
    table.stand(0, 0, A, "wood")
    table.stand(1, 0, A, "stone")
    table.turn_of(0)
    assert table.legal("steal") == [{"figure": 1, "from": 1, "good": "stone"}]


def test_m19_once_a_turn_a_figure_without_load_and_no_offerings():
    table = Table()
    table.stand_all(0, A, A, A, A)
    table.stand(1, 0, A, "stone")
    table.stand(1, 1, A, "stone")
    table.stand(1, 2, A, 2)
    table.turn_of(0)
    table.play("steal", figure=0, **{"from": 1}, good="stone")
    assert table.figure(1, 0)["load"] is None, "the lowest of the victim's figures loses it"
    assert (table.figure(0, 0)["load"], table.figure(0, 0)["has_stolen"]) == ("stone", True)
    table.play("drop", figure=0)
    assert [theft["figure"] for theft in table.legal("steal")] == [1], "each figure once a turn"
    table.play("steal", figure=1, **{"from": 1}, good="stone")
    assert table.legal("steal") == [], "offerings are never stolen"
    table.play("end_movement")
    assert not table.figure(0, 0)["has_stolen"]


def test_figures_that_are_alike_are_offered_once():
    table = Table()
    table.turn_of(0)
    assert {action["figure"] for action in table.legal("step")} == {0}
    table.step(0, SOUTH)
    assert {action["figure"] for action in table.legal("step")} == {0, 1}
    table.stand(0, 2, A, "wood")
    assert {action["figure"] for action in table.legal("step")} == {0, 1, 2}


@pytest.mark.parametrize(
    ("direction", "tile"),
    [(NORTH, 1), (NORTH_EAST, A), (SOUTH_EAST, B), (SOUTH, 4), (SOUTH_WEST, QUARRY), (NORTH_WEST, FOREST)],
)
def test_directions_go_clockwise_from_north(direction, tile):
    table = Table()
    table.stand(0, 0, TEMPLE)
    table.turn_of(0)
    if table.tile(tile)["kind"] == "volcano":
        assert not table.may("step", figure=0, direction=direction)
    else:
        table.step(0, direction)
        assert table.figure(0, 0)["tile"] == tile
