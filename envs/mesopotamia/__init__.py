"""Mesopotamia (Klaus-Jürgen Wrede, Phalanx/Mayfair 2005), 2 to 4 players: carry four offerings to the temple.

The rooms of this folder: `components.toml` (the facts of the box), `components.py` (loads and checks them),
`state.py` (the record), `actions.py` (the action table), `rules/` (one file for each part of a turn), `knowledge.py`
(who knows what), `language.py` (actions and positions as JSON), `words.py` (and for people), `drawing.py` and
`pieces.py`, and README.md (rules in brief, rulings, sources).
"""

from __future__ import annotations

from pathlib import Path

from envs.game import Game, register
from envs.mesopotamia import components
from envs.mesopotamia.actions import NUM_ACTIONS
from envs.mesopotamia.drawing import draw
from envs.mesopotamia.knowledge import determinize, observation_size, observe
from envs.mesopotamia.language import decode_action, describe, encode_action
from envs.mesopotamia.rules import apply_action, legal_actions, returns, setup
from envs.mesopotamia.state import FIELDS, MAX_PLAYERS, OPTIONS, PHASES, STREAMS
from envs.mesopotamia.words import places, say, text

_FOLDER = Path(__file__).parent

GAME = register(
    Game(
        name="mesopotamia",
        title="Mesopotamia",
        summary="discover a land, build huts and cult sites, raise the temple, carry four offerings; hidden hands",
        min_players=2,
        max_players=MAX_PLAYERS,
        fields=FIELDS,
        streams=STREAMS,
        phases=PHASES,
        own_options=OPTIONS,
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        observe=observe,
        determinize=determinize,
        returns=returns,
        num_actions=lambda options: NUM_ACTIONS,
        observation_size=observation_size,
        encode_action=encode_action,
        decode_action=decode_action,
        describe=describe,
        draw=draw,
        text=text,
        say=say,
        places=places,
        sources=(
            components.FILE,
            *(_FOLDER / f"{name}.py" for name in ("components", "state", "actions", "knowledge")),
            *sorted((_FOLDER / "rules").glob("*.py")),
        ),
    )
)
