"""The table's page in a browser: ten moves by clicking, a reload, the replay; with a mouse, on a phone, by keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envs.catalog import game_names
from experiments.web.app import create_app
from tests.web.chromium import COMPILING, PHONE, WIDE, chromium, look, served, shot, visited

PLAYERS = {"fuerstenfeld": 3, "travel_blog": 3, "pfeffersaecke": 3}
"""Players at a game's table; 2 where it is not named."""

MOVES = 10


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    with served(create_app(folder / "runs", folder / "tables")) as address:
        yield address


def start(page: Any, address: str, game: str, players: int) -> None:
    """Fill in the form for a new table: a person at seat 0, the other seats as offered."""
    page.goto(f"{address}/play")
    page.click(f'.cards a[href="/play/{game}"]')
    page.fill('[data-option="num_players"]', str(players))
    page.fill("#pace", "0")
    page.fill("#seed", "5")
    page.fill('#new-table [data-seat="0"] [data-field="name"]', "Ann")
    page.click("#new-table [type=submit]")
    page.wait_for_selector("#table", timeout=COMPILING)
    page.wait_for_selector("#board svg", timeout=COMPILING)


def my_turn(page: Any) -> bool:
    """Wait for the person's turn; False if the game is over before."""
    page.wait_for_selector(".turn.mine, #result:not([hidden])")
    return page.locator(".turn.mine").count() > 0


def revision(page: Any) -> int:
    return page.locator("#log li[value]").count()


def click_on_the_board(page: Any, number: int) -> bool:
    """Click on a lit place where it is to be seen, and on the first choice of a menu; False where nothing is lit."""
    lit = page.locator("#board [data-lit]")
    if lit.count() == 0:
        return False
    lit.nth(number % lit.count()).click()
    menu = page.locator("#choice button").first
    if page.locator("#choice").is_visible():
        menu.click()
    return True


def play(page: Any, moves: int) -> tuple[int, int]:
    """Play by clicking: on the board where a place is lit, else in the list. How many moves; of them on the board."""
    played = on_board = 0
    while played < moves and my_turn(page):
        before = revision(page)
        if click_on_the_board(page, played):
            on_board += 1
        else:
            page.locator("#actions button").last.click()
        page.wait_for_function("before => document.querySelectorAll('#log li[value]').length > before", arg=before)
        played += 1
    return played, on_board


@pytest.mark.parametrize("game", game_names())
def test_a_game_is_played_by_clicking_reloaded_and_replayed(browser, address, game, tmp_path: Path):
    """Ten moves, at as many tables as short games take; the last is reloaded, played on and replayed."""
    with visited(browser, WIDE) as page:
        page.goto(f"{address}/play/{game}")
        page.wait_for_selector('[data-option="num_players"]')
        look(page, f"{game}-new", tmp_path)
        moves = clicks = 0
        while moves < MOVES:
            start(page, address, game, PLAYERS.get(game, 2))
            here, on_board = play(page, MOVES - moves)
            moves, clicks = moves + here, clicks + on_board
        assert clicks > 0
        look(page, f"{game}-table", tmp_path)
        log = page.locator("#log").inner_text()
        page.reload()
        my_turn(page)
        assert page.locator("#log").inner_text().startswith(log)  # agents may have moved on
        play(page, 1)
        page.set_viewport_size(PHONE)
        page.click("#replay")
        step_back_and_forth(page)
        look(page, f"{game}-replay", tmp_path)


def step_back_and_forth(page: Any) -> None:
    """In the replay: to the end, two moves back, one on; the drawing follows."""
    page.wait_for_selector("#board svg")
    page.click("#last")
    at(page, end := int(page.locator("#total").inner_text()))
    for button, number in (("#back", end - 1), ("#back", end - 2), ("#next", end - 1)):
        page.click(button)
        at(page, number)


def at(page: Any, number: int) -> None:
    """Wait until the replay shows this move."""
    page.wait_for_function("n => document.getElementById('number').textContent === String(n)", arg=number)


def test_the_table_works_by_keyboard_in_the_dark(browser, address, tmp_path: Path):
    with visited(browser, WIDE, "dark") as page:
        start(page, address, "connect_four", 2)
        my_turn(page)
        page.locator("#board [data-lit]").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector('#log li[value="1"]')
        my_turn(page)
        page.locator("#actions button").nth(3).focus()
        page.keyboard.press("Space")
        page.wait_for_selector('#log li[value="3"]')
        assert page.locator("#log").get_attribute("aria-live") == "polite"
        assert page.locator("#board svg").get_attribute("aria-label")
        shot(page, "connect_four-dark-1280", tmp_path)


def test_a_page_that_is_behind_says_so_and_catches_up(browser, address):
    with visited(browser, WIDE) as page:
        start(page, address, "connect_four", 2)
        my_turn(page)
        page.evaluate("""async () => {
            const { id, key } = document.getElementById('table').dataset;
            const body = JSON.stringify({ revision: 0, action: 0 });
            const headers = { 'content-type': 'application/json' };
            await fetch(`/api/tables/${id}/act?key=${key}`, { method: 'POST', headers, body });
        }""")
        page.wait_for_selector('#log li[value="1"]')
        assert my_turn(page)
        assert play(page, 1) == (1, 1)


def test_an_answer_that_was_overtaken_by_a_later_one_is_passed_over(browser, address):
    """The table was still being prepared when the page first asked, and the page hears of it last."""
    with visited(browser, WIDE) as page:
        page.add_init_script("""
            const ask = window.fetch;
            let first = true;
            window.fetch = async (url, options) => {
                const answer = await ask(url, options);
                if (!first || !/api.tables.[0-9a-f]{12}[?]/.test(String(url))) return answer;
                first = false;
                const body = { ...(await answer.json()), status: "preparing", board: undefined };
                await new Promise((done) => setTimeout(done, 700));
                document.title = "overtaken";
                return new Response(JSON.stringify(body));
            };
        """)
        start(page, address, "connect_four", 2)
        page.wait_for_function("() => document.title === 'overtaken'")
        page.wait_for_timeout(100)
        assert page.locator(".turn.mine").count() == 1
