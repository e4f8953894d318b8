"""Actions and positions in words: the interface of Fürstenfeld to everything that is no compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.errors import IllegalAction, unknown
from envs.fuerstenfeld.actions import (
    BUILD_CARD,
    BURY_CARD,
    DISCARD_CARD,
    DRAW_EXTRA,
    END_BUILDING,
    END_DISCARDING,
    END_SALE,
    END_STORING,
    KEEP_CARD,
    NUM_ACTIONS,
    PAIRS,
    SCAVENGE_CARD,
    SELL_GOOD,
    SELL_GOOD_AS,
    STOP_DRAWING,
    STORE_GOOD,
    good_of_pair,
    kind_of_pair,
)
from envs.fuerstenfeld.components import PALACE_PRICES
from envs.fuerstenfeld.state import (
    CARD_NAMES,
    CARDS,
    GOODS,
    MAX_PLAYERS,
    SELL,
    SPACES,
)
from envs.game import State
from envs.options import Options
from envs.plain import raw

# ------------------------------------------------------------------ actions


def decode_action(index: int, options: Options) -> dict[str, Any]:
    """What an index of the action table means."""
    return dict(_ACTIONS[index])


def encode_action(action: Mapping[str, Any], options: Options) -> int:
    """The index of an action. Errors: `IllegalAction` naming what is wrong and the nearest valid value."""
    kind = action.get("type")
    if not isinstance(kind, str) or kind not in _ARGUMENTS:
        raise IllegalAction(unknown("action type", kind, _ARGUMENTS, "fuerstenfeld"))
    arguments = _ARGUMENTS[kind]
    place = f"action {kind!r} of fuerstenfeld"
    for key in action:
        if key not in ("type", *arguments):
            raise IllegalAction(unknown("argument", key, arguments, place))
    for key, values in arguments.items():
        if key not in action:
            raise IllegalAction(f"{place} lacks the argument {key!r}")
        value = action[key]
        if type(value) not in (int, str) or value not in values:
            raise IllegalAction(unknown(key, value, [str(valid) for valid in values], place))
    index = _INDEX.get(_key(action))
    if index is None:
        raise IllegalAction(f"{place} sells {action['good']!r} as itself: use the plain 'sell'")
    return index


def _table() -> list[dict[str, Any]]:
    """All actions by index, in the layout of `envs.fuerstenfeld.actions`."""
    cards = [CARD_NAMES[card] for card in CARDS]
    blocks: dict[int, list[dict[str, Any]]] = {
        KEEP_CARD: [{"type": "keep", "card": card} for card in cards],
        BURY_CARD: [{"type": "bury", "card": card} for card in cards],
        DRAW_EXTRA: [{"type": "draw_extra"}],
        STOP_DRAWING: [{"type": "stop_drawing"}],
        SELL_GOOD: [{"type": "sell", "brewery": b, "good": good} for b in range(MAX_PLAYERS) for good in GOODS],
        SELL_GOOD_AS: [
            {"type": "sell_as", "brewery": b, "good": GOODS[good_of_pair(pair)], "as": GOODS[kind_of_pair(pair)]}
            for b in range(MAX_PLAYERS)
            for pair in range(PAIRS)
        ],
        END_SALE: [{"type": "end_sale"}],
        BUILD_CARD: [{"type": "build", "card": card, "space": space} for card in cards for space in range(SPACES)],
        END_BUILDING: [{"type": "end_building"}],
        STORE_GOOD: [{"type": "store", "good": good} for good in GOODS],
        END_STORING: [{"type": "end_storing"}],
        SCAVENGE_CARD: [{"type": "scavenge", "card": card} for card in cards],
        DISCARD_CARD: [{"type": "discard", "card": card} for card in cards],
        END_DISCARDING: [{"type": "end_discarding"}],
    }
    table: list[dict[str, Any]] = []
    for start, block in blocks.items():
        assert len(table) == start
        table += block
    assert len(table) == NUM_ACTIONS
    return table


def _key(action: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(action.items()))


_ACTIONS = _table()
_INDEX = {_key(action): index for index, action in enumerate(_ACTIONS)}
_ARGUMENTS: dict[Any, dict[str, list[Any]]] = {}
"""By action type: its arguments, and the values each can have."""
for _action in _ACTIONS:
    _values = _ARGUMENTS.setdefault(_action["type"], {})
    for _name, _value in _action.items():
        if _name != "type" and _value not in _values.setdefault(_name, []):
            _values[_name].append(_value)

# ------------------------------------------------------------------ positions


def describe(state: State, player: int | None) -> dict[str, Any]:
    """The game's own fields of a described position.

    For a seat `player` the opponents' hands and decks and the unknown part of the own deck are lists of None,
    and an opponent's kept card is None.
    """
    fields = _fields_of(raw(state))
    n = fields["num_players"]
    players = [_describe_player(_fields_of(raw(state)["players"][seat]), player, seat) for seat in range(n)]
    selling = fields["phase"] == SELL and not (fields["terminated"] or fields["truncated"])
    return {
        "round": fields["round_number"],
        "turn_order": fields["turn_order"][:n],
        "palace_price": int(PALACE_PRICES[fields["price_card"]]),
        "palaces_at_price": fields["palaces_at_price"],
        "breweries": [_describe_brewery(_fields_of(raw(state)["breweries"][number])) for number in range(n)],
        "players": players,
        "extra_drawn": fields["extra_drawn"],
        "sale": _describe_sale(fields) if selling else None,
        "built": fields["built"],
        "stored": _by_good(fields["stored"]) if fields["storing"] else None,
        "scavenged": _names(fields["scavenged"][: fields["scavenged_size"]]),
        "discarded": fields["discarded"],
    }


def _fields_of(record: Any) -> dict[str, Any]:
    """A record's fields as Python numbers and lists."""
    return {name: record[name].tolist() for name in record.dtype.names}


