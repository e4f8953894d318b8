"""The board and the players' panels as a picture, made from a description alone.

Places, tokens in hand and privileges bear the names that `places` gives them.
"""

from __future__ import annotations

import math
from functools import cache
from textwrap import wrap
from typing import Any

from envs.pfeffersaecke.board import BOX
from envs.pfeffersaecke.components import CANVAS, Place, Route
from envs.pfeffersaecke.words import place_key, privileges_key, status, token_key
from envs.svg import PLAYER_COLOURS, Svg

Point = tuple[float, float]
Box = tuple[float, float, float, float]

BAND = 36
"""Width of the score track around the map."""
MAP_X, MAP_Y = float(BAND), float(BAND)
WIDTH, BOARD_HEIGHT = CANVAS[0] + 2 * BAND, CANVAS[1] + 2 * BAND
LEGEND, STATUS, PANEL = 26, 26, 132
"""Heights of the line of regions, of the line that says whose turn it is, and of a player's panel."""
PANELS_A_ROW = 3
REGION_LINE = 12.0
"""From one line of a region's name to the next."""

INK, FAINT, PAPER = "#2b2620", "#8b8274", "#fffdf6"
CITY_RADIUS, SPACE_RADIUS, TOWN_RADIUS = 27.0, 19.0, 12.0
HOUSE = 7.0
"""Half the height of a house in a city or on the score track."""
DARK_ON = ("#edae49",)
"""Player colours that black reads better on than white."""
TRACK_ACROSS, TRACK_DOWN = 29, 21
FIELDS = 2 * (TRACK_ACROSS + TRACK_DOWN)
"""Fields of the score track: whoever passes the last one starts again, with a token of 100."""

REGION_TINTS = dict(
    zip(
        BOX.regions,
        (
            "#f6d9c4",
            "#d5e6f3",
            "#e3d6ec",
            "#f5efbd",
            "#d3e8cf",
            "#f3d0da",
            "#e9e0c8",
            "#cfe6e2",
            "#f3deb0",
            "#dcd9ee",
        ),
        strict=True,
    )
)
REGION_NAMES: dict[str, Point] = {
    "flandern": (80, 590),
    "holland": (110, 110),
    "rheinland": (252, 582),
    "westfalen": (366, 264),
    "niedersachsen": (414, 60),
    "mecklenburg": (840, 130),
    "sachsen": (860, 340),
    "franken": (494, 450),
    "schwaben": (330, 724),
    "bayern": (870, 510),
}
"""The middle of each region's name on the map: within the region, and clear of places, their names and prices."""
_PLACES = {place.id: place for place in BOX.places}
TOKEN_FILLS = {"none": PAPER, "placed": "#f0c75a", "removed": "#d9d2c3", "closed": "#77706a"}


