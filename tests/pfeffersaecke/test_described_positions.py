"""Actions and positions in words: the names and meanings that others rely on."""

import json

import pytest

from envs.errors import IllegalAction, OptionError
from envs.pfeffersaecke import GAME
from envs.pfeffersaecke.board import BOX, CITY_IDS, PLACE_IDS, TOWN_IDS
from envs.position import Position
from tests.pfeffersaecke.table import Table

KEYS = {
    "game", "num_players", "options", "phase", "current_player", "terminated", "truncated", "move_number", "round",
    "start_player", "openings", "privilege_used", "free_towns", "turns_without_opening", "cities", "towns", "players",
}  # fmt: skip
OF_A_PLAYER = {"coins", "points", "supply", "privileges", "tokens", "tokens_placed", "cities_won"}


class TestActions:
    def test_there_are_143_whatever_the_options(self):
        for n in range(2, 7):
            assert Position(GAME, {"num_players": n}).num_actions == 143

    def test_the_table(self):
        position = Position(GAME)
        table = [position.decode_action(index) for index in range(143)]
        expected = [{"type": "found", "town": town} for town in TOWN_IDS]
        for kind in ("place_token", "expand", "expand_twice"):
            expected += [{"type": kind, "city": city} for city in CITY_IDS]
        expected += [{"type": "double_income"}, {"type": "end_expanding"}]
        expected += [{"type": "open", "place": place} for place in PLACE_IDS]
        assert table == [*expected, {"type": "pass"}]
        assert [position.encode_action(action) for action in table] == list(range(143))

    @pytest.mark.parametrize(
        ("action", "reason"),
        [
            ({"type": "opn", "place": "koeln"}, "unknown action type 'opn' in pfeffersaecke: did you mean 'open'"),
            ({"type": "open", "place": "köln"}, "unknown place 'köln' in action 'open' of pfeffersaecke: did you mean"),
            ({"type": "open"}, "action 'open' of pfeffersaecke lacks the argument 'place'"),
            ({"type": "open", "city": "koeln"}, "unknown argument 'city' in action 'open'"),
            ({"type": "found", "town": "koeln"}, "unknown town 'koeln'"),
            ({"type": "expand", "city": "celle"}, "unknown city 'celle'"),
            ({"type": "pass", "place": "koeln"}, "unknown argument 'place' in action 'pass'"),
            ({"type": "expand", "city": 3}, "unknown city 3"),
            ({"type": ["pass"]}, r"unknown action type \['pass'\]"),
        ],
    )
    def test_what_is_not_known_is_refused_with_the_reason(self, action, reason):
        with pytest.raises(IllegalAction, match=reason):
            Position(GAME).encode_action(action)

    def test_an_illegal_action_is_refused_and_changes_nothing(self):
        table = Table(2, "koblenz", "celle")
        before = table.position.tobytes()
        for action in ({"type": "pass"}, {"type": "found", "town": "hof"}, {"type": "open", "place": "koeln"}):
            with pytest.raises(IllegalAction, match="is illegal for player_0 in phase 'place_token'"):
                table.position.apply(table.position.encode_action(action))
        assert table.position.tobytes() == before


class TestOptions:
    def test_defaults(self):
        options = {"num_players": 2, "half_points": "down", "reward": "win", "max_moves": 2000}
        assert Position(GAME).describe()["options"] == options

    @pytest.mark.parametrize(
        ("name", "value"), [("half_points", "nearest"), ("max_moves", 0), ("num_players", 7), ("num_players", 1)]
    )
    def test_other_values_are_refused(self, name, value):
        with pytest.raises(OptionError, match=name):
            Position(GAME, {name: value})


