"""Leduc poker: its rules by name, its information states, its value."""

import numpy as np
import pytest
from scipy.stats import chisquare

from envs.catalog import get_game
from envs.chance import lane_seed
from envs.errors import IllegalAction
from envs.position import Position
from tests.classics.enumeration import after, deals, every_position, information_state, with_cards
from tests.classics.solving import SequenceForm

GAME = get_game("leduc_poker")
FOLD, CALL, RAISE = 0, 1, 2
JS, JH, QS, QH, KS, KH, AS, AH = range(8)


def played(cards, *actions, public=None):
    """The position after `actions`, with `public` turned up after the first round if it comes to that."""
    position = with_cards(Position(GAME, {"num_players": len(cards)}), cards)
    for action in actions:
        phase = position.phase
        position.apply(action)
        if public is not None and position.phase == "second_round" != phase:
            position.states["public_card"] = public
    return position


# ------------------------------------------------------------------ rules


def test_everyone_antes_one_chip_and_is_dealt_one_card():
    for num_players in (2, 3):
        position = Position(GAME, {"num_players": num_players}, 5)
        assert position.state.chips[:num_players].tolist() == [1] * num_players
        assert len({int(card) for card in position.state.card[:num_players]}) == num_players
        assert not position.state.card[num_players:].any(), "unused slots are zero"


def test_fold_is_legal_only_when_there_is_something_to_call():
    position = played((JS, QS))
    assert position.legal_actions() == [CALL, RAISE]
    position.apply(CALL)
    assert position.legal_actions() == [CALL, RAISE]
    position.apply(RAISE)
    assert position.legal_actions() == [FOLD, CALL, RAISE]


def test_raises_are_two_chips_then_four():
    assert played((JS, QS), RAISE).state.chips.tolist() == [3, 1, 0]
    assert played((JS, QS), RAISE, RAISE).state.chips.tolist() == [3, 5, 0]
    assert played((JS, QS), RAISE, CALL, RAISE).state.chips.tolist() == [7, 3, 0]
    assert played((JS, QS), RAISE, RAISE, CALL, RAISE, RAISE).state.chips.tolist() == [9, 13, 0]


def test_at_most_two_raises_a_round():
    assert played((JS, QS), RAISE, RAISE).legal_actions() == [FOLD, CALL]
    assert played((JS, QS), RAISE, RAISE, CALL).legal_actions() == [CALL, RAISE], "a new round"
    assert played((JS, QS), CALL, CALL, CALL, RAISE, RAISE).legal_actions() == [FOLD, CALL]


def test_the_public_card_is_turned_up_when_all_have_answered():
    position = played((JS, QS), CALL)
    assert position.describe()["public_card"] is None
    position.apply(CALL)
    assert position.phase == "second_round"
    assert position.current_player == 0
    assert position.describe()["public_card"] not in (None, "Js", "Qs")


def test_a_raise_reopens_the_betting_for_all_who_are_in():
    position = played((JS, QS, KS), CALL, RAISE, CALL)
    assert (position.phase, position.current_player) == ("first_round", 0)
    position.apply(RAISE)
    assert position.current_player == 1
    position.apply(FOLD)
    assert position.current_player == 2
    position.apply(CALL)
    assert position.phase == "second_round"


def test_the_lowest_seat_still_in_opens_the_second_round_and_folded_seats_are_passed_over():
    position = played((JS, QS, KS), CALL, CALL, RAISE, FOLD, CALL)
    assert (position.phase, position.current_player) == ("second_round", 1)
    position.apply(CALL)
    assert position.current_player == 2
    position.apply(RAISE)
    assert position.current_player == 1


def test_the_last_one_in_takes_the_pot():
    assert played((JS, QS), RAISE, FOLD).returns().tolist() == [1, -1]
    assert played((JS, QS), RAISE, RAISE, FOLD).returns().tolist() == [-3, 3]
    assert played((JS, QS, KS), RAISE, FOLD, RAISE, FOLD).returns().tolist() == [-3, -1, 4]
    assert played((KS, QS, JS), CALL, CALL, CALL, CALL, RAISE, FOLD, FOLD, public=QH).returns().tolist() == [-1, 2, -1]


@pytest.mark.parametrize(
    ("cards", "public", "returns"),
    [
        ((JS, QS), KS, [-1, 1]),
        ((KS, QS), JS, [1, -1]),
        ((JS, KS), JH, [1, -1]),
        ((KS, QS), QH, [-1, 1]),
        ((QS, QH), KS, [0, 0]),
        ((JS, AS, QS), QH, [-1, -1, 2]),
        ((JS, AS, AH), KS, [-1, 0.5, 0.5]),
        ((JS, KS, KH), JH, [2, -1, -1]),
    ],
)
def test_a_pair_beats_a_higher_rank_and_equal_ranks_split_the_pot(cards, public, returns):
    position = played(cards, *[CALL] * (2 * len(cards)), public=public)
    assert position.terminated
    assert position.returns().tolist() == returns


def test_suits_do_not_count():
    for cards in ((JS, QS), (JH, QS), (JS, QH), (JH, QH)):
        assert played(cards, *[CALL] * 4, public=KS).returns().tolist() == [-1, 1]


def test_folded_chips_stay_in_a_split_pot():
    position = played((AS, AH, JS), RAISE, CALL, RAISE, CALL, CALL, RAISE, CALL, FOLD, public=KS)
    assert position.terminated
    assert position.returns().tolist() == [2.5, 2.5, -5.0]


def test_longest_game():
    """Three players: everything is called before each raise, 7 actions a round, 13 chips each."""
    betting = [CALL, CALL, RAISE, CALL, RAISE, CALL, CALL]
    position = played((JS, QS, KS), *betting, *betting, public=AS)
    assert position.terminated
    assert position.move_number == 14
    assert position.returns().tolist() == [-13, -13, 26]


