"""How the tests are dealt to parallel workers: file by file, so that what a file compiles is compiled once."""

from __future__ import annotations

from pathlib import Path

import pytest

TOGETHER = {"test_aec.py": "environments", "test_solo.py": "environments"}
"""Files that need the same compiled code of every game run on one worker, one after another."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Name each test's group for `pytest -n 2 --dist loadgroup`."""
    for item in items:
        path = Path(item.path)
        item.add_marker(pytest.mark.xdist_group(TOGETHER.get(path.name, str(path))))
