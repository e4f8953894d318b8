"""One digest of everything that play of a game yields, to compare modes: compiled, plain, bounds checked.

`digest_of_play` hashes every position, mask, observation and determinization and the returns of seeded
random games, so two digests are equal only if all of these are equal, byte for byte. `digest_under` takes
it in a new process with other environment variables, and raises what went wrong there. By hand:

    NUMBA_DISABLE_JIT=1 python -m tests.plain_mode kuhn_poker --options '{"num_players": 3}' --games 100
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from envs.catalog import get_game
from envs.chance import lane_seed, random_bits
from envs.position import Position

ROOT = Path(__file__).parent.parent
MOVES_STREAM, SAMPLES_STREAM = 1 << 22, 1 << 23


class PlayFailed(AssertionError):
    """Play in another process ended with an exception; the message holds its last line."""


def digest_of_play(game_name: str, options: dict[str, Any] | None = None, games: int = 100, seed: int = 0) -> str:
    """SHA-256 over all that `games` seeded random games show, in hexadecimal digits."""
    digest = hashlib.sha256()
    game = get_game(game_name)
    for number in range(games):
        start = int(lane_seed(seed, number))
        position = Position(game, options, start)
        while True:
            mask = position.action_mask()
            digest.update(position.tobytes() + mask.tobytes())
            for seat in range(position.num_players):
                digest.update(position.observe(seat).tobytes())
            observer = position.move_number % position.num_players
            sample_seed = int(random_bits(start, SAMPLES_STREAM, position.move_number))
            digest.update(position.determinize(observer, sample_seed).tobytes())
            if position.is_over:
                break
            position.apply(seeded_choice(position, start))
        digest.update(position.returns().tobytes())
    return digest.hexdigest()


def seeded_choice(position: Position, seed: int) -> int:
    """A random legal action, the same on every platform and in every mode."""
    legal = position.legal_actions()
    return legal[int(random_bits(seed, MOVES_STREAM, position.move_number)) % len(legal)]


def digest_under(
    environment: dict[str, str],
    game_name: str,
    options: dict[str, Any] | None = None,
    games: int = 100,
    seed: int = 0,
    module: str | None = None,
) -> str:
    """`digest_of_play` in a new process with `environment` on top of this one's.

    `module` is imported there first (it may register the game). Errors: `PlayFailed`.
    """
    command = [sys.executable, "-m", "tests.plain_mode", game_name, "--options", json.dumps(options or {})]
    command += ["--games", str(games), "--seed", str(seed)]
    command += ["--module", module] if module else []
    result = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if result.returncode:
        raise PlayFailed(result.stderr.strip().rpartition("\n")[2] or f"exit code {result.returncode}")
    return result.stdout.strip()


PLAIN = {"NUMBA_DISABLE_JIT": "1"}
BOUNDS_CHECKED = {"NUMBA_BOUNDSCHECK": "1"}


def main() -> None:
    parser = argparse.ArgumentParser(description="print the digest of seeded random games")
    parser.add_argument("game")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--module", help="a module to import first: it may register the game")
    given = parser.parse_args()
    if given.module:
        import_module(given.module)
    print(digest_of_play(given.game, given.options, given.games, given.seed))


if __name__ == "__main__":
    main()
