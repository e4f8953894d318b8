"""The contract of a game, the registry, and the generic functions that find a game's rules by type.

A game is a NumPy record type and a handful of plain functions over one record of it. The functions
below (`setup`, `legal_actions`, `apply_action`, `observe`, `determinize`, `returns`) are generic:
compiled code chooses the game's rule by the record's type, so a search compiled for one game is
an ordinary cached specialisation; without the compiler they look the game up by `state.dtype`.
What every game must do alike is done here, once, around the game's own rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype
from numba.extending import overload

from envs.chance import reseed
from envs.compiling import hash_files
from envs.errors import GameDefinitionError, OptionError, UnknownName
from envs.options import Option, Options, validate_options
from envs.plain import plain
from envs.words import no_places, say_plainly

State = Any
"""One record of a game's dtype; a `PlainRecord` in plain mode and in `describe`."""

OVER = "over"
"""The phase that `describe` names once a game has ended."""


def min_return_by_place(options: Options) -> float:
    """The lowest return where places are paid: -1/(n-1) if the winner takes all (`reward=win`), else -1."""
    return -1.0 / (options["num_players"] - 1) if options.get("reward") == "win" else -1.0


@dataclass(frozen=True, eq=False)
class Game:
    """A game: facts about it, and its rules as functions over one record.

    Compiled functions (`@compiled`, the record first, in place, no allocation, no exceptions):

    - `setup(state)`: a fresh position; the record is zero but for seed, options and `num_players`.
    - `legal_actions(state, mask) -> count`: sets `mask[action]` (bool[num_actions], already cleared) for
      the seat to act; never called on a finished game.
    - `apply_action(state, action)`: plays a legal action; `move_number` already counts it. It sets
      `current_player` and `phase`, or `terminated` / `truncated` at the end.
    - `observe(state, player, out)`: writes what `player` sees into `out` (float32[observation_size],
      already cleared), own seat first.
    - `determinize(state, player)`: replaces everything `player` cannot know by a fair sample, drawn from
      the position's own streams, which have just been given a fresh seed.
    - `returns(state, out)`: the outcome per seat (float64[num_players], already cleared) of a finished game.

    Plain functions: `num_actions(options)`, `observation_size(options)`, `encode_action(action, options)`
    and `decode_action(index, options)` (an action as a small JSON object; an unknown one is an
    `IllegalAction`), `describe(state, player)` (the game's own fields of a described position, hidden
    parts replaced for a seat `player`, everything shown for None; `players` is a list of dicts in seat
    order), `draw(description)` (SVG text) and `text(description)` (a board for a terminal); both see a
    described position and so can show no more than it says. `min_return(options)`: no return is lower; a game
    that pays chips or margins says how low they go. `deducible(options)`: whether every seat can work out all that its
    descriptions hide, so that samples are the truth.

    For people who play: `say(action, description, public=False)` is what an action does and costs in a player's words,
    the description being that of the position before it as the acting seat sees it; with `public=True` only what the
    whole table gets to know of it, from any seat's description. `places(action, description)` are the keys (`data-key`,
    see `envs.svg`) of the elements of that description's drawing that stand for the action; () if none do.

    `fields` are the record's fields behind the header, `sources` every file that the rules depend on (code
    and data; the core's own files need no mention). Errors: `GameDefinitionError`.
    """

    name: str
    title: str
    summary: str
    min_players: int
    max_players: int
    fields: tuple[tuple[Any, ...], ...]
    streams: tuple[str, ...]
    phases: tuple[str, ...]
    setup: Callable[..., Any]
    legal_actions: Callable[..., Any]
    apply_action: Callable[..., Any]
    observe: Callable[..., Any]
    determinize: Callable[..., Any]
    returns: Callable[..., Any]
    num_actions: Callable[[Options], int]
    observation_size: Callable[[Options], int]
    encode_action: Callable[[Mapping[str, Any], Options], int]
    decode_action: Callable[[int, Options], dict[str, Any]]
    describe: Callable[[State, int | None], dict[str, Any]]
    draw: Callable[[dict[str, Any]], str]
    text: Callable[[dict[str, Any]], str]
    sources: tuple[Path, ...]
    own_options: tuple[Option, ...] = ()
    check_options: Callable[[Options], str | None] = lambda options: None
    min_return: Callable[[Options], float] = min_return_by_place
    default_players: int = 0
    version: int = 0
    hidden_information: bool = True
    deducible: Callable[[Options], bool] = lambda options: False
    say: Callable[..., str] = say_plainly
    places: Callable[[Mapping[str, Any], Mapping[str, Any]], tuple[str, ...]] = no_places

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The schema of all options, `num_players` first."""
        return (
            Option.integer(
                "num_players",
                self.default_players or self.min_players,
                self.min_players,
                self.max_players,
                "seats at the table",
            ),
            *self.own_options,
        )

    @cached_property
    def rules_hash(self) -> str:
        """Twelve hex digits over the game's name, its sources and its record's layout."""
        return hash_files(self.sources, self.name, repr(self.fields), repr(self.options))

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The record type: header, options, the game's fields, and an empty field named after the rules' hash."""
        header: list[Any] = [
            ("seed", "i8"),
            ("draws", "i4", (max(1, len(self.streams)),)),
            ("move_number", "i4"),
            ("num_players", "i1"),
            ("current_player", "i1"),
            ("phase", "i1"),
            ("terminated", "i1"),
            ("truncated", "i1"),
        ]
        if self.own_options:
            header.append(("options", np.dtype((np.record, [option.field for option in self.own_options]))))
        layout = [*header, *self.fields, (f"rules_{self.rules_hash}", "u1", (0,))]
        return np.dtype((np.record, layout))

    def validate(self, given: Mapping[str, Any]) -> Options:
        """All options with their values, defaults completed by `given`. Errors: `OptionError`."""
        options = validate_options(self.options, given, self.name)
        if problem := self.check_options(options):
            raise OptionError(f"{self.name}: {problem}")
        return options

    def template(self, options: Options) -> np.ndarray[Any, Any]:
        """One record, shape (1,), zero but for `num_players` and the options: what `setup` starts from."""
        states = np.zeros(1, self.dtype)
        states["num_players"] = options["num_players"]
        for option in self.own_options:
            states["options"][option.name] = option.encode(options[option.name])
        return states

    def read_options(self, state: State) -> Options:
        """The options stored in a record."""
        state = plain(state)
        own = {option.name: option.decode(getattr(state.options, option.name)) for option in self.own_options}
        return {"num_players": state.num_players, **own}

    def __reduce__(self) -> tuple[Any, ...]:
        from envs.catalog import get_game

        return get_game, (self.name,)

    def __deepcopy__(self, memo: Any) -> Game:
        return self

    def __repr__(self) -> str:
        return f"<game {self.name}>"


