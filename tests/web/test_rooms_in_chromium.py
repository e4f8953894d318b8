"""The pages of replays and experiments in a browser: stepping by mouse and by keyboard, curves, live changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from envs.record import GameRecord
from experiments.tournament import run
from experiments.web import live
from experiments.web.app import create_app
from tests.experiments.configs import experiment
from tests.web import test_rooms
from tests.web.chromium import PHONE, WIDE, assert_fits, chromium, look, served, shot, visited

runs = test_rooms.runs


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(runs: Path, tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "SECONDS_BETWEEN_LOOKS", 0.1)
        with served(create_app(runs, tmp_path_factory.mktemp("tables"))) as address:
            yield address


def test_a_replay_is_stepped_through_by_mouse_and_keyboard(browser, address, runs, tmp_path):
    moves = len(GameRecord.load(runs / "four.json").actions)
    with visited(browser) as page:
        page.goto(f"{address}/replay?record=four.json")
        told, number = page.locator("#told"), page.locator("#number")
        discs = page.locator("#board svg circle[fill='#d1495b'], #board svg circle[fill='#edae49']")

        def expect(move: int) -> None:
            page.wait_for_function("n => document.querySelector('#number').textContent === String(n)", arg=move)
            assert number.inner_text() == str(move)
            if 0 < move < moves:
                assert f"Move {move}," in told.inner_text()

        page.wait_for_selector("#board svg")
        before = page.locator("#board").inner_html()
        page.get_by_role("button", name="One move on").click()
        expect(1)
        assert page.locator("#board").inner_html() != before
        page.get_by_role("button", name="One move back").click()
        expect(0)
        assert page.locator("#board").inner_html() == before
        for key, move in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", moves), ("Home", 0)):
            page.keyboard.press(key)
            expect(move)
        page.locator("#log button").nth(3).click()
        expect(4)
        assert page.locator("#log [aria-current]").count() == 1
        page.locator("#slider").fill("6")
        expect(6)
        assert discs.count() >= 6
        page.locator("#pace").select_option("300")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(8)
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="To the end").click()
        expect(moves)
        assert "Returns:" in told.inner_text()
        page.get_by_role("button", name="Show the curve").click()
        page.wait_for_selector("#curve svg polyline")
        assert page.locator("#curve polyline").count() == 2
        assert page.locator("#key li").count() == 2
        look(page, "replay-curve", tmp_path)


def test_a_replay_from_a_seat_hides_the_other_hands(browser, address, tmp_path):
    with visited(browser, PHONE, "dark") as page:
        page.goto(f"{address}/replay?record=games/leduc.json")
        page.wait_for_selector("#board svg")
        page.locator("details summary").click()
        whole = page.locator("#text").inner_text()
        page.locator("#seat").select_option("1")
        page.wait_for_function("text => document.querySelector('#text').innerText !== text", arg=whole)
        assert page.locator("#text").inner_text().count("?") >= 2
        assert_fits(page)
        shot(page, "replay_390_dark", tmp_path)


def test_an_experiment_is_followed_while_it_runs_and_its_games_are_a_click_away(browser, address, runs, tmp_path):
    small = experiment(tmp_path, f"output={runs / 'growing'}", text=test_rooms.CONFIG)
    run(small, until=lambda store: store.num_games() > 0)
    with visited(browser) as page:
        page.goto(f"{address}/runs")
        page.get_by_role("link", name="growing").click()
        page.wait_for_selector(".state.stopped")
        table = page.get_by_role("region", name=re.compile("Rated table"))
        assert table.count() == 1
        run(small)
        page.wait_for_selector(".state.finished")
        assert table.count() == 2
        assert page.get_by_role("link", name=re.compile("^Replay")).count() == 8
        look(page, "run", tmp_path)
        page.get_by_role("region", name=re.compile("Matrix of pairs of connect_four")).get_by_role("link").first.click()
        page.get_by_role("link", name=re.compile("^Replay")).first.click()
        page.wait_for_selector("#board svg")
        assert page.get_by_role("heading", level=1).inner_text().startswith(("Connect Four", "Leduc"))
        for room in ("runs", "replays", "play"):
            page.goto(f"{address}/{room}")
            look(page, room, tmp_path)


def test_the_latest_games_are_played_back_one_after_another(browser, address, tmp_path):
    with visited(browser, WIDE) as page:
        page.goto(f"{address}/watch?run=small")
        page.wait_for_selector("#board svg")
        page.locator("#pace").select_option("300")
        page.wait_for_selector("text=This is the newest game.")
        page.wait_for_function("() => document.querySelector('#number').textContent !== '0'")
        choice = page.locator("#game")
        other = choice.locator("option").nth(2).get_attribute("value")
        page.locator("#after").select_option("stay")
        choice.select_option(other)
        page.wait_for_function(
            "() => document.querySelector('#number').textContent === document.querySelector('#total').textContent"
        )
        assert choice.input_value() == other
        look(page, "watch", tmp_path)
