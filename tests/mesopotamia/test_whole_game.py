"""A whole game by hand: one seat discovers, builds, raises the temple, gathers mana and delivers four offerings."""

from tests.mesopotamia.table import (
    FOREST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    QUARRY,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    A,
    Table,
)

WEST, SITE, NORTH_OF_WEST = 7, 8, 9
"""The plains that are discovered: beside forest and quarry, south of that, and north of it."""


def raise_temple(table: Table, figure: int, times: int = 1) -> None:
    """From the temple to the quarry, a stone, and back."""
    for _ in range(times):
        table.step(figure, SOUTH_WEST)
        table.play("take", figure=figure, good="stone")
        table.step(figure, NORTH_EAST)


def pass_on(table: Table) -> None:
    """The turn ends, and the other player does nothing."""
    table.end_turn()
    table.end_turn()
    assert table.current == 0


def mana(table: Table) -> tuple[int, int]:
    player = table.player(0)
    return player["mana"], player["mana_max"]


def test_a_game_to_the_fourth_delivery():
    table = Table(2, seed=0)
    table.next_hexes("plain", "plain", "plain")
    table.goods(QUARRY, stone=13)
    table.goods(FOREST, wood=4)

    # Round 1 has two points: through the temple to the forest, a wood; a birth at home.
    table.step(0, SOUTH_WEST, NORTH_WEST)
    table.play("take", figure=0, good="wood")
    assert (table.figure(0, 0)["tile"], table.figure(0, 0)["load"]) == (FOREST, "wood")
    table.play("end_movement")
    table.play("give_birth", tile=A)
    table.end_turn()

    # Round 2: a plain in the west is discovered, another figure follows, and each wood becomes a hut.
    assert (table.current, table.now["round"], table.now["movement_points"]) == (0, 2, 5)
    table.step(0, SOUTH_WEST)
    table.step(1, SOUTH_WEST, NORTH_WEST)
    table.play("take", figure=1, good="wood")
    table.step(1, SOUTH_WEST)
    table.step(2, SOUTH_WEST)
    table.play("end_movement")
    table.play("build_hut", tile=WEST, offering=2)
    table.play("build_hut", tile=WEST, offering=4)
    assert table.current == 1, "nor is any wood"
    table.end_turn()

    # Round 3: two stones raise the temple.
    raise_temple(table, 2, times=2)
    assert mana(table) == (2, 5)
    table.step(3, SOUTH_WEST)
    pass_on(table)

    # Round 4: the first offering is taken and paid; its figure goes back to the supply.
    table.play("take_offering", figure=0, offering=2)
    table.step(0, SOUTH_EAST, NORTH_EAST)
    assert (table.player(0)["delivered"], table.figure(0, 0)["tile"]) == ([2], None)
    raise_temple(table, 2)
    assert mana(table) == (1, 6)
    pass_on(table)

    # Round 5: a second plain, two figures and a stone: a cult site, which pays at once.
    table.step(1, SOUTH)
    table.step(2, SOUTH_WEST)
    table.play("take", figure=2, good="stone")
    table.step(2, SOUTH_WEST)
    raise_temple(table, 3)
    table.play("end_movement")
    table.play("build_cult_site", tile=SITE)
    assert mana(table) == (3, 7)
    table.end_turn()

    # Round 6: the second offering.
    raise_temple(table, 3)
    table.step(1, NORTH)
    table.play("take_offering", figure=1, offering=4)
    table.step(1, SOUTH_EAST, NORTH_EAST)
    assert table.player(0)["delivered"] == [2, 4]
    pass_on(table)
    assert mana(table) == (1, 8)

    # Round 7: two figures at the huts that are free now: both give birth.
    table.step(3, SOUTH_WEST, NORTH_WEST)
    table.step(2, NORTH)
    table.play("end_movement")
    table.play("give_birth", tile=WEST)
    table.play("give_birth", tile=WEST)
    assert [table.figure(0, number)["tile"] for number in (0, 1)] == [WEST, WEST]
    table.end_turn()

    # Round 8: a third plain for the last two huts; the cult site is guarded again.
    table.step(0, SOUTH)  # of the four that are alike the lowest moves
    for number in (1, 2):
        table.step(number, NORTH_EAST)
        table.play("take", figure=number, good="wood")
        table.step(number, NORTH_WEST)
    table.play("end_movement")
    table.play("build_hut", tile=NORTH_OF_WEST, offering=7)
    table.play("build_hut", tile=NORTH_OF_WEST, offering=6)
    assert mana(table) == (2, 8)
    table.end_turn()

    # Rounds 9 and 10: stones and the cult site fill the track.
    table.step(3, SOUTH_EAST)
    table.play("take", figure=3, good="stone")
    table.step(3, NORTH_EAST)
    raise_temple(table, 3)
    pass_on(table)
    assert mana(table) == (5, 8)
    raise_temple(table, 3, times=2)
    pass_on(table)
    assert mana(table) == (8, 8)

    # Round 11: the dearest offering.
    table.play("take_offering", figure=1, offering=7)
    table.step(1, SOUTH_EAST, SOUTH_EAST)
    raise_temple(table, 3)
    pass_on(table)
    assert mana(table) == (3, 8)

    # Rounds 12 and 13: once more, and the fourth delivery ends the game in mid-turn.
    raise_temple(table, 3, times=2)
    pass_on(table)
    assert mana(table) == (6, 8)
    table.play("take_offering", figure=2, offering=6)
    table.step(2, SOUTH_EAST)
    assert table.phase == "move"
    table.step(2, SOUTH_EAST)
    now = table.now
    assert now["players"][0]["delivered"] == [2, 4, 7, 6]
    assert (now["terminated"], now["winners"], now["returns"]) == (True, [0], [1.0, -1.0])
    assert (now["round"], now["movement_points"], now["players"][0]["mana"]) == (13, 3, 0)
    assert table.legal() == []
