"""The agent `alphazero`: legal in every game, true to its budget, and blind to what its seat cannot know."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.agent import AgentError
from agents.alphazero import agent as agent_module
from agents.alphazero import search as search_module
from agents.alphazero.agent import AlphaZeroAgent
from agents.alphazero.network import SearchNetwork, network_shape
from agents.learning.checkpoint import game_facts, write_agent
from agents.learning.config import NetworkSettings
from agents.learning.files import agent_file_kind, read, write
from agents.learning.policy import choose
from agents.registry import agent_config, make_agent
from envs.catalog import game_names, get_game
from envs.position import Position
from envs.view import View
from tests.agents.alphazero.networks import agent, checkpoint
from tests.agents.mcts.searching import after_random_moves, visits
from tests.agents.ppo.test_agent import checkpoint as ppo_checkpoint

AGENT = agent_file_kind("alphazero")


def view_of(position: Position) -> View:
    assert position.current_player is not None
    return View(position, position.current_player)


@pytest.fixture
def four(tmp_path: Path) -> Path:
    """A network for Connect Four."""
    return checkpoint(tmp_path / "four.safetensors", "connect_four")


@pytest.fixture
def leduc(tmp_path: Path) -> Path:
    """A network for Leduc poker."""
    return checkpoint(tmp_path / "leduc.safetensors", "leduc_poker")


# ------------------------------------------------------------------ games


def tables() -> list[tuple[str, int]]:
    """Every game with the fewest players, and with three where there can be three."""
    found = []
    for name in game_names():
        game = get_game(name)
        for players in sorted({game.min_players, 3}):
            if game.min_players <= players <= game.max_players:
                found.append((name, players))
    return found


@pytest.mark.parametrize(("name", "players"), tables())
def test_it_plays_a_whole_game_of_every_game_legally(tmp_path: Path, name: str, players: int) -> None:
    """Each seat in its own way: by search, by the policy alone, at a temperature."""
    options = {"num_players": players}
    path = checkpoint(tmp_path / "net.safetensors", name, **options)
    position = Position(get_game(name), options, 1)
    ways: list[dict[str, Any]] = [{"iterations": 3}, {"iterations": 4, "temperature": 1.0, "leaves": 2}, {}]
    ways[2] = {"iterations": 0, "temperature": 2.0}
    agents = [agent(path, name, seat, options, **ways[seat % 3]) for seat in range(players)]
    while (seat := position.current_player) is not None:
        position.apply(agents[seat].act(View(position, seat)))  # refuses what is illegal
    assert position.is_over


@pytest.mark.parametrize("name", ["connect_four", "leduc_poker"])
def test_the_same_seed_plays_the_same(tmp_path: Path, name: str) -> None:
    path = checkpoint(tmp_path / "net.safetensors", name, gain=1.0)
    games = []
    for seed in (0, 0, 1):
        position = Position(get_game(name), {}, 4)
        agents = [agent(path, name, (seed, seat), iterations=12, temperature=1.0) for seat in range(2)]  # type: ignore[arg-type]
        actions = []
        while (seat := position.current_player) is not None:
            actions.append(agents[seat].act(View(position, seat)))
            position.apply(actions[-1])
        games.append(actions)
    assert games[0] == games[1] != games[2]


# ------------------------------------------------------------------ what it does


@pytest.mark.parametrize("iterations", [0, 5, 40])
@pytest.mark.parametrize("name", ["connect_four", "leduc_poker"])
def test_it_plays_what_its_report_says(tmp_path: Path, name: str, iterations: int) -> None:
    path = checkpoint(tmp_path / "net.safetensors", name)
    for deal in range(4):
        view = view_of(after_random_moves(get_game(name), {}, deal, deal))
        player = agent(path, name, iterations=iterations)
        action = player.act(view)
        report = player.search_report(view)
        assert report.actions[0].action == report.principal_variation[0] == action
        assert player.search_report(view) is report  # the same search, not another one
        assert report.iterations == sum(visits(report).values()) == iterations
        assert sorted(visits(report)) == view.legal_actions()
        assert sum(entry.prior for entry in report.actions) == pytest.approx(1.0, abs=1e-5)
        assert report.seat == view.seat


def test_without_iterations_the_policy_plays(four: Path) -> None:
    """The same network, mask, temperature and random bits: the same action as the policy's kernel."""
    for temperature in (0.0, 0.8):
        player, twin = agent(four, "connect_four", 7, iterations=0, temperature=temperature), np.random.default_rng(7)
        position = Position(get_game("connect_four"))
        for _ in range(6):
            view = view_of(position)
            with torch.inference_mode():
                logits = player.network(torch.from_numpy(view.observation[None]))[0].numpy()[0]
            action = player.act(view)
            key = int(twin.integers(1 << 63, size=1)[0])
            assert action == choose(logits, view.action_mask, temperature, key)[0]
            position.apply(action)


