"""The table in words: what actions do and cost, whose turn it is, and the text board of a terminal.

All of it is read off a described position. Nothing that a player does in this game is hidden, so what is said of an
action is the same for all: a token is seen when it is laid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from envs.pfeffersaecke.board import (
    BASE_INCOME,
    BOX,
    DOUBLE_INCOME_MINIMUM,
    HIGHEST_VALUE,
    INCOME_PER_SPACE,
    TOWN_POINTS,
)
from envs.words import counted

Description = Mapping[str, Any]
Action = Mapping[str, Any]

NAMES = {place.id: place.name for place in BOX.places}

# ------------------------------------------------------------------ the names of places in the drawing


def place_key(place: str) -> str:
    """A city or town, by its id."""
    return f"place_{place}"


def token_key(seat: int, value: int | str) -> str:
    """A token in a seat's hand, each one of that value."""
    return f"token_{seat}_{value}"


def privileges_key(seat: int) -> str:
    return f"privileges_{seat}"


def places(action: Action, description: Description) -> tuple[str, ...]:
    """The city or town, with the token in hand that goes there; the privileges for a double income."""
    kind, seat = action["type"], description["current_player"]
    if kind == "place_token":
        city = action["city"]
        return place_key(city), token_key(seat, description["cities"][city]["value"])
    if kind == "double_income":
        return (privileges_key(seat),)
    place = action.get("city") or action.get("town") or action.get("place")
    return (place_key(place),) if place else ()


# ------------------------------------------------------------------ actions


def say(action: Action, description: Description, public: bool = False) -> str:
    """What an action does and costs."""
    kind = action["type"]
    if kind == "found":
        town = action["town"]
        return f"Found a branch in {NAMES[town]} ({_region(description, town)}): {_points(TOWN_POINTS)}"
    if kind == "place_token":
        city = action["city"]
        return f"Lay a token of {description['cities'][city]['value']} on {NAMES[city]}"
    if kind in ("expand", "expand_twice"):
        forgone = _income_of_city(description, action["city"])
        instead = f" instead of {_gulden(forgone)} from there" if forgone else ""
        twice = " by two branches, with a privilege," if kind == "expand_twice" else ""
        return f"Expand in {NAMES[action['city']]}{twice}{instead}".rstrip(",")
    if kind == "double_income":
        gulden = max(DOUBLE_INCOME_MINIMUM, 2 * income_of(description))
        return f"Use a privilege for double income: take {_gulden(gulden)}, expand nowhere"
    if kind == "end_expanding":
        more = "nowhere else" if any(city["middle"] for city in description["cities"].values()) else "nowhere"
        return f"Expand {more} and take {_gulden(income_of(description))}"
    if kind == "open":
        return _say_opening(action["place"], description)
    return "Open nothing more" if description["openings"] else "Open nothing"


def _gulden(count: int) -> str:
    return f"{count} gulden"


def _points(count: int) -> str:
    return counted(count, "point")


def _region(description: Description, place: str) -> str:
    where = description["towns"] if place in description["towns"] else description["cities"]
    return BOX.regions[where[place]["region"]]


def _own_places(description: Description) -> Iterable[str]:
    """Where the player to move has a branch, those in the middle of a city included."""
    seat = description["current_player"]
    yield from (id for id, city in description["cities"].items() if seat in city["ring"] or seat in city["middle"])
    yield from (id for id, town in description["towns"].items() if town["owner"] == seat)


def price_of(place: str, description: Description) -> int:
    """What the player to move pays for opening a branch: the cheapest route from an own one, in gulden."""
    own = set(_own_places(description))
    ends = ((route.price, *pair) for route in BOX.routes for pair in ((route.a, route.b), (route.b, route.a)))
    return min(int(price) for price, here, there in ends if here in own and there == place)


def _say_opening(place: str, description: Description) -> str:
    town = place in description["towns"]
    gain = f" ({_points(TOWN_POINTS)})" if town else ""
    privilege = ", using a privilege" if description["openings"] else ""
    where = f"{NAMES[place]} ({_region(description, place)})"
    return f"Open a branch in {where} for {_gulden(price_of(place, description))}{gain}{privilege}"


def _income_of_city(description: Description, id: str) -> int:
    """What a city pays the player to move who does not expand there: by free spaces, while its token lies."""
    city, seat = description["cities"][id], description["current_player"]
    if city["token"] != "placed" or city["middle"] or seat not in city["ring"]:
        return 0
    return int(INCOME_PER_SPACE[description["num_players"]]) * (city["value"] - len(city["ring"]))


def income_of(description: Description) -> int:
    """What the player to move takes in steps 3 and 4 if expanding is over now, in gulden."""
    cities = sum(_income_of_city(description, city) for city in description["cities"])
    return cities + int(BASE_INCOME[description["num_players"]])


# ------------------------------------------------------------------ the turn


def status(description: dict[str, Any]) -> str:
    """Whose turn it is and how near the end is, on one line."""
    words = [f"round {description['round']}", f"{description['free_towns']} free towns"]
    words.append(f"{description['turns_without_opening']} turns without opening")
    if description["current_player"] is None:
        winners = " and ".join(f"player_{seat}" for seat in description["winners"])
        words.insert(0, f"over, {winners} won")
    else:
        words.insert(0, f"player_{description['current_player']}: {description['phase'].replace('_', ' ')}")
        words += [f"{description['openings']} opened this turn"] if description["openings"] else []
        words += ["privilege used"] if description["privilege_used"] else []
    return " · ".join(words)


# ------------------------------------------------------------------ the text board


def text(description: dict[str, Any]) -> str:
    """A line on the turn, one for each player, then the cities that anybody is in or may soon be."""
    lines = [status(description)]
    for seat, player in enumerate(description["players"]):
        arrow = ">" if seat == description["current_player"] else " "
        tokens = player["tokens"]
        hand = " ".join(map(str, tokens)) if isinstance(tokens, list) else f"{tokens} tokens"
        towns = [id for id, town in description["towns"].items() if town["owner"] == seat]
        final = f", final {player['final_points']}" if "final_points" in player else ""
        lines.append(
            f"{arrow} player_{seat}  points {player['points']}{final}  coins {player['coins']}  "
            f"privileges {player['privileges']}  houses {player['supply']}  hand {hand or '-'}"
        )
        lines.append(f"    towns {' '.join(towns) or '-'}; won {' '.join(player['cities_won']) or '-'}")
    for id, city in description["cities"].items():
        if city["token"] in ("placed", "removed"):
            spaces = "".join(map(str, city["ring"])).ljust(city["value"], ".").ljust(HIGHEST_VALUE)
            middle = f"  + {' '.join(map(str, city['middle']))}" if city["middle"] else ""
            gone = "  (token gone)" if city["token"] == "removed" else ""
            lines.append(f"  {id:<13} {city['value']}  {spaces}{middle}{gone}")
    return "\n".join(lines)
