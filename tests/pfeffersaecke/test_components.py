"""The facts of the box: what the rulebook says of them holds; a file for which it does not is refused, and why."""

import re
from collections import Counter

import pytest

from envs.errors import GameDefinitionError
from envs.pfeffersaecke.board import (
    BOX,
    CITIES,
    CLOSED,
    HIGH_TOKENS_EACH,
    NEIGHBOUR,
    NUM_ROUTES,
    PLACE_NUMBER,
    PLACES,
    PRICE,
    REGION_SETS,
    TOKENS_DEALT,
    TOKENS_EACH,
)
from envs.pfeffersaecke.components import FILE, load, tokens_dealt

TEXT = FILE.read_text(encoding="utf-8")


def city(id: str, old: str, new: str) -> tuple[str, str]:
    """A replacement within the table of a city or town."""
    table = re.search(rf'id = "{id}"\n(?:\w+ = .*\n)*', TEXT)
    assert table is not None
    assert old in table[0]
    return table[0], table[0].replace(old, new)


def route(a: str, b: str) -> str:
    line = re.search(rf'    \{{ a = "{a}", b = "{b}", .*\n', TEXT)
    assert line is not None
    return line[0]


BROKEN: dict[str, tuple[list[tuple[str, str]], str]] = {
    "no TOML": ([("schema_version = 1", "schema_version =")], "is no TOML"),
    "schema": ([("schema_version = 1", "schema_version = 2")], "schema_version must be 1"),
    "another game": ([('game = "pfeffersaecke"', 'game = "pfeffer"')], "game is 'pfeffer', not 'pfeffersaecke'"),
    "unknown key": ([("coins_per_point", "coins_a_point")], "'coins_a_point' in rules: did you mean 'coins_per_point'"),
    "missing key": ([("highest_price = 56\n", "")], "rules lacks highest_price"),
    "a number of the rulebook": (
        [("double_income_minimum = 48", "double_income_minimum = 40")],
        "double_income_minimum is 40, the rulebook says 48",
    ),
    "start coins": ([("4 = 25, 5 = 30", "4 = 26, 5 = 30")], "rules: start_coins is {2: 15, 3: 20, 4: 26"),
    "tokens": ([("tokens = { 2 = 7, 3 = 5", "tokens = { 2 = 6, 3 = 6")], "rules: tokens is {2: 6, 3: 6"),
    "closed cities": ([("erfurt = 5", "erfurt = 4")], "two_players: closed_cities"),
    "town counter": ([("town_counter = 18", "town_counter = 16")], "town_counter is 16, the rulebook says 18"),
    "between": (
        [('between = ["regensburg", "muenchen"]', 'between = ["regensburg", "linz"]')],
        "covered_town lies between ['regensburg', 'linz'], the rulebook says muenchen and regensburg",
    ),
    "passable route": ([('b = "nuernberg", price = 56 }\n\n', 'b = "nuernberg", price = 55 }\n\n')], "passable_route"),
    "24 cities": ([("[[cities]]\n" + city("ulm", "ulm", "ulm")[0] + "\n", "")], "unknown place 'ulm'"),
    "a city too many": (
        [("[[towns]]\n" + city("hof", "hof", "hof")[0], "[[cities]]\n" + city("linz", "linz", "hof")[1])],
        "there are 26 cities, not 25",
    ),
    "a town twice": ([city("fulda", 'id = "fulda"', 'id = "hof"')], "the place 'hof' is there 2 times"),
    "nine regions": (
        [('[[regions]]\nid = "holland"\nname = "Holland"\nstatus = "reconstructed"\n', "")],
        "unknown region 'holland' in city amsterdam",
    ),
    "an eleventh region": (
        [
            (
                '[[regions]]\nid = "holland"',
                '[[regions]]\nid = "tirol"\nname = "Tirol"\nstatus = "rules"\n\n[[regions]]\nid = "holland"',
            )
        ],
        "there are 11 regions, not 10",
    ),
    "an empty region": (
        [
            ('id = "holland"\nname = "Holland"', 'id = "tirol"\nname = "Tirol"'),
            ('region = "holland"', 'region = "flandern"'),
        ],
        "the region tirol has neither city nor town",
    ),
    "Erfurt is a 5": (
        [city("erfurt", "value = 5", "value = 4"), city("frankfurt", "value = 4", "value = 5")],
        "erfurt has the value 4, the rulebook: 5",
    ),
    "Wien is named": ([('"wien"', '"vienna"')], "the city wien, named in the rulebook, is missing"),
    "as many cities as tokens": ([city("koeln", "value = 8", "value = 7")], "3 cities have the value 7, there are 2"),
    "value 9": ([city("koeln", "value = 8", "value = 9")], "it must be a whole number from 2 to 8"),
    "price 57": ([("price = 39,", "price = 57,")], "price is 57, it must be a whole number from 2 to 56"),
    "price 1": ([("price = 2,", "price = 1,")], "price is 1, it must be a whole number from 2 to 56"),
    "price in words": ([("price = 2,", 'price = "2",')], "price is '2', it must be a whole number"),
    "lowest price": ([("price = 2,", "price = 3,")], "no route costs 2"),
    "the route of 56": (
        [('b = "nuernberg", price = 56, status', 'b = "nuernberg", price = 55, status')],
        "braunschweig-nuernberg costs 55, the rulebook says 56",
    ),
    "no route of 56": ([(route("braunschweig", "nuernberg"), "")], "braunschweig-nuernberg, named in the rulebook, is"),
    "a route twice": (
        [(route("linz", "wien"), 2 * route("linz", "wien"))],
        "the route linz-wien is there 2 times",
    ),
    "there and back": (
        [
            (
                route("linz", "wien"),
                route("linz", "wien") + '    { a = "wien", b = "linz", price = 17, status = "rules" },\n',
            )
        ],
        "the route linz-wien is there 2 times",
    ),
    "a route to itself": ([('a = "linz", b = "wien"', 'a = "linz", b = "linz"')], "a route leads from linz to itself"),
    "an unknown end": (
        [('a = "linz", b = "wien"', 'a = "linz", b = "win"')],
        "unknown place 'win' in map.routes: did you mean",
    ),
    "an island": (
        [(route("rostock", "stralsund"), ""), (route("stralsund", "wittenberg"), "")],
        "the map is not connected: no way leads from aachen to stralsund",
    ),
    "the covered town": (
        [(route("landshut", "muenchen"), "")],
        "the town landshut has no routes to muenchen and regensburg",
    ),
    "the cut off town": ([(route("erfurt", "hof"), "")], "the town hof has no routes to erfurt and regensburg"),
    "it is not cut off": (
        [('a = "linz", b = "wien"', 'a = "hof", b = "fulda"')],
        "with two players hof is not cut off: it has a route to fulda",
    ),
    "a city as covered town": ([('{ id = "landshut"', '{ id = "linz"')], "unknown town 'linz' in two_players"),
    "the board of two players": (
        [(route("rostock", "stralsund"), "")],
        "the board of two players is not connected: no way leads from aachen to stralsund",
    ),
    "status": ([city("linz", '"rules"', '"guessed"')], "unknown name_status 'guessed' in city linz"),
    "off the canvas": ([city("linz", "x = ", "x = 1")], "city linz: x is"),
}
"""By what is wrong: replacements in the file, and what the refusal says."""


