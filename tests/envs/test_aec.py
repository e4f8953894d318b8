"""Any game as a PettingZoo AEC environment: conformance, seeds, refusals, copies, and what is shown to whom."""

import copy
import os
import pickle
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from envs import aec, conformance_aec, connect_four_v0, kuhn_poker_v0, leduc_poker_v0
from envs.aec import ActionSpace, AECGame, ResetNeeded
from envs.catalog import SHIPPED, get_game
from envs.chance import next_seed
from envs.conformance_aec import check_copies, check_episodes, check_pettingzoo, check_play, episode_digests, line_ups
from envs.errors import GameDefinitionError, IllegalAction, OptionError, UnknownName
from envs.gymnasium_plugin import game_modules
from envs.position import Position
from tests.envs.turns import AGAIN, CAP, END, GO_ON, turns

LINE_UPS = [(name, options) for name in SHIPPED for options in line_ups(get_game(name))]
each_line_up = pytest.mark.parametrize(("name", "options"), LINE_UPS, ids=lambda value: str(value))


def scripted(env, actions, seed=0):
    env.reset(seed=seed)
    for action in actions:
        env.step(action)
    return env


# ------------------------------------------------------------------ every game, every number of players


@each_line_up
def test_pettingzoo_finds_no_fault(name, options):
    check_pettingzoo(get_game(name), options)


@each_line_up
def test_masks_rewards_refusals_and_ends_of_random_games(name, options):
    check_play(get_game(name), options, moves=4_000)


@each_line_up
def test_copies_in_mid_game_play_on_exactly(name, options):
    check_copies(get_game(name), options, games=8)


@each_line_up
def test_five_episodes_equal_five_fresh_environments(name, options):
    check_episodes(get_game(name), options)


def all_digests():
    """Of every game, at its largest table."""
    games = [get_game(name) for name in SHIPPED]
    return [digest for game in games for digest in episode_digests(game, {"num_players": game.max_players}, seed=7)]


def test_another_process_with_another_hash_seed_plays_the_same_episodes():
    code = "from tests.envs.test_aec import all_digests; print('\\n'.join(all_digests()))"
    environment = {**os.environ, "PYTHONHASHSEED": "4242"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    digests = done.stdout.split()
    assert digests == all_digests()
    assert len(set(digests)) > len(digests) / 2


def test_every_game_of_the_catalog_has_its_module():
    modules = dict(game_modules())
    assert set(modules) == set(SHIPPED)
    for name, version in modules.items():
        module = import_module(f"envs.{name}_v{version}")
        assert str(module.env()) == str(module.raw_env()) == f"{name}_v{get_game(name).version}"
        assert module.env().metadata["name"] == f"{name}_v{version}"


def test_importing_and_rendering_a_game_needs_neither_torch_nor_pygame_nor_a_display():
    code = (
        "import sys; from envs import connect_four_v0\n"
        "env = connect_four_v0.env(render_mode='rgb_array'); env.reset(seed=1); env.step(3); env.render()\n"
        "print(sorted({'torch', 'pygame', 'pytest'} & set(sys.modules)))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ------------------------------------------------------------------ turns, ends, rewards


@pytest.mark.parametrize("dealt_over", [False, True])
def test_a_game_of_odd_turns_conforms(dealt_over):
    options = {"dealt_over": dealt_over}
    check_play(turns(), options, moves=500)
    if not dealt_over:
        check_copies(turns(), options, games=20)
        check_pettingzoo(turns(), options)


def test_a_seat_decides_several_times_in_a_row():
    env = AECGame(turns())
    env.reset(seed=0)
    order = []
    for action in (AGAIN, AGAIN, GO_ON, GO_ON, AGAIN):
        order.append(env.agent_selection)
        env.step(action)
    assert order == ["player_0"] * 3 + ["player_1", "player_2"]
    assert env.agent_selection == "player_2"
    assert env.infos["player_2"]["action_mask"].tolist() == [1, 1, 1]
    assert env.infos["player_0"]["action_mask"].tolist() == [0, 0, 0]


def test_at_the_end_every_agent_is_visited_once_with_its_return_also_one_that_never_moved():
    env = scripted(AECGame(turns()), [AGAIN, END])
    seen = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert not observation["action_mask"].any()
        assert not info["action_mask"].any()
        seen.append((agent, reward, terminated, truncated))
        env.step(None)
    assert seen == [("player_0", 2.0, True, False), ("player_1", -1.0, True, False), ("player_2", -1.0, True, False)]
    assert env.agents == []
    assert env.rewards == env.terminations == env.truncations == env.infos == {}


def test_the_cap_truncates_and_pays():
    env = scripted(AECGame(turns()), [GO_ON] * CAP)
    assert list(env.truncations.values()) == [True] * 3
    assert list(env.terminations.values()) == [False] * 3
    assert env.last()[1:4] == (-3.0, False, True)


def test_a_game_that_is_over_when_dealt_pays_at_once():
    env = AECGame(turns(), dealt_over=True)
    env.reset(seed=0)
    assert env.last()[1:4] == (2.0, True, False)


# ------------------------------------------------------------------ seeds


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**63 - 1, np.int64(9)])
def test_a_seed_deals_exactly_the_game_of_the_position(seed):
    env = leduc_poker_v0.env(num_players=3)
    env.reset(seed=seed)
    assert env.game_seed == seed
    assert env.describe() == Position(get_game("leduc_poker"), {"num_players": 3}, int(seed)).describe()


