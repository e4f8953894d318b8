"""A second, slow engine of Pfeffersäcke that knows nothing of the first: it works on described positions, in words.

After the set-up nothing is left to chance, so `follow` gives the whole next description, and `legal` the actions in the
order of their indices. It reads the map from the same file, and nothing else from the package.
"""

from __future__ import annotations

import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import envs.pfeffersaecke

BOX = tomllib.loads((Path(envs.pfeffersaecke.__file__).parent / "components.toml").read_text(encoding="utf-8"))
CITIES = [city["id"] for city in BOX["cities"]]
TOWNS = [town["id"] for town in BOX["towns"]]
REGION = {place["id"]: place["region"] for place in BOX["cities"] + BOX["towns"]}
VALUE = {city["id"]: city["value"] for city in BOX["cities"]}
PRICES: dict[str, dict[str, int]] = {id: {} for id in REGION}
for _route in BOX["map"]["routes"]:
    PRICES[_route["a"]][_route["b"]] = PRICES[_route["b"]][_route["a"]] = _route["price"]

Described = dict[str, Any]
Action = dict[str, Any]

# ------------------------------------------------------------------ looking


def branches(now: Described, seat: int) -> list[str]:
    """The places where a seat has a branch."""
    cities = [id for id, city in now["cities"].items() if seat in city["ring"] + city["middle"]]
    return cities + [id for id, town in now["towns"].items() if town["owner"] == seat]


def free(now: Described, city: str) -> int:
    return VALUE[city] - len(now["cities"][city]["ring"]) - len(now["cities"][city]["middle"])


def may_use_privilege(now: Described) -> bool:
    return now["round"] > 1 and not now["privilege_used"] and now["players"][now["current_player"]]["privileges"] > 0


def expandable(now: Described, houses: int) -> list[str]:
    seat = now["current_player"]
    expanded = [city for city in CITIES if now["cities"][city]["middle"]]
    later = CITIES[CITIES.index(expanded[-1]) + 1 :] if expanded else CITIES
    if now["players"][seat]["supply"] < houses:
        return []
    return [city for city in later if seat in now["cities"][city]["ring"] and free(now, city) >= houses]


def price_of(now: Described, place: str) -> int | None:
    own = branches(now, now["current_player"])
    prices = [price for neighbour, price in PRICES[place].items() if neighbour in own]
    return min(prices) if prices else None


def openable(now: Described) -> list[str]:
    seat = now["current_player"]
    player = now["players"][seat]
    if player["supply"] == 0 or now["openings"] == 2 or (now["openings"] == 1 and not may_use_privilege(now)):
        return []
    places = []
    for id in CITIES + TOWNS:
        if id in TOWNS:
            possible = now["towns"][id]["owner"] is None and not now["towns"][id]["closed"]
        else:
            laid = now["cities"][id]["token"] in ("placed", "removed")
            possible = laid and free(now, id) > 0 and id not in branches(now, seat)
        price = price_of(now, id)
        if possible and price is not None and price <= player["coins"]:
            places.append(id)
    return places


def legal(now: Described) -> list[Action]:
    """What the player to move may do, in the order of the actions' indices."""
    phase = now["phase"]
    if phase == "found":
        towns = now["towns"].items()
        return [{"type": "found", "town": id} for id, town in towns if town["owner"] is None and not town["closed"]]
    if phase == "place_token":
        hand = now["players"][now["current_player"]]["tokens"]
        cities = [id for id, city in now["cities"].items() if city["token"] == "none" and city["value"] in hand]
        return [{"type": "place_token", "city": id} for id in cities]
    if phase == "expand":
        actions: list[Action] = [{"type": "expand", "city": id} for id in expandable(now, 1)]
        if may_use_privilege(now):
            actions += [{"type": "expand_twice", "city": id} for id in expandable(now, 2)]
            if not any(city["middle"] for city in now["cities"].values()):
                actions.append({"type": "double_income"})
        return [*actions, {"type": "end_expanding"}]
    return [*({"type": "open", "place": id} for id in openable(now)), {"type": "pass"}]


# ------------------------------------------------------------------ playing


