"""The table in words: what actions do and cost, whose turn it is, and the text board of a terminal.

All of it is read off a described position. Which offering lies under a hut or is carried is its owner's secret until it
is delivered, so in public offerings are spoken of without their cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from envs.mesopotamia.components import (
    DIRECTIONS,
    EFFECT,
    FIGURES_AT_OTHER_SITE,
    FIGURES_AT_OWN_SITE,
    MANA_TRACK,
    OFFSETS,
)
from envs.mesopotamia.state import CARDS, GOODS, KINDS
from envs.words import counted

Description = Mapping[str, Any]
Action = Mapping[str, Any]
Place = tuple[int, int]
"""Axial coordinates of a hex, laid or not."""

DIRECTION_NAMES = ("north", "north-east", "south-east", "south", "south-west", "north-west")
CARD_EFFECTS = {
    "endurance": "{} movement points more",
    "land": "choose among {} hexes at the next discovery",
    "holy_stone": "{} mana",
    "teleport": "move a figure or a good to any hex",
    "expulsion": "drive a figure or a hut up to {} hexes away",
    "fertility": "{} births to a hut",
}

# ------------------------------------------------------------------ the names of places in the drawing


def tile_key(tile: int) -> str:
    return f"tile_{tile}"


def empty_key(place: Place) -> str:
    """A place next to the map where no hex lies yet."""
    return f"empty_{place[0]}_{place[1]}"


def good_key(tile: int, good: str) -> str:
    """The loose goods of a kind on a hex."""
    return f"good_{tile}_{good}"


def hut_key(tile: int, hut: int) -> str:
    return f"hut_{tile}_{hut}"


def figures_key(seat: int, tile: int, load: Any) -> str:
    """A seat's figures with one load on a hex, drawn as one with their number."""
    return f"figures_{seat}_{tile}_{'none' if load is None else load}"


def card_key(seat: int, card: str) -> str:
    """A seat's cards of a kind."""
    return f"card_{seat}_{card}"


def mana_key(seat: int) -> str:
    return f"mana_{seat}"


def offering_key(seat: int, cost: int) -> str:
    """An unused offering."""
    return f"offering_{seat}_{cost}"


def choice_key(kind: str) -> str:
    """A hex that Land offers."""
    return f"choice_{kind}"


PILE_KEY = "draw_pile"


def neighbour(description: Description, tile: int, direction: int) -> Place:
    """The place next to a tile."""
    q, r = OFFSETS[direction % DIRECTIONS]
    return description["tiles"][tile]["q"] + q, description["tiles"][tile]["r"] + r


def tile_at(description: Description, place: Place) -> int | None:
    """The number of the tile at a place, None where none lies."""
    for number, tile in enumerate(description["tiles"]):
        if (tile["q"], tile["r"]) == place:
            return number
    return None


def places(action: Action, description: Description) -> tuple[str, ...]:
    """The figures, goods, huts and hexes, cards and offerings that an action is about."""
    return tuple(_places(action, description))


def _places(action: Action, description: Description) -> Iterator[str]:
    kind, seat = action["type"], description["current_player"]
    if "figure" in action:
        yield _figures_key_of(description, action.get("seat", seat), action["figure"])
        tile = _figure(description, action.get("seat", seat), action["figure"])["tile"]
    if kind == "step":
        place = neighbour(description, tile, action["direction"])
        there = tile_at(description, place)
        yield empty_key(place) if there is None else tile_key(there)
    elif kind == "take":
        yield good_key(tile, action["good"])
    elif kind == "take_offering":
        huts = description["tiles"][tile]["huts"]
        yield from (hut_key(tile, i) for i, hut in enumerate(huts) if hut == {"owner": seat, **_under(action)})
    elif kind == "steal":
        yield figures_key(action["from"], tile, action["good"])
    elif kind == "play_card":
        yield card_key(seat, action["card"])
    elif kind == "steal_mana":
        yield card_key(seat, "mana_theft")
        yield mana_key(action["from"])
    elif kind == "place_volcano":
        yield empty_key(neighbour(description, action["tile"], action["direction"]))
    elif kind == "choose_hex":
        yield choice_key(action["kind"])
    elif kind == "pick_good":
        yield good_key(action["tile"], action["good"])
    elif kind == "pick_hut":
        yield hut_key(action["tile"], action["hut"])
    elif kind == "draw_card":
        yield PILE_KEY
    elif kind == "play_priest":
        yield card_key(seat, "priest")
    elif "tile" in action:
        yield tile_key(action["tile"])
        if kind == "build_hut":
            yield offering_key(seat, action["offering"])


