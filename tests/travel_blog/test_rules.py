"""The course of the game, ruling by ruling: deals, money, the clock, what may be committed, and the end."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from envs.chance import lane_seed
from envs.errors import OptionError
from envs.position import Position
from envs.travel_blog import GAME
from envs.travel_blog.components import HIGHEST_CASH
from tests.travel_blog.table import WAIT, Table, names_of

EVERY_OPTION = [
    {"num_players": n, "timing": timing, "demanding": demanding}
    for n in range(2, 7)
    for timing in ("ticks", "sequence")
    for demanding in (False, True)
    if n <= 3 or not demanding
]


def random_game(options, seed):
    """Yield a position at every decision of a random game, and after the last one."""
    position = Position(GAME, options, lane_seed(1, seed))
    rng = np.random.default_rng(seed)
    yield position
    while not position.is_over:
        position.apply(rng.choice(position.legal_actions()))
        yield position


# ------------------------------------------------------------------ cards


@pytest.mark.parametrize("map_id", ["europe", "usa"])
def test_the_50_cards_of_rounds_1_to_6_are_each_seen_exactly_once_and_all_come_back_for_the_finale(map_id):
    seen = Counter()
    for position in random_game({"num_players": 2, "map": map_id}, 0):
        now = position.describe()
        if now["last_round"] and now["last_round"]["round"] == len(seen) + 1:
            last = now["last_round"]
            seen[last["round"]] = tuple(last["offer"] + last["middle"])
    in_six_rounds = [name for round_ in range(1, 7) for name in seen[round_]]
    assert sorted(in_six_rounds) == sorted(names_of(map_id))
    assert [len(seen[round_]) for round_ in range(1, 8)] == [8, 8, 8, 8, 9, 9, 9]
    assert sorted([*seen[7], *now["draw_pile"]]) == sorted(names_of(map_id))
    assert now["discard_pile"] == []


def test_each_deal_takes_from_the_front_of_the_draw_pile_the_offer_then_start_then_target():
    before = None
    for position in random_game({"num_players": 2}, 1):
        now = position.describe()
        if before and now["round"] == before["round"] + 1 < 7:
            assert now["offer"] + now["middle"] + now["draw_pile"] == before["draw_pile"]
            assert now["discard_pile"] == before["discard_pile"] + before["offer"] + before["middle"]
        before = now


def test_the_deal_of_every_round_depends_on_the_seed_alone():
    def deals(player_seed):
        position = Position(GAME, {"num_players": 3}, seed=5)
        rng = np.random.default_rng(player_seed)
        found = {}
        while not position.is_over:
            now = position.describe()
            found[now["round"]] = now["offer"], now["middle"]
            position.apply(rng.choice(position.legal_actions()))
        return found

    assert deals(1) == deals(2)


def test_t15_states_of_earlier_rounds_come_back_in_the_finale():
    again = 0
    for seed in range(10):
        first = None
        for position in random_game({"num_players": 2}, seed):
            now = position.describe()
            first = first or now["offer"]
        again += len(set(first) & set(now["offer"] + now["middle"]))
        assert first != now["offer"], "the cards are shuffled, not turned over"
    assert again > 0


# ------------------------------------------------------------------ money


@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
def test_income_comes_before_rounds_1_3_and_5_twice_in_the_demanding_variant(options):
    colours = 2 if options["demanding"] else 1
    cash, round_ = [0] * options["num_players"], 0
    for position in random_game(options, 2):
        now = position.describe()
        changed = [player["last_change"] for player in now["players"]]
        purses = [player["cash"] for player in now["players"]]
        if now["round"] > round_:
            round_ = now["round"]
            income = {1: 100, 3: 200, 5: 300}.get(round_, 0) * colours
            assert purses == [had + change + income for had, change in zip(cash, changed, strict=True)]
            cash = purses
    assert purses == [had + change for had, change in zip(cash, changed, strict=True)]


def test_t10_nobody_pays_more_than_the_purse_holds():
    table = Table(2, round=2).deal(["France"], {1: "Great Britain"})
    table.fill(0, 35)
    table.tick(1, 0)
    assert table.trip(0)["amount"] == 40
    assert table.described["players"][0]["last_change"] == -35
    assert table.cash()[0] == 200, "nothing, and the income of part two"


def test_t10_one_colour_may_spend_more_than_its_share():
    table = Table(2, round=2, demanding=True).deal(["France"], {1: "Great Britain", 2: "Hungary"})
    table.fill(0, 65)
    for field, colour in ((1, 0), (3, 0), (2, 1), (0, 1)):
        table.commit(field, colour)
    assert [table.trip(0, colour)["amount"] for colour in (0, 1)] == [40, 30]
    assert table.described["players"][0]["last_change"] == -65


def test_purses_never_fall_below_nothing_and_never_exceed_the_most_there_can_be():
    lowest, highest = 1000, 0
    for seed in range(20):
        for position in random_game({"num_players": 3, "map": "usa", "demanding": True}, seed):
            cash = position.states["players"]["cash"][0, :3]
            lowest, highest = min(lowest, cash.min()), max(highest, cash.max())
    assert lowest >= 0
    assert highest <= HIGHEST_CASH


# ------------------------------------------------------------------ the clock


@pytest.mark.parametrize(
    ("options", "last_ticks"),
    [
        ({"timing": "ticks"}, [3, 3, 4, 4, 4, 4, 4]),
        ({"timing": "ticks", "demanding": True}, [4, 4, 6, 6, 6, 6, 6]),
        ({"timing": "sequence"}, [1, 1, 2, 2, 2, 2, 2]),
        ({"timing": "sequence", "demanding": True}, [2, 2, 4, 4, 4, 4, 4]),
    ],
)
def test_a_round_has_two_ticks_more_than_a_seat_has_tokens_and_as_many_waves(options, last_ticks):
    found = {}
    for position in random_game({"num_players": 2, **options}, 3):
        now = position.describe()
        found.setdefault(now["round"], now["tick"] + now["ticks_left"])
        assert now["tick"] + now["ticks_left"] == found[now["round"]]
    assert list(found.values()) == last_ticks


def test_t22_who_always_waits_is_made_to_lay_in_the_last_ticks():
    table = Table(2, round=3)
    for _ in range(2):
        table.commit(WAIT)
        table.commit(WAIT)
    assert table.described["tick"] == 3
    assert not table.may_wait()
    table.tick(1, 1)
    assert not table.may_wait()
    assert table.described["ticks_left"] == 0


def test_wait_is_open_only_while_the_ticks_after_this_one_suffice_for_the_tokens_held():
    table = Table(2, round=3)
    table.tick(1, WAIT)
    table.tick(WAIT, WAIT)
    assert table.may_wait(), "seat 0 holds one token, and one tick comes after this one"
    table.commit(WAIT)
    assert not table.may_wait(), "seat 1 holds two"


def test_wait_is_closed_to_a_seat_that_holds_tokens_alone_when_the_tick_begins():
    table = Table(2)
    table.commit(1)
    assert table.may_wait(), "seat 0 has committed, but its token does not lie yet"
    table.commit(WAIT)
    assert table.described["current_player"] == 1
    assert table.described["tick"] == 2
    assert not table.may_wait()


def test_the_round_ends_as_soon_as_all_tokens_lie():
    table = Table(2)
    table.tick(1, 2)
    assert table.described["round"] == 2
    assert table.described["tick"] == 1


def test_only_seats_that_hold_tokens_are_asked_in_ascending_order():
    table = Table(4)
    asked = []
    for field in (WAIT, 1, WAIT, 1):
        asked.append(table.described["current_player"])
        table.commit(field)
    asked += [table.described["current_player"]]
    table.commit(WAIT)
    asked += [table.described["current_player"]]
    assert asked == [0, 1, 2, 3, 0, 2]


def test_in_a_sequence_each_wave_is_one_token_a_seat_in_an_order_of_its_own():
    orders = Counter()
    for position in random_game({"num_players": 4, "timing": "sequence"}, 4):
        now = position.describe()
        if position.move_number % 4 == 0 and not position.is_over:
            order = now["wave_order"]
            orders[tuple(order)] += 1
        if not position.is_over:
            assert now["wave_order"] == order
            assert now["current_player"] == order[position.move_number % 4]
            assert now["pending"] == [None] * 4
            assert all(action["type"] == "place" for action in map(position.decode_action, position.legal_actions()))
    assert sum(orders.values()) == 2 + 2 * 5
    assert len(orders) > 6


@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
def test_a_game_ends_within_the_decisions_the_clock_allows_and_no_decision_is_forced(options):
    n, tokens = options["num_players"], 24 if options["demanding"] else 12
    fewest, most = (tokens, tokens) if options["timing"] == "sequence" else (tokens, 38 if options["demanding"] else 26)
    choices = set()
    for seed in range(5):
        for position in random_game(options, seed):
            if not position.is_over:
                choices.add(len(position.legal_actions()))
        assert fewest * n <= position.move_number <= most * n
        assert position.terminated
        assert not position.truncated
    assert min(choices) >= 6
    assert max(choices) <= 17


def test_always_waiting_makes_the_longest_game():
    for demanding, longest in ((False, 26), (True, 38)):
        position = Position(GAME, {"num_players": 3, "demanding": demanding})
        while not position.is_over:
            position.apply(position.legal_actions()[-1])
        assert position.move_number == longest * 3


# ------------------------------------------------------------------ fields


def test_t9_the_two_tokens_of_a_colour_go_to_different_fields_the_40_too():
    table = Table(2, round=3)
    table.tick(0, 5)
    assert table.open_fields() == [1, 2, 3, 4, 5, 6, 7]
    table.commit(WAIT)
    assert table.open_fields() == [0, 1, 2, 3, 4, 6, 7]


def test_demanding_the_two_colours_of_the_first_rounds_go_to_different_fields():
    table = Table(2, demanding=True)
    assert table.open_fields(0) == table.open_fields(1) == list(range(8))
    table.commit(3, 1)
    table.commit(3, 0)
    assert table.open_fields(0) == [0, 1, 2, 4, 5, 6, 7]
    assert table.open_fields(1) == []


def test_demanding_the_two_colours_may_not_choose_the_same_pair():
    table = Table(2, round=3, demanding=True)
    for field, colour in ((2, 0), (2, 0), (5, 0), (5, 0)):
        table.commit(field, colour)
    assert table.open_fields(0) == []
    assert table.open_fields(1) == list(range(8)), "one token may lie with each of the other colour's"
    table.commit(2, 1)
    table.commit(7, 1)
    assert table.open_fields(1) == [0, 1, 3, 4, 6, 7], "neither the own field nor the one that makes the same pair"
    table.commit(0, 1)
    assert table.open_fields(1) == list(range(7)), "seat 1 shares no field with its other colour"


def test_demanding_both_colours_may_grow_to_the_same_pair_until_one_has_it():
    table = Table(2, round=3, demanding=True)
    for field, colour in ((2, 0), (2, 0), (5, 1), (5, 1)):
        table.commit(field, colour)
    assert table.open_fields(0) == [0, 1, 3, 4, 5, 6, 7]
    assert table.open_fields(1) == [0, 1, 2, 3, 4, 6, 7]
    table.commit(5, 0)
    table.commit(WAIT)
    assert table.open_fields(1) == [0, 1, 3, 4, 6, 7]


def test_demanding_a_token_of_the_own_other_colour_beneath_counts_like_any_other():
    table = Table(2, round=3, demanding=True, timing="sequence").deal(["France"], {1: "Hungary", 2: "Greece"})
    first, second = table.described["wave_order"]
    for seat, field, colour in ((first, 1, 0), (second, 7, 0)):
        assert table.described["current_player"] == seat
        table.commit(field, colour)
    plans = {first: [(1, 1), (3, 0), (4, 1)], second: [(6, 0), (5, 1), (4, 1)]}
    while table.described["round"] == 3:
        table.commit(*plans[table.described["current_player"]].pop(0))
    assert table.trip(first, 0)["beneath"] == 0
    assert table.trip(first, 1)["beneath"] >= 1


def test_the_demanding_variant_is_for_two_or_three_players():
    for n in (2, 3):
        GAME.validate({"num_players": n, "demanding": True})
    for n in (4, 5, 6):
        with pytest.raises(OptionError, match="travel_blog: option 'demanding' is for 2 or 3 players, there are"):
            GAME.validate({"num_players": n, "demanding": True})


# ------------------------------------------------------------------ stacks


def test_a_token_goes_on_top_of_those_that_lie():
    table = Table(2, round=3)
    table.tick(4, 5)
    table.tick(5, 4)
    stacks = table.described["last_round"]["stacks"]
    assert [[token["seat"] for token in stack] for stack in stacks] == [[], [], [], [], [0, 1], [1, 0], [], []]


def test_t7_and_t8_tokens_beneath_are_counted_when_all_lie_at_the_40_too():
    table = Table(3, round=3)
    table.tick(0, WAIT, WAIT)
    table.tick(WAIT, 0, 1)
    table.tick(1, 2, 0)
    assert [table.trip(seat)["beneath"] for seat in range(3)] == [1, 1, 2]
    assert [table.trip(seat)["forty"] for seat in range(3)] == [True] * 3


@pytest.mark.parametrize("tied", [2, 3, 4])
def test_t21_tokens_that_reach_a_field_at_once_lie_in_every_order_equally_often(tied):
    """Chi-square over the orders of 200 games each; seeds 0 to 199 times the orders, false alarm 1 in 10,000."""
    orders = Counter(dict.fromkeys(permutations(range(tied)), 0))
    games = 200 * len(orders)
    position = Position(GAME, {"num_players": 4})
    for seed in range(games):
        position.restart(seed)
        for seat in range(4):
            position.apply(5 if seat < tied else 8)
        stacks = position.states["board" if tied < 4 else "last_board"]["stacks"][0, 5]
        orders[tuple(int(token - 1) // 2 for token in stacks[:tied])] += 1
    assert len(orders) == len(list(permutations(range(tied))))
    assert chisquare(list(orders.values())).pvalue > 1e-4


def test_the_order_of_waves_is_uniform():
    """Chi-square over the six orders of 1,200 first waves, seeds 0 to 1199, false alarm 1 in 10,000."""
    position = Position(GAME, {"num_players": 3, "timing": "sequence"})
    orders = Counter()
    for seed in range(1200):
        position.restart(seed)
        orders[tuple(int(seat) for seat in position.states["wave_order"][0, :3])] += 1
    assert len(orders) == 6
    assert chisquare(list(orders.values())).pvalue > 1e-4


# ------------------------------------------------------------------ the end


def finished(cash, **options):
    """The end of a game with these purses."""
    table = Table(len(cash), round=7, **options)
    while not table.position.is_over:
        table.position.apply(table.position.legal_actions()[0])
    for seat, euros in enumerate(cash):
        table.fill(seat, euros)
    return table.position


def test_t18_most_money_wins_and_all_who_tie_win():
    assert finished([300, 200]).returns().tolist() == [1, -1]
    three = finished([250, 300, 300])
    assert three.returns() == pytest.approx([-0.5, 0.25, 0.25])
    assert three.winners() == three.describe()["winners"] == [1, 2]
    assert not finished([100, 100]).returns().any()


@pytest.mark.parametrize("demanding", [False, True])
def test_the_other_rewards(demanding):
    places = finished([100, 300, 200], reward="rank", demanding=demanding)
    assert places.returns() == pytest.approx([-1, 1, 0])
    margins = finished([100, 300, 200], reward="score", demanding=demanding)
    assert margins.returns() == pytest.approx(np.array([-150, 150, 0]) / (200 if demanding else 100))
    assert margins.winners() == [1]


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_no_return_is_lower_than_the_lowest(reward):
    lowest = GAME.min_return(GAME.validate({"num_players": 2, "reward": reward, "demanding": True}))
    worst = finished([0, HIGHEST_CASH], reward=reward, demanding=True).returns()
    assert worst[0] == pytest.approx(lowest)


@pytest.mark.parametrize("timing", ["ticks", "sequence"])
def test_at_the_end_the_last_position_stays_as_it_lies(timing):
    for position in random_game({"num_players": 3, "timing": timing}, 5):
        if not position.is_over:
            before = position.describe()
    after = position.describe()
    assert (after["phase"], after["current_player"], after["terminated"]) == ("over", None, True)
    for same in ("round", "part", "tick", "ticks_left", "offer", "middle", "draw_pile", "discard_pile", "wave_order"):
        assert after[same] == before[same]
    assert {key: after[key] for key in ("round", "offer", "middle", "stacks")} == after["last_round"]
    assert sum(map(len, after["stacks"])) == 6
    assert after["pending"] == [None] * 3
    assert not position.action_mask().any()


def test_two_seats_of_any_pair_of_fields_are_evaluated_alike():
    """Who sits where changes nothing but the tokens beneath."""
    for f, g in combinations(range(8), 2):
        table = Table(2, round=5, seed=f + g)
        table.tick(f, g)
        table.tick(g, f)
        one, other = table.trip(0), table.trip(1)
        assert one == other
        assert one["beneath"] == 1
