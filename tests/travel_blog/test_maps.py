"""The maps: every statement of the rulebook's map pages and every pair that its examples keep apart; refused files."""

from itertools import combinations, pairwise

import pytest

from envs.errors import GameDefinitionError
from envs.travel_blog.components import (
    ARE_NEIGHBOURS,
    FEWEST_CROSSINGS,
    FOLDER,
    MAP_FACTS,
    NAMES,
    PART,
    load_coordinates,
    load_map,
    load_numbers,
)

EUROPE, USA = MAP_FACTS


def links(facts, part):
    return set(facts.links()[part])


def linked_by(facts, part, by):
    """The parts that a part is linked with by land, sea or bridge."""
    ends = [border.between for border in facts.borders if border.by == by and part in border.between]
    return {other for pair in ends for other in pair if other != part}


def are_neighbours(facts, one, other):
    """Whether two states, by their letters, are neighbours for the surcharge."""
    ids = [state.id for state in facts.states]
    return bool(ARE_NEIGHBOURS[MAP_FACTS.index(facts), ids.index(one) + 1, ids.index(other) + 1])


def walks(facts, *stops):
    """Whether a walk through these parts exists, each step over one border."""
    return all(there in links(facts, here) for here, there in pairwise(stops))


# ------------------------------------------------------------------ both maps


@pytest.mark.parametrize("facts", MAP_FACTS, ids=lambda facts: facts.id)
def test_the_cards_last_for_exactly_six_rounds(facts):
    assert len(facts.states) == 4 * 8 + 2 * 9


@pytest.mark.parametrize("facts", MAP_FACTS, ids=lambda facts: facts.id)
def test_borders_are_mutual_and_the_map_is_in_one_piece(facts):
    for part in facts.part_ids:
        assert all(part in links(facts, other) for other in links(facts, part))
        assert len(facts.crossings_from(part)) == len(facts.part_ids)


@pytest.mark.parametrize("m", [0, 1])
def test_the_tables_are_symmetric_and_agree_with_the_borders(m):
    facts, parts = MAP_FACTS[m], MAP_FACTS[m].part_ids
    assert (FEWEST_CROSSINGS[m] == FEWEST_CROSSINGS[m].T).all()
    assert (ARE_NEIGHBOURS[m] == ARE_NEIGHBOURS[m].T).all()
    for one, other in combinations(range(len(parts)), 2):
        assert (FEWEST_CROSSINGS[m, one, other] == 1) == (parts[other] in links(facts, parts[one]))
    for card, state in enumerate(facts.states, 1):
        assert [parts[number] for number in dict.fromkeys(PART[m, card])] == list(state.parts)
        assert NAMES[m][card] == state.name
        assert ARE_NEIGHBOURS[m, card, card] == ARE_NEIGHBOURS[m, card, 0] == 0


@pytest.mark.parametrize(("m", "parts", "borders", "longest"), [(0, 52, 107, 7), (1, 50, 109, 12)])
def test_how_large_the_maps_are(m, parts, borders, longest):
    assert len(MAP_FACTS[m].part_ids) == parts
    assert len(MAP_FACTS[m].borders) == borders
    assert FEWEST_CROSSINGS[m].max() == longest


# ------------------------------------------------------------------ Europe


def test_links_over_the_sea_join_separate_islands_to_one_to_three_nearest_states():
    islands = {"GB", "IE", "IS", "MT", "CY"}
    for border in EUROPE.borders:
        assert border.by != "sea" or islands & set(border.between)
    assert linked_by(EUROPE, "GB", "sea") - {"IS"} == {"FR", "BE", "NL"}
    assert linked_by(EUROPE, "MT", "sea") == {"IT", "GR"}
    assert linked_by(EUROPE, "IS", "sea") == {"IE", "GB", "NO"}
    assert linked_by(EUROPE, "CY", "sea") == {"TR"}


@pytest.mark.parametrize(("one", "other"), [("PL", "SE"), ("DK", "NO"), ("IT", "ES")])
def test_ferries_that_really_sail_are_no_links(one, other):
    assert not are_neighbours(EUROPE, one, other)


def test_croatia_borders_montenegro_but_not_italy():
    assert are_neighbours(EUROPE, "HR", "ME")
    assert not are_neighbours(EUROPE, "HR", "IT")


def test_liechtenstein_borders_austria_and_switzerland_but_not_italy_or_germany():
    assert links(EUROPE, "LI") == {"AT", "CH"}


def test_monaco_lies_wholly_within_france_and_does_not_border_italy():
    assert links(EUROPE, "MC") == {"FR"}