def _under(action: Action) -> dict[str, Any]:
    return {"offering": action["offering"]}


def _figure(description: Description, seat: int, number: int) -> dict[str, Any]:
    return dict(description["players"][seat]["figures"][number])


def _figures_key_of(description: Description, seat: int, number: int) -> str:
    figure = _figure(description, seat, number)
    return figures_key(seat, figure["tile"], figure["load"])


# ------------------------------------------------------------------ actions


def say(action: Action, description: Description, public: bool = False) -> str:
    """What an action does and costs; in public without the cost of an offering that is not delivered yet."""
    kind = action["type"]
    if kind == "step":
        return _say_step(action, description, public)
    if kind in ("take", "take_offering", "drop", "steal"):
        return _say_load(action, description, public)
    if kind.startswith("pick_") and kind != "pick_tile":
        return _say_target(action, description, public)
    if kind in ("play_card", "steal_mana", "play_priest"):
        return _say_card(action, description)
    tile = _hex(description, action["tile"]) if "tile" in action else ""
    if kind == "end_movement":
        lost = description["movement_points"]
        return "End the movement" + (f", losing {counted(lost, 'movement point')}" if lost else "")
    if kind == "place_volcano":
        return f"Lay the volcano {DIRECTION_NAMES[action['direction']]} of {tile}"
    if kind == "seed":
        return f"Lay 1 {description['pending']['good']} on {tile}"
    if kind == "build_hut":
        offering = "an offering" if public else f"the offering that costs {action['offering']} mana"
        return f"Build a hut on {tile} for 1 wood, {offering} under it"
    if kind == "end_action":
        gain = mana_gain(description)
        return ("Act no more" if description["action_kind"] else "Do nothing") + (f"; gain {gain} mana" if gain else "")
    fixed = {
        "choose_hex": f"Choose a {action.get('kind')} from the stack",
        "pick_tile": f"Put it on {tile}",
        "build_cult_site": f"Build a cult site on {tile} for 1 stone",
        "give_birth": f"Have offspring on {tile}: a figure from the supply",
        "draw_card": "Draw a card",
        "end_turn": "End the turn without another Priest",
    }
    return fixed[kind]


def _hex(description: Description, tile: int) -> str:
    return f"hex {tile} ({description['tiles'][tile]['kind']})"


def _load(load: Any, public: bool) -> str:
    if load in (None, *GOODS):
        return str(load or "")
    return "an offering" if public or load == "hidden" else f"the offering of {load} mana"


def _looks(figure: Mapping[str, Any], public: bool) -> tuple[Any, ...]:
    """All that tells a figure from its neighbours on a hex."""
    return figure["tile"], _load(figure["load"], public), figure["has_stolen"], tuple(figure["dropped"])


def _who(description: Description, seat: int, number: int, public: bool) -> str:
    """A figure by what it carries and did; by its number only where carriers of hidden offerings look alike."""
    figures = description["players"][seat]["figures"]
    figure = figures[number]
    words = "a figure"
    if figure["load"] is not None:
        words += f" carrying {_load(figure['load'], public)}"
    words += " that has stolen" if figure["has_stolen"] else ""
    words += f" that laid down {' and '.join(figure['dropped'])}" if figure["dropped"] else ""
    alike = sum(_looks(other, public) == _looks(figure, public) for other in figures)
    return f"{words} (figure {number})" if alike > 1 and figure["load"] not in (None, *GOODS) else words


def _say_step(action: Action, description: Description, public: bool) -> str:
    seat, number = description["current_player"], action["figure"]
    player, figure = description["players"][seat], _figure(description, seat, number)
    who, here = _who(description, seat, number, public), f"hex {figure['tile']}"
    there = tile_at(description, neighbour(description, figure["tile"], action["direction"]))
    if there is None:
        land = ", choosing it with Land" if description["land_armed"] else ""
        return f"Discover the hex {DIRECTION_NAMES[action['direction']]} of {here} with {who}{land}"
    words = f"Step from {here} to {_hex(description, there)} with {who}"
    if description["tiles"][there]["kind"] != "temple" or figure["load"] is None:
        return words
    if figure["load"] == "stone":
        most = min(MANA_TRACK, player["mana_max"] + 1)
        return f"{words}: it is laid down, mana {min(most, player['mana'] + 1)} of at most {most}"
    cost = "its mana" if public else f"{figure['load']} mana"
    return f"{words}: it is delivered for {cost}"


