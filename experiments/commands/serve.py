"""`kontor serve`: the table in a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from envs.errors import KontorError

PORT = 8080
INTERRUPTED = 130


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="where to listen; other than this machine's own needs the token")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free")] = PORT,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="tournaments, trainings and records to look at")] = Path(
        "runs"
    ),
    tables: Annotated[
        Path | None, typer.Option(metavar="DIR", help="where tables are kept; by default the folder tables of the runs")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            help="ask every visitor for this word; by default a new one is made where others can reach the server",
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="open the page, where this runs in a terminal")
    ] = True,
) -> None:
    """Play, watch and replay games in a browser, until Ctrl-C."""
    try:
        from experiments.web.app import create_app
        from experiments.web.serving import address_of, allowed_hosts, checked_token, claim, listen, server_for
    except ModuleNotFoundError as error:
        raise KontorError(
            f"kontor serve needs the extra web ({error.name} is missing): pip install -e '.[web]' in Kontor's folder"
        ) from None
    token, kept = checked_token(host, token), tables or runs / "tables"
    if runs.exists() and not runs.is_dir():
        raise KontorError(f"--runs {runs}: is no folder")
    if kept.resolve() in (runs.resolve(), *runs.resolve().parents):
        raise KontorError(
            f"--tables {kept}: holds the runs, which would not be shown: give tables a folder of their own"
        )
    with listen(host, port) as listening, claim(kept):
        app = create_app(runs, kept, token, allowed_hosts(host))
        address = address_of(listening, host, token)
        print(f"Kontor is at {address} (Ctrl-C ends it)", flush=True)
        if browser and sys.stdout.isatty():
            import webbrowser

            webbrowser.open(address)
        code = 0
        try:
            server_for(app).run(sockets=[listening])
        except KeyboardInterrupt:
            code = INTERRUPTED
            print(file=sys.stderr)  # the shell's next prompt does not follow ^C
        # All tables are on disk. What still runs are searches that nobody waits for, and the interpreter's own end
        # would wait until each has spent its time.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
