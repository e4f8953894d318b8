"""The options of a game: their schema, their validation, and how they lie in the position record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from envs.errors import OptionError, unknown

Options = dict[str, Any]
"""Every option of a game by name, `num_players` among them, validated and complete."""


@dataclass(frozen=True)
class Option:
    """One option: a yes/no, a whole number in a range, or a choice among names.

    Make it with `Option.flag`, `Option.integer` or `Option.choice`. In the record it is one signed
    integer field `state.options.<name>`: 0 or 1, the number, or the index of the choice.
    """

    name: str
    kind: str
    default: Any
    help: str
    minimum: int = 0
    maximum: int = 1
    choices: tuple[str, ...] = ()

    @staticmethod
    def flag(name: str, default: bool, help: str) -> Option:
        return Option(name, "flag", default, help)

    @staticmethod
    def integer(name: str, default: int, minimum: int, maximum: int, help: str) -> Option:
        return Option(name, "integer", default, help, minimum, maximum)

    @staticmethod
    def choice(name: str, choices: tuple[str, ...], help: str, default: str | None = None) -> Option:
        return Option(name, "choice", default or choices[0], help, 0, len(choices) - 1, choices)

    @property
    def range(self) -> str:
        """The valid values in words, for messages and tables."""
        if self.kind == "flag":
            return "true or false"
        if self.kind == "choice":
            return ", ".join(self.choices)
        return f"{self.minimum} to {self.maximum}"

    def validate(self, value: Any, place: str) -> Any:
        """The value as the option keeps it. Errors: `OptionError` naming the option, the value and the range."""
        if self.kind == "flag" and isinstance(value, bool):
            return value
        if self.kind == "choice" and isinstance(value, str):
            if value in self.choices:
                return value
            raise OptionError(unknown(f"{self.name}", value, self.choices, place))
        if self.kind == "integer" and not isinstance(value, bool):
            try:
                number = value.__index__()
            except AttributeError:
                number = None
            if number is not None and self.minimum <= number <= self.maximum:
                return int(number)
        raise OptionError(f"option {self.name!r} of {place} is {value!r}: it must be {self.range}")

    def encode(self, value: Any) -> int:
        """The option's value as the integer in the record."""
        return self.choices.index(value) if self.kind == "choice" else int(value)

    def decode(self, number: int) -> Any:
        """The integer in the record as the option's value."""
        if self.kind == "choice":
            return self.choices[number]
        return bool(number) if self.kind == "flag" else int(number)

    @property
    def field(self) -> tuple[str, str]:
        """Name and number format of the option's field in the record."""
        return self.name, "i1" if self.minimum >= -128 and self.maximum < 128 else "i4"


REWARD = Option.choice(
    "reward", ("win", "rank", "score"), "what a finished game returns: winners' shares, places, or margins in points"
)
"""The option of every large game that chooses how its outcome is paid (see `envs.outcome`)."""


def validate_options(schema: tuple[Option, ...], given: Mapping[str, Any], place: str) -> Options:
    """Defaults completed by `given`, in the schema's order.

    Errors: `OptionError` for an unknown name (with the nearest valid one) or a value out of range.
    """
    names = [option.name for option in schema]
    for name in given:
        if name not in names:
            raise OptionError(unknown("option", name, names, place))
    return {option.name: option.validate(given.get(option.name, option.default), place) for option in schema}
