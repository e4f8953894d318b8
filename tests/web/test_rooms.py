"""Replays, experiments and what is watched, asked for as the pages' scripts do."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from envs.catalog import get_game
from envs.position import Position
from envs.record import GameRecord
from envs.view import View
from experiments.commands.run import show
from experiments.replay import Replay, action_in_words, estimates
from experiments.store import Store
from experiments.tournament import run
from experiments.web import live
from experiments.web.app import create_app
from experiments.web.library import Library
from experiments.web.replays import REPLAYS_KEPT, Replays
from experiments.web.standing import mark, standing
from tests.experiments.configs import experiment

CONFIG = """\
name: small
imports: [tests.experiments.doubles]
games:
  - game: connect_four
  - game: leduc_poker
    deals: 2
agents:
  random: {type: random}
  first: {type: first_legal}
tournament: {deals: 2}
"""


def play(game: str, seed: int, options: dict | None = None) -> GameRecord:
    """A game in which always the first legal action is played but for every third move, the last."""
    position, actions = Position(get_game(game), options or {}, seed), []
    while not position.is_over:
        legal = position.legal_actions()
        actions.append(legal[-1 if len(actions) % 3 == 2 else 0])
        position.apply(actions[-1])
    return GameRecord.of(position, seed, actions)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs: a tournament, two records and a training that has just begun."""
    folder = tmp_path_factory.mktemp("runs")
    run(experiment(folder, f"output={folder / 'small'}", text=CONFIG))
    play("connect_four", 1).save(folder / "four.json")
    play("leduc_poker", 4, {"num_players": 3}).save(folder / "games" / "leduc.json")
    (folder / "learned").mkdir()
    latest = {"update": 2, "matches": {"greedy": {"win_rate": 0.375}}}
    status = {"training": "four", "done": False, "share": 0.25, "latest": latest, "best": None}
    counters = {"update": 3, "steps": 1000, "games": 40, "drawings": 0, "seconds": 1.5}
    (folder / "learned" / "status.json").write_text(json.dumps({**status, "counters": counters}), encoding="utf-8")
    return folder


@pytest.fixture
def client(runs, tmp_path):
    with TestClient(create_app(runs, tmp_path / "tables"), base_url="http://localhost") as client:
        yield client


def game_ids(runs: Path) -> list[str]:
    with Store.read(runs / "small" / "results.sqlite") as store:
        return store.game_ids()


# ------------------------------------------------------------------ replays


def test_every_position_of_a_record_is_drawn_and_told(client, runs):
    record = GameRecord.load(runs / "games" / "leduc.json")
    log = client.get("/api/replay/log?record=games/leduc.json").json()
    assert [entry["seat"] for entry in log] == [p.current_player for p in record.positions()][:-1]
    for move, position in enumerate(record.positions()):
        told = client.get(f"/api/replay/position?record=games/leduc.json&move={move}").json()
        assert told["svg"] == position.game.draw(position.describe())
        assert told["text"] == position.game.text(position.describe())
        assert told["seat"] == position.current_player
        assert bool(told["outcome"]) == position.is_over


def test_from_a_seat_the_other_hands_are_hidden(client, runs):
    record = GameRecord.load(runs / "games" / "leduc.json")
    position = next(record.positions())
    told = client.get("/api/replay/position?record=games/leduc.json&move=0&seat=1").json()
    assert told["text"] == position.game.text(position.describe(1)) != position.game.text(position.describe())
    log = client.get("/api/replay/log?record=games/leduc.json&seat=1").json()
    assert log[0]["words"] == action_in_words(position, record.actions[0], 1)


def test_a_stored_game_is_one_click_from_the_table(client, runs):
    page = client.get("/run?name=small").text
    for id in game_ids(runs):
        assert f"/replay?run=small&amp;game={quote(id)}" in page
    link = page.split('href="/replay?')[1].split('"')[0].replace("&amp;", "&")
    shown = client.get(f"/replay?{link}")
    assert shown.status_code == 200
    assert "random" in shown.text
    assert "first" in shown.text


