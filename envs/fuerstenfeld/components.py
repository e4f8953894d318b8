"""The facts of the box: loads `components.toml`, refuses a file that cannot be right, and makes tables of it.

The tables are what the rules read: arrays over the card numbers of `envs.fuerstenfeld.state`, and plain numbers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from envs.errors import GameDefinitionError, unknown
from envs.fuerstenfeld.state import (
    CARD_NAMES,
    CARDS,
    CRANE,
    DECK,
    GOODS,
    MAGISTRATE,
    MARKET,
    MAX_PLAYERS,
    MOST_SCAVENGED,
    OFFICE,
    PALACE_1,
    PALACE_6,
    PRINTED_HOPS,
    SCAVENGER,
    SPACES,
    TOURIST_GUIDE,
    WAREHOUSE,
)

FILE = Path(__file__).with_name("components.toml")
SCHEMA_VERSION = 1
STATUSES = ("rules", "found", "reconstructed")
BASIC_DECK = 26
PALACES = PALACE_6 - PALACE_1 + 1

NUMBERS = {
    "start_coins": (0, 100),
    "start_hand": (0, 10),
    "draft_cards": (2, 10),
    "draw": (1, 6),
    "hand_limit": (1, 10),
    "buildings_per_round": (1, 6),
    "start_price": (0, 9),
    "highest_price": (1, 9),
    "palaces_to_win": (1, PALACES),
}
"""The single numbers of the file, each with the lowest and the highest value that makes sense."""

EFFECTS = {
    "bank": "coins",
    "town_hall": "cards_kept",
    "laboratory": "cards_drawn",
    "office": "coins_per_good",
    "market": "goods_exchanged",
    "warehouse": "goods_stored",
    "magistrate": "fields_lower",
    "crane": "discount",
    "scavenger": "cards_removed",
    "tourist_guide": "coins_per_palace",
}
"""What the one number of each building means; a field's is named after its good, a palace has none."""


@dataclass(frozen=True)
class Card:
    """A building card as the box has it; `cost` is None for a palace, `effect` its one number (0 for a palace)."""

    name: str
    advanced: bool
    copies: int
    cost: int | None
    effect: int


@dataclass(frozen=True)
class Components:
    """The facts of the box, checked."""

    numbers: Mapping[str, int]
    palace_prices: tuple[int, ...]
    printed_fields: Mapping[str, tuple[int, int]]
    """By good: the space and the amount."""
    demand_cards: tuple[tuple[int, ...], ...]
    cards: Mapping[str, Card]
    """By id, `palace` standing for all six."""


