"""Games in self-play, compiled: each lane plays one game after another, with a search at every decision.

L lanes, C decisions kept of a game, S seats, A actions, O numbers observed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agents.alphazero.findings import choose, improved_policy
from agents.alphazero.iterations import begin, gather, outcome_of
from agents.alphazero.selection import uniform
from agents.alphazero.tree import borrowed_forest, tree_of
from agents.inlining import inlined
from agents.reuse import keep
from envs.chance import next_seed, random_bits
from envs.compiling import borrowed, compiled
from envs.game import apply_action, legal_actions, observe, setup
from envs.position import Array

_SEARCH, _FULL, _OPENING = (1 << 23) + 6, (1 << 23) + 7, (1 << 23) + 8
"""Streams of `random_bits`, apart from those of games, lanes, heuristics and other searches."""

NO_LIMIT = 1 << 30

PLAN = np.dtype(
    (
        np.record,
        [
            ("full_share", "f8"),  # of the searches, those that are full
            ("noise", "f8"),  # PUCT: share of Dirichlet noise at the root of a full search
            ("temperature", "f8"),  # of the first moves,
            ("final_temperature", "f8"),  # and of all others
            ("root_value_share", "f8"),  # of the value learned, the part that is the root's
            ("iterations", "i4"),  # of a full search
            ("fast_iterations", "i4"),
            ("temperature_moves", "i4"),
            ("opening", "i4"),  # how many first moves of a game are random at most
            ("reuse", "i4"),  # whether a tree goes on from the move played
        ],
    )
)

COURSE = np.dtype(
    (
        np.record,
        [
            ("searching", "i4"),  # whether a search is under way,
            ("full", "i4"),  # and is a full one
            ("told", "i4"),  # decisions kept of the game under way, or of the one that has ended
            ("ended", "i4"),  # a game has ended whose decisions are not collected yet
            ("truncated", "i4"),  # games so far that a cap has ended,
            ("games", "i4"),  # all those that have ended,
            ("decisions", "i8"),  # and the moves played with a search
        ],
    )
)


class Story(NamedTuple):
    """What is kept of the game under way in each lane, until it is known how it ends.

    `positions`: records[L, C]; `policies`: float32[L, C, A]; `root_values`: float32[L, C, S], seat 0 first, like
    `payoffs`: float64[L, S], what the ended game paid; both in units of the value scale.
    """

    positions: Array
    policies: Array
    root_values: Array
    payoffs: Array


@compiled
def play_on(
    forest: Any,
    games: Any,
    courses: Any,
    story: Any,
    template: Any,
    places: Any,
    spare: Any,
    token: Any,
    settings: Any,
    plan: Any,
    leaves: int,
) -> tuple[int, int, int, int]:
    """Play on in every lane until it has leaves for the network.

    Returns how many rows there are, how many games have ended whose decisions are to be collected before it is called
    again, how many decisions those are, and how many are kept of one game at most. Searches that end without asking
    the network may be many in a row: a lane waits, without leaves, where a second game ends or no decision has room.

    `games` (records[L]) are the positions, `courses` is `COURSE`[L], `plan` is `PLAN`[1], `template` (records[1]) is
    what games begin from; the rest is as in `agents.alphazero.iterations.gather_all`.
    """
    forest, games, places, spare = borrowed_forest(forest), borrowed(games), borrowed(places), borrowed(spare)
    story = Story(
        borrowed(story.positions), borrowed(story.policies), borrowed(story.root_values), borrowed(story.payoffs)
    )
    rows = 0
    for number in range(len(games)):
        course, state = courses[number], games[number]
        tree = tree_of(forest, number)
        before = rows
        while rows == before:
            keeps = False
            if course.searching and tree.lane[0].done == tree.lane[0].budget:
                if course.ended or course.told == story.positions.shape[1]:
                    break
                keeps = finish_search(tree, course, state, story, number, settings, plan[0])
            if not course.searching:
                if state.move_number == 0 and plan[0].opening:
                    play_opening(games, number, template, tree.mask, plan[0].opening)
                keeps = play_forced(tree, state, keeps)
                if state.terminated or state.truncated:
                    if course.ended:
                        break
                    finish_game(course, state, story.payoffs[number], settings[0].value_scale)
                    begin_game(games, number, template)
                    continue
                begin_search(tree, course, state, settings[0], plan[0], keeps)
            rows = gather(forest, number, games, places, spare, token, settings, rows, leaves, NO_LIMIT)
    ended = told = most = 0
    for number in range(len(courses)):
        most = max(most, courses[number].told)
        if courses[number].ended:
            ended += 1
            told += courses[number].told
    return rows, ended, told, most


@compiled
def begin_game(games: Any, number: int, template: Any) -> None:
    """Put the game after the one that was there in a lane's place."""
    state = games[number]
    seed = next_seed(state.seed)
    games[number] = template[0]
    state.seed = seed
    setup(state)


