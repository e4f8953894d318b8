"""Travel Blog (Bez hranic): Vlaada Chvátil, Czech Games Edition 2010, 2 to 6 players; README.md has the rules in brief.

Seven states lie round a board and a start state is turned up; everybody grabs, at the same moment, a state that is few
borders away but not one. Cheap trips keep the money together; in the last of seven rounds the dearest trip pays.
"""

from __future__ import annotations

from pathlib import Path

from envs.game import Game, min_return_by_place, register
from envs.options import REWARD, Option, Options
from envs.travel_blog.components import HIGHEST_CASH, SCORE_SCALE
from envs.travel_blog.drawing import draw
from envs.travel_blog.knowledge import determinize, num_actions, observation_size, observe
from envs.travel_blog.language import decode_action, describe, encode_action, text
from envs.travel_blog.rules import apply_action, legal_actions, returns, setup
from envs.travel_blog.state import KNOWLEDGE, MAPS, MAX_PLAYERS, PHASES, RECORD_FIELDS, STREAMS, TIMINGS
from envs.travel_blog.words import places, say

FOLDER = Path(__file__).parent
RULES = (
    "components.toml",
    "europe.toml",
    "usa.toml",
    "components.py",
    "state.py",
    "prices.py",
    "rules.py",
    "knowledge.py",
    "language.py",
)
"""The files that the rules depend on; the drawing and its coordinates are none of them."""

MOST_SEATS_DEMANDING = 3


def check_options(options: Options) -> str | None:
    """Why these options do not go together, or None."""
    if options["demanding"] and options["num_players"] > MOST_SEATS_DEMANDING:
        return f"option 'demanding' is for 2 or 3 players, there are {options['num_players']}"
    return None


def min_return(options: Options) -> float:
    """No return is lower: for `score` nobody is further behind the others than the fullest purse there can be."""
    if options["reward"] == "score":
        return -HIGHEST_CASH / float(SCORE_SCALE[int(options["demanding"])])
    return min_return_by_place(options)


GAME = register(
    Game(
        name="travel_blog",
        title="Travel Blog",
        summary="grab the cheapest trips from memory, all at once; hidden commits, two maps, 2 to 6 players",
        min_players=2,
        max_players=MAX_PLAYERS,
        fields=RECORD_FIELDS,
        streams=STREAMS,
        phases=PHASES,
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        observe=observe,
        determinize=determinize,
        returns=returns,
        num_actions=num_actions,
        observation_size=observation_size,
        encode_action=encode_action,
        decode_action=decode_action,
        describe=describe,
        draw=draw,
        text=text,
        say=say,
        places=places,
        sources=tuple(FOLDER / name for name in RULES),
        own_options=(
            Option.choice("map", MAPS, "the map that is travelled"),
            Option.choice("timing", TIMINGS, "ticks: unseen commits, laid together; sequence: one after the other"),
            Option.flag("demanding", False, "each seat plays two colours (2 or 3 players)"),
            Option.choice("knowledge", KNOWLEDGE, "what the observation tells of the map: nothing, borders, or prices"),
            REWARD,
        ),
        check_options=check_options,
        min_return=min_return,
    )
)
