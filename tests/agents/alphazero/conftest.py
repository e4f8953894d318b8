"""Torch without threads of its own, as trainings have it: for small networks they only wait for one another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agents.learning.trainer import one_torch_thread


@pytest.fixture(autouse=True)
def _one_torch_thread() -> Iterator[None]:
    with one_torch_thread():
        yield
