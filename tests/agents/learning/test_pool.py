"""Past selves: files that never change, and how often each is met."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.agent import AgentError
from agents.learning.files import file_hash
from agents.learning.network import NetworkShape
from agents.learning.pool import MEMORY, Pool
from agents.ppo.network import PolicyNetwork

FACTS = {"game": "kuhn_poker", "game_version": 1, "options": {"num_players": 2}}
SHAPE = NetworkShape("residual", 8, 1, 5, 3, 1.0)


@pytest.fixture
def network() -> PolicyNetwork:
    made = PolicyNetwork(SHAPE)
    made.initialise(0)
    return made


def test_a_snapshot_is_a_file_of_its_own_that_learning_does_not_touch(tmp_path: Path, network: PolicyNetwork) -> None:
    pool = Pool(PolicyNetwork, tmp_path, 4, 2.0, 0)
    before = [parameter.detach().clone() for parameter in network.parameters()]
    snapshot = pool.add(network, 0, FACTS)
    loaded = pool.load(snapshot)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += 1.0
    assert file_hash(tmp_path / snapshot.file_name) == snapshot.hash
    for kept, own, again in zip(before, loaded.parameters(), pool.load(snapshot).parameters(), strict=True):
        assert torch.equal(kept, own)
        assert torch.equal(kept, again)
        assert not own.requires_grad


def test_equal_networks_are_equal_files(tmp_path: Path, network: PolicyNetwork) -> None:
    pool = Pool(PolicyNetwork, tmp_path, 4, 2.0, 0)
    assert pool.add(network, 0, {"a": 1, "b": 2}).hash == pool.add(network, 0, {"b": 2, "a": 1}).hash


def test_a_changed_file_is_refused(tmp_path: Path, network: PolicyNetwork) -> None:
    pool = Pool(PolicyNetwork, tmp_path, 4, 2.0, 0)
    snapshot = pool.add(network, 0, {})
    path = tmp_path / snapshot.file_name
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(AgentError, match="not what its name says"):
        pool.load(snapshot)


def test_a_full_pool_thins_itself_out_and_keeps_the_oldest(tmp_path: Path, network: PolicyNetwork) -> None:
    pool = Pool(PolicyNetwork, tmp_path, 4, 2.0, 0)
    for update in range(9):
        pool.add(network, update, {})
    updates = [snapshot.update for snapshot in pool.snapshots]
    assert updates == [0, 6, 8]
    assert len(list(tmp_path.iterdir())) == 9
    pool.remove_others({"none"})
    assert sorted(path.name for path in tmp_path.iterdir()) == [s.file_name for s in pool.snapshots]


def test_the_hardest_are_met_most_and_nobody_is_forgotten(tmp_path: Path, network: PolicyNetwork) -> None:
    """Win rates of 90, 50 and 10 %: weights 0.01, 0.25 and 0.81, and 0.01 more for each.

    The bounds are five standard errors wide; the drawings are fixed.
    """
    pool = Pool(PolicyNetwork, tmp_path, 4, 2.0, 0)
    for update, rate in enumerate((0.9, 0.5, 0.1)):
        snapshot = pool.add(network, update, {})
        snapshot.games, snapshot.share = 1e9, rate * 1e9
    drawn = Counter(pool.draw(number).update for number in range(3000))
    weights = np.array([0.02, 0.26, 0.82])
    for update, share in enumerate(weights / weights.sum()):
        error = (share * (1 - share) / 3000) ** 0.5
        assert abs(drawn[update] / 3000 - share) < 5 * error
    assert [pool.draw(number).update for number in range(20)] == [pool.draw(number).update for number in range(20)]


def test_without_priority_all_are_met_alike(tmp_path: Path, network: PolicyNetwork) -> None:
    pool = Pool(PolicyNetwork, tmp_path, 4, 0.0, 0)
    for update in range(3):
        pool.add(network, update, {}).games = 100.0 * update
    drawn = Counter(pool.draw(number).update for number in range(3000))
    assert all(abs(drawn[update] / 3000 - 1 / 3) < 5 * (2 / 9 / 3000) ** 0.5 for update in range(3))


def test_results_add_up_and_fade(tmp_path: Path, network: PolicyNetwork) -> None:
    pool = Pool(PolicyNetwork, tmp_path, 4, 2.0, 0)
    snapshot = pool.add(network, 0, {})
    assert snapshot.win_rate == 0.5
    pool.record(snapshot, 10, 10)
    assert snapshot.win_rate == pytest.approx(10.5 / 11)
    for _ in range(100):
        pool.record(snapshot, MEMORY, 0)
    assert snapshot.win_rate < 0.001
    assert snapshot.games < 2 * MEMORY


def test_a_restored_pool_is_the_same(tmp_path: Path, network: PolicyNetwork) -> None:
    pool, twin = Pool(PolicyNetwork, tmp_path, 4, 2.0, 0), Pool(PolicyNetwork, tmp_path, 4, 2.0, 0)
    for update in range(3):
        pool.record(pool.add(network, update, {}), 5, update)
    twin.restore(pool.to_json())
    assert twin.to_json() == pool.to_json()
    assert [twin.draw(number).update for number in range(30)] == [pool.draw(number).update for number in range(30)]
