"""Every leak of one card in the pokers is caught by the secrecy audit, in plain mode; the pokers themselves pass."""

import json
import os
import subprocess
import sys

import pytest

from tests.plain_mode import PLAIN, ROOT

EXPECTED = {
    "observation": "the observation depends on what the seat cannot know",
    "mask": "the mask depends on what the seat cannot know",
    "description": "the description depends on what the seat cannot know",
    "determinization": "two positions that look the same are determinized differently",
}
SUBTLE = ("kuhn_poker 3 folded cards", "leduc_poker 2 face-down public card")


@pytest.fixture(scope="module")
def verdicts():
    command = [sys.executable, "-m", "tests.classics.leaks"]
    environment = {**os.environ, **PLAIN}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


@pytest.mark.parametrize("num_players", [2, 3])
@pytest.mark.parametrize("poker", ["kuhn_poker", "leduc_poker"])
class TestPoker:
    @pytest.mark.parametrize("what", EXPECTED)
    def test_leak_is_caught(self, verdicts, poker, num_players, what):
        assert (verdicts[f"{poker} {num_players} {what}"] or "nothing").endswith(EXPECTED[what])

    def test_the_game_itself_passes(self, verdicts, poker, num_players):
        assert verdicts[f"{poker} {num_players} unchanged"] is None


@pytest.mark.parametrize("mutant", SUBTLE)
def test_subtle_leak_is_caught(verdicts, mutant):
    assert (verdicts[mutant] or "nothing").endswith(EXPECTED["determinization"])
