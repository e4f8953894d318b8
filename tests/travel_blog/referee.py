"""A second, slow engine of Travel Blog that knows nothing of the first: it works on described positions, in words.

Costs come from a search over walks on the borders of the map files: no distances, no formulae for orders of stops.
What chance decides (stacking, waves, the finale's shuffle) is read off the next position and checked to be possible.
"""

from __future__ import annotations

import tomllib
from collections import deque
from copy import deepcopy
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import envs.travel_blog

FOLDER = Path(envs.travel_blog.__file__).parent
Described = dict[str, Any]
Action = dict[str, Any]


class MapOnPaper:
    """A map as its file has it: which parts touch, and which parts a state has."""

    def __init__(self, map_id: str) -> None:
        graph = tomllib.loads((FOLDER / f"{map_id}.toml").read_text(encoding="utf-8"))["graph"]
        self.parts = {state["name"]: state["parts"] for state in graph["states"]}
        self.touching: dict[str, set[str]] = {part: set() for parts in self.parts.values() for part in parts}
        for border in graph["borders"]:
            one, other = border["between"]
            self.touching[one].add(other)
            self.touching[other].add(one)

    def neighbours(self, one: str, other: str) -> bool:
        return any(there in self.touching[here] for here in self.parts[one] for there in self.parts[other])

    def fewest_crossings(self, start: str, chosen: list[str], target: str | None) -> int:
        """The length of the shortest walk that sets out in `start`, visits all of `chosen` and ends in `target`."""
        bit = {part: 1 << index for index, name in enumerate(chosen) for part in self.parts[name]}
        all_seen = (1 << len(chosen)) - 1
        ends = self.touching if target is None else self.parts[target]
        first = [(part, bit.get(part, 0)) for part in self.parts[start]]
        crossed = dict.fromkeys(first, 0)
        waiting = deque(first)
        while waiting:
            here = part, seen = waiting.popleft()
            if seen == all_seen and part in ends:
                return crossed[here]
            for there in self.touching[part]:
                step = there, seen | bit.get(there, 0)
                if step not in crossed:
                    crossed[step] = crossed[here] + 1
                    waiting.append(step)
        raise AssertionError("no walk")

    def trip(self, middle: list[str], names: list[str], forty: bool, beneath: int, pays_out: bool) -> Described:
        """What a traveller's trip is made of; `names` are the states chosen."""
        target = middle[1] if len(middle) == 2 else None
        crossings = self.fewest_crossings(middle[0], names, target) if names else 0
        pairs = [(one, other) for one in middle for other in names] + list(combinations(names, 2))
        touching = sum(self.neighbours(one, other) for one, other in pairs)
        amount = 10 * crossings + 30 * touching + 40 * forty + (-10 if pays_out else 10) * beneath
        return {
            "crossings": crossings,
            "neighbour_pairs": touching,
            "beneath": beneath,
            "forty": forty,
            "amount": max(amount, 0),
        }


@cache
def paper(map_id: str) -> MapOnPaper:
    return MapOnPaper(map_id)


# ------------------------------------------------------------------ reading a described position


def colours(position: Described) -> int:
    return 2 if position["options"]["demanding"] else 1


def ticking(position: Described) -> bool:
    return position["options"]["timing"] == "ticks"


def held(position: Described, seat: int) -> int:
    return sum(position["players"][seat]["tokens_left"])


def fields_of(position: Described, seat: int, colour: int) -> set[int]:
    token = {"seat": seat, "colour": colour}
    return {field for field in range(8) if token in position["stacks"][field]}


def legal(position: Described) -> list[Action]:
    """What the seat to act may do, in the order of the actions' indices."""
    seat = position["current_player"]
    actions: list[Action] = []
    for colour in range(colours(position)):
        if position["players"][seat]["tokens_left"][colour] == 0:
            continue
        own = fields_of(position, seat, colour)
        for field in range(8):
            if field in own:
                continue
            if colours(position) == 2:
                other = fields_of(position, seat, 1 - colour)
                if position["round"] <= 2 and field in other:
                    continue
                if position["round"] > 2 and len(own) == 1 and own | {field} == other:
                    continue
                actions.append({"type": "place", "field": field, "colour": colour})
            else:
                actions.append({"type": "place", "field": field})
    others_hold = any(held(position, other) for other in range(position["num_players"]) if other != seat)
    if ticking(position) and position["ticks_left"] >= held(position, seat) and others_hold:
        actions.append({"type": "wait"})
    return actions


# ------------------------------------------------------------------ playing


def follow(before: Described, action: Action, after: Described) -> None:
    """Assert that `action` leads from one wholly described position to the other, as far as chance lets one know."""
    position = deepcopy(before)
    position["move_number"] += 1
    seat = position["current_player"]
    if ticking(position):
        position["pending"][seat] = action
        tick_over = not _ask_next_holder(position, seat + 1)
        if tick_over:
            _lay_pending(position, after, before)
    else:
        _lay(position, seat, action)
        order = position["wave_order"]
        place = order.index(seat) + 1
        tick_over = place == len(order)
        if not tick_over:
            position["current_player"] = order[place]
    if tick_over:
        if any(held(position, seat) for seat in range(position["num_players"])):
            _next_tick(position, after)
        else:
            _evaluate(position)
            if position["round"] == 7:
                _end(position, after)
            else:
                _next_round(position, after)
    assert after == position


