"""The cache of compiled code never serves old rules, and serves new processes at once.

A game of two files and a file of facts is written to a folder and played in new processes that share one
cache directory, so what they print depends on nothing but the files' present content.
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envs import compiling
from envs.catalog import SHIPPED, get_game
from envs.compiling import UNUSED_DAYS, cache_directory, hash_files, remove_unused, sources_of
from envs.errors import GameDefinitionError
from envs.game import register

CORE = Path(compiling.__file__).parent

RULES = """
from envs.compiling import compiled


@compiled
def step_size(state, action):
    return 1 + action
"""

FACTS = "goal = 20\n"

GAME = """
import tomllib
from pathlib import Path

import stairs_rules
from envs.compiling import compiled
from envs.game import Game, register

HERE = Path(__file__).parent
GOAL = tomllib.loads((HERE / "stairs.toml").read_text())["goal"]


@compiled
def setup(state):
    state.current_player = 0


@compiled
def legal_actions(state, mask):
    mask[:] = True
    return 2


@compiled
def apply_action(state, action):
    state.height += stairs_rules.step_size(state, action)
    if state.height >= GOAL:
        state.terminated = 1
    state.current_player = 1 - state.current_player


@compiled
def observe(state, player, out):
    out[0] = state.height


@compiled
def determinize(state, player):
    pass


@compiled
def returns(state, out):
    out[1 - state.current_player] = 1.0


register(
    Game(
        name="stairs",
        title="Stairs",
        summary="who reaches the top wins",
        min_players=2,
        max_players=2,
        fields=(("height", "i2"),),
        streams=(),
        phases=("climb",),
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        observe=observe,
        determinize=determinize,
        returns=returns,
        num_actions=lambda options: 2,
        observation_size=lambda options: 1,
        encode_action=lambda action, options: 0,
        decode_action=lambda index, options: {"type": "climb"},
        describe=lambda state, player: {},
        draw=lambda description: "",
        text=lambda description: "",
        sources=(HERE / "stairs.py", HERE / "stairs_rules.py", HERE / "stairs.toml"),
    )
)
"""

PLAY = """
import stairs
from envs.catalog import get_game
from envs.vector import VectorGame

games = VectorGame(get_game("stairs"), 1)
heights = []
while not games.ended[0]:
    games.step([0])
    heights.append(int(games.final_states["height"][0] or games.states["height"][0]))
print(*heights[:2], heights[-1])
"""

COUNT_COMPILATIONS = """
import sys
from numba.core.event import install_recorder

with install_recorder("numba:compile") as recorder:
    from envs.catalog import get_game
    from envs.position import Position
    from envs.vector import VectorGame

    game = get_game(sys.argv[1])
    position = Position(game)
    position.observe(0)
    position.determinize(0, 1)
    position.returns()
    position.apply(position.legal_actions()[0])
    games = VectorGame(game, 2)
    games.step(games.masks.argmax(axis=1))
    games.reset()
    games.observe(0)
