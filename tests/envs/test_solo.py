"""Any game as a Gymnasium environment: the checkers, opponents, seats, illegal actions, seeds."""

import copy
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from envs import solo
from envs.catalog import SHIPPED, get_game
from envs.conformance_aec import line_ups
from envs.errors import IllegalAction, KontorError, OptionError, UnknownName
from envs.gymnasium_plugin import environment_id
from envs.position import Position
from envs.solo import SoloGame
from envs.view import View
from tests.envs.turns import AGAIN, CAP, END, GO_ON, turns

LINE_UPS = [(name, options) for name in SHIPPED for options in line_ups(get_game(name))]
each_line_up = pytest.mark.parametrize(("name", "options"), LINE_UPS, ids=lambda value: str(value))


def first_legal(view):
    return view.legal_actions()[0]


def go_on(view):
    return GO_ON


def end_it(view):
    return END


def play(env, rng, seed=None):
    """A random episode: every observation, reward, end and info."""
    shown = [env.reset(seed=seed)]
    ended = False
    while not ended:
        action = rng.choice(np.flatnonzero(env.action_masks()))
        shown.append(env.step(action))
        ended = shown[-1][2] or shown[-1][3]
    return shown


# ------------------------------------------------------------------ every game, every number of players


@each_line_up
def test_the_checkers_of_gymnasium_and_stable_baselines_find_no_fault(name, options):
    from stable_baselines3.common.env_checker import check_env as check_env_of_stable_baselines

    env = gymnasium.make(environment_id(name, get_game(name).version), on_illegal="lose", seat="random", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
        check_env_of_stable_baselines(env.unwrapped)


@each_line_up
def test_the_return_of_the_seat_is_paid_at_the_end_and_nothing_before(name, options):
    env = SoloGame(name, seat="random", **options)
    rng = np.random.default_rng(0)
    for seed in range(3):
        shown = play(env, rng, seed)
        position = env.record().replay()
        assert position.is_over
        assert [step[1] for step in shown[1:-1]] == [0.0] * (len(shown) - 2)
        observation, reward, terminated, truncated, info = shown[-1]
        assert info["returns"] == position.returns().tolist()
        assert reward == info["returns"][info["seat"]]
        assert (terminated, truncated) == (position.terminated, position.truncated)
        assert np.array_equal(observation, position.observe(info["seat"]))
        assert not env.action_masks().any()


def test_sb3_contribs_maskable_ppo_learns_on_it():
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    env = gymnasium.make("kontor/ConnectFour-v0", seat="random")  # an illegal action would raise
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=0, device="cpu")
    model.learn(128)
    observation, _ = env.reset(seed=1)
    assert is_masking_supported(env)
    action, _ = model.predict(observation, action_masks=get_action_masks(env))
    assert get_action_masks(env)[action]


# ------------------------------------------------------------------ ids


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_an_id_needs_no_import_and_registering_loads_no_game():
    assert run_python(
        "import gymnasium\n"
        "env = gymnasium.make('kontor/KuhnPoker-v0', num_players=3, opponents=[lambda view: 0] * 2)\n"
        "print(env.reset(seed=1)[0].dtype)"
    )
    assert (
        run_python(
            "import sys, gymnasium\n"
            "print('kontor/ConnectFour-v0' in gymnasium.registry, {'numba', 'torch', 'pygame'} & set(sys.modules),"
            " [name for name in sys.modules if name.startswith('envs.classics')])"
        )
        == "True set() []"
    )


def test_every_game_has_its_id():
    for name in SHIPPED:
        spec = gymnasium.spec(environment_id(name, get_game(name).version))
        assert spec.kwargs == {"game": name}
    assert environment_id("tic_tac_toe", 0) == "kontor/TicTacToe-v0"


# ------------------------------------------------------------------ opponents and seats


def test_opponents_are_asked_in_turn_from_the_learners_left_with_their_own_view():
    asked = []

    def opponent(number):
        def act(view):
            assert isinstance(view, View)
            assert view.current_player == view.seat
            asked.append((number, view.seat))
            return GO_ON

        return act

    for seat, expected in [(0, []), (1, [(1, 0)]), (2, [(0, 0), (1, 1)])]:
        env = SoloGame(turns(), opponents=[opponent(0), opponent(1)], seat=seat)
        asked.clear()
        env.reset(seed=0)
        assert asked == expected
        asked.clear()
        env.step(GO_ON)
        assert asked == [(0, (seat + 1) % 3), (1, (seat + 2) % 3)]


