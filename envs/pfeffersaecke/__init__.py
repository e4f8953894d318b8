"""Pfeffersäcke (Christwart Conrad, Goldsieber 1998), 2 to 6 players: merchant houses open branches along trade routes.

The rooms of this folder: `components.toml` (the facts of the box), `components.py` (loads and checks them), `board.py`
(the facts as arrays), `state.py` (the record), `actions.py` (the action table), `rules.py`, `knowledge.py` (who knows
what), `language.py` (actions and positions as JSON), `words.py` (and for people), `drawing.py`, and README.md (rules in
brief, rulings, sources).
"""

from __future__ import annotations

from pathlib import Path

from envs.game import Game, register
from envs.pfeffersaecke import components
from envs.pfeffersaecke.actions import NUM_ACTIONS
from envs.pfeffersaecke.board import MAX_PLAYERS, MIN_PLAYERS
from envs.pfeffersaecke.drawing import draw
from envs.pfeffersaecke.knowledge import determinize, observation_size, observe
from envs.pfeffersaecke.language import decode_action, describe, encode_action
from envs.pfeffersaecke.rules import apply_action, legal_actions, min_return, returns, setup
from envs.pfeffersaecke.state import FIELDS, OPTIONS, PHASES, STREAMS
from envs.pfeffersaecke.words import places, say, text

_FOLDER = Path(__file__).parent

GAME = register(
    Game(
        name="pfeffersaecke",
        title="Pfeffersäcke",
        summary="open branches along trade routes, fill cities, income or influence; hidden tokens, compound turns",
        min_players=MIN_PLAYERS,
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
        min_return=min_return,
        deducible=lambda options: options["num_players"] == 2,
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
            *(_FOLDER / f"{name}.py" for name in ("components", "board", "state", "actions", "rules", "knowledge")),
        ),
    )
)
