"""The errors a user can cause, each one line that names the thing, the place and the nearest valid name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class KontorError(ValueError):
    """Bad input. `str(error)` is one line fit for a terminal; the command line exits with code 2 on it."""


class UnknownName(KontorError):
    """A name that is not among the valid ones."""

    def __init__(self, what: str, name: object, valid: Iterable[str], place: str = "") -> None:
        super().__init__(unknown(what, name, valid, place))


class OptionError(KontorError):
    """A game option that does not exist or has a value outside its range."""


class IllegalAction(KontorError):
    """An action that is out of range, masked, or asked of a finished game; the position is untouched."""


class RecordError(KontorError):
    """A game record that is corrupted, foreign, or made under other rules."""


class GameDefinitionError(KontorError):
    """A game that breaks the contract of `envs.game.Game`, found when it is registered or audited."""


def unknown(what: str, name: object, valid: Iterable[str], place: str = "") -> str:
    """One line that says `name` is no valid `what`, and which valid name is nearest."""
    names = list(valid)
    where = f" in {place}" if place else ""
    message = f"unknown {what} {name!r}{where}"
    close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.5)
    if close:
        return f"{message}: did you mean {close[0]!r}?"
    return f"{message}: the valid ones are {', '.join(sorted(names)) or 'none'}"
