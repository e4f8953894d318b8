"""Fürstenfeld, version 1: everything is weighed by one question, how many rounds until the palace stands.

`rounds_to_finish` answers it for an estate, from public facts and the number of palaces in hand: the remaining
palaces are bought one after another, each when the coins suffice and the card may be expected, and
each covers the space that earns least. A building is worth the rounds that it saves; the static evaluation
compares the answers of all seats. Sales are planned whole: the best brewery, and how many of each kind.

Every function that reads a fact of the box takes the position first, so that its compiled code belongs to these facts.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from agents.heuristics.contract import Heuristics, register_heuristics
from envs.chance import random_bits
from envs.compiling import compiled
from envs.fuerstenfeld.actions import (
    BUILD_CARD,
    BURY_CARD,
    DISCARD_CARD,
    DRAW_EXTRA,
    END_BUILDING,
    END_DISCARDING,
    END_SALE,
    END_STORING,
    KEEP_CARD,
    PAIRS,
    SCAVENGE_CARD,
    SELL_GOOD,
    SELL_GOOD_AS,
    STORE_GOOD,
    pair_of,
)
from envs.fuerstenfeld.components import (
    BUILDINGS_PER_ROUND,
    CARDS_DRAWN,
    CRANE_DISCOUNT,
    EFFECT,
    GOOD_OF,
    GUIDE_COINS,
    HAND_LIMIT,
    HIGHEST_PRICE,
    MARKET_GOODS,
    OFFICE_COINS,
    PALACE_PRICES,
    PALACES_TO_WIN,
    WAREHOUSE_GOODS,
)
from envs.fuerstenfeld.rules.build import cost, may_build_on
from envs.fuerstenfeld.rules.common import effect_of, has, is_offered
from envs.fuerstenfeld.rules.discard import hand_limit, may_scavenge, may_store
from envs.fuerstenfeld.rules.draft import may_bury
from envs.fuerstenfeld.rules.end import SCORE_SCALE
from envs.fuerstenfeld.rules.sell import may_sell_to, takes
from envs.fuerstenfeld.state import (
    BANK_1,
    BANK_2,
    BUILD,
    CARDS_END,
    CRANE,
    DRAFT,
    DRAW,
    FIRST_CARD,
    KINDS,
    LABORATORY_1,
    LABORATORY_2,
    MAGISTRATE,
    MARKET,
    NO_CARD,
    OFFICE,
    PALACE_1,
    PALACE_6,
    SCAVENGER,
    SELL,
    SPACES,
    TOURIST_GUIDE,
    TOWN_HALL_1,
    TOWN_HALL_2,
    WAREHOUSE,
    is_palace,
)
from envs.game import State
from envs.outcome import RANK, WIN

TIES = 0
"""The stream of `random_bits` that breaks ties."""

# ------------------------------------------------------------------ what an estate earns

REVENUE = np.array([0.0, 2.6, 4.8, 6.5, 7.8, 8.8, 9.5, 10.0, 10.4])
"""Coins a round for so many goods of one kind: the more are sold, the lower the price they leave behind."""

MARKET_INCOME, WAREHOUSE_INCOME, MAGISTRATE_INCOME = 1.0, 0.8, 0.4
"""Coins a round that goods exchanged, goods kept, and an early place in the turn order are worth."""

LEAST_INCOME = 1.0
"""Nobody earns less in the reckoning: it must come to an end."""

LOST = np.array([1.6, 1.6, 1.3, 1.15, 1.0])
"""By the cards that may be kept: how many palaces must be drawn to have one when the coins are there."""

WEIGHT_OF_COINS = 0.02
"""Rounds that a coin left over is worth (it decides between those who finish in one round)."""


GOODS, ORDER, WORTH, COVERED, ROWS = range(5)
"""Rows of a sheet, the scratch space of one decision: goods given by kind; then the spaces in the order in which
palaces will cover them: by which number they are ordered, the coins each earns, and what lies there."""


@compiled
def new_sheet(state: State) -> Any:
    """An empty sheet: float64[ROWS, SPACES]."""
    return np.zeros((ROWS, SPACES))


@compiled
def lying_on(state: State, seat: int, space: int, card: int, place: int) -> int:
    """What lies on a space if `card` were built on space `place` (-1: as it is)."""
    return card if space == place else state.players[seat].spaces[space]


@compiled
def produced(state: State, seat: int, good: int, card: int, place: int) -> int:
    """Goods of a kind that an estate gives a round."""
    count = 0
    for space in range(SPACES):
        field = lying_on(state, seat, space, card, place)
        if GOOD_OF[field] == good:
            count += EFFECT[field]
    return count


@compiled
def revenue(count: float) -> float:
    """Coins a round for a whole number of goods of one kind."""
    return REVENUE[min(int(count), len(REVENUE) - 1)]


@compiled
def earns(state: State, seat: int, building: int, sheet: Any, palaces: int) -> float:
    """Coins a round that would be missed without a building; the sheet's goods are what the estate gives."""
    good = GOOD_OF[building]
    if good >= 0:
        return revenue(sheet[GOODS, good]) - revenue(sheet[GOODS, good] - EFFECT[building])
    if building in (BANK_1, BANK_2):
        return float(EFFECT[building])
    if building == OFFICE:
        kinds = 0
        for kind in range(KINDS):
            kinds += 1 if sheet[GOODS, kind] > 0 else 0
        return float(OFFICE_COINS * kinds)
    if building == TOURIST_GUIDE:
        return float(GUIDE_COINS * (palaces + 1))
    if building == MARKET:
        return MARKET_INCOME
    if building == WAREHOUSE:
        return WAREHOUSE_INCOME
    return MAGISTRATE_INCOME if building == MAGISTRATE else 0.0


