"""What a viewer of a table is shown, as JSON: the drawing, the legal actions in words, the log, the seats.

All of it is made from what `View.describe` tells the viewer's seat, and of others' actions only what the whole table
gets to know (`Game.say` with `public`). Nothing else of a position leaves this module.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from envs.position import Position
from envs.view import View
from experiments.commands.arguments import in_words, options_in_words
from experiments.web.table import OPEN, PLAYING, PREPARING, Table

SCORES = ("points", "cash", "coins", "palaces", "chips", "delivered", "mana", "discs")
"""What is shown beside a player's name, where a game's players have it; of a list its length."""

MOST_REPORTED = 30
"""Actions of a search's report that are kept."""


def description(position: Position, viewer: int | None) -> dict[str, Any]:
    """The position as the viewer may know it."""
    return position.describe(None) if viewer is OPEN else View(position, viewer).describe()


def show(table: Table, viewer: int | None) -> bytes:
    """What the viewer's page needs, as JSON; kept until the table changes."""
    if viewer in table.shown:
        return table.shown[viewer]
    body = json.dumps(_show(table, viewer), separators=(",", ":")).encode()
    if table.status != PREPARING:
        table.shown[viewer] = body
    return body


def _show(table: Table, viewer: int | None) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "id": table.id,
        "game": table.game.name,
        "title": table.game.title,
        "options": options_in_words(table.options),
        "status": table.status,
        "problem": table.problem,
        "revision": table.revision,
        "you": viewer,
        "open": table.is_open,
        "seats": [_seat(table, number) for number in range(len(table.seats))],
    }
    if not table.positions:
        return seen
    described = description(table.position, viewer)
    for seat, player in zip(seen["seats"], described["players"], strict=True):
        seat["scores"] = scores(player)
    return {
        **seen,
        "phase": described["phase"].replace("_", " ") if len(table.game.phases) > 1 else "",
        "to_act": table.position.current_player,
        "board": table.game.draw(described),
        "text": table.game.text(described),
        "actions": _actions(table, viewer, described),
        "can_undo": table.status == PLAYING and table.can_undo(viewer),
        "log": log(table, viewer),
        "reports": sorted(table.reports) if may_see_reports(table) else [],
        "result": _result(table, described),
    }


def _seat(table: Table, number: int) -> dict[str, Any]:
    seat = table.seats[number]
    return {"seat": number, "name": seat.shown, "human": seat.is_human, "type": seat.type, "scores": []}


def scores(player: Mapping[str, Any]) -> list[list[Any]]:
    """What is worth knowing of a player at a glance: words and numbers."""
    found: list[list[Any]] = []
    for name in SCORES:
        value = player.get(name)
        if isinstance(value, list):
            value = len(value)
        if isinstance(value, int):
            found.append([name, value])
    return found


def _actions(table: Table, viewer: int | None, described: dict[str, Any]) -> list[dict[str, Any]]:
    """The legal actions of a viewer who is to act: index, words, and the places of the drawing they point at."""
    if table.status != PLAYING or viewer is OPEN or table.position.current_player != viewer:
        return []
    listed = []
    for index in View(table.position, viewer).legal_actions():
        action = table.position.decode_action(index)
        listed.append(
            {
                "action": index,
                "words": table.game.say(action, described, False),
                "places": list(table.game.places(action, described)),
            }
        )
    return listed


def log(table: Table, viewer: int | None) -> list[dict[str, Any]]:
    """All that was played, in words: what the viewer did in full, what others did as the table gets to know it."""
    entries = table.logs.setdefault(viewer, [])
    for number in range(len(entries), len(table.actions)):
        position = table.positions[number]
        seat = position.current_player
        described = description(position, viewer)
        words = table.game.say(
            position.decode_action(table.actions[number]), described, viewer is not OPEN and viewer != seat
        )
        entries.append(
            {"move": number + 1, "seat": seat, "words": words, "seconds": table.seconds[number]}
            | ({"round": described["round"]} if isinstance(described.get("round"), int) else {})
        )
    return entries


def _result(table: Table, described: Mapping[str, Any]) -> dict[str, Any] | None:
    if not table.position.is_over:
        return None
    return {
        "winners": described["winners"],
        "returns": described["returns"],
        "truncated": described["truncated"],
        "seed": table.seed,
    }


# ------------------------------------------------------------------ what an agent saw


def may_see_reports(table: Table) -> bool:
    """Whether agents may be asked what they saw: a report lists the seat's actions, and so what is in its hand.

    Of a game that hides something it is told once the game is over, or at once if everybody can work all of it out.
    """
    return table.is_open or bool(table.game.deducible(table.options))


def report(view: View, found: Any, move: int) -> dict[str, Any]:
    """A search's report (`agents.mcts.SearchReport`) as JSON, in words, best action first."""
    described = view.describe()
    decode, options = view.game.decode_action, view.options
    visits = max(1, sum(entry.visits for entry in found.actions))
    return {
        "move": move,
        "seat": view.seat,
        "iterations": found.iterations,
        "seconds": round(found.seconds, 3),
        "nodes": found.nodes,
        "actions": [
            {
                "words": view.game.say(decode(entry.action, options), described, False),
                "visits": entry.visits,
                "share": round(entry.visits / visits, 4),
                "prior": round(entry.prior, 4),
                "values": [round(value, 4) for value in entry.values] if entry.visits else None,
                "wins": entry.wins,
            }
            for entry in found.actions[:MOST_REPORTED]
        ],
        "more": max(0, len(found.actions) - MOST_REPORTED),
        "expected": [in_words(decode(action, options)) for action in found.principal_variation],
    }
