"""`kontor play`: people at the terminal, what they are shown, and every way in which they may leave."""

from __future__ import annotations

import contextlib
import io
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from rich.console import Console

from envs.catalog import get_game
from envs.position import Position
from envs.record import GameRecord
from experiments import cli
from experiments.commands.agents import read_agent
from experiments.replay import action_in_words
from experiments.terminal import Left, Player, TerminalGame, opening, seats_for
from experiments.undo import may_take_back
from tests.agents.alphazero.networks import checkpoint


@pytest.fixture
def typed(capsys, monkeypatch):
    """Run a command line with these lines typed; gives the exit code, and what was printed to either stream."""

    def run(lines: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        code = cli.main(words)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def words_of(game: str, index: int) -> str:
    position = Position(get_game(game))
    return position.game.say(position.decode_action(index), position.describe(0))


def test_a_person_plays_by_number_and_by_words_against_an_agent(typed, tmp_path):
    path = tmp_path / "game.json"
    lines = "4\n" + words_of("connect_four", 2) + "\n\n" + "q\n"
    code, out, _ = typed(lines, "play", "connect_four", "--seat", "human", "--seat", "greedy", "--record", str(path))
    record = GameRecord.load(path)
    assert code == 0
    assert (record.actions[0], record.actions[2], len(record.actions)) == (3, 2, 4)
    assert "Enter plays it" in out
    assert "player_1 (greedy)" in out


def test_a_game_is_played_to_its_end(typed):
    code, out, _ = typed("1\n2\n1\n2\n1\n2\n1\n", "play", "connect_four", "--seat", "human")
    assert code == 0
    assert out.splitlines()[-1] == "won by player_0 after 7 moves; returns: player_0 +1, player_1 -1"


def test_without_a_seat_a_person_sits_down_against_the_rule_of_thumb_or_a_search(typed):
    for game, opponent in (("connect_four", "greedy"), ("tic_tac_toe", "mcts")):
        code, out, _ = typed("1\nq\n", "play", game)
        assert code == 0
        assert f"player_1 ({opponent})" in out


@pytest.mark.parametrize("lines", ["", "1\n"])
def test_input_that_ends_early_is_told_and_the_record_kept(typed, tmp_path, lines):
    path = tmp_path / "game.json"
    code, _, err = typed(lines, "play", "connect_four", "--record", str(path))
    assert code == 2
    assert "the input has ended after" in err
    assert "the game is not over: player_0 is to act" in err
    assert len(GameRecord.load(path).actions) == 2 * lines.count("\n")


def test_ctrl_c_leaves_with_130_and_no_traceback(tmp_path):
    path = tmp_path / "game.json"
    code = (  # whoever starts the tests in the background has them ignore Ctrl-C
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from experiments.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["play", "connect_four", "--seat", "human", "--record", str(path)]
    program = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    while "Drop" not in program.stdout.readline():
        pass
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert "interrupted after 0 moves" in err
    assert "Traceback" not in err
    assert GameRecord.load(path).actions == []


def test_what_is_no_choice_is_refused_and_asked_for_again(typed):
    code, out, _ = typed("0\n99\nno such words\nh\nl\nb\nr\ns\nq\n", "play", "connect_four")
    assert code == 0
    for words in ("there is no action '0'", "no action '99'", "no action 'no such words'", "no agent has searched yet"):
        assert words in out
    assert "takes your last action back" in out
    assert "say where: s FILE" in out


def test_a_search_can_be_asked_what_it_saw_unless_that_shows_its_hand(typed):
    lines = "1\nr\nq\n"
    _, out, _ = typed(lines, "play", "tic_tac_toe", "--seat", "human", "--seat", "mcts,iterations=20")
    assert "what player_1 saw before move 2:" in out
    assert " visits " in out
    _, out, _ = typed(lines, "play", "leduc_poker", "--seat", "human", "--seat", "mcts,iterations=20")
    assert "it would show their hands" in out


def test_a_network_plays_in_the_terminal_with_a_search_and_without(typed, tmp_path):
    net = checkpoint(tmp_path / "net" / "best.safetensors", "connect_four").parent
    for iterations in (8, 0):
        seat = f"alphazero,checkpoint={net},iterations={iterations}"
        code, out, _ = typed("1\nr\nq\n", "play", "connect_four", "--seat", "human", "--seat", seat)
        reported = out.partition("what player_1 saw before move 2:")[2]
        visits = [int(count) for count in re.findall(r"(\d+) visits ", reported)]
        assert (code, len(visits), sum(visits)) == (0, 7, iterations)
    code, out, _ = typed("1\nq\n", "play", "connect_four", "--seat", "human", "--seat", str(net))
    assert code == 0
    assert f"player_1 ({read_agent(str(net))[0]}" in out


def test_a_game_so_far_is_saved_when_asked(typed, tmp_path):
    path = tmp_path / "so_far.json"
    typed(f"1\ns {path}\nq\n", "play", "connect_four")
    assert len(GameRecord.load(path).actions) == 2


# ------------------------------------------------------------------ secrets


def played(game: str, lines: str, *players: Player, seed: int = 0) -> str:
    """What a terminal shows while these lines are typed, until they end or the game does."""
    out = io.StringIO()
    console = Console(file=out, width=200)
    typed_lines = iter(lines.splitlines())

    def answer(*_: object) -> str:
        try:
            return next(typed_lines)
        except StopIteration:
            raise Left from None

    console.input = answer  # type: ignore[method-assign]
    position = Position(get_game(game), {}, seed)
    with contextlib.suppress(Left):
        TerminalGame(players, opening(position, []), [], seed, console).run()
    return out.getvalue()


def test_the_other_hand_is_not_shown_before_the_terminal_was_handed_on():
    """For every deal: player 0's screen is the same whatever player 1 holds, until the terminal goes on."""
    screens = {}
    for seed in range(12):
        position = Position(get_game("leduc_poker"), {}, seed)
        own = position.describe(0)["players"][0]["card"]
        other = position.describe(1)["players"][1]["card"]
        screen = played("leduc_poker", "1", Player("a", None), Player("b", None), seed=seed)
        screens.setdefault(own, {})[other] = screen
    assert any(len(by_other) > 1 for by_other in screens.values())
    for by_other in screens.values():
        assert len(set(by_other.values())) == 1


def test_people_who_share_the_terminal_see_their_own_hands_in_turn():
    screen = played("leduc_poker", "1\n\n1\n", Player("a", None), Player("b", None))
    position = Position(get_game("leduc_poker"), {}, 0)
    position_text = position.game.text
    assert position_text(position.describe(0)) in screen
    position.apply(position.legal_actions()[0])
    assert position_text(position.describe(1)) in screen


def test_what_others_do_in_secret_is_not_told_in_words():
    position = Position(get_game("travel_blog"))
    actions, actor = position.legal_actions(), position.current_player
    assert actor is not None
    own = {action_in_words(position, action, actor) for action in actions}
    others = {action_in_words(position, action, actor + 1) for action in actions}
    assert own == {action_in_words(position, action, None) for action in actions}
    assert len(own) == len(actions)
    assert len(others) == 1


# ------------------------------------------------------------------ taking back


def test_nothing_is_taken_back_once_another_seat_is_to_act():
    before = Position(get_game("connect_four"))
    after = opening(before, [0])[1]
    assert not may_take_back(before, 0, after, 0)
    assert not may_take_back(before, 0, after, 1)
    assert not may_take_back(before, 0, after, None)


def test_what_told_something_new_is_not_taken_back():
    """Mesopotamia in random play: a drawn card stands, and an explored hex unless all that are left are alike."""
    position, rng = Position(get_game("mesopotamia"), {}, 0), np.random.default_rng(0)
    found: dict[str, set[bool]] = {"known ground": set(), "explored": set(), "all alike": set(), "card": set()}
    for _ in range(250):
        seat, action = position.current_player, int(rng.choice(position.legal_actions()))
        after = opening(position, [action])[1]
        if after.current_player == seat:
            kind, stack = position.decode_action(action)["type"], position.describe()["stack"]
            if kind == "step":
                explored = "explored" if len(set(stack)) > 1 else "all alike"
                seen = len(after.describe()["stack"]) < len(stack) or after.phase == "choose_hex"
                what = explored if seen else "known ground"
                found[what].add(may_take_back(position, action, after, seat))
            elif kind == "draw_card" and len(set(position.describe()["draw_pile"])) > 1:
                found["card"].add(may_take_back(position, action, after, seat))
        position = after
    assert found == {"known ground": {True}, "explored": {False}, "all alike": {True}, "card": {False}}


def test_chance_that_was_drawn_on_is_not_taken_back():
    before = Position(get_game("mesopotamia"), {}, 1)
    action, after = next(
        (action, after)
        for action in before.legal_actions()
        if may_take_back(before, action, after := opening(before, [action])[1], before.current_player)
    )
    after.states["draws"] += 1
    assert not may_take_back(before, action, after, before.current_player)


def test_the_terminal_takes_back_what_may_be_taken_back():
    game = get_game("mesopotamia")
    position = Position(game, {}, 1)
    numbers = {
        number: action
        for number, action in enumerate(position.legal_actions(), 1)
        if (after := opening(position, [action])[1]).current_player == 0 and may_take_back(position, action, after, 0)
    }
    number = next(iter(numbers))
    shown = played("mesopotamia", f"{number}\nu\nq\n", *[Player("a", None)] * position.num_players, seed=1)
    assert "taken back" in shown
    assert shown.count(game.text(position.describe(0))) == 2


def test_seats_are_filled_up_with_the_last():
    assert seats_for([], 3, "greedy") == ["human", "greedy", "greedy"]
    assert seats_for(["random"], 3, "greedy") == ["random"] * 3
    assert seats_for(["human", "mcts"], 2, "greedy") == ["human", "mcts"]


def test_the_terminal_needs_no_torch():
    code = "import sys; from experiments.cli import main; main(sys.argv[1:]); sys.exit('torch' in sys.modules)"
    words = [sys.executable, "-c", code, "play", "connect_four"]
    assert subprocess.run(words, input="q\n", capture_output=True, text=True, check=False).returncode == 0