def test_the_learner_may_decide_several_times_in_a_row():
    env = SoloGame(turns(), opponents=end_it)
    env.reset(seed=0)
    for _ in range(2):
        assert env.step(AGAIN)[1:4] == (0.0, False, False)
    _, reward, terminated, truncated, info = env.step(GO_ON)  # the next seat ends it
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["returns"] == [-1.0, 2.0, -1.0]


def test_a_truncated_game_is_told_apart_and_pays():
    env = SoloGame(turns(), opponents=go_on)
    env.reset(seed=0)
    for _ in range(CAP // 3 - 1):
        env.step(GO_ON)
    assert env.step(GO_ON)[1:4] == (-3.0, False, True)


def test_a_game_that_ends_before_the_learner_moves_is_followed_by_the_next():
    plays = iter([END, GO_ON, END, END, GO_ON, GO_ON])
    env = SoloGame(turns(), opponents=lambda view: next(plays), seat=2)
    observation, info = env.reset(seed=0)
    assert info["games_skipped"] == 3
    assert list(plays) == []
    assert env.describe()["current_player"] == 2
    assert info["action_mask"].tolist() == [1, 1, 1]
    assert observation.tolist() == [1, 0, 0, 1]
    assert env.record().actions == [GO_ON, GO_ON]


def test_opponents_that_never_let_the_learner_move_are_named(monkeypatch):
    monkeypatch.setattr(solo, "MAX_GAMES_SKIPPED", 20)
    env = SoloGame(turns(), opponents=end_it, seat=1)
    with pytest.raises(KontorError, match="turns: the opponents ended 20 games before seat 1 could move"):
        env.reset(seed=0)
    with pytest.raises(KontorError, match="the game is over"):
        env.step(GO_ON)


def test_an_opponents_illegal_action_names_its_seat_also_where_the_learner_would_lose():
    env = SoloGame("connect_four", opponents=lambda view: 7, on_illegal="lose")
    env.reset(seed=0)
    with pytest.raises(IllegalAction, match=r"the opponent in seat 1 played: .*action 7 is out of range 0 to 6"):
        env.step(3)
    with pytest.raises(IllegalAction, match="an opponent failed in mid-game: reset first"):
        env.step(3)
    assert not env.action_masks().any()
    env.reset(seed=0)
    assert env.action_masks().all()


def test_random_seats_are_all_taken_and_repeat_with_the_seed():
    env = SoloGame("leduc_poker", seat="random", num_players=3)
    seats = [env.reset(seed=0)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(59))]
    assert set(seats) == {0, 1, 2}
    assert seats == [env.reset(seed=0)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(59))]


def test_random_opponents_play_every_legal_action():
    env = SoloGame("connect_four", seat=1)
    first_moves = set()
    env.reset(seed=0)
    for _ in range(80):  # that one of 7 columns is missed: below 7 * (6/7)**80 = 3e-5
        first_moves.add(env.record().actions[0])
        env.reset()
    assert first_moves == set(range(7))


# ------------------------------------------------------------------ seeds and copies


@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_the_same_seed_plays_the_same_episodes(seat):
    runs = []
    for _ in range(2):
        env = SoloGame("leduc_poker", seat=seat)
        rng = np.random.default_rng(3)
        runs.append([play(env, rng, seed=11), play(env, rng), play(env, rng)])
    assert data_equivalence(runs[0], runs[1], exact=True)
    assert not data_equivalence(runs[0], [play(env, np.random.default_rng(3), seed=12), *runs[0][1:]], exact=True)


def test_a_copy_in_mid_game_plays_on_exactly():
    env = SoloGame("leduc_poker", seat="random", num_players=3)
    env.reset(seed=2)
    twin = copy.deepcopy(env)
    assert data_equivalence(
        *([e.step(1), play(e, np.random.default_rng(0)), play(e, np.random.default_rng(1))] for e in (env, twin)),
        exact=True,
    )


# ------------------------------------------------------------------ illegal actions


