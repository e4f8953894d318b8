"""The table drawn from a described position as SVG, 1,000 pixels wide.

It sees the description only, so a seat's description gives a picture from that seat's place: other hands and decks lie
face down. Goods, spaces, cards in hand, decks and the rows of breweries bear the names that `places` gives them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envs.fuerstenfeld.components import (
    EFFECT,
    HIGHEST_PRICE,
    PALACES_TO_WIN,
    TITLES,
)
from envs.fuerstenfeld.state import CARD_NAMES, GOODS, SPACES
from envs.fuerstenfeld.words import (
    brewery_key,
    cost_of,
    deck_key,
    effect_of,
    good_of,
    goods_key,
    hand_key,
    headline,
    progress,
    short_name,
    space_key,
)
from envs.svg import PLAYER_COLOURS, Svg
from envs.words import counted

Description = dict[str, Any]

WIDTH, MARGIN, GAP = 1000, 10, 8
INK, FAINT, LINE, PAPER, PANEL = "#2b2b2b", "#6f6a60", "#b9b2a3", "#ffffff", "#f3efe4"
GOOD_COLOURS = {"hops": "#5c8a3a", "barley": "#c99a1e", "water": "#3f7fb5"}
GOOD_TINTS = {"hops": "#e3eed9", "barley": "#f8ecc9", "water": "#dceaf5"}
PALACE_TINT, BUILDING_TINT = "#eadcf0", "#efe9dd"
DARK_ON = ("#edae49",)
"""Player colours that black reads better on than white."""

ESTATE_X, CARDS_X = 168, 540
SPACE_WIDTH, SPACE_HEIGHT = 118, 66
CARD_WIDTH, CARD_HEIGHT, CARDS_IN_ROW = 86, 58, 5
MINI_WIDTH, MINI_HEIGHT, MINIS_IN_ROW = 32, 20, 13
LAST_FIELD = 25
"""The income track is drawn to this field; markers beyond it lie there with their number."""


def _tint(name: str) -> str:
    good = good_of(name)
    if good:
        return GOOD_TINTS[good]
    return PALACE_TINT if name.startswith("palace") else BUILDING_TINT


def _on(colour: str) -> str:
    return INK if colour in DARK_ON else "#ffffff"


# ------------------------------------------------------------------ SVG


def draw(description: Description) -> str:
    """The whole table as SVG text."""
    panels = [_PlayerPanel(description, seat) for seat in range(description["num_players"])]
    top = 376
    height = top + sum(panel.height + GAP for panel in panels) + MARGIN - GAP
    svg = Svg(WIDTH, height)
    _draw_head(svg, description)
    _draw_breweries(svg, description, 58)
    _draw_palace_price(svg, description, 58)
    _draw_order(svg, description, 226)
    for panel in panels:
        panel.draw(svg, top)
        top += panel.height + GAP
    return svg.to_string()


def _draw_head(svg: Svg, description: Description) -> None:
    seat = description["current_player"]
    colour = PLAYER_COLOURS[seat] if seat is not None else INK
    svg.rect(0, 0, WIDTH, 48, fill=colour)
    ink = _on(colour)
    svg.text(MARGIN + 4, 31, "Fürstenfeld", size=21, fill=ink, font_weight="bold")
    variant = f"{description['options']['variant']} game"
    svg.text(168, 31, f"{variant} · {headline(description)}", size=15, fill=ink)
    svg.text(WIDTH - MARGIN - 4, 31, progress(description), size=13, anchor="end", fill=ink)


def _good_disc(svg: Svg, x: float, y: float, radius: float, good: str, filled: bool = True) -> None:
    colour = GOOD_COLOURS[good]
    if filled:
        svg.circle(x, y, radius, fill=colour)
        svg.text(x, y + radius * 0.45, good[0].upper(), size=radius * 1.3, anchor="middle", fill="#ffffff")
    else:
        svg.circle(x, y, radius - 0.75, fill=PAPER, stroke=colour, stroke_width=1.5)


def _draw_breweries(svg: Svg, description: Description, top: float) -> None:
    """Each brewery: by good the price scale, its marker on the price, and the demand spaces, filled or empty."""
    breweries, sale = description["breweries"], description["sale"]
    width = (WIDTH - 2 * MARGIN - 150) / len(breweries)
    beside = len(breweries) <= 3  # demand beside the prices if there is room, else below them
    for number, brewery in enumerate(breweries):
        x = MARGIN + number * width
        chosen = sale is not None and sale["brewery"] == number
        colour = PLAYER_COLOURS[description["current_player"]] if chosen else LINE
        svg.rect(x, top, width - GAP, 160, rx=6, fill=PANEL, stroke=colour, stroke_width=3.5 if chosen else 1)
        svg.text(x + 9, top + 20, f"Brewery {number}", size=13, font_weight="bold", fill=INK)
        for row, good in enumerate(GOODS):
            y = top + 42 + 41 * row
            with svg.group(key=brewery_key(number, good)):
                svg.rect(x + 3, y - 12, width - GAP - 6, 39 if not beside else 29, rx=5, fill=PANEL)
                _draw_demand(svg, x, y, brewery, good, beside)


def _draw_demand(svg: Svg, x: float, y: float, brewery: dict[str, Any], good: str, beside: bool) -> None:
    """One good at one brewery: its price on the scale, and its demand spaces."""
    _good_disc(svg, x + 17, y + 2 if beside else y + 6, 9, good)
    for price in range(HIGHEST_PRICE + 1):
        at = x + 34 + 29 * price
        marked = brewery["price"][good] == price
        fill, ink = (GOOD_COLOURS[good], "#ffffff") if marked else (PAPER, FAINT)
        svg.rect(at, y - 8, 26, 20, rx=4, fill=fill, stroke=LINE)
        weight = "bold" if marked else "normal"
        svg.text(at + 13, y + 7, str(price), size=13, anchor="middle", fill=ink, font_weight=weight)
    for place in range(brewery["demand"][good]):
        filled = place < brewery["delivered"][good]
        if beside:
            _good_disc(svg, x + 172 + 23 * place, y + 2, 9, good, filled)
        else:
            _good_disc(svg, x + 41 + 17 * place, y + 22, 6.5, good, filled)


def _draw_palace_price(svg: Svg, description: Description, top: float) -> None:
    """The palace price and, as dots, how many palaces were built at it and how many it takes."""
    x, width = WIDTH - MARGIN - 150 + GAP, 150 - GAP
    svg.rect(x, top, width, 160, rx=6, fill=PALACE_TINT, stroke=LINE)
    svg.text(x + width / 2, top + 24, "Palace price", size=14, anchor="middle", font_weight="bold", fill=INK)
    svg.text(x + width / 2, top + 84, str(description["palace_price"]), size=50, anchor="middle", fill=INK)
    n, built = description["num_players"], description["palaces_at_price"]
    for place in range(n):
        at = x + width / 2 + 22 * (place - (n - 1) / 2)
        svg.circle(at, top + 110, 8, fill="#7d5a8c" if place < built else PAPER, stroke="#7d5a8c", stroke_width=1.5)
    svg.text(x + width / 2, top + 142, f"{built} of {n} built at it", size=12, anchor="middle", fill=FAINT)


def _has_placed(description: Description, seat: int) -> bool:
    """Whether a seat's order marker lies on the track for the next round already."""
    phase, order = description["phase"], description["turn_order"]
    if phase == "over":
        return True
    if phase in ("draft", "draw"):
        return False
    done = order.index(description["current_player"])
    return bool(order.index(seat) < done or (order.index(seat) == done and phase != "sell"))