@pytest.mark.parametrize("what", BROKEN)
def test_broken_file_is_refused_with_the_reason(what, tmp_path):
    changes, reason = BROKEN[what]
    broken = TEXT
    for old, new in changes:
        assert old in broken, old
        broken = broken.replace(old, new)
    path = tmp_path / "map.toml"
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(GameDefinitionError, match=re.escape(reason)) as refused:
        load(path)
    assert str(refused.value).startswith("map.toml")
    assert "\n" not in str(refused.value)


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(GameDefinitionError, match=r"none\.toml cannot be read"):
        load(tmp_path / "none.toml")


def test_a_corrected_reconstruction_is_taken(tmp_path):
    """Whoever owns the box may correct prices, names, regions and values that the rulebook does not give."""
    path = tmp_path / "map.toml"
    corrected = TEXT.replace('a = "bruegge", b = "antwerpen", price = 10', 'a = "bruegge", b = "antwerpen", price = 9')
    corrected = corrected.replace(*city("antwerpen", "value = 6", "value = 4"))
    corrected = corrected.replace(*city("bruessel", "value = 4", "value = 6"))
    path.write_text(corrected, encoding="utf-8")
    box = load(path)
    assert box.routes[0].price == 9
    assert [place.value for place in box.cities[:2]] == [4, 6]


def test_the_map_as_the_rulebook_describes_it():
    assert (len(BOX.cities), len(BOX.towns), len(BOX.regions)) == (25, 20, 10)
    assert Counter(place.value for place in BOX.cities) == {2: 7, 3: 5, 4: 5, 5: 3, 6: 2, 7: 2, 8: 1}
    prices = [route.price for route in BOX.routes]
    assert (min(prices), max(prices), prices.count(56)) == (2, 56, 1)
    named = {"erfurt": 5, "leipzig": 3, "wittenberg": 2, "regensburg": 2, "muenchen": 2, "linz": 2, "wien": 4}
    assert {city.id: city.value for city in BOX.cities if city.id in named} == named


def test_every_fact_has_its_mark():
    marks = Counter(re.findall(r'status = "(\w+)"', TEXT))
    assert set(marks) == {"rules", "found", "reconstructed"}
    places = 3 * 25 + 20
    assert sum(marks.values()) == places + len(BOX.routes) + len(BOX.regions)


@pytest.mark.parametrize(
    ("num_players", "total", "high", "left_over", "low_each", "each"),
    [(2, 18, 3, 1, 6, 9), (3, 24, 2, 2, 6, 8), (4, 24, 2, 0, 4, 6), (5, 25, 1, 3, 4, 5), (6, 24, 1, 2, 3, 4)],
)
def test_the_table_of_the_deal(num_players, total, high, left_over, low_each, each):
    dealt = tokens_dealt(num_players)
    assert sum(dealt.values()) == total == TOKENS_DEALT[num_players].sum()
    assert HIGH_TOKENS_EACH[num_players] == high
    assert sum(count for value, count in dealt.items() if value >= 5) == num_players * high + left_over
    assert TOKENS_EACH[num_players] == each == high + low_each


def test_the_arrays_say_what_the_file_says():
    there = {(route.a, route.b): route.price for route in BOX.routes}
    there |= {(b, a): price for (a, b), price in there.items()}
    read = {}
    for place in range(PLACES):
        prices = PRICE[place, : NUM_ROUTES[place]]
        assert list(prices) == sorted(prices)
        for i, price in enumerate(prices):
            read[BOX.places[place].id, BOX.places[NEIGHBOUR[place, i]].id] = int(price)
    assert read == there
    regions = list(BOX.regions)
    for place in range(PLACES):
        assert [regions[i] for i, members in enumerate(REGION_SETS) if (int(members) >> place) & 1] == [
            BOX.places[place].region
        ]
    closed = {"erfurt", "leipzig", "wittenberg", "regensburg", "muenchen", "linz", "wien", "landshut", "hof"}
    assert {id for id, place in PLACE_NUMBER.items() if (int(CLOSED[2]) >> place) & 1} == closed
    assert not CLOSED[3:].any()
    assert CITIES == 25
