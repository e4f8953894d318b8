"""Actions and positions in words, the text board, and the drawing."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from envs import travel_blog_v0
from envs.errors import IllegalAction
from envs.position import Position
from envs.svg import to_pixels
from envs.travel_blog import GAME
from envs.travel_blog.drawing import HEIGHT, WIDTH, node_places
from tests.travel_blog.table import WAIT, Table

BASE, DEMANDING = {"num_players": 3}, {"num_players": 3, "demanding": True}
SEQUENCE = {"num_players": 3, "timing": "sequence"}


# ------------------------------------------------------------------ actions


@pytest.mark.parametrize(
    ("options", "index", "action"),
    [
        (BASE, 0, {"type": "place", "field": 0}),
        (BASE, 7, {"type": "place", "field": 7}),
        (BASE, 8, {"type": "wait"}),
        (SEQUENCE, 7, {"type": "place", "field": 7}),
        (DEMANDING, 3, {"type": "place", "field": 3, "colour": 0}),
        (DEMANDING, 11, {"type": "place", "field": 3, "colour": 1}),
        (DEMANDING, 16, {"type": "wait"}),
    ],
)
def test_an_index_stands_for_an_action(options, index, action):
    position = Position(GAME, options)
    assert position.decode_action(index) == action
    assert position.encode_action(action) == index


@pytest.mark.parametrize(("options", "count"), [(BASE, 9), (SEQUENCE, 8), (DEMANDING, 17)])
def test_how_many_actions_there_are(options, count):
    assert Position(GAME, options).num_actions == count


@pytest.mark.parametrize(
    ("options", "action"),
    [
        (BASE, {"type": "place", "field": 8}),
        (BASE, {"type": "place", "field": True}),
        (BASE, {"type": "place", "field": "3"}),
        (BASE, {"type": "place", "field": 3, "colour": 0}),
        (BASE, {"type": "place"}),
        (BASE, {"type": "wait", "field": 0}),
        (SEQUENCE, {"type": "wait"}),
        (DEMANDING, {"type": "place", "field": 3}),
        (DEMANDING, {"type": "place", "field": 3, "colour": 2}),
    ],
)
def test_what_is_no_action_is_refused_with_a_line_that_says_how_one_is_written(options, action):
    with pytest.raises(IllegalAction) as refusal:
        Position(GAME, options).encode_action(action)
    assert str(refusal.value).startswith("travel_blog has no action")
    assert 'write {"type": "place", "field": 0 to 7' in str(refusal.value)
    assert ('{"type": "wait"}' in str(refusal.value).partition("write")[2]) == (options is not SEQUENCE)


# ------------------------------------------------------------------ positions


def test_the_first_position_in_words():
    position = Position(GAME, BASE, seed=4)
    told = position.describe(1)
    names = told.pop("offer"), told.pop("middle")
    assert [len(part) for part in names] == [7, 1]
    player = {"cash": 100, "tokens_left": [1], "last_trip": None, "last_change": 0}
    assert told == {
        "game": "travel_blog",
        "num_players": 3,
        "options": {
            "num_players": 3,
            "map": "europe",
            "timing": "ticks",
            "demanding": False,
            "knowledge": "memory",
            "reward": "win",
        },
        "phase": "place",
        "current_player": 0,
        "terminated": False,
        "truncated": False,
        "move_number": 0,
        "round": 1,
        "part": 1,
        "tick": 1,
        "ticks_left": 2,
        "stacks": [[], [], [], [], [], [], [], []],
        "pending": [None, None, None],
        "wave_order": None,
        "draw_pile": 42,
        "discard_pile": [],
        "last_round": None,
        "players": [player, player, player],
    }


def test_a_round_evaluated_in_words():
    table = Table(2, demanding=True).deal(["France"], {1: "Hungary", 2: "Great Britain"})
    for field, colour in ((1, 1), (1, 0), (2, 0), (0, 1)):
        table.commit(field, colour)
    told = table.described
    assert told["round"] == 2
    assert [told["last_round"]["round"], told["last_round"]["middle"]] == [1, ["France"]]
    assert told["last_round"]["offer"][:2] == ["Hungary", "Great Britain"]
    lower, upper = told["last_round"]["stacks"][1]
    assert {(token["seat"], token["colour"]) for token in (lower, upper)} == {(0, 1), (1, 0)}
    late = upper["seat"]
    first = told["players"][0]
    hungary = {"crossings": 3, "neighbour_pairs": 0, "beneath": int(late == 0), "forty": False}
    britain = {"crossings": 1, "neighbour_pairs": 1, "beneath": 0, "forty": False}
    price = 40 if late == 0 else 30
    assert first["last_trip"] == [{**britain, "amount": 40}, {**hungary, "amount": price}]
    assert first["last_change"] == -40 - price
    assert first["cash"] == 200 - 40 - price
    assert first["tokens_left"] == [1, 1]
    assert told["stacks"] == [[]] * 8
    assert told["discard_pile"] == [*told["last_round"]["offer"], "France"]


def test_descriptions_are_json_and_hide_from_a_seat_what_others_have_committed():
    table = Table(3)
    table.tick(WAIT, 4)
    everything, own, other = table.described, table.position.describe(1), table.position.describe(2)
    json.dumps(everything)
    assert everything["pending"] == [{"type": "wait"}, {"type": "place", "field": 4}, None]
    assert own["pending"] == [None, {"type": "place", "field": 4}, None]
    assert other["pending"] == [None, None, None]


def test_the_text_board():
    table = Table(2).deal(["France"], {1: "Hungary", 2: "Bosnia and Herzegovina"})
    board = GAME.text(table.described)
    assert board.splitlines()[0] == "Round 1 of 7, part one, tick 1 of 3: France"
    assert "  1  Hungary" in board
    assert "> player_0   100 euros, tokens 1" in board
    table.commit(1)
    assert "player_0   100 euros, tokens 1, committed" in GAME.text(table.described)
    table.commit(0)
    assert "round 1: 3 crossings, 0 neighbours, 0 beneath (30) = -30" in GAME.text(table.described)
    assert "round 1: 0 crossings, 0 neighbours, 0 beneath, stays (40) = -40" in GAME.text(table.described)


# ------------------------------------------------------------------ the drawing


def words_in(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


def walks_in(svg, colour):
    """How many lines of a traveller's colour there are: one for each crossing."""
    return len(re.findall(rf'<path [^>]*stroke="{colour}"', svg))


