"""The agent `ppo`: from a checkpoint, always legal, and the same policy everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from safetensors.numpy import save

from agents.agent import AgentError
from agents.learning.checkpoint import game_facts, write_agent
from agents.learning.config import NetworkSettings
from agents.learning.files import read, write
from agents.learning.network import NetworkShape
from agents.learning.policy import choose
from agents.ppo import PpoAgent, PpoConfig
from agents.ppo.config import AGENT
from agents.ppo.network import PolicyNetwork
from agents.registry import agent_config, make_agent
from envs.catalog import get_game
from envs.errors import KontorError
from envs.position import Position
from envs.view import View
from experiments.config import load_experiment


def checkpoint(path: Path, name: str, seed: int = 0, gain: float = 1.0, **options: Any) -> Path:
    """An agent file of an untrained network; `gain` makes its policy more decided."""
    game = get_game(name)
    complete = game.validate(options)
    network = PolicyNetwork(NetworkShape.of(NetworkSettings(width=16), game, complete))
    network.initialise(seed)
    with torch.no_grad():
        network.policy_head.weight *= gain
    write_agent(path, network, game_facts(game, complete))
    return path


def agent(path: Path, name: str, seed: int = 0, options: dict[str, Any] | None = None, **settings: Any) -> PpoAgent:
    made = make_agent(
        agent_config("ppo", checkpoint=str(path), **settings),
        get_game(name),
        options or {},
        np.random.default_rng(seed),
    )
    assert isinstance(made, PpoAgent)
    return made


@pytest.mark.parametrize(
    ("name", "options"),
    [("leduc_poker", {"num_players": 3}), ("connect_four", {}), ("fuerstenfeld", {"num_players": 2})],
)
def test_an_untrained_network_never_plays_an_illegal_action(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    """3,500 moves of each game, greedy and drawn, by the policy of a network that knows nothing."""
    path = checkpoint(tmp_path / "net.safetensors", name, gain=300.0, **options)
    temperatures = (0.0, 1.0, 3.0)
    players = [agent(path, name, seed, options, temperature=t) for seed, t in enumerate(temperatures)]
    moves = seed = 0
    while moves < 3500:
        position = Position(get_game(name), options, seed)
        seed += 1
        while (seat := position.current_player) is not None and moves < 3500:
            position.apply(players[moves % 3].act(View(position, seat)))  # refuses what is illegal
            moves += 1


def test_it_chooses_as_training_does(tmp_path: Path) -> None:
    """The same observation, mask, temperature and random bits: the same action as the rollouts' kernel."""
    path = checkpoint(tmp_path / "net.safetensors", "connect_four", gain=100.0)
    player, twin = agent(path, "connect_four", 7, temperature=0.7), np.random.default_rng(7)
    position = Position(get_game("connect_four"))
    for _ in range(6):
        view = View(position, position.current_player or 0)
        with torch.inference_mode():
            logits = player.network(torch.from_numpy(view.observation[None]))[0].numpy()[0]
        key = int(twin.integers(1 << 63, size=1)[0])
        action = player.act(view)
        assert action == choose(logits, view.action_mask, 0.7, key)[0]
        position.apply(action)


def test_the_same_seed_plays_the_same_and_a_batch_is_as_good_as_single_calls(tmp_path: Path) -> None:
    path = checkpoint(tmp_path / "net.safetensors", "leduc_poker")
    views = []
    for seed in range(20):
        position = Position(get_game("leduc_poker"), {}, seed)
        views.append(View(position, position.current_player or 0))
    single = agent(path, "leduc_poker", 3, temperature=1.0)
    batch = agent(path, "leduc_poker", 3, temperature=1.0)
    other = agent(path, "leduc_poker", 4, temperature=1.0)
    assert [single.act(view) for view in views] == batch.act_batch(views) != other.act_batch(views)


