"""The drawing and the text board show the whole table and nothing that the description hides."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from envs.fuerstenfeld import GAME
from envs.fuerstenfeld.components import TITLES
from envs.fuerstenfeld.state import CARD_NAMES
from envs.position import Position
from envs.svg import PLAYER_COLOURS, to_pixels
from tests.fuerstenfeld.policies import CARD_IDS
from tests.fuerstenfeld.table import Table

SIZE = re.compile(r"[0-9.]+")


def elements(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter())[1:]


def words(svg: str) -> list[str]:
    return [element.text or "" for element in elements(svg) if element.tag.endswith("text")]


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
@pytest.mark.parametrize("variant", ["basic", "advanced"])
def test_everything_lies_within_a_picture_1000_pixels_wide(num_players, variant):
    rng = np.random.default_rng(num_players)
    position = Position(GAME, {"num_players": num_players, "variant": variant, "max_rounds": 9}, num_players)
    while True:
        if position.is_over or position.move_number % 25 == 0:
            root = ElementTree.fromstring(GAME.draw(position.describe()))
            width, height = float(root.get("width", 0)), float(root.get("height", 0))
            assert width == 1000
            for element in root.iter():
                x = [float(element.get(key, 0)) for key in ("x", "cx")]
                y = [float(element.get(key, 0)) for key in ("y", "cy")]
                assert 0 <= max(x) + float(element.get("width", 0)) <= width
                assert 0 <= max(y) + float(element.get("height", 0)) <= height
        if position.is_over:
            break
        position.apply(int(rng.choice(position.legal_actions())))


def test_no_letter_is_smaller_than_ten_pixels_but_those_in_small_discs():
    svg = GAME.draw(Table(5).described)
    sizes = [(element.text, float(element.get("font-size", 0))) for element in elements(svg) if element.text]
    assert min(size for text, size in sizes if text not in ("H", "B", "W")) >= 10


def test_the_picture_says_whose_turn_it_is_and_what_the_phase_is():
    table = Table(3, in_seat_order=False, seed=5)
    head = " ".join(words(GAME.draw(table.described))[:4])
    assert f"sell · player_{table.current} to act" in head
    strokes = [
        element.get("stroke") for element in elements(GAME.draw(table.described)) if element.tag.endswith("rect")
    ]
    assert PLAYER_COLOURS[table.current or 0] in strokes


def test_a_sale_in_progress_is_shown():
    table = Table()
    table.arrange(0, spaces={0: "market"}, goods={"hops": 2, "barley": 1, "water": 1})
    table.play("sell_as", brewery=1, good="hops", as_="water")
    table.play("sell", brewery=1, good="hops")
    for shown in (" ".join(words(GAME.draw(table.described))), GAME.text(table.described)):
        assert "selling to brewery 1: 1 hops as water, 1 hops" in shown


def test_every_card_has_its_name_on_the_table():
    table = Table(variant="advanced")
    for start in range(0, len(CARD_IDS), 5):
        table.arrange(0, hand=CARD_IDS[start : start + 5])
        shown = " ".join(words(GAME.draw(table.described)))
        for card in CARD_IDS[start : start + 5]:
            assert all(word in shown for word in TITLES[card].split()), card


def test_a_seats_picture_hides_what_the_seat_cannot_know():
    """Two positions that differ in hidden cards only give the same picture and text to the seat."""
    one, two = Table(), Table()
    one.arrange(1, hand=["office", "crane"])
    two.arrange(1, hand=["market", "palace_4"])
    for table in (one, two):
        table.arrange(0, hand=["bank_1"], known=["crane"])
    assert GAME.draw(one.position.describe(0)) == GAME.draw(two.position.describe(0))
    assert GAME.text(one.position.describe(0)) == GAME.text(two.position.describe(0))
    assert GAME.draw(one.position.describe(1)) != GAME.draw(two.position.describe(1))


def test_the_end_is_shown():
    table = Table(max_rounds=1)
    table.arrange(1, spaces={0: "palace_1"})
    while table.current is not None:
        table.decline()
    shown = " ".join(words(GAME.draw(table.described)))
    assert "round limit reached, best: player_1" in shown
    assert "player_1 is best" in shown
    assert "best: player_1" in GAME.text(table.described)


def test_the_text_board_names_prices_and_hands():
    table = Table()
    table.arrange(0, hand=["bank_2", "palace_3"], known=["crane"])
    text = GAME.text(table.position.describe(0))
    assert "hand Bank II, Palace III" in text
    assert "hops price 1 demand 0/" in text
    assert text.count("*") == 1


def test_pixels():
    pixels = to_pixels(GAME.draw(Table(5).described), 1000)
    assert pixels.shape[1] == 1000
    assert pixels.std() > 20


def test_titles_cover_every_name():
    assert all(TITLES[name] for name in CARD_NAMES if name)
