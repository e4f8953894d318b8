"""What trips cost: every example of the rulebook, the limits of surcharges, and a search over walks against it all."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from envs.position import Position
from envs.travel_blog import GAME
from envs.travel_blog.components import HIGHEST_PRICE, NAMES
from envs.travel_blog.prices import crossings, price
from envs.travel_blog.routes import route
from tests.travel_blog.referee import paper
from tests.travel_blog.table import Table, names_of

WAYS = {
    "longer way": ["France", "Germany", "Netherlands", "Belgium", "Great Britain"],
    "to Greece": ["France", "Italy", "Malta", "Greece"],
    "to Finland": ["Poland", "Belarus", "Russia", "Finland"],
    "to Monaco first": ["Italy", "France", "Monaco", "France", "Spain"],
    "to Spain first": ["Italy", "France", "Spain", "France", "Monaco"],
}


def exists(way):
    """Whether each state of a way has a border with the next."""
    return all(paper("europe").neighbours(*step) for step in pairwise(way))


def part_one(num_players, start, offer, *fields):
    """Round 1 with these cards, all tokens laid one after the other; the table after the evaluation."""
    table = Table(num_players, timing="sequence").deal([start], offer)
    for place in range(num_players):
        table.state.wave_order[place] = place
    table.state.current_player = 0
    for field in fields:
        table.commit(field)
    return table


def later(round_, middle, offer, *pairs, **options):
    """A later round with these cards in which each seat lays its two tokens, one a tick."""
    table = Table(len(pairs), round=round_, **options).deal(middle, offer)
    for seat in range(len(pairs)):
        table.fill(seat, 1000)
    table.tick(*(first for first, _ in pairs))
    table.tick(*(second for _, second in pairs))
    return table


# ------------------------------------------------------------------ the examples of part one


@pytest.fixture(scope="module")
def first_example():
    """Start France: red to Great Britain; yellow, blue and violet to Hungary; green and white to the field "40"."""
    offer = {1: "Great Britain", 2: "Hungary", 3: "Greece"}
    return part_one(6, "France", offer, 1, 2, 2, 2, 0, 0)


def test_france_to_great_britain_is_one_crossing_and_the_surcharge(first_example):
    trip = first_example.trip(0)
    assert (trip["crossings"], trip["neighbour_pairs"], trip["amount"]) == (1, 1, 40)


def test_three_tokens_at_hungary_cost_30_40_and_50(first_example):
    assert [first_example.trip(seat)["crossings"] for seat in (1, 2, 3)] == [3, 3, 3]
    assert first_example.amounts()[1:4] == [30, 40, 50]


def test_two_tokens_at_the_field_40_cost_40_and_50(first_example):
    assert [first_example.trip(seat)["forty"] for seat in range(6)] == [False] * 4 + [True] * 2
    assert first_example.amounts()[4:] == [40, 50]


def test_all_six_pay_from_their_100(first_example):
    assert first_example.cash() == [60, 70, 60, 50, 60, 50]


def test_greece_too_would_have_been_three_crossings_by_italy_and_malta():
    table = part_one(2, "France", {3: "Greece"}, 3, 0)
    assert table.trip(0) == {"crossings": 3, "neighbour_pairs": 0, "beneath": 0, "forty": False, "amount": 30}
    assert exists(WAYS["to Greece"])


def test_azerbaijan_to_norway_is_cheaper_than_one_expects():
    assert part_one(2, "Azerbaijan", {1: "Norway"}, 1, 0).amounts()[0] == 20


def test_poland_to_russia_costs_40_by_its_small_part_and_50_by_belarus():
    assert part_one(2, "Poland", {1: "Russia"}, 1, 0).trip(0) == {
        "crossings": 1,
        "neighbour_pairs": 1,
        "beneath": 0,
        "forty": False,
        "amount": 40,
    }
    by_belarus = len(["Belarus", "Russia"])
    assert 10 * by_belarus + 30 * paper("europe").neighbours("Poland", "Russia") == 50


def test_poland_to_finland_costs_30_since_one_cannot_change_parts_of_russia():
    assert part_one(2, "Poland", {1: "Finland"}, 1, 0).amounts()[0] == 30
    assert exists(WAYS["to Finland"])
    assert route("europe", ["Poland"], ["Finland"]) == ["PL", "BY", "RU-MAIN", "FI"]


# ------------------------------------------------------------------ the examples of part two


def test_france_great_britain_and_the_netherlands_cost_80_however_one_travels():
    trip = later(3, ["France"], {1: "Great Britain", 2: "Netherlands"}, (1, 2), (0, 3)).trip(0)
    assert (trip["crossings"], trip["neighbour_pairs"], trip["amount"]) == (2, 2, 80)
    assert exists(WAYS["longer way"])
    assert not paper("europe").neighbours("France", "Netherlands")


def test_france_great_britain_and_belgium_cost_110_of_which_90_are_surcharges():
    trip = later(3, ["France"], {1: "Great Britain", 2: "Belgium"}, (1, 2), (0, 3)).trip(0)
    assert (30 * trip["neighbour_pairs"], trip["amount"]) == (90, 110)


def test_italy_monaco_and_spain_cost_40_in_either_order():
    table = later(3, ["Italy"], {1: "Monaco", 2: "Spain"}, (1, 2), (0, 3))
    assert table.trip(0) == {"crossings": 4, "neighbour_pairs": 0, "beneath": 0, "forty": False, "amount": 40}
    assert exists(WAYS["to Monaco first"])
    assert exists(WAYS["to Spain first"])


def test_a_token_at_the_field_40_leaves_one_state_to_visit():
    table = later(3, ["France"], {1: "Hungary"}, (1, 0), (0, 1))
    assert [table.trip(seat) for seat in (0, 1)] == [
        {"crossings": 3, "neighbour_pairs": 0, "beneath": 1, "forty": True, "amount": 80},
        {"crossings": 3, "neighbour_pairs": 0, "beneath": 1, "forty": True, "amount": 80},
    ]


# ------------------------------------------------------------------ part three and the finale


def test_surcharges_reach_150_with_belgium_germany_france_and_luxembourg():
    table = later(5, ["Belgium", "Germany"], {1: "France", 2: "Luxembourg"}, (1, 2), (0, 3))
    assert table.trip(0) == {"crossings": 3, "neighbour_pairs": 5, "beneath": 0, "forty": False, "amount": 180}


def test_start_and_target_are_neighbours_for_nothing():
    table = later(5, ["France", "Spain"], {1: "Malta"}, (0, 1), (2, 3))
    assert paper("europe").neighbours("France", "Spain")
    assert table.trip(0)["neighbour_pairs"] == 0
    assert table.trip(0)["amount"] == 10 * (2 + 3) + 40


def test_the_finale_pays_what_part_three_costs_but_tokens_beneath_are_taken_off():
    offer = {1: "Portugal", 2: "Norway"}
    cost = later(5, ["France", "Ukraine"], offer, (1, 2), (2, 1))
    pay = later(7, ["France", "Ukraine"], offer, (1, 2), (2, 1))
    assert cost.trip(0)["beneath"] == cost.trip(1)["beneath"] == 1
    assert [cost.trip(0)["amount"] - pay.trip(0)["amount"]] == [20]
    assert cost.cash() == [1000 - cost.trip(seat)["amount"] for seat in (0, 1)]
    assert pay.cash() == [1000 + pay.trip(seat)["amount"] for seat in (0, 1)]


def test_t11_a_finale_below_nothing_pays_nothing():
    """Four crossings, the field 40 and ten tokens beneath would be -20."""
    table = Table(6, round=7).deal(["Spain", "Italy"], {1: "Monaco"})
    table.tick(1, 1, 1, 1, 1, None)
    table.tick(0, 0, 0, 0, 0, None)
    table.tick(1)
    before = table.cash()[5]
    table.tick(0)
    assert table.trip(5) == {"crossings": 4, "neighbour_pairs": 0, "beneath": 10, "forty": True, "amount": 0}
    assert table.described["players"][5]["last_change"] == 0
    assert table.cash()[5] == before


def test_surcharges_are_at_most_90_in_part_two_and_150_in_part_three():
    """A trip has three, later five pairs, and on the map of Europe all of them can be neighbours.

    Four states with five pairs of neighbours have one that touches the three others.
    """
    on_paper = paper("europe")
    two = three = 0
    for hub in on_paper.parts:
        around = [name for name in on_paper.parts if on_paper.neighbours(hub, name)]
        for one, other in combinations(around, 2):
            two = max(two, on_paper.trip([hub], [one, other], False, 0, False)["neighbour_pairs"])
        for one, other, target in combinations(around, 3):
            three = max(three, on_paper.trip([one, target], [hub, other], False, 0, False)["neighbour_pairs"])
    assert (30 * two, 30 * three) == (90, 150)


def test_either_direction_of_part_three_costs_the_same():
    rng = np.random.default_rng(0)
    table = Table(2, round=5)
    for _ in range(15):
        start, target, *offer = rng.choice(names_of("europe"), 9, replace=False)
        chosen = dict(enumerate(offer, 1))
        state, plans = table.deal([start, target], chosen).state_for_rules, list(combinations(range(8), 2))
        there = [price(state, f, g) for f, g in plans]
        table.deal([target, start], chosen)
        assert there == [price(state, f, g) for f, g in plans]


# ------------------------------------------------------------------ against a search over walks


@pytest.mark.parametrize("map_id", ["europe", "usa"])
def test_evaluation_equals_a_search_over_walks(map_id):
    """1,000 random deals of each kind of round: crossings, neighbours, tokens beneath and amount of both travellers."""
    on_paper = paper(map_id)
    position = Position(GAME, {"num_players": 2, "map": map_id})
    rng = np.random.default_rng(0)
    deals = dict.fromkeys(("one state", "two states", "two states to a target", "finale"), 0)
    for seed in range(1000):
        position.restart(seed)
        evaluated = 0
        while not position.is_over:
            position.apply(rng.choice(np.flatnonzero(position.action_mask())))
            if position.states["last_round"][0] == evaluated:
                continue
            evaluated += 1
            kind = min((evaluated - 1) // 2, 3)
            if evaluated < 7 and seed >= 500:
                continue
            deals[list(deals)[kind]] += 1
            last = position.describe()
            board = last["last_round"]
            for seat, player in enumerate(last["players"]):
                token = {"seat": seat, "colour": 0}
                fields = [field for field in range(8) if token in board["stacks"][field]]
                beneath = sum(board["stacks"][field].index(token) for field in fields)
                names = [board["offer"][field - 1] for field in fields if field]
                expected = on_paper.trip(board["middle"], names, 0 in fields, beneath, evaluated == 7)
                assert player["last_trip"] == [expected], (seed, evaluated, seat)
    assert set(deals.values()) == {1000}


@pytest.mark.parametrize("map_id", ["europe", "usa"])
@pytest.mark.parametrize("round_", [1, 3, 5])
def test_every_field_and_pair_of_fields_has_the_price_of_the_search(map_id, round_):
    on_paper = paper(map_id)
    table = Table(2, round=round_, map=map_id)
    rng = np.random.default_rng(round_)
    for _ in range(10):
        cards = list(rng.choice(names_of(map_id), 9, replace=False))
        middle, offer = cards[: len(table.described["middle"])], cards[2:]
        table.deal(middle, dict(enumerate(offer, 1)))
        plans = [(f,) for f in range(8)] if round_ == 1 else list(combinations(range(8), 2))
        for plan in plans:
            names = [offer[field - 1] for field in plan if field]
            expected = on_paper.trip(middle, names, 0 in plan, 0, False)
            state, f, g = table.state_for_rules, plan[0], plan[1] if len(plan) == 2 else -1
            assert price(state, f, g) == expected["amount"] <= HIGHEST_PRICE
            assert crossings(state, f, g) == expected["crossings"]


@pytest.mark.parametrize("map_id", ["europe", "usa"])
def test_drawn_routes_are_walks_as_long_as_the_search_says(map_id):
    on_paper = paper(map_id)
    rng = np.random.default_rng(1)
    for _ in range(300):
        cards = [str(name) for name in rng.choice(names_of(map_id), 4, replace=False)]
        middle, chosen = cards[: rng.integers(1, 3)], cards[2 : 2 + rng.integers(1, 3)]
        walk = route(map_id, middle, chosen)
        assert all(there in on_paper.touching[here] for here, there in pairwise(walk))
        assert walk[0] in on_paper.parts[middle[0]]
        assert len(middle) == 1 or walk[-1] in on_paper.parts[middle[1]]
        assert all(set(on_paper.parts[name]) & set(walk) for name in chosen)
        target = middle[1] if len(middle) == 2 else None
        assert len(walk) - 1 == on_paper.fewest_crossings(middle[0], chosen, target)
    assert route(map_id, [NAMES[0][1]], []) == []