def test_a_reset_without_a_seed_goes_on_to_the_next_seed_whatever_was_played():
    env = kuhn_poker_v0.env()
    env.reset(seed=5)
    env.step(0)
    env.reset()
    assert env.game_seed == next_seed(5)
    env.reset(options={"no such option": 1})
    assert env.game_seed == next_seed(next_seed(5))


def test_the_first_reset_without_a_seed_is_random():
    seeds = set()
    for _ in range(3):
        env = kuhn_poker_v0.env()
        env.reset()
        seeds.add(env.game_seed)
    assert len(seeds) == 3


@pytest.mark.parametrize("seed", [-1, 2**63, 0.5, "1"])
def test_a_bad_seed_is_refused_and_the_game_stays(seed):
    env = scripted(connect_four_v0.env(), [3, 3], seed=4)
    before = env.record()
    with pytest.raises(OptionError, match="seed"):
        env.reset(seed=seed)
    assert env.record() == before
    env.reset()
    assert env.game_seed == next_seed(4)


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize("action", [3, 7, -1, 10**30, 2.0, "3", None, np.float32(1), np.array([1, 2])])
def test_a_refused_action_says_why_and_changes_nothing(action):
    moves = [3] * 6  # the column is full
    env = scripted(connect_four_v0.env(), moves)
    position = Position(get_game("connect_four"))
    for move in moves:
        position.apply(move)
    before = env.record()
    with pytest.raises(IllegalAction) as expected:
        position.checked_action(action)
    with pytest.raises(IllegalAction) as refused:
        env.step(action)
    assert str(refused.value) == str(expected.value)
    assert env.record() == before
    env.step(2)
    assert env.describe()["move_number"] == 7


@pytest.mark.parametrize("action", [3, np.int8(3), np.uint64(3), np.array(3)])
def test_whole_numbers_of_any_kind_are_actions(action):
    env = scripted(connect_four_v0.env(), [action])
    assert env.record().actions == [3]
    assert type(env.record().actions[0]) is int


def test_nothing_is_played_after_the_end():
    env = scripted(connect_four_v0.env(), [0, 1, 0, 1, 0, 1, 0])
    with pytest.raises(IllegalAction, match="the game is over"):
        env.step(2)
    assert env.agents == ["player_0", "player_1"]
    env.step(None)
    env.step(None)
    for action in (None, 2):
        with pytest.raises(IllegalAction, match="the game is over"):
            env.step(action)


BEFORE_RESET = {
    "step": lambda env: env.step(0),
    "last": lambda env: env.last(),
    "observe": lambda env: env.observe("player_0"),
    "state": lambda env: env.state(),
    "render": lambda env: env.render(),
    "agent_iter": lambda env: list(env.agent_iter()),
    "num_agents": lambda env: env.num_agents,
    "describe": lambda env: env.describe(),
    "view": lambda env: env.view(0),
    "record": lambda env: env.record(),
}


@pytest.mark.parametrize("call", BEFORE_RESET)
def test_before_the_first_reset_everything_asks_for_it(call):
    with pytest.raises(ResetNeeded, match=r"connect_four_v0: .*call reset\(\) first"):
        BEFORE_RESET[call](connect_four_v0.env(render_mode="ansi"))