@compiled
def play_opening(games: Any, number: int, template: Any, mask: Any, most: int) -> None:
    """Play up to so many random moves, each number with equal chances; a game that ends by them is replaced."""
    state = games[number]
    seed = state.seed
    length = ((random_bits(seed, _OPENING, 0) >> 31) * int(most + 1)) >> 32
    for move in range(length):
        left = ((random_bits(seed, _OPENING, move + 1) >> 31) * int(legal_actions(state, mask))) >> 32
        action = 0
        while left or not mask[action]:
            left -= mask[action]
            action += 1
        apply_action(state, action)
        if state.terminated or state.truncated:
            begin_game(games, number, template)
            return


@inlined
def temperature_at(plan: Any, move: int) -> float:
    """The temperature of a move."""
    return plan.temperature if move < plan.temperature_moves else plan.final_temperature


@inlined
def begin_search(tree: Any, course: Any, state: Any, settings: Any, plan: Any, keeps: bool) -> None:
    """Begin a search of the position, full or fast, as chance has it; a fast one explores no more than its choice."""
    seed = random_bits(state.seed, _SEARCH, state.move_number)
    course.searching = 1
    course.full = 1 if uniform(seed, _FULL, 0) < plan.full_share else 0
    if course.full:
        begin(tree, state.current_player, seed, plan.iterations, 1.0, plan.noise, keeps)
    else:
        gumbel = temperature_at(plan, state.move_number)
        begin(tree, state.current_player, seed, plan.fast_iterations, gumbel, 0.0, keeps)


@compiled
def finish_search(tree: Any, course: Any, state: Any, story: Any, number: int, settings: Any, plan: Any) -> bool:
    """Keep what a full search found, and play its move; whether the tree stays of use."""
    chosen = settings[0]
    if course.full:
        place = course.told
        story.positions[number, place] = state
        improved_policy(tree, chosen, story.policies[number, place])
        for seat in range(tree.values.shape[1]):
            story.root_values[number, place, seat] = tree.values[0, seat] / tree.nodes[0].visits
        course.told += 1
    child = choose(tree, chosen, temperature_at(plan, state.move_number))
    apply_action(state, int(tree.nodes[child].action))
    course.searching = 0
    course.decisions += 1
    return plan.reuse and chosen.closed and go_to(tree, child)


@compiled
def go_to(tree: Any, child: int) -> bool:
    """Make a node the root if it has children, and say whether it has."""
    if tree.nodes[child].children == 0:
        return False
    tree.lane[0].used = keep(tree.nodes, tree.lane[0].used, child, tree.values, tree.values[:0])
    return True


@inlined
def play_forced(tree: Any, state: Any, keeps: bool) -> bool:
    """Play moves without a choice, until there is one; whether the tree, if it was of use, stays so."""
    while legal_actions(state, tree.mask) == 1:
        action = 0
        while not tree.mask[action]:
            action += 1
        apply_action(state, action)
        keeps = keeps and go_to(tree, tree.nodes[0].first_child)
    return keeps


@inlined
def finish_game(course: Any, state: Any, payoffs: Any, value_scale: float) -> None:
    """Note how a game ended."""
    outcome_of(state, payoffs, value_scale)
    course.ended = 1
    course.games += 1
    if state.truncated:
        course.truncated += 1


@compiled
def collect(courses: Any, story: Any, plan: Any, observations: Any, masks: Any, policies: Any, values: Any) -> None:
    """Write the decisions of all games that have ended since it was last asked, lane by lane, n in all.

    The shapes are those of `agents.alphazero.selfplay.Samples`.
    """
    seats = values.shape[1]
    share = plan[0].root_value_share
    row = 0
    for number in range(len(courses)):
        course = courses[number]
        if not course.ended:
            continue
        for place in range(course.told):
            state = story.positions[number, place]
            own = state.current_player
            observe(state, own, observations[row])
            legal_actions(state, masks[row])
            policies[row] = story.policies[number, place]
            for other in range(seats):
                seat = (own + other) % seats
                paid, expected = story.payoffs[number, seat], story.root_values[number, place, seat]
                values[row, other] = (1.0 - share) * paid + share * expected
            row += 1
        course.ended = course.told = 0