def draw(description: dict[str, Any]) -> str:
    """The board with regions, routes, cities, towns and score track, a line on the turn, and a panel a player."""
    players = description["players"]
    rows = -(-len(players) // PANELS_A_ROW)
    svg = Svg(WIDTH, BOARD_HEIGHT + LEGEND + STATUS + rows * (PANEL + 8) + 8)
    _draw_regions(svg)
    _draw_routes(svg)
    for place in BOX.towns:
        _draw_town(svg, place, description["towns"][place.id])
    winners = {city: seat for seat, player in enumerate(players) for city in player["cities_won"]}
    for place in BOX.cities:
        _draw_city(svg, place, description["cities"][place.id], winners.get(place.id))
    for place in BOX.places:
        _draw_name(svg, place)
    _draw_prices(svg)
    _draw_region_names(svg)
    for place in BOX.cities:
        if place.id in winners:
            _draw_winner(svg, place, winners[place.id])
    _draw_track(svg, players)
    _draw_legend(svg)
    _draw_status(svg, description)
    for seat in range(len(players)):
        _draw_panel(svg, description, seat)
    return svg.to_string()


# ------------------------------------------------------------------ the map


def _draw_regions(svg: Svg) -> None:
    """Every place tints the part of the map that is nearer to it than to any other."""
    svg.rect(MAP_X, MAP_Y, *CANVAS, fill="#e8eef2")
    for place, corners in _surroundings():
        tint = REGION_TINTS[place.region]
        svg.polygon([(MAP_X + x, MAP_Y + y) for x, y in corners], fill=tint, stroke=tint, stroke_width=1)
    for (x1, y1), (x2, y2) in _borders():
        svg.line(MAP_X + x1, MAP_Y + y1, MAP_X + x2, MAP_Y + y2, stroke="#ffffff", stroke_width=2.5)


@cache
def _surroundings() -> list[tuple[Place, list[Point]]]:
    """For each place the corners of the area nearest to it: the map cut by the bisector to every other place."""
    areas = []
    for place in BOX.places:
        corners: list[Point] = [(0.0, 0.0), (CANVAS[0], 0.0), CANVAS, (0.0, CANVAS[1])]
        for other in BOX.places:
            if other is not place:
                corners = _nearer(corners, (place.x, place.y), (other.x, other.y))
        areas.append((place, corners))
    return areas


def _nearer(corners: list[Point], near: Point, far: Point) -> list[Point]:
    """The part of a convex area that is nearer to one point than to another."""

    def excess(point: Point) -> float:
        return math.dist(point, near) ** 2 - math.dist(point, far) ** 2

    kept: list[Point] = []
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        first, second = excess((x1, y1)), excess((x2, y2))
        if first <= 0:
            kept.append((x1, y1))
        if (first < 0) != (second < 0) and first != second:
            part = first / (first - second)
            kept.append((x1 + part * (x2 - x1), y1 + part * (y2 - y1)))
    return kept


@cache
def _borders() -> list[tuple[Point, Point]]:
    """The edges between areas of different regions."""
    edges: dict[frozenset[tuple[int, int]], list[tuple[str, Point, Point]]] = {}
    for place, corners in _surroundings():
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
            key = frozenset((round(x), round(y)) for x, y in (start, end))
            edges.setdefault(key, []).append((place.region, start, end))
    return [(sides[0][1], sides[0][2]) for sides in edges.values() if len({region for region, _, _ in sides}) > 1]


def _draw_routes(svg: Svg) -> None:
    for route in BOX.routes:
        a, b = _PLACES[route.a], _PLACES[route.b]
        ends = (MAP_X + a.x, MAP_Y + a.y, MAP_X + b.x, MAP_Y + b.y)
        svg.line(*ends, stroke="#ffffff", stroke_width=5, stroke_opacity=0.8)
        svg.line(*ends, stroke="#8a6a4a", stroke_width=1.8)


def _draw_prices(svg: Svg) -> None:
    for route, (x, y) in zip(BOX.routes, _price_places(), strict=True):
        width = _price_width(route)
        title = f"{_PLACES[route.a].name}-{_PLACES[route.b].name}: {route.price} gulden"
        svg.rect(MAP_X + x - width / 2, MAP_Y + y - 7, width, 14, rx=6, fill=PAPER, stroke="#8a6a4a", stroke_width=0.8)
        svg.text(MAP_X + x, MAP_Y + y + 4, str(route.price), size=11, anchor="middle", fill=INK, title=title)


@cache
def _price_places() -> list[Point]:
    """Where each route's price stands: on the route, as near to its middle as names, places and other prices allow."""
    obstacles = [_name_box(place) for place in BOX.places]
    for place in BOX.places:
        radius = _radius(place)
        obstacles.append((place.x - radius, place.y - radius, 2 * radius, 2 * radius))
    spots = []
    for route in BOX.routes:
        a, b = _PLACES[route.a], _PLACES[route.b]
        length, width = math.dist((a.x, a.y), (b.x, b.y)), _price_width(route)
        start, end = _radius(a) / length, 1 - _radius(b) / length
        best, least = (0.0, 0.0), math.inf
        for step in range(21):
            part = start + (end - start) * (0.15 + 0.7 * step / 20)
            x, y = a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)
            box = (x - width / 2, y - 7, width, 14.0)
            cost = sum(_overlap(box, other) for other in obstacles) + 0.03 * length * abs(step - 10)
            if cost < least:
                best, least = (x, y), cost
        spots.append(best)
        obstacles.append((best[0] - width / 2 - 2, best[1] - 9, width + 4, 18.0))
    return spots


def _price_width(route: Route) -> float:
    return 13.0 if route.price < 10 else 19.0


def _overlap(one: Box, two: Box) -> float:
    """The area that two boxes (x, y, width, height) share."""
    across = min(one[0] + one[2], two[0] + two[2]) - max(one[0], two[0])
    down = min(one[1] + one[3], two[1] + two[3]) - max(one[1], two[1])
    return max(0.0, across) * max(0.0, down)


