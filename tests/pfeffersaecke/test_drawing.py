"""The drawing and the text board show the whole table and nothing that the description hides."""

import math
from xml.etree import ElementTree

import numpy as np
import pytest

from envs.pfeffersaecke import GAME, drawing
from envs.pfeffersaecke.board import BOX
from envs.pfeffersaecke.components import CANVAS
from envs.pfeffersaecke.drawing import REGION_NAMES, REGION_TINTS, _price_places, _surroundings
from envs.position import Position
from envs.svg import PLAYER_COLOURS, to_pixels
from tests.pfeffersaecke.policies import play_greedily
from tests.pfeffersaecke.table import Table


def elements(svg: str, tag: str) -> list[ElementTree.Element]:
    return [element for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}" + tag)]


def words(svg: str) -> list[str]:
    return [element.text or "" for element in elements(svg, "text")]


def houses(svg: str, seat: int) -> int:
    return sum(element.get("fill") == PLAYER_COLOURS[seat] for element in elements(svg, "polygon"))


@pytest.mark.parametrize("n", range(2, 7))
def test_everything_lies_within_a_picture_1000_pixels_wide(n):
    rng = np.random.default_rng(n)
    position = Position(GAME, {"num_players": n}, n)
    while True:
        if position.is_over or position.move_number % 30 == 0:
            root = ElementTree.fromstring(GAME.draw(position.describe()))
            width, height = float(root.get("width", 0)), float(root.get("height", 0))
            assert width == 1000
            for element in root.iter():
                x = [float(element.get(key, 0)) for key in ("x", "cx")]
                y = [float(element.get(key, 0)) for key in ("y", "cy")]
                assert 0 <= max(x) + float(element.get("width", 0)) <= width + 0.01
                assert 0 <= max(y) + float(element.get("height", 0)) <= height + 0.01
                if element.text and element.tag.endswith("text"):
                    assert float(element.get("font-size", 0)) >= 10, element.text
        if position.is_over:
            break
        position.apply(play_greedily(position, rng))


def test_the_map_shows_every_route_with_its_price_every_place_with_its_name_and_every_region():
    svg = GAME.draw(Table(5).described)
    shown = words(svg)
    for place in BOX.places:
        assert place.name in shown
    for name in BOX.regions.values():
        assert name in shown
    titles = [
        element.get("title") or "".join(child.text or "" for child in element) for element in elements(svg, "text")
    ]
    for route in BOX.routes:
        names = {place.id: place.name for place in BOX.places}
        assert f"{names[route.a]}-{names[route.b]}: {route.price} gulden" in titles
    fills = {element.get("fill") for element in elements(svg, "polygon")}
    assert set(REGION_TINTS.values()) <= fills


def test_no_price_lies_on_a_place_or_on_another_price():
    spots = _price_places()
    for x, y in spots:
        for place in BOX.places:
            assert math.dist((x, y), (place.x, place.y)) > (27 if place.value else 12)
    for i, one in enumerate(spots):
        for other in spots[:i]:
            assert abs(one[0] - other[0]) > 12 or abs(one[1] - other[1]) > 12


def test_regions_are_tinted_around_their_places_and_fill_the_map():
    """The areas are those nearest to each place, so they cover the map once."""

    def area(corners: list[tuple[float, float]]) -> float:
        pairs = zip(corners, corners[1:] + corners[:1], strict=True)
        return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2

    areas = _surroundings()
    assert len(areas) == 45
    assert sum(area(corners) for _, corners in areas) == pytest.approx(CANVAS[0] * CANVAS[1])


def test_a_city_has_as_many_fields_as_its_value_and_branches_stand_on_them():
    empty = GAME.draw(Table(2).described)
    table = Table(2)
    table.lay("koeln", "ulm")
    table.branch(0, "koeln", "koeln")
    table.branch(1, "koeln")
    table.turn_of(0, "expand")
    table.play("expand_twice", city="koeln")
    svg = GAME.draw(table.described)
    assert houses(svg, 0) - houses(empty, 0) == 4
    assert houses(svg, 1) - houses(empty, 1) == 1

    def fields(svg: str) -> int:
        return sum(element.get("r") == "5.5" for element in elements(svg, "circle"))

    assert fields(empty) == sum(place.value for place in BOX.cities) - sum((5, 3, 2, 2, 2, 2, 4)), (
        "closed ones have none"
    )
    assert fields(empty) - fields(svg) == 3


