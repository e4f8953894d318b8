"""How the tests are dealt to parallel workers: file by file, so that what a file compiles is compiled once."""

from __future__ import annotations

from pathlib import Path

import pytest

TOGETHER = {"test_aec.py": "environments", "test_solo.py": "environments"}
"""Files that need the same compiled code of every game run on one worker, one after another."""

ONE_BY_ONE = {"test_docs.py", "test_table_page.py"}
"""Files whose tests take long each and leave the work to processes of their own: any worker may take the next one."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Name each test's group for `pytest -n 2 --dist loadgroup`, and begin with the long ones: the end is even then."""
    for item in items:
        name = Path(item.path).name
        group = item.nodeid if name in ONE_BY_ONE else TOGETHER.get(name, str(item.path))
        item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: Path(item.path).name not in ONE_BY_ONE)
