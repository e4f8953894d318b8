"""The settings of a search as compiled code takes them: one record of numbers, read at run time."""

from __future__ import annotations

import numpy as np

UCB1, UCB1_TUNED, PUCT = 0, 1, 2
"""Selection: confidence bounds by the number of tries, by their variance as well, or led by a prior."""

MAX_N, PARANOID = 0, 1
"""Backup: every seat wants its own value, or all others want the searching seat's to be low."""

RANDOM, GREEDY, EVALUATE, NETWORK = 0, 1, 2, 3
"""How a leaf is judged: random play, the rule of thumb's, the static evaluation at once, or from outside."""

TO_THE_END = -1
"""The depth of a rollout that is not cut."""

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("exploration", "f8"),  # the weight of the exploration term
            ("prior", "f8"),  # PUCT: the rule of thumb's share of the prior, the rest is spread evenly
            ("first_play", "f8"),  # how far below its node's value an action not tried yet is taken to be; -inf: first
            ("epsilon", "f8"),  # how often a greedy rollout plays a random action
            ("selection", "i4"),  # UCB1, UCB1_TUNED or PUCT
            ("backup", "i4"),  # MAX_N or PARANOID
            ("rollout", "i4"),  # RANDOM, GREEDY, EVALUATE or NETWORK
            ("depth", "i4"),  # moves from the root after which a rollout is cut, or TO_THE_END
            ("closed", "i4"),  # whether every iteration starts from the root as it is: nothing is hidden or to be drawn
        ],
    )
)

ITERATION, SELECTION, FAVOURITE, ROLLOUT, POLICY, OBSERVATION = (1 << 22) + np.arange(6)
"""Streams of `random_bits`, apart from those of games, lanes and heuristics."""