def test_a_checkpoint_for_something_else_is_refused(tmp_path: Path) -> None:
    path = checkpoint(tmp_path / "net.safetensors", "leduc_poker", num_players=3)
    assert agent(path, "leduc_poker", options={"num_players": 3})
    with pytest.raises(AgentError, match=r"net\.safetensors: it was trained for 3 players"):
        agent(path, "leduc_poker")
    with pytest.raises(AgentError, match="it was trained for leduc_poker"):
        agent(path, "kuhn_poker")
    with pytest.raises(AgentError, match=r"none\.safetensors: there is no such file"):
        agent(tmp_path / "none.safetensors", "leduc_poker")
    (tmp_path / "text.safetensors").write_text("no weights at all, but some words that are long enough")
    with pytest.raises(AgentError, match=r"text\.safetensors: is no checkpoint"):
        agent(tmp_path / "text.safetensors", "leduc_poker")


def test_an_agent_file_that_lacks_something_is_refused(tmp_path: Path) -> None:
    arrays, facts = read(checkpoint(tmp_path / "net.safetensors", "kuhn_poker"), AGENT)
    path = tmp_path / "bad.safetensors"
    for missing in ("game", "network"):
        write(path, AGENT, arrays, {name: fact for name, fact in facts.items() if name != missing})
        with pytest.raises(AgentError, match=rf"bad\.safetensors: is a damaged .* does not say its {missing}"):
            agent(path, "kuhn_poker")
    write(path, AGENT, {name: array[:1] for name, array in arrays.items()}, facts)
    with pytest.raises(AgentError, match=r"bad\.safetensors: is a damaged agent file"):
        agent(path, "kuhn_poker")


