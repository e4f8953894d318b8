"""What a token does and costs, in a player's words, read off a described position.

Nobody is told a price unless the option `knowledge` opens it: how far away a state is, is for the players to remember.
Commits of a running tick are unseen, so in public a token and a wait are spoken of alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from envs.travel_blog.components import BENEATH, CROSSING, FORTY_EUROS, NEIGHBOURS
from envs.travel_blog.routes import facts_of, parts_by_name, route
from envs.travel_blog.state import FINALE, FORTY
from envs.words import counted

Description = Mapping[str, Any]
Action = Mapping[str, Any]


def field_key(field: int) -> str:
    """What the drawing calls a field of the ring, with the tokens on it."""
    return f"field_{field}"


def places(action: Action, description: Description) -> tuple[str, ...]:
    return (field_key(action["field"]),) if action["type"] == "place" else ()


def say(action: Action, description: Description, public: bool = False) -> str:
    """Where the token goes and what lies beneath it; in public, while commits are unseen, only that there is one."""
    unseen = description["wave_order"] is None
    if public and unseen:
        return f"Commit unseen in tick {description['tick']}: a token or a wait"
    if action["type"] == "wait":
        return f"Wait, with {counted(description['ticks_left'], 'tick')} to come after this one"
    field = action["field"]
    token = f"token {'ab'[action['colour']]}" if "colour" in action else "a token"
    where = (
        f'the field "{FORTY_EUROS}" ({FORTY_EUROS} euros for no state)'
        if field == FORTY
        else f"{description['offer'][field - 1]} (field {field})"
    )
    return f"Put {token} on {where}{_beneath(field, description)}{_price(action, description)}"


def _beneath(field: int, description: Description) -> str:
    count = len(description["stacks"][field])
    if not count:
        return ""
    sign = "less" if description["round"] == FINALE else "more"
    return f", {BENEATH * count} euros {sign} for {counted(count, 'token')} beneath"


def _price(action: Action, description: Description) -> str:
    """The price of the trip that the token completes, if the seats may know prices."""
    options, seat, colour = description["options"], description["current_player"], action.get("colour", 0)
    if options["knowledge"] != "costs":
        return ""
    token = {"seat": seat, "colour": colour}
    fields = [field for field, stack in enumerate(description["stacks"]) if token in stack]
    if len(fields) + 1 < (1 if description["round"] <= 2 else 2):
        return ""
    price = trip_price(options["map"], description["middle"], description["offer"], [*fields, action["field"]])
    verb = "brings" if description["round"] == FINALE else "costs"
    return f"; without tokens beneath the trip {verb} {price} euros"


def trip_price(map_id: str, middle: Sequence[str], offer: Sequence[str], fields: Sequence[int]) -> int:
    """What the map makes a trip to some fields cost, in euros, without tokens beneath."""
    chosen = [offer[field - 1] for field in fields if field != FORTY]
    crossings = max(0, len(route(map_id, middle, chosen)) - 1)
    pairs = list(combinations([*middle, *chosen], 2))
    if len(middle) == 2:  # that start and target touch does not count
        pairs.remove((middle[0], middle[1]))
    neighbours = sum(_are_neighbours(map_id, *pair) for pair in pairs)
    return CROSSING * crossings + NEIGHBOURS * neighbours + FORTY_EUROS * (FORTY in fields)


def _are_neighbours(map_id: str, one: str, other: str) -> bool:
    links, parts = facts_of(map_id).links(), parts_by_name(map_id)
    return any(there in links[here] for here in parts[one] for there in parts[other])