@pytest.mark.parametrize("action", [0, 7, -1, 1.5, None])
def test_an_illegal_action_raises_and_changes_nothing(action):
    env = SoloGame("connect_four", opponents=first_legal)
    env.reset(seed=0)
    for _ in range(3):
        env.step(0)
    before = env.record()
    with pytest.raises(IllegalAction, match="connect_four, move 6: action"):
        env.step(action)
    assert env.record() == before
    assert env.step(1)[1:4] == (0.0, False, False)


@pytest.mark.parametrize(
    ("game", "options", "lowest"),
    [
        ("connect_four", {}, -1.0),
        ("kuhn_poker", {"num_players": 3}, -2.0),
        ("leduc_poker", {}, -13.0),
    ],
)
def test_an_illegal_action_loses_where_that_was_asked_for(game, options, lowest):
    env = SoloGame(game, on_illegal="lose", **options)
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(99)
    assert (reward, terminated, truncated) == (lowest, True, False)
    assert "action 99 is out of range" in info["illegal_action"]
    assert observation in env.observation_space
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(IllegalAction, match="the episode ended with an illegal action: reset first"):
        env.step(1)
    env.reset()
    assert env.action_masks().any()


@pytest.mark.parametrize("on_illegal", ["raise", "lose"])
def test_nothing_is_played_after_the_end(on_illegal):
    env = SoloGame(turns(), opponents=go_on, on_illegal=on_illegal)
    env.reset(seed=0)
    assert env.step(END)[1:4] == (2.0, True, False)
    with pytest.raises(IllegalAction, match="the game is over"):
        env.step(GO_ON)


@pytest.mark.parametrize(("reward", "lowest"), [("win", -1 / 3), ("rank", -1.0)])
def test_the_lowest_return_follows_what_a_game_pays(reward, lowest):
    from envs.game import min_return_by_place

    assert min_return_by_place({"num_players": 4, "reward": reward}) == pytest.approx(lowest)


# ------------------------------------------------------------------ bad input, before reset, pictures


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"game": "conect_four"}, UnknownName, "did you mean 'connect_four'"),
        ({"num_player": 2}, OptionError, "did you mean 'num_players'"),
        ({"num_players": 3}, OptionError, "it must be 2 to 2"),
        ({"seat": 2}, OptionError, "option 'seat' of connect_four is 2: it must be 0 to 1 or 'random'"),
        ({"seat": "any"}, OptionError, "option 'seat' of connect_four is 'any'"),
        ({"on_illegal": "loose"}, OptionError, "did you mean 'lose'"),
        ({"render_mode": "text"}, OptionError, "unknown render mode 'text'"),
        ({"opponents": []}, OptionError, "0 opponents for 1 seats"),
        ({"opponents": [first_legal] * 2}, OptionError, "2 opponents for 1 seats"),
        ({"opponents": ["random"]}, OptionError, "opponent 'random' is no callable"),
        ({"opponents": 7}, OptionError, "opponent 7 is no callable"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments, error, message):
    with pytest.raises(error, match=message):
        SoloGame(**{"game": "connect_four", **arguments})


@pytest.mark.parametrize("call", ["action_masks", "view", "describe", "record"])
def test_before_the_first_reset_everything_asks_for_it(call):
    env = SoloGame("connect_four")
    with pytest.raises(KontorError, match=r"connect_four: .*call reset\(\) first"):
        getattr(env, call)()
    with pytest.raises(KontorError, match=r"connect_four: .*call reset\(\) first"):
        env.step(0)


def test_rendering_shows_what_the_learner_knows(capsys):
    game = get_game("kuhn_poker")
    env = SoloGame("kuhn_poker", seat=1, render_mode="ansi")
    env.reset(seed=0)
    position = Position.of(game, env.record().replay().state)
    assert env.render() == game.text(position.describe(1)) != game.text(position.describe())
    assert env.describe() == env.view().describe() == position.describe(1)
    pixels = SoloGame("kuhn_poker", render_mode="rgb_array")
    pixels.reset(seed=0)
    assert pixels.render().dtype == np.uint8
    assert capsys.readouterr().out == ""
    human = SoloGame("connect_four", render_mode="human", opponents=first_legal)
    human.reset(seed=0)
    human.step(3)
    assert capsys.readouterr().out.count("0 1 2 3 4 5 6") == 2
    silent = SoloGame("connect_four")
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="made without a render_mode"):
        assert silent.render() is None
