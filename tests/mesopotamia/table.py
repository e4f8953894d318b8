"""A game of Mesopotamia set up and played in words, for tests of the rules."""

from __future__ import annotations

from typing import Any

from envs.mesopotamia import GAME
from envs.mesopotamia.components import BOX
from envs.mesopotamia.rules.common import add_hut, lay_tile
from envs.mesopotamia.state import (
    ACTION_KINDS,
    CARDS,
    FIRST_OFFERING,
    GOODS,
    KINDS,
    NEUTRAL,
    PHASES,
)
from envs.position import Position

TEMPLE, V1, A, B, V2, QUARRY, FOREST = range(7)
"""The tiles of the start map."""
NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST = range(6)

OFFERINGS = list(BOX.offerings)


class Table:
    """A position whose parts can be put in place; what is put somewhere comes from the supply, stack or pile."""

    def __init__(self, num_players: int = 2, seed: int = 0, **options: Any) -> None:
        self.position = Position(GAME, {"num_players": num_players, **options}, seed)

    # -------------------------------------------------------------- looking

    @property
    def state(self) -> Any:
        return self.position.state

    @property
    def now(self) -> dict[str, Any]:
        """The described position."""
        return self.position.describe()

    @property
    def phase(self) -> str:
        return self.position.phase

    @property
    def current(self) -> int | None:
        return self.position.current_player

    def player(self, seat: int) -> dict[str, Any]:
        player: dict[str, Any] = self.now["players"][seat]
        return player

    def figure(self, seat: int, number: int) -> dict[str, Any]:
        figure: dict[str, Any] = self.player(seat)["figures"][number]
        return figure

    def tile(self, number: int) -> dict[str, Any]:
        tile: dict[str, Any] = self.now["tiles"][number]
        return tile

    def legal(self, kind: str | None = None) -> list[dict[str, Any]]:
        """The legal actions, or those of one type without their type."""
        actions = [self.position.decode_action(index) for index in self.position.legal_actions()]
        if kind is None:
            return actions
        return [{k: v for k, v in action.items() if k != "type"} for action in actions if action["type"] == kind]

    def may(self, kind: str, /, **arguments: Any) -> bool:
        return arguments in self.legal(kind)

    def types(self) -> set[str]:
        return {action["type"] for action in self.legal()}

    # -------------------------------------------------------------- arranging

    def lay(self, kind: str, q: int, r: int) -> int:
        """Lay a hex of the stack on a place of the map; its number."""
        self._take_from_stack(KINDS.index(kind))
        return int(lay_tile(self.state, KINDS.index(kind), q, r))

    def _take_from_stack(self, kind: int) -> None:
        stack, size = self.state.stack, self.state.stack_size
        place = list(stack[:size]).index(kind)
        stack[place : size - 1] = stack[place + 1 : size].copy()
        stack[size - 1] = 0
        self.state.stack_size -= 1

    def next_hexes(self, *kinds: str) -> None:
        """The stack's next hexes, the first one first."""
        for kind in kinds:
            self._take_from_stack(KINDS.index(kind))
        for kind in reversed(kinds):
            self.state.stack[self.state.stack_size] = KINDS.index(kind)
            self.state.stack_size += 1

    def only_hexes(self, *kinds: str) -> None:
        """The stack holds these alone; the others are out of the game."""
        self.state.stack[:] = 0
        for place, kind in enumerate(reversed(kinds)):
            self.state.stack[place] = KINDS.index(kind)
        self.state.stack_size = len(kinds)

    def stand(self, seat: int, number: int, tile: int | None, load: str | int | None = None) -> None:
        """A figure stands on a tile (None: in the supply) and carries something, taken from supply or unused ones."""
        figure = self.state.players[seat].figures[number]
        if 0 < figure.load < FIRST_OFFERING:
            self.state.supply[figure.load - 1] += 1
        figure.tile = 0 if tile is None else tile + 1
        figure.load = figure.has_stolen = figure.dropped = 0
        if isinstance(load, str):
            figure.load = GOODS.index(load) + 1
            self.state.supply[GOODS.index(load)] -= 1
        elif load is not None:
            figure.load = FIRST_OFFERING + self._use_offering(seat, load)

    def stand_all(self, seat: int, *tiles: int) -> None:
        """The first figures of a seat stand on these tiles, the others are in the supply."""
        for number in range(8):
            self.stand(seat, number, tiles[number] if number < len(tiles) else None)

    def _use_offering(self, seat: int, cost: int) -> int:
        offering = OFFERINGS.index(cost)
        assert self.state.players[seat].unused_offerings >> offering & 1
        self.state.players[seat].unused_offerings -= 1 << offering
        return offering

    def goods(self, tile: int, wood: int = 0, stone: int = 0) -> None:
        """So much lies loose on a tile."""
        for good, count in enumerate((wood, stone)):
            self.state.supply[good] += self.state.tiles[tile].goods[good] - count
            self.state.tiles[tile].goods[good] = count

    def hut(self, tile: int, owner: int | None, offering: int | None = None) -> None:
        """Another hut on a tile."""
        if owner is None:
            add_hut(self.state, tile, NEUTRAL, 0)
            return
        under = 0 if offering is None else self._use_offering(owner, offering) + 1
        self.state.players[owner].huts_left -= 1
        add_hut(self.state, tile, owner + 1, under)

    def site(self, tile: int, owner: int) -> None:
        self.state.tiles[tile].cult_site = owner + 1
        self.state.players[owner].cult_sites_left -= 1

    def give(self, seat: int, **numbers: int) -> None:
        """Set `mana`, `mana_max`, `huts_left` or `cult_sites_left` of a seat."""
        for name, number in numbers.items():
            setattr(self.state.players[seat], name, number)

    def deal(self, seat: int, *cards: str) -> None:
        """A seat gets cards from the draw pile."""
        pile = self.state.draw_pile
        for card in cards:
            size = self.state.draw_size
            place = list(pile[:size]).index(CARDS.index(card))
            pile[place : size - 1] = pile[place + 1 : size].copy()
            pile[size - 1] = 0
            self.state.draw_size -= 1
            self.state.players[seat].hand[CARDS.index(card)] += 1
            self.state.players[seat].hand_size += 1

    def next_card(self, card: str) -> None:
        """A card lies on top of the draw pile."""
        self.deal(0, card)
        self.state.players[0].hand[CARDS.index(card)] -= 1
        self.state.players[0].hand_size -= 1
        self.state.draw_pile[self.state.draw_size] = CARDS.index(card)
        self.state.draw_size += 1

    def discard_pile(self) -> None:
        """The whole draw pile has been played already."""
        size = self.state.draw_size
        self.state.discard_pile[:size] = self.state.draw_pile[:size]
        self.state.draw_pile[:] = 0
        self.state.discard_size, self.state.draw_size = size, 0

    def deliver(self, seat: int, *costs: int) -> None:
        """A seat has delivered offerings that were unused."""
        player = self.state.players[seat]
        for cost in costs:
            player.delivered[player.num_delivered] = self._use_offering(seat, cost) + 1
            player.num_delivered += 1
            player.huts_left -= 1

    def turn_of(self, seat: int, phase: str = "move", points: int = 5, discoveries: int = 3, round: int = 2) -> None:
        """It is a seat's turn, at the beginning of a phase."""
        state = self.state
        state.current_player, state.round, state.phase = seat, round, PHASES.index(phase)
        state.movement_points = points if phase == "move" else 0
        state.discoveries_left = discoveries if phase == "move" else 0
        state.land_armed = state.action_kind = state.fertile = state.drawn_card = 0

    def action_kind(self) -> str:
        return ACTION_KINDS[self.state.action_kind]

    # -------------------------------------------------------------- playing

    def play(self, kind: str, /, **arguments: Any) -> None:
        """Play one action in words."""
        self.position.apply(self.position.encode_action({"type": kind, **arguments}))

    def step(self, figure: int, *directions: int) -> None:
        for direction in directions:
            self.play("step", figure=figure, direction=direction)

    def end_turn(self) -> None:
        """Nothing more, until another seat is asked."""
        seat, number = self.current, self.now["round"]
        ends = ("end_movement", "end_action", "end_turn")
        while self.current == seat and self.now["round"] == number:
            self.play(next(kind for kind in ends if kind in self.types()))
