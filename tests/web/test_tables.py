"""Tables over HTTP: playing, taking back, agents, restarts, and every kind of request that is refused."""

from __future__ import annotations

import errno
import json
import os
import time

import numpy as np
import pytest

from envs.catalog import get_game
from envs.errors import RecordError
from envs.position import Position
from envs.record import GameRecord, write_atomically
from experiments.web import tables
from experiments.web.seats import Seat
from experiments.web.table import Table, load_table
from experiments.web.tables import Tables
from tests.agents.alphazero.networks import checkpoint
from tests.web.browsing import GREEDY, PERSON, RANDOM, client, table_of

JSON = {"accept": "application/json"}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with client(tmp_path_factory.mktemp("web")) as browser:
        yield browser


def test_a_game_is_played_to_its_end_and_its_record_replays(browser):
    table = browser.create("connect_four", [PERSON, GREEDY], seed=3)
    shown = browser.turn(table)
    assert [action["words"] for action in shown["actions"]][:1] == ["Drop a disc into column 0"]
    while shown["status"] == "playing":
        assert browser.act(table, 0, shown["revision"], shown["actions"][0]["action"]).status_code == 200
        shown = browser.turn(table)
    assert shown["status"] == "over"
    assert shown["result"]["winners"] == [1]
    assert len(shown["log"]) == shown["revision"]
    file = json.loads((browser.app.state.tables.folder / f"{table['id']}.json").read_text())
    record = GameRecord.from_json(file["record"], "the table's file")
    assert record.replay().winners() == [1]


def test_a_seat_has_a_name_scores_and_a_kind(browser):
    table = browser.create("leduc_poker", [{**PERSON, "name": "  Ann   B. "}, RANDOM], seed=3)
    first, second = browser.turn(table)["seats"]
    assert (first["name"], first["human"], first["scores"]) == ("Ann B.", True, [["chips", 1]])
    assert (second["name"], second["human"]) == ("random", False)


def test_two_people_play_at_one_table_each_with_a_key(browser):
    table = browser.create("connect_four", [PERSON, PERSON])
    assert table["keys"][0] != table["keys"][1]
    shown = browser.turn(table)
    assert browser.show(table, 1)["actions"] == []
    assert browser.act(table, 0, shown["revision"], 3).status_code == 200
    assert browser.show(table, 1)["to_act"] == 1
    assert len(browser.show(table, 1)["actions"]) == 7


def test_agents_alone_play_to_the_end_for_all_to_see(browser):
    table = browser.create("kuhn_poker", [RANDOM, RANDOM], seed=2)
    shown = browser.turn(table, None)
    assert shown["status"] == "over"
    assert shown["you"] is None
    assert shown["open"]


def test_a_search_tells_what_it_saw_once_that_hides_nothing(browser):
    search = {"type": "mcts", "iterations": 50}
    table = browser.create("connect_four", [PERSON, search])
    shown = browser.turn(table)
    assert browser.act(table, 0, shown["revision"], 3).status_code == 200
    shown = browser.turn(table)
    assert shown["reports"] == [2]
    report = browser.get(f"/api/tables/{table['id']}/reports/2").json()
    assert sum(entry["visits"] for entry in report["actions"]) >= 50
    assert report["actions"][0]["words"] == shown["log"][1]["words"]

    hidden = browser.create("leduc_poker", [PERSON, search], seed=1)
    shown = browser.turn(hidden)
    answer = browser.act(hidden, 0, shown["revision"], shown["actions"][0]["action"])
    path = f"/api/tables/{hidden['id']}/reports/2"
    refused = browser.get(path, params=browser.key(hidden, 0))
    assert answer.status_code == 200
    assert refused.status_code == 403
    assert "once the game is over" in refused.json()["error"]