def _draw_region_names(svg: Svg) -> None:
    """Each region's name within it, so that nobody needs its tint to know it."""
    for region, (x, y) in REGION_NAMES.items():
        lines = _region_lines(region)
        for i, line in enumerate(lines):
            across, down = MAP_X + x, MAP_Y + y + REGION_LINE * (i + 0.5 - len(lines) / 2) + 3.5
            style: dict[str, Any] = {"size": 10.5, "anchor": "middle", "font_style": "italic", "letter_spacing": 0.4}
            tint = REGION_TINTS[region]
            svg.text(across, down, line, stroke=tint, stroke_width=3, stroke_linejoin="round", **style)
            svg.text(across, down, line, fill="#5d4630", **style)


def _region_lines(region: str) -> list[str]:
    """A region's name, a double one on two lines."""
    first, dash, second = BOX.regions[region].partition("-")
    return [first + dash, second] if dash else [first]


def _radius(place: Place) -> float:
    return CITY_RADIUS if place.value else TOWN_RADIUS


def _name_box(place: Place) -> Box:
    """Where the name stands: below the place."""
    width = (8.2 if place.value else 6.4) * len(place.name)
    return place.x - width / 2, place.y + _radius(place) + 1, width, 12.0


def _draw_name(svg: Svg, place: Place) -> None:
    city = place.value > 0
    x, y = MAP_X + place.x, MAP_Y + place.y + _radius(place) + 11
    style: dict[str, Any] = {"size": 12 if city else 10.5, "anchor": "middle", "font_weight": "bold" if city else None}
    svg.text(
        x, y, place.name, stroke="#ffffff", stroke_width=3.5, stroke_linejoin="round", stroke_opacity=0.85, **style
    )
    svg.text(x, y, place.name, fill=INK if city else "#4d463c", **style)


def _draw_city(svg: Svg, place: Place, city: dict[str, Any], winner: int | None) -> None:
    """A disc with its spaces in a ring, clockwise from the top, and the number in the middle; rimmed by who won it."""
    x, y, token = MAP_X + place.x, MAP_Y + place.y, city["token"]
    title = f"{place.name}: value {place.value}, {BOX.regions[place.region]}, token {token}"
    dashes = "4 3" if token == "none" else None
    fill = TOKEN_FILLS[token]
    rim: dict[str, Any] = {"stroke": INK, "stroke_width": 1.5, "stroke_dasharray": dashes}
    svg.circle(x, y, CITY_RADIUS, fill=fill, title=title, key=place_key(place.id), **rim)
    if winner is not None:
        svg.circle(x, y, CITY_RADIUS + 1.5, fill="none", stroke=PLAYER_COLOURS[winner], stroke_width=4)
    for space in range(place.value):
        angle = 2 * math.pi * space / place.value
        at = (x + SPACE_RADIUS * math.sin(angle), y - SPACE_RADIUS * math.cos(angle))
        if space < len(city["ring"]):
            _draw_house(svg, *at, HOUSE, city["ring"][space])
        elif token != "closed":
            svg.circle(*at, 5.5, fill="#ffffff", fill_opacity=0.55, stroke=FAINT, stroke_width=0.8)
    if token == "closed":
        svg.line(x - 17, y - 17, x + 17, y + 17, stroke="#a39c95", stroke_width=3)
        svg.line(x - 17, y + 17, x + 17, y - 17, stroke="#a39c95", stroke_width=3)
    number = {"closed": "#ffffff", "none": FAINT}.get(token, INK)
    svg.text(x, y + 5.5, str(place.value), size=15, anchor="middle", fill=number, font_weight="bold")
    for i, seat in enumerate(city["middle"]):
        _draw_house(svg, x + 14 * i - 7 * (len(city["middle"]) - 1), y - 1, 8, seat)


def _draw_town(svg: Svg, place: Place, town: dict[str, Any]) -> None:
    x, y = MAP_X + place.x, MAP_Y + place.y
    title = f"{place.name}: town, {BOX.regions[place.region]}{', closed' if town['closed'] else ''}"
    fill = TOKEN_FILLS["closed"] if town["closed"] else PAPER
    svg.circle(x, y, TOWN_RADIUS, fill=fill, stroke=INK, stroke_width=1.2, title=title, key=place_key(place.id))
    if town["owner"] is not None:
        _draw_house(svg, x, y, 9, town["owner"])
    else:  # a little church
        grey = "#ffffff" if town["closed"] else "#b3a996"
        svg.polygon([(x - 6, y + 5), (x - 6, y - 1), (x - 3.5, y - 7), (x - 1, y - 1), (x - 1, y + 5)], fill=grey)
        svg.polygon([(x, y + 5), (x, y), (x + 3, y - 3), (x + 6, y), (x + 6, y + 5)], fill=grey)


