"""Nothing hidden leaks: the audit on 10,000 positions of random and greedy play, mutants, and fair sampling."""

import json
import os
import subprocess
import sys
from collections import Counter

import pytest
from scipy.stats import chisquare

from envs.audit import audit_secrecy
from envs.mesopotamia import GAME
from envs.walk import play_randomly
from tests.mesopotamia.leaks import MUTANTS
from tests.mesopotamia.policies import play_cards, play_greedily, play_sensibly
from tests.mesopotamia.table import NORTH, A, Table
from tests.plain_mode import PLAIN, ROOT

POSITIONS = 10_000
AUDITED = [
    {"num_players": num_players, "starting_card": variants, "no_reshuffle": variants}
    for num_players in (2, 3, 4)
    for variants in (False, True)
]

CAUGHT = {
    "observation of a hand": "the observation depends on what the seat cannot know",
    "observation of the stack": "the observation depends on what the seat cannot know",
    "observation of offerings": "the observation depends on what the seat cannot know",
    "mask": "the mask depends on what the seat cannot know",
    "description of a hand": "the description depends on what the seat cannot know",
    "description of offerings": "the description depends on what the seat cannot know",
    "description of the pile": "the description depends on what the seat cannot know",
    "determinization of the stack": "determinize copies what is hidden",
    "determinization of cards": "determinize copies what is hidden",
    "determinization of a hand": "determiniz",
    "determinization of offerings": "determinize copies what is hidden",
    "determinization of the own offerings": "depends on what the seat cannot know",
    "determinization by place": "determinizing twice differs from determinizing once",
}


def test_audit_of_play_in_which_every_kind_of_action_occurs():
    """All player counts and both variants."""
    types: Counter[str] = Counter()
    policies = (play_randomly, play_sensibly, play_cards, play_greedily)
    for options in AUDITED:
        count = POSITIONS // len(AUDITED) + 1
        report = audit_secrecy(GAME, options, count, policies=policies, stride=7, describe_every=40)
        types.update(report.action_types)
        assert report.hidden_places > 0
    assert len(types) == 23
    assert min(types.values()) > 0, types


@pytest.fixture(scope="module")
def verdicts():
    command = [sys.executable, "-m", "tests.mesopotamia.leaks"]
    result = subprocess.run(command, cwd=ROOT, env={**os.environ, **PLAIN}, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def test_every_mutant_has_its_verdict():
    assert list(CAUGHT) == list(MUTANTS)


@pytest.mark.parametrize("leak", CAUGHT)
def test_leak_is_caught(verdicts, leak):
    assert CAUGHT[leak] in (verdicts[leak] or "nothing")


def test_the_game_itself_passes_the_same_audit(verdicts):
    assert verdicts["unchanged"] is None


class TestFairSampling:
    """Chi-square tests at a false-alarm rate of 1e-4 each, seeds 0 to 2,999."""

    SEEDS = range(3000)
    ALARM = 1e-4

    def counts(self, table: Table, seat: int, read) -> Counter:
        return Counter(read(table.position.determinize(seat, seed).describe()) for seed in self.SEEDS)

    def test_stack(self):
        """All six orders of a plain, a forest and a quarry."""
        table = Table()
        table.only_hexes("quarry", "plain", "forest")
        counts = self.counts(table, 0, lambda position: tuple(position["stack"]))
        assert len(counts) == 6
        assert chisquare(list(counts.values())).pvalue > self.ALARM

    def test_hexes_looked_at_stay_for_who_looks_at_them(self):
        table = Table(3)
        table.deal(0, "land")
        table.turn_of(0)
        table.only_hexes("quarry", "plain", "forest", "plain", "quarry", "plain")
        table.play("play_card", card="land")
        table.step(0, NORTH)
        own = self.counts(table, 0, lambda position: tuple(position["stack"]))
        assert set(own) == {
            ("quarry", "plain", "forest", "plain", *rest) for rest in (("quarry", "plain"), ("plain", "quarry"))
        }
        assert chisquare(list(own.values())).pvalue > self.ALARM
        others = self.counts(table, 1, lambda position: position["stack"].index("forest"))
        assert chisquare([others[place] for place in range(6)]).pvalue > self.ALARM

    def test_hand_of_an_opponent(self):
        """Two of fourteen cards: any card is there as often as there are copies of it."""
        table = Table()
        table.deal(1, "land", "priest")
        table.deal(0, "endurance", "endurance", "endurance", "fertility")
        counts: Counter[str] = Counter()
        for seed in self.SEEDS:
            position = table.position.determinize(0, seed).describe()
            assert len(position["players"][1]["hand"]) == 2
            counts[position["draw_pile"][0]] += 1
        copies = {"priest": 3, "fertility": 1, "holy_stone": 2, "land": 2, "teleport": 2}
        assert set(counts) == set(copies)
        expected = [count / 10 * len(self.SEEDS) for count in copies.values()]
        assert chisquare([counts[card] for card in copies], expected).pvalue > self.ALARM

    def test_card_drawn_by_another(self):
        """Any card of the new hand is the one that was drawn."""
        table = Table()
        table.deal(0, "land", "teleport")
        table.turn_of(0, "act")
        table.next_card("priest")
        table.play("draw_card")
        counts = self.counts(table, 1, lambda position: position["drawn_card"])
        copies = {"endurance": 3, "priest": 3, "fertility": 2, "holy_stone": 2, "land": 2, "teleport": 2}
        expected = [count / 14 * len(self.SEEDS) for count in copies.values()]
        assert chisquare([counts[card] for card in copies], expected).pvalue > self.ALARM
        for seed in range(50):
            sample = table.position.determinize(1, seed).describe()
            assert sample["drawn_card"] in sample["players"][0]["hand"]

    def test_offerings_of_an_opponent(self):
        """Three undelivered offerings under a hut, carried and unused: all six ways."""
        table = Table()
        plain = table.lay("plain", 2, 0)
        table.hut(plain, 1, 6)
        table.stand(1, 0, A, 2)
        table.deliver(1, 4)

        def places(position):
            player = position["players"][1]
            under = position["tiles"][plain]["huts"][0]["offering"]
            return under, player["figures"][0]["load"], *player["unused_offerings"]

        counts = self.counts(table, 0, places)
        assert len(counts) == 6
        assert {sum(way) for way in counts} == {15}
        assert chisquare(list(counts.values())).pvalue > self.ALARM
        assert set(self.counts(table, 1, places)) == {(6, 2, 7)}, "its owner knows"


def test_seats_that_cannot_tell_two_positions_apart_get_the_same_samples():
    one, two = Table(), Table()
    for table, card, carried, kinds in ((one, "land", 2, ("plain", "forest")), (two, "priest", 7, ("forest", "plain"))):
        table.deal(1, card)
        table.stand(1, 0, A, carried)
        table.next_hexes(*kinds)
        table.turn_of(0)
    assert one.position.tobytes() != two.position.tobytes()
    assert one.position.describe(0) == two.position.describe(0)
    assert (one.position.observe(0) == two.position.observe(0)).all()
    for seed in range(20):
        assert one.position.determinize(0, seed).tobytes() == two.position.determinize(0, seed).tobytes()
    assert one.position.determinize(1, 0).tobytes() != two.position.determinize(1, 0).tobytes()