def test_denmark_borders_sweden_by_the_bridge():
    assert linked_by(EUROPE, "DK", "bridge") == {"SE"}
    assert links(EUROPE, "DK") == {"DE", "SE"}


def test_greece_is_one_state_with_its_islands_and_borders_turkey_and_by_sea_malta():
    assert linked_by(EUROPE, "GR", "sea") == {"MT"}
    assert "TR" in linked_by(EUROPE, "GR", "land")
    assert next(state for state in EUROPE.states if state.id == "GR").parts == ("GR",)


def test_great_britain_borders_ireland_by_land():
    assert linked_by(EUROPE, "GB", "land") == {"IE"}


def test_states_of_several_islands_and_parts_are_in_one_piece_but_for_two():
    assert {state.id for state in EUROPE.states if len(state.parts) > 1} == {"RU", "AZ"}


def test_the_small_part_of_russia_lies_between_poland_and_lithuania():
    assert links(EUROPE, "RU-KGD") == {"PL", "LT"}


def test_the_parts_of_russia_are_separate_states_for_passing_through():
    assert "RU-KGD" not in links(EUROPE, "RU-MAIN")
    assert not {"PL", "LT"} & links(EUROPE, "RU-MAIN")


def test_neighbours_of_either_part_of_russia_are_neighbours_of_russia():
    around = {"PL", "LT", "LV", "EE", "FI", "NO", "BY", "UA", "GE", "AZ"}
    others = {state.id for state in EUROPE.states}
    assert {other for other in others if are_neighbours(EUROPE, "RU", other)} == around


def test_the_smaller_part_of_azerbaijan_borders_turkey_not_russia_the_larger_one_russia_not_turkey():
    assert "TR" in links(EUROPE, "AZ-NAX") - links(EUROPE, "AZ-MAIN")
    assert "RU-MAIN" in links(EUROPE, "AZ-MAIN") - links(EUROPE, "AZ-NAX")
    assert "AZ-NAX" not in links(EUROPE, "AZ-MAIN")
    assert are_neighbours(EUROPE, "AZ", "TR")
    assert are_neighbours(EUROPE, "AZ", "RU")


def test_some_states_lie_inside_another_one():
    enclaves = {part for part in EUROPE.part_ids if len(links(EUROPE, part)) == 1}
    assert {"MC", "SM", "VA"} <= enclaves


def test_poland_and_finland_touch_different_parts_of_russia():
    assert walks(EUROPE, "PL", "BY", "RU-MAIN", "FI")
    assert not walks(EUROPE, "PL", "RU-MAIN")
    assert not walks(EUROPE, "RU-KGD", "FI")


@pytest.mark.parametrize(("one", "other"), [("FR", "NL"), ("FR", "HU"), ("FR", "GR"), ("MC", "ES"), ("PL", "FI")])
def test_pairs_that_the_examples_keep_apart(one, other):
    assert not are_neighbours(EUROPE, one, other)


# ------------------------------------------------------------------ USA


@pytest.mark.parametrize(("one", "other"), list(combinations(("UT", "CO", "AZ", "NM"), 2)))
def test_all_four_states_of_the_four_corners_are_neighbours(one, other):
    assert are_neighbours(USA, one, other)


def test_the_only_sea_links_of_the_usa_are_those_of_alaska_and_hawaii():
    by_sea = [set(border.between) for border in USA.borders if border.by != "land"]
    assert sorted(map(sorted, by_sea)) == [["AK", "WA"], ["CA", "HI"]]
    assert links(USA, "AK") == {"WA"}
    assert links(USA, "HI") == {"CA"}


def test_michigan_borders_wisconsin_not_minnesota_and_is_in_one_piece():
    assert are_neighbours(USA, "MI", "WI")
    assert not are_neighbours(USA, "MI", "MN")
    assert all(len(state.parts) == 1 for state in USA.states)
    assert walks(USA, "WI", "MI", "OH")


def test_connecticut_does_not_border_new_jersey():
    assert not are_neighbours(USA, "CT", "NJ")


def test_maine_does_not_border_massachusetts():
    assert not are_neighbours(USA, "ME", "MA")
    assert links(USA, "ME") == {"NH"}


# ------------------------------------------------------------------ files that cannot be right

BORDER = '{ between = ["AD", "ES"], by = "land", status = "found", source = "WC GN NE HA" }'
STATE = '{ id = "AD", name = "Andorra", parts = ["AD"], status = "found", source = "HA" }'


