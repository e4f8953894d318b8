"""The facts of the box: loads components.toml, refuses a file that cannot be right, and makes tables of it.

The tables are what the rules read. They are small, so that compiled rules that hold them can be kept on disk.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from envs.errors import GameDefinitionError, unknown
from envs.mesopotamia.state import (
    ALL_CARDS,
    CARDS,
    DIRECTIONS,
    FIGURES,
    HUT_PLACES,
    KINDS,
    MAX_PLAYERS,
    OFFERINGS,
    TILES,
)

FILE = Path(__file__).parent / "components.toml"
SCHEMA_VERSION = 1
STATUSES = ("rules", "found", "reconstructed")
PLAYER_COUNTS = (2, 3, 4)
OFFSETS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""From a hex to its neighbours in axial coordinates, clockwise from north."""


@dataclass(frozen=True)
class StartTile:
    """A hex that lies at the start."""

    id: str
    kind: str
    q: int
    r: int


@dataclass(frozen=True)
class Table:
    """What a number of players changes: plains out of the game, heads or not, points and plain of each seat."""

    plains_removed: int
    without_heads: bool
    first_turn_points: tuple[int, ...]
    plains: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """A kind of card: how many there are, whether it carries the head symbol, and the number in its effect."""

    name: str
    count: int
    head: bool
    effect: int


@dataclass(frozen=True)
class Components:
    """The box; `numbers` holds what is a plain number, by its name in the file."""

    numbers: dict[str, int]
    offerings: tuple[int, ...]
    hexes: dict[str, int]
    start: tuple[StartTile, ...]
    tables: dict[int, Table]
    cards: dict[str, Card]

    def start_number(self, id: str) -> int:
        """The tile number of a start hex."""
        return [tile.id for tile in self.start].index(id)

    def stack(self, players: int) -> dict[str, int]:
        """How many hexes of each kind are in the stack of so many players."""
        lying = Counter(tile.kind for tile in self.start)
        stack = {kind: count - lying[kind] for kind, count in self.hexes.items()}
        stack["plain"] -= self.tables[players].plains_removed
        return stack