def test_a_copy_before_the_first_reset_is_as_good_as_the_original():
    for twin in (copy.deepcopy(connect_four_v0.env()), pickle.loads(pickle.dumps(connect_four_v0.env()))):
        assert scripted(twin, [3]).agent_selection == "player_1"


def test_misspelt_names_are_refused_with_the_nearest_one():
    with pytest.raises(OptionError, match=r"unknown option 'num_player' in kuhn_poker: did you mean 'num_players'\?"):
        kuhn_poker_v0.env(num_player=2)
    with pytest.raises(OptionError, match="it must be 2 to 3"):
        kuhn_poker_v0.env(num_players=4)
    with pytest.raises(OptionError, match=r"unknown render mode 'ascii' .*did you mean 'ansi'\?"):
        kuhn_poker_v0.env(render_mode="ascii")
    with pytest.raises(UnknownName, match="unknown player 2 in kuhn_poker_v0"):
        kuhn_poker_v0.env(render_player=2)
    env = scripted(kuhn_poker_v0.env(), [])
    with pytest.raises(UnknownName, match=r"unknown agent 'player0' .*did you mean 'player_0'\?"):
        env.observe("player0")
    with pytest.raises(IllegalAction, match="out of range 0 to 1"):
        env.decode_action(2)


def test_a_game_that_forgets_to_end_is_named(monkeypatch):
    env = AECGame(turns())
    monkeypatch.setattr(aec.kernels, "legal_actions_at", lambda states, i, mask: 0)
    with pytest.raises(GameDefinitionError, match="turns_v0, move 0: nothing is legal, but the game goes on"):
        env.reset(seed=0)


# ------------------------------------------------------------------ spaces and arrays


def test_nothing_is_sampled_from_an_empty_mask():
    space = ActionSpace(5)
    with pytest.raises(IllegalAction, match="empty"):
        space.sample(np.zeros(5, np.int8))
    for mask in (np.array([0, 0, 1, 0, 0], np.int8), np.array([0, 0, 1, 0, 0], np.bool_)):
        assert space.sample(mask) == 2
    assert 0 <= space.sample() < 5


def test_what_was_observed_may_be_kept_and_written_to():
    env = scripted(connect_four_v0.env(), [3] * 5)
    kept = env.observe("player_1")
    info = env.infos["player_1"]
    before = copy.deepcopy(kept), copy.deepcopy(info)
    env.step(3)  # now the column is full
    assert env.infos["player_0"]["action_mask"].tolist() == [1, 1, 1, 0, 1, 1, 1]
    assert np.array_equal(kept["observation"], before[0]["observation"])
    assert np.array_equal(kept["action_mask"], before[0]["action_mask"])
    assert np.array_equal(info["action_mask"], before[1]["action_mask"])
    observed = env.observe("player_0")
    observed["observation"][:] = 9
    observed["action_mask"][:] = 1
    env.infos["player_0"]["action_mask"][:] = 1
    assert env.observe("player_0")["action_mask"].tolist() == [1, 1, 1, 0, 1, 1, 1]
    with pytest.raises(IllegalAction):
        env.step(3)


def test_the_state_is_every_seats_observation_in_seat_order():
    env = scripted(leduc_poker_v0.env(num_players=3), [1, 2])
    parts = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert np.array_equal(env.state(), np.concatenate(parts))
    assert env.state() in env.state_space


def test_a_copy_samples_the_actions_that_the_original_would():
    env = scripted(connect_four_v0.env(), [3])
    env.action_space("player_1").seed(3)
    twin = pickle.loads(pickle.dumps(copy.deepcopy(env)))
    spaces = [e.action_space("player_1") for e in (env, twin)]
    assert [spaces[0].sample() for _ in range(20)] == [spaces[1].sample() for _ in range(20)]


# ------------------------------------------------------------------ descriptions, records, pictures


def test_descriptions_hide_what_the_player_asked_for_cannot_know():
    env = scripted(kuhn_poker_v0.env(), [])
    whole, seen = env.describe(), env.describe(player="player_1")
    assert seen == env.describe(1) != whole
    assert env.view("player_1").describe() == seen
    assert np.array_equal(env.view(1).observation, env.observe("player_1")["observation"])


