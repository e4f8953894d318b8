"""Servers within the tests' process compile there too: a child for each game would cost more than it keeps quick."""

from __future__ import annotations

import pytest

from experiments.web.compiling import Compiler


@pytest.fixture(scope="module", autouse=True)
def compiled_in_this_process(request: pytest.FixtureRequest):
    """For all but the tests of the children; `kontor serve` as a command of its own has its children anyway."""
    if request.module.__name__.endswith("test_compiling"):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Compiler, "wait_for", lambda self, game, options, seats=(): None)
        yield