def _describe_brewery(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: _by_good(fields[key]) for key in ("demand", "price", "delivered")}


def _describe_player(fields: dict[str, Any], looking: int | None, seat: int) -> dict[str, Any]:
    known_from = fields["deck_size"] - fields["deck_known"]
    hand: list[str | None] = [CARD_NAMES[card] for card in CARDS for _ in range(fields["hand"][card])]
    deck = _names(deck_of(fields))
    kept = CARD_NAMES[fields["kept"]] or None
    if looking == seat:
        deck[:known_from] = [None] * known_from
    elif looking is not None:
        hand, deck, kept = [None] * len(hand), [None] * len(deck), None
    return {
        "coins": fields["coins"],
        "goods": _by_good(fields["goods"]),
        "spaces": _names(fields["spaces"]),
        "hand": hand,
        "deck": deck,
        "deck_known_from": known_from,
        "removed": _names(fields["removed"][: fields["removed_size"]]),
        "palaces": fields["palaces"],
        "income": fields["income"],
        "order_field": fields["order_field"],
        "kept": kept,
    }


def deck_of(fields: dict[str, Any]) -> list[int]:
    """The cards of a player's deck, the top one first."""
    top = fields["deck_top"]
    return (fields["deck"][top:] + fields["deck"][:top])[: fields["deck_size"]]


def _describe_sale(fields: dict[str, Any]) -> dict[str, Any]:
    sold_as = None
    if fields["sold_as_count"]:
        good, kind = GOODS[fields["sold_as_good"]], GOODS[fields["sold_as_kind"]]
        sold_as = {"good": good, "as": kind, "count": fields["sold_as_count"]}
    brewery = fields["sale_brewery"] - 1 if fields["sale_brewery"] else None
    return {"brewery": brewery, "sold_as": sold_as, "sold": _by_good(fields["sold"])}


def _by_good(counts: list[int]) -> dict[str, int]:
    return dict(zip(GOODS, counts, strict=True))


def _names(cards: list[int]) -> list[str | None]:
    """The names of cards and printed fields, None where nothing lies."""
    return [CARD_NAMES[card] or None for card in cards]
