"""The drawing and the text board show the whole table and nothing that the description hides."""

from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

from envs.mesopotamia import GAME
from envs.position import Position
from envs.svg import PLAYER_COLOURS, to_pixels
from tests.mesopotamia.policies import play_sensibly
from tests.mesopotamia.table import NORTH, A, Table


def elements(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter())[1:]


def words(svg: str) -> list[str]:
    return [element.text or "" for element in elements(svg) if element.tag.endswith("text")]


def fills(svg: str) -> Counter[str]:
    return Counter(element.get("fill", "") for element in elements(svg))


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_everything_lies_within_a_picture_1000_pixels_wide(num_players):
    rng = np.random.default_rng(num_players)
    position = Position(GAME, {"num_players": num_players, "max_rounds": 12}, num_players)
    while True:
        if position.is_over or position.move_number % 20 == 0:
            root = ElementTree.fromstring(GAME.draw(position.describe()))
            width, height = float(root.get("width", 0)), float(root.get("height", 0))
            assert width == 1000
            for element in root.iter():
                x = [float(element.get(name, 0)) for name in ("x", "cx")]
                y = [float(element.get(name, 0)) for name in ("y", "cy")]
                assert min(x) >= 0
                assert max(x) + float(element.get("width", 0)) <= width
                assert max(y) + float(element.get("height", 0)) <= height
        if position.is_over:
            break
        position.apply(play_sensibly(position, rng))


def test_pieces_show_in_the_colours_of_their_seats():
    table = Table(3)
    plain = table.lay("plain", 2, 0)
    before = fills(GAME.draw(table.now))
    table.hut(plain, 1, 4)
    table.site(table.lay("plain", 2, -1), 2)
    table.stand(0, 0, A, "wood")
    after = fills(GAME.draw(table.now))
    for seat in range(3):
        assert after[PLAYER_COLOURS[seat]] > before[PLAYER_COLOURS[seat]] - (seat > 0)
    assert after[PLAYER_COLOURS[1]] > before[PLAYER_COLOURS[1]], "a hut"
    assert after[PLAYER_COLOURS[2]] > before[PLAYER_COLOURS[2]], "a cult site"


def test_a_change_of_anything_changes_the_picture():
    """Goods, loads, mana, maximum, hands, huts, offerings: each shows."""
    pictures = set()
    table = Table(2)
    changes = [
        lambda: None,
        lambda: table.goods(A, wood=1),
        lambda: table.stand(0, 0, A, "stone"),
        lambda: table.give(0, mana=2),
        lambda: table.give(1, mana_max=6),
        lambda: table.deal(1, "land"),
        lambda: table.hut(table.lay("plain", 2, 0), 0, 6),
        lambda: table.stand(1, 0, 3, 7),
        lambda: table.deliver(1, 2),
        lambda: table.turn_of(1),
    ]
    for change in changes:
        change()
        pictures.add(GAME.draw(table.now))
    assert len(pictures) == len(changes)


def test_the_picture_says_whose_turn_it_is():
    table = Table(2)
    assert words(GAME.draw(table.now))[0] == "round 1 · player_0 · move · 2 movement points · 3 discoveries left"
    table.next_hexes("volcano", "plain")
    table.turn_of(0)
    table.step(0, NORTH)
    assert "place volcano" in words(GAME.draw(table.now))[0]
    assert "?" in words(GAME.draw(table.now)), "the place that is entered"


def test_what_is_hidden_does_not_show():
    """Two positions that look the same to seat 1 give it the same picture and the same text."""
    drawn = []
    for card, cost in (("land", 6), ("priest", 2)):
        table = Table(3)
        table.deal(0, card)
        table.hut(table.lay("plain", 2, 0), 0, cost)
        seen = table.position.describe(1)
        drawn.append((GAME.draw(seen), GAME.text(seen)))
        assert "hand (1)" in words(drawn[-1][0])
    assert drawn[0] == drawn[1]


def test_text_board():
    table = Table(2)
    table.stand(0, 0, A, "wood")
    table.deal(0, "land")
    text = GAME.text(table.now)
    assert "> player_0  mana 0/3  unused 2 4 6 7  delivered -  huts 4  sites 3  hand land" in text
    assert " 2 plain   hut 0; hut neutral; 3 of 0 with wood" in text


def test_the_picture_becomes_pixels():
    pixels = to_pixels(GAME.draw(Table(4).now), 1000)
    assert pixels.shape[1] == 1000
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50
