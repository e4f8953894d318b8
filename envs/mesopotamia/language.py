"""Actions and positions in words: the interface of Mesopotamia to everything that is no compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from envs.errors import IllegalAction, unknown
from envs.game import State
from envs.mesopotamia.actions import NUM_ACTIONS, PLAYABLE
from envs.mesopotamia.components import COST, EFFECT
from envs.mesopotamia.state import (
    ACTION_KINDS,
    CARDS,
    CHOOSE_HEX,
    DIRECTIONS,
    FERTILITY,
    FIGURES,
    FIRST_OFFERING,
    GOODS,
    HUT_PLACES,
    KINDS,
    LAND,
    MAX_PLAYERS,
    NEUTRAL,
    NO_OWNER,
    PHASES,
    PICK_DESTINATION,
    PICK_TARGET,
    PLACE_VOLCANO,
    SEED,
    TILES,
)
from envs.options import Options
from envs.plain import raw

HIDDEN = "hidden"
"""An offering that the looking seat cannot know."""

# ------------------------------------------------------------------ actions

_COSTS = [int(cost) for cost in COST]
_FIGURE, _TILE, _SEAT = range(FIGURES), range(TILES), range(MAX_PLAYERS)
_BLOCKS: list[tuple[str, dict[str, Any]]] = [
    ("step", {"figure": _FIGURE, "direction": range(DIRECTIONS)}),
    ("take", {"figure": _FIGURE, "good": GOODS}),
    ("take_offering", {"figure": _FIGURE, "offering": _COSTS}),
    ("drop", {"figure": _FIGURE}),
    ("steal", {"figure": _FIGURE, "from": _SEAT, "good": GOODS}),
    ("play_card", {"card": PLAYABLE}),
    ("steal_mana", {"from": _SEAT}),
    ("end_movement", {}),
    ("place_volcano", {"tile": _TILE, "direction": range(DIRECTIONS)}),
    ("seed", {"tile": _TILE}),
    ("choose_hex", {"kind": KINDS[:-1]}),
    ("pick_figure", {"seat": _SEAT, "figure": _FIGURE}),
    ("pick_load", {"seat": _SEAT, "figure": _FIGURE}),
    ("pick_good", {"tile": _TILE, "good": GOODS}),
    ("pick_hut", {"tile": _TILE, "hut": range(HUT_PLACES)}),
    ("pick_tile", {"tile": _TILE}),
    ("build_hut", {"tile": _TILE, "offering": _COSTS}),
    ("build_cult_site", {"tile": _TILE}),
    ("give_birth", {"tile": _TILE}),
    ("draw_card", {}),
    ("end_action", {}),
    ("play_priest", {}),
    ("end_turn", {}),
]
"""The action table block by block (`envs.mesopotamia.actions`): type, arguments and their values."""

_ARGUMENTS = {kind: {name: list(values) for name, values in arguments.items()} for kind, arguments in _BLOCKS}
_ACTIONS = [
    {"type": kind, **dict(zip(arguments, values, strict=True))}
    for kind, arguments in _BLOCKS
    for values in product(*arguments.values())
]
assert len(_ACTIONS) == NUM_ACTIONS


def _key(action: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(action.items()))


_INDEX = {_key(action): index for index, action in enumerate(_ACTIONS)}


def decode_action(index: int, options: Options) -> dict[str, Any]:
    """What an index of the action table means."""
    return dict(_ACTIONS[index])


def encode_action(action: Mapping[str, Any], options: Options) -> int:
    """The index of an action. Errors: `IllegalAction` naming what is wrong and the nearest valid value."""
    kind = action.get("type")
    if not isinstance(kind, str) or kind not in _ARGUMENTS:
        raise IllegalAction(unknown("action type", kind, _ARGUMENTS, "mesopotamia"))
    arguments = _ARGUMENTS[kind]
    place = f"action {kind!r} of mesopotamia"
    for key in action:
        if key not in ("type", *arguments):
            raise IllegalAction(unknown("argument", key, arguments, place))
    for key, values in arguments.items():
        if key not in action:
            raise IllegalAction(f"{place} lacks the argument {key!r}")
        value = action[key]
        if type(value) not in (int, str) or value not in values:
            raise IllegalAction(unknown(key, value, [str(valid) for valid in values], place))
    return _INDEX[_key(action)]


# ------------------------------------------------------------------ positions


def describe(state: State, player: int | None) -> dict[str, Any]:
    """The game's own fields of a described position.

    For a seat `player` the stack (but for what it looks at with Land), the draw pile and the other hands and unused
    offerings are lists of None, another's drawn card is None, and another's offering under a hut or on a carrier is
    `"hidden"`.
    """
    record = raw(state)
    fields = _fields_of(record)
    tiles = [_fields_of(tile) for tile in record["tiles"][: fields["num_tiles"]]]
    acting = player in (None, fields["current_player"])
    looking = fields["phase"] == CHOOSE_HEX and acting
    return {
        "round": fields["round"],
        "movement_points": fields["movement_points"],
        "discoveries_left": fields["discoveries_left"],
        "land_armed": bool(fields["land_armed"]),
        "action_kind": ACTION_KINDS[fields["action_kind"]] or None,
        "births_per_hut": int(EFFECT[FERTILITY]) if fields["fertile"] else 1,
        "drawn_card": CARDS[fields["drawn_card"] - 1] if fields["drawn_card"] and acting else None,
        "pending": _describe_pending(fields["phase"], _fields_of(record["pending"])),
        "stack": [
            KINDS[kind] if player is None or (looking and place < EFFECT[LAND]) else None
            for place, kind in enumerate(_next_first(fields, "stack", "stack_size"))
        ],
        "draw_pile": [
            CARDS[card] if player is None else None for card in _next_first(fields, "draw_pile", "draw_size")
        ],
        "discard_pile": [CARDS[card] for card in fields["discard_pile"][: fields["discard_size"]]],
        "supply": dict(zip(GOODS, fields["supply"], strict=True)),
        "tiles": [_describe_tile(tile, player) for tile in tiles],
        "players": [
            _describe_player(record["players"][seat], player in (None, seat)) for seat in range(fields["num_players"])
        ],
    }


def _fields_of(record: Any) -> dict[str, Any]:
    """A record's fields as Python numbers and lists; records within it as they are."""
    return {
        name: record[name] if record.dtype[name].base.names else record[name].tolist() for name in record.dtype.names
    }