@pytest.mark.parametrize(
    ("address", "status", "message"),
    [
        ("/api/replay/log?record=none.json", 404, "unknown record 'none.json'"),
        ("/api/replay/log?record=../four.json", 404, "is no name of a run or record"),
        ("/api/replay/log?record=%2e%2e%2ffour.json", 404, "is no name of a run or record"),
        ("/api/replay/log?record=/etc/passwd", 404, "is no name of a run or record"),
        ("/api/replay/log?record=broken.json", 400, "is corrupted"),
        ("/api/replay/log", 400, "say which game"),
        ("/api/replay/log?run=small", 400, "say which game"),
        ("/api/replay/log?record=four.json&run=small", 400, "say which game"),
        ("/api/replay/log?run=small&game=none", 404, "no game 'none' is stored"),
        ("/api/replay/log?run=learned&game=none", 404, "unknown run"),
        ("/api/replay/log?table=0123456789ab", 404, "there is no table"),
        ("/api/replay/log?table=../../four", 404, "there is no table"),
        ("/api/replay/log?record=four.json&seat=2", 404, "there is no seat 2: the seats are 0 to 1"),
        ("/api/replay/position?record=four.json&move=999", 404, "there is no move 999"),
        ("/api/replay/position?record=four.json&move=first", 400, "move"),
        ("/api/run/events?name=none", 404, "unknown run 'none'"),
        ("/api/watch/events?run=../small", 404, "is no name of a run or record"),
    ],
)
def test_bad_addresses_are_refused_with_the_reason(client, runs, address, status, message):
    (runs / "broken.json").write_text('{"format":"kontor game record",', encoding="utf-8")
    answer = client.get(address)
    (runs / "broken.json").unlink()
    assert answer.status_code == status
    assert message in answer.json()["error"]
    assert str(runs) not in answer.json()["error"] or "corrupted" in message


# ------------------------------------------------------------------ value curves


def curve(client: TestClient, address: str, agent: dict) -> dict:
    """A curve, waited for."""
    for _ in range(400):
        answer = client.post(f"/api/replay/curve?{address}", json={"agent": agent})
        assert answer.status_code == 200, answer.text
        found = answer.json()
        if found["points"] or found["error"]:
            return found
        time.sleep(0.05)
    raise AssertionError("the curve does not come")


def test_a_curve_has_a_point_for_each_position_and_ends_with_what_came_out(client, runs):
    record = GameRecord.load(runs / "four.json")
    found = curve(client, "record=four.json", {"type": "greedy"})
    assert found["done"] == found["total"] == len(record.actions) + 1
    assert [point["move"] for point in found["points"]] == list(range(len(record.actions) + 1))
    assert found["points"][-1]["values"] == record.replay().returns().tolist()
    for point in found["points"][:-1]:
        assert sum(point["values"]) == pytest.approx(0)


def test_a_curve_is_worked_out_once(client, monkeypatch):
    begun: list[int] = []
    monkeypatch.setattr("experiments.web.estimating.estimates", lambda *a, **k: begun.append(1) or [])
    for _ in range(3):
        client.post("/api/replay/curve?record=four.json", json={"agent": {"type": "greedy"}})
    time.sleep(0.2)
    assert len(begun) == 1


def test_an_estimate_is_asked_of_the_seat_to_act_and_what_it_knows(monkeypatch):
    replay = Replay(play("leduc_poker", 4))
    seen = []

    class Judge:
        def estimate(self, view: View):
            seen.append((view.seat, view.describe()))
            return [0.0] * view.num_players

    monkeypatch.setattr("experiments.replay.make_agent", lambda *arguments: Judge())
    estimates(replay, None)  # type: ignore[arg-type]
    expected = [replay.position(move) for move in range(replay.moves)]
    assert seen == [(p.current_player, p.describe(p.current_player)) for p in expected]


