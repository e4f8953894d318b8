"""The rules of Fürstenfeld, one file a phase.

Every function takes the whole position first (so that its compiled code belongs to exactly these rules and facts) and
most a `seat`, 0 to n-1. Cards, goods and spaces are the numbers of `envs.fuerstenfeld.state`, facts of the
box come from `envs.fuerstenfeld.components`. "F12" names a ruling of README.md. In each phase's file

- `go_on_…` is the course of the phase: it returns True if the player to act is to be asked, else takes the next step;
- `offer_…` fills the mask with what that player may do, `may_…` are the conditions;
- the other functions do what the rulebook says, and carry its words.
"""

from envs.fuerstenfeld.rules.end import min_return, returns
from envs.fuerstenfeld.rules.flow import apply_action, legal_actions
from envs.fuerstenfeld.rules.setup import setup

__all__ = ["apply_action", "legal_actions", "min_return", "returns", "setup"]