def _next_first(fields: dict[str, Any], name: str, size: str) -> list[int]:
    return list(reversed(fields[name][: fields[size]]))


def _describe_pending(phase: int, pending: dict[str, Any]) -> dict[str, Any] | None:
    """What a sub-choice is about, None outside it."""
    if phase in (CHOOSE_HEX, PLACE_VOLCANO):
        return {"figure": pending["figure"], "direction": pending["direction"]}
    if phase == SEED:
        seeded = [tile for tile in range(TILES) if pending["seeded"] >> tile & 1]
        return {"good": GOODS[pending["good"]], "left": pending["left"], "seeded": seeded}
    if phase in (PICK_TARGET, PICK_DESTINATION):
        target = {"target": dict(_ACTIONS[pending["target"]])} if phase == PICK_DESTINATION else {}
        return {"card": CARDS[pending["card"]], "resume": PHASES[pending["resume"]], **target}
    return None


def _describe_tile(tile: dict[str, Any], player: int | None) -> dict[str, Any]:
    return {
        "kind": KINDS[tile["kind"]],
        "q": tile["q"],
        "r": tile["r"],
        **dict(zip(GOODS, tile["goods"], strict=True)),
        "huts": [
            _describe_hut(int(hut["owner"]), int(hut["offering"]), player)
            for hut in tile["huts"]
            if hut["owner"] != NO_OWNER
        ],
        "cult_site": tile["cult_site"] - 1 if tile["cult_site"] else None,
        "births": tile["births"],
    }


def _describe_hut(owner: int, offering: int, player: int | None) -> dict[str, Any]:
    known = player is None or owner == player + 1
    under: int | str | None = None
    if offering:
        under = _COSTS[offering - 1] if known else HIDDEN
    return {"owner": None if owner == NEUTRAL else owner - 1, "offering": under}


def _describe_player(record: Any, known: bool) -> dict[str, Any]:
    """One player, with hand and offerings if they are `known` to whoever looks."""
    fields = _fields_of(record)
    hand: list[str | None] = [card for card, count in zip(CARDS, fields["hand"], strict=True) for _ in range(count)]
    unused: list[int | None] = [
        cost for offering, cost in enumerate(_COSTS) if fields["unused_offerings"] >> offering & 1
    ]
    return {
        "mana": fields["mana"],
        "mana_max": fields["mana_max"],
        "hand": hand if known else [None] * len(hand),
        "unused_offerings": unused if known else [None] * len(unused),
        "delivered": [_COSTS[offering - 1] for offering in fields["delivered"][: fields["num_delivered"]]],
        "huts_left": fields["huts_left"],
        "cult_sites_left": fields["cult_sites_left"],
        "figures": [_describe_figure(_fields_of(figure), known) for figure in fields["figures"]],
    }


def _describe_figure(figure: dict[str, Any], known: bool) -> dict[str, Any]:
    load: str | int | None = None
    if figure["load"] >= FIRST_OFFERING:
        load = _COSTS[figure["load"] - FIRST_OFFERING] if known else HIDDEN
    elif figure["load"]:
        load = GOODS[figure["load"] - 1]
    return {
        "tile": figure["tile"] - 1 if figure["tile"] else None,
        "load": load,
        "has_stolen": bool(figure["has_stolen"]),
        "dropped": [name for good, name in enumerate(GOODS) if figure["dropped"] >> good & 1],
    }
