"""The map and the players' panels as a picture, made from a description alone.

Hexes and the empty places beside them, figures, huts, goods, cards, offerings bear the names that `places` gives them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from envs.mesopotamia.components import BOX
from envs.mesopotamia.pieces import (
    DARK_ON,
    INK,
    draw_good,
    draw_house,
    draw_offering,
    draw_pawn,
    draw_rock,
    draw_tree,
    draw_volcano,
    draw_ziggurat,
)
from envs.mesopotamia.words import (
    PILE_KEY,
    Place,
    card_key,
    card_labels,
    choice_key,
    counted_cards,
    empty_key,
    figures_key,
    good_key,
    hut_key,
    mana_key,
    neighbour,
    offering_key,
    offering_label,
    status,
    tile_key,
)
from envs.svg import PLAYER_COLOURS, Svg

Point = tuple[float, float]

WIDTH, MARGIN, STATUS = 1000.0, 12.0, 62.0
MAP_HEIGHT, PANEL = 860.0, 152.0
LARGEST_HEX = 76.0

FAINT, PAPER, LINE = "#6f6759", "#fffdf6", "#5f574c"
FILLS = {
    "plain": "#f0dfae",
    "forest": "#b5d3a0",
    "quarry": "#b9bbbf",
    "volcano": "#d98d6a",
    "temple": "#f7f0dc",
}
CARD_BACK, CARD_FRONT = "#7d6b52", "#f1e6cf"
TRACK = BOX.numbers["mana_track"]


def draw(description: dict[str, Any]) -> str:
    """The map with all that lies and stands on it, a line on the turn, and a panel for each player."""
    players = description["players"]
    rows = -(-len(players) // 2)
    grid = _Map(_empty_places(description, range(len(description["tiles"]))))
    top = STATUS + grid.height
    svg = Svg(WIDTH, top + rows * (PANEL + 8) + MARGIN)
    _draw_status(svg, description)
    _draw_map(svg, description, grid)
    for seat in range(len(players)):
        _draw_panel(svg, description, seat, top + 8)
    return svg.to_string()


# ------------------------------------------------------------------ the line on the turn


def _draw_status(svg: Svg, description: dict[str, Any]) -> None:
    svg.text(MARGIN, 24, status(description), size=16, fill=INK, font_weight="bold")
    stack, pile, discards = (description[key] for key in ("stack", "draw_pile", "discard_pile"))
    supply = description["supply"]
    svg.text(MARGIN, 46, f"stack {len(stack)} hexes", size=12.5, fill=LINE)
    with svg.group(key=PILE_KEY):
        svg.rect(MARGIN + 112, 32, 12, 17, rx=2, fill=CARD_BACK, stroke=INK, stroke_width=0.8)
        svg.text(MARGIN + 130, 46, f"draw pile {len(pile)} cards", size=12.5, fill=LINE)
    svg.text(MARGIN + 262, 46, f"discards: {counted_cards(discards) or 'none'}", size=12.5, fill=LINE)
    svg.text(WIDTH - 168, 46, "supply", size=12.5, fill=LINE)
    draw_good(svg, WIDTH - 108, 42, "wood", 8)
    svg.text(WIDTH - 96, 46, str(supply["wood"]), size=12.5, fill=INK)
    draw_good(svg, WIDTH - 60, 42, "stone", 8)
    svg.text(WIDTH - 48, 46, str(supply["stone"]), size=12.5, fill=INK)


# ------------------------------------------------------------------ the map


class _Map:
    """Where the hexes lie: as large as the map allows, with room for the places around them, `height` pixels in all."""

    def __init__(self, places: list[tuple[int, int]]) -> None:
        across = [1.5 * q for q, _ in places]
        down = [math.sqrt(3) * (r + q / 2) for q, r in places]
        width, height = max(across) - min(across) + 2, max(down) - min(down) + math.sqrt(3)
        self.size = min(LARGEST_HEX, (WIDTH - 2 * MARGIN) / width, (MAP_HEIGHT - 2 * MARGIN) / height)
        self.left = WIDTH / 2 - self.size * (max(across) + min(across)) / 2
        self.height = round(self.size * height + 2 * MARGIN)
        self.top = STATUS + self.height / 2 - self.size * (max(down) + min(down)) / 2

    def centre(self, q: int, r: int) -> Point:
        return self.left + self.size * 1.5 * q, self.top + self.size * math.sqrt(3) * (r + q / 2)

    def corners(self, q: int, r: int, scale: float = 1.0) -> list[Point]:
        x, y = self.centre(q, r)
        angles = (math.pi * corner / 3 for corner in range(6))
        radius = self.size * scale
        return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _draw_map(svg: Svg, description: dict[str, Any], grid: _Map) -> None:
    tiles = description["tiles"]
    entered = _entered(description)
    svg.rect(0, STATUS, WIDTH, grid.height, fill="#dfe9ec")
    for place in _discoverable(description):
        svg.polygon(
            grid.corners(*place, 0.92), fill="#e9f0f2", stroke="#a9bcc4", stroke_dasharray="5 5", key=empty_key(place)
        )
    for number, tile in enumerate(tiles):
        _draw_hex(svg, grid, number, tile)
    _draw_choice(svg, description)
    if entered:
        svg.polygon(grid.corners(*entered, 0.9), fill="#ffffff", fill_opacity=0.5, stroke=INK, stroke_dasharray="6 4")
        x, y = grid.centre(*entered)
        svg.text(x, y + grid.size * 0.2, "?", size=grid.size * 0.6, anchor="middle", fill=INK)
    for number in _marked(description):
        place = tiles[number]["q"], tiles[number]["r"]
        svg.polygon(grid.corners(*place, 0.94), fill="none", stroke="#b3262e", stroke_width=3.5)
    for number, tile in enumerate(tiles):
        x, y = grid.centre(tile["q"], tile["r"])
        _draw_buildings(svg, x, y, grid.size, number, tile)
        groups = Counter(
            (seat, str(figure["load"] or ""))
            for seat, player in enumerate(description["players"])
            for figure in player["figures"]
            if figure["tile"] == number
        )
        _draw_figures(svg, x, y, grid.size, number, sorted(groups.items()))


def _entered(description: dict[str, Any]) -> Place | None:
    """The empty place that is being entered while a hex is chosen or a volcano placed."""
    pending = description["pending"] or {}
    if "figure" not in pending:
        return None
    return neighbour(description, _figure(description, pending["figure"])["tile"], pending["direction"])


def _empty_places(description: dict[str, Any], tiles: Iterable[int]) -> list[Place]:
    """The places next to some tiles where no hex lies, row by row."""
    laid = {(tile["q"], tile["r"]) for tile in description["tiles"]}
    return sorted({neighbour(description, tile, direction) for tile in tiles for direction in range(6)} - laid)


def _discoverable(description: dict[str, Any]) -> list[Place]:
    """The empty places that a figure may discover now, or a volcano may be laid on."""
    if description["phase"] == "place_volcano":
        around = _empty_places(description, range(len(description["tiles"])))
        return [place for place in around if place != _entered(description)]
    if description["phase"] != "move" or not description["movement_points"] or not description["discoveries_left"]:
        return []
    figures = description["players"][description["current_player"]]["figures"]
    return _empty_places(description, {figure["tile"] for figure in figures} - {None})


def _draw_choice(svg: Svg, description: dict[str, Any]) -> None:
    """The hexes that Land offers to whoever looks at them, in the corner of the map."""
    if description["phase"] != "choose_hex" or not description["stack"] or description["stack"][0] is None:
        return
    kinds = list(dict.fromkeys(kind for kind in description["stack"][:4] if kind))
    svg.text(WIDTH - MARGIN, STATUS + 24, "choose a hex", size=14, anchor="end", fill=INK, font_weight="bold")
    for place, kind in enumerate(kinds):
        x, y = WIDTH - 50 - 88 * (len(kinds) - 1 - place), STATUS + 74
        with svg.group(key=choice_key(kind)):
            angles = [math.pi * corner / 3 for corner in range(6)]
            corners = [(x + 38 * math.cos(angle), y + 38 * math.sin(angle)) for angle in angles]
            svg.polygon(corners, fill=FILLS[kind], stroke=INK)
            svg.text(x, y + 5, kind, size=13, anchor="middle", fill=INK)


def _figure(description: dict[str, Any], number: int) -> dict[str, Any]:
    return dict(description["players"][description["current_player"]]["figures"][number])


def _marked(description: dict[str, Any]) -> list[int]:
    """Tiles that got a token of the running seeding, or hold the target of a card."""
    pending = description["pending"] or {}
    target = pending.get("target")
    if target and "tile" in target:
        return [target["tile"]]
    if target:
        return [description["players"][target["seat"]]["figures"][target["figure"]]["tile"]]
    return list(pending.get("seeded", []))


def _draw_hex(svg: Svg, grid: _Map, number: int, tile: dict[str, Any]) -> None:
    kind, s = tile["kind"], grid.size
    x, y = grid.centre(tile["q"], tile["r"])
    title = f"tile {number}: {kind}, wood {tile['wood']}, stone {tile['stone']}"
    style: dict[str, Any] = {"fill": FILLS[kind], "stroke": PAPER, "stroke_width": 2.5}
    svg.polygon(grid.corners(tile["q"], tile["r"]), title=title, key=tile_key(number), **style)
    if kind == "forest":
        for dx, dy in ((-0.47, -0.2), (0.5, -0.18), (-0.2, -0.52), (0.25, -0.55)):
            draw_tree(svg, x + dx * s, y + dy * s, 0.2 * s)
    elif kind == "quarry":
        for dx, dy in ((-0.46, -0.24), (0.5, -0.22), (-0.15, -0.55), (0.25, -0.58)):
            draw_rock(svg, x + dx * s, y + dy * s, 0.17 * s)
    elif kind == "volcano":
        draw_volcano(svg, x, y, s)
    elif kind == "temple":
        draw_ziggurat(svg, x, y - 0.25 * s, 0.62 * s)
    svg.text(x - 0.9 * s, y + 0.06 * s, str(number), size=max(9.0, 0.17 * s), fill=FAINT)
    goods = [good for good in ("wood", "stone") if tile[good]]
    for place, good in enumerate(goods):
        at = x + (place - (len(goods) - 1) / 2) * 0.66 * s
        with svg.group(key=good_key(number, good)):
            svg.rect(at - 0.3 * s, y - 0.16 * s, 0.56 * s, 0.28 * s, rx=3, fill=FILLS[kind])
            draw_good(svg, at - 0.13 * s, y - 0.03 * s, good, 0.14 * s)
            size = max(10.0, 0.23 * s)
            svg.text(at + 0.05 * s, y + 0.05 * s, str(tile[good]), size=size, fill=INK, font_weight="bold")


def _draw_buildings(svg: Svg, x: float, y: float, s: float, number: int, tile: dict[str, Any]) -> None:
    """Huts in the upper half of a plain, each with the offering under it; a cult site in its middle."""
    for place, hut in enumerate(tile["huts"]):
        at = x + (place - (len(tile["huts"]) - 1) / 2) * 0.62 * s
        with svg.group(key=hut_key(number, place)):
            draw_house(svg, at, y - 0.5 * s, 0.29 * s, hut["owner"], hut["offering"])
    if tile["cult_site"] is not None:
        draw_ziggurat(svg, x, y - 0.5 * s, 0.36 * s, tile["cult_site"])


def _draw_figures(svg: Svg, x: float, y: float, s: float, tile: int, groups: list[tuple[tuple[int, str], int]]) -> None:
    """Figures with the same load stand together, a number says how many; the load lies on their head."""
    columns = 3 if len(groups) <= 6 else 4
    rows = -(-len(groups) // columns)
    step, height = (0.56 * s, 0.56 * s) if columns == 3 else (0.37 * s, 0.4 * s)
    for number, ((seat, load), count) in enumerate(groups):
        row, column = divmod(number, columns)
        in_row = min(columns, len(groups) - row * columns)
        at = x + (column - (in_row - 1) / 2) * step - (0.07 * s if count > 1 else 0)
        foot = y + 0.78 * s - (rows - 1 - row) * height
        with svg.group(key=figures_key(seat, tile, load or None)):
            draw_pawn(svg, at, foot, 0.4 * height, seat)
            if load in ("wood", "stone"):
                draw_good(svg, at, foot - 0.95 * height, load, 0.24 * height)
            elif load:
                draw_offering(svg, at, foot - 0.95 * height, 0.27 * height, offering_label(load))
            if count > 1:
                size = max(9.0, 0.4 * height)
                svg.text(at + 0.2 * height, foot - 0.5 * height, f"x{count}", size=size, fill=INK, font_weight="bold")


# ------------------------------------------------------------------ the players


def _draw_panel(svg: Svg, description: dict[str, Any], seat: int, top: float) -> None:
    """The mana track, the offerings by where they are, the hand, and what is left in the supply."""
    player = description["players"][seat]
    width = (WIDTH - 2 * MARGIN - 8) / 2
    x = MARGIN + (seat % 2) * (width + 8)
    y = top + (seat // 2) * (PANEL + 8)
    acting, colour = description["current_player"] == seat, PLAYER_COLOURS[seat]
    svg.rect(x, y, width, PANEL, rx=8, fill=PAPER, stroke=colour, stroke_width=4.5 if acting else 1.5)
    draw_pawn(svg, x + 20, y + 32, 12, seat)
    svg.text(x + 36, y + 27, f"player_{seat}", size=15, fill=INK, font_weight="bold")
    _draw_supply(svg, x + 130, y + 15, player, seat)
    with svg.group(key=mana_key(seat)):
        _draw_track(svg, x + 12, y + 42, player, seat)
    _draw_offerings(svg, x + 12, y + 84, description, seat)
    hand = player["hand"]
    svg.text(x + 12, y + PANEL - 11, f"hand ({len(hand)})", size=12.5, fill=LINE)
    if not hand:
        svg.text(x + 84, y + PANEL - 11, "-", size=12.5, fill=FAINT)
    elif any(card is None for card in hand):
        for card in range(len(hand)):
            svg.rect(x + 84 + 13 * card, y + PANEL - 24, 11, 15, rx=2, fill=CARD_BACK, stroke=INK, stroke_width=0.8)
    else:
        _draw_cards(svg, x + 84, y + PANEL - 28, width - 96, hand, seat)


def _draw_cards(svg: Svg, x: float, y: float, room: float, hand: list[str], seat: int) -> None:
    """An open hand: a card for each kind, as large as there is room."""
    labels = card_labels(hand)
    letters = sum(map(len, labels.values()))
    size = min(12.5, (room - 16 * len(labels)) / (0.62 * letters))
    for card, label in labels.items():
        width = 0.62 * size * len(label) + 12
        with svg.group(key=card_key(seat, card)):
            svg.rect(x, y, width, 22, rx=4, fill=CARD_FRONT, stroke=CARD_BACK)
            svg.text(x + width / 2, y + 11 + 0.36 * size, label, size=size, anchor="middle", fill=INK)
        x += width + 4


def _draw_supply(svg: Svg, x: float, y: float, player: dict[str, Any], seat: int) -> None:
    figures = sum(figure["tile"] is None for figure in player["figures"])
    svg.text(x, y + 12, "in supply:", size=12, fill=LINE)
    draw_pawn(svg, x + 80, y + 15, 10, seat)
    svg.text(x + 92, y + 12, str(figures), size=13, fill=INK)
    draw_house(svg, x + 130, y + 7, 10, seat)
    svg.text(x + 145, y + 12, str(player["huts_left"]), size=13, fill=INK)
    draw_ziggurat(svg, x + 184, y + 6, 14, seat)
    svg.text(x + 202, y + 12, str(player["cult_sites_left"]), size=13, fill=INK)


def _draw_track(svg: Svg, x: float, y: float, player: dict[str, Any], seat: int) -> None:
    """Fields 0 to 8: those up to the maximum are light, a bar stands behind it, a disc lies on the mana held."""
    step, high = 46.0, 28.0
    svg.rect(x - 4, y - 3, 50 + step * (TRACK + 1), high + 6, rx=4, fill=PAPER)
    svg.text(x, y + 19, "mana", size=12.5, fill=LINE)
    for mana in range(TRACK + 1):
        left = x + 46 + step * mana
        within = mana <= player["mana_max"]
        svg.rect(left, y, step - 3, high, fill="#e7eefc" if within else "#d9d4c8", stroke=LINE, stroke_width=0.8)
        if mana == player["mana"]:
            colour = PLAYER_COLOURS[seat]
            svg.circle(left + step / 2 - 1.5, y + high / 2, 12, fill=colour, stroke=INK, stroke_width=1.2)
        on_disc = mana == player["mana"] and PLAYER_COLOURS[seat] not in DARK_ON
        style: dict[str, Any] = {"fill": "#ffffff" if on_disc else INK if within else FAINT, "font_weight": "bold"}
        svg.text(left + step / 2 - 1.5, y + 19, str(mana), size=13, anchor="middle", **style)
        if mana == player["mana_max"]:
            svg.rect(left + step - 7, y - 3, 7, high + 6, rx=2, fill=INK, title=f"maximum {mana}")


def _draw_offerings(svg: Svg, x: float, y: float, description: dict[str, Any], seat: int) -> None:
    player = description["players"][seat]
    huts = [hut["offering"] for tile in description["tiles"] for hut in tile["huts"] if hut["owner"] == seat]
    loads = [figure["load"] for figure in player["figures"]]
    places = {
        "unused": player["unused_offerings"],
        "under huts": [offering for offering in huts if offering is not None],
        "carried": [load for load in loads if load not in (None, "wood", "stone")],
        "delivered": player["delivered"],
    }
    for column, (name, offerings) in enumerate(places.items()):
        left = x + 117 * column
        svg.text(left, y + 8, name, size=12, fill=LINE)
        for number, offering in enumerate(offerings):
            key = offering_key(seat, offering) if name == "unused" and offering is not None else None
            with svg.group(key=key):
                at = left + 12 + 25 * number
                draw_offering(svg, at, y + 24, 11, offering_label(offering), spent=name == "delivered")
        if not offerings:
            svg.text(left + 6, y + 28, "-", size=13, fill=FAINT)
