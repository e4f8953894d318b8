"""What lies and stands on the hexes, drawn: trees and rocks, volcanoes, the temple, huts, offerings, goods, figures.

Every piece of a seat bears the seat's number beside its colour.
"""

from __future__ import annotations

from typing import Any

from envs.mesopotamia.words import offering_label
from envs.svg import PLAYER_COLOURS, Svg

INK = "#2b2620"
WOOD, STONE, GOLD = "#8a5a2b", "#5f6570", "#e2b33b"
NEUTRAL_COLOUR = "#a9a296"
DARK_ON = ("#edae49",)
"""Player colours that black reads better on than white."""


def draw_tree(svg: Svg, x: float, y: float, s: float) -> None:
    svg.rect(x - 0.14 * s, y + 0.4 * s, 0.28 * s, 0.6 * s, fill="#7a5a36")
    svg.polygon([(x - 0.75 * s, y + 0.5 * s), (x, y - s), (x + 0.75 * s, y + 0.5 * s)], fill="#4f8a4a")


def draw_rock(svg: Svg, x: float, y: float, s: float) -> None:
    outline = [(-1, 0.7), (-0.8, -0.3), (-0.1, -0.9), (0.7, -0.5), (1, 0.7)]
    svg.polygon([(x + dx * s, y + dy * s) for dx, dy in outline], fill="#8f949c", stroke="#7c8189", stroke_width=1)


def draw_volcano(svg: Svg, x: float, y: float, s: float) -> None:
    outline = [(-0.6, 0.45), (-0.18, -0.4), (0.18, -0.4), (0.6, 0.45)]
    svg.polygon([(x + dx * s, y + dy * s) for dx, dy in outline], fill="#8c4a36")
    lava = [(-0.18, -0.4), (0.18, -0.4), (0.1, -0.05), (0.02, 0.2), (-0.06, -0.02), (-0.12, 0.05)]
    svg.polygon([(x + dx * s, y + dy * s) for dx, dy in lava], fill="#f2c14e")


def draw_ziggurat(svg: Svg, x: float, y: float, s: float, seat: int | None = None) -> None:
    """Three steps and a shrine, `s` half as wide as the lowest step: the temple, or a seat's cult site."""
    fill = GOLD if seat is None else PLAYER_COLOURS[seat]
    for level, (half, top) in enumerate(((1.0, 0.35), (0.7, 0.0), (0.4, -0.35))):
        tone = 1.0 - 0.12 * level
        style: dict[str, Any] = {"fill": fill, "stroke": INK, "stroke_width": 1.2, "fill_opacity": tone}
        svg.rect(x - half * s, y + top * s, 2 * half * s, 0.37 * s, **style)
    if seat is None:
        svg.rect(x - 0.12 * s, y - 0.28 * s, 0.24 * s, 0.3 * s, fill=INK)
    else:
        _write_seat(svg, x, y + 0.62 * s, max(9.0, 0.75 * s), seat)


def draw_house(svg: Svg, x: float, y: float, size: float, seat: int | None, offering: Any = None) -> None:
    """A hut `2 * size` high with its seat's number (a neutral one has none), and the offering under it, if any."""
    w, roof = 0.95 * size, 0.2 * size
    outline = [(x - w, y + size), (x - w, y - roof), (x, y - size), (x + w, y - roof), (x + w, y + size)]
    colour = NEUTRAL_COLOUR if seat is None else PLAYER_COLOURS[seat]
    svg.polygon(outline, fill=colour, stroke=INK, stroke_width=1.2, stroke_linejoin="round")
    if offering is not None:
        draw_offering(svg, x, y + 0.48 * size, 0.46 * size, offering_label(offering))
    if seat is not None:
        at, letter = (y + 0.75 * size, 1.25 * size) if offering is None else (y - 0.05 * size, 0.78 * size)
        _write_seat(svg, x, at, max(9.0, letter), seat)


def draw_offering(svg: Svg, x: float, y: float, radius: float, label: str, spent: bool = False) -> None:
    """A disc with its cost, or a question mark."""
    fill = "#cfc7b6" if spent else GOLD
    svg.circle(x, y, radius, fill=fill, stroke=INK, stroke_width=1)
    svg.text(x, y + 0.42 * radius, label, size=1.25 * radius, anchor="middle", fill=INK, font_weight="bold")


def draw_good(svg: Svg, x: float, y: float, good: str, size: float) -> None:
    """A log, or a block of stone, around (x, y)."""
    if good == "wood":
        svg.rect(x - size, y - 0.5 * size, 2 * size, size, rx=0.4 * size, fill=WOOD, stroke=INK, stroke_width=0.9)
        svg.circle(x + 0.68 * size, y, 0.3 * size, fill="#d9b382")
    else:
        points = [(x - size, y + 0.7 * size), (x - 0.7 * size, y - 0.7 * size), (x + 0.7 * size, y - 0.7 * size)]
        svg.polygon([*points, (x + size, y + 0.7 * size)], fill=STONE, stroke=INK, stroke_width=0.9)


def draw_pawn(svg: Svg, x: float, foot: float, size: float, seat: int) -> None:
    """A figure `2 * size` high with its seat's number on its foot."""
    style: dict[str, Any] = {"fill": PLAYER_COLOURS[seat], "stroke": INK, "stroke_width": 1}
    half = 0.78 * size
    svg.polygon([(x - half, foot), (x - 0.3 * size, foot - 1.3 * size), (x + 0.3 * size, foot - 1.3 * size),
                 (x + half, foot)], **style)  # fmt: skip
    svg.circle(x, foot - 1.5 * size, 0.48 * size, **style)
    _write_seat(svg, x, foot - 0.14 * size, max(9.0, size), seat)


def _write_seat(svg: Svg, x: float, y: float, size: float, seat: int) -> None:
    ink = INK if PLAYER_COLOURS[seat] in DARK_ON else "#ffffff"
    svg.text(x, y, str(seat), size=size, anchor="middle", fill=ink, font_weight="bold")
