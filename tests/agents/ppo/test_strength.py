"""What is learned, where it can be known exactly: tic-tac-toe and Kuhn poker."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from agents.learning.trainer import one_torch_thread
from agents.ppo.agent import PpoAgent
from agents.ppo.config import TrainingSettings
from agents.ppo.network import PolicyNetwork
from agents.ppo.trainer import Trainer
from envs.catalog import get_game
from envs.position import Position
from envs.view import View
from tests.agents.ppo.kuhn import KuhnTree, Policy

TIC_TAC_TOE = {
    "steps": 200 * 16 * 256,
    "threads": 1,
    "network": {"width": 64},
    "rollout": {"games": 256, "steps": 16, "opening": 4},
    "learner": {"minibatch": 512, "learning_rate": 2e-3, "entropy": 0.03},
}

KUHN = {
    "steps": 500 * 16 * 256,
    "threads": 1,
    "network": {"width": 32},
    "rollout": {"games": 256, "steps": 16},
    "learner": {"minibatch": 1024, "epochs": 2, "entropy": 0.05},
}


class Perfect:
    """Tic-tac-toe solved: at each position all actions that keep its value, as returns of the first seat."""

    def __init__(self) -> None:
        self.values: dict[bytes, float] = {}

    def value(self, position: Position) -> float:
        key = position.tobytes()
        if key not in self.values:
            if position.is_over:
                self.values[key] = float(position.returns()[0])
            else:
                best = max if position.current_player == 0 else min
                self.values[key] = best(self.value(after(position, action)) for action in position.legal_actions())
        return self.values[key]

    def actions(self, position: Position) -> list[int]:
        value = self.value(position)
        return [action for action in position.legal_actions() if self.value(after(position, action)) == value]


def after(position: Position, action: int) -> Position:
    child = position.copy()
    child.apply(action)
    return child


def test_tic_tac_toe_never_loses_to_a_perfect_player(tmp_path: Path) -> None:
    """1,000 games a seat, the perfect player drawing uniformly among its perfect moves; the network plays greedily."""
    game = get_game("tic_tac_toe")
    trainer = Trainer(game, game.validate({}), TrainingSettings.model_validate(TIC_TAC_TOE), tmp_path, "tic-tac-toe")
    with one_torch_thread():
        while not trainer.is_done:
            trainer.update()
    perfect, rng = Perfect(), np.random.default_rng(0)
    assert perfect.value(Position(game)) == 0.0
    agent = PpoAgent(trainer.network.requires_grad_(False), {}, 0.0, rng)
    decided: dict[bytes, int] = {}
    for seat in range(2):
        for _ in range(1000):
            position = Position(game)
            while (mover := position.current_player) is not None:
                if mover == seat:
                    key = position.tobytes()
                    if key not in decided:
                        decided[key] = agent.act(View(position, seat))
                    position.apply(decided[key])
                else:
                    position.apply(int(rng.choice(perfect.actions(position))))
            assert position.returns()[seat] >= 0.0
    assert len(decided) > 30


@pytest.fixture(scope="module")
def tree() -> KuhnTree:
    return KuhnTree()


def test_exploitability_is_measured_right(tree: KuhnTree) -> None:
    """Uniform play is exploitable by 11/24 of an ante; the equilibria of H. W. Kuhn (1950) not at all.

    In those the first seat bets a jack with probability a, at most 1/3, a king with 3a, and calls with a queen with
    a + 1/3; the second bets a jack and calls with a queen with 1/3; the game is worth -1/18 to the first seat.
    """
    uniform = {sight: mask / mask.sum() for sight, (_, _, mask) in tree.sights.items()}
    assert len(tree.sights) == 12
    assert tree.exploitability(uniform) == pytest.approx(11 / 24)
    for a in (0.0, 0.2, 1 / 3):
        policy = equilibrium(tree, a)
        assert tree.value(policy)[0] == pytest.approx(-1 / 18)
        assert tree.exploitability(policy) == pytest.approx(0.0, abs=1e-12)
    # half an equilibrium and half another, by the chances of getting there, is one as well
    assert tree.exploitability(tree.average([equilibrium(tree, 0.0), equilibrium(tree, 0.3)])) == pytest.approx(0.0)


def equilibrium(tree: KuhnTree, a: float) -> Policy:
    """Kuhn's equilibrium of parameter a."""
    bets = {
        (0, 0, "opening"): a, (0, 1, "opening"): 0.0, (0, 2, "opening"): 3 * a,
        (0, 0, "answering"): 0.0, (0, 1, "answering"): a + 1 / 3, (0, 2, "answering"): 1.0,
        (1, 0, "opening"): 1 / 3, (1, 1, "opening"): 0.0, (1, 2, "opening"): 1.0,
        (1, 0, "answering"): 0.0, (1, 1, "answering"): 1 / 3, (1, 2, "answering"): 1.0,
    }  # fmt: skip
    policy = {}
    for position in tree.positions():
        seat = position.current_player
        assert seat is not None
        bet = bets[seat, int(position.state.card[seat]), position.phase]
        policy[position.observe(seat).tobytes()] = np.array([1 - bet, bet])
    return policy


def policy_of(network: PolicyNetwork, tree: KuhnTree) -> Policy:
    """What the network plays at each place of the game, drawn from its policy."""
    sights = np.stack([sight for _, sight, _ in tree.sights.values()])
    masks = np.stack([mask for _, _, mask in tree.sights.values()])
    with torch.inference_mode():
        logits = network(torch.from_numpy(sights))[0].numpy().astype(np.float64)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True)) * masks
    return dict(zip(tree.sights, weights / weights.sum(axis=1, keepdims=True), strict=True))


def test_kuhn_poker_comes_close_to_an_equilibrium(tmp_path: Path, tree: KuhnTree) -> None:
    """The policy averaged over all updates, as a player would play that drew an update before each game.

    The last policy alone circles around the equilibria, as self-play by gradients does where bluffs matter.
    """
    game = get_game("kuhn_poker")
    trainer = Trainer(game, game.validate({}), TrainingSettings.model_validate(KUHN), tmp_path, "kuhn")
    policies = []
    with one_torch_thread():
        while not trainer.is_done:
            trainer.update()
            policies.append(policy_of(trainer.network, tree))
    assert tree.exploitability(tree.average(policies)) < 0.05
