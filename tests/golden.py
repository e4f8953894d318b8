"""Golden playthroughs: seeded games written out move by move, so that a changed rule shows as a readable diff.

    python -m tests.golden            rewrite every file in tests/golden/ and say which changed
    python -m tests.golden kuhn_poker rewrite those of one game

`tests/test_golden.py` compares the files with what the code does now. After an intended change of the
rules, rewrite them and read the diff before committing it. A game is added by a line in `PLAYTHROUGHS`.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from envs.catalog import get_game
from envs.position import Position
from tests.plain_mode import seeded_choice

FOLDER = Path(__file__).parent / "golden"
LISTED_VALUES = 100
"""Observations with more entries than this are summed up instead of listed."""
LISTED_ACTIONS = 12
"""No more legal actions than this are written out."""


@dataclass(frozen=True)
class Playthrough:
    """The games to write into one file: a game, its options, and the seed of each game.

    Only the first `moves` moves of each game are written, all if 0.
    """

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0,)
    moves: int = 0

    @property
    def path(self) -> Path:
        words = [self.game, *(f"{name}_{value}" for name, value in self.options.items())]
        return FOLDER / ("-".join(words) + ".txt")

    def text(self) -> str:
        """The file's content as the code plays now."""
        return "".join(f"{line}\n" for seed in self.seeds for line in self._lines(seed))

    def _lines(self, seed: int) -> Iterator[str]:
        position = Position(get_game(self.game), self.options, seed)
        yield f"######## {self.game} {json.dumps(position.options)} seed {seed}"
        while True:
            yield ""
            yield from _board(position)
            if position.is_over or (self.moves and position.move_number == self.moves):
                break
            yield from _legal(position)
            action = seeded_choice(position, seed)
            yield f"plays {action} {json.dumps(position.decode_action(action))}"
            position.apply(action)
        if position.is_over:
            yield f"returns {[float(value) for value in position.returns()]} winners {position.winners()}"
        yield ""


PLAYTHROUGHS = [
    Playthrough("tic_tac_toe", seeds=(0, 1)),
    Playthrough("connect_four", seeds=(0,)),
    Playthrough("kuhn_poker", {"num_players": 2}, seeds=(0, 1, 2, 3)),
    Playthrough("kuhn_poker", {"num_players": 3}, seeds=(0, 1, 2, 3)),
    Playthrough("leduc_poker", {"num_players": 2}, seeds=(0, 1, 2)),
    Playthrough("leduc_poker", {"num_players": 3}, seeds=(0, 1, 2)),
    Playthrough("fuerstenfeld", {"num_players": 2}, seeds=(2,), moves=60),
    Playthrough("fuerstenfeld", {"num_players": 3, "variant": "advanced"}, seeds=(3,), moves=80),
    Playthrough("travel_blog", {"num_players": 3}),
    Playthrough("travel_blog", {"num_players": 2, "map": "usa", "demanding": True, "timing": "sequence"}),
    Playthrough("pfeffersaecke", {"num_players": 2}, seeds=(0,)),
    Playthrough("pfeffersaecke", {"num_players": 4, "half_points": "up"}, seeds=(0,), moves=60),
]


def _board(position: Position) -> Iterator[str]:
    """The head of a move: where the game stands, the open board, and what each seat observes."""
    turn = "over" if position.is_over else f"phase {position.phase}, player_{position.current_player} to act"
    yield f"---- move {position.move_number}: {turn}"
    yield from (f"    {line}".rstrip() for line in position.game.text(position.describe()).splitlines())
    for seat in range(position.num_players):
        yield f"player_{seat} observes {_summary(position.observe(seat))}"


def _legal(position: Position) -> Iterator[str]:
    legal = position.legal_actions()
    words = [json.dumps(position.decode_action(action)) for action in legal[:LISTED_ACTIONS]]
    more = f" and {len(legal) - LISTED_ACTIONS} more" if len(legal) > LISTED_ACTIONS else ""
    yield f"legal {len(legal)}: {', '.join(words)}{more}"


def _summary(observation: np.ndarray[Any, Any]) -> str:
    """The entries that are not zero, or, for long observations, how many there are, their sum and a checksum."""
    filled = np.flatnonzero(observation)
    if len(observation) <= LISTED_VALUES:
        return " ".join(f"{i}={observation[i]:g}" if observation[i] != 1 else f"{i}" for i in filled)
    return (
        f"{len(filled)} of {len(observation)}, sum {observation.sum(dtype=np.float64):.6g}, "
        f"crc {zlib.crc32(observation.tobytes()):08x}"
    )


def main(names: list[str]) -> None:
    """Rewrite the files of the games named, or all."""
    FOLDER.mkdir(exist_ok=True)
    for playthrough in PLAYTHROUGHS:
        if names and playthrough.game not in names:
            continue
        path, text = playthrough.path, playthrough.text()
        changed = not path.exists() or path.read_text(encoding="utf-8") != text
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {'rewritten' if changed else 'unchanged'}")


if __name__ == "__main__":
    main(sys.argv[1:])
