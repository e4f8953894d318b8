"""The plan of a tournament: which games, who sits where, and where their chance comes from."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import permutations
from math import comb
from pathlib import Path

import pytest

from experiments.config import load_experiment
from experiments.plan import agent_generator, deal_seed, plan, seatings
from tests.experiments.configs import TEXT, experiment

PEOPLE = "  four: {type: random}\n  five: {type: random}\n"
FIVE = TEXT.replace("agents:\n", f"agents:\n{PEOPLE}")


def test_every_group_of_agents_plays_every_deal_in_every_rotation(tmp_path: Path) -> None:
    games = plan(experiment(tmp_path, text=FIVE))
    assert len(games) == 4 * comb(5, 2) * 2 + 3 * comb(5, 3) * 3
    assert len({game.id for game in games}) == len(games)
    blocks = Counter((game.setting, game.deal, game.lineup) for game in games)
    assert set(blocks.values()) == {2, 3}
    for setting, deal, lineup in blocks:
        seats = [game.seating for game in games if (game.setting, game.deal, game.lineup) == (setting, deal, lineup)]
        for seat in range(len(lineup)):
            assert sorted(seating[seat] for seating in seats) == list(lineup), "each agent sits in each seat once"


def test_all_games_of_a_deal_share_its_seed_and_no_other_has_it(tmp_path: Path) -> None:
    games = plan(experiment(tmp_path, text=FIVE))
    seeds = {(game.setting, game.deal, game.seed) for game in games}
    assert len(seeds) == len({seed for *_, seed in seeds}) == 4 + 3
    assert all(0 <= game.seed < 1 << 63 for game in games)


def test_permutations_of_the_seats(tmp_path: Path) -> None:
    config = experiment(tmp_path, "tournament.seats=permutations").tournament
    assert sorted(seatings(("a", "b", "c"), config)) == sorted(permutations("abc"))
    assert seatings(("a", "a", "b"), config) == [("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a")]


def test_an_agent_may_be_repeated_if_asked(tmp_path: Path) -> None:
    text = TEXT.replace("  three: {type: first_legal}\n", "")
    games = plan(experiment(tmp_path, "tournament.repeat_agents=true", text=text))
    assert {game.lineup for game in games if game.setting == 0} == {("one", "two")}
    assert {game.lineup for game in games if game.setting == 1} == {("one", "one", "two"), ("one", "two", "two")}
    alone = plan(
        experiment(tmp_path, "tournament.repeat_agents=true", text=text.replace("  two: {type: random}\n", ""))
    )
    assert {game.lineup for game in alone} == {("one", "one"), ("one", "one", "one")}
    assert len(alone) == 4 + 3, "copies of an agent change seats with no effect: one game a deal"


@pytest.mark.parametrize("change", ["workers=3", "records=false", "output=elsewhere", "name=other"])
def test_the_plan_is_a_function_of_what_matters_in_the_config(change: str, tmp_path: Path) -> None:
    assert plan(experiment(tmp_path)) == plan(experiment(tmp_path, change))


def test_the_order_of_the_agents_in_the_file_does_not_matter(tmp_path: Path) -> None:
    lines = TEXT.splitlines(keepends=True)
    start = lines.index("agents:\n") + 1
    turned = "".join([*lines[:start], *reversed(lines[start : start + 3]), *lines[start + 3 :]])
    assert turned != TEXT
    assert plan(experiment(tmp_path)) == plan(experiment(tmp_path, text=turned))


def test_another_process_makes_the_same_plan(tmp_path: Path) -> None:
    here = plan(experiment(tmp_path))
    code = (
        "import sys; from pathlib import Path; from experiments.config import load_experiment; "
        "from experiments.plan import plan, agent_generator; games = plan(load_experiment(Path(sys.argv[1]))); "
        "print([(g.id, g.seed, int(agent_generator(5, g.id, 1).integers(1 << 62))) for g in games])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "config.yaml")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": os.getcwd()},
    )
    expected = [(game.id, game.seed, int(agent_generator(5, game.id, 1).integers(1 << 62))) for game in here]
    assert done.stdout.strip() == str(expected)


def test_more_deals_or_agents_leave_the_games_that_were_there(tmp_path: Path) -> None:
    few = set(plan(experiment(tmp_path)))
    assert few < set(plan(experiment(tmp_path, "tournament.deals=9")))
    assert few < set(plan(experiment(tmp_path, "agents.four={type: random}")))


def test_generators_differ_by_run_game_and_seat_and_are_apart_from_the_deal() -> None:
    keys = [(run, game, seat) for run in (0, 1) for game in ("a/1/x+y", "a/1/y+x", "a/11/x+y") for seat in range(2)]
    drawn = [int(agent_generator(*key).integers(1 << 62)) for key in keys]
    assert len(set(drawn)) == len(keys)
    assert drawn == [int(agent_generator(*key).integers(1 << 62)) for key in keys]
    assert deal_seed(0, "a", 1) != deal_seed(1, "a", 1) != deal_seed(1, "b", 1) != deal_seed(1, "b", 2)


def test_the_seed_of_the_run_changes_every_deal(tmp_path: Path) -> None:
    one, other = plan(experiment(tmp_path)), plan(experiment(tmp_path, "seed=6"))
    assert [game.id for game in one] == [game.id for game in other]
    assert all(a.seed != b.seed for a, b in zip(one, other, strict=True))


def test_games_are_started_deal_by_deal(tmp_path: Path) -> None:
    deals = [game.deal for game in plan(experiment(tmp_path))]
    assert deals == sorted(deals)
    assert load_experiment(tmp_path / "config.yaml").settings[0].deals == 4
