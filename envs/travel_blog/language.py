"""Actions and positions in words: JSON actions, the described position, and a board for the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from envs.compiling import PLAIN
from envs.errors import IllegalAction
from envs.game import State
from envs.options import Options
from envs.plain import raw
from envs.travel_blog.components import NAMES
from envs.travel_blog.knowledge import first_of_round
from envs.travel_blog.rules import colours, last_tick
from envs.travel_blog.state import CARDS, COLOURS, FIELDS, NO_CARD, SEQUENCE

PARTS = ("part one", "part two", "part three", "the finale")


def encode_action(action: Mapping[str, Any], options: Options) -> int:
    """The index of an action; errors: `IllegalAction` saying how one is written."""
    demanding, ticking = options["demanding"], options["timing"] == "ticks"
    if ticking and action == {"type": "wait"}:
        return FIELDS * (COLOURS if demanding else 1)
    keys = {"type", "field", "colour"} if demanding else {"type", "field"}
    field, colour = action.get("field"), action.get("colour", 0)
    if action.get("type") == "place" and set(action) == keys and _among(field, FIELDS) and _among(colour, COLOURS):
        return FIELDS * int(colour) + int(str(field))
    place = '{"type": "place", "field": 0 to 7' + (', "colour": 0 or 1}' if demanding else "}")
    wait = ' or {"type": "wait"}' if ticking else ""
    raise IllegalAction(
        f"travel_blog has no action {json.dumps(dict(action), default=str)} under these options: write {place}{wait}"
    )


def _among(value: Any, count: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count


def decode_action(index: int, options: Options) -> dict[str, Any]:
    """An action index as JSON: the exact inverse of `encode_action`."""
    if index == FIELDS * (COLOURS if options["demanding"] else 1):
        return {"type": "wait"}
    action: dict[str, Any] = {"type": "place", "field": index % FIELDS}
    return {**action, "colour": index // FIELDS} if options["demanding"] else action


# ------------------------------------------------------------------ positions


def describe(state: State, player: int | None) -> dict[str, Any]:
    """The game's fields of a described position; for a seat without the others' commits and the cards to come.

    `round`, `part`, `tick`, `ticks_left`; `offer`, `middle` (states by name); `stacks` (by field, the lowest token
    first); `pending` (each seat's commit of this tick, null for none or hidden); `wave_order` (`sequence` only);
    `draw_pile` (the next card first; for a seat their number), `discard_pile`; `last_round`; by player `cash`,
    `tokens_left`, `last_trip`, `last_change`.
    """
    names = NAMES[state.options.map]
    seats = range(state.num_players)
    sequence = state.options.timing == SEQUENCE
    draw_pile = [names[state.deck[place]] for place in range(state.dealt, CARDS)]
    gone = _read(first_of_round, state)  # none in the finale, whose deck is new
    return {
        "round": state.round,
        "part": (state.round + 1) // 2,
        "tick": state.tick,
        "ticks_left": _read(last_tick, state) - state.tick,
        **_board(state.board, names),
        "pending": [_pending(state, seat) if player in (None, seat) else None for seat in seats],
        "wave_order": [state.wave_order[place] for place in seats] if sequence else None,
        "draw_pile": draw_pile if player is None else len(draw_pile),
        "discard_pile": [names[state.deck[place]] for place in range(gone)],
        "last_round": {"round": state.last_round, **_board(state.last_board, names)} if state.last_round else None,
        "players": [_player(state, seat) for seat in seats],
    }


def _read(rule: Callable[[Any], Any], state: State) -> int:
    """What a rule function reads off the position: compiled ones want the record, plain ones its proxy."""
    return int(rule(state if PLAIN else raw(state)))


def _board(board: Any, names: tuple[str, ...]) -> dict[str, Any]:
    tokens = [[board.stacks[field, level] - 1 for level in range(board.heights[field])] for field in range(FIELDS)]
    return {
        "offer": [names[card] for card in board.offer],
        "middle": [names[card] for card in board.middle if card != NO_CARD],
        "stacks": [[{"seat": t // COLOURS, "colour": t % COLOURS} for t in stack] for stack in tokens],
    }


def _pending(state: State, seat: int) -> dict[str, Any] | None:
    commit = state.players[seat].pending
    return decode_action(commit - 1, {"demanding": bool(state.options.demanding)}) if commit else None


def _player(state: State, seat: int) -> dict[str, Any]:
    player = state.players[seat]
    trips = [
        {
            "crossings": trip.crossings,
            "neighbour_pairs": trip.neighbour_pairs,
            "beneath": trip.beneath,
            "forty": bool(trip.forty),
            "amount": trip.amount,
        }
        for trip in list(player.last_trip)[: _read(colours, state)]
    ]
    return {
        "cash": player.cash,
        "tokens_left": [player.tokens_left[colour] for colour in range(_read(colours, state))],
        "last_trip": trips if state.last_round else None,
        "last_change": player.last_change,
    }


# ------------------------------------------------------------------ the text board


def text(description: dict[str, Any]) -> str:
    """The board for a terminal: the middle, a line a field with its stack, a line a seat, and the last evaluation."""
    round_, demanding = description["round"], description["options"]["demanding"]
    unit = "tick" if description["wave_order"] is None else "wave"
    ticks = description["tick"] + description["ticks_left"]
    head = f"Round {round_} of 7, {PARTS[description['part'] - 1]}, {unit} {description['tick']} of {ticks}"
    lines = [f"{head}: {' to '.join(description['middle'])}"]
    for field, name in enumerate(["40", *description["offer"]]):
        tokens = " ".join(_token(token, demanding) for token in description["stacks"][field])
        lines.append(f"  {field}  {name:<22} {tokens}".rstrip())
    for seat, player in enumerate(description["players"]):
        mark = ">" if seat == description["current_player"] else " "
        held = "+".join(str(left) for left in player["tokens_left"])
        line = f"{mark} player_{seat}  {player['cash']:>4} euros, tokens {held}"
        if description["pending"][seat] is not None:
            line += ", committed"
        if player["last_trip"] is not None:
            trips = " and ".join(_trip(trip) for trip in player["last_trip"])
            line += f"; round {description['last_round']['round']}: {trips} = {player['last_change']:+d}"
        lines.append(line)
    return "\n".join(lines)


def _token(token: dict[str, int], demanding: bool) -> str:
    return f"p{token['seat']}{'ab'[token['colour']] if demanding else ''}"


def _trip(trip: dict[str, Any]) -> str:
    said = f"{trip['crossings']} crossings, {trip['neighbour_pairs']} neighbours, {trip['beneath']} beneath"
    return f"{said}{', stays' if trip['forty'] else ''} ({trip['amount']})"