def test_score_markers_coins_and_privileges_are_shown():
    table = Table(3, "halle", "loewen", "soest")
    table.give(1, points=107, coins=4321, privileges=1)
    svg = GAME.draw(table.described)
    assert {str(number) for number in range(100)} <= set(words(svg))
    assert "107 points" in words(svg)
    assert "4321 gulden" in words(svg)
    sealed = [e for e in elements(svg, "rect") if any(child.text == "privilege" for child in e)]
    used = [e for e in elements(svg, "rect") if any(child.text == "used privilege" for child in e)]
    assert (len(sealed), len(used)) == (5, 1)


def test_the_picture_says_whose_turn_it_is_and_how_near_the_end_is():
    table = Table(3, "halle", "loewen", "soest", start=1)
    head = " ".join(words(GAME.draw(table.described)))
    assert "player_1: place token · round 1 · 17 free towns · 0 turns without opening" in head
    table.turn_of(0, "open", without_opening=2)
    table.give(0, points=9)
    table.give(2, points=9)
    table.play("pass")
    for shown in (" ".join(words(GAME.draw(table.described))), GAME.text(table.described)):
        assert "over, player_0 and player_2 won" in shown


def test_a_seats_picture_hides_what_the_seat_cannot_know():
    """Two positions that differ in the others' tokens only give the same picture and text to the seat."""
    hands = [[2], [5, 2], [6, 3]], [[2], [6, 2], [5, 3]]
    laid = [[8, 7, 2, 3, 4, 4, 4], [5, 6, 2, 3, 3, 4], [5, 7, 2, 2, 3, 4]]
    one, two = Table(3), Table(3)
    one.deal(hands[0], laid)
    two.deal(hands[1], laid)
    assert GAME.draw(one.position.describe(0)) == GAME.draw(two.position.describe(0))
    assert GAME.text(one.position.describe(0)) == GAME.text(two.position.describe(0))
    assert GAME.draw(one.position.describe(1)) != GAME.draw(two.position.describe(1))
    assert GAME.text(one.position.describe()) != GAME.text(two.position.describe())


def test_the_text_board_names_hands_towns_and_rings():
    table = Table(3, "halle", "loewen", "soest")
    table.take_away("ulm")
    table.lay("koeln")
    table.branch(2, "koeln")
    table.branch(0, "koeln")
    text = GAME.text(table.described)
    assert "> player_0  points 1  coins 20  privileges 2  houses 42  hand " in text
    assert "towns loewen; won -" in text
    assert "koeln         8  20......" in text
    assert "(token gone)" in text


def test_pixels():
    pixels = to_pixels(GAME.draw(Table(6).described), 1000)
    assert pixels.shape[1] == 1000
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100


def test_each_region_bears_its_name_within_it_and_clear_of_everything_else():
    """Letters are at most 6.3 pixels wide; the corners of a name's box are nearest to places of the region."""
    taken = [drawing._name_box(place) for place in BOX.places]
    for place in BOX.places:
        radius = drawing._radius(place)
        taken.append((place.x - radius, place.y - radius, 2 * radius, 2 * radius))
    for route, (x, y) in zip(BOX.routes, _price_places(), strict=True):
        width = drawing._price_width(route)
        taken.append((x - width / 2, y - 7, width, 14))
    assert REGION_NAMES.keys() == BOX.regions.keys()
    for region, (x, y) in REGION_NAMES.items():
        lines = drawing._region_lines(region)
        assert "".join(lines) == BOX.regions[region]
        width, height = 6.3 * max(map(len, lines)), drawing.REGION_LINE * len(lines)
        box = (x - width / 2, y - height / 2, width, height)
        assert not any(drawing._overlap(box, other) for other in taken), region
        for corner in ((x + across * width / 2, y + down * height / 2) for across in (-1, 1) for down in (-1, 1)):
            nearest = min((math.dist(corner, (place.x, place.y)), place.region) for place in BOX.places)
            assert nearest[1] == region
