"""The facts of the box as the rules read them: numbers of places, and arrays over these numbers.

Places are numbered in the order of `components.toml`: cities 0 to 24, towns 25 to 44. A set of places is a bit set,
place p being bit p.
"""

from __future__ import annotations

import numpy as np

from envs.pfeffersaecke.components import CLOSED_CITIES, PLAYER_COUNTS, load, tokens_dealt

BOX = load()

CITIES = len(BOX.cities)
TOWNS = len(BOX.towns)
PLACES = CITIES + TOWNS
REGIONS = len(BOX.regions)
FIRST_TOWN = CITIES
PLACE_IDS = tuple(place.id for place in BOX.places)
CITY_IDS, TOWN_IDS = PLACE_IDS[:CITIES], PLACE_IDS[CITIES:]
PLACE_NUMBER = {id: number for number, id in enumerate(PLACE_IDS)}

MIN_PLAYERS, MAX_PLAYERS = min(PLAYER_COUNTS), max(PLAYER_COUNTS)
HIGHEST_VALUE = max(BOX.rules["tokens"])
VALUES = HIGHEST_VALUE + 1
"""Length of an array by token value."""
HIGH_TOKEN = int(BOX.rules["high_token"])
BRANCHES = int(BOX.rules["branches"]) - 1
"""What a player has to build with: one house marks the score."""
PRIVILEGES = int(BOX.rules["privileges"])
DOUBLE_INCOME_MINIMUM = int(BOX.rules["double_income_minimum"])
TOWN_POINTS = int(BOX.rules["town_points"])
REGION_POINTS = int(BOX.rules["region_points"])
COINS_PER_POINT = int(BOX.rules["coins_per_point"])
OPEN_TOKEN_CITY = PLACE_NUMBER[BOX.rules["open_token"]["city"]]

# ------------------------------------------------------------------ the map

VALUE = np.array([city.value for city in BOX.cities], np.int64)
"""int64[CITIES]: how many branches a city holds, and the points it is worth."""

REGION_SETS = np.array(
    [sum(1 << number for number, place in enumerate(BOX.places) if place.region == region) for region in BOX.regions],
    np.int64,
)
"""int64[REGIONS]: the places of each region, as a bit set."""

ALL_CITIES = (1 << CITIES) - 1
ALL_TOWNS = ((1 << TOWNS) - 1) << FIRST_TOWN

_ROUTES: list[list[tuple[int, int]]] = [[] for _ in range(PLACES)]
for _route in BOX.routes:
    _a, _b = PLACE_NUMBER[_route.a], PLACE_NUMBER[_route.b]
    _ROUTES[_a].append((_route.price, _b))
    _ROUTES[_b].append((_route.price, _a))
_MOST_ROUTES = max(len(routes) for routes in _ROUTES)

NUM_ROUTES = np.array([len(routes) for routes in _ROUTES], np.int64)
"""int64[PLACES]: how many routes a place has."""
NEIGHBOUR = np.zeros((PLACES, _MOST_ROUTES), np.int64)
"""int64[PLACES, most routes]: where the routes of a place lead, the cheapest first."""
PRICE = np.zeros((PLACES, _MOST_ROUTES), np.int64)
"""int64[PLACES, most routes]: what they cost, ascending."""
for _place, _routes in enumerate(_ROUTES):
    for _i, (_price, _other) in enumerate(sorted(_routes)):
        NEIGHBOUR[_place, _i], PRICE[_place, _i] = _other, _price
HIGHEST_PRICE = int(PRICE.max())

# ------------------------------------------------------------------ by number of players (rows 0 and 1 are unused)


def _by_players(table: dict[int, int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([table.get(n, 0) for n in range(MAX_PLAYERS + 1)], np.int64)


START_COINS = _by_players(BOX.rules["start_coins"])
INCOME_PER_SPACE = _by_players(BOX.rules["income_per_space"])
BASE_INCOME = _by_players(BOX.rules["base_income"])
OPEN_TOKENS = _by_players(dict.fromkeys(BOX.rules["open_token"]["players"], 1))
"""How many tokens lie open on `OPEN_TOKEN_CITY` from the start: one or none."""

TOKENS_DEALT = np.zeros((MAX_PLAYERS + 1, VALUES), np.int64)
"""int64[number of players, VALUES]: how many tokens of each value the players are dealt."""
for _n in PLAYER_COUNTS:
    for _value, _count in tokens_dealt(_n).items():
        TOKENS_DEALT[_n, _value] = _count

HIGH_TOKENS_EACH = _by_players({n: int(TOKENS_DEALT[n, HIGH_TOKEN:].sum()) // n for n in PLAYER_COUNTS})
"""What each player gets when the high tokens are dealt evenly; the rest of them joins the low ones."""
TOKENS_EACH = _by_players({n: int(TOKENS_DEALT[n].sum()) // n for n in PLAYER_COUNTS})
MOST_TOKENS = int(TOKENS_EACH.max())
MOST_DEALT = int(TOKENS_DEALT.sum(axis=1).max())

CLOSED = _by_players({2: sum(1 << PLACE_NUMBER[id] for id in (*CLOSED_CITIES, BOX.covered_town, BOX.cut_off_town))})
"""int64[number of players]: the places that are out of the game, as a bit set."""
