"""What self-play tells and the network learns from."""

from __future__ import annotations

from typing import NamedTuple

from envs.position import Array


class Samples(NamedTuple):
    """Decisions, n of them: what the acting seat saw and could do, the policy that the search found, and the value for
    every seat, own seat first, in units of the value scale.

    `observations` float32[n, O], `masks` bool[n, A], `policies` float32[n, A], `values` float32[n, S].
    """

    observations: Array
    masks: Array
    policies: Array
    values: Array
