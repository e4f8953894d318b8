"""The action table: what each of the 143 numbers means, whatever the options and the number of players.

The blocks lie in the order in which the actions come up; within a block cities, towns or places count up in the
order of `components.toml`.
"""

from __future__ import annotations

from envs.pfeffersaecke.board import CITIES, PLACES, TOWNS

FOUND_TOWN = 0
LAY_TOKEN = FOUND_TOWN + TOWNS
EXPAND_ONCE = LAY_TOKEN + CITIES
EXPAND_TWICE = EXPAND_ONCE + CITIES
DOUBLE_INCOME = EXPAND_TWICE + CITIES
END_EXPANDING = DOUBLE_INCOME + 1
OPEN_PLACE = END_EXPANDING + 1
PASS = OPEN_PLACE + PLACES
NUM_ACTIONS = PASS + 1
