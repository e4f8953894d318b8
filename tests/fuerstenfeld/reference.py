"""Fürstenfeld a second time: the rules read sentence by sentence, in plain Python on described positions.

It shares nothing with the game of this project (no code, no tables, no records) and is slow and literal
on purpose: each sentence of the rules is one small function, and the position *is* its open description.
Chance ends with the set-up, so a described position, of the beginning or of any later moment, is all it
needs to play on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Position = dict[str, Any]
Action = dict[str, Any]

GOODS = ("hops", "barley", "water")
PALACES = ("palace_1", "palace_2", "palace_3", "palace_4", "palace_5", "palace_6")
PRICE_MAX = 3
LAST_PALACE_PRICE = 18

COSTS = {  # in card order; the palaces cost the palace price
    "field_hops_2": 7,
    "field_hops_3": 10,
    "field_barley_2": 7,
    "field_barley_3": 10,
    "field_water_2": 7,
    "field_water_3": 10,
    "bank_1": 6,
    "bank_2": 9,
    "town_hall_1": 3,
    "town_hall_2": 5,
    "laboratory_1": 3,
    "laboratory_2": 5,
    "office": 5,
    "market": 4,
    "warehouse": 4,
    "magistrate": 3,
    "crane": 5,
    "palace_1": None,
    "palace_2": None,
    "palace_3": None,
    "palace_4": None,
    "palace_5": None,
    "palace_6": None,
    "scavenger": 2,
    "tourist_guide": 7,
}
CARD_ORDER = tuple(COSTS)
FIELDS = {
    "printed_hops": ("hops", 1),
    "printed_barley": ("barley", 1),
    "printed_water": ("water", 1),
    "field_hops_2": ("hops", 2),
    "field_hops_3": ("hops", 3),
    "field_barley_2": ("barley", 2),
    "field_barley_3": ("barley", 3),
    "field_water_2": ("water", 2),
    "field_water_3": ("water", 3),
}
BANKS = {"bank_1": 3, "bank_2": 5}
LABORATORIES = {"laboratory_1": 1, "laboratory_2": 2}
TOWN_HALLS = {"town_hall_1": 1, "town_hall_2": 2}


def deck_of_cards(variant: str) -> list[str]:
    """The cards of one player, in card order: 26, or 28 in the advanced game."""
    cards = []
    for card in CARD_ORDER:
        if variant == "basic" and card in ("scavenger", "tourist_guide"):
            continue
        two_copies = card in ("field_hops_2", "field_barley_2", "field_water_2")
        cards += [card, card] if two_copies else [card]
    return cards


def is_palace(name: str | None) -> bool:
    return name in PALACES


def no_goods() -> dict[str, int]:
    return {"hops": 0, "barley": 0, "water": 0}


def empty_sale() -> dict[str, Any]:
    return {"brewery": None, "sold_as": None, "sold": no_goods()}


def comes_before(first: str, second: str, order: tuple[str, ...]) -> bool:
    return order.index(first) < order.index(second)


def without_repetition(cards: list[str]) -> list[str]:
    return [card for card in CARD_ORDER if card in cards]


def copied(description: Position) -> Position:
    """A copy that shares nothing with it."""
    copy: Position = json.loads(json.dumps(description))
    return copy


class Reference:
    """A game of Fürstenfeld, played on from an open description."""

    def __init__(self, description: Position) -> None:
        self.position: Position = copied(description)

    # ---------------------------------------------------------------- what a caller uses

    def describe(self, player: int | None = None) -> Position:
        """Everything, or what one player knows."""
        shown = copied(self.position)
        if player is not None:
            for seat, estate in enumerate(shown["players"]):
                if seat == player:
                    self._hide_own_unknown_cards(estate)
                else:
                    self._hide_cards_of_opponent(estate)
        return shown

    def legal_actions(self) -> list[Action]:
        phase = self.position["phase"]
        if phase == "over":
            return []
        if phase == "draft":
            return self._burials() if self._has_kept() else self._cards_to_keep()
        if phase == "draw":
            return [{"type": "draw_extra"}, {"type": "stop_drawing"}]
        if phase == "sell":
            return [*self._market_sales(), *self._plain_sales(), {"type": "end_sale"}]
        if phase == "build":
            return [*self._buildings(), {"type": "end_building"}]
        if self._is_storing():
            return [*self._goods_to_store(), {"type": "end_storing"}]
        return [*self._cards_to_scavenge(), *self._cards_to_discard(), *self._end_of_discarding()]

    def apply(self, action: Action) -> None:
        """Play a legal action, and all that is played automatically after it."""
        assert action in self.legal_actions(), f"{action} is not legal"
        self.position["move_number"] += 1
        plays: dict[str, Callable[..., None]] = {
            "keep": self._keep,
            "bury": self._bury,
            "draw_extra": self._draw_extra,
            "stop_drawing": self._stop_drawing,
            "sell": self._sell,
            "sell_as": self._sell_as,
            "end_sale": self._end_sale,
            "build": self._build,
            "end_building": self._end_building,
            "store": self._store,
            "end_storing": self._end_storing,
            "scavenge": self._scavenge,
            "discard": self._discard,
            "end_discarding": self._end_discarding,
        }
        arguments = {"kind" if name == "as" else name: value for name, value in action.items() if name != "type"}
        plays[action["type"]](**arguments)
        self._play_automatic_decisions()

    # ---------------------------------------------------------------- who is who

    @property
    def me(self) -> dict[str, Any]:
        """The player to act."""
        return self.position["players"][self.position["current_player"]]

    @property
    def players(self) -> list[dict[str, Any]]:
        return self.position["players"]

    @property
    def sale(self) -> dict[str, Any]:
        return self.position["sale"]

    def _in_turn_order(self) -> list[dict[str, Any]]:
        return [self.players[seat] for seat in self.position["turn_order"]]

    def _has_visible(self, card: str) -> bool:
        return card in self.me["spaces"]

    def _is_basic(self) -> bool:
        return self.position["options"]["variant"] == "basic"

    def _is_last_in_turn_order(self) -> bool:
        return self.position["turn_order"][-1] == self.position["current_player"]

    def _next_player(self) -> int:
        order = self.position["turn_order"]
        return order[order.index(self.position["current_player"]) + 1]

    def _first_player(self) -> int:
        return self.position["turn_order"][0]

    # ---------------------------------------------------------------- who knows what

    @staticmethod
    def _hide_own_unknown_cards(estate: dict[str, Any]) -> None:
        """The own deck is null before `deck_known_from`."""
        for place in range(estate["deck_known_from"]):
            estate["deck"][place] = None

    @staticmethod
    def _hide_cards_of_opponent(estate: dict[str, Any]) -> None:
        """An opponent's hand and deck are lists of null, and the card kept in the draft is secret."""
        estate["hand"] = [None] * len(estate["hand"])
        estate["deck"] = [None] * len(estate["deck"])
        estate["kept"] = None

    # ---------------------------------------------------------------- what is played automatically

    def _play_automatic_decisions(self) -> None:
        while self.position["phase"] != "over":
            phase = self.position["phase"]
            if phase == "draft" and self._is_ninth_burial():
                self._bury(self._cards_not_kept()[0])
            elif phase == "draft" and self._has_finished_draft():
                self._end_of_a_draft()
            elif phase == "draw" and self._draws_nothing_more():
                self._stop_drawing()
            elif phase == "sell" and self._nothing_can_be_sold():
                self._end_sale()
            elif phase == "build" and (self._hand_is_empty() or self._has_built_two()):
                self._end_building()
            elif phase == "discard" and self._is_storing() and self._stores_nothing_more():
                self._end_storing()
            elif phase == "discard" and not self._is_storing() and self._has_at_most_one_card():
                self._end_discarding()
            else:
                return

    # ---------------------------------------------------------------- draft: keep one, bury nine

    def _has_kept(self) -> bool:
        return self.me["kept"] is not None

    def _cards_not_kept(self) -> list[str]:
        rest = list(self.me["hand"])
        rest.remove(self.me["kept"])
        return rest

    def _cards_to_keep(self) -> list[Action]:
        return [{"type": "keep", "card": card} for card in without_repetition(self.me["hand"])]

    def _burials(self) -> list[Action]:
        return [{"type": "bury", "card": card} for card in without_repetition(self._cards_not_kept())]

    def _keep(self, card: str) -> None:
        self.me["kept"] = card

    def _bury(self, card: str) -> None:
        """The first buried card lies highest of the nine."""
        self.me["hand"].remove(card)
        self.me["deck"].append(card)

    def _is_ninth_burial(self) -> bool:
        return self._has_kept() and len(self.me["hand"]) == 2

    def _has_finished_draft(self) -> bool:
        return self._has_kept() and len(self.me["hand"]) == 1

    def _end_of_a_draft(self) -> None:
        """Each in turn order finishes before the next; after the last the first round begins."""
        if not self._is_last_in_turn_order():
            self.position["current_player"] = self._next_player()
            return
        for player in self.players:
            player["kept"] = None
        self._phase_1_draw()

    # ---------------------------------------------------------------- phase 1: draw

    def _phase_1_draw(self) -> None:
        """All draw their 3 cards first; then, in turn order, those with a laboratory decide."""
        self.position["phase"] = "draw"
        self.position["current_player"] = self._first_player()
        for player in self._in_turn_order():
            for _ in range(3):
                self._draw_from_the_top(player)

    def _draw_from_the_top(self, player: dict[str, Any]) -> None:
        """From the top of the own deck; nothing if it is empty."""
        if player["deck"]:
            player["hand"].append(player["deck"].pop(0))
            player["hand"].sort(key=CARD_ORDER.index)
            player["deck_known_from"] = max(0, player["deck_known_from"] - 1)

    def _extra_cards_allowed(self) -> int:
        return sum(cards for laboratory, cards in LABORATORIES.items() if self._has_visible(laboratory))

    def _draws_nothing_more(self) -> bool:
        return not self.me["deck"] or self.position["extra_drawn"] == self._extra_cards_allowed()

    def _draw_extra(self) -> None:
        self._draw_from_the_top(self.me)
        self.position["extra_drawn"] += 1

    def _stop_drawing(self) -> None:
        """The next in turn order decides; only when all have drawn do all harvest."""
        self.position["extra_drawn"] = 0
        if not self._is_last_in_turn_order():
            self.position["current_player"] = self._next_player()
            return
        self._phase_2_harvest()
        self._begin_turn(self._first_player())

    # ---------------------------------------------------------------- phase 2: harvest

    def _phase_2_harvest(self) -> None:
        """Each visible production field gives its goods; goods in a warehouse are still there."""
        for player in self.players:
            for name in player["spaces"]:
                if name in FIELDS:
                    good, amount = FIELDS[name]
                    player["goods"][good] += amount

    # ---------------------------------------------------------------- phase 3: sell

    def _begin_turn(self, seat: int) -> None:
        """Each player in turn order plays phases 3, 4 and 5 in one go."""
        self.position["current_player"] = seat
        self.position["phase"] = "sell"
        self.position["sale"] = empty_sale()

    def _open_to_sale(self) -> list[int]:
        """The first good chooses the brewery."""
        if self.sale["brewery"] is not None:
            return [self.sale["brewery"]]
        return list(range(len(self.position["breweries"])))

    def _takes(self, brewery: int, good: str) -> bool:
        """Price 0: that brewery takes none of it. (Prices move at the end of the sale only.)"""
        return self.position["breweries"][brewery]["price"][good] > 0

    def _has_sold_plainly(self) -> bool:
        return any(self.sale["sold"].values())

    def _has_sold_plainly_a_later_kind(self, good: str) -> bool:
        """Kinds are sold in the order hops, barley, water."""
        return any(comes_before(good, kind, GOODS) for kind in GOODS if self.sale["sold"][kind])

    def _plain_sales(self) -> list[Action]:
        return [
            {"type": "sell", "brewery": brewery, "good": good}
            for brewery in self._open_to_sale()
            for good in GOODS
            if self.me["goods"][good] and self._takes(brewery, good) and not self._has_sold_plainly_a_later_kind(good)
        ]

    def _market_allows(self, good: str, kind: str) -> bool:
        """With a market; before the plain sales; one pair a sale, at most 3 goods."""
        if not self._has_visible("market") or good == kind or self._has_sold_plainly():
            return False
        before = self.sale["sold_as"]
        return before is None or (before["good"] == good and before["as"] == kind and before["count"] < 3)

    def _market_sales(self) -> list[Action]:
        return [
            {"type": "sell_as", "brewery": brewery, "good": good, "as": kind}
            for brewery in self._open_to_sale()
            for good in GOODS
            for kind in GOODS
            if self.me["goods"][good] and self._takes(brewery, kind) and self._market_allows(good, kind)
        ]

    def _takes_a_good_left(self, brewery: int) -> bool:
        return any(self.me["goods"][good] and self._takes(brewery, good) for good in GOODS)

    def _nothing_can_be_sold(self) -> bool:
        """The brewery (before the first good: every brewery) takes none of the goods left."""
        return not any(map(self._takes_a_good_left, self._open_to_sale())) and not self._market_sales()

    def _sell(self, brewery: int, good: str) -> None:
        self.sale["brewery"] = brewery
        self.sale["sold"][good] += 1
        self.me["goods"][good] -= 1

    def _sell_as(self, brewery: int, good: str, kind: str) -> None:
        self.sale["brewery"] = brewery
        if self.sale["sold_as"] is None:
            self.sale["sold_as"] = {"good": good, "as": kind, "count": 0}
        self.sale["sold_as"]["count"] += 1
        self.me["goods"][good] -= 1

    def _sold_of(self, kind: str) -> int:
        """A kind counts as what it was sold as."""
        sold_as = self.sale["sold_as"]
        at_the_market = sold_as["count"] if sold_as is not None and sold_as["as"] == kind else 0
        return self.sale["sold"][kind] + at_the_market

    def _coins_for_goods(self) -> int:
        """Every good of one kind is paid at the price before the sale."""
        if self.sale["brewery"] is None:
            return 0
        price = self.position["breweries"][self.sale["brewery"]]["price"]
        return sum(price[kind] * self._sold_of(kind) for kind in GOODS)

    def _coins_of_office(self) -> int:
        """1 more coin for each kind of good sold in this sale."""
        return sum(1 for kind in GOODS if self._sold_of(kind)) if self._has_visible("office") else 0

    def _coins_of_banks(self) -> int:
        """3 and 5 coins, whether or not anything is sold."""
        return sum(coins for bank, coins in BANKS.items() if self._has_visible(bank))

    def _coins_of_tourist_guide(self) -> int:
        """2 coins a palace built."""
        return 2 * self.me["palaces"] if self._has_visible("tourist_guide") else 0

    def _deliver(self) -> None:
        """Goods fill the demand spaces; each one beyond them lowers the price by 1, not below 0."""
        if self.sale["brewery"] is None:
            return
        brewery = self.position["breweries"][self.sale["brewery"]]
        for kind in GOODS:
            for _ in range(self._sold_of(kind)):
                if brewery["delivered"][kind] < brewery["demand"][kind]:
                    brewery["delivered"][kind] += 1
                else:
                    brewery["price"][kind] = max(0, brewery["price"][kind] - 1)

    def _place_order_marker(self) -> None:
        """On the field of the income; with a magistrate 3 fields lower, not below 0."""
        lower = 3 if self._has_visible("magistrate") else 0
        self.me["order_field"] = max(0, self.me["income"] - lower)

    def _end_sale(self) -> None:
        """Income is all coins of this phase."""
        income = (
            self._coins_for_goods() + self._coins_of_office() + self._coins_of_banks() + self._coins_of_tourist_guide()
        )
        self._deliver()
        self.me["coins"] += income
        self.me["income"] = income
        self._place_order_marker()
        self.position["sale"] = None
        self.position["phase"] = "build"

    # ---------------------------------------------------------------- phase 4: build

    def _hand_is_empty(self) -> bool:
        return not self.me["hand"]

    def _has_built_two(self) -> bool:
        return self.position["built"] == 2

    def _offered(self) -> list[str]:
        """Basic game: of several palaces in hand only the lowest-numbered is offered."""
        cards = without_repetition(self.me["hand"])
        if not self._is_basic():
            return cards
        palaces = [card for card in cards if is_palace(card)]
        return [card for card in cards if not is_palace(card) or card == palaces[0]]

    def _cost(self, card: str) -> int:
        """A palace costs the palace price; a crane that lies open takes off 2, never below 0."""
        cost = self.position["palace_price"] if is_palace(card) else COSTS[card]
        assert isinstance(cost, int)
        return max(0, cost - 2) if self._has_visible("crane") else cost

    def _may_lie_on(self, card: str, space: int) -> bool:
        """A palace is never covered; in the advanced game a palace has its own space."""
        if is_palace(self.me["spaces"][space]):
            return False
        return self._is_basic() or not is_palace(card) or PALACES[space] == card

    def _buildings(self) -> list[Action]:
        return [
            {"type": "build", "card": card, "space": space}
            for card in self._offered()
            for space in range(6)
            if self._cost(card) <= self.me["coins"] and self._may_lie_on(card, space)
        ]

    def _build(self, card: str, space: int) -> None:
        self.me["coins"] -= self._cost(card)
        self.me["hand"].remove(card)
        covered = self.me["spaces"][space]
        if covered in CARD_ORDER:  # a printed field is no card
            self.me["removed"].append(covered)
        self.me["spaces"][space] = card
        self.position["built"] += 1
        if is_palace(card):
            self.me["palaces"] += 1
            self._count_palace()

    def _count_palace(self) -> None:
        """The price rises by 2 each time as many palaces as players were built since the last rise; it stays at 18."""
        self.position["palaces_at_price"] += 1
        if self.position["palaces_at_price"] == len(self.players) and self.position["palace_price"] < LAST_PALACE_PRICE:
            self.position["palace_price"] += 2
            self.position["palaces_at_price"] = 0

    def _end_building(self) -> None:
        """Storing comes first in phase 5; what is there without a warehouse is lost."""
        self.position["built"] = 0
        self.position["phase"] = "discard"
        self.position["stored"] = no_goods()
        if not self._has_visible("warehouse"):
            self._end_storing()

    # ---------------------------------------------------------------- phase 5: store, scavenge, discard

    def _is_storing(self) -> bool:
        return self.position["stored"] is not None

    def _stores_nothing_more(self) -> bool:
        """Without goods or after three."""
        return not any(self.me["goods"].values()) or sum(self.position["stored"].values()) == 3

    def _has_stored_a_later_kind(self, good: str) -> bool:
        return any(comes_before(good, kind, GOODS) for kind in GOODS if self.position["stored"][kind])

    def _goods_to_store(self) -> list[Action]:
        return [
            {"type": "store", "good": good}
            for good in GOODS
            if self.me["goods"][good] and not self._has_stored_a_later_kind(good)
        ]

    def _store(self, good: str) -> None:
        self.me["goods"][good] -= 1
        self.position["stored"][good] += 1

    def _end_storing(self) -> None:
        """`goods` becomes `stored`, all else is lost."""
        self.me["goods"] = self.position["stored"]
        self.position["stored"] = None

    def _has_at_most_one_card(self) -> bool:
        return len(self.me["hand"]) <= 1

    def _hand_limit(self) -> int:
        return 1 + sum(cards for hall, cards in TOWN_HALLS.items() if self._has_visible(hall))

    def _may_scavenge(self, card: str) -> bool:
        """Up to 2 cards, the second not before the first in the card order; a palace by option only."""
        if is_palace(card) and not self.position["options"]["scavenge_palaces"]:
            return False
        before = self.position["scavenged"]
        return not before or (len(before) == 1 and not comes_before(card, before[0], CARD_ORDER))

    def _cards_to_scavenge(self) -> list[Action]:
        """Scavenging comes before the first discard."""
        if not self._has_visible("scavenger") or self.position["discarded"]:
            return []
        return [{"type": "scavenge", "card": card} for card in self._offered() if self._may_scavenge(card)]

    def _cards_to_discard(self) -> list[Action]:
        return [{"type": "discard", "card": card} for card in self._offered()]

    def _end_of_discarding(self) -> list[Action]:
        return [{"type": "end_discarding"}] if len(self.me["hand"]) <= self._hand_limit() else []

    def _scavenge(self, card: str) -> None:
        self.me["hand"].remove(card)
        self.me["removed"].append(card)
        self.position["scavenged"].append(card)

    def _discard(self, card: str) -> None:
        """Face down under the own deck; the first discarded card lies highest."""
        self.me["hand"].remove(card)
        self.me["deck"].append(card)
        self.position["discarded"] += 1

    def _end_discarding(self) -> None:
        self.position["scavenged"] = []
        self.position["discarded"] = 0
        if self._is_last_in_turn_order():
            self._phase_6_market_prices()
            self._end_of_round()
        else:
            self._begin_turn(self._next_player())

    # ---------------------------------------------------------------- phase 6, the next round, the end

    def _phase_6_market_prices(self) -> None:
        """Price +1 for each empty demand space, at most 3; then the demand spaces are cleared."""
        for brewery in self.position["breweries"]:
            for good in GOODS:
                empty = brewery["demand"][good] - brewery["delivered"][good]
                brewery["price"][good] = min(PRICE_MAX, brewery["price"][good] + empty)
                brewery["delivered"][good] = 0

    def _end_of_round(self) -> None:
        if any(player["palaces"] == 6 for player in self.players):
            self.position["terminated"] = True
            self._end_of_game()
        elif self.position["round"] == self.position["options"]["max_rounds"]:
            self.position["truncated"] = True
            self._end_of_game()
        else:
            self.position["turn_order"] = self._next_turn_order()
            self.position["round"] += 1
            self._phase_1_draw()

    def _next_turn_order(self) -> list[int]:
        """Lowest income field first; on one field the marker placed later goes first."""
        placed_last_first = list(reversed(self.position["turn_order"]))
        return sorted(placed_last_first, key=lambda seat: self.players[seat]["order_field"])

    def _end_of_game(self) -> None:
        self.position["phase"] = "over"
        self.position["current_player"] = None
        self.position["winners"] = self._winners()
        self.position["returns"] = {
            "win": self._returns_win,
            "rank": self._returns_rank,
            "score": self._returns_score,
        }[self.position["options"]["reward"]]()

    # ---------------------------------------------------------------- outcome

    def _standing(self, seat: int) -> tuple[int, int]:
        """Most palaces, then most coins (so the finished palaces come first)."""
        return self.players[seat]["palaces"], self.players[seat]["coins"]

    def _standings(self) -> list[tuple[int, int]]:
        return [self._standing(seat) for seat in range(len(self.players))]

    def _winners(self) -> list[int]:
        best = max(self._standings())
        return [seat for seat, standing in enumerate(self._standings()) if standing == best]

    def _returns_win(self) -> list[float]:
        """1/k to each winner, 1/n from everyone, scaled so that a sole winner gets 1."""
        n, winners = len(self.players), self._winners()
        shares = [(1 / len(winners) if seat in winners else 0) - 1 / n for seat in range(n)]
        return [share / (1 - 1 / n) for share in shares]

    def _returns_rank(self) -> list[float]:
        """1 - 2 * place / (n - 1), places from 0, tied seats share the mean of their places."""
        table = sorted(self._standings(), reverse=True)
        places = []
        for standing in self._standings():
            shared = [place for place, other in enumerate(table) if other == standing]
            places.append(sum(shared) / len(shared))
        return [1 - 2 * place / (len(table) - 1) for place in places]

    def _returns_score(self) -> list[float]:
        """13 * palaces + coins, the margin over the mean of the others, divided by 78."""
        scores = [13 * palaces + coins for palaces, coins in self._standings()]
        margins = []
        for seat, score in enumerate(scores):
            others = scores[:seat] + scores[seat + 1 :]
            margins.append(score - sum(others) / len(others))
        return [margin / 78 for margin in margins]
