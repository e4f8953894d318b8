"""Small positions with one clearly best move: search finds it, the rule of thumb and a glance often do not.

A position counts as found by an agent if more than half of its seeds choose a best action. The suites are for
the search as it comes, with the defaults of each game, and are measured anew whenever those change.
"""

import pytest

from agents.heuristics.contract import heuristics_versions
from agents.registry import agent_config
from envs.catalog import get_game
from tests.positions.suite import GAMES, load

FEWEST = 10
"""Positions a game."""

EASY = {"kuhn_poker", "leduc_poker"}
"""Games of two or three actions: whatever is clearly best there is found at a glance."""

ITERATIONS, GLANCE = 5000, 50

SOLVED = 0.95
"""The share of searches, over all positions of a game and all seeds, that find a best move."""

SEEDS, MANY_SEEDS = 3, 20

SUITES = {game: load(game) for game in GAMES}


def found_by(game, config, seeds):
    """The names of the positions that most of `seeds` agents solve."""
    return [problem.name for problem in SUITES[game] if 2 * problem.solved(config, seeds) > seeds]


def unsolved(game, config, seeds):
    """The positions, with counts, on which an agent errs on some seed, and the share solved over all."""
    counts = {problem.name: problem.solved(config, seeds) for problem in SUITES[game]}
    errors = {name: f"{count} of {seeds}" for name, count in counts.items() if count < seeds}
    return errors, sum(counts.values()) / (seeds * len(counts))


@pytest.mark.parametrize("game", GAMES)
def test_positions_are_distinct_and_say_what_is_best_and_why(game):
    suite = SUITES[game]
    assert len(suite) >= FEWEST
    assert len({problem.name for problem in suite}) == len(suite)
    seen = set()
    for problem in suite:
        position = problem.position()
        assert {action: position.decode_action(action) for action in problem.best} == problem.best, problem.name
        legal = set(position.legal_actions())
        assert set(problem.best) < legal, f"{problem.name}: a best action is illegal, or every action is best"
        assert len(problem.why.split()) >= 5, f"{problem.name} says too little of why"
        seen.add(position.tobytes())
    assert len(seen) == len(suite)


@pytest.mark.parametrize("game", GAMES)
def test_search_finds_the_best_move(game):
    errors, share = unsolved(game, agent_config("mcts", iterations=ITERATIONS), SEEDS)
    assert share >= SOLVED, f"{game}: {share:.1%} solved, not always: {errors}"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_search_finds_the_best_move_on_many_seeds(game):
    errors, share = unsolved(game, agent_config("mcts", iterations=ITERATIONS), MANY_SEEDS)
    assert share >= SOLVED, f"{game}: {share:.1%} solved, not always: {errors}"


@pytest.mark.parametrize("game", [game for game in GAMES if game not in EASY])
def test_half_of_the_positions_are_too_deep_for_a_glance(game):
    found = found_by(game, agent_config("mcts", iterations=GLANCE), MANY_SEEDS)
    assert 2 * len(found) <= len(SUITES[game]), f"{GLANCE} iterations find {found}"


@pytest.mark.parametrize("game", [game for game in GAMES if heuristics_versions(get_game(game).name)])
def test_half_of_the_positions_are_beyond_the_rule_of_thumb(game):
    found = found_by(game, agent_config("greedy"), MANY_SEEDS)
    assert 2 * len(found) <= len(SUITES[game]), f"greedy finds {found}"
