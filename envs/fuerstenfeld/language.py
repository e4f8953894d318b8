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
    DECK,
    GOODS,
    KINDS,
    MAX_PLAYERS,
    NO_CARD,
    SELL,
    SPACES,
)
from envs.game import State
from envs.options import Options

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
    n = state.num_players
    over = bool(state.terminated or state.truncated)
    return {
        "round": state.round,
        "turn_order": [state.turn_order[place] for place in range(n)],
        "palace_price": int(PALACE_PRICES[state.price_card]),
        "palaces_at_price": state.palaces_at_price,
        "breweries": [_describe_brewery(state.breweries[number]) for number in range(n)],
        "players": [_describe_player(state.players[seat], player, seat) for seat in range(n)],
        "extra_drawn": state.extra_drawn,
        "sale": _describe_sale(state) if state.phase == SELL and not over else None,
        "built": state.built,
        "stored": _by_good(state.stored) if state.storing else None,
        "scavenged": [CARD_NAMES[state.scavenged[place]] for place in range(state.scavenged_size)],
        "discarded": state.discarded,
    }


def _describe_brewery(brewery: State) -> dict[str, Any]:
    return {
        "demand": _by_good(brewery.demand),
        "price": _by_good(brewery.price),
        "delivered": _by_good(brewery.delivered),
    }


def _describe_player(record: State, looking: int | None, seat: int) -> dict[str, Any]:
    known_from = record.deck_size - record.deck_known
    hand: list[str | None] = [CARD_NAMES[card] for card in CARDS for _ in range(record.hand[card])]
    deck: list[str | None] = [CARD_NAMES[deck_card(record, place)] for place in range(record.deck_size)]
    kept = CARD_NAMES[record.kept] if record.kept != NO_CARD else None
    if looking == seat:
        deck[:known_from] = [None] * known_from
    elif looking is not None:
        hand, deck, kept = [None] * len(hand), [None] * len(deck), None
    return {
        "coins": record.coins,
        "goods": _by_good(record.goods),
        "spaces": [CARD_NAMES[card] if card != NO_CARD else None for card in record.spaces],
        "hand": hand,
        "deck": deck,
        "deck_known_from": known_from,
        "removed": [CARD_NAMES[record.removed[place]] for place in range(record.removed_size)],
        "palaces": record.palaces,
        "income": record.income,
        "order_field": record.order_field,
        "kept": kept,
    }


def _describe_sale(state: State) -> dict[str, Any]:
    sold_as = None
    if state.sold_as_count:
        good, kind = GOODS[state.sold_as_good], GOODS[state.sold_as_kind]
        sold_as = {"good": good, "as": kind, "count": state.sold_as_count}
    brewery = state.sale_brewery - 1 if state.sale_brewery else None
    return {"brewery": brewery, "sold_as": sold_as, "sold": _by_good(state.sold)}


def _by_good(counts: Any) -> dict[str, int]:
    return {GOODS[good]: counts[good] for good in range(KINDS)}


def deck_card(record: State, place: int) -> int:
    """The card at a place of a player's deck, counted from the top."""
    return int(record.deck[(record.deck_top + place) % DECK])
