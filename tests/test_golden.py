"""The golden playthroughs are what the code plays now; see `tests/golden.py` for how to rewrite them."""

import pytest

from tests.golden import FOLDER, PLAYTHROUGHS


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.path.stem)
def test_playthrough_is_the_golden_one(playthrough):
    golden = playthrough.path.read_text(encoding="utf-8")
    assert playthrough.text() == golden, (
        "rewrite with `python -m tests.golden` if the change is meant, and read the diff"
    )


def test_every_golden_file_is_compared():
    assert {path.name for path in FOLDER.iterdir()} == {playthrough.path.name for playthrough in PLAYTHROUGHS}