def _draw_order(svg: Svg, description: Description, top: float) -> None:
    """The turn order of this round, and both income tracks with the markers in piles, the first to play on top."""
    svg.rect(MARGIN, top, WIDTH - 2 * MARGIN, 142, rx=6, fill=PANEL, stroke=LINE)
    order = description["turn_order"]
    svg.text(MARGIN + 9, top + 22, "Turn order", size=13, font_weight="bold", fill=INK)
    for place, seat in enumerate(order):
        x = MARGIN + 112 + place * 62
        if seat == description["current_player"]:
            svg.rect(x - 15, top + 4, 58, 26, rx=13, fill=PAPER, stroke=PLAYER_COLOURS[seat], stroke_width=2)
        svg.text(x - 4, top + 22, f"{place + 1}.", size=12, fill=FAINT, anchor="middle")
        _marker(svg, x + 18, top + 17, 10, seat)
    left, field = MARGIN + 88, (WIDTH - 2 * MARGIN - 96) / (LAST_FIELD + 1)
    for row, name in enumerate(("this round", "next round")):
        y = top + 37 + 51 * row
        svg.text(MARGIN + 9, y + 20, "Income of", size=11, fill=FAINT)
        svg.text(MARGIN + 9, y + 34, ("last round", "this round")[row], size=11, fill=FAINT)
        for number in range(LAST_FIELD + 1):
            svg.rect(left + number * field, y, field, 46, fill=PAPER, stroke=LINE)
            label = f"{number}+" if number == LAST_FIELD else str(number)
            svg.text(left + (number + 0.5) * field, y + 43, label, size=10, anchor="middle", fill=FAINT)
        # This round's order runs from the top of each pile down; markers placed since lie the later the higher.
        seats = [seat for seat in order if _has_placed(description, seat) == (name == "next round")]
        bottom_up = seats if name == "next round" else seats[::-1]
        piles: dict[int, int] = {}
        for seat in bottom_up:
            number = min(LAST_FIELD, description["players"][seat]["order_field"])
            height = piles.get(number, 0)
            piles[number] = height + 1
            _marker(svg, left + number * field + 11 + 4 * height, y + 25 - 4 * height, 8.5, seat)


