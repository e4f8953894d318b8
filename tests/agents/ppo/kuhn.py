"""Exact play of two-player Kuhn poker: policies by what a seat sees, their time average, and best responses."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from envs.position import Position
from tests.classics.enumeration import after, deals, every_position

Policy = dict[bytes, np.ndarray]
"""The probabilities of the actions (float64[A], 0 for illegal ones) by what the acting seat sees."""


class KuhnTree:
    """The whole game, walked once for each question."""

    def __init__(self) -> None:
        self.roots = list(deals("kuhn_poker", 2))
        self.sights: dict[bytes, tuple[int, np.ndarray, np.ndarray]] = {}
        for position in self.positions():
            seat = position.current_player
            assert seat is not None
            sight = position.observe(seat)
            self.sights[sight.tobytes()] = seat, sight, position.action_mask()

    def positions(self) -> list[Position]:
        """All positions at which a seat is to act."""
        return [position for _, position in every_position("kuhn_poker", 2) if not position.is_over]

    def own_reach(self, policy: Policy) -> dict[bytes, float]:
        """How likely a seat's own choices make it to get to see what it sees; the same on all ways there."""
        reach: dict[bytes, float] = {}

        def walk(position: Position, own: tuple[float, float]) -> None:
            seat = position.current_player
            if seat is None:
                return
            sight = position.observe(seat).tobytes()
            reach[sight] = own[seat]
            for action in position.legal_actions():
                mine = own[seat] * policy[sight][action]
                for _, child in after(position, action):
                    walk(child, (mine, own[1]) if seat == 0 else (own[0], mine))

        for _, position in self.roots:
            walk(position, (1.0, 1.0))
        return reach

    def average(self, policies: list[Policy]) -> Policy:
        """The policy that plays as one of `policies`, drawn before the game, does on average.

        Each counts at a place as much as its own choices lead there.
        """
        total: defaultdict[bytes, np.ndarray] = defaultdict(lambda: np.zeros(2))
        for policy in policies:
            for sight, weight in self.own_reach(policy).items():
                total[sight] = total[sight] + weight * policy[sight]
        return {sight: sums / sums.sum() for sight, sums in total.items()}

    def value(self, policy: Policy) -> np.ndarray:
        """What each seat wins on average, in antes."""

        def walk(position: Position) -> np.ndarray:
            seat = position.current_player
            if seat is None:
                return position.returns()
            chances = policy[position.observe(seat).tobytes()]
            return sum(
                chances[action] * probability * walk(child)
                for action in position.legal_actions()
                for probability, child in after(position, action)
            )

        return sum(chance * walk(position) for chance, position in self.roots)

    def best_response(self, policy: Policy, responder: int) -> float:
        """What `responder` wins at most when the other seat plays by the policy.

        Worked out by its sights from the last to the first: at each, the action that is best on average over the
        positions that look alike, weighted by chance and by the other seat's choices.
        """
        choice: dict[bytes, int] = {}

        def walk(position: Position) -> float:
            seat = position.current_player
            if seat is None:
                return float(position.returns()[responder])
            sight = position.observe(seat).tobytes()
            if seat == responder:
                return sum(probability * walk(child) for probability, child in after(position, choice[sight]))
            return sum(
                policy[sight][action] * probability * walk(child)
                for action in position.legal_actions()
                for probability, child in after(position, action)
            )

        alike: defaultdict[bytes, list[tuple[float, Position]]] = defaultdict(list)

        def gather(position: Position, weight: float) -> None:
            seat = position.current_player
            if seat is None:
                return
            sight = position.observe(seat).tobytes()
            if seat == responder:
                alike[sight].append((weight, position))
            for action in position.legal_actions():
                follows = weight if seat == responder else weight * policy[sight][action]
                for probability, child in after(position, action):
                    gather(child, follows * probability)

        for chance, position in self.roots:
            gather(position, chance)
        for sight, positions in sorted(alike.items(), key=lambda item: -item[1][0][1].move_number):
            worth = {
                action: sum(
                    weight * probability * walk(child)
                    for weight, position in positions
                    for probability, child in after(position, action)
                )
                for action in positions[0][1].legal_actions()
            }
            choice[sight] = max(worth, key=lambda action: worth[action])
        return sum(chance * walk(position) for chance, position in self.roots)

    def exploitability(self, policy: Policy) -> float:
        """The mean over both seats of what a best response wins more than the policy does in its place, in antes."""
        values = self.value(policy)
        return float(np.mean([self.best_response(policy, seat) - values[seat] for seat in range(2)]))
