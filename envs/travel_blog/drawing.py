"""The table as SVG, from a described position: the ring of offers with its stacks, the purses, the walks on the map.

The map stays folded until a round has been evaluated (unless the option `knowledge` opens it); then it shows that
round's walks, one line a traveller, and below them what each trip came to.
"""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from envs.svg import PLAYER_COLOURS, Svg
from envs.travel_blog.components import BENEATH, CROSSING, FORTY_EUROS, NEIGHBOURS, load_coordinates
from envs.travel_blog.language import PARTS
from envs.travel_blog.routes import facts_of, parts_by_name, route
from envs.travel_blog.state import FIELDS, FINALE, FORTY, ROUNDS
from envs.travel_blog.words import field_key

WIDTH, HEIGHT = 1000, 1285
RING_X, RING_Y, RING_WIDTH, RING_HEIGHT = 290, 322, 205, 182
CARD_WIDTH, CARD_HEIGHT = 128, 40
TOKEN_WIDTH, TOKEN_HEIGHT = 44, 13
PURSES_X, PURSES_Y, PURSES_WIDTH = 600, 70, 380
MAP_X, MAP_Y, MAP_WIDTH, MAP_HEIGHT = 20, 582, 960, 560
MAP_MARGIN = 26
NODE = 11
LANE, LANES = 4.5, 24
"""Pixels from line to line, and of all lines of one border together."""
LEGEND_Y = MAP_Y + MAP_HEIGHT + 22

INK, GREY, PAPER, CARD, GOLD, SEA = "#2b2b2b", "#77736a", "#fbfaf5", "#ffffff", "#d9a62e", "#4a86b8"

MINUS = "\u2212"

Token = tuple[int, int]
"""A seat and a colour: a traveller."""


def draw(description: dict[str, Any]) -> str:
    """The whole table, 1000 pixels wide."""
    svg = Svg(WIDTH, HEIGHT, background=PAPER)
    _draw_head(svg, description)
    _draw_ring(svg, description)
    _draw_purses(svg, description)
    last = description["last_round"]
    if last is not None or description["options"]["knowledge"] != "memory":
        _draw_map(svg, description)
    else:
        svg.rect(MAP_X, MAP_Y, MAP_WIDTH, MAP_HEIGHT, fill="#efece2", stroke="#c9c4b5", rx=8)
        svg.text(
            MAP_X + MAP_WIDTH / 2,
            MAP_Y + MAP_HEIGHT / 2,
            "The map is folded up until the first round is evaluated.",
            size=16,
            anchor="middle",
            fill=GREY,
        )
    return svg.to_string()


# ------------------------------------------------------------------ head


def _draw_head(svg: Svg, description: dict[str, Any]) -> None:
    unit = "tick" if description["wave_order"] is None else "wave"
    if description["phase"] == "over":
        when = "the end"
    else:
        when = f"{unit} {description['tick']} of {description['tick'] + description['ticks_left']}"
    svg.text(20, 34, f"Round {description['round']} of {ROUNDS}", size=24, font_weight="bold", fill=INK)
    svg.text(205, 34, f"{PARTS[description['part'] - 1]}, {when}", size=17, fill=INK)
    pile = description["draw_pile"]
    cards = pile if isinstance(pile, int) else len(pile)
    told = f"{cards} cards to come, {len(description['discard_pile'])} out until the finale"
    svg.text(WIDTH - 20, 34, told, size=13, anchor="end", fill=GREY)


# ------------------------------------------------------------------ the ring of offers