def _marker(svg: Svg, x: float, y: float, radius: float, seat: int) -> None:
    colour = PLAYER_COLOURS[seat]
    svg.circle(x, y, radius, fill=colour, stroke="#ffffff", stroke_width=1)
    svg.text(x, y + radius * 0.42, str(seat), size=radius * 1.25, anchor="middle", fill=_on(colour), font_weight="bold")


def _lines(title: str) -> list[str]:
    """A card's title in one line or, if it is long, in two."""
    words = title.split(" ")
    if len(title) <= 13 or len(words) == 1:
        return [title]
    return [" ".join(words[:-1]), words[-1]]


def _card(svg: Svg, x: float, y: float, width: float, height: float, name: str, cost: int | None) -> None:
    """A card face up: cost in the corner (None: no badge), title, effect."""
    good = good_of(name)
    printed = name.startswith("printed")
    stroke = GOOD_COLOURS[good] if good else "#7d5a8c" if name.startswith("palace") else "#8c8474"
    svg.rect(x, y, width, height, rx=5, fill=_tint(name), stroke=stroke, stroke_dasharray="4 3" if printed else None)
    size, middle = 10.2 if cost is not None else 12, x + width / 2
    palace, _, numeral = TITLES[name].rpartition(" ") if name.startswith("palace") else ("", "", "")
    lines = [palace] if palace else _lines(TITLES[name])
    first = y + height / 2 - 5.5 * len(lines) + (11 if cost is not None else 4)
    if palace:
        first = y + 17
    elif good and cost is None and len(lines) == 2:
        first -= 5
    for number, line in enumerate(lines):
        svg.text(middle, first + 11.5 * number, line, size=size, anchor="middle", font_weight="bold", fill=INK)
    if palace:
        svg.text(middle, y + height - 13, numeral, size=25, anchor="middle", fill="#5e3f6d")
    elif good and cost is None:
        amount = EFFECT[CARD_NAMES.index(name)]
        for place in range(amount):
            _good_disc(svg, middle + 20 * (place - (amount - 1) / 2), y + height - 18, 8.5, good)
    else:
        svg.text(middle, y + height - 7, effect_of(name), size=10.5, anchor="middle", fill="#4a463f")
    if cost is not None:
        svg.circle(x + 11, y + 9, 9, fill="#f6d76b", stroke="#a8862a")
        svg.text(x + 11, y + 13, str(cost), size=11, anchor="middle", font_weight="bold", fill=INK)


