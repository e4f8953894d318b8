"""The facts of the box: what the shipped file says, and that a file which cannot be right is refused."""

import re
import tomllib

import pytest

from envs.errors import GameDefinitionError
from envs.fuerstenfeld import components
from envs.fuerstenfeld.components import COPIES, COST, EFFECT, FACTS, FILE, TITLES, load
from envs.fuerstenfeld.state import CARD_NAMES, CARDS, SCAVENGER

SHIPPED = FILE.read_text(encoding="utf-8")


def test_every_fact_carries_its_status():
    data = tomllib.loads(SHIPPED)
    for card in data["cards"]:
        assert {card["copies_status"], card["cost_status"]} <= set(components.STATUSES)
    assert [card["cost_status"] for card in data["cards"] if card["id"] == "warehouse"] == ["found"]
    assert [card["status"] for card in data["demand_cards"]].count("rules") == 1
    assert re.search(r"\[numbers\].*status of all: rules", SHIPPED)


def test_the_tables_say_what_the_file_says():
    assert sum(COPIES[card] for card in CARDS) == 28
    assert sum(COPIES[card] for card in CARDS if card < SCAVENGER) == 26
    assert COST[CARD_NAMES.index("warehouse")] == 4
    assert EFFECT[CARD_NAMES.index("bank_2")] == 5
    assert all(TITLES[CARD_NAMES[card]] for card in CARDS)
    assert FACTS.printed_fields == {"hops": (3, 1), "barley": (4, 1), "water": (5, 1)}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("schema_version = 1", "schema_version = 2", "schema_version must be 1"),
        ('game = "fuerstenfeld"', 'game = "mesopotamia"', "game is 'mesopotamia'"),
        ("start_coins = 2", "start_coins = -1", "numbers: start_coins is -1, it must be a whole number from 0 to 100"),
        ("start_coins = 2", "start_coins = 2.5", "numbers: start_coins is 2.5"),
        ("start_coins = 2", "start_coins = true", "numbers: start_coins is True"),
        ("start_coins = 2", "start_coin = 2", "unknown key 'start_coin' in numbers: did you mean 'start_coins'?"),
        ("start_coins = 2\n", "", "numbers lacks start_coins"),
        ("start_price = 1 ", "start_price = 4 ", "start_price is above highest_price"),
        ("[8, 10, 12, 14, 16, 18]", "[8, 10, 12, 14, 16]", "palace_prices has 5 prices, there are 6 price cards"),
        ("[8, 10, 12, 14, 16, 18]", "[8, 10, 12, 11, 16, 18]", "palace_prices must not fall"),
        ("[8, 10, 12, 14, 16, 18]", "8", "palace_prices must be a list"),
        ("space = 4", "space = 3", "the printed field of barley lies on another one"),
        ("space = 4", "space = 6", "the printed field of barley: space is 6, it must be a whole number from 0 to 5"),
        ('good = "hops"', 'good = "hop"', "unknown good 'hop' in printed_fields: did you mean 'hops'?"),
        ('good = "hops"', 'good = "water"', "the printed field of water is there twice"),
        ("hops = 1\nbarley = 3", "hops = 10\nbarley = 3", "demand card 1: hops is 10"),
        ('status = "rules"   ', 'status = "rumour"   ', "unknown status 'rumour' in demand card 1"),
        ('id = "bank_1"', 'id = "bank1"', "unknown card 'bank1' in cards: did you mean 'bank_1'?"),
        ('id = "bank_1"', 'id = "bank_2"', "card bank_2 is there twice"),
        ('name = "Bank I"', 'name = ""', "card bank_1: name must be a text"),
        ("copies = 2\n", "copies = 3\n", "the cards of the basic game are 27, not 26"),
        ("copies = 6 ", "copies = 5 ", "card palace: copies is 5"),
        ("cost = 9", 'cost = "nine"', "card bank_2: cost is 'nine', it must be a whole number from 0 to 99"),
        ('cost = "palace_price"', "cost = 8", 'card palace: cost must be "palace_price"'),
        ('cost_status = "found"', 'cost_status = "guessed"', "unknown cost_status 'guessed' in card warehouse"),
        ("effect = { hops = 2 }", "effect = { hops = 4 }", "card field_hops_2: effect is 4, its name says 2"),
        ("effect = { hops = 2 }", "effect = { barley = 2 }", "unknown key 'barley' in card field_hops_2: effect"),
        (
            "effect = { cards_removed = 2 }",
            "effect = { cards_removed = 5 }",
            "card scavenger: effect: cards_removed is 5",
        ),
        ("effect = { discount = 2 }", "effect = 2", "card crane: effect must be a table"),
        ('deck = "advanced"', 'deck = "basic"', "card scavenger belongs to the advanced deck"),
        ("[[demand_cards]]", "[demand_cards]", "is no TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(tmp_path, old, new, complaint):
    assert old in SHIPPED
    file = tmp_path / "components.toml"
    file.write_text(SHIPPED.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(GameDefinitionError, match=re.escape(complaint)) as refused:
        load(file)
    assert str(refused.value).startswith("components.toml")
    assert "\n" not in str(refused.value)


def test_too_few_demand_cards_are_refused(tmp_path):
    file = tmp_path / "components.toml"
    parts = SHIPPED.split("[[demand_cards]]")
    file.write_text(
        "[[demand_cards]]".join(parts[:4]) + "[[cards]]" + SHIPPED.partition("[[cards]]")[2], encoding="utf-8"
    )
    with pytest.raises(GameDefinitionError, match="there are 3 demand cards, 5 players need as many"):
        load(file)


def test_a_missing_card_and_a_missing_file_are_refused(tmp_path):
    file = tmp_path / "components.toml"
    before, _, _ = SHIPPED.rpartition("[[cards]]")
    file.write_text(before, encoding="utf-8")
    with pytest.raises(GameDefinitionError, match="there is no card tourist_guide"):
        load(file)
    with pytest.raises(GameDefinitionError, match=re.escape("absent.toml cannot be read")):
        load(tmp_path / "absent.toml")


def test_a_corrected_cost_is_all_an_owner_has_to_change(tmp_path):
    file = tmp_path / "components.toml"
    file.write_text(SHIPPED.replace("cost = 9", "cost = 12"), encoding="utf-8")
    assert load(file).cards["bank_2"].cost == 12
