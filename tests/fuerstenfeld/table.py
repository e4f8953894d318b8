"""A table to lay positions out on, for the tests of Fürstenfeld: arrange cards and coins, then play in words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from envs.fuerstenfeld import GAME
from envs.fuerstenfeld.components import COPIES
from envs.fuerstenfeld.state import ADVANCED, CARD_NAMES, CARDS, DECK, GOODS, SCAVENGER
from envs.plain import plain
from envs.position import Position

DECLINING = ("stop_drawing", "end_sale", "end_building", "end_storing", "end_discarding")


class Table:
    """A game in progress, by default with seat 0 first. Arranging keeps each player's cards complete."""

    def __init__(self, num_players: int = 2, seed: int = 0, in_seat_order: bool = True, **options: Any) -> None:
        self.position = Position(GAME, {"num_players": num_players, **options}, seed)
        self.state = plain(self.position.state)
        if in_seat_order:
            for seat in range(num_players):
                self.state.turn_order[seat] = seat
            self.state.current_player = 0

    # -------------------------------------------------------------- looking

    @property
    def described(self) -> dict[str, Any]:
        return self.position.describe()

    def player(self, seat: int) -> dict[str, Any]:
        return self.described["players"][seat]

    @property
    def current(self) -> int | None:
        return self.position.current_player

    @property
    def phase(self) -> str:
        return self.position.phase

    def legal(self, kind: str | None = None) -> list[dict[str, Any]]:
        """The legal actions in words, of one type if given."""
        actions = [self.position.decode_action(index) for index in self.position.legal_actions()]
        return [action for action in actions if kind in (None, action["type"])]

    def types(self) -> set[str]:
        return {action["type"] for action in self.legal()}

    def cards(self, kind: str) -> list[str]:
        """The cards that actions of a type are offered for, in the card order, each once."""
        return list(dict.fromkeys(action["card"] for action in self.legal(kind)))

    # -------------------------------------------------------------- arranging

    def arrange(
        self,
        seat: int,
        spaces: dict[int, str | None] | None = None,
        hand: list[str] | None = None,
        top: list[str] | None = None,
        known: list[str] | None = None,
        removed: list[str] | None = None,
        coins: int | None = None,
        goods: dict[str, int] | None = None,
    ) -> None:
        """Lay out one player's things. `spaces` come on top of what is there, the hand is `hand` or empty.

        The deck is `top`, then all cards that lie nowhere else, then `known`, which its owner knows.
        """
        record = self.state.players[seat]
        for space, name in (spaces or {}).items():
            record.spaces[space] = CARD_NAMES.index(name) if name else 0
        lying = [CARD_NAMES[card] for card in record.spaces if card]
        hand = hand or []
        top, known, removed = top or [], known or [], removed or []
        pool = Counter(self._set())
        for names in (lying, hand, top, known, removed):
            pool.subtract(name for name in names if not name.startswith("printed"))
        assert min(pool.values()) >= 0, f"there are not that many: {[name for name, n in pool.items() if n < 0]}"
        deck = [*top, *pool.elements(), *known]
        for card in CARDS:
            record.hand[card] = hand.count(CARD_NAMES[card])
        record.hand_size, record.deck_size, record.deck_known = len(hand), len(deck), len(known)
        record.deck_top, record.removed_size = 0, len(removed)
        for place in range(DECK):
            record.deck[place] = CARD_NAMES.index(deck[place]) if place < len(deck) else 0
            record.removed[place] = CARD_NAMES.index(removed[place]) if place < len(removed) else 0
        record.palaces = sum(name.startswith("palace") for name in lying)
        if coins is not None:
            record.coins = coins
        for good, count in (goods or {}).items():
            record.goods[GOODS.index(good)] = count

    def remove_rest(self, seat: int, *, deck: list[str], hand: list[str]) -> None:
        """Leave a player only these cards besides what lies on the estate: all others are out of play."""
        pool = Counter(self._set())
        lying = [CARD_NAMES[card] for card in self.state.players[seat].spaces if card]
        pool.subtract(name for name in [*lying, *deck, *hand] if not name.startswith("printed"))
        self.arrange(seat, hand=hand, top=deck, removed=list(pool.elements()))

    def _set(self) -> list[str]:
        last = CARDS.stop if self.state.options.variant == ADVANCED else SCAVENGER
        return [CARD_NAMES[card] for card in range(CARDS.start, last) for _ in range(COPIES[card])]

    def brewery(self, number: int, demand: tuple[int, int, int], price: tuple[int, int, int] = (1, 1, 1)) -> None:
        """Give a brewery another demand and prices (hops, barley, water)."""
        for good in range(3):
            self.state.breweries[number].demand[good] = demand[good]
            self.state.breweries[number].price[good] = price[good]

    def price(self, brewery: int, good: str) -> int:
        return self.described["breweries"][brewery]["price"][good]

    # -------------------------------------------------------------- playing

    def play(self, kind: str, **arguments: Any) -> None:
        """Play one action in words (`as_` for the argument `as`)."""
        action = {"type": kind, **{key.rstrip("_"): value for key, value in arguments.items()}}
        self.position.apply(self.position.encode_action(action))

    def decline(self) -> None:
        """Say no to what is offered; where cards must be discarded, the last one offered goes."""
        legal = self.legal()
        refusals = [action for action in legal if action["type"] in DECLINING]
        self.position.apply(self.position.encode_action((refusals or legal)[-1]))

    def go_to(self, phase: str, seat: int | None = None, round: int | None = None) -> None:
        """Decline until a seat (any if None) is asked in a phase, of a round if given, and at least once if there."""
        for _ in range(2000):
            if self.phase == phase and seat in (None, self.current) and round in (None, self.described["round"]):
                return
            self.decline()
        raise AssertionError(f"phase {phase} of seat {seat} never comes")
