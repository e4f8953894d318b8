"""The facts of the box: loads the numbers and the maps, refuses files that cannot be right, and makes tables of them.

The tables are what the rules read: plain numbers, and for each map the fewest crossings between any two parts of
states, computed here once. They are small, so that compiled rules that hold them can be kept on disk.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from envs.errors import GameDefinitionError, unknown
from envs.travel_blog.state import CARDS, COLOURS, MAPS

FOLDER = Path(__file__).parent
SCHEMA_VERSION = 1
STATUSES = ("rules", "found", "reconstructed")
LINKS = ("land", "sea", "bridge")
MOST_PARTS = 2
"""Parts that a state may have on a map."""


@dataclass(frozen=True)
class Numbers:
    """The numbers of `components.toml`: euros but for the ticks."""

    income: tuple[int, ...]
    crossing: int
    neighbours: int
    beneath: int
    forty: int
    spare_ticks: int
    score_scale: int
    score_scale_demanding: int


@dataclass(frozen=True)
class State:
    """A state of a map: a card. `parts` are the places where a traveller in it may stand."""

    id: str
    name: str
    parts: tuple[str, ...]
    status: str


@dataclass(frozen=True)
class Border:
    """A common border of two parts of states, or a link that counts as one; `by` is land, sea or bridge."""

    between: tuple[str, str]
    by: str
    status: str


@dataclass(frozen=True)
class Map:
    """A map: states in the order of their card numbers, from 1 on."""

    id: str
    name: str
    states: tuple[State, ...]
    borders: tuple[Border, ...]

    @property
    def part_ids(self) -> tuple[str, ...]:
        """All parts in the order of their numbers: the first part of card 1, 2, …, then all second parts."""
        first = tuple(state.parts[0] for state in self.states)
        return first + tuple(state.parts[1] for state in self.states if len(state.parts) > 1)

    def links(self) -> dict[str, list[str]]:
        """The parts that each part has a border with, in the file's order."""
        links: dict[str, list[str]] = {part: [] for part in self.part_ids}
        for border in self.borders:
            one, other = border.between
            links[one].append(other)
            links[other].append(one)
        return links

    def crossings_from(self, part: str) -> dict[str, int]:
        """The fewest crossings from a part to every part that can be reached."""
        links = self.links()
        found, edge = {part: 0}, [part]
        while edge:
            step = {other: found[here] + 1 for here in edge for other in links[here] if other not in found}
            found.update(step)
            edge = list(step)
        return found


# ------------------------------------------------------------------ reading the files


def load_numbers(path: Path = FOLDER / "components.toml") -> Numbers:
    """The numbers of the box. Errors: `GameDefinitionError` with the file and what is wrong in it."""
    reader = _Reader(path)
    data = reader.data("euros", "clock", "reward")
    euros, clock, reward = (reader.table(data[key], key) for key in ("euros", "clock", "reward"))
    single = ("crossing", "neighbours", "beneath", "forty")
    scales = ("score_scale", "score_scale_demanding")
    reader.keys(euros, ("income", *single), "euros")
    reader.keys(clock, ("spare_ticks",), "clock")
    reader.keys(reward, scales, "reward")
    income = euros["income"]
    reader.require(isinstance(income, list) and len(income) == 3, "euros: income must list three sums, one a part")
    return Numbers(
        income=tuple(reader.whole(dict(enumerate(income)), part, 0, 1000, "euros: income") for part in range(3)),
        spare_ticks=reader.whole(clock, "spare_ticks", 1, 6, "clock"),
        **{key: reader.whole(euros, key, 1, 100, "euros") for key in single},
        **{key: reader.whole(reward, key, 1, 1000, "reward") for key in scales},
    )


