"""What the two pokers share: drawing a card from the deck, and the table in words and as a picture."""

from __future__ import annotations

from typing import Any

from envs.chance import draw
from envs.compiling import compiled
from envs.game import State
from envs.svg import PLAYER_COLOURS, Svg

RANKS = ("J", "Q", "K", "A")
"""The names of the ranks, lowest first; a deck holds as many of them as it needs."""


@compiled
def draw_card(state: State, stream: int, deck: int, seen: int) -> int:
    """A card from a deck of cards 0 to `deck - 1`, uniform among those that are not in the bit set `seen`."""
    unseen = 0
    for card in range(deck):
        unseen += 1 - ((seen >> card) & 1)
    skip = draw(state, stream, unseen)
    card = 0
    while (seen >> card) & 1 or skip > 0:
        skip -= 1 - ((seen >> card) & 1)
        card += 1
    return card


def table_text(description: dict[str, Any]) -> str:
    """One line a seat (an arrow where it is to act), then the public card if the game has one, and the pot."""
    lines = []
    for seat, player in enumerate(description["players"]):
        arrow = ">" if seat == description["current_player"] else " "
        fold = "  folded" if player["folded"] else ""
        lines.append(f"{arrow} player_{seat}  {player['card'] or '?':<2}  {player['chips']:>2} in the pot{fold}")
    if "public_card" in description:
        lines.append(f"  public    {description['public_card'] or '-'}")
    lines.append(f"  pot {description['pot']}, betting {_betting(description)}")
    return "\n".join(lines)


def draw_table(description: dict[str, Any]) -> str:
    """The seats side by side with their cards and chips, the public card at the right, the betting below."""
    players = description["players"]
    public = "public_card" in description
    svg = Svg(120 * (len(players) + public) + 40, 230, background="#2f6b4f")
    for seat, player in enumerate(players):
        x = 20 + 120 * seat
        opacity = 0.35 if player["folded"] else 1.0
        _draw_card(svg, x + 25, 50, player["card"], opacity)
        acting = seat == description["current_player"]
        svg.text(x + 60, 35, f"player_{seat}", anchor="middle", fill="#ffd75e" if acting else "#ffffff")
        for chip in range(player["chips"]):
            column, row = chip % 7, chip // 7
            svg.circle(x + 18 + 14 * column, 166 + 14 * row, 6, fill=PLAYER_COLOURS[seat], stroke="#ffffff")
    if public:
        x = 20 + 120 * len(players)
        svg.text(x + 60, 35, "public", anchor="middle", fill="#ffffff")
        _draw_card(svg, x + 25, 50, description["public_card"], 1.0)
    svg.text(20, 215, f"pot {description['pot']}   {_betting(description)}", size=12, fill="#ffffff")
    return svg.to_string()


def _draw_card(svg: Svg, x: float, y: float, card: str | None, opacity: float) -> None:
    svg.rect(x, y, 70, 98, rx=8, fill="#fbfaf5" if card else "#24509a", stroke="#222222", opacity=opacity)
    if card:
        red = card.endswith("h")
        svg.text(
            x + 35,
            y + 62,
            card.replace("s", "♠").replace("h", "♥"),
            size=30,
            anchor="middle",
            fill="#c1272d" if red else "#222222",
            opacity=opacity,
        )


def _betting(description: dict[str, Any]) -> str:
    """Every action so far, rounds parted by a bar."""
    betting = description["betting"]
    rounds = betting if betting and isinstance(betting[0], list) else [betting]
    return " | ".join(" ".join(actions) or "-" for actions in rounds)
