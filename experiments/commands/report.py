"""`kontor report`: the tables and the report of a stored run, finished or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from envs.errors import KontorError, UnknownName, unknown


def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="the folder of a run, or its name under runs/")],
    form: Annotated[
        str, typer.Option("--format", "-f", help="html: a page beside the store; md or json: printed instead of tables")
    ] = "html",
) -> None:
    """Print the tables of a run from its store, and write its report anew."""
    from experiments.commands.run import show
    from experiments.results import results
    from experiments.store import Store
    from experiments.texts import as_json, markdown

    texts = {"md": markdown, "json": as_json}
    if form not in ("html", *texts):
        raise UnknownName("format", form, ("html", *texts))
    store_path = find_store(run)
    if form == "html":
        show(store_path)
        return
    with Store.read(store_path) as store:
        print(texts[form](results(store)), end="")


def find_store(run: str) -> Path:
    """The store of a run given as its folder, its store, or its name. Errors: `KontorError`."""
    from experiments.store import FILE_NAME

    given = Path(run)
    for path in (given, given / FILE_NAME, Path("runs") / run / FILE_NAME):
        if path.is_file():
            return path
    names = sorted(path.parent.name for path in Path("runs").glob(f"*/{FILE_NAME}"))
    if not names:
        raise KontorError(f"there is no run {run!r}, nor any other under runs/")
    raise KontorError(unknown("run", run, names))
