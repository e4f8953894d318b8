"""A tiny game for the environments' tests, with all that strains them and nothing else.

Three seats, one of them deciding up to three times in a row; any seat may end the game at once, before
another has moved; a cap truncates it, and pays all the same. With `dealt_over` it is over when it is dealt.
"""

from functools import cache
from pathlib import Path

from envs.compiling import compiled
from envs.errors import IllegalAction
from envs.game import Game, register
from envs.options import Option
from envs.svg import Svg

GO_ON, AGAIN, END = 0, 1, 2
ACTIONS = ("go_on", "again", "end")
MAX_IN_A_ROW = 3
CAP = 12


@compiled
def setup(state):
    state.in_a_row = 1
    if state.options.dealt_over:
        state.terminated = 1
        state.winner = 1


@compiled
def legal_actions(state, mask):
    mask[GO_ON] = True
    mask[END] = True
    if state.in_a_row < MAX_IN_A_ROW:
        mask[AGAIN] = True
        return 3
    return 2


@compiled
def apply_action(state, action):
    if action == END:
        state.winner = state.current_player + 1
        state.terminated = 1
    elif state.move_number == CAP:
        state.truncated = 1
    elif action == AGAIN:
        state.in_a_row += 1
    else:
        state.current_player = (state.current_player + 1) % state.num_players
        state.in_a_row = 1


@compiled
def observe(state, player, out):
    out[(state.current_player - player) % state.num_players] = 1.0
    out[3] = state.in_a_row


@compiled
def determinize(state, player):
    """Nothing is hidden."""


@compiled
def returns(state, out):
    """The seat that ends the game wins 2 of the others; at the cap seat 0 pays 3, which is the lowest."""
    if state.winner:
        out[:] = -1.0
        out[state.winner - 1] = 2.0
    else:
        out[:] = 1.5
        out[0] = -3.0


def encode_action(action, options):
    if action.get("type") not in ACTIONS:
        raise IllegalAction(f"turns has no action {action}")
    return ACTIONS.index(action["type"])


@cache
def turns() -> Game:
    """The game, registered when it is first asked for: it is none of the catalog's."""
    return register(
        Game(
            name="turns",
            title="Turns",
            summary="go on, once more, or end it",
            min_players=3,
            max_players=3,
            fields=(("in_a_row", "i1"), ("winner", "i1")),
            own_options=(Option.flag("dealt_over", False, "the game is over when it is dealt"),),
            streams=(),
            phases=("turn",),
            setup=setup,
            legal_actions=legal_actions,
            apply_action=apply_action,
            observe=observe,
            determinize=determinize,
            returns=returns,
            num_actions=lambda options: len(ACTIONS),
            observation_size=lambda options: 4,
            encode_action=encode_action,
            decode_action=lambda index, options: {"type": ACTIONS[index]},
            describe=lambda state, player: {"in_a_row": state.in_a_row, "players": [{} for _ in range(3)]},
            draw=lambda description: Svg(60, 60).to_string(),
            text=lambda description: f"turns, {description['in_a_row']} in a row",
            sources=(Path(__file__),),
            min_return=lambda options: -3.0,
            hidden_information=False,
        )
    )
