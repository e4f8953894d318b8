"""Fürstenfeld (Friedemann Friese, 2F-Spiele 2010), 2 to 5 players: the first to finish a palace of six cards wins.

The rooms of this folder: `components.toml` (the facts of the box), `components.py` (loads and checks them),
`state.py` (the record), `actions.py` (the action table), `rules/` (one file a phase), `knowledge.py` (who knows what),
`language.py` (actions and positions as JSON), `words.py` (and for people), `drawing.py`, and README.md (rules in
brief, rulings, sources).
"""

from __future__ import annotations

from pathlib import Path

from envs.fuerstenfeld import components
from envs.fuerstenfeld.actions import NUM_ACTIONS
from envs.fuerstenfeld.drawing import draw
from envs.fuerstenfeld.knowledge import determinize, observation_size, observe
from envs.fuerstenfeld.language import decode_action, describe, encode_action
from envs.fuerstenfeld.rules import apply_action, legal_actions, min_return, returns, setup
from envs.fuerstenfeld.state import FIELDS, MAX_PLAYERS, PHASES, STREAMS, VARIANTS
from envs.fuerstenfeld.words import places, say, text
from envs.game import Game, register
from envs.options import REWARD, Option

_FOLDER = Path(__file__).parent

GAME = register(
    Game(
        name="fuerstenfeld",
        title="Fürstenfeld",
        summary="grow and sell to breweries, build over your fields; hidden hands, ordered decks, compound turns",
        min_players=2,
        max_players=MAX_PLAYERS,
        fields=FIELDS,
        streams=STREAMS,
        phases=PHASES,
        own_options=(
            Option.choice("variant", VARIANTS, "the basic game, or the advanced one with a draft and placed palaces"),
            Option.flag("scavenge_palaces", False, "whether the scavenger may remove palaces"),
            Option.integer("max_rounds", 60, 1, 1000, "rounds after which an unfinished game is truncated"),
            REWARD,
        ),
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        observe=observe,
        determinize=determinize,
        returns=returns,
        min_return=min_return,
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
