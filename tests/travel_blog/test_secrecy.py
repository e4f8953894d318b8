"""Secrets: the commits of the running tick and the cards to come; fair samples of both; mutants that leak."""

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

from envs.audit import audit_secrecy
from envs.position import Position
from envs.travel_blog import GAME
from tests.plain_mode import PLAIN, ROOT
from tests.travel_blog.policies import cautious, sensible
from tests.travel_blog.table import WAIT, Table

LINE_UPS = [(n, False) for n in range(2, 7)] + [(n, True) for n in (2, 3)]


def looks(position, seat):
    """All that a seat can look at: observation, description, mask, header, and a determinization."""
    mask = position.action_mask().tobytes() if position.current_player == seat else b""
    described = json.dumps(position.describe(seat), sort_keys=True)
    return position.observe(seat).tobytes(), described, mask, position.determinize(seat, 7).tobytes()


# ------------------------------------------------------------------ commits


@pytest.mark.parametrize(
    ("num_players", "demanding", "knowledge"),
    [*((n, demanding, "memory") for n, demanding in LINE_UPS), (3, False, "costs"), (3, False, "graph")],
)
def test_no_commit_is_seen_before_the_tick_ends(num_players, demanding, knowledge):
    """At every decision of whole games: whatever a seat commits, every other seat sees the same until the tick ends."""
    options = {"num_players": num_players, "demanding": demanding, "knowledge": knowledge}
    rng = np.random.default_rng(num_players)
    compared = Counter()
    for seed in range(2):
        position = Position(GAME, options, seed)
        while not position.is_over:
            seat, tick = position.current_player, position.states["tick"][0]
            legal = position.legal_actions()
            one, other = position.copy(), position.copy()
            first, second = (int(action) for action in rng.choice(legal, 2, replace=False))
            one.apply(first)
            other.apply(second)
            if one.current_player is not None and one.current_player > seat and one.states["tick"][0] == tick:
                for looker in range(num_players):
                    same = looks(one, looker) == looks(other, looker)
                    assert same == (looker != seat), (seat, looker)
                    compared[seat, looker] += 1
                assert one.describe(seat)["pending"][seat] == position.decode_action(first)
                assert one.describe()["pending"][seat] == position.decode_action(first)
                assert one.observe(seat).tobytes() != other.observe(seat).tobytes()
            position.apply(int(rng.choice(legal)))
    assert len(compared) == num_players * (num_players - 1), "every seat but the last one's commits, seen by every seat"


def test_the_own_commit_is_kept_by_every_sample():
    table = Table(3)
    table.commit(5)
    for seed in range(20):
        assert table.position.determinize(0, seed).describe()["pending"] == [{"type": "place", "field": 5}, None, None]


def test_nothing_but_pending_changes_within_a_tick():
    table = Table(3, round=3)
    table.tick(1, 2, 3)
    before = table.described
    table.commit(4)
    table.commit(WAIT)
    after = table.described
    changed = {key for key in before if before[key] != after[key]}
    assert changed == {"pending", "current_player", "move_number"}
    assert after["pending"] == [{"type": "place", "field": 4}, {"type": "wait"}, None]


@pytest.mark.parametrize(("options", "choices"), [({}, 9), ({"demanding": True}, 17)])
def test_others_commits_are_sampled_uniformly_from_what_they_may_commit(options, choices):
    """Chi-square over 100 samples for each choice, seeds 0 to the end; false alarm 1 in 10,000."""
    table = Table(3, **options)
    table.position.apply(table.position.legal_actions()[-1])
    assert len(table.legal()) == choices, "all seats may commit the same in the first tick"
    counts = Counter(
        json.dumps(table.position.determinize(1, seed).describe()["pending"][0]) for seed in range(100 * choices)
    )
    assert len(counts) == choices
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_samples_of_commits_keep_to_the_fields_that_are_open():
    table = Table(3, round=3)
    table.tick(6, WAIT, WAIT)
    table.commit(2)
    seen = {json.dumps(table.position.determinize(1, seed).describe()["pending"][0]) for seed in range(300)}
    assert seen == {json.dumps(action) for action in [{"type": "wait"}, *places(0, 1, 2, 3, 4, 5, 7)]}


def places(*fields):
    return [{"type": "place", "field": field} for field in fields]


# ------------------------------------------------------------------ cards to come


def test_the_cards_to_come_are_sampled_in_every_order_alike():
    """Chi-square over which of the 42 cards is next, 4,200 samples, seeds 0 to 4199; false alarm 1 in 10,000."""
    position = Position(GAME, {}, seed=1)
    dealt = int(position.states["dealt"][0])
    firsts, lasts = Counter(), Counter()
    for seed in range(4200):
        deck = position.determinize(0, seed).states["deck"][0]
        firsts[int(deck[dealt])] += 1
        lasts[int(deck[-1])] += 1
    to_come = {int(card) for card in position.states["deck"][0, dealt:]}
    for counts in (firsts, lasts):
        assert set(counts) == to_come
        assert chisquare(list(counts.values())).pvalue > 1e-4