def _draw_house(svg: Svg, x: float, y: float, size: float, seat: int) -> None:
    """A branch: a house `2 * size` high and nearly as wide around (x, y), in its seat's colour and with its number."""
    w, roof = 0.85 * size, 0.15 * size
    outline = [(x - w, y + size), (x - w, y - roof), (x, y - size), (x + w, y - roof), (x + w, y + size)]
    colour = PLAYER_COLOURS[seat]
    svg.polygon(outline, fill=colour, stroke="#1c1712", stroke_width=1, stroke_linejoin="round")
    letter = max(10.0, 1.2 * size)
    ink = INK if colour in DARK_ON else "#ffffff"
    svg.text(x, y + 0.15 * size + 0.37 * letter, str(seat), size=letter, anchor="middle", fill=ink, font_weight="bold")


def _draw_winner(svg: Svg, place: Place, seat: int) -> None:
    """A badge on the rim of a city with the number of the seat that won it."""
    x, y = _badge_place(place.id)
    svg.circle(MAP_X + x, MAP_Y + y, 8, fill=PLAYER_COLOURS[seat], stroke="#ffffff", stroke_width=1.2)
    ink = INK if PLAYER_COLOURS[seat] in DARK_ON else "#ffffff"
    svg.text(
        MAP_X + x, MAP_Y + y + 4, str(seat), size=11, anchor="middle", fill=ink, font_weight="bold",
        title=f"{place.name}: won by player_{seat}",
    )  # fmt: skip


@cache
def _badge_place(city: str) -> Point:
    """Where on a city's rim its winner's badge hides least of prices and names."""
    place = _PLACES[city]
    obstacles = [_name_box(other) for other in BOX.places]
    for route, (x, y) in zip(BOX.routes, _price_places(), strict=True):
        width = _price_width(route)
        obstacles.append((x - width / 2, y - 7, width, 14.0))
    turns = (math.pi * (step - 2) / 8 for step in range(16))
    spots = [(place.x + 31 * math.cos(turn), place.y + 31 * math.sin(turn)) for turn in turns]
    return min(spots, key=lambda at: sum(_overlap((at[0] - 8, at[1] - 8, 16.0, 16.0), box) for box in obstacles))


# ------------------------------------------------------------------ around the map


def _field(number: int) -> tuple[float, float, float, float]:
    """Where a field of the score track lies (x, y, width, height): clockwise from the upper left corner."""
    across, down = (WIDTH - BAND) / TRACK_ACROSS, (BOARD_HEIGHT - BAND) / TRACK_DOWN
    half, i = divmod(number, TRACK_ACROSS + TRACK_DOWN)
    if i < TRACK_ACROSS:
        x, y, width, height = i * across, 0.0, across, float(BAND)
    else:
        x, y, width, height = WIDTH - BAND, (i - TRACK_ACROSS) * down, float(BAND), down
    if half == 1:  # the other half lies the other way round
        x, y = WIDTH - x - width, BOARD_HEIGHT - y - height
    return x, y, width, height


def _draw_track(svg: Svg, players: list[dict[str, Any]]) -> None:
    for number in range(FIELDS):
        x, y, width, height = _field(number)
        fill = "#cdbb95" if number % 5 == 0 else "#e6dabc"
        svg.rect(x, y, width, height, fill=fill, stroke=PAPER, stroke_width=1)
        ink = INK if number % 5 == 0 else FAINT
        svg.text(x + width / 2, y + height - 4, str(number), size=11, anchor="middle", fill=ink)
    for number in range(FIELDS):
        here = [seat for seat, player in enumerate(players) if player["points"] % FIELDS == number]
        x, y, width, _ = _field(number)
        for i, seat in enumerate(here):
            column, row = i % 3, i // 3
            columns = min(3, len(here) - 3 * row)
            at = x + width / 2 + 11.5 * (column - (columns - 1) / 2)
            _draw_house(svg, at, y + 10 + 13 * row, HOUSE, seat)


def _draw_legend(svg: Svg) -> None:
    """The regions by their tints."""
    letters = sum(len(name) for name in BOX.regions.values())
    letter = (WIDTH - 20 - 22 * len(BOX.regions)) / letters
    x = 10.0
    for region, name in BOX.regions.items():
        svg.rect(x, BOARD_HEIGHT + 8, 12, 12, fill=REGION_TINTS[region], stroke=FAINT, stroke_width=0.8)
        svg.text(x + 15, BOARD_HEIGHT + 18, name, size=11, fill=INK)
        x += 22 + letter * len(name)