def test_the_drawing_shows_offers_stacks_middle_purses_and_then_the_walks():
    table = Table(2, round=3).deal(["Italy"], {1: "Monaco", 2: "Spain", 3: "Bosnia and Herzegovina"})
    table.tick(1, 1)
    before = GAME.draw(table.described)
    words = words_in(before)
    for name in ("40", "Monaco", "Spain", "Bosnia and", "Herzegovina", "Italy", "start"):
        assert name in words
    assert words.count("P0") >= 2, "the token that lies, the token held, and the walk of round 2"
    assert [f"€ {euros}" for euros in table.cash()] == [word for word in words if word.startswith("€")]
    table.tick(2, 0)
    after = GAME.draw(table.described)
    assert "IT·FR·MC·FR·ES" in words_in(after) or "IT·FR·ES·FR·MC" in words_in(after)
    assert "Round 3: Italy" in words_in(after)
    crossings = [table.trip(seat)["crossings"] for seat in (0, 1)]
    assert [walks_in(after, colour) for colour in ("#d1495b", "#edae49")] == crossings


def test_the_map_is_drawn_only_when_a_round_is_evaluated_or_the_map_is_open():
    for knowledge, drawn in (("memory", False), ("graph", True), ("costs", True)):
        words = words_in(GAME.draw(Position(GAME, {**BASE, "knowledge": knowledge}).describe()))
        assert ("KGD" in words) == drawn


def test_the_drawing_tells_no_more_than_the_description_it_is_given():
    one, other = Table(3), Table(3)
    one.tick(4)
    other.tick(WAIT)
    assert GAME.draw(one.position.describe(1)) == GAME.draw(other.position.describe(1))
    assert GAME.draw(one.described) != GAME.draw(other.described)


@pytest.mark.parametrize("map_id", ["europe", "usa"])
def test_all_parts_of_the_map_can_be_told_apart(map_id):
    places = np.array(list(node_places(map_id).values()))
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    assert apart.min() > 22, "circles of 22 pixels across do not overlap"
    assert places.min() > 0
    assert (places.max(axis=0) < [WIDTH, HEIGHT]).all()


def test_the_picture_is_1000_pixels_wide_and_wholly_on_the_page():
    table = Table(6, round=7, map="usa")
    table.tick(*[2] * 6)
    svg = GAME.draw(table.described)
    assert to_pixels(svg).shape == (HEIGHT, 1000, 3)
    places = [float(value) for value in re.findall(r' (?:x|cx)="([-0-9.]+)"', svg)]
    assert min(places) >= 0
    assert max(places) <= WIDTH


def test_the_environment_module():
    env = travel_blog_v0.env(num_players=5, map="usa")
    env.reset(seed=1)
    assert env.agents == [f"player_{seat}" for seat in range(5)]
    assert env.unwrapped.describe()["options"]["map"] == "usa"
