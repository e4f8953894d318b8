"""Tiny games for the tests of agents, none of the catalog's, each with one thing that strains a search.

- `paths`: three seats, one of which decides three times in a row; only one path wins for it, and at its first
  decision it may also agree on a draw.
- `last_stone`: three seats take stones in turn, whoever takes the last one wins.
- `coins`: two seats guess coins in turn, some lying face down already, some tossed after the guess. Pure chance:
  nobody can do better than one half who plays by the rules.
- `stretched_…`: the same with all returns times 3 minus 7. `leaky_coins`: a mutant whose determinization keeps the
  coin that lies there.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from agents.heuristics.contract import Heuristics, register_heuristics
from envs.chance import draw
from envs.compiling import compiled
from envs.errors import IllegalAction
from envs.game import Game, register
from envs.options import Option
from envs.svg import Svg

FACTOR, OFFSET = 3.0, -7.0


def tiny_game(name, **parts):
    """A game with actions 0 to n-1 and the least of everything that the tests of agents do not look at."""
    actions = parts.pop("actions")

    def encode_action(action, options):
        if action.get("type") != "choose" or action.get("number") not in range(actions):
            raise IllegalAction(f"{name} has no action {action}")
        return action["number"]

    return Game(
        name=name,
        title=name,
        summary=name,
        determinize=parts.pop("determinize", nothing_is_hidden),
        observe=parts.pop("observe", observe_seat_to_act),
        observation_size=lambda options: parts["max_players"],
        num_actions=lambda options: actions,
        encode_action=encode_action,
        decode_action=lambda index, options: {"type": "choose", "number": index},
        describe=lambda state, player: {"players": [{} for _ in range(state.num_players)]},
        draw=lambda description: Svg(60, 60).to_string(),
        text=lambda description: name,
        phases=("turn",),
        sources=(Path(__file__),),
        min_return=lambda options: -10.0,
        **parts,
    )


@compiled
def nothing_is_hidden(state, player):
    """Nothing is hidden."""


@compiled
def observe_seat_to_act(state, player, out):
    out[(state.current_player - player) % state.num_players] = 1.0


# ------------------------------------------------------------------ paths

WINNING_PATH = 1 + 3 * 0 + 9 * 2
"""Action 1, then 0, then 2, as digits to base three."""

DRAW = 2


@compiled
def start_on_path(state):
    state.current_player = state.options.first


@compiled
def paths_legal(state, mask):
    mask[0] = mask[1] = mask[2] = True
    return 3


@compiled
def take_path(state, action):
    if state.move_number <= 3:
        state.path += action * 3 ** (state.move_number - 1)
    wins = state.move_number == 5
    wins |= state.move_number == 3 and state.path == WINNING_PATH
    wins |= state.move_number == 4 and action == 2
    if wins:
        state.winner = state.current_player + 1
    if wins or (state.move_number == 1 and action == DRAW):
        state.terminated = 1
    if state.move_number >= 3:
        state.current_player = (state.current_player + 1) % 3


@compiled
def winner_takes_all(state, out):
    if state.winner == 0:
        return
    for seat in range(state.num_players):
        out[seat] = 1.0 if state.winner == seat + 1 else -1.0 / (state.num_players - 1)


@compiled
def winner_takes_all_stretched(state, out):
    for seat in range(state.num_players):
        out[seat] = FACTOR * (1.0 if state.winner == seat + 1 else -1.0 / (state.num_players - 1)) + OFFSET


PATHS = {
    "actions": 3,
    "min_players": 3,
    "max_players": 3,
    "fields": (("path", "i1"), ("winner", "i1")),
    "streams": (),
    "own_options": (Option.integer("first", 0, 0, 2, "the seat that decides three times"),),
    "setup": start_on_path,
    "legal_actions": paths_legal,
    "apply_action": take_path,
    "hidden_information": False,
}


@cache
def paths() -> Game:
    return register(tiny_game("paths", returns=winner_takes_all, **PATHS))


# ------------------------------------------------------------------ last stone


@compiled
def lay_stones(state):
    state.stones = state.options.stones
    state.current_player = state.options.first


@compiled
def stones_legal(state, mask):
    count = min(3, state.stones)
    for action in range(count):
        mask[action] = True
    return count


@compiled
def take_stones(state, action):
    state.stones -= action + 1
    if state.stones == 0:
        state.winner = state.current_player + 1
        state.terminated = 1
    state.current_player = (state.current_player + 1) % state.num_players


STONES = {
    "actions": 3,
    "min_players": 3,
    "max_players": 3,
    "fields": (("stones", "i1"), ("winner", "i1")),
    "streams": (),
    "own_options": (
        Option.integer("stones", 12, 1, 100, "stones at the start"),
        Option.integer("first", 0, 0, 2, "the seat that begins"),
    ),
    "setup": lay_stones,
    "legal_actions": stones_legal,
    "apply_action": take_stones,
    "hidden_information": False,
}


@cache
def last_stone() -> Game:
    return register(tiny_game("last_stone", returns=winner_takes_all, **STONES))


@cache
def stretched_last_stone() -> Game:
    return register(tiny_game("stretched_last_stone", returns=winner_takes_all_stretched, **STONES))


# ------------------------------------------------------------------ coins

LYING, TOSSED = range(2)
GUESSES = 4


@compiled
def lay_coin(state):
    state.coin = draw(state, LYING, 2)
    state.current_player = draw(state, TOSSED, 2)


@compiled
def coins_legal(state, mask):
    mask[0] = mask[1] = True
    return 2


@compiled
def guess(state, action):
    """Each seat guesses twice: a coin that lies there, then one that is tossed after the guess."""
    coin = state.coin if state.move_number <= 2 else draw(state, TOSSED, 2)
    if action == coin:
        state.hits[state.current_player] += 1
    state.current_player = 1 - state.current_player
    state.coin = draw(state, LYING, 2)
    if state.move_number == GUESSES:
        state.terminated = 1


@compiled
def lay_another_coin(state, player):
    state.coin = draw(state, LYING, 2)


@compiled
def more_hits(state, out):
    out[0] = 1.0 if state.hits[0] > state.hits[1] else -1.0 if state.hits[0] < state.hits[1] else 0.0
    out[1] = -out[0]


@compiled
def more_hits_stretched(state, out):
    out[0] = 1.0 if state.hits[0] > state.hits[1] else -1.0 if state.hits[0] < state.hits[1] else 0.0
    out[1] = FACTOR * -out[0] + OFFSET
    out[0] = FACTOR * out[0] + OFFSET


COINS = {
    "actions": 2,
    "min_players": 2,
    "max_players": 2,
    "fields": (("coin", "i1"), ("hits", "i1", (2,))),
    "streams": ("lying", "tossed"),
    "setup": lay_coin,
    "legal_actions": coins_legal,
    "apply_action": guess,
    "determinize": lay_another_coin,
}


@cache
def coins() -> Game:
    """The game, and heuristics for it that look at the coin of whatever position they are handed."""
    game = register(tiny_game("coins", returns=more_hits, **COINS))
    register_heuristics(PEEKING)
    return game


@cache
def stretched_coins() -> Game:
    return register(tiny_game("stretched_coins", returns=more_hits_stretched, **COINS))


@cache
def leaky_coins() -> Game:
    return register(tiny_game("leaky_coins", returns=more_hits, **(COINS | {"determinize": nothing_is_hidden})))


@compiled
def call_the_coin(state, seed):
    return state.coin


@compiled
def count_the_coin(state, seat, out):
    out[0] = 0.1 * state.coin
    out[1] = -out[0]


PEEKING = Heuristics("coins", 1, count_the_coin, call_the_coin, (Path(__file__),))