def _say_load(action: Action, description: Description, public: bool) -> str:
    seat, number = description["current_player"], action["figure"]
    figure = _figure(description, seat, number)
    who, here = _who(description, seat, number, public), f"hex {figure['tile']}"
    if action["type"] == "take":
        return f"Take {action['good']} on {here} with {who}"
    if action["type"] == "take_offering":
        offering = "an offering" if public else f"the offering of {action['offering']} mana"
        return f"Take {offering} from under the own hut on {here} with {who}"
    if action["type"] == "steal":
        return f"Steal {action['good']} from player_{action['from']} on {here} with {who}"
    return f"Lay down {figure['load']} on {here}: {who}"


def _say_target(action: Action, description: Description, public: bool) -> str:
    kind = action["type"]
    verb = "Drive away" if description["pending"]["card"] == "expulsion" else "Teleport"
    if kind == "pick_good":
        return f"{verb} loose {action['good']} from {_hex(description, action['tile'])}"
    if kind == "pick_hut":
        hut = description["tiles"][action["tile"]]["huts"][action["hut"]]
        under = ", an offering under it" if hut["offering"] is not None else ""
        order = ("first", "second")[action["hut"]]
        return f"{verb} the {order} hut, player_{hut['owner']}'s, from {_hex(description, action['tile'])}{under}"
    seat, number = action["seat"], action["figure"]
    figure = _figure(description, seat, number)
    who = _who(description, seat, number, public)
    where = _hex(description, figure["tile"])
    if kind == "pick_load":
        return f"{verb} only the {figure['load']} of player_{seat} on {where}, from {who}"
    return f"{verb} {who} of player_{seat} from {where}"


def _say_card(action: Action, description: Description) -> str:
    player = description["players"][description["current_player"]]
    if action["type"] == "steal_mana":
        return f"Play Mana theft: take {_effect('mana_theft')} mana from player_{action['from']}"
    if action["type"] == "play_priest":
        return f"Play Priest: gain {_effect('priest')} mana"
    card = action["card"]
    amount = _effect(card)
    if card == "holy_stone":
        amount = min(amount, player["mana_max"] - player["mana"])
    effect = CARD_EFFECTS[card].format(amount)
    return f"Play {card_name(card).capitalize()}: {'gain ' if card in ('holy_stone', 'endurance') else ''}{effect}"


def _effect(card: str) -> int:
    return int(EFFECT[CARDS.index(card)])


def mana_gain(description: Description) -> int:
    """The mana that cult sites bring the player to act at the end of the action."""
    seat = description["current_player"]
    player = description["players"][seat]
    here = Counter(figure["tile"] for figure in player["figures"] if figure["tile"] is not None)
    sites = 0
    for number, tile in enumerate(description["tiles"]):
        if tile["cult_site"] is not None:
            needed = FIGURES_AT_OWN_SITE if tile["cult_site"] == seat else FIGURES_AT_OTHER_SITE
            sites += here[number] >= needed
    return max(0, min(sites, player["mana_max"] - player["mana"]))


def offering_label(offering: Any) -> str:
    return "?" if offering == "hidden" or offering is None else str(offering)


# ------------------------------------------------------------------ the turn


def card_labels(names: list[Any]) -> dict[str, str]:
    """By card, in the order of the box: its name, after how many there are of it if there are several."""
    counts = Counter(names)
    several = {name: f"{counts[name]} " if counts[name] > 1 else "" for name in CARDS if counts[name]}
    return {name: number + card_name(name) for name, number in several.items()}


def counted_cards(names: list[Any]) -> str:
    return ", ".join(card_labels(names).values())


def card_name(name: str) -> str:
    return name.replace("_", " ")


def status(description: dict[str, Any]) -> str:
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
    words += [f"{card_name(pending['card'])}"] if "card" in pending else []
    return " · ".join(words)


# ------------------------------------------------------------------ the text board

LETTERS = dict(zip(KINDS, "pfqvT", strict=True))


def text(description: dict[str, Any]) -> str:
    """A line on the turn, the map by its kinds, a line for each player and for each tile that holds anything."""
    lines = [status(description), *_text_map(description["tiles"])]
    for seat, player in enumerate(description["players"]):
        arrow = ">" if seat == description["current_player"] else " "
        hand = player["hand"]
        cards = counted_cards(hand) if all(card is not None for card in hand) else f"{len(hand)} cards"
        unused = " ".join(map(offering_label, player["unused_offerings"]))
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
            offering = "" if hut["offering"] is None else f" ({offering_label(hut['offering'])})"
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
