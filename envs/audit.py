"""The secrecy audit: does a game keep from each seat what that seat cannot know?

It takes any game, so people who add one call it too (`kontor check`). At positions that play reaches,
for every seat p and seeds r:

1. `observe(s, p)`, `describe(s, p)` and, for p to act, the mask are the same at `determinize(s, p, r)`;
   so are the public facts of the header, and the returns of a finished game.
2. `determinize(determinize(s, p, r1), p, r2)` equals `determinize(s, p, r2)` byte for byte, and so do the
   determinizations of any two positions met that look the same to p. (This is what makes a
   `View` safe.)
3. What p cannot see is sampled, not copied: at each place of the open description that p's own
   description hides, the truth agrees with a sample as often as two samples agree with each other, and a
   place whose content changes from game to game is not the truth in every sample. A game whose information
   is not perfect shows at least one such place. Where every seat can work out what it is not shown
   (`Game.deducible`), samples are the truth instead.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from envs.errors import GameDefinitionError
from envs.game import Game
from envs.position import Position
from envs.walk import Policy, Walk, play_randomly

LIMIT, EXCESS = 6.0, 0.1
"""Check 3 calls a place leaked beyond this many standard errors (a false alarm in about 5e8 places) and this
excess of agreement: a game may sample more simply than others play, say all unseen cards alike."""

PUBLIC = ("move_number", "num_players", "current_player", "phase", "terminated", "truncated")


@dataclass(frozen=True)
class AuditReport:
    """What an audit looked at: positions, finished games, and how often each action type was played."""

    positions: int
    games: int
    decisions: int
    action_types: dict[str, int]
    hidden_places: int


def audit_secrecy(
    game: Game,
    options: dict[str, Any] | None = None,
    positions: int = 1000,
    seed: int = 0,
    policies: Sequence[Policy] = (play_randomly,),
    stride: int = 1,
    describe_every: int = 5,
) -> AuditReport:
    """Audit `positions` positions of a game; every `describe_every`-th one in words too (slower).

    Errors: `GameDefinitionError` naming the seat, the position (seed and move) and what leaks.
    """
    chosen = game.validate(options or {})
    deducible = game.deducible(chosen)
    walk = Walk(game, chosen, positions, seed, policies, stride)
    rng = np.random.default_rng((seed, 2))
    places = _Places(game)
    seen: dict[tuple[int, bytes, str], tuple[int, bytes]] = {}
    for number, position in enumerate(walk):
        in_words = number % describe_every == 0
        for seat in range(position.num_players):
            where = f"{game.name}: player_{seat} at move {position.move_number} of seed {position.states['seed'][0]}"
            first, second, other = (int(r) for r in rng.integers(1 << 62, size=3))
            sample = position.determinize(seat, first)
            _check_alike(position, sample, seat, in_words, where)
            again = position.determinize(seat, second).tobytes()
            if sample.determinize(seat, second).tobytes() != again:
                raise GameDefinitionError(f"{where}: determinizing twice differs from determinizing once")
            if in_words:
                looks = json.dumps(position.describe(seat), sort_keys=True)
                key = (seat, position.observe(seat).tobytes(), looks)
                told, bytes_then = seen.setdefault(key, (second, again))
                if position.determinize(seat, told).tobytes() != bytes_then:
                    raise GameDefinitionError(f"{where}: two positions that look the same are determinized differently")
                if not deducible:
                    places.add(walk.games, position, sample, position.determinize(seat, other), seat)
                elif position.describe() != sample.describe():
                    raise GameDefinitionError(f"{where}: determinize changes what the seat can work out")
    if not deducible:
        places.check(where=game.name)
    return AuditReport(positions, walk.games, walk.decisions, walk.action_types, places.count)


def _check_alike(position: Position, sample: Position, seat: int, in_words: bool, where: str) -> None:
    """Check 1: what `seat` sees of a position and of its determinization."""
    for name in PUBLIC:
        if position.states[name][0] != sample.states[name][0]:
            raise GameDefinitionError(f"{where}: determinize changes {name}")
    if position.game.own_options and position.states["options"].tobytes() != sample.states["options"].tobytes():
        raise GameDefinitionError(f"{where}: determinize changes an option")
    if position.observe(seat).tobytes() != sample.observe(seat).tobytes():
        raise GameDefinitionError(f"{where}: the observation depends on what the seat cannot know")
    if position.current_player == seat and not np.array_equal(position.action_mask(), sample.action_mask()):
        raise GameDefinitionError(f"{where}: the mask depends on what the seat cannot know")
    if position.is_over and not np.array_equal(position.returns(), sample.returns()):
        raise GameDefinitionError(f"{where}: the returns depend on what the seat cannot know")
    if in_words and position.describe(seat) != sample.describe(seat):
        raise GameDefinitionError(f"{where}: the description depends on what the seat cannot know")


class _Places:
    """Check 3: agreement of truth and samples at the hidden places, by place and game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.agreement: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        self.contents: dict[str, set[Any]] = defaultdict(set)
        self.sampled: set[str] = set()

    @property
    def count(self) -> int:
        return len(self.agreement)

    def add(self, game_number: int, truth: Position, one: Position, two: Position, seat: int) -> None:
        hidden = set(_hidden(truth.describe(), truth.describe(seat), f"seat {seat}: "))
        if not hidden:
            return
        values = [dict(_leaves(position.describe(), f"seat {seat}: ")) for position in (truth, one, two)]
        for place in hidden:
            here, first, second = (value.get(place) for value in values)
            tally = self.agreement[place][game_number]
            tally[0] += (here == first) - (second == first)
            tally[1] += 1
            self.contents[place].add(here)
            if here != first or here != second:
                self.sampled.add(place)

    def check(self, where: str) -> None:
        if self.game.hidden_information and not self.agreement:
            raise GameDefinitionError(f"{where}: no description hides anything from anybody")
        for place, by_game in self.agreement.items():
            means = np.array([total / count for total, count in by_game.values()])
            if len(means) < 20:
                continue
            if place not in self.sampled and len(self.contents[place]) > 1:
                raise GameDefinitionError(
                    f"{where}: determinize copies what is hidden at {place} (always, in {len(means)} games)"
                )
            error = means.std(ddof=1) / np.sqrt(len(means)) + 1e-12
            if means.mean() > EXCESS and means.mean() / error > LIMIT:
                raise GameDefinitionError(
                    f"{where}: determinize copies what is hidden at {place} ({means.mean():.3f} above chance, "
                    f"{means.mean() / error:.0f} standard errors, {len(means)} games)"
                )


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    else:
        yield path, value


def _hidden(everything: Any, shown: Any, path: str) -> Iterator[str]:
    """The leaves of the open description at which the seat's description shows something else."""
    if isinstance(everything, dict) and isinstance(shown, dict):
        for key, inner in everything.items():
            yield from _hidden(inner, shown.get(key), f"{path}.{key}")
    elif isinstance(everything, list) and isinstance(shown, list):
        for index, inner in enumerate(everything):
            yield from _hidden(inner, shown[index] if index < len(shown) else None, f"{path}[{index}]")
    elif everything != shown:
        for place, _ in _leaves(everything, path):
            yield place
