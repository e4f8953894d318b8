"""What a training shows in TensorBoard."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from torch.utils.tensorboard import SummaryWriter


class Scalars:
    """Event files in a folder; of a training that is resumed, what was written after its checkpoint is hidden."""

    def __init__(self, folder: Path, steps: int) -> None:
        self._writer = SummaryWriter(str(folder), purge_step=steps + 1 if steps else None)

    def write(self, values: Mapping[str, float], steps: int) -> None:
        """Write values by their names, such as `loss/policy`, after so many decisions."""
        for name, value in values.items():
            self._writer.add_scalar(name, value, steps)

    def __enter__(self) -> Scalars:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()