def test_at_a_temperature_it_draws_by_visits_to_the_power_of_its_inverse(tmp_path: Path) -> None:
    """400 draws from what one search found; false alarm of any of 7 counts at five deviations below 1e-5."""
    path = checkpoint(tmp_path / "net.safetensors", "connect_four", gain=1.0)
    for temperature in (0.5, 2.0):
        player = agent(path, "connect_four", iterations=60, temperature=temperature)
        view = view_of(Position(get_game("connect_four")))
        seen = visits(player.search_report(view))
        weights = np.array([seen[action] for action in range(7)]) ** (1 / temperature)
        shares = weights / weights.sum()
        drawn = np.bincount([player.act(view) for _ in range(400)], minlength=7)
        assert (np.abs(drawn - 400 * shares) <= 5 * np.sqrt(400 * shares * (1 - shares)) + 1e-9).all()
        assert len(set(seen.values())) > 1


@pytest.mark.parametrize("players", [2, 3])
def test_the_estimate_without_a_search_is_the_network_s_turned_to_the_seats(tmp_path: Path, players: int) -> None:
    options = {"num_players": players}
    path = checkpoint(tmp_path / "net.safetensors", "kuhn_poker", **options)
    player = agent(path, "kuhn_poker", options=options, iterations=0)
    position, seats = Position(get_game("kuhn_poker"), options, 3), set()
    while position.current_player is not None:
        view = view_of(position)
        with torch.inference_mode():
            values = player.network(torch.from_numpy(view.observation[None]))[1].numpy()[0]
        scale = player.network.shape.value_scale
        assert scale > 1
        found = player.estimate(view)
        for place in range(players):  # value i is that of the i-th seat from the one to act
            assert found[(view.seat + place) % players] == pytest.approx(values[place] * scale, rel=1e-5)
        seats.add(view.seat)
        position.apply(view.legal_actions()[0])
    assert seats == set(range(players))


def test_the_estimate_of_a_search_is_the_mean_of_its_simulations(leduc: Path, four: Path) -> None:
    for path, name in ((leduc, "leduc_poker"), (four, "connect_four")):
        view = view_of(after_random_moves(get_game(name), {}, 1, 1))
        assert view.seat == 1
        player = agent(path, name, iterations=50)
        found, report = player.estimate(view), player.search_report(view)
        for seat in range(2):
            mean = sum(entry.visits * entry.values[seat] for entry in report.actions) / 50
            assert found[seat] == pytest.approx(mean)
    won = Position(get_game("connect_four"))
    for column in (0, 1, 0, 1, 0, 1):
        won.apply(column)
    found = agent(four, "connect_four", iterations=200, search={"root": "puct"}).estimate(view_of(won))
    assert found[0] > 0.5 > -0.5 > found[1]


def test_it_searches_as_in_training_unless_it_is_told_otherwise(tmp_path: Path) -> None:
    """PUCT with no exploration follows the greatest value; Gumbel with one action considered looks at nothing else."""
    path = checkpoint(tmp_path / "net.safetensors", "connect_four", gain=1.0, search={"considered": 1})
    view = view_of(Position(get_game("connect_four")))
    as_trained = visits(agent(path, "connect_four", iterations=30).search_report(view))
    assert sorted(as_trained.values())[-1] == 30
    told = visits(agent(path, "connect_four", iterations=30, search={"considered": 4}).search_report(view))
    assert sum(count > 0 for count in told.values()) == 4
    other = visits(agent(path, "connect_four", iterations=30, search={"root": "puct"}).search_report(view))
    assert sum(count > 0 for count in other.values()) > 4


# ------------------------------------------------------------------ trees that are kept


