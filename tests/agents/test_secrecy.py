"""No agent knows more than its seat: pure chance cannot be beaten, and hidden cards change no move."""

import numpy as np
import pytest

from agents.learning.trainer import one_torch_thread
from agents.registry import agent_config
from envs.catalog import get_game
from envs.position import Position
from envs.view import View
from tests.agents.alphazero.networks import checkpoint
from tests.agents.games import coins, leaky_coins
from tests.agents.play import make, play_game, shares

FIELD = {
    "random": agent_config("random"),
    "greedy, looking at its sample's coin": agent_config("greedy"),
    "mcts": agent_config("mcts", iterations=30),
    "mcts, greedy rollouts": agent_config("mcts", iterations=30, rollout="greedy"),
    "mcts, led by the rule of thumb, cut": agent_config(
        "mcts", iterations=30, selection="puct", rollout="greedy", depth=1
    ),
}

GAMES = 2000
STANDARD_ERROR = 0.5 / GAMES**0.5
"""At most: a game is worth 1, a half or 0."""


@pytest.mark.parametrize("name", FIELD)
def test_no_agent_beats_pure_chance(name):
    """False alarm at four standard errors, one-sided: one run in 30,000."""
    found = shares(coins(), {}, FIELD[name], agent_config("random"), GAMES // 2)
    assert len(found) == GAMES
    assert abs(found.mean() - 0.5) < 4 * STANDARD_ERROR


def test_an_agent_that_is_dealt_the_hidden_coin_is_caught():
    found = shares(leaky_coins(), {}, FIELD["mcts"], agent_config("random"), 100)
    assert found.mean() > 0.5 + 4 * 0.5 / len(found) ** 0.5


def test_neither_does_a_search_that_a_network_leads(tmp_path):
    """As above, with 600 games; where it is dealt the hidden coin, it is caught as well."""
    found = {}
    for game in (coins(), leaky_coins()):
        path = checkpoint(tmp_path / f"{game.name}.safetensors", game.name, gain=1.0)
        config = agent_config("alphazero", checkpoint=str(path), iterations=24)
        with one_torch_thread():
            found[game.name] = shares(game, {}, config, agent_config("random"), 300).mean() - 0.5
    assert abs(found["coins"]) < 4 * 0.5 / 600**0.5 < found["leaky_coins"]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("leduc_poker", {"iterations": 100}),
        ("fuerstenfeld", {"iterations": 30}),
        ("fuerstenfeld", {"iterations": 30, "selection": "ucb1", "rollout": "evaluate"}),
    ],
    ids=str,
)
def test_the_move_is_the_same_when_the_hidden_cards_are_others(name, settings):
    game = get_game(name)
    config = agent_config("mcts", **settings)
    rng = np.random.default_rng(0)
    for deal in range(10):
        position = Position(game, {}, deal)
        for _ in range(int(rng.integers(4 if name == "leduc_poker" else 60))):
            if not position.is_over:
                position.apply(int(rng.choice(position.legal_actions())))
        if position.is_over:
            continue
        seat = position.current_player
        reports = []
        for other in (position, position.determinize(seat, int(rng.integers(1 << 62)))):
            agent = make(config, game, {}, deal)
            reports.append(agent.search_report(View(other, seat)).actions)
        assert reports[0] == reports[1]


def test_agents_share_nothing_whoever_else_plays_beside_them():
    """Each seat's moves are the same, game by game alone, or in three games whose turns are mixed."""
    game = get_game("connect_four")
    configs = [agent_config("mcts", iterations=40), agent_config("mcts", iterations=40, rollout="greedy")]
    alone = [play_game(game, {}, configs, deal).tobytes() for deal in range(3)]
    positions = [Position(game, {}, deal) for deal in range(3)]
    agents = [[make(config, game, {}, (0, deal, seat)) for seat, config in enumerate(configs)] for deal in range(3)]
    while any(not position.is_over for position in positions):
        for position, players in zip(positions, agents, strict=True):
            if (seat := position.current_player) is not None:
                position.apply(players[seat].act(View(position, seat)))
    assert [position.tobytes() for position in positions] == alone
    trees = [player._jobs[0].tree for players in agents for player in players]
    for number, tree in enumerate(trees):
        for other in trees[:number]:
            assert not any(np.shares_memory(mine, theirs) for mine in tree for theirs in other)
