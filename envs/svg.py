"""Drawings: a small SVG writer for the games' boards, and SVG to pixels without a display."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

PLAYER_COLOURS = ("#d1495b", "#edae49", "#00798c", "#8d6cab", "#5a9367", "#8a5a44")
"""One colour a seat, told apart in print and by colour-blind readers."""

FONT = "DejaVu Sans"


class Svg:
    """An SVG picture of `width` by `height` pixels, elements painted in the order they are added.

    Attributes are keyword arguments; `stroke_width` becomes `stroke-width`. `key` names an element (`data-key`) as a
    place, card or piece that a player's action can point at: see `places` in `envs.game`.
    """

    def __init__(self, width: float, height: float, background: str = "#fbfaf5") -> None:
        self.width, self.height = width, height
        self._root = ElementTree.Element(
            "svg",
            xmlns="http://www.w3.org/2000/svg",
            width=f"{width:g}",
            height=f"{height:g}",
            viewBox=f"0 0 {width:g} {height:g}",
            attrib={"font-family": FONT, "font-size": "14"},
        )
        self._parent = self._root
        self.rect(0, 0, width, height, fill=background)

    def add(
        self, tag: str, content: str | None = None, title: str | None = None, key: str | None = None, **attributes: Any
    ) -> None:
        """Any element; `content` is its text, `title` what a pointer resting on it reads, `key` its name."""
        self._append(tag, title, key, attributes).text = content

    def _append(self, tag: str, title: str | None, key: str | None, attributes: dict[str, Any]) -> ElementTree.Element:
        named = {name.replace("_", "-"): _number(value) for name, value in attributes.items() if value is not None}
        if key is not None:
            named["data-key"] = key
        element = ElementTree.SubElement(self._parent, tag, named)
        if title is not None:
            ElementTree.SubElement(element, "title").text = title
        return element

    @contextmanager
    def group(self, key: str | None = None, title: str | None = None, **attributes: Any) -> Iterator[None]:
        """What is added inside the `with` block becomes one element, so that all of it carries one `key`."""
        outer = self._parent
        self._parent = self._append("g", title, key, attributes)
        try:
            yield
        finally:
            self._parent = outer

    def rect(self, x: float, y: float, width: float, height: float, **attributes: Any) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, **attributes)

    def circle(self, x: float, y: float, radius: float, **attributes: Any) -> None:
        self.add("circle", cx=x, cy=y, r=radius, **attributes)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = "#333333", **attributes: Any) -> None:
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, **attributes)

    def polygon(self, points: list[tuple[float, float]], **attributes: Any) -> None:
        self.add("polygon", points=" ".join(f"{x:g},{y:g}" for x, y in points), **attributes)

    def text(
        self, x: float, y: float, content: str, size: float = 14, anchor: str = "start", **attributes: Any
    ) -> None:
        """Text whose baseline lies at `y`; `anchor` is start, middle or end."""
        self.add("text", content, x=x, y=y, font_size=size, text_anchor=anchor, **attributes)

    def to_string(self) -> str:
        return ElementTree.tostring(self._root, encoding="unicode")


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


@cache
def _font_file() -> str:
    import matplotlib

    return str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")


def to_png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG bytes, scaled to `width` pixels if given; text in DejaVu Sans on every machine."""
    import resvg_py

    fonts = [_font_file(), _font_file().replace("DejaVuSans", "DejaVuSans-Bold")]
    png = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, font_files=fonts, skip_system_fonts=True, font_family=FONT, sans_serif_family=FONT
    )
    return bytes(png)


def to_pixels(svg: str, width: int | None = None) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The picture as uint8[height, width, 3]."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(to_png(svg, width))).convert("RGB"))