def load(path: Path = FILE) -> Components:
    """The facts in a file. Errors: `GameDefinitionError` with the file and what is wrong in it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GameDefinitionError(f"{path.name} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameDefinitionError(f"{path.name} is no TOML: {error}") from None
    return _Reader(path.name).components(data)


class _Reader:
    """Checks the parts of a file; every complaint names the file and the place."""

    def __init__(self, file: str) -> None:
        self.file = file

    def components(self, data: dict[str, Any]) -> Components:
        keys = ("schema_version", "game", "numbers", "printed_fields", "demand_cards", "cards")
        self.keys(data, keys, "the file")
        self.require(data["schema_version"] == SCHEMA_VERSION, f"schema_version must be {SCHEMA_VERSION}")
        self.require(data["game"] == "fuerstenfeld", f"game is {data['game']!r}, not 'fuerstenfeld'")
        numbers = self.table(data["numbers"], "numbers")
        self.keys(numbers, (*NUMBERS, "palace_prices"), "numbers")
        single = {name: self.whole(numbers, name, *limits, "numbers") for name, limits in NUMBERS.items()}
        self.require(single["start_price"] <= single["highest_price"], "numbers: start_price is above highest_price")
        return Components(
            single,
            self.palace_prices(numbers["palace_prices"]),
            self.printed_fields(self.tables(data["printed_fields"], "printed_fields")),
            self.demand_cards(self.tables(data["demand_cards"], "demand_cards")),
            self.cards(self.tables(data["cards"], "cards")),
        )

    def palace_prices(self, prices: Any) -> tuple[int, ...]:
        self.require(isinstance(prices, list), "numbers: palace_prices must be a list")
        place = "numbers: palace_prices"
        checked = [self.whole(dict(enumerate(prices)), index, 0, 120, place) for index in range(len(prices))]
        self.require(len(prices) == PALACES, f"{place} has {len(prices)} prices, there are {PALACES} price cards")
        self.require(checked == sorted(checked), f"{place} must not fall")
        return tuple(checked)

    def printed_fields(self, tables: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
        fields: dict[str, tuple[int, int]] = {}
        for table in tables:
            self.keys(table, ("good", "amount", "space", "amount_status", "space_status"), "printed_fields")
            good = self.name(table["good"], GOODS, "good", "printed_fields")
            place = f"the printed field of {good}"
            self.require(good not in fields, f"{place} is there twice")
            self.statuses(table, ("amount_status", "space_status"), place)
            space, amount = self.whole(table, "space", 0, SPACES - 1, place), self.whole(table, "amount", 0, 9, place)
            self.require(space not in [other for other, _ in fields.values()], f"{place} lies on another one")
            fields[good] = (space, amount)
        self.require(len(fields) == len(GOODS), "printed_fields must name each good once")
        return fields

    def demand_cards(self, tables: list[dict[str, Any]]) -> tuple[tuple[int, ...], ...]:
        cards = []
        for index, table in enumerate(tables):
            place = f"demand card {index + 1}"
            self.keys(table, (*GOODS, "status"), place)
            self.statuses(table, ("status",), place)
            cards.append(tuple(self.whole(table, good, 0, 9, place) for good in GOODS))
        self.require(
            len(cards) >= MAX_PLAYERS, f"there are {len(cards)} demand cards, {MAX_PLAYERS} players need as many"
        )
        return tuple(cards)

    def cards(self, tables: list[dict[str, Any]]) -> dict[str, Card]:
        ids = list(dict.fromkeys(_id(card) for card in CARDS))
        cards: dict[str, Card] = {}
        for table in tables:
            name = self.name(table.get("id"), ids, "card", "cards")
            self.require(name not in cards, f"card {name} is there twice")
            cards[name] = self.card(name, table)
        missing = [name for name in ids if name not in cards]
        self.require(not missing, f"there is no card {', '.join(missing)}")
        basic = sum(card.copies for card in cards.values() if not card.advanced)
        total = sum(card.copies for card in cards.values())
        self.require(basic == BASIC_DECK, f"the cards of the basic game are {basic}, not {BASIC_DECK}")
        self.require(total == DECK, f"the cards of the advanced game are {total}, not {DECK}")
        return cards

    def card(self, name: str, table: dict[str, Any]) -> Card:
        place = f"card {name}"
        palace = name == "palace"
        keys = ("id", "name", "deck", "copies", "copies_status", "cost", "cost_status")
        self.keys(table, keys if palace else (*keys, "effect"), place)
        self.statuses(table, ("copies_status", "cost_status"), place)
        self.require(isinstance(table["name"], str) and table["name"] != "", f"{place}: name must be a text")
        self.name(table["deck"], ("basic", "advanced"), "deck", place)
        # The engine leaves out the last two kinds of the card order in the basic game.
        deck = "advanced" if name in ("scavenger", "tourist_guide") else "basic"
        self.require(table["deck"] == deck, f"{place} belongs to the {deck} deck")
        copies = self.whole(table, "copies", PALACES if palace else 1, PALACES if palace else 9, place)
        if palace:
            self.require(table["cost"] == "palace_price", f'{place}: cost must be "palace_price"')
            return Card(table["name"], False, copies, None, 0)
        cost = self.whole(table, "cost", 0, 99, place)
        return Card(table["name"], deck == "advanced", copies, cost, self.effect(name, table["effect"], place))

    def effect(self, name: str, effect: Any, place: str) -> int:
        kind, _, number = name.rpartition("_")
        field, good = name.startswith("field_"), kind.removeprefix("field_")
        key = good if field else EFFECTS[kind if number in ("1", "2") else name]
        self.keys(self.table(effect, f"{place}: effect"), (key,), f"{place}: effect")
        amount = self.whole(effect, key, 0, MOST_SCAVENGED if name == "scavenger" else 9, f"{place}: effect")
        self.require(not field or amount == int(number), f"{place}: effect is {amount}, its name says {number}")
        return amount

    # -------------------------------------------------------------- the small checks

    def require(self, fine: bool, complaint: str) -> None:
        if not fine:
            raise GameDefinitionError(f"{self.file}: {complaint}")

    def table(self, value: Any, place: str) -> dict[str, Any]:
        self.require(isinstance(value, dict), f"{place} must be a table")
        return dict(value)

    def tables(self, value: Any, place: str) -> list[dict[str, Any]]:
        fine = isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
        self.require(fine, f"{place} must be tables, each under a line [[{place}]]")
        return list(value)

    def keys(self, table: Mapping[str, Any], expected: Iterable[str], place: str) -> None:
        names = tuple(expected)
        for key in table:
            self.require(key in names, unknown("key", key, names, place))
        missing = [key for key in names if key not in table]
        self.require(not missing, f"{place} lacks {', '.join(missing)}")

    def name(self, value: Any, valid: Iterable[str], what: str, place: str) -> str:
        names = list(valid)
        self.require(value in names, unknown(what, value, names, place))
        return str(value)

    def whole(self, table: Mapping[Any, Any], key: Any, lowest: int, highest: int, place: str) -> int:
        value = table[key]
        fine = isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
        self.require(fine, f"{place}: {key} is {value!r}, it must be a whole number from {lowest} to {highest}")
        return int(value)

    def statuses(self, table: Mapping[str, Any], keys: Iterable[str], place: str) -> None:
        for key in keys:
            self.name(table[key], STATUSES, key, place)


def _id(card: int) -> str:
    """The id in the file of a card number: the six palaces share one."""
    return "palace" if PALACE_1 <= card <= PALACE_6 else CARD_NAMES[card]


# ------------------------------------------------------------------ the tables that the rules read

FACTS = load()

START_COINS = FACTS.numbers["start_coins"]
START_HAND = FACTS.numbers["start_hand"]
DRAFT_CARDS = FACTS.numbers["draft_cards"]
CARDS_DRAWN = FACTS.numbers["draw"]
HAND_LIMIT = FACTS.numbers["hand_limit"]
BUILDINGS_PER_ROUND = FACTS.numbers["buildings_per_round"]
START_PRICE = FACTS.numbers["start_price"]
HIGHEST_PRICE = FACTS.numbers["highest_price"]
PALACES_TO_WIN = FACTS.numbers["palaces_to_win"]

PALACE_PRICES = np.array(FACTS.palace_prices, np.int64)
DEMAND_CARDS = np.array(FACTS.demand_cards, np.int64)
"""int64[demand cards, 3]: the demand spaces of each good."""

COPIES = np.zeros(len(CARD_NAMES), np.int64)
"""By card number: how many of the card a player has, in the advanced game."""
COST = np.zeros(len(CARD_NAMES), np.int64)
"""By card number, in coins; a palace's is the palace price, and 0 here."""
EFFECT = np.zeros(len(CARD_NAMES), np.int64)
"""By card number: the one number of a building, for a field the goods it gives."""
GOOD_OF = np.full(len(CARD_NAMES), -1, np.int64)
"""By card number: the good that a field (printed ones too) gives, -1 for what is no field."""
START_SPACES = np.zeros(SPACES, np.int64)
"""The printed field on each space of an estate, 0 for none."""
TITLES = dict.fromkeys(CARD_NAMES, "")
"""By card name: what drawings and texts call it."""