@compiled
def keeps(state: State, building: int, missing: int) -> float:
    """What makes one rather not cover a building, beyond the coins it earns: cards and discounts still to come."""
    if building in (LABORATORY_1, LABORATORY_2):
        return 0.4 * EFFECT[building] * min(missing, 3)
    if building in (TOWN_HALL_1, TOWN_HALL_2):
        return 0.3 * EFFECT[building] * min(missing, 3)
    if building == CRANE:
        return 0.5 * CRANE_DISCOUNT * missing
    return 0.1 if building != NO_CARD else 0.0


@compiled
def count_goods(state: State, seat: int, card: int, place: int, sheet: Any) -> None:
    """Write the goods of each kind that an estate gives a round into the sheet."""
    for good in range(KINDS):
        sheet[GOODS, good] = 0.0
    for space in range(SPACES):
        field = lying_on(state, seat, space, card, place)
        if GOOD_OF[field] >= 0:
            sheet[GOODS, GOOD_OF[field]] += EFFECT[field]


@compiled
def rounds_to_finish(
    state: State, seat: int, card: int, place: int, coins: float, held: float, built: int, sheet: Any
) -> float:
    """How many rounds until the seat's palace stands, 0 for this one, if `card` lay on space `place` (-1: none does).

    `coins` are what it has when it comes to build, `held` the palaces in hand, `built` the cards built this round.
    Palaces come one after another: not before the coins are there, the card may be expected, and two a round.
    """
    count_goods(state, seat, card, place, sheet)
    drawn, limit, palaces, discount = CARDS_DRAWN, HAND_LIMIT, 0, 0
    for space in range(SPACES):
        building = lying_on(state, seat, space, card, place)
        if building in (LABORATORY_1, LABORATORY_2):
            drawn += EFFECT[building]
        elif building in (TOWN_HALL_1, TOWN_HALL_2):
            limit += EFFECT[building]
        elif is_palace(building):
            palaces += 1
        elif building == CRANE:
            discount = CRANE_DISCOUNT
    missing = PALACES_TO_WIN - palaces
    income = 0.0
    for good in range(KINDS):
        income += revenue(sheet[GOODS, good])
    free = 0
    for space in range(SPACES):  # what palaces will cover, the least first
        building = lying_on(state, seat, space, card, place)
        if is_palace(building):
            continue
        coins_a_round = earns(state, seat, building, sheet, palaces)
        if GOOD_OF[building] < 0:
            income += coins_a_round
        rank = coins_a_round + keeps(state, building, missing)
        at = free
        while at > 0 and sheet[ORDER, at - 1] > rank:
            for row in (ORDER, WORTH, COVERED):
                sheet[row, at] = sheet[row, at - 1]
            at -= 1
        sheet[ORDER, at], sheet[WORTH, at], sheet[COVERED, at] = rank, coins_a_round, building
        free += 1
    share = (missing - held + 1.0) / (state.players[seat].deck_size + 1)  # of palaces in the deck
    time = 0.0
    for number in range(missing):
        price = PALACE_PRICES[min(state.price_card + number, len(PALACE_PRICES) - 1)] - discount
        palaces_a_round = share * drawn / LOST[min(limit, len(LOST) - 1)]
        soonest = max(time, float((built + number) // BUILDINGS_PER_ROUND))
        if number + 1 > held:
            soonest = max(soonest, time + (number + 1 - held) / palaces_a_round)
        earned = max(income, LEAST_INCOME)
        if coins + earned * (soonest - time) < price:
            soonest = time + (price - coins) / earned
        coins += earned * (soonest - time) - price
        held += palaces_a_round * (soonest - time)
        time = soonest
        income -= sheet[WORTH, number]
        covered = int(sheet[COVERED, number])
        if covered in (LABORATORY_1, LABORATORY_2):
            drawn -= EFFECT[covered]
        elif covered in (TOWN_HALL_1, TOWN_HALL_2):
            limit -= EFFECT[covered]
    return time - WEIGHT_OF_COINS * coins


@compiled
def palaces_in_hand(state: State, seat: int) -> int:
    """Palaces in a hand: to be asked about one's own only, other hands are hidden."""
    count = 0
    for card in range(PALACE_1, PALACE_6 + 1):
        count += state.players[seat].hand[card]
    return count


# ------------------------------------------------------------------ phase 3: sell

CARE_FOR_PRICES = 0.45
"""Coins that a lower price costs its seller later on, for each step."""

STORED_GOOD = 1.2
"""Coins that a good is worth which a warehouse keeps."""


@compiled
def worth_of_sale(state: State, number: int, kind: int, count: int) -> float:
    """Coins for `count` goods of a kind sold to a brewery, less what the fall of the price costs later."""
    brewery = state.breweries[number]
    if count == 0 or brewery.price[kind] == 0:
        return 0.0
    surplus = max(0, brewery.delivered[kind] + count - brewery.demand[kind])
    coins = float(count * brewery.price[kind]) - CARE_FOR_PRICES * min(surplus, brewery.price[kind])
    if has(state, state.current_player, OFFICE):
        coins += OFFICE_COINS
    if has(state, state.current_player, WAREHOUSE):
        coins -= STORED_GOOD * count
    return coins


@compiled
def best_count(state: State, number: int, kind: int, less: int, exchanged: int) -> int:
    """How many of a kind are best sold as what they are.

    `less` of them are sold as another kind, `exchanged` of another as this one; what is sold already stays sold.
    """
    fewest = most = state.sold[kind]
    if state.breweries[number].price[kind] > 0:
        most += max(0, state.players[state.current_player].goods[kind] - less)
    for later in range(kind + 1, KINDS):
        if state.sold[later] > 0:
            most = fewest
    best = fewest
    for count in range(fewest + 1, most + 1):
        if worth_of_sale(state, number, kind, count + exchanged) > worth_of_sale(state, number, kind, best + exchanged):
            best = count
    return best


@compiled
def worth_of_plan(state: State, number: int, good: int, kind: int, exchanged: int) -> float:
    """What the best sale to a brewery is worth if in all `exchanged` goods of one kind are sold as another `kind`."""
    total = 0.0
    for sold in range(KINDS):
        less = exchanged - state.sold_as_count if sold == good else 0
        more = exchanged if sold == kind else 0
        total += worth_of_sale(state, number, sold, best_count(state, number, sold, less, more) + more)
    return total


@compiled
def most_exchanged(state: State, number: int, good: int, kind: int) -> int:
    """How many goods of one kind may be sold as another kind in this sale, those already sold so among them."""
    if state.sold_as_count > 0 and (state.sold_as_good != good or state.sold_as_kind != kind):
        return 0
    for sold in range(KINDS):
        if state.sold[sold] > 0:
            return state.sold_as_count
    if not takes(state, number, kind):
        return 0
    return min(MARKET_GOODS, state.sold_as_count + state.players[state.current_player].goods[good])


@compiled
def choose_sale(state: State, seed: int) -> int:
    """Plan the whole sale anew, keeping to what is sold already, and make its next step."""
    has_market = has(state, state.current_player, MARKET)
    brewery, good_given, kind_sold, exchanged = -1, 0, 1, 0
    best = -1.0
    ties = draws = 0
    for number in range(state.num_players):
        if not may_sell_to(state, number):
            continue
        for good in range(KINDS):
            for kind in range(KINDS):
                if good == kind or not (has_market or (good == 0 and kind == 1)):
                    continue
                fixed = state.sold_as_count > 0
                if fixed and (good != state.sold_as_good or kind != state.sold_as_kind):
                    continue
                most = most_exchanged(state, number, good, kind) if has_market else 0
                for count in range(state.sold_as_count, most + 1):
                    worth = worth_of_plan(state, number, good, kind, count)
                    if worth > best:
                        best, ties = worth, 1
                        brewery, good_given, kind_sold, exchanged = number, good, kind, count
                    elif worth == best and count == exchanged and number != brewery:
                        ties += 1
                        if random_bits(seed, TIES, draws) % ties == 0:
                            brewery, good_given, kind_sold, exchanged = number, good, kind, count
                        draws += 1
    if best <= 0.0 and state.sale_brewery == 0:
        return END_SALE
    if exchanged > state.sold_as_count:
        return SELL_GOOD_AS + PAIRS * brewery + pair_of(good_given, kind_sold)
    for kind in range(KINDS):
        more = exchanged if kind == kind_sold else 0
        if best_count(state, brewery, kind, 0, more) > state.sold[kind]:
            return SELL_GOOD + KINDS * brewery + kind
    return END_SALE


# ------------------------------------------------------------------ phase 4: build

LEAST_GAIN = 0.05
"""Rounds that a building must save to be built."""

PALACE_NOW = 0.3
"""Rounds by which a palace that may be built now is preferred to one counted on for later."""


@compiled
def weakest_space(state: State, seat: int, card: int, seed: int, sheet: Any) -> int:
    """The space that a card best covers: the one that earns and keeps least; -1 if there is none."""
    count_goods(state, seat, NO_CARD, -1, sheet)
    palaces = state.players[seat].palaces
    best, least = -1, 1e9
    ties = draws = 0
    for space in range(SPACES):
        if not may_build_on(state, seat, card, space):
            continue
        building = state.players[seat].spaces[space]
        worth = earns(state, seat, building, sheet, palaces) + keeps(state, building, PALACES_TO_WIN - palaces)
        if worth < least:
            best, least, ties = space, worth, 1
        elif worth == least:
            ties += 1
            if random_bits(seed, TIES, draws) % ties == 0:
                best = space
            draws += 1
    return best


@compiled
def choose_building(state: State, seed: int) -> int:
    """Build the card that saves most rounds; none if none saves any."""
    sheet = new_sheet(state)
    seat = state.current_player
    coins = float(state.players[seat].coins)
    held = float(palaces_in_hand(state, seat))
    weakest = weakest_space(state, seat, NO_CARD, seed, sheet)
    best = END_BUILDING
    fewest = rounds_to_finish(state, seat, NO_CARD, -1, coins, held, state.built, sheet) - LEAST_GAIN
    for card in range(FIRST_CARD, CARDS_END):
        if not is_offered(state, seat, card):
            continue
        price = cost(state, seat, card)
        palace = is_palace(card)
        space = weakest_space(state, seat, card, seed, sheet) if palace else weakest
        if price > coins or space < 0:
            continue
        left = held - 1.0 if palace else held
        rounds = rounds_to_finish(state, seat, card, space, coins - price, left, state.built + 1, sheet)
        rounds -= PALACE_NOW if palace else 0.0
        if rounds < fewest:
            best, fewest = BUILD_CARD + SPACES * (card - 1) + space, rounds
    return best


# ------------------------------------------------------------------ phase 5: store and discard


@compiled
def choose_goods_to_store(state: State, seed: int) -> int:
    """Store the goods that will be paid best, less what the estate gives of them anyway."""
    seat = state.current_player
    target = np.zeros(KINDS, np.int64)
    room = WAREHOUSE_GOODS
    for kind in range(KINDS):
        target[kind] = state.stored[kind]
        room -= state.stored[kind]
    for _ in range(room):
        best, highest = -1, 0.0
        for kind in range(KINDS):
            if target[kind] - state.stored[kind] >= state.players[seat].goods[kind]:
                continue
            price = 0
            for number in range(state.num_players):
                brewery = state.breweries[number]
                empty = brewery.demand[kind] - brewery.delivered[kind]
                price = max(price, min(HIGHEST_PRICE, brewery.price[kind] + empty))
            worth = price - 0.3 * (produced(state, seat, kind, NO_CARD, -1) + target[kind]) + 10.0
            if worth > highest:
                best, highest = kind, worth
        if best >= 0:
            target[best] += 1
    for kind in range(KINDS):
        if target[kind] > state.stored[kind] and may_store(state, kind):
            return STORE_GOOD + kind
    return END_STORING


@compiled
def worth_keeping(state: State, card: int, space: int, base: float, held: float, coins: float, sheet: Any) -> float:
    """Rounds saved by having a card in hand next round, with `held` palaces beside it and `coins` to spend.

    `base` is the number of rounds without it, `space` the one to build on, if it is no palace.
    """
    seat = state.current_player
    if is_palace(card):
        return base - rounds_to_finish(state, seat, NO_CARD, -1, coins, held + 1.0, 0, sheet)
    price = cost(state, seat, card)
    if space < 0:
        return 0.0
    saved = base - rounds_to_finish(state, seat, card, space, coins - price, held, 1, sheet)
    return saved if price <= coins else 0.5 * saved


@compiled
def coins_next_round(state: State, seat: int, sheet: Any) -> float:
    """Coins in hand plus what the estate earns in a round."""
    count_goods(state, seat, NO_CARD, -1, sheet)
    coins = float(state.players[seat].coins)
    for good in range(KINDS):
        coins += revenue(sheet[GOODS, good])
    for space in range(SPACES):
        building = state.players[seat].spaces[space]
        if GOOD_OF[building] < 0:
            coins += earns(state, seat, building, sheet, state.players[seat].palaces)
    return coins


USELESS = 0.05
"""A card that saves fewer rounds than this is scavenged."""


@compiled
def choose_discard(state: State, seed: int) -> int:
    """Keep the cards that save most rounds; the best of the others goes under the deck first, to come up first."""
    sheet = new_sheet(state)
    seat = state.current_player
    player = state.players[seat]
    limit = hand_limit(state, seat)
    if player.hand_size <= limit and not has(state, seat, SCAVENGER):
        return END_DISCARDING
    coins = coins_next_round(state, seat, sheet)
    space = weakest_space(state, seat, NO_CARD, seed, sheet)
    base = rounds_to_finish(state, seat, NO_CARD, -1, coins, 0.0, 0, sheet)
    cards, worths = np.zeros(player.hand_size, np.int64), np.zeros(player.hand_size)
    held, without = 0.0, base  # each further palace saves less: `without` counts with those met so far
    count = draws = 0
    for card in range(FIRST_CARD, CARDS_END):
        for _ in range(player.hand[card]):
            if is_palace(card):
                worth = worth_keeping(state, card, space, without, held, coins, sheet)
                without -= worth
                held += 1.0
            else:
                worth = worth_keeping(state, card, space, base, 0.0, coins, sheet)
            worth += 1e-6 * (random_bits(seed, TIES, draws) % 1000)
            draws += 1
            at = count
            while at > 0 and worths[at - 1] < worth:
                cards[at], worths[at] = cards[at - 1], worths[at - 1]
                at -= 1
            cards[at], worths[at] = card, worth
            count += 1
    for place in range(count - 1, 0, -1):
        if worths[place] < USELESS and may_scavenge(state, cards[place]):
            return SCAVENGE_CARD + cards[place] - 1
    if player.hand_size <= limit:
        return END_DISCARDING
    card = cards[limit]
    while not is_offered(state, seat, card):  # of palaces, which are alike in the basic game, the lowest is offered
        card -= 1
    return DISCARD_CARD + card - 1


# ------------------------------------------------------------------ set-up of the advanced game


@compiled
def choose_in_draft(state: State, seed: int) -> int:
    """Keep what helps most at the start; bury the palaces highest, they are wanted when those cards come up."""
    seat = state.current_player
    choosing = state.players[seat].kept == NO_CARD
    sheet = new_sheet(state)
    coins = coins_next_round(state, seat, sheet)
    space = weakest_space(state, seat, NO_CARD, seed, sheet)
    base = rounds_to_finish(state, seat, NO_CARD, -1, coins, 0.0, 0, sheet)
    best, highest = -1, -1e9
    for card in range(FIRST_CARD, CARDS_END):
        if may_bury(state, card):
            palace = is_palace(card)
            worth = worth_keeping(state, card, space, base, 0.0, coins, sheet)
            if palace:
                worth = -100.0 if choosing else 100.0
            worth += 1e-6 * (random_bits(seed, TIES, card) % 1000)
            if worth > highest:
                best, highest = card, worth
    return (KEEP_CARD if choosing else BURY_CARD) + best - 1


@compiled
def rule_of_thumb(state: State, seed: int) -> int:
    """The action that the rules of thumb above name for the phase."""
    if state.phase == DRAFT:
        return choose_in_draft(state, seed)
    if state.phase == DRAW:
        return DRAW_EXTRA
    if state.phase == SELL:
        return choose_sale(state, seed)
    if state.phase == BUILD:
        return choose_building(state, seed)
    if state.storing:
        return choose_goods_to_store(state, seed)
    return choose_discard(state, seed)


# ------------------------------------------------------------------ static evaluation

CERTAINTY = 0.9
"""How much a lead of one round says, when the first is one round from finishing (logit a round)."""


@compiled
def expected_sale(state: State, seat: int) -> float:
    """Coins of a seat's sale still to come this round, at the prices of the moment."""
    player = state.players[seat]
    best = 0.0
    for number in range(state.num_players):
        coins = 0.0
        for kind in range(KINDS):
            count = player.goods[kind]
            if state.phase == SELL and state.current_player == seat:
                count += state.sold[kind]
                count += state.sold_as_count if state.sold_as_kind == kind else 0
            elif state.phase in (DRAFT, DRAW):
                count += produced(state, seat, kind, NO_CARD, -1)
            coins += count * state.breweries[number].price[kind]
        best = max(best, coins)
    best += effect_of(state, seat, BANK_1, BANK_2)
    if has(state, seat, OFFICE):
        best += OFFICE_COINS * 2
    return best


@compiled
def outlook(state: State, seat: int, turn: int, observer: int, sheet: Any) -> float:
    """Rounds until a seat finishes, as `observer` sees it; `turn` is the seat's place in the turn order."""
    player = state.players[seat]
    if seat == observer:
        held = float(palaces_in_hand(state, seat))
    else:
        unseen = player.hand_size + player.deck_size
        held = player.hand_size * (PALACES_TO_WIN - player.palaces) / max(unseen, 1)
    coins = float(player.coins)
    built = 0
    acting = state.phase not in (DRAFT, DRAW)
    if not acting or turn > state.turn or (turn == state.turn and state.phase == SELL):
        coins += expected_sale(state, seat)
    elif turn == state.turn and state.phase == BUILD:
        built = state.built
    else:
        built = 2
    return rounds_to_finish(state, seat, NO_CARD, -1, coins, held, built, sheet)


@compiled
def evaluate(state: State, observer: int, out: Any) -> None:
    """What each seat may expect by its lead in rounds over the others, in the unit of the option `reward`."""
    n = state.num_players
    sheet, rounds = new_sheet(state), np.zeros(n)
    first = 1e9
    for turn in range(n):
        seat = state.turn_order[turn]
        rounds[seat] = outlook(state, seat, turn, observer, sheet)
        first = min(first, rounds[seat])
    certainty = CERTAINTY * math.sqrt(2.0 / (1.0 + max(first, 0.0)))
    if state.options.reward == WIN:
        total = 0.0
        for seat in range(n):
            out[seat] = math.exp(certainty * (first - rounds[seat]))
            total += out[seat]
        for seat in range(n):
            out[seat] = (out[seat] / total - 1.0 / n) * n / (n - 1)
        return
    for seat in range(n):
        lead = 0.0
        for other in range(n):
            if other != seat:
                by = rounds[other] - rounds[seat]
                lead += math.tanh(0.5 * certainty * by) if state.options.reward == RANK else by
        out[seat] = lead / (n - 1)
        if state.options.reward != RANK:
            out[seat] *= POINTS_A_ROUND / SCORE_SCALE


POINTS_A_ROUND = 11.0
"""Points (13 a palace, 1 a coin) that a seat makes in a round."""


register_heuristics(
    Heuristics(
        game="fuerstenfeld",
        version=1,
        evaluate=evaluate,
        rule_of_thumb=rule_of_thumb,
        sources=(Path(__file__),),
    )
)