def _draw_ring(svg: Svg, description: dict[str, Any]) -> None:
    svg.add("ellipse", cx=RING_X, cy=RING_Y, rx=RING_WIDTH, ry=RING_HEIGHT, fill="#e9efe4", stroke="#b9c6ae")
    demanding = description["options"]["demanding"]
    for field, name in enumerate(["40", *description["offer"]]):
        # Field 0 lies at the bottom, next to the dealer; the others follow clockwise.
        angle = math.pi / 2 + 2 * math.pi * field / FIELDS
        x, y = RING_X + RING_WIDTH * math.cos(angle), RING_Y + RING_HEIGHT * math.sin(angle)
        with svg.group(key=field_key(field)):
            _draw_card(svg, x, y, name, str(field), "#f5e3b0" if field == FORTY else CARD)
            for level, token in enumerate(description["stacks"][field]):
                top = y - CARD_HEIGHT / 2 - TOKEN_HEIGHT * (level + 0.5) + 1
                _draw_token(svg, x, top, _traveller(token), demanding)
    middle = description["middle"]
    for place, name in enumerate(middle):
        y = RING_Y - 25 * (len(middle) - 1) + 62 * place
        _draw_card(svg, RING_X, y, name, "", GOLD, bold=True)
        svg.text(RING_X, y - 25, ("start", "target")[place], size=12, anchor="middle", fill=GREY)


def _draw_card(svg: Svg, x: float, y: float, name: str, number: str, fill: str, bold: bool = False) -> None:
    width, height = CARD_WIDTH, CARD_HEIGHT
    svg.rect(x - width / 2, y - height / 2, width, height, fill=fill, stroke="#8c8674", rx=6)
    weight = "bold" if bold or name == "40" else "normal"
    lines = _wrapped(name)
    size = 20 if name == "40" else 14
    for line, words in enumerate(lines):
        baseline = y + size * 0.36 + 16 * (line - (len(lines) - 1) / 2)
        svg.text(x + (4 if number else 0), baseline, words, size=size, anchor="middle", fill=INK, font_weight=weight)
    if number:
        svg.text(x - width / 2 + 6, y - height / 2 + 13, number, size=11, fill=GREY)


def _wrapped(name: str) -> list[str]:
    """A name in one line, or in two about equal ones."""
    words = name.split(" ")
    if len(name) <= 14 or len(words) == 1:
        return [name]
    breaks = range(1, len(words))
    at = min(breaks, key=lambda k: max(len(" ".join(words[:k])), len(" ".join(words[k:]))))
    return [" ".join(words[:at]), " ".join(words[at:])]


def _traveller(token: dict[str, int]) -> Token:
    return token["seat"], token["colour"]


