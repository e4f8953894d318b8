"""The facts of the box: loads `components.toml` and refuses a file that the rulebook says cannot be right.

What the rulebook states is written down here a second time (`STATED`, `CLOSED_CITIES` and the checks of `_Map`), so
that a reconstructed line can be corrected freely and a stated one cannot be broken unnoticed.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envs.errors import GameDefinitionError, unknown

FILE = Path(__file__).with_name("components.toml")
SCHEMA_VERSION = 1
STATUSES = ("rules", "found", "reconstructed")
PLAYER_COUNTS = range(2, 7)
CANVAS = (928, 750)
"""Width and height of the map as it is drawn: places lie inside."""

STATED: dict[str, Any] = {
    "cities": 25,
    "towns": 20,
    "regions": 10,
    "lowest_price": 2,
    "highest_price": 56,
    "tokens": {2: 7, 3: 5, 4: 5, 5: 3, 6: 2, 7: 2, 8: 1},
    "high_token": 5,
    "branches": 45,
    "privileges": 2,
    "start_coins": {2: 15, 3: 20, 4: 25, 5: 30, 6: 35},
    "income_per_space": {2: 1, 3: 2, 4: 3, 5: 4, 6: 5},
    "base_income": {2: 2, 3: 4, 4: 6, 5: 8, 6: 10},
    "double_income_minimum": 48,
    "town_points": 1,
    "region_points": 2,
    "coins_per_point": 20,
    "open_token": {"city": "wittenberg", "value": 2, "players": [3, 4, 6]},
}
"""The table `rules` as the rulebook has it (its sections on board, incomes, end, parts and set-up)."""

CLOSED_CITIES = {"erfurt": 5, "leipzig": 3, "wittenberg": 2, "regensburg": 2, "muenchen": 2, "linz": 2, "wien": 4}
"""The cities that the rulebook closes with two players, with the values it gives them """

COVERED_BETWEEN = {"regensburg", "muenchen"}
CUT_OFF_BETWEEN = {"erfurt", "regensburg"}
PASSABLE = {"braunschweig", "nuernberg"}


@dataclass(frozen=True)
class Place:
    """A city (`value`: its spaces and points) or a town (`value` 0); `x` and `y` are where it is drawn."""

    id: str
    name: str
    region: str
    value: int
    x: int
    y: int


@dataclass(frozen=True)
class Route:
    """A direct route between two places, by their ids; `price` in gulden, the same both ways."""

    a: str
    b: str
    price: int


@dataclass(frozen=True)
class Components:
    """The facts of the box, checked. Tables by number of players have the keys 2 to 6."""

    rules: Mapping[str, Any]
    regions: Mapping[str, str]
    """The name of each region by its id."""
    cities: tuple[Place, ...]
    towns: tuple[Place, ...]
    routes: tuple[Route, ...]
    covered_town: str
    cut_off_town: str

    @property
    def places(self) -> tuple[Place, ...]:
        """Cities, then towns: the order in which places are numbered."""
        return self.cities + self.towns


def load(path: Path = FILE) -> Components:
    """The facts in a file. Errors: `GameDefinitionError` with the file and what is wrong in it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GameDefinitionError(f"{path.name} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameDefinitionError(f"{path.name} is no TOML: {error}") from None
    components = _Reader(path.name).components(data)
    _Map(path.name, components).check()
    return components


class _Checker:
    """Complains with the file's name."""

    def __init__(self, file: str) -> None:
        self.file = file

    def require(self, fine: bool, complaint: str) -> None:
        if not fine:
            raise GameDefinitionError(f"{self.file}: {complaint}")


class _Reader(_Checker):
    """Checks the parts of a file one by one: keys, numbers, names, status marks."""

    def components(self, data: dict[str, Any]) -> Components:
        keys = ("schema_version", "game", "rules", "two_players", "regions", "cities", "towns", "map")
        self.keys(data, keys, "the file")
        self.require(data["schema_version"] == SCHEMA_VERSION, f"schema_version must be {SCHEMA_VERSION}")
        self.require(data["game"] == "pfeffersaecke", f"game is {data['game']!r}, not 'pfeffersaecke'")
        rules = self.rules(data["rules"])
        covered, cut_off = self.two_players(data["two_players"])
        regions = self.regions(self.tables(data["regions"], "regions"))
        cities = [self.place(table, regions, "city") for table in self.tables(data["cities"], "cities")]
        towns = [self.place(table, regions, "town") for table in self.tables(data["towns"], "towns")]
        ids = [place.id for place in cities + towns]
        for id, times in Counter(ids).items():
            self.require(times == 1, f"the place {id!r} is there {times} times")
        self.keys(self.table(data["map"], "map"), ("routes",), "map")
        routes = [self.route(table, ids) for table in self.tables(data["map"]["routes"], "map.routes")]
        return Components(rules, regions, tuple(cities), tuple(towns), tuple(routes), covered, cut_off)

    def rules(self, value: Any) -> dict[str, Any]:
        """The numbers of the rulebook: a file that has another one is another game."""
        table = self.table(value, "rules")
        self.keys(table, STATED, "rules")
        read = {}
        for key, stated in STATED.items():
            numbered = isinstance(stated, dict) and all(isinstance(number, int) for number in stated)
            found = table[key]
            if numbered:
                found = {int(number) if number.isdigit() else number: n for number, n in self.table(found, key).items()}
            self.require(found == stated, f"rules: {key} is {found!r}, the rulebook says {stated!r}")
            read[key] = found
        return read

    def two_players(self, value: Any) -> tuple[str, str]:
        """The towns that are out with two players: the covered one, the one that is cut off."""
        table = self.table(value, "two_players")
        keys = ("closed_cities", "town_counter", "covered_town", "cut_off_town", "passable_route")
        self.keys(table, keys, "two_players")
        closed, counter = table["closed_cities"], table["town_counter"]
        self.require(closed == CLOSED_CITIES, f"two_players: closed_cities are {closed!r}, not {CLOSED_CITIES!r}")
        self.require(counter == 18, f"two_players: town_counter is {counter!r}, the rulebook says 18")
        route, stated = table["passable_route"], {"a": "braunschweig", "b": "nuernberg", "price": 56}
        self.require(route == stated, f"two_players: passable_route is {route!r}, the rulebook says {stated!r}")
        towns = []
        for key, between in (("covered_town", COVERED_BETWEEN), ("cut_off_town", CUT_OFF_BETWEEN)):
            town = self.table(table[key], f"two_players.{key}")
            self.keys(town, ("id", "between"), f"two_players.{key}")
            named = town["between"]
            self.require(
                isinstance(named, list) and sorted(map(str, named)) == sorted(between),
                f"two_players: {key} lies between {named!r}, the rulebook says {' and '.join(sorted(between))}",
            )
            towns.append(str(town["id"]))
        return towns[0], towns[1]

    def regions(self, tables: list[dict[str, Any]]) -> dict[str, str]:
        regions: dict[str, str] = {}
        for table in tables:
            self.keys(table, ("id", "name", "status"), "regions")
            id, name = self.text(table, "id", "regions"), self.text(table, "name", "regions")
            self.require(id not in regions, f"the region {id!r} is there twice")
            self.status(table, "status", f"region {id}")
            regions[id] = name
        return regions

    def place(self, table: dict[str, Any], regions: Mapping[str, str], kind: str) -> Place:
        id = self.text(table, "id", kind)
        where = f"{kind} {id}"
        keys = ("id", "name", "region", "x", "y")
        statuses = ("name_status", "value_status", "region_status") if kind == "city" else ("status",)
        self.keys(table, (*keys, *statuses, *(("value",) if kind == "city" else ())), where)
        for status in statuses:
            self.status(table, status, where)
        region = table["region"]
        self.require(region in regions, unknown("region", region, regions, where))
        value = self.whole(table, "value", min(STATED["tokens"]), max(STATED["tokens"]), where) if kind == "city" else 0
        x, y = (self.whole(table, key, 0, size, where) for key, size in zip(("x", "y"), CANVAS, strict=True))
        return Place(id, self.text(table, "name", where), region, value, x, y)

    def route(self, table: dict[str, Any], places: list[str]) -> Route:
        self.keys(table, ("a", "b", "price", "status"), "map.routes")
        for end in ("a", "b"):
            self.require(table[end] in places, unknown("place", table[end], places, "map.routes"))
        where = f"the route {table['a']}-{table['b']}"
        self.status(table, "status", where)
        price = self.whole(table, "price", STATED["lowest_price"], STATED["highest_price"], where)
        return Route(table["a"], table["b"], price)

    # -------------------------------------------------------------- the small checks

    def table(self, value: Any, place: str) -> dict[str, Any]:
        self.require(isinstance(value, dict), f"{place} must be a table")
        return dict(value)

    def tables(self, value: Any, place: str) -> list[dict[str, Any]]:
        fine = isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
        self.require(fine, f"{place} must be a list of tables")
        return list(value)

    def keys(self, table: Mapping[str, Any], expected: Iterable[str], place: str) -> None:
        names = tuple(expected)
        for key in table:
            self.require(key in names, unknown("key", key, names, place))
        missing = [key for key in names if key not in table]
        self.require(not missing, f"{place} lacks {', '.join(missing)}")

    def text(self, table: Mapping[str, Any], key: str, place: str) -> str:
        value = table.get(key)
        self.require(isinstance(value, str) and value != "", f"{place}: {key} must be a text")
        return str(value)

    def whole(self, table: Mapping[str, Any], key: str, lowest: int, highest: int, place: str) -> int:
        value = table[key]
        fine = isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
        self.require(fine, f"{place}: {key} is {value!r}, it must be a whole number from {lowest} to {highest}")
        return int(value)

    def status(self, table: Mapping[str, Any], key: str, place: str) -> None:
        self.require(table[key] in STATUSES, unknown(key, table[key], STATUSES, place))


class _Map(_Checker):
    """Checks what the rulebook says of the board as a whole."""

    def __init__(self, file: str, box: Components) -> None:
        super().__init__(file)
        self.box = box
        self.towns = {town.id for town in box.towns}
        self.values = {city.id: city.value for city in box.cities}
        self.neighbours: dict[str, set[str]] = {place.id: set() for place in box.places}
        for route in box.routes:
            self.neighbours[route.a].add(route.b)
            self.neighbours[route.b].add(route.a)

    def check(self) -> None:
        self.counts()
        self.city_values()
        self.routes()
        self.board_of_two()
        self.deals()

    def counts(self) -> None:
        """25 cities and 20 towns in ten regions."""
        for kind, found in (("cities", self.box.cities), ("towns", self.box.towns), ("regions", self.box.regions)):
            self.require(len(found) == STATED[kind], f"there are {len(found)} {kind}, not {STATED[kind]}")
        inhabited = {place.region for place in self.box.places}
        for region in self.box.regions:
            self.require(region in inhabited, f"the region {region} has neither city nor town")

    def city_values(self) -> None:
        """As many cities of each value as tokens, and the values that the rulebook gives by name."""
        for city, value in CLOSED_CITIES.items():
            self.require(city in self.values, f"the city {city}, named in the rulebook, is missing")
            self.require(self.values[city] == value, f"{city} has the value {self.values[city]}, the rulebook: {value}")
        cities = Counter(self.values.values())
        for value, tokens in STATED["tokens"].items():
            found = cities[value]
            self.require(found == tokens, f"{found} cities have the value {value}, there are {tokens} such tokens")

    def routes(self) -> None:
        """Each route is there once, prices go from 2 to 56, Braunschweig-Nürnberg costs 56, all is connected."""
        ends = Counter(frozenset((route.a, route.b)) for route in self.box.routes)
        for pair, times in ends.items():
            names = "-".join(sorted(pair))
            self.require(len(pair) == 2, f"a route leads from {names} to itself")
            self.require(times == 1, f"the route {names} is there {times} times")
        prices = {frozenset((route.a, route.b)): route.price for route in self.box.routes}
        long_way = prices.get(frozenset(PASSABLE))
        self.require(long_way is not None, "the route braunschweig-nuernberg, named in the rulebook, is missing")
        self.require(long_way == 56, f"the route braunschweig-nuernberg costs {long_way}, the rulebook says 56")
        self.require(min(prices.values()) == STATED["lowest_price"], "no route costs 2, the rulebook's lowest price")
        self.connected(set(self.neighbours), "the map")

    def board_of_two(self) -> None:
        """The two towns that are out lie where the rulebook says, and what is left for two players hangs together."""
        for town, between in ((self.box.covered_town, COVERED_BETWEEN), (self.box.cut_off_town, CUT_OFF_BETWEEN)):
            self.require(town in self.towns, unknown("town", town, self.towns, "two_players"))
            fine = between <= self.neighbours[town]
            self.require(fine, f"the town {town} has no routes to {' and '.join(sorted(between))}")
        cut_off = self.neighbours[self.box.cut_off_town] - set(CLOSED_CITIES)
        names = ", ".join(sorted(cut_off))
        self.require(not cut_off, f"with two players {self.box.cut_off_town} is not cut off: it has a route to {names}")
        out = {*CLOSED_CITIES, self.box.covered_town, self.box.cut_off_town}
        self.connected(set(self.neighbours) - out, "the board of two players")

    def deals(self) -> None:
        """The tokens are dealt evenly: what is not laid out at the start divides by the number of players."""
        for n in PLAYER_COUNTS:
            total = sum(tokens_dealt(n).values())
            self.require(total % n == 0, f"{total} tokens cannot be dealt evenly to {n} players")

    def connected(self, places: set[str], what: str) -> None:
        start = min(places)
        reached, front = {start}, [start]
        while front:
            new = self.neighbours[front.pop()] & places - reached
            reached |= new
            front += new
        lost = ", ".join(sorted(places - reached))
        self.require(reached == places, f"{what} is not connected: no way leads from {start} to {lost}")


def tokens_dealt(num_players: int) -> Counter[int]:
    """How many tokens of each value are dealt: all but those that lie on the board from the start."""
    tokens = Counter(STATED["tokens"])
    if num_players == 2:
        tokens -= Counter(CLOSED_CITIES.values())
    elif num_players in STATED["open_token"]["players"]:
        tokens[STATED["open_token"]["value"]] -= 1
    return tokens
