"""Phase 3: sell goods to one brewery and take the income."""

from __future__ import annotations

from typing import Any

from envs.compiling import compiled
from envs.fuerstenfeld.actions import END_SALE, PAIRS, SELL_GOOD, SELL_GOOD_AS, good_of_pair, kind_of_pair
from envs.fuerstenfeld.components import GUIDE_COINS, MAGISTRATE_FIELDS, MARKET_GOODS, OFFICE_COINS
from envs.fuerstenfeld.rules.common import effect_of, has
from envs.fuerstenfeld.state import BANK_1, BANK_2, BUILD, KINDS, MAGISTRATE, MARKET, OFFICE, TOURIST_GUIDE
from envs.game import State


@compiled
def go_on_selling(state: State) -> bool:
    """A sale, or the rest of one, in which no brewery that may be sold to takes a good that is left is over unasked."""
    if not state.declined:
        for brewery in range(state.num_players):
            if may_sell_to(state, brewery) and takes_any_good_left(state, brewery):
                return True
    finish_sale(state)
    state.phase = BUILD
    return False


@compiled
def takes_any_good_left(state: State, brewery: int) -> bool:
    """Whether a brewery takes a good that is left, as what it is or, while the market is open, as another kind."""
    goods = state.players[state.current_player].goods
    for good in range(KINDS):
        if goods[good] > 0 and takes(state, brewery, good):
            return True
        for kind in range(KINDS):
            if may_sell_as(state, brewery, good, kind):
                return True
    return False


@compiled
def may_sell_to(state: State, brewery: int) -> bool:
    """One brewery a sale: the first good chooses it (F5)."""
    return state.sale_brewery == 0 or state.sale_brewery == brewery + 1


@compiled
def takes(state: State, brewery: int, kind: int) -> bool:
    """At price 0 a brewery takes nothing of a kind, not even for empty demand spaces (F7). Prices stay till the end."""
    return state.breweries[brewery].price[kind] > 0


@compiled
def has_sold_plainly(state: State, first_kind: int) -> bool:
    """Whether a good has been sold as what it is, of `first_kind` or a kind behind it."""
    for kind in range(first_kind, KINDS):
        if state.sold[kind] > 0:
            return True
    return False


@compiled
def may_sell(state: State, brewery: int, good: int) -> bool:
    """Sell one good; hops before barley before water."""
    goods = state.players[state.current_player].goods
    return goods[good] > 0 and takes(state, brewery, good) and not has_sold_plainly(state, good + 1)


@compiled
def may_sell_as(state: State, brewery: int, good: int, kind: int) -> bool:
    """With a market, up to three goods of one kind are sold as one other kind (F12), before the plain sales."""
    seat = state.current_player
    if state.players[seat].goods[good] == 0 or good == kind or not takes(state, brewery, kind):
        return False
    if state.sold_as_count > 0 and (state.sold_as_good != good or state.sold_as_kind != kind):
        return False
    return state.sold_as_count < MARKET_GOODS and not has_sold_plainly(state, 0) and has(state, seat, MARKET)


@compiled
def offer_sales(state: State, mask: Any) -> int:
    mask[END_SALE] = True
    count = 1
    for brewery in range(state.num_players):
        if not may_sell_to(state, brewery):
            continue
        for good in range(KINDS):
            if may_sell(state, brewery, good):
                mask[SELL_GOOD + KINDS * brewery + good] = True
                count += 1
        for pair in range(PAIRS):
            if may_sell_as(state, brewery, good_of_pair(pair), kind_of_pair(pair)):
                mask[SELL_GOOD_AS + PAIRS * brewery + pair] = True
                count += 1
    return count


@compiled
def sell_good(state: State, brewery: int, good: int) -> None:
    state.sale_brewery = brewery + 1
    state.players[state.current_player].goods[good] -= 1
    state.sold[good] += 1


@compiled
def sell_good_as(state: State, brewery: int, good: int, kind: int) -> None:
    state.sale_brewery = brewery + 1
    state.players[state.current_player].goods[good] -= 1
    state.sold_as_good = good
    state.sold_as_kind = kind
    state.sold_as_count += 1


@compiled
def finish_sale(state: State) -> None:
    """Take the income of this phase and put the order marker on its field of the other income track (F11, F18)."""
    seat = state.current_player
    player = state.players[seat]
    income = 0
    if state.sale_brewery > 0:
        income += deliver(state, state.sale_brewery - 1)
    income += effect_of(state, seat, BANK_1, BANK_2)
    if has(state, seat, TOURIST_GUIDE):
        income += GUIDE_COINS * player.palaces
    player.income = income
    player.coins += income
    player.order_field = max(0, income - MAGISTRATE_FIELDS) if has(state, seat, MAGISTRATE) else income
    state.sale_brewery = 0
    state.sold_as_good = 0
    state.sold_as_kind = 0
    state.sold_as_count = 0
    for kind in range(KINDS):
        state.sold[kind] = 0


@compiled
def deliver(state: State, brewery_number: int) -> int:
    """Deliver what was sold and return the coins for it.

    All goods of a kind are paid at the price before the sale; then that price falls by 1 for each good beyond the
    empty demand spaces, not below 0 (F6). A kind counts as what it was sold as, for the office too (F10, F12).
    """
    brewery = state.breweries[brewery_number]
    coins = 0
    for kind in range(KINDS):
        count = state.sold[kind]
        if state.sold_as_count > 0 and state.sold_as_kind == kind:
            count += state.sold_as_count
        if count > 0:
            coins += count * brewery.price[kind]
            if has(state, state.current_player, OFFICE):
                coins += OFFICE_COINS
            filled = min(brewery.demand[kind], brewery.delivered[kind] + count)
            surplus = brewery.delivered[kind] + count - filled
            brewery.delivered[kind] = filled
            brewery.price[kind] = max(0, brewery.price[kind] - surplus)
    return coins