def test_a_network_under_the_runs_is_offered_leads_a_search_and_judges(browser):
    runs = browser.app.state.runs
    checkpoint(runs / "zero" / "best.safetensors", "connect_four")
    checkpoint(runs / "two" / "best.safetensors", "tic_tac_toe")
    offered = browser.get("/play/connect_four").text
    assert '<option value="alphazero:zero/best">alphazero: zero/best, 2 players</option>' in offered
    assert "two/best" not in offered
    assert "mcts:zero" not in offered  # that takes the network of ppo

    seat = {"type": "alphazero", "checkpoint": "zero/best", "iterations": 16}
    table = browser.create("connect_four", [PERSON, seat])
    shown = browser.turn(table)
    assert shown["seats"][1]["name"] == "alphazero, 16 simulations, zero/best"
    assert browser.act(table, 0, shown["revision"], 3).status_code == 200
    shown = browser.turn(table)
    assert shown["reports"] == [2]
    report = browser.get(f"/api/tables/{table['id']}/reports/2").json()
    assert report["iterations"] == 16
    assert report["actions"][0]["words"] == shown["log"][1]["words"]
    assert "search by the network zero/best" in browser.get("/replay", params={"table": table["id"]}).text


# ------------------------------------------------------------------ undo


def test_what_revealed_nothing_is_taken_back_within_the_turn(browser):
    table = browser.create("fuerstenfeld", [PERSON, PERSON], seed=4)
    shown = browser.turn(table)
    for _ in range(40):  # to a decision of the seat that is followed by another of its own, with no card drawn
        seat = shown["to_act"]
        shown = browser.show(table, seat)
        before = shown
        shown = browser.act(table, seat, shown["revision"], shown["actions"][0]["action"]).json()
        if shown["can_undo"]:
            break
        shown = browser.show(table, shown["to_act"])
    back = browser.undo(table, seat, shown["revision"])
    assert back.status_code == 200, back.text
    same = {key: value for key, value in back.json().items() if key not in ("revision", "can_undo")}
    assert same == {key: value for key, value in before.items() if key not in ("revision", "can_undo")}
    assert back.json()["revision"] == shown["revision"] + 1


def test_nothing_is_taken_back_once_another_seat_is_to_act(browser):
    table = browser.create("connect_four", [PERSON, PERSON])
    shown = browser.turn(table)
    shown = browser.act(table, 0, shown["revision"], 3).json()
    assert not shown["can_undo"]
    refused = browser.undo(table, 0, shown["revision"])
    assert refused.status_code == 409


def test_what_was_discovered_or_drawn_is_not_put_back():
    """In Mesopotamia a step may turn up a hex, and a card may be drawn: then there is no way back, else there is."""
    game = get_game("mesopotamia")
    people = (Seat(type="human"), Seat(type="human"))
    position, rng = Position(game, {}, 5), np.random.default_rng(0)
    final, free = 0, 0
    for _ in range(80):
        seat, action = position.current_player, int(rng.choice(position.legal_actions()))
        after = position.copy()
        after.apply(action)
        table = Table("0", game, position.options, 5, 0, people, ("a", "b"), 0.0, "", [action], [None])
        table.positions = [position, after]
        hidden = [len(place.describe()[pile]) for place in (position, after) for pile in ("stack", "draw_pile")]
        turned_up = hidden[:2] != hidden[2:]
        if after.current_player == seat:
            assert table.can_undo(seat) != turned_up
            final, free = final + turned_up, free + (not turned_up)
        position = after
    assert final > 3
    assert free > 3


# ------------------------------------------------------------------ what is refused


def refused(answer, status, words):
    assert answer.status_code == status, answer.text
    assert words in answer.json()["error"]
    assert "Traceback" not in answer.text


@pytest.fixture(scope="module")
def table(browser):
    table = browser.create("leduc_poker", [PERSON, PERSON], seed=1)
    browser.turn(table)
    return table


@pytest.fixture(autouse=True)
def unharmed(request, browser):
    """Whatever a test does to `table`, the table is as it was."""
    if "table" not in request.fixturenames:
        yield
        return
    table = request.getfixturevalue("table")
    before = browser.show(table, 0)
    file = browser.app.state.tables.folder / f"{table['id']}.json"
    written = file.read_bytes()
    yield
    assert browser.show(table, 0) == before
    assert file.read_bytes() == written


