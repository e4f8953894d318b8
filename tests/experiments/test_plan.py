"""The plan of a tournament: which games, who sits where, and where their chance comes from."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations, permutations
from math import comb
from pathlib import Path

import pytest

from experiments.config import ConfigError, load_experiment
from experiments.plan import PlayedGame, agent_generator, deal_seed, plan, planned_counts, seatings, swiss_round
from experiments.tournament import run
from tests.agents.alphazero.networks import checkpoint
from tests.agents.ppo.trainings import trainer as new_trainer
from tests.experiments.configs import TEXT, experiment, without_timings

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


# ------------------------------------------------------------------ formats


def test_a_gauntlet_is_the_challenger_against_every_group_of_the_others(tmp_path: Path) -> None:
    changes = "tournament.format=gauntlet", "tournament.challenger=one"
    games = plan(experiment(tmp_path, *changes, text=FIVE))
    others = {"two", "three", "four", "five"}
    pairs = {frozenset(game.lineup) - {"one"} for game in games if game.setting == 0}
    assert pairs == {frozenset([other]) for other in others}
    threes = {frozenset(game.lineup) - {"one"} for game in games if game.setting == 1}
    assert threes == {frozenset(pair) for pair in combinations(others, 2)}
    assert len(games) == 4 * 4 * 2 + 3 * 6 * 3
    again = plan(experiment(tmp_path, *changes, "tournament.repeat_agents=true", text=FIVE))
    assert ("one", "two", "two") in {game.lineup for game in again}
    assert all(game.seating.count("one") == 1 for game in again)


def test_a_league_seats_checkpoints_of_a_training_with_their_neighbours(tmp_path: Path) -> None:
    names = [f"net.{age}" for age in (0, 20, 100, 140, 200)]
    people = "".join(f"  {name}: {{type: random}}\n" for name in names)
    text = TEXT.replace("agents:\n", f"agents:\n{people}")
    games = plan(experiment(tmp_path, "tournament.format=league", text=text))
    pairs = {game.lineup for game in games if game.setting == 0}
    met = {other for pair in pairs if "net.100" in pair for other in pair} - {"net.100"}
    assert met == {"net.0", "net.20", "net.140", "net.200", "one", "two", "three"}, "ages count as numbers"
    met = {other for pair in pairs if "net.0" in pair for other in pair} - {"net.0"}
    assert met == {"net.20", "net.100", "one", "two", "three"}
    assert ("net.0", "net.140", "one") not in {game.lineup for game in games}
    narrow = plan(experiment(tmp_path, "tournament.format=league", "tournament.window=1", text=text))
    assert ("net.0", "net.100") not in {game.lineup for game in narrow}


def results(tables: list[tuple[str, ...]], deal: int = 0) -> list[PlayedGame]:
    """Games in which the first named won."""
    return [PlayedGame(0, deal, table, (1.0, *[0.0] * (len(table) - 1))) for table in tables]


def test_a_swiss_round_pairs_equal_standings_that_have_not_met() -> None:
    agents = list("abcdef")
    assert swiss_round(agents, 2, []) == [("a", "b"), ("c", "d"), ("e", "f")]
    first = results([("a", "b"), ("c", "d"), ("e", "f")])
    assert swiss_round(agents, 2, first) == [("a", "c"), ("b", "e"), ("d", "f")]
    second = first + results([("a", "c"), ("b", "e"), ("d", "f")], 1)
    assert ("a", "c") not in swiss_round(agents, 2, second)


def test_whoever_sits_out_of_a_swiss_round_does_so_no_more_often_than_others() -> None:
    agents, played, out = list("abcdefg"), [], Counter[str]()
    for number in range(7):
        lineups = swiss_round(agents, 3, played)
        seated = [agent for lineup in lineups for agent in lineup]
        assert len(seated) == len(set(seated)) == 6
        out.update(set(agents) - set(seated))
        played += results([tuple(sorted(lineup)) for lineup in lineups], number)
    assert out == dict.fromkeys(agents, 1)


def test_a_swiss_tournament_is_played_in_rounds_and_comes_out_the_same_after_a_stop(tmp_path: Path) -> None:
    changes = "tournament.format=swiss", "tournament.rounds=3"
    whole = run(experiment(tmp_path, *changes, text=FIVE))
    assert whole.done == whole.total == sum(planned_counts(experiment(tmp_path, *changes, text=FIVE)))
    assert whole.total == 3 * (4 * 2 * 2 + 3 * 1 * 3)
    (tmp_path / "other").mkdir()
    parts = experiment(tmp_path / "other", *changes, text=FIVE)
    stops = iter(range(1, 100))
    while (part := run(parts, until=lambda store: len(store.finished()) >= 7 * next(stops))).done < part.total:
        assert not part.interrupted
    assert without_timings(part.store) == without_timings(whole.store)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["format=gauntlet"], "a gauntlet needs a challenger"),
        (["format=gauntlet", "challenger=tow"], "unknown agent 'tow' in tournament.challenger: did you mean 'two'"),
        (["rounds=3"], "tournament.rounds is for the format swiss only"),
        (["format=league", "repeat_agents=true"], "no agent sits twice at a table of a league"),
    ],
)
def test_keys_that_do_not_go_with_the_format_are_refused(changes: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        experiment(tmp_path, *(f"tournament.{change}" for change in changes))


def test_the_snapshots_of_a_training_are_agents_of_a_league(tmp_path: Path) -> None:
    pool = {"snapshot_every": 1, "pool_size": 16}
    trainer = new_trainer(tmp_path / "net", game="kuhn_poker", steps=8 * 128, opponents=pool)
    trainer.run()
    assert [snapshot.update for snapshot in trainer.pool.snapshots] == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    text = f"""\
games: [{{game: kuhn_poker}}]
checkpoints:
  net: {{training: {tmp_path / "net"}, every: 4, temperature: 1.0}}
tournament: {{format: league, window: 1, deals: 2}}
"""
    league = experiment(tmp_path, text=text)
    assert list(league.agents) == ["net.0", "net.4", "net.8"]
    assert {game.lineup for game in plan(league)} == {("net.0", "net.4"), ("net.4", "net.8")}
    assert run(league).done == 8
    again = experiment(tmp_path, text=league.to_yaml())
    assert plan(again) == plan(league)
    with pytest.raises(ConfigError, match="there are no snapshots in nowhere"):
        experiment(tmp_path, "checkpoints.net.training=nowhere", text=text)


def test_snapshots_of_a_search_are_agents_with_its_budget(tmp_path: Path) -> None:
    for number in (0, 10):
        checkpoint(tmp_path / "net" / "snapshots" / f"{number:06}-aa.safetensors", "kuhn_poker", seed=number)
    text = f"""\
games: [{{game: kuhn_poker}}]
checkpoints:
  net: {{training: {tmp_path / "net"}, iterations: 4}}
tournament: {{format: league, deals: 1}}
"""
    league = experiment(tmp_path, text=text)
    assert list(league.agents) == ["net.0", "net.10"]
    assert {(agent.type, agent.model_dump()["iterations"]) for agent in league.agents.values()} == {("alphazero", 4)}
    assert run(league).done == 2
    (tmp_path / "net" / "snapshots" / "000020-aa.safetensors").write_bytes(b"?")
    with pytest.raises(ConfigError, match=r"checkpoints\.net: .*000020-aa\.safetensors: is no checkpoint"):
        experiment(tmp_path, text=text)
