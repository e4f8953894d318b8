"""The described position: every field of the interface, when it changes, and what a seat is shown of it."""

import json

import numpy as np
import pytest

from envs.errors import IllegalAction
from envs.fuerstenfeld import GAME
from envs.fuerstenfeld.state import CARD_NAMES, CARDS, GOODS
from envs.position import Position
from tests.fuerstenfeld.table import Table

TABLE = {
    "game",
    "num_players",
    "options",
    "phase",
    "current_player",
    "terminated",
    "truncated",
    "move_number",
    "players",
}
TABLE |= {"round", "turn_order", "palace_price", "palaces_at_price", "breweries"}
PLAYER = ["coins", "goods", "spaces", "hand", "deck", "deck_known_from", "removed", "palaces", "income"]
PLAYER += ["order_field", "kept"]
NOTHING_DONE = {"extra_drawn": 0, "sale": None, "built": 0, "stored": None, "scavenged": [], "discarded": 0}


def done(table: Table) -> dict:
    return {key: table.described[key] for key in NOTHING_DONE}


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
@pytest.mark.parametrize("variant", ["basic", "advanced"])
def test_fields_of_a_fresh_position(num_players, variant):
    described = Table(num_players, in_seat_order=False, variant=variant).described
    assert set(described) == TABLE | set(NOTHING_DONE)
    assert described["options"] == {
        "num_players": num_players,
        "variant": variant,
        "scavenge_palaces": False,
        "max_rounds": 60,
        "reward": "win",
    }
    assert (described["game"], described["round"], described["palace_price"]) == ("fuerstenfeld", 1, 8)
    assert (described["palaces_at_price"], described["move_number"]) == (0, 0)
    assert sorted(described["turn_order"]) == list(range(num_players))
    assert len(described["breweries"]) == len(described["players"]) == num_players
    for brewery in described["breweries"]:
        assert brewery["price"] == dict.fromkeys(GOODS, 1)
        assert brewery["delivered"] == dict.fromkeys(GOODS, 0)
    for player in described["players"]:
        assert list(player) == PLAYER
        assert player["coins"] == 2
        assert player["spaces"] == [None, None, None, "printed_hops", "printed_barley", "printed_water"]
        assert (player["removed"], player["kept"], player["income"], player["order_field"]) == ([], None, 0, 0)
        assert player["goods"] == dict.fromkeys(GOODS, 1 if variant == "basic" else 0)
    assert described["phase"] == ("sell" if variant == "basic" else "draft")


def test_progress_is_empty_outside_its_phase():
    table = Table(variant="advanced")
    assert done(table) == NOTHING_DONE
    table.go_to("sell")
    empty = {"brewery": None, "sold_as": None, "sold": dict.fromkeys(GOODS, 0)}
    assert done(table) == {**NOTHING_DONE, "sale": empty}
    table.go_to("build")
    assert done(table) == NOTHING_DONE
    table.go_to("discard")
    assert done(table) == NOTHING_DONE


def test_a_sale_in_progress_changes_goods_only():
    table = Table()
    table.brewery(1, demand=(1, 1, 1), price=(2, 2, 2))
    table.arrange(0, spaces={0: "market"}, goods={"hops": 3, "barley": 2, "water": 1})
    before = table.described
    table.play("sell_as", brewery=1, good="hops", as_="water")
    table.play("sell_as", brewery=1, good="hops", as_="water")
    table.play("sell", brewery=1, good="hops")
    table.play("sell", brewery=1, good="barley")
    after = table.described
    assert after["sale"] == {
        "brewery": 1,
        "sold_as": {"good": "hops", "as": "water", "count": 2},
        "sold": {"hops": 1, "barley": 1, "water": 0},
    }
    assert after["players"][0]["goods"] == {"hops": 0, "barley": 1, "water": 1}
    for key in ("coins", "income", "order_field"):
        assert after["players"][0][key] == before["players"][0][key]
    assert after["breweries"] == before["breweries"]
    table.play("end_sale")
    player, brewery = table.player(0), table.described["breweries"][1]
    assert (player["income"], player["order_field"], player["coins"]) == (8, 8, before["players"][0]["coins"] + 8)
    assert brewery["delivered"] == {"hops": 1, "barley": 1, "water": 1}
    assert brewery["price"] == {"hops": 2, "barley": 2, "water": 1}