def load_map(path: Path) -> Map:
    """A map. Errors: `GameDefinitionError` with the file and what is wrong in it."""
    reader = _Reader(path)
    data = reader.data("map", "sources", "graph")
    about, graph = reader.table(data["map"], "map"), reader.table(data["graph"], "graph")
    sources = reader.table(data["sources"], "sources")
    reader.keys(about, ("id", "name"), "map")
    reader.keys(graph, ("states", "borders"), "graph")
    reader.require(about["id"] == path.stem, f"map: id is {about['id']!r}, not {path.stem!r}")
    states = tuple(reader.state(table, sources) for table in reader.tables(graph["states"], "states"))
    reader.require(len(states) == CARDS, f"there are {len(states)} states, the game has {CARDS} cards of a map")
    reader.once([state.id for state in states], "state")
    reader.once([state.name for state in states], "name")
    reader.once([part for state in states for part in state.parts], "part")
    owner = {part: state.id for state in states for part in state.parts}
    borders = tuple(reader.border(table, owner, sources) for table in reader.tables(graph["borders"], "borders"))
    reader.once([" and ".join(sorted(border.between)) for border in borders], "border between")
    result = Map(about["id"], reader.words(about["name"], "map: name"), states, borders)
    reached = result.crossings_from(result.part_ids[0])
    lost = [part for part in result.part_ids if part not in reached]
    reader.require(not lost, f"no walk leads from {result.part_ids[0]} to {', '.join(lost)}")
    return result


