"""What the network learns: the gradient of the loss as it is written, and images of decisions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from agents.alphazero.buffer import Buffer
from agents.alphazero.config import LearnerSettings, SearchNetworkSettings
from agents.alphazero.learner import Learner, LearningStatistics
from agents.alphazero.network import SearchNetwork, network_shape
from agents.alphazero.samples import Samples
from agents.learning.boards import board_of
from agents.learning.crew import Crew
from envs.catalog import get_game
from envs.position import Position
from tests.agents.mcts.searching import after_random_moves

BOARDS = ["tic_tac_toe", "connect_four"]


def network(name: str, seats: int = 2, kind: str = "residual", width: int = 16) -> SearchNetwork:
    game = get_game(name)
    options = game.validate({"num_players": seats})
    made = SearchNetwork(network_shape(SearchNetworkSettings(kind=kind, width=width, depth=1), game, options))  # type: ignore[arg-type]
    made.initialise(3)
    with torch.no_grad():
        made.policy_head.weight *= 100.0
    return made


def learner(made: SearchNetwork, name: str, threads: int = 1, **settings: object) -> Learner:
    return Learner(made, LearnerSettings.model_validate(settings), 0, Crew(threads), board_of(name))


def some_decisions(name: str, count: int, seats: int = 2) -> Samples:
    """Positions of random games, with any policies and values."""
    rng = np.random.default_rng(0)
    positions = [after_random_moves(get_game(name), {"num_players": seats}, deal, deal % 6) for deal in range(count)]
    observations = np.array([position.observe(position.current_player or 0) for position in positions])
    masks = np.array([position.action_mask() for position in positions])
    policies = np.where(masks, rng.random(masks.shape) ** 3, 0.0)
    policies /= policies.sum(axis=1, keepdims=True)
    values = rng.uniform(-1, 1, (count, seats))
    return Samples(observations, masks, policies.astype(np.float32), values.astype(np.float32))


def filled(batch: Samples, made: SearchNetwork) -> Buffer:
    shape = made.shape
    buffer = Buffer(len(batch.values), shape.observation_size, shape.num_actions, shape.values)
    buffer.add(batch)
    return buffer


@pytest.mark.parametrize(("name", "seats", "kind"), [("kuhn_poker", 3, "residual"), ("connect_four", 2, "convolution")])
def test_the_gradient_is_that_of_the_loss_as_it_is_written(name: str, seats: int, kind: str) -> None:
    """-sum p log q + c mean (v - z)^2, the mean over the minibatch; with torch's own gradient of it."""
    made, batch, coefficient = network(name, seats, kind), some_decisions(name, 24, seats), 0.7
    student = learner(made, name, value_coefficient=coefficient)
    # two shards of 24 rows, as a minibatch is cut among threads
    parts = [
        student._gradient(Samples(*(array[part] for array in batch)), 24) for part in (slice(0, 10), slice(10, 24))
    ]
    found = parts[0][0] + parts[1][0]

    logits, values = made(torch.from_numpy(batch.observations))
    targets, returns = torch.from_numpy(batch.policies), torch.from_numpy(batch.values)
    log_policy = torch.log_softmax(logits.masked_fill(~torch.from_numpy(batch.masks), -1e9), dim=1)
    policy_loss = -(targets * log_policy).sum(dim=1).mean()
    value_loss = ((values - returns) ** 2).mean(dim=1).mean()
    expected = torch.autograd.grad(policy_loss + coefficient * value_loss, list(made.parameters()))
    torch.testing.assert_close(found, torch.cat([part.reshape(-1) for part in expected]), rtol=1e-4, atol=1e-6)

    sums = (parts[0][1] + parts[1][1]).numpy() / 24
    entropy = -(batch.policies * np.log(np.where(batch.policies > 0, batch.policies, 1))).sum(axis=1).mean()
    own = (values[:, 0] - returns[:, 0]).square().mean()
    losses = [float(value.detach()) for value in (policy_loss, value_loss, own)]
    expected_sums = [*losses[:2], entropy, losses[2], np.square(batch.values[:, 0]).mean()]
    assert sums == pytest.approx(expected_sums, rel=1e-4)


def test_illegal_actions_are_learned_neither_for_nor_against() -> None:
    made = network("tic_tac_toe")
    batch = some_decisions("tic_tac_toe", 30)
    student = learner(made, "tic_tac_toe", value_coefficient=0.0)
    gradient = student._gradient(batch, 30)[0]
    with torch.no_grad():
        made.policy_head.bias += torch.where(torch.from_numpy(batch.masks[5]), 0.0, 5.0)
    same = Samples(*(array[5:6] for array in batch))
    one = student._gradient(same, 1)[0]
    with torch.no_grad():
        made.policy_head.bias -= torch.where(torch.from_numpy(batch.masks[5]), 0.0, 5.0)
    torch.testing.assert_close(one, student._gradient(same, 1)[0])
    assert torch.isfinite(gradient).all()


# ------------------------------------------------------------------ images of a board


