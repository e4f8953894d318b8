"""Games for the tests of search, small enough to be worked out by hand; two rule sets, so that little is compiled.

Where all is open:
- `alliance`: seat 0 takes a sure thing, or leaves the choice to seat 1, whose better option is good for seat 0 too.
- `arms`: one decision among three that pay what `PAID` says: a bandit.

Where something is hidden or drawn:
- `noise`: one decision, between a sure 0 and a fair coin for plus or minus 1.
- `fusion`: a coin lies hidden; seat 0 takes a sure fifth, or goes on to guess it for plus or minus 1.
- `secret`: seat 0 takes a sure half, or has seat 1 hide a coin, which it then guesses for plus or minus 1.
- `veiled`: seat 0 takes a sure 0, or has seat 1 choose, which alone sees a coin: it pays seat 0 a fifth, or where the
  coin allows it wins.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

import numpy as np

from envs.chance import draw
from envs.compiling import compiled
from envs.game import Game, register
from envs.options import Option
from envs.position import Position
from tests.agents.games import tiny_game

TAKE, GO_ON = 0, 1
ALLIANCE, ARMS = 0, 1
NOISE, FUSION, SECRET, VEILED = 0, 1, 2, 3

SURE, GOOD_FOR_BOTH, BAD_FOR_BOTH = 1, 2, 3
ALLIANCE_PAYS = np.array([[0.0, 0.0, 0.0], [0.4, 0.3, 0.3], [0.9, 0.8, 0.1], [-0.9, 0.1, 0.8]])
PAID = np.array([1.0, 0.0, -1.0])


def made(name, **parts) -> Game:
    game = tiny_game(name, min_players=2, **parts)
    return register(dataclasses.replace(game, sources=(*game.sources, Path(__file__))))


# ------------------------------------------------------------------ all is open


@compiled
def begin_in_the_open(state):
    state.current_player = 0


@compiled
def open_actions(state, mask):
    mask[0] = mask[1] = True
    if state.options.kind == ALLIANCE:
        return 2
    mask[2] = True
    return 3


@compiled
def act_in_the_open(state, action):
    if state.options.kind == ARMS:
        state.end = action
        state.terminated = 1
        return
    if state.current_player == 1:
        state.end = GOOD_FOR_BOTH if action == 0 else BAD_FOR_BOTH
    elif action == TAKE:
        state.end = SURE
    if state.end:
        state.terminated = 1
    state.current_player = 1


@compiled
def open_returns(state, out):
    if state.options.kind == ARMS:
        out[0] = PAID[state.end]
        out[1] = -PAID[state.end]
        return
    for seat in range(3):
        out[seat] = ALLIANCE_PAYS[state.end, seat]


@cache
def in_the_open() -> Game:
    return made(
        "in_the_open",
        actions=3,
        max_players=3,
        fields=(("end", "i1"),),
        streams=(),
        own_options=(Option.choice("kind", ("alliance", "arms"), "which game it is"),),
        setup=begin_in_the_open,
        legal_actions=open_actions,
        apply_action=act_in_the_open,
        returns=open_returns,
        hidden_information=False,
    )


def alliance() -> Position:
    return Position(in_the_open(), {"kind": "alliance", "num_players": 3})


def arms() -> Position:
    return Position(in_the_open(), {"kind": "arms"})


# ------------------------------------------------------------------ something is hidden or drawn


@compiled
def begin_in_the_dark(state):
    if state.options.kind == FUSION or state.options.kind == VEILED:
        state.coin = draw(state, 0, 2)


@compiled
def dark_actions(state, mask):
    mask[0] = True
    if state.options.kind == VEILED and state.current_player == 1 and state.coin == 0:
        return 1
    mask[1] = True
    return 2


@compiled
def act_in_the_dark(state, action):
    first, kind = state.move_number == 1, state.options.kind
    if first and (action == TAKE or kind == NOISE):
        if action == TAKE:
            state.tenths = 2 if kind == FUSION else 5 if kind == SECRET else 0
        else:
            state.tenths = 20 * draw(state, 0, 2) - 10
        state.terminated = 1
    elif (kind == SECRET or kind == VEILED) and first:
        state.current_player = 1
    elif kind == VEILED:
        state.tenths = 2 if action == TAKE else -10
        state.terminated = 1
    elif kind == SECRET and state.current_player == 1:
        state.coin = action
        state.current_player = 0
    elif not first:
        state.tenths = 10 if action == state.coin else -10
        state.terminated = 1


@compiled
def hide_the_coin_again(state, player):
    kind = state.options.kind
    if kind == FUSION or (player == 0 and (kind == VEILED or (kind == SECRET and state.move_number == 2))):
        state.coin = draw(state, 0, 2)


@compiled
def observe_the_dark(state, player, out):
    out[0] = state.move_number / 4.0
    kind = state.options.kind
    if player == 1 and (kind == VEILED or (kind == SECRET and state.move_number >= 2)):
        out[1] = 0.5 + 0.5 * state.coin


@compiled
def dark_returns(state, out):
    out[0] = state.tenths / 10.0
    out[1] = -out[0]


@cache
def in_the_dark() -> Game:
    return made(
        "in_the_dark",
        actions=2,
        max_players=2,
        fields=(("coin", "i1"), ("tenths", "i1")),
        streams=("coin",),
        own_options=(Option.choice("kind", ("noise", "fusion", "secret", "veiled"), "which game it is"),),
        setup=begin_in_the_dark,
        legal_actions=dark_actions,
        apply_action=act_in_the_dark,
        observe=observe_the_dark,
        determinize=hide_the_coin_again,
        returns=dark_returns,
    )


def noise() -> Position:
    return Position(in_the_dark(), {"kind": "noise"})


def fusion(deal: int) -> Position:
    return Position(in_the_dark(), {"kind": "fusion"}, deal)


def secret() -> Position:
    return Position(in_the_dark(), {"kind": "secret"})


def veiled() -> Position:
    return Position(in_the_dark(), {"kind": "veiled"})