class _Reader:
    """Checks the parts of a file; every complaint names the file and the place."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def data(self, *tables: str) -> dict[str, Any]:
        """The file's tables, its head checked."""
        try:
            data = tomllib.loads(self.path.read_text(encoding="utf-8"))
        except OSError as error:
            raise GameDefinitionError(f"{self.path.name} cannot be read: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise GameDefinitionError(f"{self.path.name} is no TOML: {error}") from None
        self.keys(data, ("schema_version", "game", *tables), "the file")
        self.require(data["schema_version"] == SCHEMA_VERSION, f"schema_version must be {SCHEMA_VERSION}")
        self.require(data["game"] == "travel_blog", f"game is {data['game']!r}, not 'travel_blog'")
        return data

    def state(self, table: dict[str, Any], sources: Mapping[str, Any]) -> State:
        place = f"state {table.get('id')}"
        self.keys(table, ("id", "name", "parts", "status"), place, ("source",))
        parts = table["parts"]
        fine = isinstance(parts, list) and 1 <= len(parts) <= MOST_PARTS
        self.require(fine, f"{place}: parts must list one part or two")
        names = tuple(self.words(part, f"{place}: parts") for part in parts)
        status = self.status(table, sources, place)
        return State(
            self.words(table["id"], f"{place}: id"), self.words(table["name"], f"{place}: name"), names, status
        )

    def border(self, table: dict[str, Any], owner: Mapping[str, str], sources: Mapping[str, Any]) -> Border:
        between = table.get("between")
        self.require(isinstance(between, list) and len(between) == 2, f"border: between is {between!r}, not two parts")
        place = f"border {between}"
        self.keys(table, ("between", "by", "status"), place, ("source",))
        one, other = (self.name(part, owner, "part of a state", place) for part in table["between"])
        self.require(owner[one] != owner[other], f"{place}: a state has no border with itself")
        return Border((one, other), self.name(table["by"], LINKS, "by", place), self.status(table, sources, place))

    def status(self, table: Mapping[str, Any], sources: Mapping[str, Any], place: str) -> str:
        """The mark of a line; one that was found names sources that the file explains."""
        status = self.name(table["status"], STATUSES, "status", place)
        if status == "found":
            keys = self.words(table.get("source"), f"{place}: source").partition(";")[0].split()
            for key in keys:
                self.name(key, sources, "source", place)
        return status

    # -------------------------------------------------------------- the small checks

    def require(self, fine: bool, complaint: str) -> None:
        if not fine:
            raise GameDefinitionError(f"{self.path.name}: {complaint}")

    def table(self, value: Any, place: str) -> dict[str, Any]:
        self.require(isinstance(value, dict), f"{place} must be a table")
        return dict(value)

    def tables(self, value: Any, place: str) -> list[dict[str, Any]]:
        fine = isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
        self.require(fine, f"{place} must be a list of tables")
        return list(value)

    def keys(
        self, table: Mapping[str, Any], expected: Iterable[str], place: str, optional: tuple[str, ...] = ()
    ) -> None:
        names = tuple(expected)
        for key in table:
            self.require(key in (*names, *optional), unknown("key", key, (*names, *optional), place))
        missing = [key for key in names if key not in table]
        self.require(not missing, f"{place} lacks {', '.join(missing)}")

    def name(self, value: Any, valid: Iterable[str], what: str, place: str) -> str:
        names = list(valid)
        self.require(value in names, unknown(what, value, names, place))
        return str(value)

    def words(self, value: Any, place: str) -> str:
        self.require(isinstance(value, str) and value != "", f"{place} is {value!r}, it must be a text")
        return str(value)

    def whole(self, table: Mapping[Any, Any], key: Any, lowest: int, highest: int, place: str) -> int:
        value = table[key]
        fine = isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
        self.require(fine, f"{place}: {key} is {value!r}, it must be a whole number from {lowest} to {highest}")
        return int(value)

    def once(self, names: list[str], what: str) -> None:
        for index, name in enumerate(names):
            self.require(name not in names[:index], f"{what} {name} is there twice")


# ------------------------------------------------------------------ the tables that the rules read

NUMBERS = load_numbers()
MAP_FACTS = tuple(load_map(FOLDER / f"{name}.toml") for name in MAPS)

CROSSING = NUMBERS.crossing
NEIGHBOURS = NUMBERS.neighbours
BENEATH = NUMBERS.beneath
FORTY_EUROS = NUMBERS.forty
SPARE_TICKS = NUMBERS.spare_ticks
SCORE_SCALE = np.array([NUMBERS.score_scale, NUMBERS.score_scale_demanding], np.int64)
"""Euros that `reward=score` counts as 1: int64[demanding]."""

INCOME = np.zeros(8, np.int64)
"""By round: what each colour of a seat is paid before it."""
INCOME[1], INCOME[3], INCOME[5] = NUMBERS.income

NAMES = tuple(("", *(state.name for state in facts.states)) for facts in MAP_FACTS)
"""By map and card number: the state's name."""

PARTS_OF_MAP = tuple(len(facts.part_ids) for facts in MAP_FACTS)
_PARTS = max(PARTS_OF_MAP)

PART = np.zeros((len(MAPS), CARDS + 1, MOST_PARTS), np.int64)
"""By map and card number: the numbers of the state's parts, the only one twice if it has one."""

FEWEST_CROSSINGS = np.zeros((len(MAPS), _PARTS, _PARTS), np.int64)
"""By map: the fewest crossings of a walk from part to part."""

ARE_NEIGHBOURS = np.zeros((len(MAPS), CARDS + 1, CARDS + 1), np.int64)
"""By map and two card numbers: 1 if any part of one state has a border with any part of the other; 0 for no card."""

for _m, _facts in enumerate(MAP_FACTS):
    _number = {part: number for number, part in enumerate(_facts.part_ids)}
    for _part in _facts.part_ids:
        for _other, _crossings in _facts.crossings_from(_part).items():
            FEWEST_CROSSINGS[_m, _number[_part], _number[_other]] = _crossings
    for _card, _state in enumerate(_facts.states, 1):
        PART[_m, _card] = _number[_state.parts[0]], _number[_state.parts[-1]]
    for _card in range(1, CARDS + 1):
        for _neighbour in range(1, CARDS + 1):
            _between = FEWEST_CROSSINGS[_m][np.ix_(PART[_m, _card], PART[_m, _neighbour])]
            ARE_NEIGHBOURS[_m, _card, _neighbour] = int((_between == 1).any())

LONGEST_WALK = 3 * int(FEWEST_CROSSINGS.max())
"""No walk to evaluate has more crossings."""
HIGHEST_PRICE = CROSSING * LONGEST_WALK + 5 * NEIGHBOURS + FORTY_EUROS
"""No trip costs more, in euros and without tokens beneath."""
HIGHEST_CASH = COLOURS * (sum(NUMBERS.income) + HIGHEST_PRICE)
"""No purse holds more, in euros."""


@cache
def load_coordinates(path: Path = FOLDER / "coordinates.toml") -> dict[str, dict[str, tuple[float, float]]]:
    """By map and part: latitude and longitude in degrees, for drawings. Errors: `GameDefinitionError`."""
    reader = _Reader(path)
    data = reader.data(*MAPS)
    places: dict[str, dict[str, tuple[float, float]]] = {}
    for facts in MAP_FACTS:
        table = reader.table(data[facts.id], facts.id)
        reader.keys(table, facts.part_ids, facts.id)
        for part, pair in table.items():
            fine = isinstance(pair, list) and len(pair) == 2 and all(isinstance(degrees, float) for degrees in pair)
            reader.require(fine, f"{facts.id}: {part} is {pair!r}, it must be [latitude, longitude]")
        places[facts.id] = {part: (latitude, longitude) for part, (latitude, longitude) in table.items()}
    return places