def test_a_seat_is_told_how_many_cards_come_and_a_sample_keeps_those_that_are_out():
    position = Position(GAME, {"num_players": 2}, seed=2)
    while position.describe()["round"] < 4:
        position.apply(position.legal_actions()[0])
    truth, told = position.describe(), position.describe(1)
    assert told["draw_pile"] == len(truth["draw_pile"]) == 50 - 4 * 8
    sample = position.determinize(1, 3).describe()
    assert sample["draw_pile"] != truth["draw_pile"]
    assert sorted(sample["draw_pile"]) == sorted(truth["draw_pile"])
    for same in ("offer", "middle", "discard_pile", "last_round", "stacks"):
        assert sample[same] == truth[same]


def test_the_finale_is_not_foreseen_by_a_sample():
    position = Position(GAME, {"num_players": 2}, seed=3)
    while position.describe()["round"] < 6:
        position.apply(position.legal_actions()[0])

    def finale(start):
        while start.describe()["round"] < 7:
            start.apply(start.legal_actions()[0])
        return start.describe()["offer"]

    truth = finale(position.copy())
    assert sum(finale(position.determinize(0, seed)) == truth for seed in range(20)) == 0


# ------------------------------------------------------------------ the audit


@pytest.mark.parametrize(
    ("options", "positions"),
    [
        ({"num_players": 2, "map": "usa"}, 3_000),
        ({"num_players": 3, "demanding": True}, 2_500),
        ({"num_players": 4, "timing": "sequence", "knowledge": "costs"}, 2_000),
        ({"num_players": 5, "knowledge": "graph"}, 1_250),
        ({"num_players": 6}, 1_250),
    ],
    ids=str,
)
def test_audit(options, positions):
    """10,000 positions over the line-ups, of cautious and sensible play; both kinds of action are played."""
    report = audit_secrecy(GAME, options, positions, policies=(cautious, sensible), describe_every=20, stride=3)
    assert report.games >= 20
    assert report.hidden_places > 0
    assert min(report.action_types.values()) > 0


def test_every_public_fact_shows_in_the_observation():
    """One number of the record is changed after the other: every seat sees each of them."""
    for options in ({"demanding": True}, {"demanding": True, "timing": "sequence"}):
        table = Table(3, round=6, seed=1, **options)
        for colour in (0, 1, 0):
            for _ in range(3):
                table.commit(2 if colour == 0 and 2 in table.open_fields(0) else 5, colour)
        state, waves = table.state, table.state.options.timing
        assert len(table.stacks[2]) >= 2
        places = [(state, name) for name in ("round", "tick", "current_player")]
        places += [(state.board.offer, 3), (state.board.middle, 0), (state.board.middle, 1)]
        places += [(state.last_board.offer, 3), (state.last_board.middle, 1), (state.deck, 2)]
        places += [(board.stacks[field], 0) for board in (state.board, state.last_board) for field in (2,)]
        for seat in range(3):
            player = state.players[seat]
            places += [(player, "cash"), (player, "last_change"), (player.tokens_left, 0), (player.tokens_left, 1)]
            for trip in player.last_trip:
                places += [(trip, name) for name in ("crossings", "neighbour_pairs", "beneath", "forty", "amount")]
        before = [table.position.observe(seat).tobytes() for seat in range(3)]
        for record, name in places:
            kept = record[name] if isinstance(name, int) else getattr(record, name)
            store(record, name, kept - 1 if kept > 0 else kept + 1)
            changed = [table.position.observe(seat).tobytes() for seat in range(3)]
            assert all(one != other for one, other in zip(before, changed, strict=True)), (name, options)
            store(record, name, kept)
        if waves:
            state.wave_order[1], state.wave_order[2] = state.wave_order[2], state.wave_order[1]
            assert all(table.position.observe(seat).tobytes() != before[seat] for seat in range(3))


def store(record, name, value):
    """Set a field of a record, or an element of an array."""
    if isinstance(name, int):
        record[name] = value
    else:
        setattr(record, name, value)


# ------------------------------------------------------------------ mutants

LEAKS = {
    "observation": "the observation depends on what the seat cannot know",
    "mask": "the mask depends on what the seat cannot know",
    "commit described": "the description depends on what the seat cannot know",
    "next card described": "the description depends on what the seat cannot know",
    "commit kept": "determinize copies what is hidden at seat 1: .pending[0]",
    "next card kept": "determinize copies what is hidden at seat 0: .draw_pile[0]",
    "shuffled as it lies": "determinizing twice differs from determinizing once",
}


@pytest.fixture(scope="module")
def verdicts():
    command = [sys.executable, "-m", "tests.travel_blog.leaks"]
    environment = {**os.environ, **PLAIN}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


@pytest.mark.parametrize("mutant", LEAKS)
def test_a_leak_is_caught(verdicts, mutant):
    assert LEAKS[mutant] in (verdicts[mutant] or "nothing")


def test_the_game_itself_passes_in_plain_mode(verdicts):
    assert verdicts["unchanged"] is None


def test_the_others_are_all_told_the_same():
    """Who has committed is public: it follows from whose turn it is."""
    table = Table(4)
    table.commit(1)
    for one, other in combinations(range(1, 4), 2):
        assert table.position.describe(one) == table.position.describe(other)