@pytest.mark.parametrize(
    ("agent", "status", "message"),
    [
        ({"type": "random"}, 200, "does not judge positions"),
        ({"type": "human"}, 400, "a person's estimates are not known"),
        ({"type": "gredy"}, 400, "type"),
        ({"type": "mcts", "iterations": 10**9}, 400, "iterations"),
        ({"type": "ppo", "checkpoint": "../../secret"}, 400, "unknown checkpoint"),
        ({"type": "mcts", "threads": 64}, 400, "threads"),
    ],
)
def test_an_agent_that_cannot_judge_is_refused(client, agent, status, message):
    answer = client.post("/api/replay/curve?record=games/leduc.json", json={"agent": agent})
    assert answer.status_code == status
    text = answer.text if status != 200 else curve(client, "record=games/leduc.json", agent)["error"]
    assert message in text


# ------------------------------------------------------------------ experiments


def test_a_run_shows_what_its_report_shows(client, runs, capsys):
    show(runs / "small" / "results.sqlite")
    page = client.get("/run?name=small").text
    assert "finished" in page
    count = len(game_ids(runs))
    assert f"{count} of {count} games" in page
    rows = [line for line in capsys.readouterr().out.splitlines() if line.split()[:1] in (["first"], ["random"])]
    for row in rows:
        if "[" in row:
            assert row.split("%")[0].split()[-1] in page
    assert page.count("<svg") >= 4, "win shares and ratings of two settings"
    assert "Matrix of pairs of connect_four" in page


def test_a_training_shows_how_far_it_is(client):
    page = client.get("/run?name=learned").text
    assert "1,000 of 4,000 steps" in page
    assert "40 games, 3 updates" in page
    assert '<td>Latest</td><td class="number">2</td><td class="number">37.5 %</td>' in page
    assert "stopped" in page
    assert "25 %" in client.get("/runs").text


def test_games_are_found_by_who_sat_at_the_table(client, runs):
    everything = client.get("/run/games?name=small").text
    assert everything.count('href="/replay?run=small') == len(game_ids(runs))
    pair = client.get("/run/games?name=small&agent=random&agent=first").text
    assert pair.count('href="/replay?run=small') == len(game_ids(runs))
    nobody = client.get("/run/games?name=small&agent=o'brien").text
    assert "There is no such game yet." in nobody


def test_games_come_in_pages(client, monkeypatch):
    monkeypatch.setattr("experiments.web.runs.GAMES_A_PAGE", 3)
    first = client.get("/run/games?name=small").text
    assert first.count('href="/replay?run=small') == 3
    assert "start=3" in first
    assert "Later games" in client.get("/run/games?name=small&start=3").text


def test_a_run_that_cannot_be_read_does_not_hide_the_others(client, runs):
    bad = runs / "bad"
    bad.mkdir()
    (bad / "results.sqlite").write_bytes(b"SQLite format 3\x00" + b"\x00" * 200)
    try:
        page = client.get("/runs").text
    finally:
        (bad / "results.sqlite").unlink()
        bad.rmdir()
    assert "small" in page
    assert 'class="note"' in page


def test_names_are_escaped(client):
    answer = client.get("/run?name=<script>alert(1)</script>")
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text


# ------------------------------------------------------------------ live


class Request:
    """A connection that is closed after so many looks."""

    def __init__(self, looks: int) -> None:
        self.looks, self.app = looks, FastAPI()

    async def is_disconnected(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def test_a_change_is_an_event_and_no_change_is_none(monkeypatch):
    monkeypatch.setattr(live, "SECONDS_BETWEEN_LOOKS", 0.0)
    states = iter([1, 1, 2, 2, 2, 3])

    async def collect() -> list[str]:
        return [line async for line in live._stream(Request(6), lambda: next(states))]  # type: ignore[arg-type]

    assert asyncio.run(collect()) == ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]


def test_a_stream_ends_with_the_server(monkeypatch):
    monkeypatch.setattr(live, "SECONDS_BETWEEN_LOOKS", 0.0)
    request = Request(1000)
    request.app.state.server = SimpleNamespace(should_exit=False)

    def look() -> int:
        request.app.state.server.should_exit = True
        return 1

    async def collect() -> list[str]:
        return [line async for line in live._stream(request, look)]  # type: ignore[arg-type]

    assert asyncio.run(collect()) == ["data: 1\n\n"]


