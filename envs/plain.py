"""Plain mode: records as Python sees them, equal to compiled code and stricter.

Compiled and plain Python differ in integer arithmetic (overflow, `True + True`, an index out of
range). Under `NUMBA_DISABLE_JIT=1` rules therefore get these proxies: every read is a Python int,
every store is checked against the field's range, every index against the array's length.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


class PlainRecord:
    """One record of a structured array; fields read as ints, records or arrays, and store range-checked."""

    __slots__ = ("_raw",)

    def __init__(self, raw: np.record) -> None:
        object.__setattr__(self, "_raw", raw)

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._raw.dtype

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _wrap(self._raw[name])

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._raw.dtype.fields
        if field is None or name not in field:
            raise AttributeError(f"the record has no field {name!r}")
        dtype = field[name][0]
        if dtype.shape or dtype.names:
            raise TypeError(f"{name!r} is no single number: store its elements one by one")
        self._raw[name] = _checked(value, dtype, name)


class PlainArray:
    """An array inside a record: indices from 0 to length-1 only, stores range-checked."""

    __slots__ = ("_raw",)

    def __init__(self, raw: np.ndarray[Any, Any]) -> None:
        self._raw = raw

    @property
    def shape(self) -> tuple[int, ...]:
        return self._raw.shape

    @property
    def size(self) -> int:
        return self._raw.size

    def __len__(self) -> int:
        return len(self._raw)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        return _wrap(self._raw[self._inside(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        raw, index = self._raw, self._inside(index)
        if isinstance(value, PlainRecord):
            raw[index] = value._raw
        elif isinstance(value, PlainArray):
            for number in value._raw.flat:
                _checked(number, raw.dtype, "array")
            raw[index] = value._raw
        else:
            raw[index] = _checked(value, raw.dtype, "array")

    def _inside(self, index: Any) -> Any:
        for axis, part in enumerate(index if isinstance(index, tuple) else (index,)):
            length = self._raw.shape[axis]
            if not isinstance(part, slice) and not 0 <= part < length:
                raise IndexError(f"index {part} is outside 0..{length - 1}")
        return index


def plain(state: Any) -> Any:
    """The proxy of a record (a proxy is returned as it is)."""
    return state if isinstance(state, PlainRecord) else PlainRecord(state)


def raw(state: Any) -> Any:
    """The record behind a proxy (a record is returned as it is)."""
    return state._raw if isinstance(state, PlainRecord) else state


def _wrap(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return PlainArray(value)
    if isinstance(value, np.void):
        return PlainRecord(value)  # type: ignore[arg-type]
    return int(value)


def _checked(value: Any, dtype: np.dtype[Any], name: str) -> int:
    number = int(value)
    if number != value:
        raise TypeError(f"{name}: {value!r} is no whole number")
    limits = np.iinfo(dtype)
    if not limits.min <= number <= limits.max:
        raise OverflowError(f"{name}: {number} does not fit {dtype} ({limits.min} to {limits.max})")
    return number