@pytest.mark.parametrize("name", ["000000000000", "nix", "..%2f..%2fetc%2fpasswd", "%00", "x" * 500])
def test_an_unknown_table(browser, table, name):
    refused(browser.get(f"/api/tables/{name}"), 404, "there is no" if "%2f" not in name else "nothing at")


@pytest.mark.parametrize("action", [99, -1, 10**30])
def test_an_illegal_action(browser, table, action):
    refused(browser.act(table, 0, 0, action), 400, "out of range" if action < 10**20 else "")


def test_an_action_that_is_not_legal_now(browser, table):
    legal = {action["action"] for action in browser.show(table, 0)["actions"]}
    other = next(action for action in range(3) if action not in legal)
    refused(browser.act(table, 0, 0, other), 400, "illegal")


def test_a_page_that_is_behind(browser, table):
    refused(browser.act(table, 0, 7, 0), 409, "the page is behind")


def test_the_key_of_another_seat(browser, table):
    refused(browser.act(table, 1, 0, 0), 409, "turn of seat 0")


@pytest.mark.parametrize("path", ["", "/events", "/act", "/undo", "/reports/1"])
def test_a_foreign_key_or_none(browser, table, path):
    other = browser.create("leduc_poker", [PERSON, PERSON])
    for key in ({"key": other["keys"][0]}, {"key": "ä" * 20}, {}):
        body = (
            {"json": {"revision": 0, "action": 0} if path == "/act" else {"revision": 0}}
            if path in ("/act", "/undo")
            else {}
        )
        answer = browser.request("POST" if body else "GET", f"/api/tables/{table['id']}{path}", params=key, **body)
        assert answer.status_code == 403, answer.text


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "revision"),
        ({"revision": 0}, "action"),
        ({"revision": "0", "action": 0}, "revision"),
        ({"revision": 0, "action": "0"}, "action"),
        ({"revision": 0, "action": 1.5}, "action"),
        ({"revision": 0, "action": True}, "action"),
        ({"revision": 0, "action": None}, "action"),
        ({"revision": 0, "action": 0, "seat": 1}, "seat"),
        ([], ""),
        ("x", ""),
    ],
)
def test_a_body_that_is_none(browser, table, body, words):
    answer = browser.post(f"/api/tables/{table['id']}/act", params=browser.key(table, 0), json=body)
    refused(answer, 400, words)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 30_000, b'{"revision": NaN, "action": 0}'])
def test_a_body_that_is_no_json(browser, table, content):
    path = f"/api/tables/{table['id']}/act"
    answer = browser.post(
        path, params=browser.key(table, 0), content=content, headers={"content-type": "application/json"}
    )
    refused(answer, 400, "the request is not understood" if content[:1] != b"[" else "error parsing")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"game": "conect_four"}, "did you mean 'connect_four'"),
        ({"game": "../../etc/passwd"}, "unknown game"),
        ({"options": {"players": 2}}, "unknown option"),
        ({"options": {"num_players": 9}}, "num_players"),
        ({"seats": [PERSON]}, "has as many seats"),
        ({"seats": [PERSON, {"type": "gredy"}]}, "type"),
        ({"seats": [PERSON, {"type": "mcts", "iterations": 10**9}]}, "iterations"),
        ({"seats": [PERSON, {"type": "mcts", "seconds": 1e9}]}, "seconds"),
        ({"seats": [PERSON, {"type": "mcts", "threads": 64}]}, "threads"),
        ({"seats": [PERSON, {"type": "greedy", "iterations": 5}]}, "iterations"),
        ({"seats": [{"type": "human", "iterations": 5}, PERSON]}, "a person takes no"),
        ({"seats": [PERSON, {"type": "ppo", "checkpoint": "../../../etc/passwd"}]}, "unknown checkpoint"),
        ({"seats": [PERSON, {"type": "ppo"}]}, "checkpoint"),
        ({"seed": -1}, "seed"),
        ({"pace": 1e9}, "pace"),
        ({"more": 1}, "more"),
    ],
)
def test_a_table_that_cannot_be(browser, asked, words):
    before = browser.get("/api/tables").json()
    body = {"game": "connect_four", "seats": [PERSON, GREEDY], **asked}
    refused(browser.post("/api/tables", json=body), 400, words)
    assert browser.get("/api/tables").json() == before


