"""A board to lay positions out on, for the tests of Pfeffersäcke: arrange branches, tokens, coins; play in words."""

from __future__ import annotations

from typing import Any

from envs.pfeffersaecke import GAME
from envs.pfeffersaecke.board import (
    CITIES,
    CITY_IDS,
    CLOSED,
    FIRST_TOWN,
    PLACE_IDS,
    PLACE_NUMBER,
    TOKENS_DEALT,
    VALUE,
    VALUES,
)
from envs.pfeffersaecke.state import NO_TOKEN, PHASES, PLACED, REMOVED
from envs.plain import plain
from envs.position import Position


class Table:
    """A game in progress, by default with seat 0 as start player. Arranging keeps houses and tokens complete.

    `towns` are the towns founded in, seat by seat; with none the game stands before the first founding.
    """

    def __init__(self, num_players: int = 2, *towns: str, seed: int = 0, start: int = 0, **options: Any) -> None:
        self.position = Position(GAME, {"num_players": num_players, **options}, seed)
        self.state = plain(self.position.state)
        self.state.start_player = self.state.current_player = start
        for town in towns:
            self.play("found", town=town)

    # -------------------------------------------------------------- looking

    @property
    def described(self) -> dict[str, Any]:
        return self.position.describe()

    @property
    def current(self) -> int | None:
        return self.position.current_player

    @property
    def phase(self) -> str:
        return self.position.phase

    def player(self, seat: int) -> dict[str, Any]:
        return self.described["players"][seat]

    def coins(self, seat: int = 0) -> int:
        return self.player(seat)["coins"]

    def points(self, seat: int = 0) -> int:
        return self.player(seat)["points"]

    def city(self, id: str) -> dict[str, Any]:
        return self.described["cities"][id]

    def town(self, id: str) -> dict[str, Any]:
        return self.described["towns"][id]

    def legal(self, kind: str | None = None) -> list[dict[str, Any]]:
        """The legal actions in words, of one type if given."""
        actions = [self.position.decode_action(index) for index in self.position.legal_actions()]
        return [action for action in actions if kind in (None, action["type"])]

    def types(self) -> set[str]:
        return {action["type"] for action in self.legal()}

    def places(self, kind: str) -> list[str]:
        """The towns, cities or places that actions of a type are offered for."""
        return [value for action in self.legal(kind) for key, value in action.items() if key != "type"]

    # -------------------------------------------------------------- arranging

    def branch(self, seat: int, *places: str) -> None:
        """Put branches of a seat into towns or onto the rings of cities, in this order. Points are left alone."""
        record = self.state.players[seat]
        for id in places:
            place = PLACE_NUMBER[id]
            record.branches |= 1 << place
            record.supply -= 1
            if place >= FIRST_TOWN:
                self.state.free_towns -= 1
            else:
                city = self.state.cities[place]
                city.ring[city.num_branches] = seat + 1
                city.num_branches += 1

    def lay(self, *cities: str) -> None:
        """Lay the tokens of cities from whatever hand holds them."""
        for id in cities:
            city = PLACE_NUMBER[id]
            assert self.state.cities[city].token == NO_TOKEN, id
            value = int(VALUE[city])
            seat = next(seat for seat in self._seats() if self.state.players[seat].tokens[value])
            self._lay(seat, city)

    def take_away(self, *cities: str) -> None:
        """Lay the tokens of cities, if need be, and take them off the board."""
        for id in cities:
            if self.city(id)["token"] == "none":
                self.lay(id)
            self.state.cities[PLACE_NUMBER[id]].token = REMOVED

    def lay_all(self, seat: int | None = None, keep: int = 0) -> None:
        """Lay every token of a seat's hand, or of all hands, but for `keep` of them each."""
        for owner in self._seats() if seat is None else [seat]:
            for city in range(CITIES):
                value = int(VALUE[city])
                left = len(self.player(owner)["tokens"])
                if (
                    left > keep
                    and self.state.cities[city].token == NO_TOKEN
                    and self.state.players[owner].tokens[value]
                ):
                    self._lay(owner, city)

    def take_all_away(self) -> None:
        """Nobody holds a token any more, and none lies on the board."""
        self.lay_all()
        for city in range(CITIES):
            if self.state.cities[city].token == PLACED:
                self.state.cities[city].token = REMOVED

    def win(self, seat: int, *cities: str) -> None:
        """A seat has won cities; its points are left alone."""
        for id in cities:
            self.take_away(id)
            self.state.cities_won += 1
            self.state.cities[PLACE_NUMBER[id]].winner = seat + 1
            self.state.cities[PLACE_NUMBER[id]].won_as = self.state.cities_won

    def give(self, seat: int, **numbers: int) -> None:
        """Set `coins`, `points`, `supply` or `privileges` of a seat."""
        for name, number in numbers.items():
            setattr(self.state.players[seat], name, number)

    def deal(self, hands: list[list[int]], laid: list[list[int]]) -> None:
        """Give every seat a hand and the tokens it has laid, in order; they lie on the first cities that they fit."""
        for seat in self._seats():
            record = self.state.players[seat]
            for value in range(VALUES):
                record.tokens[value] = (hands[seat] + laid[seat]).count(value)
        everything = [sum(self.state.players[seat].tokens[value] for seat in self._seats()) for value in range(VALUES)]
        assert everything == TOKENS_DEALT[self.position.num_players].tolist()
        for seat in self._seats():
            for value in laid[seat]:
                fits = (city for city in range(CITIES) if VALUE[city] == value)
                self._lay(seat, next(city for city in fits if self.state.cities[city].token == NO_TOKEN))

    def turn_of(self, seat: int, phase: str = "place_token", round: int = 2, without_opening: int = 0) -> None:
        """It is a seat's turn, at the beginning of a phase."""
        state = self.state
        state.current_player, state.round, state.phase = seat, round, PHASES.index(phase)
        state.next_city = state.openings = state.privilege_used = 0
        state.turns_without_opening = without_opening

    def _lay(self, seat: int, city: int) -> None:
        record = self.state.players[seat]
        record.tokens[int(VALUE[city])] -= 1
        record.tokens_placed[record.num_placed] = int(VALUE[city])
        record.num_placed += 1
        self.state.cities[city].token = PLACED

    def _seats(self) -> range:
        return range(self.position.num_players)

    # -------------------------------------------------------------- playing

    def play(self, kind: str, **arguments: str) -> None:
        """Play one action in words."""
        self.position.apply(self.position.encode_action({"type": kind, **arguments}))

    def place_any_token(self) -> None:
        """Place a token in the first city that it fits, of those where nobody has a neighbour if there is one."""
        self.position.apply(self.position.legal_actions()[0])

    def decline(self, to: str | None = None, seat: int | None = None) -> None:
        """Lay tokens, say no to everything until a seat (any if None) is asked in a phase; once if none is given."""
        refusals = ("end_expanding", "pass")
        for _ in range(500):
            if to is not None and self.phase == to and seat in (None, self.current):
                return
            legal = self.legal()
            self.position.apply(
                self.position.encode_action(next((a for a in legal if a["type"] in refusals), legal[0]))
            )
            if to is None:
                return
        raise AssertionError(f"phase {to} of seat {seat} never comes")


def open_places(num_players: int) -> list[str]:
    """The places that are in the game with so many players."""
    return [id for place, id in enumerate(PLACE_IDS) if not (int(CLOSED[num_players]) >> place) & 1]


__all__ = ["CITY_IDS", "Table", "open_places"]