# ------------------------------------------------------------------ registry

_BY_NAME: dict[str, Game] = {}
_BY_DTYPE: dict[np.dtype[Any], Game] = {}
_BY_TYPE: dict[Any, Game] = {}


def register(game: Game) -> Game:
    """Make a game known by name and by record type, and return it. Errors: `GameDefinitionError`."""
    if game.name in _BY_NAME:
        raise GameDefinitionError(f"a game named {game.name!r} is registered already")
    check_record(game.dtype, game.name)
    _BY_NAME[game.name] = _BY_DTYPE[game.dtype] = _BY_TYPE[from_dtype(game.dtype)] = game
    return game


def registered(name: str) -> Game:
    """A game registered in this process. Errors: `UnknownName` (`envs.catalog.get_game` loads shipped ones)."""
    if name not in _BY_NAME:
        raise UnknownName("game", name, _BY_NAME)
    return _BY_NAME[name]


def registered_names() -> list[str]:
    """The names of the games registered in this process so far."""
    return sorted(_BY_NAME)


def game_of(state: State) -> Game:
    """The game a record (or an array of records) belongs to. Errors: `UnknownName`."""
    game = _BY_DTYPE.get(state.dtype)
    if game is None:
        raise UnknownName("record type", state.dtype.names, _BY_NAME)
    return game