@pytest.mark.parametrize("facts", [[1], "x", 5])
def test_a_file_whose_facts_are_no_facts_is_refused(tmp_path: Path, facts: Any) -> None:
    path = tmp_path / "bad.safetensors"
    path.write_bytes(save({"weights": np.zeros(1, np.float32)}, {"kontor": json.dumps(facts)}))
    with pytest.raises(AgentError, match=r"bad\.safetensors: is no kontor ppo agent but some other file"):
        agent(path, "kuhn_poker")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network": {"depth": 10**9}}, "no such network is ever trained"),
        ({"network": {"width": "x"}}, "no such network is ever trained"),
        ({"network": [1]}, "no such network is ever trained"),
        ({"options": [1]}, "no such network is ever trained"),
        ({"options": {}}, "does not say its num_players"),
    ],
)
def test_a_file_with_an_absurd_network_is_refused_at_once(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    arrays, facts = read(checkpoint(tmp_path / "net.safetensors", "kuhn_poker"), AGENT)
    [(key, change)] = changes.items()
    new = {**facts["network"], **change} if key == "network" and isinstance(change, dict) else change
    write(tmp_path / "bad.safetensors", AGENT, arrays, {**facts, key: new})
    with pytest.raises(AgentError, match=rf"bad\.safetensors: is a damaged agent file: .*{message}"):
        agent(tmp_path / "bad.safetensors", "kuhn_poker")


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    arrays, facts = read(checkpoint(tmp_path / "net.safetensors", "kuhn_poker"), AGENT)
    broken = {name: np.full_like(array, np.nan) for name, array in arrays.items()}
    write(tmp_path / "bad.safetensors", AGENT, broken, facts)
    with pytest.raises(AgentError, match="not all of its weights are finite"):
        agent(tmp_path / "bad.safetensors", "kuhn_poker")


@pytest.mark.parametrize("kind", ["ppo", "mcts"])
def test_a_config_may_list_several_checkpoints(tmp_path: Path, kind: str) -> None:
    net = str(checkpoint(tmp_path / "net.safetensors", "leduc_poker"))
    other = str(checkpoint(tmp_path / "other.safetensors", "tic_tac_toe"))
    player = {"type": kind, "checkpoint": [other, net]} | ({"rollout": "network"} if kind == "mcts" else {})
    agents = {"player": player, "random": {"type": "random"}}
    path = tmp_path / "duel.yaml"
    path.write_text(yaml.safe_dump({"games": [{"game": "leduc_poker"}], "agents": agents}))
    config = load_experiment(path).agents["player"]
    assert config.model_dump()["checkpoint"] == (other, net)
    assert config.model_dump()["weights"]
    path.write_text(
        yaml.safe_dump(
            {"games": [{"game": "leduc_poker"}], "agents": {**agents, "player": {**player, "checkpoint": []}}}
        )
    )
    with pytest.raises(KontorError, match=r"agents\.player\.checkpoint is \[\]"):
        load_experiment(path)


def test_of_several_checkpoints_the_one_that_fits_plays(tmp_path: Path) -> None:
    paths = tuple(
        str(checkpoint(tmp_path / f"{players}.safetensors", "leduc_poker", players, num_players=players))
        for players in (2, 3)
    )
    for players in (2, 3):
        made = make_agent(
            agent_config("ppo", checkpoint=paths),
            get_game("leduc_poker"),
            {"num_players": players},
            np.random.default_rng(0),
        )
        assert isinstance(made, PpoAgent)
        assert made.facts["options"]["num_players"] == players


def test_the_folder_of_a_training_stands_for_its_best_or_latest(tmp_path: Path) -> None:
    for seed, name in enumerate(("best", "latest")):
        checkpoint(tmp_path / f"{name}.safetensors", "kuhn_poker", seed)
    weights = {
        name: agent(tmp_path, "kuhn_poker", choose=name).network.value_head.weight.sum().item()
        for name in ("best", "latest")
    }
    assert agent(tmp_path, "kuhn_poker").network.value_head.weight.sum().item() == weights["best"] != weights["latest"]


def test_settings_name_the_weights_and_other_weights_are_refused(tmp_path: Path) -> None:
    """So a tournament that goes on with another network in the same file is another tournament."""
    path = checkpoint(tmp_path / "net.safetensors", "kuhn_poker")
    config = agent_config("ppo", checkpoint=str(path))
    assert isinstance(config, PpoConfig)
    assert config.weights is not None
    assert PpoConfig.model_validate_json(config.model_dump_json(), strict=True) == config
    checkpoint(path, "kuhn_poker", seed=1)
    assert agent_config("ppo", checkpoint=str(path)) != config
    with pytest.raises(AgentError, match=f"no longer the one with weights {config.weights}"):
        make_agent(config, get_game("kuhn_poker"), {}, np.random.default_rng(0))


def test_an_agent_can_be_saved_and_loaded(tmp_path: Path) -> None:
    first = agent(checkpoint(tmp_path / "a.safetensors", "kuhn_poker", 0), "kuhn_poker")
    second = agent(checkpoint(tmp_path / "b.safetensors", "kuhn_poker", 1), "kuhn_poker")
    first.save(tmp_path / "c.safetensors")
    second.load(tmp_path / "c.safetensors")
    for own, other in zip(first.network.parameters(), second.network.parameters(), strict=True):
        assert torch.equal(own, other)


@pytest.mark.parametrize("settings", [{}, {"checkpoint": "x", "train": {}}])
def test_it_needs_either_a_checkpoint_or_a_training(settings: dict[str, Any]) -> None:
    with pytest.raises(AgentError, match="either a checkpoint or train"):
        agent_config("ppo", **settings).check(get_game("kuhn_poker"), {"num_players": 2})


def test_an_agent_to_be_trained_is_checked_but_does_not_play_yet() -> None:
    game, options = get_game("kuhn_poker"), {"num_players": 2}
    config = agent_config("ppo", train={"steps": 10})
    assert config.needs_training
    config.check(game, options)
    with pytest.raises(AgentError, match="is to be trained first"):
        make_agent(config, game, options, np.random.default_rng(0))
    with pytest.raises(AgentError, match="train"):
        agent_config("ppo", train={"stepps": 10})
    wrong = agent_config("ppo", train={"opponents": {"fixed": [{"agent": {"type": "greedy"}, "share": 0.1}]}})
    with pytest.raises(AgentError, match=r"opponents\.fixed\.0: kuhn_poker has no rule of thumb"):
        wrong.check(game, options)


def test_torch_is_not_imported_before_a_network_is_needed() -> None:
    """Looking agents up, checking settings and playing without `ppo` start fast."""
    code = (
        "import sys; from agents.registry import agent_config, agent_names; import experiments.cli, experiments.train; "
        "agent_names(); agent_config('ppo', train={'steps': 10}); print('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