# ------------------------------------------------------------------ restarts


def test_tables_survive_a_restart(tmp_path):
    with client(tmp_path) as browser:
        table = browser.create("leduc_poker", [PERSON, PERSON, RANDOM], options={"num_players": 3}, seed=8)
        shown = browser.turn(table)
        for _ in range(3):
            seat = shown["to_act"]
            shown = browser.show(table, seat)
            browser.act(table, seat, shown["revision"], shown["actions"][0]["action"])
            shown = browser.turn(table)
        pages = [browser.show(table, seat) for seat in (0, 1)]
    (tmp_path / "tables" / "0123456789ab.json").write_text("{")
    with client(tmp_path) as browser:
        assert [entry["id"] for entry in browser.get("/api/tables").json()["tables"]] == [table["id"]]
        browser.turn(table)
        assert [browser.show(table, seat) for seat in (0, 1)] == pages
        shown = pages[shown["to_act"]]
        answer = browser.act(table, shown["to_act"], shown["revision"], shown["actions"][0]["action"])
        assert answer.status_code == 200
        damaged = browser.get("/api/tables/0123456789ab")
        assert damaged.status_code == 410
        assert "cannot be opened" in damaged.json()["error"]
    assert (tmp_path / "tables").stat().st_mode & 0o077 == 0  # the keys are in it


def test_a_table_that_was_never_prepared_survives_a_restart(tmp_path, monkeypatch):
    (tmp_path / "tables").mkdir(mode=0o755)
    with client(tmp_path) as browser:
        with monkeypatch.context() as patch:
            patch.setattr(Tables, "_go_on", lambda *arguments: None)  # a kill would come before it is prepared
            table = browser.create("connect_four", [PERSON, {"type": "mcts", "iterations": 5}], seed=4)
            refused(browser.get("/api/replay/log", params={"table": table["id"]}, headers=JSON), 409, "being prepared")
        written = (tmp_path / "tables" / f"{table['id']}.json").read_bytes()
    with client(tmp_path) as browser:
        assert (tmp_path / "tables" / f"{table['id']}.json").read_bytes() == written
        shown = browser.turn(table)
        assert (shown["status"], shown["revision"]) == ("playing", 0)
        assert table_of(browser, table).seed == 4
        assert browser.act(table, 0, 0, shown["actions"][0]["action"]).status_code == 200
        browser.turn(table)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "tables").glob(f"{table['id']}*")}
    assert modes == {f"{table['id']}.json": 0o600, f"{table['id']}.reports.jsonl": 0o600}  # whatever the folder's is


def test_an_edited_table_is_refused_and_left_alone(tmp_path):
    with client(tmp_path) as browser:
        table = browser.create("connect_four", [PERSON, PERSON])
        browser.act(table, 0, browser.turn(table)["revision"], 3)
    file = tmp_path / "tables" / f"{table['id']}.json"
    edited = file.read_text().replace('"actions": [3]', '"actions": [4]')
    assert edited != file.read_text()
    file.write_text(edited)
    with client(tmp_path) as browser:
        refused(browser.get(f"/api/tables/{table['id']}", params=browser.key(table, 0)), 410, "checksum")
    assert file.read_text() == edited


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"revision": 1', '"revision": -7'),
        ('"revision": 1', '"revision": ' + "9" * 5000),
        ('"pace": 0.0', '"pace": Infinity'),
        ('"human"', '"alien"'),
        ('"keys": [', '"keys": [5, '),
        ('"keys"', '"locks"'),
        ('"seconds": [null]', '"seconds": ["x"]'),
        ('"seconds": [null]', '"seconds": []'),
        ('"id": "', '"id": "../'),
        ('"created"', '"seats"'),
        ("{", "[" * 100_000),
        ("}", ""),
    ],
)
def test_a_damaged_table_is_refused_in_one_line_wherever_it_is_asked_for(browser, damaged, old, new):
    """The file is damaged while the server runs, which goes on with what it knows; the replay reads the file."""
    table, file, good = damaged
    file.write_text(good.replace(old, new))
    assert file.read_text() != good
    with pytest.raises(RecordError, match=file.stem):
        load_table(file)
    for path in ("/replay", "/api/replay/log", "/api/replay/position"):
        refused(browser.get(path, params={"table": table["id"], "move": 0}, headers=JSON), 410, "cannot be opened")
    assert browser.get("/replays").status_code == 200
    assert browser.show(table, 0)["revision"] == 1


