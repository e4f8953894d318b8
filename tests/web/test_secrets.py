"""No answer to a seat carries what the seat may not know: not in drawings, words, actions, logs or replays.

Two searches. What a page is sent must be the same whatever the hidden things may be: byte for byte, with every position
of the game replaced by a determinization for the seat. And everything that is sent while whole games are played is
searched for the names of what is hidden, for the seed and for the other seats' keys.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents.registry import agent_config, make_agent
from envs.catalog import game_names, get_game
from envs.position import Position
from envs.view import View
from experiments.web import shown
from experiments.web.table import Table
from tests.web.browsing import PERSON, RANDOM, Client, client, table_of

SEED = 4_111_222_333_444_555
HIDING = [name for name in game_names() if get_game(name).hidden_information]
LONG = ("fuerstenfeld", "pfeffersaecke", "mesopotamia")
FIRST_MOVES = 45
"""Of long games so many moves, which take each through all of its phases; whole ones in the slow test."""

NAMES_ON_THE_BOARD = ("travel_blog", "pfeffersaecke")
"""What is hidden here (states, values of tokens) has names that stand on the open board: the first search tells."""

EVERY = 15
"""Moves from one comparison with resampled positions to the next."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with client(tmp_path_factory.mktemp("web")) as browser:
        browser.event_hooks = {"response": [lambda response: answers.append((response.url, response.read().decode()))]}
        yield browser


answers: list[tuple[Any, str]] = []


@pytest.mark.parametrize("game", HIDING)
def test_games_are_played_without_a_word_of_what_is_hidden(browser: Client, game: str) -> None:
    play_and_search(browser, game, "random", FIRST_MOVES if game in LONG else 1000, EVERY)


@pytest.mark.slow
@pytest.mark.parametrize("game", LONG)
def test_long_games_are_played_to_their_end_without_a_word_of_what_is_hidden(browser: Client, game: str) -> None:
    play_and_search(browser, game, "greedy", 5000, 10 * EVERY)


def play_and_search(browser: Client, game: str, agent: str, most: int, every: int) -> None:
    """Play over HTTP as an agent would, and search all that is answered at every move."""
    answers.clear()
    table = browser.create(game, [PERSON, PERSON], seed=SEED)
    answers.clear()  # the answer with the keys goes to whoever makes the table
    browser.turn(table)
    inside, hidden_names = table_of(browser, table), 0
    player = make_agent(agent_config(agent), inside.game, inside.options, np.random.default_rng(0))
    while inside.status == "playing" and len(inside.actions) < most:
        seat = inside.position.current_player
        action = player.act(View(inside.position, seat))
        assert browser.act(table, seat, inside.revision, action).status_code == 200
        if inside.status != "playing":
            break
        if len(inside.actions) % 5 == 0 or len(inside.actions) < 5:
            look_at_everything(browser, table, len(inside.actions))
        for url, text in answers:
            viewer = next(seat for seat, key in table["keys"].items() if key in str(url))
            assert str(SEED) not in text
            assert table["keys"][1 - viewer] not in text
            if game not in NAMES_ON_THE_BOARD:
                names = hidden_from(inside.positions[-1], viewer) & hidden_from(inside.positions[-2], viewer)
                hidden_names += len(names)
                assert not names & words(text), url
        answers.clear()
        if len(inside.actions) % every == 1:
            assert_same_whatever_is_hidden(inside)
    assert len(inside.actions) > 1
    assert hidden_names > 0 or game in NAMES_ON_THE_BOARD


def look_at_everything(browser: Client, table: dict[str, Any], move: int) -> None:
    """Ask for all that a seat's browser can ask for."""
    for seat, key in table["keys"].items():
        replay = {"table": table["id"], "key": key}
        browser.show(table, seat)
        for path, query in (
            (f"/tables/{table['id']}", {"key": key}),
            ("/replay", replay),
            ("/api/replay/log", {**replay, "seat": seat}),
            ("/api/replay/position", {**replay, "seat": seat, "move": move}),
        ):
            assert browser.get(path, params=query).status_code == 200, path
        for path, query in (
            (f"/api/tables/{table['id']}/reports/1", {"key": key}),
            ("/api/replay/log", replay),
            ("/api/replay/position", {**replay, "move": move}),
            ("/api/replay/position", {**replay, "move": move, "seat": 1 - seat}),
        ):
            assert browser.get(path, params=query).status_code in (403, 404), path


def words(text: str) -> set[str]:
    """The words of an answer, ids with underscores among them."""
    return set(re.findall(r"[A-Za-z0-9_]+", text))


def leaves(data: Any) -> Iterator[str]:
    """All names in a description that tell things apart by themselves, such as `field_barley_3` or `Qs`."""
    if isinstance(data, dict):
        for value in data.values():
            yield from leaves(value)
    elif isinstance(data, list):
        for value in data:
            yield from leaves(value)
    elif isinstance(data, str):
        yield data


def hidden_from(position: Position, seat: int) -> set[str]:
    """Names that the position has somewhere and the seat sees nowhere, one of many and so no word of every page."""
    return {name for name in set(leaves(position.describe())) - set(leaves(position.describe(seat))) if name != "none"}


def assert_same_whatever_is_hidden(table: Table) -> None:
    """Each seat is shown the same if all that it cannot know is dealt anew, in every position of the game."""
    for seat in range(2):
        sent = json.loads(shown.show(table, seat))
        for number in range(2):
            positions = [place.determinize(seat, 7 + number) for place in table.positions]
            other = dataclasses.replace(table, positions=positions, logs={}, shown={})
            assert json.loads(shown.show(other, seat)) == sent


def test_a_leak_in_the_drawing_would_be_found(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The searches find what they are for: a table that draws the whole position fails both."""
    table = browser.create("leduc_poker", [PERSON, PERSON], seed=SEED)
    browser.turn(table)
    inside = table_of(browser, table)
    assert_same_whatever_is_hidden(inside)
    monkeypatch.setattr(shown, "description", lambda position, viewer: position.describe(None))
    inside.shown.clear()
    with pytest.raises(AssertionError):
        assert_same_whatever_is_hidden(inside)
    inside.shown.clear()
    assert hidden_from(inside.position, 0) & words(json.dumps(browser.show(table, 0)))
    inside.shown.clear()


@pytest.mark.parametrize("game", HIDING)
def test_who_has_no_seat_sees_nothing_before_the_end(browser: Client, game: str) -> None:
    table = browser.create(game, [PERSON, RANDOM], seed=SEED)
    for path in (f"/api/tables/{table['id']}", f"/tables/{table['id']}", f"/api/tables/{table['id']}/events"):
        assert browser.get(path).status_code == 403, path
    browser.turn(table)
    for path in ("/replay", "/api/replay/log", "/api/replay/position?move=0"):
        separator = "&" if "?" in path else "?"
        assert browser.get(f"{path}{separator}table={table['id']}").status_code in (403, 404), path
    assert table["keys"][0] not in browser.get("/api/tables").text + browser.get("/play").text
