"""Exact best responses in the classics: what an agent loses to whoever knows it best, by walking the whole game.

The responder knows how all other seats play, and not what they hold. Its choice at each of its information states is
the one that is best on average over the positions that look alike there, weighted by how likely chance and the others
lead to them; worked out from the last states to the first. In a two-player zero-sum game the mean over both seats of
what best responses win is the agent's exploitability (M. Johanson et al., "Accelerating Best Response Calculation in
Large Extensive Games", 2011).
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from agents.registry import AgentConfig, make_agent
from envs.game import Game
from envs.options import Options
from envs.position import Position
from envs.view import View

Array = np.ndarray[Any, Any]

GAMES = {"tic_tac_toe": (2,), "kuhn_poker": (2, 3), "leduc_poker": (2,)}
"""The games that are walked, and the numbers of players for which that is soon done."""


@dataclass(frozen=True)
class ExactResult:
    """By seat, in the game's unit: what the agent wins against itself, and what a best response wins in its place.

    `is_sampled`: the agent's probabilities were estimated by asking it a number of times.
    """

    own: list[float]
    best: list[float]
    is_sampled: bool

    @property
    def exploitability(self) -> float:
        """The mean over the seats of what a best response wins more than the agent does."""
        return float(np.mean(self.best) - np.mean(self.own))


class Policy:
    """How an agent plays: the probabilities of its actions at what a seat sees, remembered.

    Those of `random` and of networks that play without a search are known; another agent is asked `samples` times at
    each place, a fresh one each time.
    """

    def __init__(self, config: AgentConfig, game: Game, options: Options, samples: int, seed: int) -> None:
        self.config, self.game, self.options, self.samples, self.seed = config, game, options, samples, seed
        self.is_network = config.type == "ppo" or (
            config.type == "alphazero" and getattr(config, "iterations", None) == 0
        )
        self.is_sampled = config.type != "random" and not self.is_network
        self._known: dict[bytes, Array] = {}

    def __call__(self, position: Position) -> Array:
        """The probabilities of all actions for the seat to act: float64[num_actions]."""
        seat = position.current_player
        assert seat is not None
        key = position.observe(seat).tobytes()
        if key not in self._known:
            self._known[key] = self._probabilities(View(position, seat), key)
        return self._known[key]

    def _probabilities(self, view: View, key: bytes) -> Array:
        mask = view.action_mask
        if self.config.type == "random":
            return mask / mask.sum()
        if self.is_network:
            return self._of_network(view, mask)
        counts = np.zeros(len(mask))
        for number in range(self.samples):
            digest = hashlib.sha256(key + f"{self.seed}/{number}".encode()).digest()
            agent = make_agent(self.config, self.game, self.options, np.random.default_rng(list(digest[:16])))
            counts[agent.act(view)] += 1
        return counts / counts.sum()

    def _of_network(self, view: View, mask: Array) -> Array:
        import torch

        agent: Any = make_agent(self.config, self.game, self.options, np.random.default_rng(0))
        with torch.inference_mode():
            logits = agent.network(torch.from_numpy(view.observation[None]))[0].numpy()[0].astype(np.float64)
        logits[~mask] = -np.inf
        if agent.temperature == 0:
            return np.eye(len(mask))[int(logits.argmax())]
        weights = np.exp((logits - logits.max()) / agent.temperature)
        return np.asarray(weights / weights.sum())


def exact_result(config: AgentConfig, game: Game, options: Options, samples: int = 64, seed: int = 0) -> ExactResult:
    """What best responses win against an agent at all other seats, seat by seat. The game must be one of `GAMES`."""
    policy = Policy(config, game, options, samples, seed)
    tree = Tree(game, options)
    seats = range(int(options["num_players"]))
    own = [tree.value(policy, seat, None) for seat in seats]
    best = [tree.value(policy, seat, seat) for seat in seats]
    return ExactResult(own, best, policy.is_sampled)


class Tree:
    """All positions of a game, level by level (one a move), positions with equal records taken together."""

    def __init__(self, game: Game, options: Options) -> None:
        self.levels: list[dict[bytes, Position]] = [{}]
        self.start: dict[bytes, float] = {}
        self.children: dict[bytes, dict[int, list[tuple[float, bytes]]]] = {}
        for chance, position in deals(Position(game, options)):
            self.levels[0][position.tobytes()] = position
            self.start[position.tobytes()] = chance
        while self.levels[-1]:
            following: dict[bytes, Position] = {}
            for key, position in self.levels[-1].items():
                self.children[key] = {}
                for action in position.legal_actions():
                    branches = list(after(position, action))
                    self.children[key][action] = [(chance, child.tobytes()) for chance, child in branches]
                    following |= {child.tobytes(): child for _, child in branches}
            self.levels.append(following)

    def value(self, policy: Callable[[Position], Array], seat: int, responder: int | None) -> float:
        """What a seat wins on average, if all play by the policy but the responder, who plays its best response."""
        weights: defaultdict[bytes, float] = defaultdict(float, self.start)
        for level in self.levels:
            for key, position in level.items():
                chances = None if position.current_player in (None, responder) else policy(position)
                for action, branches in self.children[key].items():
                    share = 1.0 if chances is None else chances[action]
                    for chance, child in branches:
                        weights[child] += weights[key] * share * chance
        values: dict[bytes, float] = {}
        for level in reversed(self.levels):
            alike: defaultdict[bytes, list[bytes]] = defaultdict(list)
            for key, position in level.items():
                if position.current_player is None:
                    values[key] = float(position.returns()[seat])
                elif position.current_player == responder:
                    alike[position.observe(responder).tobytes()].append(key)
                else:
                    chances = policy(position)
                    values[key] = sum(
                        chances[action] * self._worth(values, key, action) for action in self.children[key]
                    )
            for keys in alike.values():
                best = max(
                    self.children[keys[0]],
                    key=lambda action: sum(weights[key] * self._worth(values, key, action) for key in keys),
                )
                values |= {key: self._worth(values, key, best) for key in keys}
        return sum(chance * values[key] for key, chance in self.start.items())

    def _worth(self, values: dict[bytes, float], key: bytes, action: int) -> float:
        return sum(chance * values[child] for chance, child in self.children[key][action])


# ------------------------------------------------------------------ chance, by writing cards into the record


def deals(start: Position) -> Iterator[tuple[float, Position]]:
    """Every way the cards can be dealt: probability and first position."""
    if start.game.name == "tic_tac_toe":
        yield 1.0, start
        return
    every = list(permutations(deck(start), start.num_players))
    for cards in every:
        dealt = start.copy()
        dealt.states["card"][0, : len(cards)] = cards
        yield 1 / len(every), dealt


def after(position: Position, action: int) -> Iterator[tuple[float, Position]]:
    """What may come of an action: one position, or one for each public card that may be turned up."""
    played = position.copy()
    played.apply(action)
    if played.game.name != "leduc_poker" or played.states["phase"][0] == position.states["phase"][0]:
        yield 1.0, played
        return
    unseen = set(deck(played)) - {int(card) for card in played.states["card"][0, : played.num_players]}
    for card in sorted(unseen):
        branch = played.copy()
        branch.states["public_card"] = card
        yield 1 / len(unseen), branch


def deck(position: Position) -> range:
    """The cards by number: one a rank in Kuhn poker, two in Leduc poker."""
    ranks = position.num_players + 1
    return range(2 * ranks if position.game.name == "leduc_poker" else ranks)