def test_income_is_the_last_one_until_the_sale():
    table = Table()
    table.play("sell", brewery=0, good="hops")
    table.play("end_sale")
    table.go_to("sell", seat=0, round=2)
    assert table.player(0)["income"] == 1
    table.play("end_sale")
    assert table.player(0)["income"] == 0


def test_stored_goods_move_from_goods_to_stored():
    table = Table()
    table.arrange(0, spaces={0: "warehouse"}, hand=["office", "market"], goods={"hops": 2, "barley": 1, "water": 1})
    table.play("end_sale")
    table.play("end_building")
    assert table.described["stored"] == {"hops": 0, "barley": 0, "water": 0}
    table.play("store", good="hops")
    table.play("store", good="water")
    assert table.described["stored"] == {"hops": 1, "barley": 0, "water": 1}
    assert table.player(0)["goods"] == {"hops": 1, "barley": 1, "water": 0}
    table.play("end_storing")
    assert table.described["stored"] is None
    assert table.player(0)["goods"] == {"hops": 1, "barley": 0, "water": 1}


def test_discarded_and_scavenged_are_counted_this_turn():
    table = Table(variant="advanced")
    table.go_to("sell", seat=0)
    table.arrange(0, spaces={0: "scavenger"}, hand=["office", "market", "crane", "bank_1", "bank_2"])
    table.play("end_sale")
    table.play("end_building")
    table.play("scavenge", card="bank_1")
    table.play("scavenge", card="market")
    table.play("discard", card="crane")
    assert (table.described["scavenged"], table.described["discarded"]) == (["bank_1", "market"], 1)
    table.play("discard", card="office")
    assert (table.current, table.described["scavenged"], table.described["discarded"]) == (1, [], 0)


def test_removed_lists_cards_in_the_order_they_left_but_no_printed_field():
    table = Table()
    table.arrange(0, spaces={0: "office"}, hand=["market", "crane", "bank_1"], coins=50)
    table.play("end_sale")
    table.play("build", card="market", space=0)
    table.play("build", card="crane", space=3)
    assert table.player(0)["removed"] == ["office"]
    assert table.player(0)["spaces"][3] == "crane"


def test_kept_card_is_shown_to_its_owner_through_the_draft():
    table = Table(variant="advanced")
    card = table.player(0)["hand"][3]
    table.play("keep", card=card)
    assert table.player(0)["kept"] == card
    assert len(table.player(0)["hand"]) == 10
    assert table.position.describe(0)["players"][0]["kept"] == card
    assert table.position.describe(1)["players"][0]["kept"] is None
    while table.current == 0:
        table.position.apply(table.position.legal_actions()[0])
    assert (table.player(0)["kept"], table.player(0)["hand"]) == (card, [card])
    table.go_to("sell")
    assert [player["kept"] for player in table.described["players"]] == [None, None]


def test_deck_known_from_follows_draws_and_discards():
    table = Table()
    assert table.player(0)["deck_known_from"] == len(table.player(0)["deck"]) == 20
    table.go_to("discard", seat=0)
    table.decline()
    assert table.player(0)["deck_known_from"] == 20
    assert len(table.player(0)["deck"]) == 21
    table.go_to("sell", round=2)
    assert table.player(0)["deck_known_from"] == 17
    assert len(table.player(0)["deck"]) == 22, "five cards were put under it, three drawn"


def test_the_whole_order_is_known_once_the_unknown_part_is_drawn():
    table = Table()
    table.go_to("discard", seat=1)
    table.remove_rest(0, deck=["bank_1", "bank_2", "crane", "market", "office"], hand=["warehouse"])
    table.state.players[0].deck_known = 4
    assert table.player(0)["deck_known_from"] == 1
    table.go_to("sell", round=2)
    assert (table.player(0)["deck"], table.player(0)["deck_known_from"]) == (["market", "office"], 0)
    assert table.position.describe(0)["players"][0]["deck"] == ["market", "office"]


