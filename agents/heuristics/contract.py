"""The contract of a heuristics set, its registry, and the generic functions that find a set by type.

A set is two compiled functions for one game. Compiled code finds them by the type of a *token*, a record of
one byte whose type is named after the hash of the set's sources: an edited heuristic is another type and
never meets old compiled code, and several versions for one game live side by side. So `greedy` version 1
stays what it is, whatever is written later.

Both functions see only what one seat may know, the acting one or the one that evaluates: they give the same on
any two determinizations of a position for that seat. The fields `seed` and `draws` are not theirs to read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype
from numba.extending import overload

from agents.agent import AgentError
from envs.compiling import hash_files
from envs.errors import UnknownName
from envs.plain import plain

SHIPPED = {
    ("connect_four", 1): "agents.heuristics.connect_four_v1",
    ("fuerstenfeld", 1): "agents.heuristics.fuerstenfeld_v1",
    ("travel_blog", 1): "agents.heuristics.travel_blog_v1",
    ("pfeffersaecke", 1): "agents.heuristics.pfeffersaecke_v1",
    ("mesopotamia", 1): "agents.heuristics.mesopotamia_v1",
    ("mesopotamia", 2): "agents.heuristics.mesopotamia_v2",
}
"""The module that registers each shipped set, by game and version; loaded when first asked for."""


@dataclass(frozen=True, eq=False)
class Heuristics:
    """A static evaluation and a rule of thumb for one game, as compiled functions (`envs.compiling.compiled`).

    - `evaluate(state, seat, out)`: the return that each seat may expect (float64[num_players], already cleared),
      as `seat` sees it, in the unit of the game's `returns`; never called on a finished game.
    - `rule_of_thumb(state, seed) -> action`: a sensible legal action for the seat to act; equally good ones are
      chosen among by `seed` (0 to 2**63 - 1).

    `sources` is every file they depend on, the game's and the core's apart.
    """

    game: str
    version: int
    evaluate: Callable[..., Any]
    rule_of_thumb: Callable[..., Any]
    sources: tuple[Path, ...]

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The token's type: one byte, in a field named after game, version and the hash of the sources."""
        digest = hash_files(self.sources, self.game, str(self.version))
        return _token_type(f"{self.game}_{self.version}_{digest}")

    @property
    def token(self) -> np.ndarray[Any, Any]:
        """One token, shape (1,): what compiled code takes to find this set by type."""
        return np.zeros(1, self.dtype)


def _token_type(name: str) -> np.dtype[Any]:
    return np.dtype((np.record, [(f"heuristics_{name}", "i1")]))


NO_HEURISTICS = np.zeros(1, _token_type("none"))
"""The token of no set at all, shape (1,): `evaluate` leaves zeros and `rule_of_thumb` gives -1."""

_BY_KEY: dict[tuple[str, int], Heuristics] = {}
_BY_DTYPE: dict[np.dtype[Any], Heuristics] = {}
_BY_TYPE: dict[Any, Heuristics] = {}
_NONE_TYPE = from_dtype(NO_HEURISTICS.dtype)


def register_heuristics(heuristics: Heuristics) -> Heuristics:
    """Make a set known by game and version, and by its token's type, and return it. Errors: `AgentError`."""
    key = (heuristics.game, heuristics.version)
    if key in _BY_KEY:
        raise AgentError(f"heuristics version {key[1]} for {key[0]} are registered already")
    dtype = heuristics.dtype
    _BY_KEY[key] = _BY_DTYPE[dtype] = _BY_TYPE[from_dtype(dtype)] = heuristics
    return heuristics


@cache
def _installed() -> dict[str, str]:
    return {point.name: point.value for point in entry_points(group="kontor.heuristics")}


def heuristics_versions(game: str) -> list[int]:
    """The versions there are for a game, ascending; none for a game without heuristics."""
    if game in _installed():
        import_module(_installed()[game])
    return sorted({version for name, version in [*SHIPPED, *_BY_KEY] if name == game})


def get_heuristics(game: str, version: int | None = None) -> Heuristics:
    """A game's heuristics, the latest version for None, loaded if need be. Errors: `AgentError`, `UnknownName`."""
    versions = heuristics_versions(game)
    if not versions:
        raise AgentError(f"{game} has no rule of thumb and no static evaluation (agents/heuristics has none for it)")
    if version is None:
        version = versions[-1]
    if version not in versions:
        raise UnknownName("heuristics version", version, [str(known) for known in versions], game)
    if (game, version) not in _BY_KEY:
        import_module(SHIPPED[game, version])
    return _BY_KEY[game, version]


# ------------------------------------------------------------------ the generic functions
# Each maker takes a set's function and gives the generic function for that set, for both modes.


def _evaluate(function: Any) -> Any:
    def evaluate(token, state, seat, out):  # type: ignore[no-untyped-def]
        out[:] = 0.0
        function(state, seat, out)

    return evaluate


def _rule_of_thumb(function: Any) -> Any:
    def rule_of_thumb(token, state, seed):  # type: ignore[no-untyped-def]
        return function(state, seed)

    return rule_of_thumb


def _no_evaluation(token, state, seat, out):  # type: ignore[no-untyped-def]
    out[:] = 0.0


def _no_rule_of_thumb(token, state, seed):  # type: ignore[no-untyped-def]
    return -1


def evaluate(token: Any, state: Any, seat: int, out: Any) -> None:
    """Write the return that each seat may expect, as `seat` sees it, into `out` (float64[num_players]).

    The set of heuristics is that of `token`.
    """
    heuristics = _BY_DTYPE.get(token.dtype)
    if heuristics is None:
        _no_evaluation(token, state, seat, out)
    else:
        _evaluate(heuristics.evaluate)(token, plain(state), seat, out)


def rule_of_thumb(token: Any, state: Any, seed: int) -> int:
    """A sensible legal action for the seat to act, ties broken by `seed`, by the set of `token`."""
    heuristics = _BY_DTYPE.get(token.dtype)
    if heuristics is None:
        return int(_no_rule_of_thumb(token, state, seed))
    return int(_rule_of_thumb(heuristics.rule_of_thumb)(token, plain(state), seed))


@overload(evaluate)
def _overload_evaluate(token, state, seat, out):  # type: ignore[no-untyped-def]
    heuristics = _BY_TYPE.get(token)
    if heuristics is None:
        return _no_evaluation if token == _NONE_TYPE else None
    return _evaluate(heuristics.evaluate)


@overload(rule_of_thumb)
def _overload_rule_of_thumb(token, state, seed):  # type: ignore[no-untyped-def]
    heuristics = _BY_TYPE.get(token)
    if heuristics is None:
        return _no_rule_of_thumb if token == _NONE_TYPE else None
    return _rule_of_thumb(heuristics.rule_of_thumb)