def _draw_status(svg: Svg, description: dict[str, Any]) -> None:
    y = BOARD_HEIGHT + LEGEND + 18
    svg.text(10, y, status(description), size=14, fill=INK, font_weight="bold")


def _draw_panel(svg: Svg, description: dict[str, Any], seat: int) -> None:
    """Everything of one player: coins, points, privileges, houses, tokens in hand and laid, cities won."""
    player = description["players"][seat]
    width = (WIDTH - 20 - 8 * (PANELS_A_ROW - 1)) / PANELS_A_ROW
    x = 10 + (seat % PANELS_A_ROW) * (width + 8)
    y = BOARD_HEIGHT + LEGEND + STATUS + (seat // PANELS_A_ROW) * (PANEL + 8)
    acting = description["current_player"] == seat
    colour = PLAYER_COLOURS[seat]
    svg.rect(x, y, width, PANEL, rx=8, fill=PAPER, stroke=colour, stroke_width=4 if acting else 1.5)
    _draw_house(svg, x + 20, y + 19, 10, seat)
    start = "  (start)" if description["start_player"] == seat else ""
    svg.text(x + 36, y + 24, f"player_{seat}{start}", size=14, fill=INK, font_weight="bold")
    points = f"{player['points']} points"
    if "final_points" in player:
        points = f"{player['points']} → {player['final_points']} points"
    svg.text(x + width - 12, y + 24, points, size=14, anchor="end", fill=INK, font_weight="bold")

    svg.circle(x + 20, y + 46, 9, fill="#e0b33c", stroke="#8a6a1c", stroke_width=1.2)
    svg.text(x + 34, y + 51, f"{player['coins']} gulden", size=13, fill=INK)
    with svg.group(key=privileges_key(seat)):
        svg.rect(x + 127, y + 34, 45, 25, rx=4, fill=PAPER)
        for i in range(2):
            _draw_privilege(svg, x + 130 + 22 * i, y + 37, i < player["privileges"])
    svg.text(x + 176, y + 51, f"{player['supply']} houses left", size=13, fill=INK)

    tokens = player["tokens"]
    values = [str(value) for value in tokens] if isinstance(tokens, list) else ["?"] * tokens
    svg.text(x + 12, y + 75, "hand", size=11, fill=FAINT)
    _draw_tokens(svg, x + 46, y + 63, values, TOKEN_FILLS["placed"], seat)
    svg.text(x + 12, y + 94, "laid", size=11, fill=FAINT)
    _draw_tokens(svg, x + 46, y + 82, [str(value) for value in player["tokens_placed"]], TOKEN_FILLS["removed"])
    names = {city.id: f"{city.name} {city.value}" for city in BOX.cities}
    won = ", ".join(names[city] for city in player["cities_won"])
    lines = wrap(f"won: {won}" if won else "no city won", 48, max_lines=2, placeholder=" …")
    for i, line in enumerate(lines):
        svg.text(x + 12, y + 112 + 14 * i, line, size=11, fill=INK if won else FAINT)


def _draw_tokens(svg: Svg, x: float, y: float, values: list[str], fill: str, seat: int | None = None) -> None:
    """A row of tokens; those in the hand of `seat` can be pointed at."""
    for i, value in enumerate(values):
        with svg.group(key=None if seat is None else token_key(seat, value)):
            svg.rect(x + 24 * i, y, 17, 16, rx=4, fill=fill, stroke=INK, stroke_width=0.8)
            svg.text(x + 24 * i + 8.5, y + 12.5, value, size=12, anchor="middle", fill=INK)
    if not values:
        svg.text(x + 2, y + 12.5, "none", size=11, fill=FAINT)


def _draw_privilege(svg: Svg, x: float, y: float, left: bool) -> None:
    """A sealed letter; a used one is an outline only."""
    fill, ink = ("#f4ead0", INK) if left else ("none", "#c9c0b0")
    svg.rect(x, y, 17, 19, rx=2, fill=fill, stroke=ink, stroke_width=1, title="privilege" if left else "used privilege")
    for line in range(3):
        svg.line(x + 3, y + 5 + 3.5 * line, x + 14, y + 5 + 3.5 * line, stroke=ink, stroke_width=0.8)
    if left:
        svg.circle(x + 12.5, y + 15.5, 3.2, fill="#b3262e")