@pytest.fixture
def damaged(browser):
    """A table, its file and what stands in it; put back afterwards."""
    table = browser.create("connect_four", [PERSON, PERSON])
    browser.act(table, 0, browser.turn(table)["revision"], 3)
    file = browser.app.state.tables.folder / f"{table['id']}.json"
    good = file.read_text()
    yield table, file, good
    file.write_text(good)


def test_an_agent_that_fails_stops_its_table_alone(browser):
    table = browser.create("connect_four", [PERSON, GREEDY])
    shown = browser.turn(table)
    table_of(browser, table).agents[1].act = None  # type: ignore[method-assign]
    assert browser.act(table, 0, shown["revision"], 3).status_code == 200
    shown = browser.turn(table)
    assert shown["status"] == "stopped"
    assert "cannot go on" in shown["problem"]
    refused(browser.act(table, 0, shown["revision"], 3), 409, "stopped")
    del table_of(browser, table).agents[1].act
    path = f"/api/tables/{table['id']}/resume"
    assert browser.post(path, params=browser.key(table, 0)).status_code == 200
    assert browser.turn(table)["to_act"] == 0


@pytest.fixture
def broken_disk(monkeypatch):
    """What writing a table's file comes to: nothing, or the error put into this list."""
    errors: list[int] = []

    def write(*arguments, **settings):
        if errors:
            raise OSError(errors[0], os.strerror(errors[0]), "file")
        return write_atomically(*arguments, **settings)

    monkeypatch.setattr(tables, "write_atomically", write)
    return errors


@pytest.mark.parametrize(("error", "status"), [(errno.ENOSPC, 507), (errno.EIO, 500)])
def test_what_cannot_be_written_is_not_played(browser, broken_disk, error, status):
    table = browser.create("connect_four", [PERSON, PERSON])
    before = browser.turn(table)
    broken_disk.append(error)
    refused(browser.act(table, 0, before["revision"], 3), status, f"cannot be written to disk ({os.strerror(error)})")
    assert browser.show(table, 0) == before
    broken_disk.clear()
    assert browser.act(table, 0, before["revision"], 3).status_code == 200


def test_an_agents_move_that_cannot_be_written_stops_the_table_until_it_can(browser, broken_disk):
    table = browser.create("connect_four", [PERSON, {"type": "mcts", "iterations": 5}], pace=0.5)
    before = browser.turn(table)
    assert browser.act(table, 0, before["revision"], 3).status_code == 200
    broken_disk.append(errno.ENOSPC)  # while the agent is at its move
    stopped = browser.turn(table)
    assert stopped["status"] == "stopped"
    assert "No space left" in stopped["problem"]
    assert (stopped["revision"], len(stopped["log"]), stopped["reports"]) == (before["revision"] + 1, 1, [])
    broken_disk.clear()
    path = f"/api/tables/{table['id']}/resume"
    assert browser.post(path, params=browser.key(table, 0)).status_code == 200
    shown = browser.turn(table)
    assert (shown["to_act"], len(shown["log"]), shown["reports"]) == (0, 2, [2])


def test_changes_are_told_as_events(browser):
    table = browser.create("connect_four", [PERSON, PERSON])
    shown = browser.turn(table)
    with browser.stream("GET", f"/api/tables/{table['id']}/events", params=browser.key(table, 1)) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = (line for line in stream.iter_lines() if line)
        assert next(lines) == f"data: {shown['revision']} playing"
        started = time.perf_counter()
        browser.act(table, 0, shown["revision"], 3)
        assert next(lines) == f"data: {shown['revision'] + 1} playing"
        assert time.perf_counter() - started < 10