def test_a_run_that_goes_on_is_seen_in_its_mark(tmp_path):
    folder = tmp_path / "small"
    small = experiment(tmp_path, f"output={folder}", text=CONFIG)
    run(small, until=lambda store: store.num_games() > 0)
    library = Library(tmp_path)
    before, stands = mark(library.run("small")), standing(library.run("small"))
    assert (stands.state, stands.done > 0, stands.done < stands.total) == ("stopped", True, True)
    run(small)
    assert mark(library.run("small")) != before
    assert standing(library.run("small")).state == "finished"


# ------------------------------------------------------------------ tables


def table_file(folder: Path, record: GameRecord, keys: list[str | None], over: bool) -> str:
    """A table as the server keeps it."""
    seats = [{"type": "human"} if key else {"type": "random"} for key in keys]
    body = {"format": "kontor table", "format_version": 1, "id": "0123456789ab", "created": "2026-01-01T00:00:00+00:00"}
    body |= {"agents_seed": 1, "seats": seats, "keys": keys, "pace": 0.0, "seconds": [None] * len(record.actions)}
    body |= {"revision": 0, "over": over, "record": record.to_json()}
    folder.mkdir(exist_ok=True)
    (folder / "0123456789ab.json").write_text(json.dumps(body), encoding="utf-8")
    return "0123456789ab"


def cut(record: GameRecord, moves: int) -> GameRecord:
    """The first moves of a game."""
    position = Position(record.load_game(), record.options, record.seed)
    for action in record.actions[:moves]:
        position.apply(action)
    return GameRecord.of(position, record.seed, record.actions[:moves])


def test_a_game_with_secrets_is_seen_by_seats_alone_until_it_is_over(client, tmp_path):
    whole = play("leduc_poker", 4)
    id = table_file(tmp_path / "tables", cut(whole, 2), ["key-of-0", "key-of-1"], False)
    for address in (f"table={id}", f"table={id}&key=wrong", f"table={id}&key=key-of-0&seat=1", f"table={id}&seat=0"):
        assert client.get(f"/api/replay/log?{address}").status_code == 403
    position = list(map(Position.copy, whole.positions()))[1]
    told = client.get(f"/api/replay/position?table={id}&key=key-of-0&seat=0&move=1").json()
    assert told["text"] == position.game.text(position.describe(0))
    assert client.get(f"/api/replay/position?table={id}&key=key-of-0&move=1").status_code == 403
    body = {"agent": {"type": "mcts", "iterations": 20}}
    assert client.post(f"/api/replay/curve?table={id}&key=key-of-0", json=body).status_code == 403
    page = client.get(f"/replay?table={id}&key=key-of-0").text
    assert "an open table" not in page
    assert "Value over the game" not in page
    table_file(tmp_path / "tables", whole, ["key-of-0", "key-of-1"], True)
    assert client.get(f"/api/replay/log?table={id}").status_code == 200


def test_a_table_is_followed_as_its_game_goes_on_and_is_taken_back(client, tmp_path):
    whole = play("connect_four", 1)
    for moves in (2, 5, 4, len(whole.actions)):
        id = table_file(tmp_path / "tables", cut(whole, moves), ["key", None], moves == len(whole.actions))
        log = client.get(f"/api/replay/log?table={id}").json()
        assert len(log) == moves
        told = client.get(f"/api/replay/position?table={id}&move={moves}").json()
        assert told["text"] == whole.load_game().text(cut(whole, moves).replay().describe())
    position = cut(whole, 2).replay()
    other = next(action for action in position.legal_actions() if action != whole.actions[2])
    position.apply(other)
    table_file(tmp_path / "tables", GameRecord.of(position, 1, [*whole.actions[:2], other]), ["key", None], False)
    told = client.get(f"/api/replay/position?table={id}&move=3").json()
    assert told["text"] == position.game.text(position.describe())


def test_no_more_games_are_held_ready_than_there_is_room_for():
    record, kept = cut(play("connect_four", 1), 0), Replays()
    for number in range(REPLAYS_KEPT + 3):
        kept.table(str(number), record, [])
    assert list(kept._kept) == [f"table/{number}" for number in range(3, REPLAYS_KEPT + 3)]
