"""What trainings of every kind leave in their folders, compared bit for bit, and trainings that are killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

from agents.learning.files import read, training_file_kind

FILES = ("latest.safetensors", "best.safetensors")


def contents(folder: Path, algorithm: str) -> list[bytes]:
    """What a training leaves that players and its continuation use; without the time it took."""
    arrays, facts = read(folder / "training.safetensors", training_file_kind(algorithm))
    facts["counters"].pop("seconds")
    stored = [name.encode() + array.tobytes() for name, array in sorted(arrays.items())]
    return [*((folder / name).read_bytes() for name in FILES), *stored, json.dumps(facts, sort_keys=True).encode()]


def kill_after(module: str, folder: Path, update: int) -> None:
    """Train in a process of its own by `trainer(folder)` of a module, and kill it without warning after an update."""
    code = (
        f"import sys; from pathlib import Path; from {module} import trainer\n"
        "trainer(Path(sys.argv[1])).run(lambda progress: print(progress.counters.update, flush=True))"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= update:
                process.send_signal(signal.SIGKILL)
                break
    assert process.wait() == -signal.SIGKILL