def test_a_tree_is_kept_from_move_to_move_only_where_that_is_sound_and_wanted(four: Path, leduc: Path) -> None:
    for path, name, reuse, expected in (
        (four, "connect_four", True, True),
        (four, "connect_four", False, False),
        (leduc, "leduc_poker", True, False),
    ):
        position, player = Position(get_game(name), {}, 2), agent(path, name, iterations=60, reuse=reuse)
        first = player.search_report(view_of(position))
        assert first.reused == 0
        for action in first.principal_variation[:2]:
            position.apply(action)
        assert (player.search_report(view_of(position)).reused > 0) == expected


def test_without_anything_to_keep_a_search_is_the_same_with_and_without(four: Path) -> None:
    views = [view_of(after_random_moves(get_game("connect_four"), {}, deal, 9 - 3 * deal)) for deal in range(4)]
    kept, fresh = (agent(four, "connect_four", 5, iterations=40, reuse=reuse) for reuse in (True, False))
    for view in views:  # of different games: no position follows from the one before
        one, other = kept.search_report(view), fresh.search_report(view)
        assert one.reused == other.reused == 0
        assert one.actions == other.actions


def test_a_win_is_found_from_a_kept_tree_as_from_a_fresh_one(four: Path) -> None:
    position = Position(get_game("connect_four"))
    for column in (0, 1, 0, 1):
        position.apply(column)
    search = {"root": "puct"}
    kept, fresh = (agent(four, "connect_four", iterations=300, reuse=reuse, search=search) for reuse in (True, False))
    kept.act(view_of(position))
    for column in (0, 6):
        position.apply(column)
    view = view_of(position)
    assert kept.act(view) == fresh.act(view) == 0
    assert kept.search_report(view).reused > 0


# ------------------------------------------------------------------ the clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A clock that goes on by so much for each call of the network, as the searches see it."""

    class Counted:
        now = 100.0
        a_call = 0.0
        calls = 0

    def counted(self: Any, observations: Any, masks: Any) -> Any:
        Counted.now += Counted.a_call
        Counted.calls += 1
        return judged(self, observations, masks)

    from agents.alphazero.network import Evaluator

    judged = Evaluator.__call__
    monkeypatch.setattr(Evaluator, "__call__", counted)
    for module in (agent_module, search_module):
        monkeypatch.setattr(module, "perf_counter", lambda: Counted.now)
    return Counted


@pytest.mark.parametrize("root", ["gumbel", "puct"])
@pytest.mark.parametrize(("seconds", "a_call"), [(0.01, 1e-4), (0.05, 1e-4), (0.05, 2e-3), (0.002, 5e-3)])
def test_a_search_by_the_clock_keeps_to_its_time(
    clock: Any, four: Path, root: str, seconds: float, a_call: float
) -> None:
    clock.a_call = 1e-4
    player = agent(four, "connect_four", seconds=seconds, search={"root": root})
    view = view_of(Position(get_game("connect_four")))
    started, clock.a_call = clock.now, a_call
    action = player.act(view)
    spent = clock.now - started
    assert spent <= max(seconds, a_call) + 1e-9  # the root is judged in any case
    assert spent >= seconds - 1.1 * a_call
    report = player.search_report(view)
    assert report.seconds == pytest.approx(spent)
    assert action == report.actions[0].action
    assert (report.iterations > 0) == (seconds > a_call)


def test_by_the_clock_the_root_is_searched_as_the_settings_have_it(clock: Any, four: Path) -> None:
    """Gumbel's halving shares out as many simulations as there will be: few actions get nearly all."""
    clock.a_call = 1e-4
    view = view_of(Position(get_game("connect_four")))
    found = {}
    for root in ("gumbel", "puct"):
        search = {"root": root, "considered": 4}
        player = agent(four, "connect_four", seconds=0.05, search=search, leaves=4)
        found[root] = sorted(visits(player.search_report(view)).values())
    assert found["gumbel"][:3] == [0, 0, 0]  # so many are not considered
    assert found["gumbel"][3] > 0
    assert found["gumbel"][3] == pytest.approx(found["gumbel"][4], abs=4)
    assert found["gumbel"][-1] > 2 * found["gumbel"][3]
    assert found["puct"][0] > 0