def _colour(traveller: Token) -> str:
    """The seat's colour; the second colour of a seat is a lighter one."""
    seat, colour = traveller
    shade = PLAYER_COLOURS[seat]
    if colour == 0:
        return shade
    channels = [int(shade[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(value + 0.5 * (255 - value)):02x}" for value in channels)


def _ink(traveller: Token) -> str:
    """What reads well on a traveller's colour: black on yellow and on the lighter second colours."""
    return "#ffffff" if traveller[1] == 0 and traveller[0] != 1 else INK


def _label(traveller: Token, demanding: bool) -> str:
    seat, colour = traveller
    return f"P{seat}" + ("ab"[colour] if demanding else "")


def _draw_token(svg: Svg, x: float, y: float, traveller: Token, demanding: bool) -> None:
    """A token seen from the side, its middle at (x, y)."""
    width, height = TOKEN_WIDTH, TOKEN_HEIGHT
    svg.rect(x - width / 2, y - height / 2, width, height, fill=_colour(traveller), stroke="#ffffff", rx=5)
    label = _label(traveller, demanding)
    svg.text(x, y + 4, label, size=11, anchor="middle", fill=_ink(traveller), font_weight="bold")


# ------------------------------------------------------------------ the purses


def _draw_purses(svg: Svg, description: dict[str, Any]) -> None:
    players = description["players"]
    winners = description.get("winners", [])
    height = min(78.0, 470.0 / len(players))
    for seat, player in enumerate(players):
        y = PURSES_Y + height * seat
        acting = seat == description["current_player"]
        edge, stroke = (GOLD, 3) if acting else ("#d8d3c4", 1)
        svg.rect(PURSES_X, y, PURSES_WIDTH, height - 8, fill="#ffffff", stroke=edge, stroke_width=stroke, rx=8)
        svg.rect(PURSES_X, y, 12, height - 8, fill=PLAYER_COLOURS[seat], rx=4)
        crown = "  wins" if winners == [seat] else "  shares the win" if seat in winners else ""
        svg.text(PURSES_X + 24, y + 24, f"player_{seat}{crown}", size=15, fill=INK, font_weight="bold")
        right = PURSES_X + PURSES_WIDTH - 14
        svg.text(right, y + 28, f"€ {player['cash']}", size=22, anchor="end", fill=INK, font_weight="bold")
        if player["last_trip"] is not None:
            last = description["last_round"]["round"]
            change = f"round {last}: {player['last_change']:+d}".replace("-", MINUS)
            svg.text(right, y + 50, change, size=13, anchor="end", fill=GREY)
        x = PURSES_X + 46.0
        for colour, left in enumerate(player["tokens_left"]):
            for _ in range(left):
                _draw_token(svg, x, y + 46, (seat, colour), description["options"]["demanding"])
                x += TOKEN_WIDTH + 4
        svg.text(PURSES_X + 104, y + 24, _doing(description, seat), size=13, fill=GREY)


def _doing(description: dict[str, Any], seat: int) -> str:
    """What a seat is about in the running tick or wave, as far as the description tells."""
    commit = description["pending"][seat]
    order, acting = description["wave_order"], description["current_player"]
    if acting is None:
        return ""
    if commit is not None:
        if commit["type"] == "wait":
            return "waits"
        where = (["40", *description["offer"]])[commit["field"]]
        return f"{'b: ' if commit.get('colour') else ''}to {where}"
    if order is not None:
        return f"number {order.index(seat) + 1} of this wave"
    holds = sum(description["players"][seat]["tokens_left"]) > 0
    if seat == acting:
        return "to commit"
    return "has committed" if holds and seat < acting else ""


# ------------------------------------------------------------------ the map


@cache
def node_places(map_id: str) -> dict[str, tuple[float, float]]:
    """Where the drawing puts each part, in pixels: its coordinates, near ones pushed apart until they can be told."""
    coordinates = load_coordinates()[map_id]
    degrees = np.array([coordinates[part] for part in facts_of(map_id).part_ids])
    # Mercator's projection, stretched to the room there is.
    plane = np.stack([degrees[:, 1], -np.degrees(np.arcsinh(np.tan(np.radians(degrees[:, 0]))))], axis=1)
    low, high = plane.min(axis=0), plane.max(axis=0)
    room = np.array([MAP_WIDTH, MAP_HEIGHT]) - 2 * MAP_MARGIN
    home = (plane - low) / (high - low) * room
    places = home.copy()
    near = 3.1 * NODE
    for _ in range(300):
        apart = places[:, None] - places[None, :]
        distance = np.hypot(apart[..., 0], apart[..., 1])
        np.fill_diagonal(distance, np.inf)
        push = np.clip(near - distance, 0, None) / np.maximum(distance, 1e-9)
        places += 0.3 * (apart * push[..., None]).sum(axis=1) + 0.02 * (home - places)
        places = np.clip(places, 0, room)
    corner = np.array([MAP_X, MAP_Y]) + MAP_MARGIN
    return {part: (float(x), float(y)) for part, (x, y) in zip(facts_of(map_id).part_ids, places + corner, strict=True)}


def _draw_map(svg: Svg, description: dict[str, Any]) -> None:
    map_id = description["options"]["map"]
    svg.rect(MAP_X, MAP_Y, MAP_WIDTH, MAP_HEIGHT, fill="#eef4f7", stroke="#b8cbd6", rx=8)
    for border in facts_of(map_id).borders:
        dashes = None if border.by == "land" else "5 4"
        stroke = "#c4c1b6" if border.by == "land" else SEA
        _draw_crossing(svg, map_id, border.between, 0.0, stroke=stroke, stroke_width=1.5, stroke_dasharray=dashes)
    last = description["last_round"]
    if last is None:
        _draw_nodes(svg, map_id, [], {})
        return
    chosen = _chosen_states(last)
    walks = {traveller: route(map_id, last["middle"], names) for traveller, names in chosen.items()}
    _draw_walks(svg, map_id, walks)
    visited: dict[str, list[Token]] = defaultdict(list)
    for traveller, names in chosen.items():
        for name in names:
            stops = [part for part in parts_by_name(map_id)[name] if part in walks[traveller]]
            visited[stops[0]].append(traveller)
    ends = [walk[end] for walk in walks.values() if walk for end in (0, -1)[: len(last["middle"])]]
    _draw_nodes(svg, map_id, ends, visited, description["options"]["demanding"])
    title = f"Round {last['round']}: " + " to ".join(last["middle"])
    svg.text(MAP_X, MAP_Y - 10, title, size=17, fill=INK, font_weight="bold")
    _draw_legend(svg, description, walks)


def _chosen_states(last: dict[str, Any]) -> dict[Token, list[str]]:
    """By traveller of the round evaluated: the names of the states chosen; none for the field "40" alone."""
    chosen: dict[Token, list[str]] = {}
    for field, stack in enumerate(last["stacks"]):
        for token in stack:
            names = chosen.setdefault(_traveller(token), [])
            if field != FORTY:
                names.append(last["offer"][field - 1])
    return dict(sorted(chosen.items()))


def _draw_walks(svg: Svg, map_id: str, walks: dict[Token, list[str]]) -> None:
    """One line a crossing: crossings of the same border lie side by side, an arrowhead on each."""
    crossings: dict[tuple[str, str], list[tuple[Token, bool]]] = defaultdict(list)
    for traveller, walk in walks.items():
        for here, there in pairwise(walk):
            forward = here < there
            crossings[(here, there) if forward else (there, here)].append((traveller, forward))
    for between, lanes in crossings.items():
        lane_width = min(LANE, LANES / len(lanes))
        for lane, (traveller, forward) in enumerate(lanes):
            aside = lane_width * (lane - (len(lanes) - 1) / 2)
            colour = _colour(traveller)
            width = 0.8 * lane_width
            _draw_crossing(svg, map_id, between, aside, stroke=colour, stroke_width=width, stroke_linecap="round")
            _draw_arrowhead(svg, map_id, between, aside, forward, colour)


@cache
def bend(map_id: str, between: tuple[str, str]) -> float:
    """How far the line between two parts swerves aside at its middle, in pixels, to keep clear of all other parts."""
    places = node_places(map_id)
    others = np.array([place for part, place in places.items() if part not in between])
    start, end = np.array(places[between[0]]), np.array(places[between[1]])
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    t = np.linspace(0, 1, 40)[:, None]
    clear: dict[float, float] = {}
    for swerve in (0.0, *(sign * size for size in (12.0, 20.0, 28.0, 36.0, 44.0) for sign in (1, -1))):
        line = start + t * (end - start) + 4 * t * (1 - t) * swerve * across
        clear[swerve] = float(np.linalg.norm(line[:, None] - others[None, :], axis=2).min())
        if clear[swerve] > NODE + 5:
            return swerve
    return max(clear, key=lambda swerve: clear[swerve])


def _curve(
    map_id: str, between: tuple[str, str], aside: float
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """The line of a crossing, `aside` pixels from the middle of its border: both ends and the point that bends it."""
    (x1, y1), (x2, y2) = (node_places(map_id)[part] for part in between)
    length = math.hypot(x2 - x1, y2 - y1)
    across = (-(y2 - y1) / length, (x2 - x1) / length)
    swerve = aside + 2 * bend(map_id, between)
    start = (x1 + aside * across[0], y1 + aside * across[1])
    end = (x2 + aside * across[0], y2 + aside * across[1])
    return start, ((x1 + x2) / 2 + swerve * across[0], (y1 + y2) / 2 + swerve * across[1]), end


def _draw_crossing(svg: Svg, map_id: str, between: tuple[str, str], aside: float, **style: Any) -> None:
    (x1, y1), (cx, cy), (x2, y2) = _curve(map_id, between, aside)
    svg.add("path", d=f"M{x1:.1f},{y1:.1f} Q{cx:.1f},{cy:.1f} {x2:.1f},{y2:.1f}", fill="none", **style)


def _draw_arrowhead(svg: Svg, map_id: str, between: tuple[str, str], aside: float, forward: bool, colour: str) -> None:
    """Which way a crossing goes, at the middle of its line; left out where there is no room."""
    (x1, y1), (cx, cy), (x2, y2) = _curve(map_id, between, aside)
    length = math.hypot(x2 - x1, y2 - y1)
    if length < 4.2 * NODE:
        return
    middle = ((x1 + 2 * cx + x2) / 4, (y1 + 2 * cy + y2) / 4)
    ahead = ((x2 - x1) / length, (y2 - y1) / length) if forward else ((x1 - x2) / length, (y1 - y2) / length)
    tip = (middle[0] + 6 * ahead[0], middle[1] + 6 * ahead[1])
    back = (middle[0] - 4 * ahead[0], middle[1] - 4 * ahead[1])
    wings = [(back[0] - 4.5 * side * ahead[1], back[1] + 4.5 * side * ahead[0]) for side in (-1, 1)]
    svg.polygon([tip, *wings], fill=colour, stroke="#ffffff", stroke_width=0.8)


def _draw_nodes(
    svg: Svg, map_id: str, ends: list[str], visited: dict[str, list[Token]], demanding: bool = False
) -> None:
    """Every part as a circle with its letters; start and target in gold, visited states with the visitors' numbers."""
    facts = facts_of(map_id)
    names = {part: state.name for state in facts.states for part in state.parts}
    for part, (x, y) in node_places(map_id).items():
        end = part in ends
        edge = GOLD if end else INK if part in visited else "#8c8674"
        fill = "#f7dd92" if end else "#ffffff"
        width = 3 if end or part in visited else 1
        svg.add("circle", cx=x, cy=y, r=NODE, fill=fill, stroke=edge, stroke_width=width, title=names[part])
        letters = _letters(part)
        svg.text(x, y + 3.6, letters, size=10 if len(letters) < 3 else 8, anchor="middle", fill=INK)
        for index, traveller in enumerate(visited.get(part, [])):
            angle = -math.pi / 2 + math.radians(41) * (index - (len(visited[part]) - 1) / 2)
            dot = (x + (NODE + 9) * math.cos(angle), y + (NODE + 9) * math.sin(angle))
            svg.circle(*dot, 7.5, fill=_colour(traveller), stroke="#ffffff", stroke_width=1)
            label = _label(traveller, demanding)[1:]
            size = 11 if len(label) == 1 else 9
            svg.text(dot[0], dot[1] + 4, label, size=size, anchor="middle", fill=_ink(traveller), font_weight="bold")


def _draw_legend(svg: Svg, description: dict[str, Any], walks: dict[Token, list[str]]) -> None:
    """For each traveller the walk in letters, and what the trip came to."""
    demanding, last = description["options"]["demanding"], description["last_round"]["round"]
    rows = (len(walks) + 1) // 2
    for index, ((seat, colour), walk) in enumerate(walks.items()):
        x, y = MAP_X + (MAP_WIDTH / 2 + 6) * (index // rows), LEGEND_Y + 42 * (index % rows)
        _draw_token(svg, x + TOKEN_WIDTH / 2, y - 4, (seat, colour), demanding)
        letters = "·".join(_letters(part) for part in walk)
        size = min(13.0, 660 / max(1, len(letters)))  # a long walk is written smaller, to fit its column
        svg.text(x + 54, y, letters or "stays at home", size=size, fill=INK)
        trip = description["players"][seat]["last_trip"][colour]
        svg.text(x + 54, y + 16, _account(trip, last), size=11.5, fill=GREY)


def _letters(part: str) -> str:
    """What the map calls a part: its state's letters, or its own where a state has two and it is the smaller one."""
    state, _, own = part.partition("-")
    return state if own in ("", "MAIN") else own


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _account(trip: dict[str, Any], round_: int) -> str:
    """The trip's amount as a sum."""
    terms = [f"{_count(trip['crossings'], 'crossing')} {CROSSING * trip['crossings']}"] if trip["crossings"] else []
    if trip["neighbour_pairs"]:
        terms.append(f"+ {_count(trip['neighbour_pairs'], 'neighbour pair')} {NEIGHBOURS * trip['neighbour_pairs']}")
    if trip["forty"]:
        terms.append(f"+ field {FORTY_EUROS}" if terms else f"field {FORTY_EUROS}")
    if trip["beneath"]:
        terms.append(f"{MINUS if round_ == FINALE else '+'} {trip['beneath']} beneath {BENEATH * trip['beneath']}")
    return f"{' '.join(terms)} = {trip['amount']}"