@pytest.mark.parametrize("name", BOARDS)
def test_an_image_of_a_decision_is_what_the_image_of_the_position_shows(name: str) -> None:
    """Whole games played twice: as they were, and with every move in the place of its image."""
    game, board = get_game(name), board_of(name)
    assert board is not None
    size = game.observation_size(game.validate({}))
    observed, actions = board.permutations(size)
    assert len(observed) == len(actions) == (2 if name == "connect_four" else 8)
    assert len({tuple(image) for image in actions}) == len(actions)
    assert np.array_equal(observed[0], np.arange(size))
    rng = np.random.default_rng(0)
    for image, moves in zip(observed, actions, strict=True):
        place_of = np.argsort(moves)  # the image has at place i what was at place moves[i]
        for deal in range(6):
            position, mirrored = Position(game, {}, deal), Position(game, {}, deal)
            while (seat := position.current_player) is not None:
                assert np.array_equal(position.observe(seat)[image], mirrored.observe(seat))
                assert np.array_equal(position.action_mask()[moves], mirrored.action_mask())
                action = int(rng.choice(position.legal_actions()))
                position.apply(action)
                mirrored.apply(int(place_of[action]))
            assert position.returns().tolist() == mirrored.returns().tolist()


@pytest.mark.parametrize("name", BOARDS)
def test_the_learner_turns_observation_mask_and_policy_alike(name: str) -> None:
    """Each image as often: 600 draws of 2 or 8, five standard deviations either way; false alarm below 1e-5."""
    made, batch = network(name), some_decisions(name, 20)
    student, board = learner(made, name), board_of(name)
    assert board is not None
    observed, actions = board.permutations(made.shape.observation_size)
    rng = np.random.default_rng(2)
    one = Samples(*(np.repeat(array[11:12], 600, axis=0) for array in batch))
    found = student._image(one, rng)
    images = {
        (one.observations[0][image].tobytes(), one.masks[0][moves].tobytes(), one.policies[0][moves].tobytes())
        for image, moves in zip(observed, actions, strict=True)
    }
    assert len(images) == len(observed)  # the position has no symmetry of its own
    drawn = [
        (observation.tobytes(), mask.tobytes(), policy.tobytes())
        for observation, mask, policy in zip(found.observations, found.masks, found.policies, strict=True)
    ]
    assert set(drawn) == images
    expected = 600 / len(images)
    assert all(abs(drawn.count(image) - expected) < 5 * expected**0.5 for image in images)
    assert np.array_equal(found.values, one.values)
    plain = learner(network(name), name, symmetries=False)
    assert plain._image(one, rng) is one


# ------------------------------------------------------------------ learning


def taught(made: SearchNetwork, name: str, batch: Samples, threads: int = 1, steps: int = 250) -> LearningStatistics:
    student = learner(made, name, threads, learning_rate=1e-2, weight_decay=0.0, symmetries=False, minibatch=64)
    buffer = filled(batch, made)
    student.update(buffer, steps, 1, 0.0)
    return student.update(buffer, 1, 2, 1.0)


@pytest.mark.parametrize(("name", "seats"), [("kuhn_poker", 3), ("tic_tac_toe", 2)])
def test_a_network_comes_to_know_a_handful_of_decisions(name: str, seats: int) -> None:
    made, batch = network(name, seats, width=64), some_decisions(name, 6, seats)
    _, first = np.unique(batch.observations, axis=0, return_index=True)
    batch = Samples(*(array[first] for array in batch))
    statistics = taught(made, name, batch)
    assert statistics.divergence < 0.02
    assert statistics.value_loss < 0.01
    assert statistics.explained > 0.95
    with torch.inference_mode():
        logits, values = made(torch.from_numpy(batch.observations))
    policy = torch.softmax(logits.masked_fill(~torch.from_numpy(batch.masks), -torch.inf), dim=1)
    assert policy.numpy() == pytest.approx(batch.policies, abs=0.1)
    assert values.numpy() == pytest.approx(batch.values, abs=0.2)


def test_the_number_of_threads_makes_no_difference_to_a_large_minibatch() -> None:
    batch = some_decisions("tic_tac_toe", 1200)
    weights = []
    for threads in (1, 3):
        made = network("tic_tac_toe")
        student = learner(made, "tic_tac_toe", threads, minibatch=1024)
        student.update(filled(batch, made), 3, 1, 0.5)
        weights.append(student.optimiser.weights.detach().clone())
    assert torch.equal(weights[0], weights[1])


def test_without_decisions_nothing_is_learned() -> None:
    made = network("tic_tac_toe")
    student = learner(made, "tic_tac_toe")
    before = student.optimiser.weights.detach().clone()
    statistics = student.update(Buffer(10, 18, 9, 2), 5, 1, 0.0)
    assert statistics.steps == 0
    assert np.isnan(statistics.policy_loss)
    assert student.update(filled(some_decisions("tic_tac_toe", 3), made), 0, 1, 0.0).steps == 0
    assert torch.equal(student.optimiser.weights, before)
