"""What people are told of actions: words of their own, costs that are paid, drawn places, and no secret in public."""

import re
from dataclasses import replace

import numpy as np
import pytest

from agents.greedy import rule_of_thumb_at
from agents.heuristics.contract import get_heuristics
from envs.catalog import get_game
from envs.conformance import check_said
from envs.errors import GameDefinitionError
from envs.position import Position
from envs.travel_blog.words import trip_price
from envs.words import counted, listed, no_places, say_plainly
from tests.mesopotamia.policies import play_cards

SETTINGS = [
    ("tic_tac_toe", {}, 9),
    ("connect_four", {}, 30),
    ("kuhn_poker", {"num_players": 3}, 9),
    ("leduc_poker", {"num_players": 3}, 30),
    ("fuerstenfeld", {"num_players": 3, "variant": "advanced", "max_rounds": 9}, 250),
    ("fuerstenfeld", {"num_players": 5, "variant": "basic"}, 150),
    ("travel_blog", {"num_players": 3, "demanding": True, "knowledge": "costs"}, 110),
    ("travel_blog", {"num_players": 5, "timing": "sequence", "map": "usa", "knowledge": "costs"}, 60),
    ("pfeffersaecke", {"num_players": 2}, 150),
    ("pfeffersaecke", {"num_players": 4}, 150),
    ("mesopotamia", {"num_players": 3, "starting_card": True}, 400),
    ("mesopotamia", {"num_players": 4, "starting_card": True}, 300),
]


def play(position, rng):
    """One action: mostly the rule of thumb where there is one, else any."""
    name = position.game.name
    if name == "mesopotamia":
        return play_cards(position, rng)
    legal = position.legal_actions()
    if name in ("fuerstenfeld", "pfeffersaecke", "travel_blog") and rng.random() < 0.7:
        return int(rule_of_thumb_at(get_heuristics(name).token, position.states, 0, int(rng.integers(1 << 62))))
    return int(rng.choice(legal))


def positions(name, options, moves, seed=3):
    """Positions of games, one after the other, with the action that is played in each and what comes of it."""
    rng = np.random.default_rng(seed)
    position = Position(get_game(name), options, seed)
    for _ in range(moves):
        if position.is_over:
            seed += 1
            position.restart(seed)
        action, before = play(position, rng), position.copy()
        position.apply(action)
        yield before, before.decode_action(action), position


def number(pattern, words):
    """The number that a pattern finds in some words, None where it finds none."""
    found = re.search(pattern, words)
    return int(found[1]) if found else None