def check_record(dtype: np.dtype[Any], place: str) -> None:
    """Refuse record types whose bytes or arithmetic could differ between NumPy, Numba and plain Python."""
    size = 0
    for name in dtype.names or ():
        field = dtype[name]
        size += field.itemsize
        base = field.base
        if base.names:
            check_record(base, f"{place}.{name}")
            if base.type is not np.record:
                raise GameDefinitionError(f"{place}.{name}: a nested record must be np.dtype((np.record, [...]))")
        elif base.kind not in "iu" or base == np.uint64:
            raise GameDefinitionError(f"{place}.{name} is {base}: records hold integers of up to 63 bits only")
    if size != dtype.itemsize:
        raise GameDefinitionError(
            f"{place}: the record has padding ({dtype.itemsize} bytes for {size}): use align=False"
        )


# ------------------------------------------------------------------ what every game does alike
# Each function takes a game's rule and gives the generic function for that game, for both modes.


def _setup(rule: Any) -> Any:
    def setup(state):  # type: ignore[no-untyped-def]
        rule(state)

    return setup


def _legal_actions(rule: Any) -> Any:
    def legal_actions(state, mask):  # type: ignore[no-untyped-def]
        mask[:] = False
        if state.terminated or state.truncated:
            return 0
        return rule(state, mask)

    return legal_actions


def _apply_action(rule: Any) -> Any:
    def apply_action(state, action):  # type: ignore[no-untyped-def]
        state.move_number += 1
        rule(state, action)

    return apply_action


def _observe(rule: Any) -> Any:
    def observe(state, player, out):  # type: ignore[no-untyped-def]
        out[:] = 0.0
        rule(state, player, out)

    return observe


def _determinize(rule: Any) -> Any:
    def determinize(state, player, seed):  # type: ignore[no-untyped-def]
        reseed(state, seed)
        rule(state, player)

    return determinize


def _returns(rule: Any) -> Any:
    def returns(state, out):  # type: ignore[no-untyped-def]
        out[:] = 0.0
        if state.terminated or state.truncated:
            rule(state, out)

    return returns


# ------------------------------------------------------------------ the generic functions


def setup(state: State) -> None:
    """Make a fresh position from the seed, options and number of players already in the record."""
    _setup(game_of(state).setup)(plain(state))


def legal_actions(state: State, mask: Any) -> int:
    """Fill `mask` (bool[num_actions]) for the seat to act and return how many are legal; none once the game is over."""
    return int(_legal_actions(game_of(state).legal_actions)(plain(state), mask))


def apply_action(state: State, action: int) -> None:
    """Play a legal action; automatic decisions that follow are played too. An illegal action is undefined here."""
    _apply_action(game_of(state).apply_action)(plain(state), action)


def observe(state: State, player: int, out: Any) -> None:
    """Write what seat `player` sees into `out` (float32[observation_size]), own seat first."""
    _observe(game_of(state).observe)(plain(state), player, out)


def determinize(state: State, player: int, seed: int) -> None:
    """Replace all that `player` cannot know by a fair sample drawn from `seed`, the seed of all chance to come."""
    _determinize(game_of(state).determinize)(plain(state), player, seed)


def returns(state: State, out: Any) -> None:
    """Write each seat's outcome into `out` (float64[num_players]); zeros while the game goes on."""
    _returns(game_of(state).returns)(plain(state), out)


@overload(setup)
def _overload_setup(state):  # type: ignore[no-untyped-def]
    game = _BY_TYPE.get(state)
    return _setup(game.setup) if game else None


@overload(legal_actions)
def _overload_legal_actions(state, mask):  # type: ignore[no-untyped-def]
    game = _BY_TYPE.get(state)
    return _legal_actions(game.legal_actions) if game else None


@overload(apply_action)
def _overload_apply_action(state, action):  # type: ignore[no-untyped-def]
    game = _BY_TYPE.get(state)
    return _apply_action(game.apply_action) if game else None


@overload(observe)
def _overload_observe(state, player, out):  # type: ignore[no-untyped-def]
    game = _BY_TYPE.get(state)
    return _observe(game.observe) if game else None


@overload(determinize)
def _overload_determinize(state, player, seed):  # type: ignore[no-untyped-def]
    game = _BY_TYPE.get(state)
    return _determinize(game.determinize) if game else None


@overload(returns)
def _overload_returns(state, out):  # type: ignore[no-untyped-def]
    game = _BY_TYPE.get(state)
    return _returns(game.returns) if game else None