def _ask_next_holder(position: Described, first: int) -> bool:
    for seat in range(first, position["num_players"]):
        if held(position, seat):
            position["current_player"] = seat
            return True
    return False


def _lay(position: Described, seat: int, action: Action) -> None:
    colour = action.get("colour", 0)
    position["stacks"][action["field"]].append({"seat": seat, "colour": colour})
    position["players"][seat]["tokens_left"][colour] -= 1


def _lay_pending(position: Described, after: Described, before: Described) -> None:
    """Tokens of the tick lie on top of the old ones, in the order that the next position has them in."""
    seen = after["stacks"] if after["round"] == position["round"] else after["last_round"]["stacks"]
    for seat, action in enumerate(position["pending"]):
        if action is not None and action["type"] == "place":
            _lay(position, seat, action)
    for field, stack in enumerate(position["stacks"]):
        below = len(before["stacks"][field])
        assert seen[field][:below] == before["stacks"][field]
        assert sorted(map(str, seen[field][below:])) == sorted(map(str, stack[below:]))
        position["stacks"][field] = deepcopy(seen[field])
    position["pending"] = [None] * position["num_players"]


def _next_tick(position: Described, after: Described) -> None:
    position["tick"] += 1
    position["ticks_left"] -= 1
    _open_tick(position, after)


def _open_tick(position: Described, after: Described) -> None:
    if ticking(position):
        assert _ask_next_holder(position, 0)
        return
    assert sorted(after["wave_order"]) == list(range(position["num_players"]))
    position["wave_order"] = after["wave_order"]
    position["current_player"] = after["wave_order"][0]


def _evaluate(position: Described) -> None:
    on_paper = paper(position["options"]["map"])
    finale = position["round"] == 7
    for seat, player in enumerate(position["players"]):
        trips = []
        for colour in range(colours(position)):
            token = {"seat": seat, "colour": colour}
            fields = sorted(fields_of(position, seat, colour))
            beneath = sum(position["stacks"][field].index(token) for field in fields)
            names = [position["offer"][field - 1] for field in fields if field]
            trips.append(on_paper.trip(position["middle"], names, 0 in fields, beneath, finale))
        total = sum(trip["amount"] for trip in trips)
        change = total if finale else -min(total, player["cash"])
        player["cash"] += change
        player["last_change"], player["last_trip"] = change, trips
    position["last_round"] = {key: deepcopy(position[key]) for key in ("round", "offer", "middle", "stacks")}


def _next_round(position: Described, after: Described) -> None:
    position["discard_pile"] += position["offer"] + position["middle"]
    position["round"] += 1
    position["part"] = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4}[position["round"]]
    pile = position["draw_pile"]
    if position["round"] == 7:
        assert pile == [], "the cards last for exactly six rounds"
        pile = after["offer"] + after["middle"] + after["draw_pile"]
        assert sorted(pile) == sorted(paper(position["options"]["map"]).parts)
        position["discard_pile"] = []
    middle = 1 if position["round"] <= 4 else 2
    position["offer"], position["middle"] = pile[:7], pile[7 : 7 + middle]
    position["draw_pile"] = pile[7 + middle :]
    position["stacks"] = [[] for _ in range(8)]
    tokens = 1 if position["round"] <= 2 else 2
    for player in position["players"]:
        player["cash"] += {3: 200, 5: 300}.get(position["round"], 0) * colours(position)
        player["tokens_left"] = [tokens] * colours(position)
    ticks = tokens * colours(position) + (2 if ticking(position) else 0)
    position["tick"], position["ticks_left"] = 1, ticks - 1
    _open_tick(position, after)


def _end(position: Described, after: Described) -> None:
    position["phase"], position["terminated"], position["current_player"] = "over", True, None
    cash = [player["cash"] for player in position["players"]]
    position["winners"] = [seat for seat, euros in enumerate(cash) if euros == max(cash)]
    position["returns"] = after["returns"]


def check_start(position: Described) -> None:
    """Assert that a wholly described position is the first one of a game."""
    options = position["options"]
    seats, tokens = position["num_players"], [1] * colours(position)
    cards = position["offer"] + position["middle"] + position["draw_pile"]
    assert sorted(cards) == sorted(paper(options["map"]).parts)
    assert (len(position["offer"]), len(position["middle"]), len(position["draw_pile"])) == (7, 1, 42)
    order = position["wave_order"]
    assert (order is None) if ticking(position) else (sorted(order) == list(range(seats)))
    player = {"cash": 100 * colours(position), "tokens_left": tokens, "last_trip": None, "last_change": 0}
    assert position["players"] == [player] * seats
    ticks = len(tokens) + (2 if ticking(position) else 0)
    first = {
        "game": "travel_blog",
        "phase": "place",
        "round": 1,
        "part": 1,
        "tick": 1,
        "ticks_left": ticks - 1,
        "current_player": 0 if order is None else order[0],
        "stacks": [[]] * 8,
        "pending": [None] * seats,
        "discard_pile": [],
        "last_round": None,
        "move_number": 0,
        "terminated": False,
        "truncated": False,
    }
    assert {key: position[key] for key in first} == first
