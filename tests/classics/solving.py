"""The exact value of a two-player zero-sum game with hidden cards, by its sequence form.

D. Koller, N. Megiddo and B. von Stengel, "Fast algorithms for finding randomized strategies in game trees"
(STOC 1994): a linear programme whose size is that of the game tree. Information states are told apart
by what `observe` shows and by nothing else, so the programme also tests that observations are enough to play by.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, hstack

from envs.position import Position
from tests.classics.enumeration import after, deals

NO_MOVE = 0
"""The sequence of a player who has not moved yet."""


class SequenceForm:
    """A game in sequence form: for both players the sequences and information states, and player 0's payoffs."""

    def __init__(self, name: str) -> None:
        self.parent: list[dict[bytes, int]] = [{}, {}]
        self.sequences: list[dict[tuple[bytes, int], int]] = [{}, {}]
        self.payoff: defaultdict[tuple[int, int], float] = defaultdict(float)
        for chance, position in deals(name, 2):
            self._add(position, chance, (NO_MOVE, NO_MOVE))

    def _add(self, position: Position, chance: float, played: tuple[int, int]) -> None:
        if position.is_over:
            self.payoff[played] += chance * position.returns()[0]
            return
        seat = position.states["current_player"][0]
        known = position.observe(seat).tobytes()
        # Perfect recall: whoever sees the same has played the same.
        assert self.parent[seat].setdefault(known, played[seat]) == played[seat]
        for action in position.legal_actions():
            sequence = self.sequences[seat].setdefault((known, action), len(self.sequences[seat]) + 1)
            longer = (sequence, played[1]) if seat == 0 else (played[0], sequence)
            for probability, child in after(position, action):
                self._add(child, chance * probability, longer)

    def flow(self, seat: int) -> csr_array:
        """The constraints on realisation plans, (information states + 1, sequences + 1): `flow @ plan = (1, 0, …)`."""
        row_of = {known: row for row, known in enumerate(self.parent[seat], start=1)}
        entries = [(0, NO_MOVE, 1.0)]
        entries += [(row_of[known], parent, -1.0) for known, parent in self.parent[seat].items()]
        entries += [(row_of[known], sequence, 1.0) for (known, _), sequence in self.sequences[seat].items()]
        rows, columns, values = zip(*entries, strict=True)
        shape = (len(row_of) + 1, len(self.sequences[seat]) + 1)
        return coo_array((values, (rows, columns)), shape=shape).tocsr()

    def payoffs(self) -> csr_array:
        """Player 0's payoff times the chance, (sequences of player 0 + 1, sequences of player 1 + 1)."""
        rows, columns = zip(*self.payoff, strict=True)
        shape = (len(self.sequences[0]) + 1, len(self.sequences[1]) + 1)
        return coo_array((list(self.payoff.values()), (rows, columns)), shape=shape).tocsr()

    def value(self) -> float:
        """What player 0 wins on average when both play best."""
        own, other, payoffs = self.flow(0), self.flow(1), self.payoffs()
        # Variables: the plan of player 0, then for each row of `other` what player 1 can still be held to.
        plan, bounds = own.shape[1], other.shape[0]
        objective = np.zeros(plan + bounds)
        objective[plan] = -1.0
        start = np.zeros(own.shape[0])
        start[0] = 1.0
        solution = linprog(
            objective,
            A_ub=hstack([-payoffs.T, other.T]),
            b_ub=np.zeros(other.shape[1]),
            A_eq=hstack([own, csr_array((own.shape[0], bounds))]),
            b_eq=start,
            bounds=[(0, None)] * plan + [(None, None)] * bounds,
        )
        assert solution.success, solution.message
        return -solution.fun
