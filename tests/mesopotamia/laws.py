"""What holds at every position of Mesopotamia: pieces are conserved, limits are kept, and what is unused is zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs.compiling import compiled
from envs.mesopotamia.components import COST, DECK, STACK, START_KIND, TOTAL_GOODS
from envs.mesopotamia.state import PICK_DESTINATION, PICK_TARGET, PLAIN, SEED, VOLCANO
from envs.position import Position

LAWS = (
    "",
    "the 41 hexes, less those left in the box, lie on the map, in the stack, or wait as a drawn volcano",
    "20 pieces of wood and 20 stones lie in the supply, on the map and on figures",
    "the cards lie in hands, draw pile and discard pile",
    "a hand counts its cards",
    "four offerings a seat are unused, under own huts, on own figures, or delivered, each once",
    "mana is at most the maximum, the maximum at most 8",
    "five huts and three cult sites a seat, on the map or in its supply",
    "at most two huts on a plain, none beside a cult site, and both on plains only",
    "no figure stands on a volcano, none with wood or stone on the temple",
    "no goods lie on the temple or on a volcano",
    "neighbours know each other and are where their coordinates say",
    "movement points, discoveries and what a figure did belong to phase A, births to phase B",
    "what is pending belongs to its phase",
    "seats and places that nobody uses are zero",
)


@compiled
def broken_law(state: Any) -> int:
    """The number of the first law in `LAWS` that a position breaks; 0 if it keeps them all."""
    n = state.num_players
    over = state.terminated or state.truncated
    kinds = np.zeros(5, np.int64)
    for place in range(len(state.stack)):
        if place < state.stack_size:
            kinds[state.stack[place]] += 1
        elif state.stack[place] != 0:
            return 14
    goods = np.zeros(2, np.int64)
    goods[0], goods[1] = state.supply[0], state.supply[1]
    huts, sites = np.zeros(6, np.int64), np.zeros(6, np.int64)
    offerings = np.zeros(4, np.int64)
    births = 0
    for number in range(len(state.tiles)):
        tile = state.tiles[number]
        if number >= state.num_tiles:
            total = tile.kind + abs(tile.q) + abs(tile.r) + tile.goods[0] + tile.goods[1] + tile.cult_site + tile.births
            for direction in range(6):
                total += tile.neighbours[direction]
            for place in range(2):
                total += tile.huts[place].owner + tile.huts[place].offering
            if total != 0:
                return 14
            continue
        kinds[tile.kind] += 1
        births += tile.births
        if min(tile.goods[0], tile.goods[1]) < 0:
            return 2
        for good in range(2):
            goods[good] += tile.goods[good]
            if tile.goods[good] > 0 and tile.kind >= VOLCANO:
                return 10
        if tile.cult_site:
            sites[tile.cult_site] += 1
        for place in range(2):
            hut = tile.huts[place]
            huts[hut.owner] += 1
            if hut.owner == 0 and (hut.offering or (place == 0 and tile.huts[1].owner)):
                return 8
            if hut.offering:
                if hut.owner > n or (offerings[hut.owner - 1] >> hut.offering) & 1:
                    return 5
                offerings[hut.owner - 1] |= 1 << hut.offering
            if hut.owner and (tile.kind != PLAIN or tile.cult_site):
                return 8
        if tile.cult_site and tile.kind != PLAIN:
            return 8
        for direction in range(6):
            other = tile.neighbours[direction] - 1
            if other >= 0 and state.tiles[other].neighbours[(direction + 3) % 6] != number + 1:
                return 11
        for other in range(state.num_tiles):
            q, r = state.tiles[other].q - tile.q, state.tiles[other].r - tile.r
            beside = max(abs(q), abs(r), abs(q + r)) == 1
            found = False
            for direction in range(6):
                found = found or tile.neighbours[direction] == other + 1
            if beside != found:
                return 11
    for kind in range(5):
        expected = STACK[n, kind]
        for number in range(len(START_KIND)):
            if START_KIND[number] == kind:
                expected += 1
        if kind == VOLCANO and state.phase == 1 and not over:
            expected -= 1
        if kinds[kind] != expected:
            return 1
    cards = np.zeros(8, np.int64)
    for place in range(18):
        if place < state.draw_size:
            cards[state.draw_pile[place]] += 1
        elif state.draw_pile[place] != 0:
            return 14
        if place < state.discard_size:
            cards[state.discard_pile[place]] += 1
        elif state.discard_pile[place] != 0:
            return 14
    for seat in range(4):
        player = state.players[seat]
        held = 0
        for card in range(8):
            cards[card] += player.hand[card]
            held += player.hand[card]
            if player.hand[card] < 0:
                return 3
        if held != player.hand_size:
            return 4
        for i in range(8):
            figure = player.figures[i]
            if figure.tile == 0 and (figure.load or figure.dropped):
                return 12
            if figure.tile > 0:
                kind = state.tiles[figure.tile - 1].kind
                if kind == VOLCANO or (kind > VOLCANO and figure.load):
                    return 9
            if 0 < figure.load <= 2:
                goods[figure.load - 1] += 1
            elif figure.load > 2:
                if (offerings[seat] >> (figure.load - 2)) & 1:
                    return 5
                offerings[seat] |= 1 << (figure.load - 2)
            acted = figure.has_stolen or figure.dropped
            if acted and (seat != state.current_player or (state.phase > PICK_DESTINATION and not over)):
                return 12
        if seat >= n:
            if player.mana or player.mana_max or player.huts_left or player.unused_offerings or held:
                return 14
            continue
        for place in range(4):
            if (place < player.num_delivered) != (player.delivered[place] > 0):
                return 5
            if player.delivered[place]:
                if (offerings[seat] >> player.delivered[place]) & 1:
                    return 5
                offerings[seat] |= 1 << player.delivered[place]
        if offerings[seat] & (player.unused_offerings << 1) or (offerings[seat] | (player.unused_offerings << 1)) != 30:
            return 5
        if not 0 <= player.mana <= player.mana_max <= 8:
            return 6
        if player.huts_left < 0 or huts[seat + 1] + player.huts_left != 5:
            return 7
        if player.cult_sites_left < 0 or sites[seat + 1] + player.cult_sites_left != 3:
            return 7
    if goods[0] != TOTAL_GOODS[0] or goods[1] != TOTAL_GOODS[1] or min(state.supply[0], state.supply[1]) < 0:
        return 2
    for card in range(8):
        if cards[card] != DECK[n, card]:
            return 3
    in_movement = state.phase < PICK_TARGET or state.pending.resume == 0
    if state.phase > PICK_DESTINATION or not in_movement:
        if state.movement_points or state.discoveries_left or state.land_armed:
            return 12
    elif births or state.action_kind or state.fertile or state.drawn_card:
        return 12
    pending = state.pending
    if not (PICK_TARGET <= state.phase <= PICK_DESTINATION) and (pending.card or pending.target or pending.resume):
        return 13
    if state.phase != SEED and (pending.seeded or pending.left or pending.good):
        return 13
    return 0


@compiled
def broken_law_at(states: Any, i: int) -> int:
    """`broken_law` of position `i` of an array."""
    return broken_law(states[i])


def obeys_the_laws(position: Position) -> None:
    """Raises AssertionError naming the law that a position breaks."""
    law = broken_law_at(position.states, 0)
    assert law == 0, LAWS[law]
    assert abs(float(position.returns().sum())) < 1e-9
    assert int(COST.sum()) == 19
