"""Actions and positions in words: the interface of Pfeffersäcke to everything that is no compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.errors import IllegalAction, unknown
from envs.game import State
from envs.options import Options
from envs.pfeffersaecke.actions import (
    DOUBLE_INCOME,
    END_EXPANDING,
    EXPAND_ONCE,
    EXPAND_TWICE,
    FOUND_TOWN,
    LAY_TOKEN,
    NUM_ACTIONS,
    OPEN_PLACE,
    PASS,
)
from envs.pfeffersaecke.board import (
    BOX,
    CITY_IDS,
    CLOSED,
    FIRST_TOWN,
    PLACE_IDS,
    PLACES,
    TOWN_IDS,
    VALUE,
    VALUES,
)
from envs.pfeffersaecke.rules import final_points
from envs.pfeffersaecke.state import TOKEN_STATES
from envs.plain import raw

# ------------------------------------------------------------------ actions


def decode_action(index: int, options: Options) -> dict[str, Any]:
    """What an index of the action table means."""
    return dict(_ACTIONS[index])


def encode_action(action: Mapping[str, Any], options: Options) -> int:
    """The index of an action. Errors: `IllegalAction` naming what is wrong and the nearest valid value."""
    kind = action.get("type")
    if not isinstance(kind, str) or kind not in _ARGUMENTS:
        raise IllegalAction(unknown("action type", kind, _ARGUMENTS, "pfeffersaecke"))
    argument, values = _ARGUMENTS[kind]
    place = f"action {kind!r} of pfeffersaecke"
    for key in action:
        if key not in ("type", argument):
            raise IllegalAction(unknown("argument", key, [argument] if argument else [], place))
    if not argument:
        return values[""]
    if argument not in action:
        raise IllegalAction(f"{place} lacks the argument {argument!r}")
    value = action[argument]
    if not isinstance(value, str) or value not in values:
        raise IllegalAction(unknown(argument, value, values, place))
    return values[value]


_BLOCKS: tuple[tuple[int, str, str, tuple[str, ...]], ...] = (
    (FOUND_TOWN, "found", "town", TOWN_IDS),
    (LAY_TOKEN, "place_token", "city", CITY_IDS),
    (EXPAND_ONCE, "expand", "city", CITY_IDS),
    (EXPAND_TWICE, "expand_twice", "city", CITY_IDS),
    (DOUBLE_INCOME, "double_income", "", ("",)),
    (END_EXPANDING, "end_expanding", "", ("",)),
    (OPEN_PLACE, "open", "place", PLACE_IDS),
    (PASS, "pass", "", ("",)),
)
"""The action table in blocks: where it begins, the type, the argument's name (or none) and its values."""

_ARGUMENTS = {
    kind: (argument, {value: start + i for i, value in enumerate(values)}) for start, kind, argument, values in _BLOCKS
}
"""By action type: the argument's name, and the index of the action with each of its values."""

_ACTIONS: list[dict[str, Any]] = [
    {"type": kind, argument: value} if argument else {"type": kind}
    for _, kind, argument, values in _BLOCKS
    for value in values
]
assert len(_ACTIONS) == NUM_ACTIONS

# ------------------------------------------------------------------ positions


def describe(state: State, player: int | None) -> dict[str, Any]:
    """The game's own fields of a described position; for a seat `player` the others' `tokens` are their number."""
    cities = list(state.cities)
    branches = [state.players[seat].branches for seat in range(state.num_players)]
    won = _cities_won(cities, state.num_players)
    return {
        "round": state.round,
        "start_player": state.start_player,
        "openings": state.openings,
        "privilege_used": bool(state.privilege_used),
        "free_towns": state.free_towns,
        "turns_without_opening": state.turns_without_opening,
        "cities": {id: _describe_city(state, city, cities[city]) for city, id in enumerate(CITY_IDS)},
        "towns": {PLACE_IDS[town]: _describe_town(state, town, branches) for town in range(FIRST_TOWN, PLACES)},
        "players": [_describe_player(state, seat, won[seat], player in (None, seat)) for seat in range(len(won))],
    }


def _cities_won(cities: list[State], num_players: int) -> list[list[str]]:
    """By seat: the cities won, in the order in which they were."""
    won: list[list[tuple[int, str]]] = [[] for _ in range(num_players)]
    for id, city in zip(CITY_IDS, cities, strict=True):
        if winner := city.winner:
            won[winner - 1].append((city.won_as, id))
    return [[id for _, id in sorted(names)] for names in won]


def _describe_city(state: State, city: int, record: State) -> dict[str, Any]:
    return {
        "value": int(VALUE[city]),
        "region": BOX.cities[city].region,
        "token": TOKEN_STATES[record.token],
        "ring": [record.ring[space] - 1 for space in range(record.num_branches)],
        "middle": [state.current_player] * record.middle,
    }


def _describe_town(state: State, town: int, branches: list[int]) -> dict[str, Any]:
    owners = [seat for seat in range(state.num_players) if (branches[seat] >> town) & 1]
    return {
        "region": BOX.places[town].region,
        "owner": owners[0] if owners else None,
        "closed": bool((int(CLOSED[state.num_players]) >> town) & 1),
    }


def _describe_player(state: State, seat: int, won: list[str], open_hand: bool) -> dict[str, Any]:
    record = state.players[seat]
    tokens = [value for value in range(VALUES) for _ in range(record.tokens[value])]
    described = {
        "coins": record.coins,
        "points": record.points,
        "supply": record.supply,
        "privileges": record.privileges,
        "tokens": tokens if open_hand else len(tokens),
        "tokens_placed": [record.tokens_placed[i] for i in range(record.num_placed)],
        "cities_won": won,
    }
    if state.terminated or state.truncated:
        described["final_points"] = int(final_points(raw(state), seat))
    return described
