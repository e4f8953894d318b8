"""A table to lay positions out on, for the tests of Travel Blog: turn up the cards wanted, then play in words."""

from __future__ import annotations

from typing import Any

from envs.compiling import PLAIN
from envs.plain import plain
from envs.position import Position
from envs.travel_blog import GAME
from envs.travel_blog.components import NAMES
from envs.travel_blog.state import MAPS

WAIT = None
"""Stands for the commit WAIT in `Table.tick`."""


class Table:
    """A game in progress at the beginning of round `round`; the rounds before it were spent at any fields."""

    def __init__(self, num_players: int = 2, round: int = 1, seed: int = 0, **options: Any) -> None:
        self.position = Position(GAME, {"num_players": num_players, **options}, seed)
        self.state = plain(self.position.state)
        while self.described["round"] < round:
            self.position.apply(self.position.legal_actions()[0])

    @property
    def described(self) -> dict[str, Any]:
        return self.position.describe()

    @property
    def stacks(self) -> list[list[tuple[int, int]]]:
        """By field the tokens as pairs of seat and colour, the lowest first."""
        stacks = self.described["stacks"]
        return [[(token["seat"], token["colour"]) for token in stack] for stack in stacks]

    def trip(self, seat: int, colour: int = 0) -> dict[str, Any]:
        return self.described["players"][seat]["last_trip"][colour]

    def amounts(self) -> list[int]:
        """What the first colour's trip of each seat came to."""
        return [self.trip(seat)["amount"] for seat in range(self.position.num_players)]

    def cash(self) -> list[int]:
        return [player["cash"] for player in self.described["players"]]

    def legal(self) -> list[dict[str, Any]]:
        return [self.position.decode_action(index) for index in self.position.legal_actions()]

    def open_fields(self, colour: int = 0) -> list[int]:
        """Where the seat to act may lay a token of a colour."""
        places = [action for action in self.legal() if action["type"] == "place"]
        return [action["field"] for action in places if action.get("colour", 0) == colour]

    def may_wait(self) -> bool:
        return {"type": "wait"} in self.legal()

    @property
    def state_for_rules(self) -> Any:
        """The position as rule functions want it: a record, in plain mode its proxy."""
        return self.state if PLAIN else self.position.state

    # -------------------------------------------------------------- arranging

    def deal(self, middle: list[str], offer: dict[int, str] | None = None) -> Table:
        """Turn up these states in the middle and at these fields; they change places with the cards that lay there."""
        names = NAMES[MAPS.index(self.described["options"]["map"])]
        first = self.state.dealt - 7 - len(self.described["middle"])
        wanted = {first + field - 1: name for field, name in (offer or {}).items()}
        wanted |= {first + 7 + place: name for place, name in enumerate(middle)}
        deck = self.state.deck
        for place, name in wanted.items():
            card = names.index(name)
            other = list(deck).index(card)
            assert other not in wanted or other >= place, f"{name} is wanted twice"
            deck[place], deck[other] = deck[other], deck[place]
        for field in range(7):
            self.state.board.offer[field] = deck[first + field]
        for place in range(len(self.described["middle"])):
            self.state.board.middle[place] = deck[first + 7 + place]
        return self

    def fill(self, seat: int, cash: int) -> None:
        self.state.players[seat].cash = cash

    # -------------------------------------------------------------- playing

    def commit(self, field: int | None, colour: int | None = None) -> None:
        """The seat to act commits to a field, or waits."""
        action = {"type": "wait"} if field is None else {"type": "place", "field": field}
        if colour is not None:
            action["colour"] = colour
        self.position.apply(self.position.encode_action(action))

    def tick(self, *fields: int | None) -> None:
        """One commit for each seat that holds tokens, in their order."""
        for field in fields:
            self.commit(field)


def names_of(map_id: str) -> tuple[str, ...]:
    """The 50 states of a map."""
    return NAMES[MAPS.index(map_id)][1:]