@pytest.mark.parametrize("root", ["gumbel", "puct"])
def test_warming_up_compiles_all_that_a_move_takes_and_leaves_no_trace(
    clock: Any, four: Path, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.a_call = 1e-4
    called = []
    for name in ("begin_all", "gather_all", "deliver", "expect", "locate", "keep", "read_out"):
        true = getattr(search_module, name)
        monkeypatch.setattr(
            search_module, name, lambda *given, name=name, true=true: (called.append(name), true(*given))[1]
        )
    player = agent(four, "connect_four", 3, seconds=0.01, search={"root": root})
    compiled = {"begin_all", "gather_all", "deliver", "locate", "keep", "read_out"}
    assert set(called) == compiled | ({"expect"} if root == "gumbel" else set())
    view = view_of(Position(get_game("connect_four")))
    report = player.search_report(view)
    assert report.reused == 0
    monkeypatch.setattr(AlphaZeroAgent, "_warm_up", lambda self: None)
    cold = agent(four, "connect_four", 3, seconds=0.01, search={"root": root})
    assert cold.search_report(view).actions == report.actions


def test_there_is_a_move_even_if_the_time_is_up_before_the_search_begins(leduc: Path) -> None:
    position = after_random_moves(get_game("leduc_poker"), {}, 2, 1)
    player = agent(leduc, "leduc_poker", seconds=1e-9)
    view = view_of(position)
    assert player.act(view) in position.legal_actions()
    estimate, report = player.estimate(view), player.search_report(view)
    assert report.iterations == 0
    assert estimate.any()  # the network's word, where no simulation has any


def test_the_policy_alone_reports_no_visits_however_often_it_is_asked(four: Path) -> None:
    player, position = agent(four, "connect_four", iterations=0), Position(get_game("connect_four"))
    for _ in range(3):
        report = player.search_report(view_of(position))
        assert (report.iterations, report.reused) == (0, 0)
        assert not any(entry.visits for entry in report.actions)


@pytest.mark.parametrize("settings", [{"iterations": 0}, {"iterations": 10}])
def test_iterations_and_seconds_together_are_refused(four: Path, settings: dict[str, Any]) -> None:
    with pytest.raises(AgentError, match=r"^agent alphazero takes iterations or seconds, not both$"):
        agent(four, "connect_four", seconds=1.0, **settings)
    config = agent_config("alphazero", checkpoint=str(four), seconds=1.0, **settings)
    with pytest.raises(AgentError, match="not both"):
        config.check(get_game("connect_four"), {"num_players": 2})
    assert agent_config("alphazero", checkpoint=str(four), seconds=1.0).is_timed
    assert not agent_config("alphazero", checkpoint=str(four), iterations=5).is_timed
    assert agent_config("alphazero", checkpoint=str(four)).smallest().model_dump()["iterations"] == 1


# ------------------------------------------------------------------ what is refused


def refusal(path: Path, name: str, options: dict[str, Any] | None = None, **settings: Any) -> str:
    with pytest.raises(AgentError) as error:
        agent(path, name, options=options, **settings)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_checkpoint_for_something_else_is_refused_in_a_line(tmp_path: Path, leduc: Path) -> None:
    assert refusal(leduc, "kuhn_poker").endswith("leduc.safetensors: it was trained for leduc_poker")
    assert refusal(leduc, "leduc_poker", {"num_players": 3}).endswith("it was trained for 2 players")
    assert refusal(tmp_path / "none.safetensors", "leduc_poker").endswith("none.safetensors: there is no such file")
    with pytest.raises(AgentError, match="either a checkpoint or train"):
        agent_config("alphazero").check(get_game("kuhn_poker"), {"num_players": 2})


def test_networks_of_ppo_and_alphazero_are_not_taken_for_one_another(tmp_path: Path, four: Path) -> None:
    other = ppo_checkpoint(tmp_path / "ppo.safetensors", "connect_four")
    assert refusal(other, "connect_four").endswith("is no kontor alphazero agent but kontor ppo agent")
    with pytest.raises(AgentError, match=r"^[^\n]*: is no kontor ppo agent but kontor alphazero agent$"):
        make_agent(agent_config("ppo", checkpoint=str(four)), get_game("connect_four"), {}, np.random.default_rng(0))


def test_a_file_that_does_not_say_how_to_search_or_of_all_seats_is_refused(tmp_path: Path, leduc: Path) -> None:
    arrays, facts = read(leduc, AGENT)
    bare = tmp_path / "bare.safetensors"
    for settings in (None, {}, {"search": {"root": "none"}}, {"search": 5}):
        write(bare, AGENT, arrays, {**facts, "settings": settings})
        assert "does not say how to search: give `search`" in refusal(bare, "leduc_poker", iterations=2)
    view = view_of(Position(get_game("leduc_poker")))
    assert agent(bare, "leduc_poker", iterations=2, search={}).act(view) in view.legal_actions()
    game, options = get_game("leduc_poker"), {"num_players": 2}
    shape = network_shape(NetworkSettings(width=8), game, options)
    own_alone = SearchNetwork(dataclasses.replace(shape, values=1))
    own_alone.initialise(0)
    write_agent(bare, own_alone, {**game_facts(game, options), "settings": facts["settings"]})
    assert refusal(bare, "leduc_poker") == "agent alphazero: the checkpoint has 1 values for 2 seats"


def test_settings_that_need_a_rule_of_thumb_are_refused_where_there_is_none(leduc: Path) -> None:
    assert "has no rule of thumb" in refusal(leduc, "leduc_poker", search={"rollout_share": 0.5})


def test_a_training_is_checked_before_anything_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    game, options = get_game("kuhn_poker"), {"num_players": 2}
    config = agent_config("alphazero", train={"steps": 10})
    assert config.needs_training
    config.check(game, options)
    with pytest.raises(AgentError, match="is to be trained first"):
        make_agent(config, game, options, np.random.default_rng(0))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for train, message in (
        ({"network": {"kind": "convolution"}}, "there is no board declared for kuhn_poker"),
        ({"search": {"thumb_share": 0.1}}, "kuhn_poker has no rule of thumb"),
        ({"device": "cuda"}, "device cuda: torch finds no GPU here"),
        ({"evaluation": {"field": {"a": {"type": "greedy"}}}}, r"evaluation\.field\.a: kuhn_poker has no"),
    ):
        with pytest.raises(AgentError, match=message):
            agent_config("alphazero", train=train).check(game, options)
    agent_config("alphazero", train={"device": "auto"}).check(game, options)


def test_an_agent_can_be_saved_and_loaded_and_then_plays_by_the_other_network(tmp_path: Path) -> None:
    one, other = (checkpoint(tmp_path / f"{seed}.safetensors", "connect_four", seed) for seed in range(2))
    view = view_of(Position(get_game("connect_four")))
    first, second = (agent(path, "connect_four", iterations=20) for path in (one, other))
    expected = agent(one, "connect_four", 1, iterations=20).search_report(view).actions
    assert second.search_report(view).actions != first.search_report(view).actions
    first.save(tmp_path / "saved.safetensors")
    second = agent(other, "connect_four", 1, iterations=20)
    second.load(tmp_path / "saved.safetensors")
    assert second.search_report(view).actions == expected
    with pytest.raises(AgentError, match="it was trained for kuhn_poker"):
        second.load(checkpoint(tmp_path / "kuhn.safetensors", "kuhn_poker"))
    assert second.search_report(view).actions == expected


# ------------------------------------------------------------------ secrets


@pytest.mark.parametrize(("name", "iterations", "longest"), [("leduc_poker", 60, 4), ("fuerstenfeld", 20, 60)])
@pytest.mark.parametrize("root", ["gumbel", "puct"])
def test_the_move_is_the_same_when_the_hidden_cards_are_others(
    tmp_path: Path, name: str, iterations: int, longest: int, root: str
) -> None:
    path = checkpoint(tmp_path / "net.safetensors", name)
    game, rng, differ = get_game(name), np.random.default_rng(0), 0
    for deal in range(6):
        position = after_random_moves(game, {}, deal, int(rng.integers(longest)))
        seat = position.current_player
        assert seat is not None
        others = position.determinize(seat, int(rng.integers(1 << 62)))
        differ += position.tobytes() != others.tobytes()
        for settings in ({"iterations": iterations}, {"iterations": 0}, {"iterations": iterations, "temperature": 1.0}):
            players = [agent(path, name, deal, search={"root": root}, **settings) for _ in range(2)]
            views = [View(place, seat) for place in (position, others)]
            acted = [player.act(view) for player, view in zip(players, views, strict=True)]
            assert acted[0] == acted[1]
            if len(views[0].legal_actions()) > 1:
                reports = [player.search_report(view).actions for player, view in zip(players, views, strict=True)]
                assert reports[0] == reports[1]
            assert np.array_equal(*(player.estimate(view) for player, view in zip(players, views, strict=True)))
    assert differ == 6