@pytest.mark.parametrize(("name", "options", "moves"), SETTINGS)
def test_actions_have_words_of_their_own_and_places_in_the_drawing_and_keep_secrets(name, options, moves):
    every = max(1, moves // 20)
    for before, _, _ in positions(name, options, moves):
        if before.move_number % every == 0:
            check_said(before)


def test_a_secret_told_in_public_and_a_place_that_is_not_drawn_are_found():
    game = get_game("fuerstenfeld")
    position = Position(game, {"variant": "advanced"}, 5)
    position.apply(position.legal_actions()[0])
    check_said(position)
    told = replace(game, say=lambda action, description, public=False: game.say(action, description))
    position.game = told
    with pytest.raises(GameDefinitionError, match="told apart"):
        check_said(position)
    position.game = replace(game, places=lambda action, description: ("hand_9_market",))
    with pytest.raises(GameDefinitionError, match="not drawn"):
        check_said(position)
    position.game = replace(game, say=lambda action, description, public=False: "Do something")
    with pytest.raises(GameDefinitionError, match="both said"):
        check_said(position)


@pytest.mark.parametrize("variant", ["basic", "advanced"])
def test_fuerstenfeld_buildings_cost_and_sales_bring_what_is_said(variant):
    options, seen = {"num_players": 3, "variant": variant}, set()
    for before, action, after in positions("fuerstenfeld", options, 900):
        now, then, words = before.describe(), after.describe(), ""
        seat = now["current_player"]
        if action["type"] not in ("build", "end_sale") or then["round"] != now["round"]:
            continue
        words = before.game.say(action, before.describe(seat))
        coins = number(r"(?:for|take) (\d+) coin", words)
        sign = -1 if action["type"] == "build" else 1
        assert then["players"][seat]["coins"] == now["players"][seat]["coins"] + sign * coins, words
        if sign == 1:
            assert then["players"][seat]["order_field"] == number(r"field (\d+)", words)
            assert then["players"][seat]["income"] == coins
        seen |= {action["type"], *(name for name in now["players"][seat]["spaces"] if name)}
    assert seen >= {"build", "end_sale", "crane", "office", "bank_1", "bank_2", "magistrate", "market"}
    assert ("tourist_guide" in seen) == (variant == "advanced")


@pytest.mark.parametrize("n", [2, 4, 6])
def test_pfeffersaecke_routes_cost_and_incomes_bring_what_is_said(n):
    seen = set()
    for before, action, after in positions("pfeffersaecke", {"num_players": n}, 500):
        now, then = before.describe(), after.describe()
        seat, kind = now["current_player"], action["type"]
        words = before.game.say(action, before.describe(seat))
        if kind in ("open", "end_expanding", "double_income") and then["round"] == now["round"]:
            sign = -1 if kind == "open" else 1
            gulden = number(r"(\d+) gulden", words)
            assert then["players"][seat]["coins"] == now["players"][seat]["coins"] + sign * gulden, words
            seen.add(kind)
        if kind in ("expand", "expand_twice") and (then["phase"], then["current_player"]) == ("expand", seat):
            left = [number(r"take (\d+)", before.game.say({"type": "end_expanding"}, now)) for now in (now, then)]
            assert left[0] - left[1] == (number(r"instead of (\d+)", words) or 0), words
            seen.add(kind)
    assert seen >= {"open", "end_expanding", "double_income", "expand"}


def test_mesopotamia_mana_is_paid_and_gained_as_said():
    seen = set()
    for before, action, after in positions("mesopotamia", {"num_players": 3, "starting_card": True}, 2500):
        now, then = before.describe(), after.describe()
        seat, kind = now["current_player"], action["type"]
        words = before.game.say(action, before.describe(seat))
        mana = [described["players"][seat]["mana"] for described in (now, then)]
        if kind == "step" and "delivered" in words:
            assert mana[0] - mana[1] == number(r"for (\d+) mana", words)
            assert number(r"for (\d+)", before.game.say(action, now, public=True)) is None
            seen.add("delivery")
        elif kind == "step" and "it is laid down" in words:
            assert mana[1] == number(r", mana (\d+)", words)
            assert then["players"][seat]["mana_max"] == number(r"at most (\d+)", words)
            seen.add("stone")
        elif kind == "end_action" or ("gain" in words and "mana" in words):
            assert mana[1] - mana[0] == (number(r"gain (\d+) mana", words) or 0), words
            seen.add(action.get("card", kind))
    assert seen >= {"delivery", "stone", "end_action", "holy_stone", "play_priest"}


@pytest.mark.parametrize("options", [{"num_players": 4}, {"num_players": 3, "demanding": True, "map": "usa"}])
def test_travel_blog_trips_cost_what_is_said_where_prices_are_open(options):
    told, rounds = {}, set()
    for before, action, after in positions("travel_blog", {**options, "knowledge": "costs"}, 300):
        now, then = before.describe(), after.describe()
        price = number(r"trip (?:costs|brings) (\d+) euros", before.game.say(action, now))
        if price is not None:
            told[now["round"], now["current_player"], action.get("colour", 0)] = price
        assert "trip" not in before.game.say(action, {**now, "options": {**now["options"], "knowledge": "memory"}})
        if then["last_round"] == now["last_round"]:
            continue
        last = then["last_round"]
        for seat, player in enumerate(then["players"]):
            for colour, trip in enumerate(player["last_trip"]):
                token = {"seat": seat, "colour": colour}
                fields = [field for field, stack in enumerate(last["stacks"]) if token in stack]
                map_price = trip_price(options.get("map", "europe"), last["middle"], last["offer"], fields)
                sign = -1 if last["round"] == 7 else 1
                assert trip["amount"] == max(0, map_price + sign * 10 * trip["beneath"])
                assert told.pop((last["round"], seat, colour)) == map_price
        assert not told
        rounds.add(last["round"])
    assert rounds == set(range(1, 8))


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_pokers_say_how_many_chips_go_into_the_pot(name):
    seen = set()
    for before, action, after in positions(name, {"num_players": 3}, 200):
        seat = before.current_player
        words = before.game.say(action, before.describe(seat))
        paid = [table.describe()["players"][seat]["chips"] for table in (before, after)]
        assert paid[1] - paid[0] == (number(r"(?:[Pp]ut|Bet) (\d+) chip", words) or 0), words
        seen.add(words.split(":")[0].split()[0])
    assert seen >= {"Fold", "Call"} | ({"Raise", "Check"} if name == "leduc_poker" else {"Bet", "Pass"})


def test_games_without_words_of_their_own_name_the_type_and_in_public_nothing_else():
    action = {"type": "play_card", "card": "seven", "on_top": True}
    assert say_plainly(action, {}) == "Play card: card seven, on top True"
    assert say_plainly(action, {}, public=True) == "Play card"
    assert no_places(action, {}) == ()
    assert counted(1, "coin") == "1 coin"
    assert counted(2, "branch", "branches") == "2 branches"
    assert [listed(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