def _back(svg: Svg, x: float, y: float, width: float, height: float, colour: str) -> None:
    svg.rect(x, y, width, height, rx=4, fill=colour, stroke="#ffffff", fill_opacity=0.75)
    svg.rect(x + 3, y + 3, width - 6, height - 6, rx=2, fill="none", stroke="#ffffff", stroke_opacity=0.7)


class _PlayerPanel:
    """One player's part of the table: money and goods, the estate, the hand, the deck, the cards out of play."""

    def __init__(self, description: Description, seat: int) -> None:
        self.description, self.seat = description, seat
        self.player = description["players"][seat]
        self.colour = PLAYER_COLOURS[seat]
        self.hand, self.deck, self.removed = (self.player[key] for key in ("hand", "deck", "removed"))
        open_hand = [name for name in self.hand if name is not None]
        hand_rows = max(1, -(-len(open_hand) // CARDS_IN_ROW))
        self.deck_top = 18 + hand_rows * (CARD_HEIGHT + 4) + 16
        self.removed_top = self.deck_top + self._mini_rows(self._shown_deck()) * (MINI_HEIGHT + 3) + 18
        bottom = self.removed_top + self._mini_rows(self.removed) * (MINI_HEIGHT + 3)
        self.height = max(2 * SPACE_HEIGHT + 30, bottom + 3)

    @staticmethod
    def _mini_rows(cards: Sequence[Any]) -> int:
        return -(-len(cards) // MINIS_IN_ROW)

    def _shown_deck(self) -> list[str | None]:
        """The deck card by card if the looker knows any of it; face down as a whole otherwise."""
        return self.deck if any(self.deck) else []

    def draw(self, svg: Svg, top: float) -> None:
        acts = self.description["current_player"] == self.seat or self.seat in self.description.get("winners", ())
        svg.rect(
            MARGIN, top, WIDTH - 2 * MARGIN, self.height, rx=6, fill=PANEL,
            stroke=self.colour if acts else LINE, stroke_width=3.5 if acts else 1,
        )  # fmt: skip
        self._draw_purse(svg, top)
        self._draw_estate(svg, top)
        self._draw_hand(svg, top)
        self._draw_deck(svg, top)
        self._draw_removed(svg, top)

    def _draw_purse(self, svg: Svg, top: float) -> None:
        player, x = self.player, MARGIN + 10
        winner = self.seat in self.description.get("winners", ())
        svg.rect(MARGIN, top, 148, 28, rx=6, fill=self.colour)
        honour = " is best" if self.description["truncated"] else " wins"
        title = f"player_{self.seat}" + (honour if winner else "")
        svg.text(x, top + 19, title, size=14, font_weight="bold", fill=_on(self.colour))
        svg.circle(x + 9, top + 46, 10, fill="#f6d76b", stroke="#a8862a")
        svg.text(x + 25, top + 51, counted(player["coins"], "coin"), size=14, fill=INK, font_weight="bold")
        for place, good in enumerate(GOODS):
            at = x + 9 + 46 * place
            with svg.group(key=goods_key(self.seat, good)):
                svg.rect(at - 10, top + 62, 38, 20, rx=5, fill=PANEL)
                _good_disc(svg, at, top + 72, 9, good)
                svg.text(at + 14, top + 77, str(player["goods"][good]), size=14, fill=INK)
        svg.text(x, top + 102, f"{player['palaces']} of {PALACES_TO_WIN} palaces", size=12, fill=INK)
        svg.text(x, top + 119, f"income {player['income']}", size=12, fill=FAINT)
        svg.text(x, top + 136, f"order field {player['order_field']}", size=12, fill=FAINT)

    def _draw_estate(self, svg: Svg, top: float) -> None:
        svg.text(ESTATE_X, top + 14, "Estate", size=11, fill=FAINT)
        for space in range(SPACES):
            x = ESTATE_X + (space % 3) * (SPACE_WIDTH + 4)
            y = top + 19 + (space // 3) * (SPACE_HEIGHT + 4)
            name = self.player["spaces"][space]
            with svg.group(key=space_key(self.seat, space)):
                if name is None:
                    svg.rect(x, y, SPACE_WIDTH, SPACE_HEIGHT, rx=5, fill=PANEL, stroke=LINE, stroke_dasharray="3 4")
                    svg.text(x + SPACE_WIDTH / 2, y + 36, f"space {space}", size=11, anchor="middle", fill=FAINT)
                else:
                    _card(svg, x, y, SPACE_WIDTH, SPACE_HEIGHT, name, None)

    def _draw_hand(self, svg: Svg, top: float) -> None:
        svg.text(CARDS_X, top + 14, f"Hand: {len(self.hand)}", size=11, fill=FAINT)
        kept = self.player["kept"]
        for place, name in enumerate(self.hand):
            if name is None:
                _back(svg, CARDS_X + 38 * place, top + 19, 34, CARD_HEIGHT, self.colour)
                continue
            x = CARDS_X + (place % CARDS_IN_ROW) * (CARD_WIDTH + 3)
            y = top + 19 + (place // CARDS_IN_ROW) * (CARD_HEIGHT + 4)
            with svg.group(key=hand_key(self.seat, name)):
                _card(svg, x, y, CARD_WIDTH, CARD_HEIGHT, name, cost_of(name, self.description, self.seat))
            if name == kept:
                svg.rect(x - 2, y - 2, CARD_WIDTH + 4, CARD_HEIGHT + 4, rx=6, fill="none", stroke=INK, stroke_width=2)
                kept = None

    def _draw_deck(self, svg: Svg, top: float) -> None:
        size, known = len(self.deck), len(self.deck) - self.player["deck_known_from"]
        part = "in unknown order" if not known else f"the lowest {known} in an order that the owner knows"
        words = f"Deck: {size}, {'in an order that the owner knows' if size == known else part}"
        with svg.group(key=deck_key(self.seat)):
            svg.text(CARDS_X, top + self.deck_top - 5, words, size=11, fill=FAINT)
            self._draw_minis(svg, top + self.deck_top, self._shown_deck(), 1.0)

    def _draw_removed(self, svg: Svg, top: float) -> None:
        if self.removed:
            svg.text(CARDS_X, top + self.removed_top - 5, "Out of play", size=11, fill=FAINT)
            self._draw_minis(svg, top + self.removed_top, self.removed, 0.55)

    def _draw_minis(self, svg: Svg, y: float, cards: Sequence[str | None], opacity: float) -> None:
        for place, name in enumerate(cards):
            x = CARDS_X + (place % MINIS_IN_ROW) * (MINI_WIDTH + 2)
            at = y + (place // MINIS_IN_ROW) * (MINI_HEIGHT + 3)
            if name is None:
                _back(svg, x, at, MINI_WIDTH, MINI_HEIGHT, self.colour)
                continue
            svg.rect(x, at, MINI_WIDTH, MINI_HEIGHT, rx=3, fill=_tint(name), stroke=LINE, opacity=opacity)
            svg.text(x + MINI_WIDTH / 2, at + 14, short_name(name), size=10.5, anchor="middle", fill=INK)
