"""The facts of the box: what each number of players starts with; a file that cannot be right is refused, and why."""

import pytest

from envs.errors import GameDefinitionError
from envs.mesopotamia.components import BOX, FILE, load_components
from tests.mesopotamia.table import FOREST, QUARRY, TEMPLE, A, B, Table

TEXT = FILE.read_text(encoding="utf-8")

BROKEN = {
    "no TOML": ("schema_version = 1", "schema_version =", "is no TOML"),
    "schema": ("schema_version = 1", "schema_version = 2", "schema_version must be 1"),
    "another game": ('game = "mesopotamia"', 'game = "meso"', "game is 'meso', not 'mesopotamia'"),
    "unknown key": ("mana_track", "mana_trak", "'mana_trak' in pieces: did you mean 'mana_track'"),
    "missing key": ("discoveries = 3 ", "# ", "turn lacks discoveries"),
    "kinds of hexes": ("count = 22", "count = 21", "the kinds of hexes add up to 40, not to 41"),
    "unknown kind": ('kind = "forest"\ncount', 'kind = "florest"\ncount', "did you mean 'forest'"),
    "status": ('status = "rules"\nplains_status', 'status = "ruled"\nplains_status', "did you mean 'rules'"),
    "cards": (
        "count = 3\nhead = false\neffect = 3",
        "count = 2\nhead = false\neffect = 3",
        "there are 17 cards, not 18",
    ),
    "a card twice": ('card = "priest"', 'card = "endurance"', "cards: endurance is there twice"),
    "head": ("count = 2\nhead = true\neffect = 1", "count = 2\nhead = 1\neffect = 1", "head must be true or false"),
    "points": ("first_turn_points = [2, 5]", "first_turn_points = [2]", "first_turn_points must list 2 entries"),
    "plains": ('plains = ["A", "B"]\n', 'plains = ["A", "Q"]\n', "unknown plain 'Q' in 2 players"),
    "too many huts": ('["A", "B", "B", "A"]', '["A", "A", "B", "A"]', "4 players: 3 huts on one plain"),
    "offerings": ("offerings = [2, 4, 6, 7]", "offerings = [2, 4, 6]", "offerings must list 4 costs"),
    "order of offerings": ("[2, 4, 6, 7]", "[2, 6, 4, 7]", "must cost more from one to the next"),
    "dear offering": ("[2, 4, 6, 7]", "[2, 4, 6, 9]", "an offering can never be paid"),
    "start": ('id = "F"\nkind = "forest"\nq = -1\nr = 0', 'id = "F"\nkind = "forest"\nq = 1\nr = 0', "six neighbours"),
    "temple": ('id = "T"\nkind = "temple"', 'id = "T"\nkind = "forest"', "a forest, not the temple"),
    "figures": ("figures = 8 ", "figures = 9 ", "figures is 9, the rulebook says 8"),
    "a negative number": ("discoveries = 3 ", "discoveries = -3 ", "it must be a whole number from 0 to 100"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_cannot_be_right_is_refused(case, tmp_path):
    old, new, message = BROKEN[case]
    assert old in TEXT
    path = tmp_path / "components.toml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(GameDefinitionError) as refused:
        load_components(path)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith("components.toml")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(GameDefinitionError, match="cannot be read"):
        load_components(tmp_path / "components.toml")


def test_the_box_is_what_the_rulebook_says():
    assert BOX.hexes == {"plain": 22, "forest": 6, "quarry": 7, "volcano": 5, "temple": 1}
    assert BOX.offerings == (2, 4, 6, 7)
    assert {name: card.count for name, card in BOX.cards.items()} == {
        "endurance": 3,
        "priest": 3,
        "fertility": 2,
        "holy_stone": 2,
        "land": 2,
        "mana_theft": 2,
        "teleport": 2,
        "expulsion": 2,
    }


START = [
    ("temple", 0, 0),
    ("volcano", 0, -1),
    ("plain", 1, -1),
    ("plain", 1, 0),
    ("volcano", 0, 1),
    ("quarry", -1, 1),
    ("forest", -1, 0),
]


@pytest.mark.parametrize(
    ("num_players", "stack", "cards", "homes", "huts"),
    [
        (2, 28, 14, [A, B], {A: [0, None], B: [1, None]}),
        (3, 30, 18, [A, B, B], {A: [0, None], B: [1, 2]}),
        (4, 34, 18, [A, B, B, A], {A: [0, 3], B: [1, 2]}),
    ],
)
def test_the_start_of_each_player_count(num_players, stack, cards, homes, huts):
    now = Table(num_players, seed=num_players).now
    assert [(tile["kind"], tile["q"], tile["r"]) for tile in now["tiles"]] == START
    assert (len(now["stack"]), len(now["draw_pile"])) == (stack, cards)
    assert now["supply"] == {"wood": 20 - num_players, "stone": 20 - num_players}
    for number, tile in enumerate(now["tiles"]):
        assert tile["wood"] == (num_players if number == FOREST else 0)
        assert tile["stone"] == (num_players if number == QUARRY else 0)
        assert tile["huts"] == [{"owner": owner, "offering": None} for owner in huts.get(number, [])]
        assert (tile["cult_site"], tile["births"]) == (None, 0)
    for player, home in zip(now["players"], homes, strict=True):
        assert [figure["tile"] for figure in player["figures"]] == [home] * 3 + [None] * 5
        assert (player["mana"], player["mana_max"], player["hand"]) == (0, 3, [])
        assert (player["unused_offerings"], player["delivered"]) == ([2, 4, 6, 7], [])
        assert (player["huts_left"], player["cult_sites_left"]) == (4, 3)
    assert (now["round"], now["phase"], now["current_player"], now["move_number"]) == (1, "move", 0, 0)
    assert (now["discoveries_left"], now["land_armed"], now["pending"], now["discard_pile"]) == (3, False, None, [])
    assert now["tiles"][TEMPLE]["kind"] == "temple"


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_movement_points_of_the_first_turns(num_players):
    table = Table(num_players)
    points = []
    for _ in range(num_players + 2):
        points.append(table.now["movement_points"])
        table.end_turn()
    assert points == [*{2: [2, 5], 3: [2, 3, 4], 4: [2, 3, 4, 5]}[num_players], 5, 5]


def test_stacks_hold_the_kinds_of_each_player_count():
    assert [BOX.stack(players)["plain"] for players in (2, 3, 4)] == [14, 16, 20]
    for players in (2, 3, 4):
        stack = BOX.stack(players)
        assert (stack["forest"], stack["quarry"], stack["volcano"], stack["temple"]) == (5, 6, 3, 0)