for _card in CARDS:
    _fact = FACTS.cards[_id(_card)]
    _palace = _fact.cost is None
    COPIES[_card] = 1 if _palace else _fact.copies
    COST[_card] = _fact.cost or 0
    EFFECT[_card] = _fact.effect
    TITLES[CARD_NAMES[_card]] = _fact.name
    if CARD_NAMES[_card].startswith("field_"):
        GOOD_OF[_card] = GOODS.index(CARD_NAMES[_card].split("_")[1])
    elif _palace:
        TITLES[CARD_NAMES[_card]] += " " + ("I", "II", "III", "IV", "V", "VI")[_card - PALACE_1]
for _good, (_space, _amount) in FACTS.printed_fields.items():
    _card = PRINTED_HOPS + GOODS.index(_good)
    GOOD_OF[_card], EFFECT[_card], START_SPACES[_space] = GOODS.index(_good), _amount, _card
    TITLES[CARD_NAMES[_card]] = _good.capitalize()

OFFICE_COINS = int(EFFECT[OFFICE])
MARKET_GOODS = int(EFFECT[MARKET])
WAREHOUSE_GOODS = int(EFFECT[WAREHOUSE])
MAGISTRATE_FIELDS = int(EFFECT[MAGISTRATE])
CRANE_DISCOUNT = int(EFFECT[CRANE])
SCAVENGER_CARDS = int(EFFECT[SCAVENGER])
GUIDE_COINS = int(EFFECT[TOURIST_GUIDE])
