"""Nothing hidden leaks: the audit on 10,000 positions of random and sensible play, mutants, and fair sampling."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import comb, prod

import pytest
from scipy.stats import chisquare

from envs.audit import audit_secrecy
from envs.pfeffersaecke import GAME
from envs.walk import play_randomly
from tests.pfeffersaecke.leaks import MUTANTS
from tests.pfeffersaecke.policies import play_for_cities, play_sensibly
from tests.pfeffersaecke.table import Table
from tests.plain_mode import PLAIN, ROOT

POSITIONS = 10_000

CAUGHT = {
    "observation": "the observation depends on what the seat cannot know",
    "mask": "the mask depends on what the seat cannot know",
    "description": "the description depends on what the seat cannot know",
    "determinization keeps hands": "determinize copies what is hidden",
    "determinization passes hands on": "determinizing twice differs from determinizing once",
}


def test_audit_of_random_and_sensible_play_in_which_every_action_occurs():
    types: Counter[str] = Counter()
    policies = (play_randomly, play_sensibly, play_for_cities)
    for n in range(2, 7):
        report = audit_secrecy(GAME, {"num_players": n}, POSITIONS // 5, policies=policies, stride=2, describe_every=10)
        types.update(report.action_types)
        assert bool(report.hidden_places) == (n > 2), "with two players the own hand tells all"
    assert len(types) == 8
    assert all(types.values()), types


@pytest.fixture(scope="module")
def verdicts():
    command = [sys.executable, "-m", "tests.pfeffersaecke.leaks"]
    result = subprocess.run(command, cwd=ROOT, env={**os.environ, **PLAIN}, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def test_every_mutant_has_its_verdict():
    assert list(CAUGHT) == list(MUTANTS)


@pytest.mark.parametrize("leak", CAUGHT)
def test_leak_is_caught(verdicts, leak):
    assert CAUGHT[leak] in (verdicts[leak] or "nothing")


def test_the_game_itself_passes_the_same_audit(verdicts):
    assert verdicts["unchanged"] is None


# ------------------------------------------------------------------ fair sampling

FIRST_DEAL = {2: 3, 3: 2, 4: 2, 5: 1, 6: 1}
"""High tokens that each seat gets in the first deal."""
SAMPLES = range(4000)
ALARM = 1e-4
"""False-alarm rate of each chi-square test."""

Hands = tuple[tuple[int, ...], ...]

# By number of players: all hands, and what each seat has laid. Seat 0 looks.
SMALL = {
    3: (
        [[2], [5, 2], [6, 3]],
        [[8, 7, 2, 3, 4, 4, 4], [5, 6, 2, 3, 3, 4], [5, 7, 2, 2, 3, 4]],
    ),
    4: (
        [[2], [5, 3], [6, 2], [4, 7]],
        [[8, 5, 2, 3, 4], [6, 2, 3, 4], [7, 3, 3, 4], [5, 2, 2, 4]],
    ),
    5: (
        [[2], [5, 2], [6], [3], [7, 8]],
        [[6, 2, 3, 4], [2, 3, 4], [5, 2, 3, 4], [7, 5, 2, 4], [2, 3, 4]],
    ),
    6: (
        [[2], [5, 2], [3], [4], [6, 2], [7]],
        [[8, 3, 4], [3, 4], [5, 2, 4], [5, 2, 3], [3, 4], [6, 7, 2]],
    ),
}


def small_table(n: int) -> Table:
    """A position whose hidden part is small enough to write out."""
    table = Table(n)
    table.deal(*SMALL[n])
    return table


def sampled_hands(table: Table, seed: int) -> Hands:
    """The other hands in a sample for seat 0."""
    sample = table.position.determinize(0, seed)
    hands = sample.state.players["tokens"][1 : sample.num_players]
    return tuple(tuple(value for value, count in enumerate(hand) for _ in range(count)) for hand in hands)


def all_deals(pieces: list[int], sizes: list[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to put distinct pieces (their numbers) into hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(pieces, sizes[0]):
        rest = [piece for piece in pieces if piece not in hand]
        for others in all_deals(rest, sizes[1:]):
            yield (hand, *others)


def weights(n: int, fair: bool = True) -> dict[Hands, int]:
    """The weight of all that the other hands may be, as seat 0 sees it: the specification, written out.

    Without `fair`: as if the unseen tokens had been shuffled and dealt in one go.
    """
    hands, laid = SMALL[n]
    unseen = [value for hand in hands[1:] for value in hand]
    found: dict[Hands, int] = Counter()
    for deal in all_deals(list(range(len(unseen))), [len(hand) for hand in hands[1:]]):
        values = tuple(tuple(sorted(unseen[piece] for piece in hand)) for hand in deal)
        weight = 1
        for hand, on_board in zip(values, laid[1:], strict=True):
            high = sum(value >= 5 for value in [*hand, *on_board])
            weight *= comb(high, FIRST_DEAL[n]) if fair else 1
        if weight:
            found[values] += weight
    return found


def sampled(table: Table) -> Counter[Hands]:
    counts: Counter[Hands] = Counter()
    for seed in SAMPLES:
        counts[sampled_hands(table, seed)] += 1
    return counts


def p_value(counts: Counter[Hands], weight: dict[Hands, int]) -> float:
    """Chi-square of the samples against the weights; what is expected less than 5 times is put together."""
    total = sum(weight.values())
    assert set(counts) <= set(weight), "a hand that cannot be"
    observed, expected, rest = [], [], [0.0, 0.0]
    for hands, share in weight.items():
        often = len(SAMPLES) * share / total
        if often < 5:
            rest[0] += counts[hands]
            rest[1] += often
        else:
            observed.append(counts[hands])
            expected.append(often)
    if rest[1]:
        observed.append(rest[0])
        expected.append(rest[1])
    return float(chisquare(observed, expected).pvalue) if len(observed) > 1 else 1.0


@pytest.mark.parametrize("n", SMALL)
def test_hands_are_sampled_as_the_deal_makes_them_likely(n):
    assert p_value(sampled(small_table(n)), weights(n)) > ALARM


@pytest.mark.parametrize("n", [3, 5])
def test_a_plain_shuffle_would_fail(n):
    """Even of the hands that can be: a shuffle that throws the others away gives them other chances."""
    plain = weights(n, fair=False)
    possible = {hands: plain[hands] for hands in weights(n)}
    assert p_value(sampled(small_table(n)), possible) < ALARM


def test_with_four_players_everybody_has_exactly_two_high_tokens():
    for hands in sampled(small_table(4)):
        for hand, laid in zip(hands, SMALL[4][1][1:], strict=True):
            assert sum(value >= 5 for value in [*hand, *laid]) == 2


def test_with_two_players_the_own_hand_tells_all():
    table = Table(2, "koblenz", "celle")
    for _ in range(2):
        for seed in range(20):
            sample = table.position.determinize(seed % 2, seed).describe()
            assert sample == table.described
        table.place_any_token()


@pytest.mark.parametrize("n", [3, 5, 6])
def test_the_weights_are_those_of_the_deal_itself(n):
    """Deals as the rulebook has them, of which those are kept that agree with what seat 0 knows: seeds 0 to 2."""
    hands, laid = SMALL[n]
    dealt = [sorted([*hand, *on_board]) for hand, on_board in zip(hands, laid, strict=True)]
    highs = Counter(value for hand in dealt for value in hand if value >= 5)
    lows = Counter(value for hand in dealt for value in hand if value < 5)
    own = sum(value >= 5 for value in dealt[0])
    # Which seats hold how many high tokens says everything: with it given, which ones is a matter of symmetry.
    counts: Counter[tuple[int, ...]] = Counter()
    rng = random.Random(n)
    for _ in range(60_000):
        high, low = list(highs.elements()), list(lows.elements())
        rng.shuffle(high)
        each = FIRST_DEAL[n]
        in_hand = [high[each * seat : each * (seat + 1)] for seat in range(n)]
        mixed = high[each * n :] + low
        rng.shuffle(mixed)
        for seat in range(n):
            size = len(dealt[seat]) - each
            in_hand[seat] += mixed[:size]
            mixed = mixed[size:]
        held = [sum(value >= 5 for value in hand) for hand in in_hand]
        if held[0] == own:
            counts[tuple(held[1:])] += 1
    expected: Counter[tuple[int, ...]] = Counter()
    sizes = [len(hand) for hand in dealt[1:]]
    for held in counts:
        weight = 1
        for high_count, size in zip(held, sizes, strict=True):
            weight *= comb(high_count, FIRST_DEAL[n]) * comb(size, high_count)
        expected[held] = weight
    scale = sum(counts.values()) / sum(expected.values())
    assert sum(counts.values()) > 5000
    assert chisquare([counts[h] for h in counts], [expected[h] * scale for h in counts]).pvalue > ALARM


@pytest.mark.parametrize(("n", "seed"), [(3, 0), (5, 0), (6, 0)])
def test_whole_hands_right_after_the_deal_are_sampled_by_their_number_of_high_tokens(n, seed):
    """The weights are products of C(h, a) and C(s, h) over the other hands."""
    table = Table(n, seed=seed)
    size = len(table.player(0)["tokens"])
    left = 8 - sum(value >= 5 for value in table.player(0)["tokens"])
    assert left > (n - 1) * FIRST_DEAL[n], "something is left open"
    fair: dict[tuple[int, ...], int] = {}
    for held in product(range(FIRST_DEAL[n], size + 1), repeat=n - 1):
        if sum(held) == left:
            fair[held] = prod(comb(size, high) * comb(high, FIRST_DEAL[n]) for high in held)
    counts: Counter[tuple[int, ...]] = Counter()
    for sample in SAMPLES:
        counts[tuple(sum(value >= 5 for value in hand) for hand in sampled_hands(table, sample))] += 1
    assert set(counts) <= set(fair)
    scale = len(SAMPLES) / sum(fair.values())
    assert chisquare([counts[held] for held in fair], [scale * weight for weight in fair.values()]).pvalue > ALARM


def test_seats_that_cannot_tell_two_positions_apart_get_the_same_samples():
    hands, laid = SMALL[3]
    one, two = Table(3), Table(3)
    one.deal(hands, laid)
    two.deal([hands[0], [2, 6], [5, 3]], laid)
    assert one.position.describe(0) == two.position.describe(0)
    for seed in range(20):
        assert one.position.determinize(0, seed).tobytes() == two.position.determinize(0, seed).tobytes()
    assert one.position.determinize(1, 0).tobytes() != two.position.determinize(1, 0).tobytes()


def test_tokens_laid_are_part_of_the_observation():
    one, two = Table(3), Table(3)
    hands, laid = SMALL[3]
    one.deal(hands, laid)
    two.deal(hands, [laid[0], laid[1][::-1], laid[2]])
    assert one.position.observe(0).tobytes() != two.position.observe(0).tobytes(), "who laid what, and in which order"