@pytest.mark.parametrize(
    ("line", "instead", "reason"),
    [
        (STATE + ",", "", "there are 49 states, the game has 50 cards of a map"),
        (STATE, STATE.replace('["AD"]', '["AD", "AL"]'), "part AL is there twice"),
        (STATE, STATE.replace("Andorra", "Albania"), "name Albania is there twice"),
        (STATE, STATE.replace('["AD"]', "[]"), "state AD: parts must list one part or two"),
        (STATE, STATE.replace("parts", "nodes"), "unknown key 'nodes' in state AD"),
        (BORDER, BORDER.replace('"ES"', '"EZ"'), "unknown part of a state 'EZ' in border ['AD', 'EZ']"),
        (BORDER, BORDER.replace('"ES"', '"AD"'), "border ['AD', 'AD']: a state has no border with itself"),
        (BORDER, BORDER.replace('["AD", "ES"]', '"AD"'), "between is 'AD', not two parts"),
        (BORDER, BORDER.replace('"land"', '"lamd"'), "unknown by 'lamd' in border ['AD', 'ES']: did you mean 'land'?"),
        (BORDER, BORDER.replace('"found"', '"guessed"'), "unknown status 'guessed'"),
        (BORDER, BORDER.replace('"WC GN NE HA"', '"WC XX"'), "unknown source 'XX'"),
        (BORDER, BORDER.replace(', source = "WC GN NE HA"', ""), "border ['AD', 'ES']: source is None"),
        (BORDER, f"{BORDER},\n  {BORDER.replace('AD', 'PT')}", "border between ES and PT is there twice"),
        ('  { between = ["FR", "MC"], by = "land", status = "rules" },\n', "", "no walk leads from AD to MC"),
        ('id = "europe"', 'id = "usa"', "map: id is 'usa', not 'europe'"),
        ("schema_version = 1", "schema_version = 2", "schema_version must be 1"),
        ("[sources]", "[sauces]", "unknown key 'sauces' in the file: did you mean 'sources'?"),
        ("schema_version = 1", "schema_version = ", "is no TOML"),
    ],
)
def test_a_map_that_cannot_be_right_is_refused(tmp_path, line, instead, reason):
    text = (FOLDER / "europe.toml").read_text(encoding="utf-8")
    assert line in text
    path = tmp_path / "europe.toml"
    path.write_text(text.replace(line, instead, 1), encoding="utf-8")
    with pytest.raises(GameDefinitionError) as refusal:
        load_map(path)
    assert str(refusal.value).startswith("europe.toml")
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("line", "instead", "reason"),
    [
        ("[100, 200, 300]", "[100, 200]", "euros: income must list three sums"),
        ("[100, 200, 300]", '[100, 200, "300"]', "euros: income: 2 is '300'"),
        ("crossing = 10", "crossing = -10", "euros: crossing is -10, it must be a whole number from 1 to 100"),
        ("forty = 40", "fourty = 40", "unknown key 'fourty' in euros: did you mean 'forty'?"),
        ("spare_ticks = 2", "spare_ticks = true", "clock: spare_ticks is True"),
        ("score_scale = 100", "", "reward lacks score_scale"),
        ('"travel_blog"', '"travel_bog"', "game is 'travel_bog', not 'travel_blog'"),
    ],
)
def test_numbers_that_cannot_be_right_are_refused(tmp_path, line, instead, reason):
    text = (FOLDER / "components.toml").read_text(encoding="utf-8")
    assert line in text
    path = tmp_path / "components.toml"
    path.write_text(text.replace(line, instead, 1), encoding="utf-8")
    with pytest.raises(GameDefinitionError) as refusal:
        load_numbers(path)
    assert reason in str(refusal.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(GameDefinitionError, match=r"europe\.toml cannot be read: No such file"):
        load_map(tmp_path / "europe.toml")


def test_every_part_has_its_place_in_the_drawing(tmp_path):
    places = load_coordinates()
    for facts in MAP_FACTS:
        assert set(places[facts.id]) == set(facts.part_ids)
    text = (FOLDER / "coordinates.toml").read_text(encoding="utf-8")
    path = tmp_path / "coordinates.toml"
    path.write_text(text.replace("AD = ", "ADD = ", 1), encoding="utf-8")
    with pytest.raises(GameDefinitionError, match=r"unknown key 'ADD' in europe"):
        load_coordinates(path)


def test_every_line_of_the_maps_has_its_mark():
    marks = {line.status for facts in MAP_FACTS for line in (*facts.states, *facts.borders)}
    assert marks == {"rules", "found"}
