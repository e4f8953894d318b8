"""Compiled kernels over many positions: the lanes of an array of records of one game.

Every lane depends on itself alone, so threads may step parts of them at once, with the same result.
N lanes, P seats, A actions, O numbers observed.
"""

from __future__ import annotations

from typing import Any

from envs.chance import lane_seed, next_seed
from envs.compiling import borrowed, compiled
from envs.game import apply_action, legal_actions, observe, returns, setup


@compiled
def start_lanes(states: Any, template: Any, seed: int) -> None:
    """Make every lane the first game of a batch seeded with `seed`."""
    states, template = borrowed(states), borrowed(template)
    for lane in range(len(states)):
        states[lane] = template[0]
        states[lane].seed = lane_seed(seed, lane)
        setup(states[lane])


@compiled
def restart_lanes(states: Any, template: Any) -> None:
    """Make every lane the game after the one that it holds."""
    states, template = borrowed(states), borrowed(template)
    for lane in range(len(states)):
        _restart(states, lane, template)


@compiled
def ask_lanes(states: Any, observing: bool, observations: Any, masks: Any, seats: Any) -> None:
    """Write the seat to act (int64[N]), its legal actions (bool[N, A]) and, if `observing`, what it sees."""
    states, observations, masks = borrowed(states), borrowed(observations), borrowed(masks)
    for lane in range(len(states)):
        state = states[lane]
        seats[lane] = state.current_player
        legal_actions(state, masks[lane])
        if observing:
            observe(state, state.current_player, observations[lane])


@compiled
def observe_lanes(states: Any, seats: Any, observations: Any) -> None:
    """Write what seat `seats[lane]` sees of each lane into `observations` (float32[N, O])."""
    states, observations = borrowed(states), borrowed(observations)
    for lane in range(len(states)):
        observe(states[lane], seats[lane], observations[lane])


@compiled
def first_illegal(masks: Any, actions: Any) -> int:
    """The first lane whose action (int64[N]) is out of range or not in its mask (bool[N, A]); -1 if there is none."""
    for lane in range(len(actions)):
        action = actions[lane]
        if action < 0 or action >= masks.shape[1] or not masks[lane, action]:
            return lane
    return -1


@compiled
def step_lanes(
    start: int,
    stop: int,
    states: Any,
    final_states: Any,
    template: Any,
    actions: Any,
    observing: bool,
    observations: Any,
    masks: Any,
    seats: Any,
    rewards: Any,
    terminations: Any,
    truncations: Any,
) -> None:
    """Play the legal actions of lanes `start` to `stop`, then ask there as `ask_lanes` does.

    A game that ends is followed by the lane's next; its last position is copied to `final_states`. `rewards`
    (float64[N, P]) are the returns of the games that ended, else 0; `terminations` and `truncations` (bool[N])
    say how they ended.
    """
    states, final_states, template = borrowed(states), borrowed(final_states), borrowed(template)
    observations, masks, seats = borrowed(observations), borrowed(masks), borrowed(seats)
    rewards, terminations, truncations = borrowed(rewards), borrowed(terminations), borrowed(truncations)
    for lane in range(start, stop):
        state = states[lane]
        apply_action(state, actions[lane])
        terminations[lane] = state.terminated != 0
        truncations[lane] = state.truncated != 0
        if state.terminated or state.truncated:
            returns(state, rewards[lane])
            final_states[lane] = state
            _restart(states, lane, template)
        else:
            rewards[lane, :] = 0.0
        seats[lane] = state.current_player
        legal_actions(state, masks[lane])
        if observing:
            observe(state, state.current_player, observations[lane])


@compiled
def _restart(states: Any, lane: int, template: Any) -> None:
    seed = next_seed(states[lane].seed)
    states[lane] = template[0]
    states[lane].seed = seed
    setup(states[lane])
