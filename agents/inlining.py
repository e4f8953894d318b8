"""Compiled functions that become part of their callers.

A tree is a tuple of many arrays. Handing it to a function that LLVM does not inline copies all of them and counts
their references, which takes longer than what most of the search's functions do. (A large function that calls rules is
better left apart, or compiling takes much longer: it borrows the tree anew.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from envs.compiling import PLAIN, compiled

F = TypeVar("F", bound=Callable[..., Any])


def inlined(function: F) -> F:
    """As `compiled`, and inlined wherever compiled code calls it."""
    dispatcher: Any = compiled(function)
    if not PLAIN:
        dispatcher.targetoptions["forceinline"] = True
    return cast(F, dispatcher)
