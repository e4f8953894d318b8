"""The table of the two pokers: in words, as a picture, and where a player's actions lie on it.

No rule depends on this file, so it is none of the games' sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.svg import PLAYER_COLOURS, Svg


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
    svg = Svg(max(280, 120 * (len(players) + public) + 40), 262, background="#2f6b4f")
    for seat, player in enumerate(players):
        x = 20 + 120 * seat
        opacity = 0.35 if player["folded"] else 1.0
        _draw_card(svg, x + 25, 50, player["card"], opacity)
        acting = seat == description["current_player"]
        svg.text(x + 60, 35, f"player_{seat}", anchor="middle", fill="#ffd75e" if acting else "#ffffff")
        for chip in range(player["chips"]):
            column, row = chip % 7, chip // 7
            svg.circle(x + 18 + 14 * column, 166 + 14 * row, 6, fill=PLAYER_COLOURS[seat], stroke="#ffffff")
        if player["folded"]:
            svg.text(x + 60, 106, "folded", size=15, anchor="middle", fill="#ffffff", font_weight="bold")
    if public:
        x = 20 + 120 * len(players)
        svg.text(x + 60, 35, "public", anchor="middle", fill="#ffffff")
        _draw_card(svg, x + 25, 50, description["public_card"], 1.0)
    svg.text(20, 205, f"pot {description['pot']}   {_betting(description)}", size=12, fill="#ffffff")
    if description["current_player"] is not None:
        _draw_fields(svg, ("fold", "call", "raise") if public else ("pass", "bet"))
    return svg.to_string()


def _draw_fields(svg: Svg, moves: tuple[str, ...]) -> None:
    """The fields on the felt by which the player to act says what to do."""
    for place, move in enumerate(moves):
        x = 20 + 82 * place
        with svg.group(key=move):
            svg.rect(x, 218, 74, 30, rx=15, fill="#245540", stroke="#d9e6df")
            svg.text(x + 37, 238, move, size=14, anchor="middle", fill="#ffffff")


def places(action: Mapping[str, Any], description: Mapping[str, Any]) -> tuple[str, ...]:
    """The field on the felt that bears the action's name."""
    return (str(action["type"]),)


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
