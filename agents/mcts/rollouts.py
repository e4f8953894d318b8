"""What a leaf is worth: play from it to the end or to a cut, or the static evaluation."""

from __future__ import annotations

from typing import Any

from agents.heuristics.contract import evaluate, rule_of_thumb
from agents.inlining import inlined
from agents.mcts.settings import EVALUATE, GREEDY, POLICY, ROLLOUT, TO_THE_END
from envs.chance import random_bits
from envs.game import apply_action, legal_actions, returns

_FACTOR, _STEP, _63_BITS = 0x5851F42D4C957F2D, 0x14057B7EF767814F, (1 << 63) - 1


@inlined
def rollout(tree: Any, state: Any, token: Any, seat: int, settings: Any, seed: int, moves: int) -> bool:
    """Play on from `state` by the rollout policy and leave what it comes to in `tree.outcome`; whether it came to it.

    After `moves` more moves it breaks off, to be called again. Where the settings have a depth, play is cut after so
    many moves from the root, as soon as the searching `seat` is to act again after another one, and judged by the
    static evaluation as `seat` sees it: so positions at the same point of a round are compared, whatever the
    depth of the tree.
    """
    counts = tree.counts[0]
    greedy = settings.rollout == GREEDY
    depth = settings.depth if settings.depth != TO_THE_END else 1 << 30
    played, mover = counts.played, counts.mover
    stop = played + moves
    while not (state.terminated or state.truncated):
        if settings.rollout == EVALUATE or (played >= depth and state.current_player == seat != mover):
            evaluate(token, state, seat, tree.outcome)
            return True
        if played >= stop:
            counts.moves += played - counts.played
            counts.played, counts.mover = played, mover
            return False
        mover = state.current_player
        bits = random_bits(seed, ROLLOUT, played)
        if greedy and bits * 2.0**-63 >= settings.epsilon:
            action = rule_of_thumb(token, state, bits)
        else:
            action = random_action(state, tree.mask, random_bits(seed, POLICY, played) if greedy else bits)
        apply_action(state, action)
        played += 1
    counts.moves += played - counts.played
    returns(state, tree.outcome)
    return True


@inlined
def random_action(state: Any, mask: Any, bits: int) -> int:
    """A uniformly random legal action by 63 random bits; `mask` is scratch space.

    Where at least half of the actions are legal any action is drawn until it is a legal one, which a processor
    foresees better than a walk through the mask.
    """
    count = legal_actions(state, mask)
    if 2 * count >= len(mask):
        action = below(bits, len(mask))
        while not mask[action]:
            bits = (bits * _FACTOR + _STEP) & _63_BITS  # a linear congruential generator (Knuth's MMIX)
            action = below(bits, len(mask))
        return action
    n = below(bits, count)
    action = 0
    while n or not mask[action]:
        if mask[action]:
            n -= 1
        action += 1
    return action


@inlined
def below(bits: int, n: int) -> int:
    """63 random bits as a uniform integer from 0 to n-1 (n at most 2**31)."""
    return ((bits >> 31) * int(n)) >> 32
