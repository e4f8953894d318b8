"""Configs: what is accepted, what is refused, and what the message says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_origin

import pytest
from pydantic import BaseModel

from experiments.cli import main
from experiments.config import Experiment, ExperimentConfig, load_experiment
from experiments.train import load_training
from experiments.yaml_source import ConfigError
from tests.experiments.configs import TEXT, experiment

GOOD = """\
name: good
seed: 1
games:
  - game: connect_four
  - game: kuhn_poker
    options: {num_players: 3}
    deals: 7
agents:
  random: {type: random}
  weak:
    type: mcts
    iterations: 10
  strong:
    type: mcts
    iterations: 20
tournament:
  deals: 4
"""

BAD = {
    "typo in an agent": (
        "iterations: 10", "itterations: 10",
        r":12: unknown key 'itterations' in agents.weak: did you mean 'iterations'\?",
    ),
    "wrong type": ("iterations: 10", "iterations: many", r":12: agents.weak.iterations is \"many\": .*integer"),
    "a number in quotes": ("iterations: 10", "iterations: '10'", r":12: agents.weak.iterations is \"10\": .*integer"),
    "out of range": (
        "iterations: 10", "iterations: 0",
        r":12: agents.weak.iterations is 0: .*greater than or equal to 1",
    ),
    "unknown agent": (
        "type: random", "type: randm",
        r":9: unknown agent type 'randm' in agents.random: did you mean 'random'\?",
    ),
    "an agent without a type": ("{type: random}", "{}", r":9: the key 'type' is missing in agents.random: .*mcts"),
    "an agent that is no mapping": ("{type: random}", "3", r":9: agents.random is 3: .*"),
    "unknown game": (
        "connect_four", "conect_four",
        r":4: unknown game 'conect_four' in games.0: did you mean 'connect_four'\?",
    ),
    "no game": ("game: kuhn_poker", "game: 7", r":5: games.1.game is 7: .*string"),
    "unknown option": (
        "num_players: 3", "players: 3",
        r":6: games.1.options: unknown option 'players' .*'num_players'",
    ),
    "option out of range": (
        "num_players: 3", "num_players: 9",
        r":6: games.1.options: option 'num_players' of kuhn_poker is 9: .*2 to 3",
    ),
    "option of a wrong type": (
        "num_players: 3", "num_players: yes",
        r":6: games.1.options: option 'num_players' .*True",
    ),
    "typo at the top": ("seed: 1", "sead: 1", r":2: unknown key 'sead': did you mean 'seed'\?"),
    "a key of a section at the top": (
        "seed: 1", "deals: 1",
        r":2: unknown key 'deals': did you mean 'tournament.deals'\?",
    ),
    "typo in a section": ("  deals: 4", "  deal: 4", r":17: unknown key 'deal' in tournament: did you mean 'deals'\?"),
    "typo in a game": ("    deals: 7", "    dels: 7", r":7: unknown key 'dels' in games.1: did you mean 'deals'\?"),
    "no deals": ("deals: 4", "deals: 0", r":17: tournament.deals is 0: .*greater than or equal to 1"),
    "a format that there is not": (
        "deals: 4", "format: knockout",
        r":17: tournament.format is \"knockout\": .*'round_robin'",
    ),
    "true for a number": ("seed: 1", "seed: true", r":2: seed is true: .*integer"),
    "a bad name": ("name: good", "name: ../good", r":1: name is \"../good\": .*pattern"),
    "a bad agent's name": ("  random: {", "  ran dom: {", r":9: 'ran dom' is no name"),
    "two agents of one name": ("  strong:", "  weak:", r":13: two entries named 'weak' in agents, see line 10"),
    "a key twice": ("seed: 1", "name: better", r":2: two entries named 'name' in the config, see line 1"),
    "one game twice": (
        "  - game: kuhn_poker\n    options: {num_players: 3}", "  - game: connect_four",
        r":5: games.1: connect_four is listed twice",
    ),
    "too few agents": ("  random: {type: random}\n", "", r":5: .*seats 3, but there are 2 agents.*repeat_agents"),
    "no agents": (
        GOOD[GOOD.index("agents:") : GOOD.index("tournament")], "agents: {}\n",
        r":8: agents is \{\}: .*at least 1",
    ),
    "no key in a section": ("game: kuhn_poker\n    options:", "options:", r":5: the key 'game' is missing in games.1"),
    "no agents' key": (GOOD[GOOD.index("agents:") : GOOD.index("tournament")], "", r": the key 'agents' is missing"),
    "no games": (GOOD[GOOD.index("games:") : GOOD.index("agents:")], "games: []\n", r":3: games is \[\]: .*at least 1"),
    "a module that there is not": (
        "seed: 1", "imports: [no_such_module]",
        r":2: module 'no_such_module' cannot be imported",
    ),
    "a reference to nothing": ("seed: 1", "seed: ${nowhere}", r":2: .*'nowhere' not found"),
    "an alias to itself": ("seed: 1", "seed: &x [*x]", r":2: seed.0 refers to itself"),
    "a list": (GOOD, "- one\n- two\n", r":1: a config is a mapping"),
    "a word": (GOOD, "games\n", r":1: a config is a mapping"),
    "an empty file": (GOOD, "", r": the file is empty"),
    "comments only": (GOOD, "# nothing\n", r": the file is empty"),
    "not YAML": (GOOD, "games: [1, 2\nagents: }", r":2: not YAML: "),
    "tabs": ("  deals: 4", "\tdeals: 4", r":17: not YAML: "),
    "an object": ("seed: 1", "seed: !!python/object:os.system 1", r":2: .*"),
    "two documents": (GOOD, GOOD + "---\n" + GOOD, r":\d+: not YAML: "),
    "control characters": ("seed: 1", "seed: \x01", r": not YAML: "),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_config_is_one_line_with_exit_code_2_and_writes_nothing(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, message = BAD[case]
    assert old in GOOD
    monkeypatch.chdir(tmp_path)
    Path("bad.yaml").write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    assert main(["run", "bad.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert re.fullmatch(rf"kontor: bad\.yaml{message}.*\n", err), err
    assert [path.name for path in Path().iterdir()] == ["bad.yaml"]


@pytest.mark.parametrize(
    ("override", "message"),
    {
        "workers=many": r"override workers=many: workers is \"many\": .*integer",
        "worker=2": r"override worker=2: unknown key 'worker': did you mean 'workers'\?",
        "deals=3": r"override deals=3: unknown key 'deals': did you mean 'tournament.deals'\?",
        "agents.weak.iterations=-1": r"override agents.weak.iterations=-1: agents.weak.iterations is -1: .*",
        "games.7.deals=1": r"override games.7.deals=1: list index out of range",
        "games.1.options.num_players=1": r"override games.1.options.num_players=1: .*2 to 3.*",
        "workers": r"'workers' is no override: write key=value.*",
        "=3": r"'=3' is no override: write key=value.*",
        "games={": r"override games=\{: .*",
    }.items(),
)
def test_a_bad_override_is_named(override: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_experiment(path, [override])
    assert re.fullmatch(message, str(caught.value)), str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        load_experiment(tmp_path / "nothing.yaml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_experiment(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"name: \xe9\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_experiment(tmp_path / "latin.yaml")


def load(folder: Path, *overrides: str) -> Experiment:
    path = folder / "good.yaml"
    path.write_text(GOOD, encoding="utf-8")
    return load_experiment(path, overrides)


def test_a_config_is_completed(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert [setting.label for setting in loaded.settings] == ["connect_four", "kuhn_poker[num_players=3]"]
    assert [setting.deals for setting in loaded.settings] == [4, 7]
    assert loaded.settings[1].options == loaded.settings[1].game.validate({"num_players": 3})
    assert loaded.output == Path("runs/good")
    assert loaded.agents["weak"].iterations == 10  # type: ignore[attr-defined]
    assert loaded.workers >= 1
    unnamed = tmp_path / "unnamed.yaml"
    unnamed.write_text(GOOD.replace("name: good\n", ""), encoding="utf-8")
    assert load_experiment(unnamed).output == Path("runs/unnamed")


def test_overrides_and_references(tmp_path: Path) -> None:
    loaded = load(
        tmp_path, "workers=3", "tournament.deals=${seed}", "seed=9", "games[1].deals=2",
        "games.0.options={num_players: 2}", "agents.weak.iterations=11", "agents.new={type: random}",
    )  # fmt: skip
    assert (loaded.workers, loaded.seed) == (3, 9)
    assert [setting.deals for setting in loaded.settings] == [9, 2]
    assert loaded.agents["weak"].iterations == 11  # type: ignore[attr-defined]
    assert "new" in loaded.agents


def test_merged_mappings_are_understood_and_their_lines_known(tmp_path: Path) -> None:
    text = TEXT.replace(
        "  two: {type: random}", "  two: &base\n    type: slow\n    seconds: 0.5\n  four:\n    <<: *base"
    )
    assert experiment(tmp_path, text=text).agents["four"].seconds == 0.5  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match=r"config.yaml:13: agents.two.seconds is \"x\""):
        experiment(tmp_path, text=text.replace("0.5", "x"))


def test_the_hash_covers_what_results_depend_on_and_nothing_else(tmp_path: Path) -> None:
    base = load(tmp_path).hash
    for same in ("name=other", "workers=7", "output=elsewhere", "records=false", "games.0.options.num_players=2"):
        assert load(tmp_path, same).hash == base, same
    for other in (
        "seed=2", "tournament.deals=5", "tournament.seats=permutations", "tournament.repeat_agents=true",
        "games.1.options.num_players=2", "games.1.deals=8", "agents.weak.iterations=11", "agents.new={type: random}",
    ):  # fmt: skip
        assert load(tmp_path, other).hash != base, other


def test_the_complete_config_loads_as_the_same_experiment(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    (tmp_path / "again.yaml").write_text(loaded.to_yaml(), encoding="utf-8")
    again = load_experiment(tmp_path / "again.yaml")
    assert (again.hash, again.name, again.settings) == (loaded.hash, loaded.name, loaded.settings)


def test_the_shipped_configs_are_good() -> None:
    shipped = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))
    trainings = [path for path in shipped if path.name.startswith("train_")]
    assert trainings
    assert len(trainings) < len(shipped)
    for path in shipped:
        load = load_training if path in trainings else load_experiment
        assert load(path).name == path.stem


def keys(model: type[BaseModel], above: str = "") -> Iterator[str]:
    """Every key of a model that the docs must name, dotted; the items of a list are numbered N."""
    for name, field in model.model_fields.items():
        inner = (*get_args(field.annotation), field.annotation)
        sections = [part for part in inner if isinstance(part, type) and issubclass(part, BaseModel)]
        number = {list: ".N", dict: ".NAME"}.get(get_origin(field.annotation), "") if sections else ""
        if sections:
            yield from keys(sections[0], f"{above}{name}{number}.")
        else:
            yield f"{above}{name}"


def test_the_docs_explain_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([\w.]+)` \|", page, re.MULTILINE))
    assert set(keys(ExperimentConfig)) <= documented
    assert documented - set(keys(ExperimentConfig)) == {"games", "checkpoints"}
