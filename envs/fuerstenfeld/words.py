"""The table in words: what actions do and cost, what cards do, whose turn it is, and the text board of a terminal.

All of it is read off a described position, so it can tell no more than that. What the whole table learns of an
action (`public`) never names a card that stays hidden: cards kept, buried and discarded are spoken of as cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envs.fuerstenfeld.components import (
    BUILDINGS_PER_ROUND,
    COST,
    CRANE_DISCOUNT,
    DRAFT_CARDS,
    EFFECT,
    GOOD_OF,
    GUIDE_COINS,
    MAGISTRATE_FIELDS,
    OFFICE_COINS,
    TITLES,
)
from envs.fuerstenfeld.state import CARD_NAMES, GOODS
from envs.words import counted

Description = Mapping[str, Any]
Action = Mapping[str, Any]

ROMAN = ("I", "II", "III", "IV", "V", "VI")
SHORT = {"bank": "Bk", "town_hall": "TH", "laboratory": "Lab", "palace": "P", "office": "Off", "market": "Mkt"}
SHORT |= {"warehouse": "Whs", "magistrate": "Mag", "crane": "Crn", "scavenger": "Scv", "tourist_guide": "Gui"}
EFFECTS = {"bank": "+{} coins", "town_hall": "keep +{}", "laboratory": "draw +{}", "office": "+{} a kind sold"}
EFFECTS |= {"market": "swap {} goods", "warehouse": "store {}", "magistrate": "order -{}", "crane": "costs -{}"}
EFFECTS |= {"scavenger": "remove {}", "tourist_guide": "+{} a palace"}
SPACE_NAMES = ("upper left", "upper middle", "upper right", "lower left", "lower middle", "lower right")

# ------------------------------------------------------------------ the names of places in the drawing


def brewery_key(brewery: int, good: str) -> str:
    """The row of a good at a brewery."""
    return f"brewery_{brewery}_{good}"


def goods_key(seat: int, good: str) -> str:
    return f"goods_{seat}_{good}"


def space_key(seat: int, space: int) -> str:
    return f"space_{seat}_{space}"


def hand_key(seat: int, card: str) -> str:
    """A card in hand, each copy of it."""
    return f"hand_{seat}_{card}"


def deck_key(seat: int) -> str:
    return f"deck_{seat}"


def places(action: Action, description: Description) -> tuple[str, ...]:
    """The card in hand and the space it goes to, the goods and the brewery that buys them, the deck."""
    kind, seat = action["type"], description["current_player"]
    if kind in ("sell", "sell_as"):
        return brewery_key(action["brewery"], action.get("as", action["good"])), goods_key(seat, action["good"])
    if kind == "build":
        return hand_key(seat, action["card"]), space_key(seat, action["space"])
    if kind == "store":
        return (goods_key(seat, action["good"]),)
    if kind == "draw_extra":
        return (deck_key(seat),)
    return (hand_key(seat, action["card"]),) if "card" in action else ()


# ------------------------------------------------------------------ cards


def _kind_and_number(name: str) -> tuple[str, str]:
    """`bank_2` as `bank` and `2`; `market` as itself and nothing."""
    kind, _, number = name.rpartition("_")
    return (kind, number) if number.isdigit() else (name, "")


def good_of(name: str) -> str | None:
    """The good that a field, printed or built, gives."""
    good = GOOD_OF[CARD_NAMES.index(name)]
    return GOODS[good] if good >= 0 else None


def short_name(name: str) -> str:
    """A name of at most four letters."""
    kind, number = _kind_and_number(name)
    if good := good_of(name):
        return f"{good[0].upper()}{number}"
    if number:
        return f"{SHORT[kind]} {ROMAN[int(number) - 1]}"
    return SHORT[kind]


def effect_of(name: str) -> str:
    """What a card does, in a few words."""
    amount = EFFECT[CARD_NAMES.index(name)]
    good = good_of(name)
    return f"{amount} {good}" if good else EFFECTS[_kind_and_number(name)[0]].format(amount)


# ------------------------------------------------------------------ actions


def say(action: Action, description: Description, public: bool = False) -> str:
    """What an action does and costs; in public without the cards that stay hidden."""
    kind = action["type"]
    if kind in ("sell", "sell_as"):
        return _say_sale(action, description)
    if kind == "build":
        return _say_building(action, description)
    player = description["players"][description["current_player"]]
    card = "a card" if public else TITLES.get(action.get("card", ""), "")
    if kind == "scavenge":  # a scavenged card is shown when it leaves
        return f"Remove {TITLES[action['card']]} from the game"
    if kind == "bury":
        return f"Put {card} under the deck, number {DRAFT_CARDS - len(player['hand']) + 1} of {DRAFT_CARDS - 1}"
    if kind == "store":
        return f"Keep 1 {action['good']} in the warehouse"
    if kind == "end_sale":
        return _say_end_of_sale(description, player)
    if kind == "end_storing":
        lost = _counted_goods(player["goods"])
        return "Store no more" + (f", which loses {lost}" if any(player["goods"].values()) else "")
    fixed = {
        "keep": f"Keep {card}, put the other nine under the deck",
        "discard": f"Put {card} under the deck",
        "draw_extra": "Draw one card more",
        "stop_drawing": "Draw no more cards",
        "end_building": "Build nothing more" if description["built"] else "Build nothing",
        "end_discarding": f"Keep {counted(len(player['hand']), 'card')} in hand",
    }
    return fixed[kind]


def cost_of(card: str, description: Description, seat: int) -> int:
    """What a card costs a seat, in coins: the palace price or the printed cost, less with a crane in sight."""
    price = description["palace_price"] if card.startswith("palace") else int(COST[CARD_NAMES.index(card)])
    discount = CRANE_DISCOUNT if "crane" in description["players"][seat]["spaces"] else 0
    return max(0, int(price) - discount)


def _say_building(action: Action, description: Description) -> str:
    seat, card = description["current_player"], action["card"]
    covered = description["players"][seat]["spaces"][action["space"]]
    does = "" if card.startswith("palace") else f" ({effect_of(card)})"
    over = f", covering {TITLES[covered]}" if covered else ""
    price = counted(cost_of(card, description, seat), "coin")
    return f"Build {TITLES[card]}{does} for {price} on the {SPACE_NAMES[action['space']]} space{over}"


def sold_so_far(description: Description) -> dict[str, int]:
    """What the running sale has sold of each kind, goods sold as another kind counted as that."""
    sale = description["sale"]
    sold = dict(sale["sold"])
    if sale["sold_as"]:
        sold[sale["sold_as"]["as"]] += sale["sold_as"]["count"]
    return sold


def _say_sale(action: Action, description: Description) -> str:
    """One good of a sale: what it brings, and whether it will lower the price."""
    kind = action.get("as", action["good"])
    brewery = description["breweries"][action["brewery"]]
    spaces = description["players"][description["current_player"]]["spaces"]
    sold = sold_so_far(description)[kind]
    coins = brewery["price"][kind] + (OFFICE_COINS if "office" in spaces and not sold else 0)
    surplus = brewery["delivered"][kind] + sold >= brewery["demand"][kind]
    what = f"1 {action['good']}" + (f" as {kind}" if "as" in action else "")
    where = f"to brewery {action['brewery']} for {counted(coins, 'coin')}"
    return f"Sell {what} {where}" + (", which then lowers the price" if surplus else "")


def income_of(description: Description, seat: int) -> int:
    """The coins that the running sale brings if it ends now, with banks, office and tourist guide."""
    player, brewery = description["players"][seat], description["sale"]["brewery"]
    spaces, income = player["spaces"], 0
    if brewery is not None:
        for kind, count in sold_so_far(description).items():
            income += count * description["breweries"][brewery]["price"][kind]
            income += OFFICE_COINS if count and "office" in spaces else 0
    income += sum(int(EFFECT[CARD_NAMES.index(name)]) for name in spaces if name in ("bank_1", "bank_2"))
    return income + (GUIDE_COINS * player["palaces"] if "tourist_guide" in spaces else 0)


def _say_end_of_sale(description: Description, player: Mapping[str, Any]) -> str:
    income = income_of(description, description["current_player"])
    field = max(0, income - MAGISTRATE_FIELDS) if "magistrate" in player["spaces"] else income
    more = "nothing more" if description["sale"]["brewery"] is not None else "nothing"
    return f"Sell {more} and take {counted(income, 'coin')} (field {field} of the order)"


# ------------------------------------------------------------------ the turn


def _counted_goods(goods: dict[str, int]) -> str:
    return ", ".join(f"{count} {good}" for good, count in goods.items() if count) or "nothing"


def headline(description: Description) -> str:
    """Round, phase and whose turn it is; at the end who won."""
    limit = description["options"]["max_rounds"]
    where = f"round {description['round']} of at most {limit}"
    if description["phase"] == "over":
        names = " and ".join(f"player_{seat}" for seat in description["winners"])
        how = "round limit reached, best" if description["truncated"] else "game over, won by"
        return f"{where} · {how}: {names}"
    return f"{where} · {description['phase']} · player_{description['current_player']} to act"


def progress(description: Description) -> str:
    """What the player to act has done so far in the phase; empty if nothing can be said."""
    phase, sale = description["phase"], description["sale"]
    if sale:
        parts = []
        if sale["sold_as"]:
            parts.append(f"{sale['sold_as']['count']} {sale['sold_as']['good']} as {sale['sold_as']['as']}")
        if any(sale["sold"].values()):
            parts.append(_counted_goods(sale["sold"]))
        if sale["brewery"] is None:
            return "nothing sold yet"
        return f"selling to brewery {sale['brewery']}: {', '.join(parts)}"
    if phase == "draw":
        return f"extra cards drawn: {description['extra_drawn']}"
    if phase == "build":
        return f"buildings built: {description['built']} of {BUILDINGS_PER_ROUND}"
    if description["stored"] is not None:
        return f"storing {_counted_goods(description['stored'])}"
    if phase == "discard":
        gone = f"scavenged {', '.join(TITLES[name] for name in description['scavenged'])}; "
        return (gone if description["scavenged"] else "") + f"cards discarded: {description['discarded']}"
    return "keep one card, bury nine" if phase == "draft" else ""


# ------------------------------------------------------------------ the text board


def text(description: Description) -> str:
    """The table for a terminal: breweries as price and demand by good, then each player."""
    lines = [f"Fürstenfeld, {description['options']['variant']}: {headline(description)}"]
    if description["phase"] != "over":
        lines.append(progress(description))
    at_price = f"{description['palaces_at_price']} of {description['num_players']}"
    lines.append(f"palace price {description['palace_price']}, {at_price} built at it")
    lines.append("turn order " + ", ".join(str(seat) for seat in description["turn_order"]))
    for number, brewery in enumerate(description["breweries"]):
        goods = [
            f"{good} price {brewery['price'][good]} demand {brewery['delivered'][good]}/{brewery['demand'][good]}"
            for good in GOODS
        ]
        lines.append(f"brewery {number}: {', '.join(goods)}")
    for seat, player in enumerate(description["players"]):
        lines += ["", *_player_lines(description, seat, player)]
    return "\n".join(lines)


def _player_lines(description: Description, seat: int, player: dict[str, Any]) -> list[str]:
    mark = "*" if description["current_player"] == seat else " "
    spaces = [TITLES[name] if name else "-" for name in player["spaces"]]
    deck = " ".join("?" if name is None else short_name(name).replace(" ", "") for name in player["deck"])
    goods = _counted_goods(player["goods"])
    lines = [
        f"{mark} player_{seat}: {player['coins']} coins, {goods}, {player['palaces']} palaces, "
        f"income {player['income']}, order field {player['order_field']}",
        f"    {' | '.join(spaces[:3])}",
        f"    {' | '.join(spaces[3:])}",
        f"    hand {_list(player['hand'])}" + (f", keeps {TITLES[player['kept']]}" if player["kept"] else ""),
        f"    deck {len(player['deck'])}: {deck}" if any(player["deck"]) else f"    deck {len(player['deck'])}",
    ]
    if player["removed"]:
        lines.append(f"    out of play {_list(player['removed'])}")
    return lines


def _list(names: Sequence[str | None]) -> str:
    if any(name is None for name in names):
        return f"{len(names)} cards"
    return ", ".join(TITLES[name] for name in names if name) or "empty"