def test_a_place_known_by_elimination_does_not_count_as_known():
    table = Table()
    table.arrange(0, top=["office"], hand=["market"], known=[])
    table.remove_rest(0, deck=["office"], hand=["market", "crane"])
    assert table.player(0)["deck_known_from"] == 1
    assert table.position.describe(0)["players"][0]["deck"] == [None]


def test_a_seat_sees_its_own_known_part_in_order():
    table = Table()
    table.arrange(0, known=["office", "market"])
    own = table.position.describe(0)["players"][0]
    assert own["deck"] == [None] * (len(own["deck"]) - 2) + ["office", "market"]
    assert set(table.position.describe(1)["players"][0]["deck"]) == {None}


def test_hands_are_listed_in_the_card_order():
    table = Table()
    table.arrange(0, hand=["palace_2", "office", "field_water_2", "field_hops_3"])
    assert table.player(0)["hand"] == ["field_hops_3", "field_water_2", "office", "palace_2"]


def test_descriptions_are_json_and_plain_numbers():
    rng = np.random.default_rng(0)
    position = Position(GAME, {"num_players": 3, "variant": "advanced"}, 0)
    while not position.is_over:
        for player in (None, 0, 1, 2):
            described = position.describe(player)
            assert json.loads(json.dumps(described)) == described
        position.apply(int(rng.choice(position.legal_actions())))


class TestActionTable:
    def test_there_are_304_actions_in_both_variants_and_for_all_player_counts(self):
        for num_players in (2, 3, 4, 5):
            for variant in ("basic", "advanced"):
                assert Position(GAME, {"num_players": num_players, "variant": variant}).num_actions == 304

    def test_the_table_is_made_of_the_blocks_of_the_interface(self):
        actions = [GAME.decode_action(index, {}) for index in range(304)]
        counts: dict[str, int] = {}
        for action in actions:
            counts[action["type"]] = counts.get(action["type"], 0) + 1
        assert list(counts.items()) == [
            ("keep", 25),
            ("bury", 25),
            ("draw_extra", 1),
            ("stop_drawing", 1),
            ("sell", 15),
            ("sell_as", 30),
            ("end_sale", 1),
            ("build", 150),
            ("end_building", 1),
            ("store", 3),
            ("end_storing", 1),
            ("scavenge", 25),
            ("discard", 25),
            ("end_discarding", 1),
        ]
        assert [action["card"] for action in actions[:25]] == [CARD_NAMES[card] for card in CARDS]
        assert len({json.dumps(action, sort_keys=True) for action in actions}) == 304

    def test_encoding_is_the_exact_inverse(self):
        for index in range(304):
            action = GAME.decode_action(index, {})
            assert GAME.encode_action(dict(reversed(action.items())), {}) == index

    @pytest.mark.parametrize(
        ("action", "complaint"),
        [
            ({"type": "biuld", "card": "office", "space": 0}, "did you mean 'build'"),
            ({"type": "build", "card": "ofice", "space": 0}, "did you mean 'office'"),
            ({"type": "build", "card": "office"}, "lacks the argument 'space'"),
            ({"type": "build", "card": "office", "space": 6}, "unknown space 6"),
            ({"type": "build", "card": "office", "space": True}, "unknown space True"),
            ({"type": "build", "card": "office", "space": 1.0}, "unknown space 1.0"),
            ({"type": "build", "card": "printed_hops", "space": 0}, "unknown card"),
            ({"type": "build", "card": "office", "space": 0, "brewery": 1}, "unknown argument 'brewery'"),
            ({"type": "sell", "brewery": 5, "good": "hops"}, "unknown brewery 5"),
            ({"type": "sell_as", "brewery": 0, "good": "hops", "as": "hops"}, "sells 'hops' as itself"),
            ({"type": ["build"]}, "unknown action type"),
            ({}, "unknown action type"),
        ],
    )
    def test_unknown_actions_are_refused_with_the_nearest_name(self, action, complaint):
        with pytest.raises(IllegalAction, match=complaint):
            GAME.encode_action(action, {})
