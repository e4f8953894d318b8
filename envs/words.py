"""Actions in a player's words: the defaults of `Game.say` and `Game.places`, and what the words of all games share.

A game that brings its own (`envs/<game>/words.py`) says what an action does and costs from a described position;
what the whole table gets to know of it may be less than what the acting seat is told. Nothing here is part of the
rules: no compiled code is built from these files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Described = Mapping[str, Any]
"""A described position (`Position.describe`), whole or as one seat sees it."""


def say_plainly(action: Mapping[str, Any], description: Described, public: bool = False) -> str:
    """The action's type and arguments in words; in public the type alone, since any argument may be a secret."""
    kind = str(action["type"]).replace("_", " ")
    arguments = [f"{name.replace('_', ' ')} {value}" for name, value in action.items() if name != "type"]
    words = kind if public or not arguments else f"{kind}: {', '.join(arguments)}"
    return words[0].upper() + words[1:]


def no_places(action: Mapping[str, Any], description: Described) -> tuple[str, ...]:
    """No element of the drawing: the action is only in the list of legal actions."""
    return ()


def counted(count: int, thing: str, things: str | None = None) -> str:
    """`1 coin`, `3 coins`."""
    return f"{count} {thing if count == 1 else things or thing + 's'}"


def listed(parts: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; nothing for no parts."""
    *head, tail = list(parts) or [""]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def seat_name(seat: int) -> str:
    """A seat as the drawings and tables name it."""
    return f"player_{seat}"
