"""The classics keep the contract: conformance and secrecy on 10,000 positions each, and the same play in every mode."""

import numpy as np
import pytest

from envs.audit import audit_secrecy
from envs.catalog import get_game
from envs.conformance import check_game
from tests.plain_mode import BOUNDS_CHECKED, PLAIN, digest_of_play, digest_under

CASES = [
    ("tic_tac_toe", {}),
    ("connect_four", {}),
    ("kuhn_poker", {"num_players": 2}),
    ("kuhn_poker", {"num_players": 3}),
    ("leduc_poker", {"num_players": 2}),
    ("leduc_poker", {"num_players": 3}),
]
each_case = pytest.mark.parametrize(("name", "options"), CASES, ids=lambda value: str(value))


def obeys_the_laws(position):
    """What one wins the others lose; marks, discs and chips are conserved; nothing lies in unused seats."""
    state = position.state
    assert position.returns().sum() == pytest.approx(0.0)
    if position.game.name == "tic_tac_toe":
        marks = np.bincount(state.cell.ravel(), minlength=3)
        assert marks[1] + marks[2] == position.move_number
        assert marks[1] - marks[2] in (0, 1)
    elif position.game.name == "connect_four":
        discs = [int(bits).bit_count() for bits in state.discs]
        assert sum(discs) == state.height.sum() == position.move_number
        assert discs[0] - discs[1] in (0, 1)
        assert not state.discs[0] & state.discs[1]
    else:
        seats = position.num_players
        assert len({int(card) for card in state.card[:seats]}) == seats
        assert state.chips[:seats].min() >= 1
        assert state.folded[:seats].sum() < seats
        for unused in (state.card[seats:], state.chips[seats:], state.folded[seats:]):
            assert not unused.any()


@each_case
def test_conformance(name, options):
    walk = check_game(get_game(name), options, positions=10_000, invariant=obeys_the_laws)
    assert all(walk.action_types.values()), "every kind of action is played"


@each_case
def test_secrecy(name, options):
    report = audit_secrecy(get_game(name), options, positions=10_000)
    assert report.games > 200
    assert bool(report.hidden_places) == get_game(name).hidden_information


@each_case
def test_plain_and_compiled_play_are_the_same(name, options):
    compiled = digest_of_play(name, options, games=1000)
    assert compiled == digest_under(PLAIN, name, options, games=1000)


@each_case
def test_bounds_checked_play_is_the_same(name, options):
    assert digest_under(BOUNDS_CHECKED, name, options, games=300) == digest_of_play(name, options, games=300)
