"""Kuhn poker: its rules by name, its information states, its value."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from envs.catalog import get_game
from envs.errors import IllegalAction
from envs.position import Position
from tests.classics.enumeration import deals, every_position, information_state, with_cards
from tests.classics.solving import SequenceForm

GAME = get_game("kuhn_poker")
PASS, BET = 0, 1
J, Q, K, A = range(4)


def played(cards, *actions):
    position = with_cards(Position(GAME, {"num_players": len(cards)}), cards)
    for action in actions:
        position.apply(action)
    return position


# ------------------------------------------------------------------ rules


@pytest.mark.parametrize(
    ("cards", "actions", "returns"),
    [
        ((K, Q), (PASS, PASS), [1, -1]),
        ((J, Q), (PASS, PASS), [-1, 1]),
        ((J, K), (BET, PASS), [1, -1]),
        ((J, K), (BET, BET), [-2, 2]),
        ((K, Q), (BET, BET), [2, -2]),
        ((K, J), (PASS, BET, PASS), [-1, 1]),
        ((K, J), (PASS, BET, BET), [2, -2]),
        ((J, A, K), (PASS, PASS, PASS), [-1, 2, -1]),
        ((J, A, K), (BET, PASS, PASS), [2, -1, -1]),
        ((J, A, K), (BET, PASS, BET), [-2, -1, 3]),
        ((J, A, K), (BET, BET, BET), [-2, 4, -2]),
        ((A, Q, K), (PASS, BET, PASS, PASS), [-1, 2, -1]),
        ((A, Q, K), (PASS, BET, BET, PASS), [-1, -2, 3]),
        ((A, Q, K), (PASS, PASS, BET, BET, PASS), [3, -1, -2]),
        ((A, Q, K), (PASS, PASS, BET, PASS, BET), [-1, -2, 3]),
    ],
)
def test_who_wins_how_much(cards, actions, returns):
    position = played(cards, *actions[:-1])
    assert not position.is_over
    position.apply(actions[-1])
    assert position.terminated
    assert position.returns().tolist() == returns


def test_pass_and_bet_are_always_legal():
    for _, position in every_position("kuhn_poker", 3):
        assert position.legal_actions() == ([] if position.is_over else [PASS, BET])


def test_the_turn_goes_around_the_table_and_each_answers_a_bet_once():
    position = played((J, Q, K), PASS, BET)
    assert (position.current_player, position.phase) == (2, "answering")
    position.apply(BET)
    assert position.current_player == 0
    position.apply(PASS)
    assert position.is_over


def test_all_games_are_played_and_chips_only_change_hands():
    """13 ways to bet for three players, 5 for two; every deal."""
    for num_players, ways in ((2, 5), (3, 13)):
        ended = [position for _, position in every_position("kuhn_poker", num_players) if position.is_over]
        assert len(ended) == ways * len(list(deals("kuhn_poker", num_players)))
        for position in ended:
            assert position.returns().sum() == 0.0
            assert len(position.winners()) == 1


# ------------------------------------------------------------------ known answers


@pytest.mark.parametrize(("num_players", "count"), [(2, 12), (3, 48)])
def test_number_of_information_states(num_players, count):
    """12 for two players (Kuhn 1950); 48 for three (D. Szafron, R. Gibson and N. Sturtevant, "A parameterized
    family of equilibrium profiles for three-player Kuhn poker", AAMAS 2013).
    """
    positions = [position for _, position in every_position("kuhn_poker", num_players) if not position.is_over]
    assert len({information_state(position) for position in positions}) == count


@pytest.mark.parametrize("num_players", [2, 3])
def test_observations_and_information_states_are_one_to_one(num_players):
    pairs = {
        (information_state(position), position.observe(position.current_player).tobytes())
        for _, position in every_position("kuhn_poker", num_players)
        if not position.is_over
    }
    assert len(pairs) == len({state for state, _ in pairs}) == len({seen for _, seen in pairs})


def test_value_for_the_first_player():
    """-1/18 (Kuhn 1950)."""
    assert SequenceForm("kuhn_poker").value() == pytest.approx(-1 / 18, abs=1e-9)


# ------------------------------------------------------------------ who knows what


def test_cards_are_shown_at_a_showdown_only_and_never_by_those_who_folded():
    def shown(position, player):
        return [seat["card"] for seat in position.describe(player)["players"]]

    assert shown(played((J, Q, K), PASS, BET), 0) == ["J", None, None]
    assert shown(played((J, Q, K), PASS, PASS, PASS), 0) == ["J", "Q", "K"], "nobody bet: all show"
    assert shown(played((J, Q, K), PASS, BET, PASS, BET), 2) == ["J", "Q", "K"]
    assert shown(played((J, Q, K), PASS, BET, PASS, BET), 0) == ["J", "Q", None], "player 2 folded"
    assert shown(played((J, Q, K), BET, PASS, PASS), 1) == [None, "Q", None], "all others folded: no showdown"
    assert shown(played((J, Q, K), BET, PASS, PASS), None) == ["J", "Q", "K"]


def test_observation_tells_exactly_the_cards_that_are_described():
    for _, position in every_position("kuhn_poker", 3):
        for player in range(3):
            planes = position.observe(player)[3 : 3 + 3 * 4].reshape(3, 4)
            described = position.describe(player)["players"]
            for i in range(3):
                card = described[(player + i) % 3]["card"]
                expected = [] if card is None else ["JQKA".index(card)]
                assert np.flatnonzero(planes[i]).tolist() == expected


def test_determinizations_are_uniform_over_the_unseen_cards():
    """Seat 1 of three, in mid-game: 6 equally likely deals of the others' cards; false alarm in 1 of 10,000."""
    position = played((J, Q, K), PASS, BET)
    counts = dict.fromkeys(permutations((J, K, A), 2), 0)
    for seed in range(6000):
        card = position.determinize(1, seed).state.card
        assert card[1] == Q
        counts[int(card[0]), int(card[2])] += 1
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_determinization_keeps_shown_cards_and_draws_the_folded_one():
    position = played((J, Q, K), PASS, BET, PASS, BET)
    seen = {tuple(int(card) for card in position.determinize(0, seed).state.card) for seed in range(50)}
    assert seen == {(J, Q, K), (J, Q, A)}
    assert position.determinize(2, 1).state.card.tolist() == [J, Q, K]


def test_deals_are_uniform():
    """24 deals of three from four cards over 12,000 seeds; false alarm in 1 of 10,000."""
    position = Position(GAME, {"num_players": 3})
    counts = dict.fromkeys(permutations(range(4), 3), 0)
    for seed in range(12_000):
        position.restart(seed)
        counts[tuple(int(card) for card in position.state.card)] += 1
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_unknown_actions_are_refused():
    position = Position(GAME)
    assert position.encode_action({"type": "bet"}) == BET
    for wrong in ({"type": "call"}, {"type": "bet", "chips": 1}):
        with pytest.raises(IllegalAction, match="kuhn_poker has no action"):
            position.encode_action(wrong)