def follow(now: Described, action: Action) -> Described:
    """The position after an action and all that is played automatically behind it."""
    then = deepcopy(now)
    then["move_number"] += 1
    seat, kind = now["current_player"], action["type"]
    player = then["players"][seat]
    if kind == "found":
        _put(then, seat, action["town"])
        then["current_player"] = (seat + 1) % then["num_players"]
        if then["current_player"] == then["start_player"]:
            then["round"], then["phase"] = 1, "place_token"
        return _cut_off(then)
    if kind == "place_token":
        value = VALUE[action["city"]]
        player["tokens"].remove(value)
        player["tokens_placed"].append(value)
        then["cities"][action["city"]]["token"] = "placed"
        then["phase"] = "expand"
    elif kind in ("expand", "expand_twice"):
        houses = 1 if kind == "expand" else 2
        then["cities"][action["city"]]["middle"] = [seat] * houses
        player["supply"] -= houses
        if kind == "expand_twice":
            _spend(then)
    elif kind == "double_income":
        _spend(then)
        player["coins"] += max(48, 2 * _income(then))
        then["phase"] = "open"
    elif kind == "end_expanding":
        player["coins"] += _income(then)
        then["phase"] = "open"
    elif kind == "open":
        if then["openings"]:
            _spend(then)
        then["openings"] += 1
        player["coins"] -= price_of(then, action["place"])
        _put(then, seat, action["place"])
    else:
        _end_turn(then)
    return _cut_off(_automatic(then))


def _automatic(then: Described) -> Described:
    """What is skipped: placing without a token, expanding and opening where the end is all there is."""
    while then["current_player"] is not None and len(legal(then)) < 2:
        if then["phase"] == "place_token":
            if then["players"][then["current_player"]]["tokens"]:
                break
            then["phase"] = "expand"
        elif then["phase"] == "expand":
            then["players"][then["current_player"]]["coins"] += _income(then)
            then["phase"] = "open"
        else:
            _end_turn(then)
    return then


def _spend(then: Described) -> None:
    then["players"][then["current_player"]]["privileges"] -= 1
    then["privilege_used"] = True


def _income(then: Described) -> int:
    seat, n = then["current_player"], then["num_players"]
    spaces = 0
    for id, city in then["cities"].items():
        if seat in city["ring"] and not city["middle"] and city["token"] == "placed":
            spaces += free(then, id)
    return (n - 1) * (spaces + 2)


def _put(then: Described, seat: int, place: str) -> None:
    player = then["players"][seat]
    player["supply"] -= 1
    if place in TOWNS:
        then["towns"][place]["owner"] = seat
        then["free_towns"] -= 1
        player["points"] += 1
    else:
        then["cities"][place]["middle"] = [seat]


def _end_turn(then: Described) -> None:
    seat, players = then["current_player"], then["players"]
    for id, city in then["cities"].items():
        if not city["middle"]:
            continue
        city["ring"] += city["middle"]
        city["middle"] = []
        if city["token"] != "placed":
            continue
        ring, value = city["ring"], VALUE[id]
        if ring.count(seat) > value - ring.count(seat):
            winner, points = seat, value
        elif len(ring) == value:
            winner = max(dict.fromkeys(ring), key=ring.count)  # of equals the first to arrive
            points = value // 2 + (value % 2 if then["options"]["half_points"] == "up" else 0)
        else:
            continue
        city["token"] = "removed"
        players[winner]["points"] += points
        players[winner]["cities_won"].append(id)
    then["turns_without_opening"] = 0 if then["openings"] else then["turns_without_opening"] + 1
    then["openings"], then["privilege_used"] = 0, False
    no_town = all(town["closed"] or town["owner"] is not None for town in then["towns"].values())
    tokens = any(player["tokens"] for player in players)
    no_token = not tokens and all(city["token"] != "placed" for city in then["cities"].values())
    if no_town or no_token or then["turns_without_opening"] == then["num_players"]:
        _finish(then, "terminated")
        return
    then["current_player"] = (seat + 1) % then["num_players"]
    then["round"] += then["current_player"] == then["start_player"]
    then["phase"] = "place_token"


def _cut_off(then: Described) -> Described:
    if not then["terminated"] and then["move_number"] >= then["options"]["max_moves"]:
        _finish(then, "truncated")
    return then


def _finish(then: Described, how: str) -> None:
    standings = []
    for seat, player in enumerate(then["players"]):
        regions = {REGION[place] for place in branches(then, seat)}
        player["final_points"] = player["points"] + 2 * len(regions) + player["coins"] // 20
        won = player["cities_won"]
        standings.append((player["final_points"], len(won), sum(VALUE[city] for city in won)))
    then[how], then["phase"], then["current_player"] = True, "over", None
    then["winners"] = [seat for seat, standing in enumerate(standings) if standing == max(standings)]
    then["returns"] = [_return(then, standings, seat) for seat in range(then["num_players"])]


def _return(then: Described, standings: list[tuple[int, int, int]], seat: int) -> float:
    n, own = then["num_players"], standings[seat]
    others = [standing for other, standing in enumerate(standings) if other != seat]
    if then["options"]["reward"] == "win":
        share = 1 / len(then["winners"]) if seat in then["winners"] else 0
        return (share - 1 / n) * n / (n - 1)
    if then["options"]["reward"] == "rank":
        place = sum(other > own for other in others) + sum(other == own for other in others) / 2
        return 1 - 2 * place / (n - 1)
    return (own[0] - sum(other[0] for other in others) / (n - 1)) / 40