def test_actions_are_translated_both_ways():
    env = scripted(connect_four_v0.env(), [])
    assert env.unwrapped.decode_action(3) == {"type": "drop", "column": 3}
    assert env.unwrapped.encode_action({"type": "drop", "column": 3}) == 3
    with pytest.raises(IllegalAction, match="connect_four has no action"):
        env.encode_action({"type": "drop"})


def test_a_record_replays_to_the_same_position():
    env = scripted(leduc_poker_v0.env(num_players=3), [1, 2, 1], seed=8)
    record = env.record()
    assert (record.seed, record.actions) == (8, [1, 2, 1])
    assert record.replay().describe() == env.describe()


def test_text_and_pixels_are_returned_and_human_boards_printed(capsys):
    text = scripted(connect_four_v0.env(render_mode="ansi"), [3]).render()
    assert text.splitlines()[5] == ". . . X . . ."
    pixels = scripted(connect_four_v0.env(render_mode="rgb_array"), [3]).render()
    assert pixels.shape == (410, 440, 3)
    assert pixels.dtype == np.uint8
    empty = scripted(connect_four_v0.env(render_mode="rgb_array"), []).render()
    assert (pixels != empty).any()
    assert capsys.readouterr().out == ""
    human = scripted(connect_four_v0.env(render_mode="human"), [3])
    printed = capsys.readouterr().out
    assert printed.count("0 1 2 3 4 5 6") == 2  # after reset and after the step
    assert text in printed
    assert human.render() is None


def test_rendering_shows_the_whole_table_or_what_one_seat_knows():
    table = scripted(kuhn_poker_v0.env(render_mode="ansi"), [])
    seat = scripted(kuhn_poker_v0.env(render_mode="ansi", render_player=1), [])
    game = get_game("kuhn_poker")
    assert table.render() == game.text(table.describe())
    assert seat.render() == game.text(table.describe(1)) != table.render()


def test_rendering_without_a_mode_warns(caplog):
    env = scripted(connect_four_v0.env(), [])
    with pytest.warns(UserWarning, match="made without a render_mode"):
        assert env.render() is None


def test_pettingzoos_wrappers_go_around_it():
    env = OrderEnforcingWrapper(connect_four_v0.env())
    with pytest.raises(AttributeError):
        env.agents  # noqa: B018
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else env.action_space(agent).sample(observation["action_mask"]))
    assert env.agents == []
    assert env.unwrapped.describe()["terminated"]


# ------------------------------------------------------------------ the checks find faults


class ForgetsTheLosers(AECGame):
    def _finish(self):
        super()._finish()
        self._cumulative_rewards = {agent: max(0.0, value) for agent, value in self._cumulative_rewards.items()}


class LeavesTogether(AECGame):
    def _leave(self, action):
        super()._leave(action)
        while self.agents:
            super()._leave(None)


class MaskForAll(AECGame):
    def _no_actions(self):
        return {"action_mask": np.ones(self.num_actions, np.int8)}


class PlaysAnything(AECGame):
    def step(self, action):
        try:
            super().step(action)
        except IllegalAction:
            super().step(int(np.flatnonzero(self._mask)[0]))


class SharesItsBuffers(AECGame):
    def __setstate__(self, state):
        self.__dict__.update(state)
        if "_position" in state:
            self._make_views()
            self._mask_bytes = self._mask_bytes.copy()


class DealsTheSameAgain(AECGame):
    def reset(self, seed=None, options=None):
        super().reset(seed=self.game_seed if seed is None else seed)


class SeesTheOther(AECGame):
    def observe(self, agent):
        return {**super().observe(agent), "observation": self._position.observe(0)}


@pytest.mark.parametrize(
    ("mutant", "check", "reason"),
    [
        (ForgetsTheLosers, check_play, "were received of the returns"),
        (LeavesTogether, check_play, "visited at the end"),
        (MaskForAll, check_play, "info has another mask"),
        (PlaysAnything, check_play, "was not refused"),
        (SeesTheOther, check_play, "observes something else"),
        (SharesItsBuffers, check_copies, "plays otherwise"),
        (DealsTheSameAgain, check_episodes, "seeds of its episodes repeat"),
    ],
)
def test_the_checks_catch(mutant, check, reason, monkeypatch):
    monkeypatch.setattr(conformance_aec, "AECGame", mutant)
    amount = {check_play: [100], check_copies: [3], check_episodes: []}[check]
    with pytest.raises(GameDefinitionError, match=reason):
        check(get_game("leduc_poker"), {"num_players": 3}, *amount)
