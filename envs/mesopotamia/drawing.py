"""Positions as a picture and as text, both made from a description alone."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from envs.mesopotamia.components import BOX, DIRECTIONS, OFFSETS
from envs.mesopotamia.state import CARDS, KINDS
from envs.svg import PLAYER_COLOURS, Svg

Point = tuple[float, float]

WIDTH, MARGIN, STATUS = 1000.0, 12.0, 62.0
MAP_HEIGHT, PANEL = 690.0, 148.0
LARGEST_HEX = 66.0

INK, FAINT, PAPER, LINE = "#2b2620", "#8b8274", "#fffdf6", "#6d655a"
NEUTRAL_COLOUR = "#a9a296"
FILLS = {
    "plain": "#f0dfae",
    "forest": "#b5d3a0",
    "quarry": "#b9bbbf",
    "volcano": "#d98d6a",
    "temple": "#f7f0dc",
}
WOOD, STONE, GOLD = "#8a5a2b", "#5f6570", "#e2b33b"
TRACK = BOX.numbers["mana_track"]


def draw(description: dict[str, Any]) -> str:
    """The map with all that lies and stands on it, a line on the turn, and a panel for each player."""
    players = description["players"]
    rows = -(-len(players) // 2)
    svg = Svg(WIDTH, STATUS + MAP_HEIGHT + rows * (PANEL + 8) + MARGIN)
    _draw_status(svg, description)
    _draw_map(svg, description)
    for seat in range(len(players)):
        _draw_panel(svg, description, seat)
    return svg.to_string()


# ------------------------------------------------------------------ the line on the turn


def _draw_status(svg: Svg, description: dict[str, Any]) -> None:
    svg.text(MARGIN, 24, _status(description), size=16, fill=INK, font_weight="bold")
    stack, pile, discards = (description[key] for key in ("stack", "draw_pile", "discard_pile"))
    supply = description["supply"]
    words = f"stack {len(stack)} hexes · draw pile {len(pile)} cards · discards: {_counted(discards) or 'none'}"
    svg.text(MARGIN, 46, words, size=12.5, fill=LINE)
    svg.text(WIDTH - 168, 46, "supply", size=12.5, fill=LINE)
    _draw_good(svg, WIDTH - 108, 42, "wood", 8)
    svg.text(WIDTH - 96, 46, str(supply["wood"]), size=12.5, fill=INK)
    _draw_good(svg, WIDTH - 60, 42, "stone", 8)
    svg.text(WIDTH - 48, 46, str(supply["stone"]), size=12.5, fill=INK)


def _counted(names: list[Any]) -> str:
    counts = Counter(names)
    return ", ".join(f"{f'{counts[name]} ' if counts[name] > 1 else ''}{_card(name)}" for name in CARDS if counts[name])


def _card(name: str) -> str:
    return name.replace("_", " ")


def _status(description: dict[str, Any]) -> str:
    """Whose turn it is and what may still be done, on one line."""
    if description["current_player"] is None:
        winners = " and ".join(f"player_{seat}" for seat in description["winners"])
        return f"round {description['round']} · over, {winners} won"
    words = [f"round {description['round']}", f"player_{description['current_player']}"]
    words.append(description["phase"].replace("_", " "))
    points, left = description["movement_points"], description["discoveries_left"]
    if points or left:
        words.append(f"{points} movement point{'' if points == 1 else 's'}")
        words.append(f"{left} discover{'y' if left == 1 else 'ies'} left")
    words += ["Land is armed"] if description["land_armed"] else []
    words += [f"action: {description['action_kind'].replace('_', ' ')}"] if description["action_kind"] else []
    words += ["fertile"] if description["births_per_hut"] > 1 else []
    pending = description["pending"] or {}
    words += [f"{pending['left']} {pending['good']} left"] if "good" in pending else []
    words += [f"{_card(pending['card'])}"] if "card" in pending else []
    return " · ".join(words)


# ------------------------------------------------------------------ the map


class _Map:
    """Where the hexes lie: as large as the map allows, in the middle of their part of the picture."""

    def __init__(self, places: list[tuple[int, int]]) -> None:
        across = [1.5 * q for q, _ in places]
        down = [math.sqrt(3) * (r + q / 2) for q, r in places]
        width, height = max(across) - min(across) + 2, max(down) - min(down) + math.sqrt(3)
        self.size = min(LARGEST_HEX, (WIDTH - 2 * MARGIN) / width, (MAP_HEIGHT - 2 * MARGIN) / height)
        self.left = WIDTH / 2 - self.size * (max(across) + min(across)) / 2
        self.top = STATUS + MAP_HEIGHT / 2 - self.size * (max(down) + min(down)) / 2

    def centre(self, q: int, r: int) -> Point:
        return self.left + self.size * 1.5 * q, self.top + self.size * math.sqrt(3) * (r + q / 2)

    def corners(self, q: int, r: int, scale: float = 1.0) -> list[Point]:
        x, y = self.centre(q, r)
        angles = (math.pi * corner / 3 for corner in range(6))
        radius = self.size * scale
        return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _draw_map(svg: Svg, description: dict[str, Any]) -> None:
    tiles = description["tiles"]
    entered = _entered(description)
    places = [(tile["q"], tile["r"]) for tile in tiles]
    grid = _Map(places + ([entered] if entered else []))
    svg.rect(0, STATUS, WIDTH, MAP_HEIGHT, fill="#dfe9ec")
    for number, tile in enumerate(tiles):
        _draw_hex(svg, grid, number, tile)
    if entered:
        svg.polygon(grid.corners(*entered, 0.9), fill="#ffffff", fill_opacity=0.5, stroke=INK, stroke_dasharray="6 4")
        x, y = grid.centre(*entered)
        svg.text(x, y + grid.size * 0.2, "?", size=grid.size * 0.6, anchor="middle", fill=INK)
    for number in _marked(description):
        place = tiles[number]["q"], tiles[number]["r"]
        svg.polygon(grid.corners(*place, 0.94), fill="none", stroke="#b3262e", stroke_width=3.5)
    for number, tile in enumerate(tiles):
        x, y = grid.centre(tile["q"], tile["r"])
        _draw_buildings(svg, x, y, grid.size, tile)
        groups = Counter(
            (seat, str(figure["load"]) if figure["load"] is not None else "")
            for seat, player in enumerate(description["players"])
            for figure in player["figures"]
            if figure["tile"] == number
        )
        _draw_figures(svg, x, y, grid.size, sorted(groups.items()))


def _entered(description: dict[str, Any]) -> tuple[int, int] | None:
    """The empty place that is being entered while a hex is chosen or a volcano placed."""
    pending = description["pending"] or {}
    if "figure" not in pending:
        return None
    tile = description["tiles"][_figure(description, pending["figure"])["tile"]]
    offset = OFFSETS[pending["direction"] % DIRECTIONS]
    return tile["q"] + offset[0], tile["r"] + offset[1]


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
    svg.polygon(grid.corners(tile["q"], tile["r"]), fill=FILLS[kind], stroke=PAPER, stroke_width=2.5, title=title)
    if kind == "forest":
        for dx, dy in ((-0.55, -0.18), (0.55, -0.18), (-0.2, -0.52), (0.25, -0.55)):
            _draw_tree(svg, x + dx * s, y + dy * s, 0.2 * s)
    elif kind == "quarry":
        for dx, dy in ((-0.52, -0.2), (0.5, -0.22), (-0.15, -0.55), (0.25, -0.58)):
            _draw_rock(svg, x + dx * s, y + dy * s, 0.17 * s)
    elif kind == "volcano":
        _draw_volcano(svg, x, y, s)
    elif kind == "temple":
        _draw_ziggurat(svg, x, y - 0.25 * s, 0.62 * s, GOLD)
    svg.text(x - 0.9 * s, y + 0.06 * s, str(number), size=max(9.0, 0.17 * s), fill=FAINT)
    goods = [good for good in ("wood", "stone") if tile[good]]
    for place, good in enumerate(goods):
        at = x + (place - (len(goods) - 1) / 2) * 0.66 * s
        _draw_good(svg, at - 0.13 * s, y - 0.1 * s, good, 0.14 * s)
        svg.text(at + 0.05 * s, y - 0.02 * s, str(tile[good]), size=max(10.0, 0.23 * s), fill=INK, font_weight="bold")


def _draw_tree(svg: Svg, x: float, y: float, s: float) -> None:
    svg.rect(x - 0.14 * s, y + 0.4 * s, 0.28 * s, 0.6 * s, fill="#7a5a36")
    svg.polygon([(x - 0.75 * s, y + 0.5 * s), (x, y - s), (x + 0.75 * s, y + 0.5 * s)], fill="#4f8a4a")


def _draw_rock(svg: Svg, x: float, y: float, s: float) -> None:
    outline = [(-1, 0.7), (-0.8, -0.3), (-0.1, -0.9), (0.7, -0.5), (1, 0.7)]
    svg.polygon([(x + dx * s, y + dy * s) for dx, dy in outline], fill="#8f949c", stroke="#7c8189", stroke_width=1)


def _draw_volcano(svg: Svg, x: float, y: float, s: float) -> None:
    outline = [(-0.6, 0.45), (-0.18, -0.4), (0.18, -0.4), (0.6, 0.45)]
    svg.polygon([(x + dx * s, y + dy * s) for dx, dy in outline], fill="#8c4a36")
    lava = [(-0.18, -0.4), (0.18, -0.4), (0.1, -0.05), (0.02, 0.2), (-0.06, -0.02), (-0.12, 0.05)]
    svg.polygon([(x + dx * s, y + dy * s) for dx, dy in lava], fill="#f2c14e")


def _draw_ziggurat(svg: Svg, x: float, y: float, s: float, fill: str) -> None:
    """Three steps and a shrine, `s` half as wide as the lowest step."""
    for level, (half, top) in enumerate(((1.0, 0.35), (0.7, 0.0), (0.4, -0.35))):
        tone = 1.0 - 0.12 * level
        style: dict[str, Any] = {"fill": fill, "stroke": INK, "stroke_width": 1.2, "fill_opacity": tone}
        svg.rect(x - half * s, y + top * s, 2 * half * s, 0.37 * s, **style)
    svg.rect(x - 0.12 * s, y - 0.28 * s, 0.24 * s, 0.3 * s, fill=INK)


def _draw_buildings(svg: Svg, x: float, y: float, s: float, tile: dict[str, Any]) -> None:
    """Huts in the upper half of a plain, each with the offering under it; a cult site in its middle."""
    for place, hut in enumerate(tile["huts"]):
        colour = NEUTRAL_COLOUR if hut["owner"] is None else PLAYER_COLOURS[hut["owner"]]
        at = x + (place - (len(tile["huts"]) - 1) / 2) * 0.62 * s
        _draw_house(svg, at, y - 0.52 * s, 0.24 * s, colour)
        if hut["offering"] is not None:
            _draw_offering(svg, at, y - 0.47 * s, 0.155 * s, _label(hut["offering"]))
    if tile["cult_site"] is not None:
        _draw_ziggurat(svg, x, y - 0.5 * s, 0.36 * s, PLAYER_COLOURS[tile["cult_site"]])


def _label(offering: Any) -> str:
    return "?" if offering == "hidden" or offering is None else str(offering)


def _draw_house(svg: Svg, x: float, y: float, size: float, colour: str) -> None:
    w, roof = size, 0.2 * size
    outline = [(x - w, y + size), (x - w, y - roof), (x, y - size), (x + w, y - roof), (x + w, y + size)]
    svg.polygon(outline, fill=colour, stroke=INK, stroke_width=1.2, stroke_linejoin="round")


def _draw_offering(svg: Svg, x: float, y: float, radius: float, label: str, spent: bool = False) -> None:
    """A disc with its cost, or a question mark."""
    fill = "#cfc7b6" if spent else GOLD
    svg.circle(x, y, radius, fill=fill, stroke=INK, stroke_width=1)
    svg.text(x, y + 0.42 * radius, label, size=1.25 * radius, anchor="middle", fill=INK, font_weight="bold")


def _draw_good(svg: Svg, x: float, y: float, good: str, size: float) -> None:
    """A log, or a block of stone, around (x, y)."""
    if good == "wood":
        svg.rect(x - size, y - 0.5 * size, 2 * size, size, rx=0.4 * size, fill=WOOD, stroke=INK, stroke_width=0.9)
        svg.circle(x + 0.68 * size, y, 0.3 * size, fill="#d9b382")
    else:
        points = [(x - size, y + 0.7 * size), (x - 0.7 * size, y - 0.7 * size), (x + 0.7 * size, y - 0.7 * size)]
        svg.polygon([*points, (x + size, y + 0.7 * size)], fill=STONE, stroke=INK, stroke_width=0.9)


def _draw_figures(svg: Svg, x: float, y: float, s: float, groups: list[tuple[tuple[int, str], int]]) -> None:
    """Figures with the same load stand together, a number says how many; the load lies on their head."""
    columns = 3 if len(groups) <= 6 else 4
    rows = -(-len(groups) // columns)
    step, height = (0.56 * s, 0.56 * s) if columns == 3 else (0.37 * s, 0.4 * s)
    for number, ((seat, load), count) in enumerate(groups):
        row, column = divmod(number, columns)
        in_row = min(columns, len(groups) - row * columns)
        at = x + (column - (in_row - 1) / 2) * step - (0.07 * s if count > 1 else 0)
        foot = y + 0.78 * s - (rows - 1 - row) * height
        _draw_pawn(svg, at, foot, 0.4 * height, PLAYER_COLOURS[seat])
        if load in ("wood", "stone"):
            _draw_good(svg, at, foot - 0.95 * height, load, 0.24 * height)
        elif load:
            _draw_offering(svg, at, foot - 0.95 * height, 0.27 * height, _label(load))
        if count > 1:
            svg.text(at + 0.3 * height, foot, str(count), size=max(9.0, 0.5 * height), fill=INK, font_weight="bold")


def _draw_pawn(svg: Svg, x: float, foot: float, size: float, colour: str) -> None:
    """A figure `2 * size` high."""
    style: dict[str, Any] = {"fill": colour, "stroke": INK, "stroke_width": 1}
    svg.polygon([(x - 0.62 * size, foot), (x, foot - 1.7 * size), (x + 0.62 * size, foot)], **style)
    svg.circle(x, foot - 1.45 * size, 0.46 * size, **style)


# ------------------------------------------------------------------ the players


def _draw_panel(svg: Svg, description: dict[str, Any], seat: int) -> None:
    """The mana track, the offerings by where they are, the hand, and what is left in the supply."""
    player = description["players"][seat]
    width = (WIDTH - 2 * MARGIN - 8) / 2
    x = MARGIN + (seat % 2) * (width + 8)
    y = STATUS + MAP_HEIGHT + 8 + (seat // 2) * (PANEL + 8)
    acting, colour = description["current_player"] == seat, PLAYER_COLOURS[seat]
    svg.rect(x, y, width, PANEL, rx=8, fill=PAPER, stroke=colour, stroke_width=4.5 if acting else 1.5)
    _draw_pawn(svg, x + 20, y + 30, 10, colour)
    svg.text(x + 36, y + 27, f"player_{seat}", size=15, fill=INK, font_weight="bold")
    _draw_supply(svg, x + 130, y + 15, player, colour)
    _draw_track(svg, x + 12, y + 42, player, colour)
    _draw_offerings(svg, x + 12, y + 84, description, seat)
    hand = player["hand"]
    known = all(card is not None for card in hand)
    words = _counted(hand) if known and hand else f"{len(hand)} card{'' if len(hand) == 1 else 's'}"
    size = 12.5 if len(words) < 62 else 12.5 * 62 / len(words)
    svg.text(x + 12, y + PANEL - 11, f"hand ({len(hand)})", size=12.5, fill=LINE)
    for card in range(len(hand)) if not known else range(0):
        svg.rect(x + 84 + 13 * card, y + PANEL - 24, 11, 15, rx=2, fill="#7d6b52", stroke=INK, stroke_width=0.8)
    if known:
        svg.text(x + 84, y + PANEL - 11, words if hand else "-", size=size, fill=INK)


def _draw_supply(svg: Svg, x: float, y: float, player: dict[str, Any], colour: str) -> None:
    figures = sum(figure["tile"] is None for figure in player["figures"])
    svg.text(x, y + 12, "in supply:", size=12, fill=LINE)
    _draw_pawn(svg, x + 82, y + 14, 8, colour)
    svg.text(x + 92, y + 12, str(figures), size=13, fill=INK)
    _draw_house(svg, x + 132, y + 7, 7, colour)
    svg.text(x + 145, y + 12, str(player["huts_left"]), size=13, fill=INK)
    _draw_ziggurat(svg, x + 186, y + 6, 11, colour)
    svg.text(x + 202, y + 12, str(player["cult_sites_left"]), size=13, fill=INK)


def _draw_track(svg: Svg, x: float, y: float, player: dict[str, Any], colour: str) -> None:
    """Fields 0 to 8: those up to the maximum are light, a bar stands behind it, a disc lies on the mana held."""
    step, high = 46.0, 28.0
    svg.text(x, y + 19, "mana", size=12.5, fill=LINE)
    for mana in range(TRACK + 1):
        left = x + 46 + step * mana
        within = mana <= player["mana_max"]
        svg.rect(left, y, step - 3, high, fill="#e7eefc" if within else "#d9d4c8", stroke=LINE, stroke_width=0.8)
        if mana == player["mana"]:
            svg.circle(left + step / 2 - 1.5, y + high / 2, 12, fill=colour, stroke=INK, stroke_width=1.2)
        style: dict[str, Any] = {"fill": INK if within else FAINT, "font_weight": "bold"}
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
            _draw_offering(svg, left + 12 + 25 * number, y + 24, 11, _label(offering), spent=name == "delivered")
        if not offerings:
            svg.text(left + 6, y + 28, "-", size=13, fill=FAINT)


# ------------------------------------------------------------------ as text

LETTERS = dict(zip(KINDS, "pfqvT", strict=True))


def text(description: dict[str, Any]) -> str:
    """A line on the turn, the map by its kinds, a line for each player and for each tile that holds anything."""
    lines = [_status(description), *_text_map(description["tiles"])]
    for seat, player in enumerate(description["players"]):
        arrow = ">" if seat == description["current_player"] else " "
        hand = player["hand"]
        cards = _counted(hand) if all(card is not None for card in hand) else f"{len(hand)} cards"
        unused = " ".join(map(_label, player["unused_offerings"]))
        delivered = " ".join(map(str, player["delivered"]))
        lines.append(
            f"{arrow} player_{seat}  mana {player['mana']}/{player['mana_max']}  unused {unused or '-'}  "
            f"delivered {delivered or '-'}  huts {player['huts_left']}  sites {player['cult_sites_left']}  "
            f"hand {cards or '-'}"
        )
    for number, tile in enumerate(description["tiles"]):
        things = [f"{tile[good]} {good}" for good in ("wood", "stone") if tile[good]]
        for hut in tile["huts"]:
            owner = "neutral" if hut["owner"] is None else str(hut["owner"])
            offering = "" if hut["offering"] is None else f" ({_label(hut['offering'])})"
            things.append(f"hut {owner}{offering}")
        things += [f"cult site {tile['cult_site']}"] if tile["cult_site"] is not None else []
        for seat, player in enumerate(description["players"]):
            here = [figure["load"] for figure in player["figures"] if figure["tile"] == number]
            loads = ", ".join(str(load) for load in here if load is not None)
            things += [f"{len(here)} of {seat}{f' with {loads}' if loads else ''}"] if here else []
        if things:
            lines.append(f"  {number:>2} {tile['kind']:<7} {'; '.join(things)}")
    return "\n".join(lines)


def _text_map(tiles: list[dict[str, Any]]) -> list[str]:
    """The tiles as letter and number, columns left to right, half a hex further down from one to the next."""
    rows = {(2 * tile["r"] + tile["q"], tile["q"]): number for number, tile in enumerate(tiles)}
    heights, columns = [row for row, _ in rows], [q for _, q in rows]
    lines = []
    for row in range(min(heights), max(heights) + 1):
        cells = []
        for q in range(min(columns), max(columns) + 1):
            number = rows.get((row, q))
            cells.append("    " if number is None else f"{LETTERS[tiles[number]['kind']]}{number:<3}")
        lines.append("  " + "".join(cells).rstrip())
    return lines