class TestPositions:
    def test_the_keys(self):
        described = Table(3).described
        assert set(described) == KEYS
        assert all(set(player) == OF_A_PLAYER for player in described["players"])
        for city in described["cities"].values():
            assert list(city) == ["value", "region", "token", "ring", "middle"]
        for town in described["towns"].values():
            assert list(town) == ["region", "owner", "closed"]
        assert list(described["cities"]) == list(CITY_IDS)
        assert list(described["towns"]) == list(TOWN_IDS)
        assert {city["region"] for city in described["cities"].values()} <= set(BOX.regions)
        assert json.loads(json.dumps(described)) == described

    def test_before_and_after_founding(self):
        table = Table(3, start=1)
        described = table.described
        assert (described["round"], described["phase"], described["current_player"]) == (0, "found", 1)
        assert (described["openings"], described["privilege_used"], described["turns_without_opening"]) == (0, False, 0)
        assert described["start_player"] == 1
        assert described["players"][0]["supply"] == 44
        for town in ("halle", "loewen", "soest"):
            table.play("found", town=town)
        described = table.described
        assert (described["round"], described["phase"], described["current_player"]) == (1, "place_token", 1)
        assert described["move_number"] == 3
        assert described["towns"]["halle"]["owner"] == 1
        assert [player["supply"] for player in described["players"]] == [43, 43, 43]

    def test_the_round_goes_up_whenever_the_turn_returns_to_the_start_player(self):
        table = Table(3, "loewen", "goettingen", "wuerzburg", start=2)
        turns = []
        for _ in range(7):
            turns.append((table.described["round"], table.current))
            seat = table.current
            while table.current == seat:
                openings = table.legal("open") if table.described["openings"] == 0 else []
                action = openings[0] if openings else table.legal()[-1]
                table.position.apply(table.position.encode_action(action))
        assert turns == [(1, 2), (1, 0), (1, 1), (2, 2), (2, 0), (2, 1), (3, 2)]

    def test_what_was_done_this_turn(self):
        table = Table(3, "halle", "loewen", "soest")
        table.give(0, coins=100)
        table.lay("leipzig", "magdeburg")
        table.turn_of(0, "open")
        table.play("open", place="leipzig")
        assert (table.described["openings"], table.described["privilege_used"]) == (1, False)
        table.play("open", place="magdeburg")
        assert (table.described["openings"], table.described["privilege_used"]) == (0, False), "the next player's turn"
        table.lay("koeln")
        table.branch(1, "koeln")
        table.turn_of(1, "expand")
        table.play("expand_twice", city="koeln")
        assert table.described["privilege_used"] is True

    def test_tokens_and_rings(self):
        table = Table(3)
        table.lay("koeln", "ulm")
        table.take_away("trier")
        table.branch(2, "koeln", "koeln")
        table.branch(0, "koeln")
        table.turn_of(2, "expand")
        table.play("expand_twice", city="koeln")
        tokens = {id: city["token"] for id, city in table.described["cities"].items()}
        assert (tokens["koeln"], tokens["ulm"], tokens["trier"], tokens["wien"]) == (
            "placed",
            "placed",
            "removed",
            "none",
        )
        assert table.city("koeln")["ring"] == [2, 2, 0]
        assert table.city("koeln")["middle"] == [2, 2]

    def test_tokens_laid_are_listed_in_order(self):
        table = Table(3, "halle", "loewen", "soest")
        laid = []
        for city in (table.places("place_token")[-1], "koeln"):
            if city not in table.places("place_token"):
                city = table.places("place_token")[0]
            laid.append(table.city(city)["value"])
            table.turn_of(0)
            table.play("place_token", city=city)
            table.turn_of(0)
        assert table.player(0)["tokens_placed"] == laid

    def test_the_end(self):
        table = Table(3, "halle", "loewen", "soest")
        table.lay("koeln")
        table.turn_of(1, "open", without_opening=2)
        table.play("pass")
        described = table.described
        assert set(described) == KEYS | {"returns", "winners"}
        assert all(set(player) == OF_A_PLAYER | {"final_points"} for player in described["players"])
        assert (described["phase"], described["current_player"], described["terminated"]) == ("over", None, True)
        assert (described["openings"], described["privilege_used"]) == (0, False)
        assert described["turns_without_opening"] == 3

    def test_a_game_that_is_cut_off_is_scored_as_it_lies(self):
        table = Table(3, "halle", "loewen", "soest", max_moves=5)
        table.lay("leipzig")
        table.give(0, coins=100)
        table.turn_of(0, "open")
        table.play("open", place="leipzig")
        assert not table.described["truncated"]
        table.place_any_token()
        described = table.described
        assert (described["truncated"], described["terminated"], described["phase"]) == (True, False, "over")
        assert (described["move_number"], described["current_player"]) == (5, None)
        assert described["players"][0]["final_points"] == 1 + 2 + 4
        assert described["players"][0]["points"] == 1

    def test_branches_in_the_middle_count_for_regions_when_the_game_is_cut_off(self):
        table = Table(2, "koblenz", "celle", max_moves=3)
        table.lay("frankfurt", "koeln")
        table.branch(0, "heilbronn")
        table.give(0, coins=60)
        table.turn_of(0, "open")
        table.play("open", place="frankfurt")
        assert table.described["truncated"]
        assert (table.city("frankfurt")["middle"], table.city("frankfurt")["ring"]) == ([0], [])
        assert table.described["openings"] == 1, "as it lies"
        assert table.player(0)["final_points"] == 1 + 2 * 3 + 2, "Rheinland, Schwaben, and Franken-Hessen in the middle"


@pytest.mark.parametrize(
    ("reward", "returns"),
    [("win", [-0.5, 1.0, -0.5]), ("rank", [-0.5, 1.0, -0.5]), ("score", [-2 / 40, 4 / 40, -2 / 40])],
)
def test_what_a_finished_game_pays(reward, returns):
    table = Table(3, "halle", "loewen", "soest", reward=reward)
    for seat in range(3):
        table.give(seat, coins=0)
    table.give(1, points=5)
    table.turn_of(1, "open", without_opening=2)
    table.play("pass")
    assert table.described["returns"] == pytest.approx(returns)
    assert table.described["winners"] == [1]
