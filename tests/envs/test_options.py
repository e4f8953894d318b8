"""The options of a game: defaults, ranges, and messages that name the nearest valid thing."""

import numpy as np
import pytest

from envs.errors import OptionError
from envs.options import REWARD, Option, validate_options

SCHEMA = (
    Option.integer("num_players", 2, 2, 5, "seats"),
    Option.choice("variant", ("basic", "advanced"), "which game"),
    Option.flag("scavenge", False, "yes or no"),
    Option.integer("max_rounds", 60, 1, 1000, "cap"),
    REWARD,
)


def test_defaults_fill_what_is_not_given():
    options = validate_options(SCHEMA, {"num_players": np.int64(3)}, "a game")
    assert options == {"num_players": 3, "variant": "basic", "scavenge": False, "max_rounds": 60, "reward": "win"}
    assert type(options["num_players"]) is int


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"varint": "basic"}, "unknown option 'varint' in a game: did you mean 'variant'?"),
        ({"variant": "advancd"}, "unknown variant 'advancd' in a game: did you mean 'advanced'?"),
        ({"num_players": 6}, "option 'num_players' of a game is 6: it must be 2 to 5"),
        ({"num_players": True}, "option 'num_players' of a game is True: it must be 2 to 5"),
        ({"num_players": 2.5}, "option 'num_players' of a game is 2.5: it must be 2 to 5"),
        ({"scavenge": 1}, "option 'scavenge' of a game is 1: it must be true or false"),
        ({"variant": 3}, "option 'variant' of a game is 3: it must be basic, advanced"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line(given, message):
    with pytest.raises(OptionError) as caught:
        validate_options(SCHEMA, given, "a game")
    assert str(caught.value) == message


def test_fields_are_wide_enough_for_their_range():
    assert [option.field for option in SCHEMA[1:4]] == [("variant", "i1"), ("scavenge", "i1"), ("max_rounds", "i4")]
