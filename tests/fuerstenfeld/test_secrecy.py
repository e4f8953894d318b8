"""Nothing hidden leaks: the audit on 10,000 positions of random and sensible play, mutants, and fair sampling."""

import json
import os
import subprocess
import sys
from collections import Counter

import pytest
from scipy.stats import chisquare

from envs.audit import audit_secrecy
from envs.fuerstenfeld import GAME
from envs.walk import play_randomly
from tests.fuerstenfeld.leaks import MUTANTS
from tests.fuerstenfeld.policies import CARD_IDS, Counted, play_sensibly
from tests.fuerstenfeld.table import Table
from tests.plain_mode import PLAIN, ROOT

AUDITED = [
    {"num_players": num_players, "variant": variant, "scavenge_palaces": variant == "advanced" and num_players > 2}
    for num_players in (2, 3, 4, 5)
    for variant in ("basic", "advanced")
]
AUDITED += [{"num_players": n, "variant": "advanced", "max_rounds": 2} for n in (3, 5)]  # more drafts
POSITIONS = 10_000

CAUGHT = {
    "observation of a hand": "the observation depends on what the seat cannot know",
    "observation of the own deck": "the observation depends on what the seat cannot know",
    "mask": "the mask depends on what the seat cannot know",
    "description of a deck": "the description depends on what the seat cannot know",
    "description of the kept card": "the description depends on what the seat cannot know",
    "determinization of a hand": "determinize copies what is hidden",
    "determinization of a known part": "determinize copies what is hidden",
    "determinization of the own deck": "determinize copies what is hidden",
    "determinization of the kept card": "determinizing twice differs from determinizing once",
    "determinization by place": "determinizing twice differs from determinizing once",
}


def test_audit_of_random_and_sensible_play_in_which_every_action_and_card_occurs():
    """All player counts and both variants; no action type and no card is missing from what was played."""
    types: Counter[str] = Counter()
    policies = (Counted(play_randomly), Counted(play_sensibly))
    for options in AUDITED:
        report = audit_secrecy(GAME, options, POSITIONS // len(AUDITED), policies=policies, stride=5, describe_every=10)
        types.update(report.action_types)
        assert report.hidden_places > 0
    assert len(types) == 14
    assert all(types.values()), types
    played = policies[0].played + policies[1].played
    for kind in ("keep", "bury", "build", "scavenge", "discard"):
        missing = {card for card in CARD_IDS if not played[kind, card]}
        if kind == "scavenge":
            missing.discard("scavenger")  # the only one lies on the estate of whoever scavenges
        assert not missing, f"{kind}: {missing} never occurred"


@pytest.fixture(scope="module")
def verdicts():
    command = [sys.executable, "-m", "tests.fuerstenfeld.leaks"]
    result = subprocess.run(command, cwd=ROOT, env={**os.environ, **PLAIN}, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def test_every_mutant_has_its_verdict():
    assert list(CAUGHT) == list(MUTANTS)


@pytest.mark.parametrize("leak", CAUGHT)
def test_leak_is_caught(verdicts, leak):
    assert CAUGHT[leak] in (verdicts[leak] or "nothing")


def test_the_game_itself_passes_the_same_audits(verdicts):
    assert (verdicts["unchanged advanced"], verdicts["unchanged basic"]) == (None, None)


class TestFairSampling:
    """Chi-square tests at a false-alarm rate of 1e-4 each, seeds 0 to 2,999."""

    SEEDS = range(3000)
    ALARM = 1e-4

    def sampled(self, table: Table, seat: int, seed: int) -> dict:
        return table.position.determinize(seat, seed).describe()["players"]

    def small_table(self) -> Table:
        """Seat 1 has two cards in hand and a deck of two of which the lower one was put there; seat 0 likewise."""
        table = Table()
        table.remove_rest(1, deck=["office", "market"], hand=["crane", "field_hops_2"])
        table.state.players[1].deck_known = 1
        table.remove_rest(0, deck=["bank_1", "bank_2", "crane", "office"], hand=["market"])
        table.state.players[0].deck_known = 1
        return table

    def test_hand_and_deck_of_an_opponent(self):
        """All 12 ways to deal four cards to a hand of two and an ordered deck of two are equally likely."""
        table = self.small_table()
        counts: Counter[tuple] = Counter()
        for seed in self.SEEDS:
            player = self.sampled(table, 0, seed)[1]
            counts[tuple(player["hand"]), tuple(player["deck"])] += 1
        assert len(counts) == 12
        assert chisquare(list(counts.values())).pvalue > self.ALARM

    def test_unknown_part_of_the_own_deck(self):
        """All 6 orders of the three unknown cards; hand and known bottom card stay."""
        table = self.small_table()
        counts: Counter[tuple] = Counter()
        for seed in self.SEEDS:
            player = self.sampled(table, 0, seed)[0]
            assert player["hand"] == ["market"]
            assert player["deck"][3] == "office"
            counts[tuple(player["deck"][:3])] += 1
        assert len(counts) == 6
        assert chisquare(list(counts.values())).pvalue > self.ALARM

    def test_kept_card_of_an_opponent_in_the_draft(self):
        """Any of the 28 cards may be the kept one: 25 kinds, three of them twice as likely."""
        table = Table(variant="advanced")
        table.play("keep", card=table.player(0)["hand"][0])
        counts = Counter(self.sampled(table, 1, seed)[0]["kept"] for seed in self.SEEDS)
        expected = [len(self.SEEDS) / 28 * (2 if card.endswith("_2") and "field" in card else 1) for card in CARD_IDS]
        assert chisquare([counts[card] for card in CARD_IDS], expected).pvalue > self.ALARM

    def test_the_sampled_kept_card_is_in_hand(self):
        table = Table(variant="advanced")
        table.play("keep", card=table.player(0)["hand"][0])
        table.play("bury", card=table.cards("bury")[0])
        for seed in range(100):
            player = self.sampled(table, 1, seed)[0]
            assert player["kept"] in player["hand"]
            assert (len(player["hand"]), len(player["deck"])) == (9, 19)


def test_seats_that_cannot_tell_two_positions_apart_get_the_same_samples():
    """The opponent's cards lie elsewhere, the unknown ones of the own deck too: the samples are the same bytes."""
    one, two = Table(seed=3), Table(seed=3)
    one.go_to("build", seat=0)
    two.go_to("build", seat=0)
    for table, hand, top in ((one, ["office", "crane"], ["bank_1"]), (two, ["market", "palace_4"], ["palace_1"])):
        table.arrange(1, hand=hand, top=top)
        table.arrange(0, hand=["office", "market"], top=top, known=["crane", "bank_2"])
    assert one.position.tobytes() != two.position.tobytes()
    assert one.position.describe(0) == two.position.describe(0)
    assert (one.position.observe(0) == two.position.observe(0)).all()
    for seed in range(20):
        assert one.position.determinize(0, seed).tobytes() == two.position.determinize(0, seed).tobytes()
    assert one.position.determinize(1, 0).tobytes() != two.position.determinize(1, 0).tobytes()
