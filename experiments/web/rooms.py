"""The rooms beside the tables: replays, what is watched, and experiments."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from experiments.web import replays, runs, watch
from experiments.web.estimating import Estimator
from experiments.web.library import Library
from experiments.web.standing import Results


def add_rooms(app: FastAPI, runs_folder: Path, tables_folder: Path) -> None:
    """Add the rooms to the application, with what they keep in `app.state`."""
    app.state.tables_folder = tables_folder
    app.state.library = Library(runs_folder, [tables_folder])
    app.state.replays, app.state.estimator, app.state.results = replays.Replays(), Estimator(), Results()
    for room in (replays, runs, watch):
        app.include_router(room.router)
