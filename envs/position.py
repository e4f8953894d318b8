"""One position of a game for Python callers: the edge where bad input is refused with a message."""

from __future__ import annotations

from typing import Any

import numpy as np

from envs import kernels
from envs.chance import SEED_BITS
from envs.errors import IllegalAction, OptionError, UnknownName
from envs.game import OVER, Game
from envs.options import Options
from envs.plain import plain

Array = np.ndarray[Any, Any]


class Position:
    """A position, with its game and options; it owns `states`, an array of one record.

    `Position(game, options, seed)` starts a game (`options` may be partial); errors: `OptionError`.
    """

    __slots__ = ("game", "num_actions", "observation_size", "options", "states")

    def __init__(self, game: Game, options: Options | None = None, seed: int = 0) -> None:
        self.game = game
        self.options = game.validate(options or {})
        self._measure()
        self.states = game.template(self.options)
        self.restart(seed)

    @classmethod
    def of(cls, game: Game, state: Any, options: Options | None = None) -> Position:
        """A position holding a copy of a record. `options` are read from the record unless given."""
        position = cls.__new__(cls)
        position.game = game
        position.states = np.empty(1, game.dtype)
        position.states[0] = state
        position.options = options or game.read_options(position.states[0])
        position._measure()
        return position

    def _measure(self) -> None:
        self.num_actions = self.game.num_actions(self.options)
        self.observation_size = self.game.observation_size(self.options)

    def restart(self, seed: int) -> None:
        """The fresh position of `seed` (0 to 2**63 - 1) under the same options. Errors: `OptionError`."""
        kernels.start(self.states, 0, self.game.template(self.options), checked_seed(seed))

    @property
    def state(self) -> Any:
        """The record itself (a view: it changes with the position)."""
        return self.states[0]

    @property
    def num_players(self) -> int:
        return int(self.states["num_players"][0])

    @property
    def current_player(self) -> int | None:
        """The seat to act, or None once the game is over."""
        return None if self.is_over else int(self.states["current_player"][0])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules (`terminated`) or by its cap (`truncated`)."""
        return self.terminated or self.truncated

    @property
    def terminated(self) -> bool:
        return bool(self.states["terminated"][0])

    @property
    def truncated(self) -> bool:
        return bool(self.states["truncated"][0])

    @property
    def move_number(self) -> int:
        """How many actions have been asked for and played."""
        return int(self.states["move_number"][0])

    @property
    def phase(self) -> str:
        return OVER if self.is_over else self.game.phases[self.states["phase"][0]]

    def action_mask(self) -> Array:
        """Legal actions of the seat to act: bool[num_actions], all False once the game is over."""
        mask = np.empty(self.num_actions, np.bool_)
        kernels.legal_actions_at(self.states, 0, mask)
        return mask

    def legal_actions(self) -> list[int]:
        """The indices of the legal actions, ascending."""
        return [int(action) for action in np.flatnonzero(self.action_mask())]

    def apply(self, action: int) -> None:
        """Play an action. Errors: `IllegalAction` (the position is untouched)."""
        kernels.apply_action_at(self.states, 0, self.checked_action(action))

    def checked_action(self, action: Any) -> int:
        """The action as an int if it may be played now. Errors: `IllegalAction`."""
        where = f"{self.game.name}, move {self.move_number}"
        if self.is_over:
            raise IllegalAction(f"{where}: the game is over, no action can be played: reset first")
        try:
            index = action.__index__()
        except (AttributeError, TypeError):
            raise IllegalAction(f"{where}: action {action!r} is no whole number") from None
        if not 0 <= index < self.num_actions:
            raise IllegalAction(f"{where}: action {index} is out of range 0 to {self.num_actions - 1}")
        mask = self.action_mask()
        if not mask[index]:
            legal = [str(other) for other in np.flatnonzero(mask)]
            nearest = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
            raise IllegalAction(
                f"{where}: action {index} {self.game.decode_action(index, self.options)} is illegal "
                f"for player_{self.current_player} in phase {self.phase!r}: legal are {nearest}"
            )
        return index

    def checked_seat(self, player: Any) -> int:
        """The seat as an int if it is at the table. Errors: `UnknownName`."""
        try:
            seat = player.__index__()
        except (AttributeError, TypeError):
            seat = -1
        if not 0 <= seat < self.num_players:
            raise UnknownName("seat", player, [str(other) for other in range(self.num_players)], self.game.name)
        return int(seat)

    def observe(self, player: int) -> Array:
        """What seat `player` sees: float32[observation_size]. Errors: `UnknownName` for a seat that is not there."""
        out = np.empty(self.observation_size, np.float32)
        kernels.observe_at(self.states, 0, self.checked_seat(player), out)
        return out

    def determinize(self, player: int, seed: int) -> Position:
        """A fair sample of what the position may be for `player`; `seed` becomes the seed of its chance.

        Errors: `UnknownName` for a seat that is not there, `OptionError` for a bad seed.
        """
        sample = self.copy()
        kernels.determinize_at(sample.states, 0, self.checked_seat(player), checked_seed(seed))
        return sample

    def returns(self) -> Array:
        """The outcome of each seat: float64[num_players]; zeros while the game goes on."""
        out = np.empty(self.num_players, np.float64)
        kernels.returns_at(self.states, 0, out)
        return out

    def winners(self) -> list[int]:
        """The seats that share first place of a finished game, whatever the option `reward` pays."""
        judged = self
        if any(option.name == "reward" for option in self.game.own_options):
            judged = self.copy()
            judged.states["options"]["reward"] = 0
        returns = judged.returns()
        return [int(seat) for seat in np.flatnonzero(returns == returns.max())]

    def describe(self, player: int | None = None) -> dict[str, Any]:
        """The position as a JSON-able dict: everything for None, what seat `player` may know for a seat."""
        if player is not None:
            player = self.checked_seat(player)
        description: dict[str, Any] = {
            "game": self.game.name,
            "num_players": self.num_players,
            "options": dict(self.options),
            "phase": self.phase,
            "current_player": self.current_player,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "move_number": self.move_number,
            **self.game.describe(plain(self.state), player),
        }
        if self.is_over:
            description["returns"] = [float(value) for value in self.returns()]
            description["winners"] = self.winners()
        return description

    def decode_action(self, index: int) -> dict[str, Any]:
        """An action index as a JSON object. Errors: `IllegalAction` out of range."""
        try:
            number = index.__index__()
        except (AttributeError, TypeError):
            raise IllegalAction(f"{self.game.name}: action {index!r} is no whole number") from None
        if not 0 <= number < self.num_actions:
            raise IllegalAction(f"{self.game.name}: action {number} is out of range 0 to {self.num_actions - 1}")
        return self.game.decode_action(number, self.options)

    def encode_action(self, action: dict[str, Any]) -> int:
        """A JSON object as an action index. Errors: `IllegalAction` for one that the game does not know."""
        if not isinstance(action, dict):
            raise IllegalAction(f"{self.game.name}: {action!r} is no action: write a JSON object with a type")
        return int(self.game.encode_action(action, self.options))

    def copy(self) -> Position:
        """An independent copy."""
        twin = Position.__new__(Position)
        twin.game, twin.options, twin.states = self.game, self.options, self.states.copy()
        twin.num_actions, twin.observation_size = self.num_actions, self.observation_size
        return twin

    def tobytes(self) -> bytes:
        """The record's bytes: equal exactly for equal positions of one game."""
        return self.states.tobytes()


def checked_seed(seed: Any) -> int:
    """The seed as an int. Errors: `OptionError` if it is no whole number from 0 to 2**63 - 1."""
    try:
        number = seed.__index__()
    except (AttributeError, TypeError):
        raise OptionError(f"seed {seed!r} is no whole number") from None
    if not 0 <= number < 1 << SEED_BITS:
        raise OptionError(f"seed {number} is outside 0 to 2**{SEED_BITS} - 1")
    return int(number)
