"""The rules of Mesopotamia, one file for each part of a turn.

Every function takes the whole position first (so that its compiled code belongs to exactly these rules and facts).
Seats are 0 to n-1, tiles 0 to 40, figures 0 to 7; hexes, goods, offerings and cards are the numbers of
`envs.mesopotamia.state`, facts of the box come from `envs.mesopotamia.components`. "M8" names a ruling of README.md.
`may_…` and `is_…` are the conditions, `offer_…` fills the mask, the other functions do what the rulebook says.
"""

from envs.mesopotamia.rules.end import returns
from envs.mesopotamia.rules.flow import apply_action, legal_actions
from envs.mesopotamia.rules.setup import setup

__all__ = ["apply_action", "legal_actions", "returns", "setup"]