def load_components(path: Path = FILE) -> Components:
    """The box as `path` describes it. Errors: `GameDefinitionError` with the file and what is wrong in it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GameDefinitionError(f"{path.name} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameDefinitionError(f"{path.name} is no TOML: {error}") from None
    return _Reader(path.name).components(data)


class _Reader:
    """Checks the parts of a file one by one, and then what the rulebook says of the whole."""

    NUMBERS: ClassVar = {
        "hexes": ("total", "huts_per_plain", "wood", "stone"),
        "pieces": (
            "figures",
            "figures_at_start",
            "huts",
            "cult_sites",
            "mana_at_start",
            "most_mana_at_start",
            "mana_track",
        ),
        "turn": (
            "movement_points",
            "discoveries",
            "figures_to_act",
            "figures_at_own_site",
            "figures_at_other_site",
        ),
    }
    FIXED: ClassVar = {"total": TILES, "huts_per_plain": HUT_PLACES, "figures": FIGURES}
    """Numbers that the record and the action table are made for."""

    def __init__(self, file: str) -> None:
        self.file = file

    def components(self, data: dict[str, Any]) -> Components:
        sections = ("schema_version", "game", "hexes", "start", "players", "pieces", "turn", "cards")
        self.keys(data, sections, "the file")
        self.require(data["schema_version"] == SCHEMA_VERSION, f"schema_version must be {SCHEMA_VERSION}")
        self.require(data["game"] == "mesopotamia", f"game is {data['game']!r}, not 'mesopotamia'")
        extra = {"hexes": ("kinds",), "pieces": ("offerings",)}
        numbers: dict[str, int] = {}
        for section, names in self.NUMBERS.items():
            table = self.table(data[section], section)
            self.keys(table, (*names, *extra.get(section, ())), section)
            numbers.update({name: self.whole(table, name, 0, 100, section) for name in names})
        box = Components(
            numbers=numbers,
            offerings=self.offerings(data["pieces"]["offerings"]),
            hexes=self.hexes(data["hexes"]["kinds"]),
            start=self.start(data["start"]),
            tables=self.players(data["players"]),
            cards=self.cards(data["cards"]),
        )
        self.whole_box(box)
        return box

    def hexes(self, value: Any) -> dict[str, int]:
        counts = {}
        for table in self.tables(value, "hexes.kinds"):
            self.keys(table, ("kind", "count", "status"), "hexes.kinds")
            kind = self.text(table, "kind", "hexes.kinds")
            self.require(kind in KINDS, unknown("kind", kind, KINDS, "hexes.kinds"))
            self.require(kind not in counts, f"hexes.kinds: {kind} is there twice")
            self.status(table, "status", f"hexes of {kind}")
            counts[kind] = self.whole(table, "count", 1, TILES, f"hexes of {kind}")
        missing = [kind for kind in KINDS if kind not in counts]
        self.require(not missing, f"hexes.kinds lacks {', '.join(missing)}")
        return {kind: counts[kind] for kind in KINDS}

    def start(self, value: Any) -> tuple[StartTile, ...]:
        tiles = []
        for table in self.tables(value, "start"):
            self.keys(table, ("id", "kind", "q", "r", "status"), "start")
            id, kind = self.text(table, "id", "start"), self.text(table, "kind", "start")
            where = f"start hex {id}"
            self.require(kind in KINDS, unknown("kind", kind, KINDS, where))
            self.status(table, "status", where)
            tiles.append(StartTile(id, kind, *(self.whole(table, axis, -1, 1, where) for axis in ("q", "r"))))
        ids = Counter(tile.id for tile in tiles)
        for id, times in ids.items():
            self.require(times == 1, f"the start hex {id!r} is there {times} times")
        return tuple(tiles)

    def players(self, value: Any) -> dict[int, Table]:
        read = {}
        keys = (
            "count",
            "plains_removed",
            "without_heads",
            "first_turn_points",
            "plains",
            "status",
            "plains_status",
        )
        for table in self.tables(value, "players"):
            self.keys(table, keys, "players")
            count = self.whole(table, "count", min(PLAYER_COUNTS), max(PLAYER_COUNTS), "players")
            where = f"{count} players"
            self.require(count not in read, f"{where} are there twice")
            for status in ("status", "plains_status"):
                self.status(table, status, where)
            points, plains = table["first_turn_points"], table["plains"]
            for name, entries in (("first_turn_points", points), ("plains", plains)):
                fine = isinstance(entries, list) and len(entries) == count
                self.require(fine, f"{where}: {name} must list {count} entries")
            read[count] = Table(
                plains_removed=self.whole(table, "plains_removed", 0, TILES, where),
                without_heads=self.flag(table, "without_heads", where),
                first_turn_points=tuple(
                    self.whole(dict(enumerate(points)), seat, 1, 20, f"{where}: points of seat")
                    for seat in range(count)
                ),
                plains=tuple(map(str, plains)),
            )
        missing = [str(count) for count in PLAYER_COUNTS if count not in read]
        self.require(not missing, f"players lacks the counts {', '.join(missing)}")
        return read

    def offerings(self, value: Any) -> tuple[int, ...]:
        fine = isinstance(value, list) and all(type(cost) is int for cost in value)
        self.require(fine and len(value) == OFFERINGS, f"pieces: offerings must list {OFFERINGS} costs")
        self.require(sorted(set(value)) == value, "pieces: offerings must cost more from one to the next")
        return tuple(value)

    def cards(self, value: Any) -> dict[str, Card]:
        cards: dict[str, Card] = {}
        for table in self.tables(value, "cards"):
            self.keys(table, ("card", "name", "count", "head", "effect", "status"), "cards")
            id = self.text(table, "card", "cards")
            self.require(id in CARDS, unknown("card", id, CARDS, "cards"))
            self.require(id not in cards, f"cards: {id} is there twice")
            where = f"card {id}"
            self.status(table, "status", where)
            cards[id] = Card(
                name=self.text(table, "name", where),
                count=self.whole(table, "count", 0, ALL_CARDS, where),
                head=self.flag(table, "head", where),
                effect=self.whole(table, "effect", 1, 10, where),
            )
        missing = [card for card in CARDS if card not in cards]
        self.require(not missing, f"cards lacks {', '.join(missing)}")
        return {card: cards[card] for card in CARDS}

    def whole_box(self, box: Components) -> None:
        """The counts agree with one another, and the start map is what the rulebook draws."""
        for name, number in self.FIXED.items():
            self.require(box.numbers[name] == number, f"{name} is {box.numbers[name]}, the rulebook says {number}")
        total = sum(box.hexes.values())
        self.require(total == TILES, f"the kinds of hexes add up to {total}, not to {TILES}")
        cards = sum(card.count for card in box.cards.values())
        self.require(cards == ALL_CARDS, f"there are {cards} cards, not {ALL_CARDS}")
        places = [(tile.q, tile.r) for tile in box.start]
        ring = {(0, 0), *OFFSETS}
        self.require(set(places) == ring and len(places) == len(ring), "start must be one hex and its six neighbours")
        middle = box.start[places.index((0, 0))].kind
        self.require(middle == "temple", f"start: the hex in the middle is a {middle}, not the temple")
        plains = {tile.id for tile in box.start if tile.kind == "plain"}
        for count, table in box.tables.items():
            for plain in table.plains:
                self.require(plain in plains, unknown("plain", plain, plains, f"{count} players"))
            crowd = max(Counter(table.plains).values())
            self.require(crowd <= HUT_PLACES, f"{count} players: {crowd} huts on one plain")
            for kind, left in box.stack(count).items():
                self.require(left >= 0, f"{count} players: the stack would hold {left} hexes of {kind}")
            self.require(box.stack(count)["temple"] == 0, "there is more than the one temple")
        numbers = box.numbers
        track = numbers["mana_track"]
        self.require(
            numbers["mana_at_start"] <= numbers["most_mana_at_start"] <= track, "pieces: mana beyond its limit"
        )
        self.require(box.offerings[0] > 0 and box.offerings[-1] <= track, "pieces: an offering can never be paid")
        self.require(numbers["figures_at_start"] <= FIGURES, "pieces: more figures at the start than there are")
        self.require(numbers["huts"] == OFFERINGS + 1, f"pieces: huts must be {OFFERINGS + 1}, one without an offering")
        lowest = min(numbers["wood"], numbers["stone"])
        self.require(lowest >= MAX_PLAYERS, "hexes: too few goods for the start")

    # -------------------------------------------------------------- the small checks

    def require(self, fine: bool, complaint: str) -> None:
        if not fine:
            raise GameDefinitionError(f"{self.file}: {complaint}")

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
        value = table[key]
        self.require(isinstance(value, str) and value != "", f"{place}: {key} must be a text")
        return str(value)

    def flag(self, table: Mapping[str, Any], key: str, place: str) -> bool:
        self.require(isinstance(table[key], bool), f"{place}: {key} must be true or false")
        return bool(table[key])

    def whole(self, table: Mapping[Any, Any], key: Any, lowest: int, highest: int, place: str) -> int:
        value = table[key]
        fine = type(value) is int and lowest <= value <= highest
        self.require(fine, f"{place}: {key} is {value!r}, it must be a whole number from {lowest} to {highest}")
        return int(value)

    def status(self, table: Mapping[str, Any], key: str, place: str) -> None:
        self.require(table[key] in STATUSES, unknown(key, table[key], STATUSES, place))


# ------------------------------------------------------------------ tables for the rules

BOX = load_components()

TOTAL_GOODS = np.array([BOX.numbers["wood"], BOX.numbers["stone"]])
FIGURES_AT_START = BOX.numbers["figures_at_start"]
HUTS = BOX.numbers["huts"]
SITES = BOX.numbers["cult_sites"]
MANA_AT_START = BOX.numbers["mana_at_start"]
MOST_MANA_AT_START = BOX.numbers["most_mana_at_start"]
MANA_TRACK = BOX.numbers["mana_track"]
MOVEMENT_POINTS = BOX.numbers["movement_points"]
DISCOVERIES = BOX.numbers["discoveries"]
FIGURES_TO_ACT = BOX.numbers["figures_to_act"]
FIGURES_AT_OWN_SITE = BOX.numbers["figures_at_own_site"]
FIGURES_AT_OTHER_SITE = BOX.numbers["figures_at_other_site"]

COST = np.array(BOX.offerings)
"""By offering: what it costs in mana."""

OFFSET_Q, OFFSET_R = (np.array([offset[axis] for offset in OFFSETS]) for axis in range(2))
assert len(OFFSETS) == DIRECTIONS

START_TILES = len(BOX.start)
START_KIND = np.array([KINDS.index(tile.kind) for tile in BOX.start])
START_Q, START_R = np.array([tile.q for tile in BOX.start]), np.array([tile.r for tile in BOX.start])
TEMPLE_TILE = [tile.kind for tile in BOX.start].index("temple")

STACK = np.zeros((MAX_PLAYERS + 1, len(KINDS)), np.int64)
"""By number of players and kind: hexes in the stack at the start."""
DECK = np.zeros((MAX_PLAYERS + 1, len(CARDS)), np.int64)
"""By number of players and card: cards in the game."""
FIRST_TURN_POINTS = np.zeros((MAX_PLAYERS + 1, MAX_PLAYERS), np.int64)
HOME = np.zeros((MAX_PLAYERS + 1, MAX_PLAYERS), np.int64)
"""By number of players and seat: the tile on which it starts."""
for _count, _table in BOX.tables.items():
    STACK[_count] = list(BOX.stack(_count).values())
    DECK[_count] = [0 if _table.without_heads and card.head else card.count for card in BOX.cards.values()]
    FIRST_TURN_POINTS[_count, :_count] = _table.first_turn_points
    HOME[_count, :_count] = [BOX.start_number(plain) for plain in _table.plains]

EFFECT = np.array([card.effect for card in BOX.cards.values()])
"""By card: the number in its effect."""