print(sum(event.is_start for _, event in recorder.buffer))
"""


def run(code: str, *arguments: str, cache: Path, folder: Path | None = None) -> str:
    """What a new process prints that runs `code`, with modules from `folder`."""
    environment = {**os.environ, "KONTOR_CACHE_DIR": str(cache), "PYTHONPATH": str(folder or "")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


@pytest.fixture
def stairs(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "stairs.py").write_text(GAME)
    (folder / "stairs_rules.py").write_text(RULES)
    (folder / "stairs.toml").write_text(FACTS)
    return folder


def test_an_edited_rule_or_fact_is_played_at_once_from_the_same_cache(stairs: Path, tmp_path: Path) -> None:
    def play() -> str:
        return run(PLAY, cache=tmp_path / "cache", folder=stairs)

    assert play() == "1 2 20"
    (stairs / "stairs_rules.py").write_text(RULES.replace("1 + action", "3 + action"))
    assert play() == "3 6 21"
    (stairs / "stairs.toml").write_text("goal = 10\n")
    assert play() == "3 6 12"
    (stairs / "stairs_rules.py").write_text(RULES)
    (stairs / "stairs.toml").write_text(FACTS)
    assert play() == "1 2 20", "the first rules again"


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    first, second = (int(run(COUNT_COMPILATIONS, "tic_tac_toe", cache=tmp_path)) for _ in range(2))
    assert first > 10
    assert second == 0


def test_a_changed_core_has_another_cache_directory(tmp_path: Path) -> None:
    folder = tmp_path / "copy" / "envs"
    folder.mkdir(parents=True)
    for path in CORE.glob("*.py"):
        (folder / path.name).write_bytes(path.read_bytes())

    def directory() -> str:
        code = "from envs import compiling as c; print(c.cache_directory('envs', '').name, c.__file__)"
        name, file = run(code, cache=tmp_path, folder=folder.parent).split()
        assert Path(file).parent == folder
        return name

    before = directory()
    assert directory() == before
    for name in ("compiling.py", "chance.py", "game.py", "kernels.py", "lanes.py"):
        text = (folder / name).read_text()
        (folder / name).write_text(text + "\n# changed\n")
        assert directory() != before, name
        (folder / name).write_text(text)
    (folder / "view.py").write_text((folder / "view.py").read_text() + "\n# changed\n")
    assert directory() == before, "a file that compiles nothing makes no difference"


def test_the_hash_covers_names_contents_and_flags_in_any_order(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("a")
    two.write_text("b")
    hashes = {
        hash_files([one, two]),
        hash_files([one]),
        hash_files([one, two], "flag"),
        hash_files([one, two], "fl", "ag"),
    }
    assert hash_files([two, one]) in hashes
    two.write_text("c")
    hashes.add(hash_files([one, two]))
    two.rename(tmp_path / "three.py")
    hashes.add(hash_files([one, tmp_path / "three.py"]))
    assert len(hashes) == 6


def test_another_package_hashes_its_own_files_on_top_of_the_cores() -> None:
    import experiments.bench.kernels as kernels

    sources = sources_of("experiments", str(kernels.__file__))
    assert Path(kernels.__file__) in sources
    assert set(sources_of("envs", "")) < set(sources)
    assert cache_directory("experiments", str(kernels.__file__)) != cache_directory("envs", "")
    lone = sources_of("a_lone_module", __file__)
    assert Path(__file__) in lone


def test_only_directories_unused_for_long_are_removed(tmp_path: Path) -> None:
    now, day = time.time(), 86_400
    for name, age in [("old", UNUSED_DAYS + 1), ("fresh", UNUSED_DAYS - 1), ("new", 0)]:
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "deep" / "code.nbi").write_text("code")
        (tmp_path / name / "last_used").touch()
        os.utime(tmp_path / name / "last_used", (now - age * day,) * 2)
    (tmp_path / "not_ours").mkdir()
    os.utime(tmp_path / "not_ours", (now - 1000 * day,) * 2)
    assert remove_unused(tmp_path, now) == [tmp_path / "old"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh", "new", "not_ours"]
    assert (tmp_path / "fresh" / "deep" / "code.nbi").exists()
    assert remove_unused(tmp_path, now + 2 * day) == [tmp_path / "fresh"]


def test_a_process_marks_its_directory_as_used_and_sweeps(tmp_path: Path) -> None:
    code = "from envs.compiling import cache_directory; print(cache_directory('envs', ''))"
    mine = Path(run(code, cache=tmp_path))
    stale = tmp_path / "envs-of-long-ago"
    stale.mkdir()
    for directory in (mine, stale):
        (directory / "last_used").touch()
        os.utime(directory / "last_used", (0, 0))
    assert run(code, cache=tmp_path) == str(mine)
    assert (mine / "last_used").stat().st_mtime > time.time() - 3600
    assert not stale.exists()


def test_a_second_game_of_one_name_is_refused_and_one_of_another_name_has_another_type() -> None:
    game = get_game("tic_tac_toe")
    with pytest.raises(GameDefinitionError, match="'tic_tac_toe' is registered already"):
        register(dataclasses.replace(game, title="Another"))
    assert dataclasses.replace(game, name="another").dtype != game.dtype
    assert dataclasses.replace(game, title="Another").dtype == game.dtype


@pytest.mark.parametrize("name", SHIPPED)
def test_the_sources_of_a_game_are_all_the_code_of_its_rules(name: str) -> None:
    game = get_game(name)
    sources = {path.resolve() for path in game.sources}
    rules = (game.setup, game.legal_actions, game.apply_action, game.observe, game.determinize, game.returns)
    seen: set[Any] = set()
    for rule in rules:
        for file in files_behind(rule, seen):
            assert file in sources or file.parent == CORE, f"{file.name} is missing in the sources of {name}"


def files_behind(rule: Any, seen: set[Any]) -> Iterator[Path]:
    """The files of a compiled function and of all compiled functions and modules that it names."""
    function = getattr(rule, "py_func", rule)
    if function in seen:
        return
    seen.add(function)
    yield Path(function.__code__.co_filename).resolve()
    for name in function.__code__.co_names:
        named = function.__globals__.get(name)
        if hasattr(named, "py_func"):
            yield from files_behind(named, seen)
        elif type(named) is type(sys):
            attributes = (getattr(named, other, None) for other in function.__code__.co_names)
            for attribute in attributes:
                if hasattr(attribute, "py_func"):
                    yield from files_behind(attribute, seen)
