"""What one seat may know: a view holds nothing that its seat cannot know, wherever one looks."""

import numpy as np
import pytest

from envs.catalog import get_game
from envs.position import Position
from envs.view import View


def leduc() -> Position:
    position = Position(get_game("leduc_poker"), seed=5)
    position.apply(position.legal_actions()[0])
    return position


def test_a_view_shows_what_its_seat_sees_of_the_position():
    position = leduc()
    for seat in range(position.num_players):
        view = View(position, seat)
        assert np.array_equal(view.observation, position.observe(seat))
        assert view.describe() == position.describe(seat)
        assert view.current_player == position.current_player
        expected = position.legal_actions() if seat == position.current_player else []
        assert view.legal_actions() == expected
        assert np.flatnonzero(view.action_mask).tolist() == expected


def test_views_of_positions_a_seat_cannot_tell_apart_are_equal_to_the_byte():
    position = leduc()
    seat = position.current_player
    for seed in range(20):
        other = position.determinize(1 - seat, seed)
        same = position.determinize(seat, seed)
        assert View(same, seat)._sample.tobytes() == View(position, seat)._sample.tobytes()
        assert other.describe(seat)["num_players"] == 2


def test_a_view_does_not_follow_the_game():
    position = leduc()
    view = View(position, position.current_player)
    before = view.describe()
    position.apply(position.legal_actions()[0])
    assert view.describe() == before


def test_samples_are_fresh_at_every_call_and_repeat_with_the_generator():
    view = View(leduc(), 0)
    rng = np.random.default_rng(0)
    samples = [view.sample(rng).tobytes() for _ in range(10)]
    assert len(set(samples)) == 10
    assert samples[0] == view.sample(np.random.default_rng(0)).tobytes()


@pytest.mark.parametrize("attribute", ["position", "state", "_position", "seed"])
def test_a_view_has_no_way_to_the_position(attribute):
    assert not hasattr(View(leduc(), 0), attribute)
