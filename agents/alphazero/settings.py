"""The settings of the search and of self-play: as they are written, and as compiled code takes them."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import Field

from agents.learning.config import Section
from envs.position import Array

GUMBEL, PUCT = 0, 1
"""How the root shares out its simulations, and what follows from them."""

ROOTS = {"gumbel": GUMBEL, "puct": PUCT}

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("exploration", "f8"),  # PUCT: the weight of the exploration term, for values from -1 to 1
            ("first_play", "f8"),  # PUCT: how far below its node's value an action not tried yet is taken to be
            ("concentration", "f8"),  # PUCT: of the root's Dirichlet noise, for all legal actions together
            ("visit_offset", "f8"),  # Gumbel: values weigh `value_weight * (visit_offset + most visits)`
            ("value_weight", "f8"),
            ("rollout_share", "f8"),  # of a leaf's value, the part that is a rollout by the rule of thumb
            ("thumb_share", "f8"),  # of a prior, the part that is on the rule of thumb's action
            ("value_scale", "f8"),  # returns are divided by it
            ("root", "i4"),  # GUMBEL or PUCT
            ("considered", "i4"),  # Gumbel: how many actions the root considers at most
            ("closed", "i4"),  # whether every iteration starts from the root as it is: nothing is hidden or drawn
        ],
    )
)


class SearchSettings(Section):
    """The search, in training and in play; see `agents.alphazero.search`."""

    root: Literal["gumbel", "puct"] = Field(
        default="gumbel",
        description="`gumbel`: the root considers some actions and halves their number as it goes on, and the policy "
        "learns from improved values; `puct`: the root is searched like every node, and the policy learns from visits",
    )
    considered: int = Field(
        default=16, ge=1, le=1 << 16, description="gumbel: how many actions the root considers at first"
    )
    value_weight: float = Field(
        default=0.25, gt=0, description="gumbel: how much values from 0 to 1 weigh against the network's logits"
    )
    visit_offset: float = Field(
        default=50.0, ge=0, description="gumbel: values weigh more with the visits, beginning with so many"
    )
    exploration: float = Field(
        default=1.5, ge=0, description="puct: weight of the exploration term, for values from -1 to 1"
    )
    first_play: float = Field(
        default=0.2, ge=0, description="puct: how far below its node's value an action not tried yet is taken to be"
    )
    rollout_share: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="the part of a leaf's value that is a game played on by the rule of thumb; the rest is the network",
    )
    thumb_share: float = Field(
        default=0.0, ge=0, le=1, description="the part of every prior that is on the rule of thumb's action"
    )
    node_budget: int | None = Field(
        default=None,
        ge=2,
        lt=1 << 31,
        description="nodes of a tree; a full tree stops growing. null: as many as the iterations may need, "
        "up to 32768, or to a million in all",
    )


class SelfPlaySettings(Section):
    """How games are played to learn from; see `agents.alphazero.selfplay`."""

    games: int = Field(default=256, ge=1, le=1 << 16, description="games at once")
    groups: int = Field(
        default=2,
        ge=1,
        le=1024,
        description="the games are played in so many groups, each with batches of its own: as many as there are cores",
    )
    leaves: int = Field(default=1, ge=1, le=256, description="leaves of one tree that are judged at once")
    opening: int | None = Field(
        default=None,
        ge=0,
        le=1 << 20,
        description="up to so many first moves of a game are random, and not learned from; null: none in games with "
        "hidden information, where they would falsify what can be concluded, else 8",
    )
    iterations: int = Field(default=32, ge=1, le=1 << 20, description="simulations of a full search")
    fast_iterations: int = Field(
        default=8, ge=1, le=1 << 20, description="simulations of a fast search, which is not learned from"
    )
    full_share: float = Field(
        default=1.0,
        gt=0,
        le=1,
        description="playout-cap randomisation: the share of searches that are full; 1: all, and none is fast",
    )
    noise: float = Field(
        default=0.25, ge=0, le=1, description="puct: share of Dirichlet noise in the prior at the root of a full search"
    )
    concentration: float = Field(
        default=10.0, gt=0, description="puct: of the noise, for all legal actions together (each has its part)"
    )
    temperature: float = Field(
        default=1.0,
        ge=0,
        description="of the first moves: puct draws by visits to the power of 1/temperature, gumbel by its noise times "
        "the temperature",
    )
    temperature_moves: int = Field(default=16, ge=0, description="how many moves of a game are the first ones")
    final_temperature: float = Field(default=0.0, ge=0, description="and the temperature of all others")
    root_value_share: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="the part of the value learned that is the root's value; the rest is what the game returned",
    )
    reuse: bool = Field(
        default=True, description="a tree goes on from the move played; only where nothing is hidden or drawn"
    )


def search_record(settings: SearchSettings, value_scale: float, closed: bool, concentration: float = 10.0) -> Array:
    """The settings as compiled code takes them: `SETTINGS`[1]."""
    record: Any = np.zeros(1, SETTINGS)
    for name in ("exploration", "first_play", "visit_offset", "value_weight", "rollout_share", "thumb_share"):
        record[name] = getattr(settings, name)
    record["root"], record["considered"] = ROOTS[settings.root], settings.considered
    record["concentration"], record["value_scale"], record["closed"] = concentration, value_scale, closed
    return record