def test_chips_only_change_hands():
    for _, position in every_position("leduc_poker", 2):
        assert position.returns().sum() == pytest.approx(0.0)
        assert position.state.chips.max() <= 13


def test_the_public_card_depends_on_seed_and_deal_alone():
    """Chance is keyed by purpose: whatever the betting of round one, the same card is turned up."""
    for seed in range(50):
        turned_up = set()
        for betting in ((CALL, CALL), (CALL, RAISE, CALL), (RAISE, CALL), (RAISE, RAISE, CALL)):
            position = Position(GAME, seed=seed)
            for action in betting:
                position.apply(action)
            turned_up.add(position.describe()["public_card"])
            assert position.state.draws.tolist() == [2, 1], "two cards dealt, one turned up, each from its own stream"
        assert len(turned_up) == 1


def test_deal_and_public_card_are_uniform():
    """120 ways for two cards and the public one over 24,000 seeds; false alarm in 1 of 10,000."""
    counts = np.zeros((6, 6, 6), int)
    for number in range(24_000):
        position = Position(GAME, seed=int(lane_seed(0, number)))
        position.apply(CALL)
        position.apply(CALL)
        counts[position.state.card[0], position.state.card[1], position.state.public_card] += 1
    assert np.count_nonzero(counts) == 120
    assert chisquare(counts[counts > 0]).pvalue > 1e-4


# ------------------------------------------------------------------ known answers


def merged_by_suit(state):
    seat, card, public, betting = state
    return seat, card // 2, None if public is None else public // 2, betting


def test_number_of_information_states():
    """936 with six distinct cards, as OpenSpiel counts; 288 when the suits are merged, as most papers do."""
    positions = [position for _, position in every_position("leduc_poker", 2) if not position.is_over]
    states = {information_state(position) for position in positions}
    assert len(states) == 936
    assert len({merged_by_suit(state) for state in states}) == 288
    pairs = {(information_state(at), at.observe(at.current_player).tobytes()) for at in positions}
    assert len(pairs) == len({seen for _, seen in pairs}) == 936, "observations are one-to-one"


def test_number_of_information_states_of_three_players():
    """7,428 with the suits merged (counted with OpenSpiel 2.0.2, `suit_isomorphism=True`), 25,800 without.

    What a seat knows does not depend on the cards that it cannot see, so it is enough to go through deals
    in which every seat holds every card beside two pairs of others that leave every public card to one of them.
    """
    _, start = next(deals("leduc_poker", 3))
    states = {}

    def below(position):
        if position.is_over:
            return
        seen = position.observe(position.current_player).tobytes()
        assert states.setdefault(information_state(position), seen) == seen
        for action in position.legal_actions():
            for _, child in after(position, action):
                below(child)

    for card in range(8):
        for steps in ((1, 2), (3, 6)):
            below(with_cards(start, (card, (card + steps[0]) % 8, (card + steps[1]) % 8)))
    assert len(states) == 25_800
    assert len(set(states.values())) == 25_800, "observations are one-to-one"
    assert len({merged_by_suit(state) for state in states}) == 7428


def test_value_for_the_first_player():
    """-0.085606424078 antes (M. Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement
    learning", NIPS 2017, appendix E.2).
    """
    assert SequenceForm("leduc_poker").value() == pytest.approx(-0.085606424078, abs=1e-9)


# ------------------------------------------------------------------ who knows what


def test_cards_are_shown_at_a_showdown_only_and_never_by_those_who_folded():
    def shown(position, player):
        return [seat["card"] for seat in position.describe(player)["players"]]

    betting = (CALL, CALL, RAISE, FOLD, CALL)
    assert shown(played((JS, QS, KS), *betting), 1) == [None, "Qs", None]
    assert shown(played((JS, QS, KS), *betting, CALL, CALL), 0) == ["Js", "Qs", "Ks"]
    assert shown(played((JS, QS, KS), *betting, CALL, CALL), 2) == [None, "Qs", "Ks"], "player 0 folded"
    assert shown(played((JS, QS, KS), *betting, RAISE, FOLD), 1) == [None, "Qs", None], "no showdown"


def test_determinizations_are_uniform_over_the_unseen_cards():
    """Seat 2 of three, public card open: 30 equally likely deals of the others; false alarm in 1 of 10,000."""
    position = played((JS, QS, KS), CALL, CALL, CALL, RAISE, public=AH)
    counts = np.zeros((8, 8), int)
    for seed in range(9000):
        sample = position.determinize(2, seed).state
        assert (sample.card[2], sample.public_card) == (KS, AH)
        counts[sample.card[0], sample.card[1]] += 1
    assert np.count_nonzero(counts) == 30
    assert chisquare(counts[counts > 0]).pvalue > 1e-4


def test_determinizations_do_not_foresee_the_public_card():
    """After a determinization in round one every unseen card may be turned up, also the one that the game holds."""
    position = played((JS, QS), CALL)
    turned_up = set()
    for seed in range(200):
        sample = position.determinize(0, seed)
        sample.apply(CALL)
        assert sample.state.public_card not in (sample.state.card[0], sample.state.card[1])
        turned_up.add(int(sample.state.public_card))
    assert turned_up == {JH, QS, QH, KS, KH}


def test_unknown_actions_are_refused():
    position = Position(GAME)
    assert position.encode_action({"type": "raise"}) == RAISE
    for wrong in ({"type": "check"}, {"type": "raise", "chips": 2}):
        with pytest.raises(IllegalAction, match="leduc_poker has no action"):
            position.encode_action(wrong)
