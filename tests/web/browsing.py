"""A client for the tests of the web: a server of the application in a thread, and people who play at its tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from experiments.web.app import create_app
from tests.web.chromium import served

PERSON, GREEDY, RANDOM = {"type": "human"}, {"type": "greedy"}, {"type": "random"}


class Client(httpx.Client):
    """What a browser asks for, with the tables' own requests by name. Everything that was answered is kept."""

    def __init__(self, address: str, app: Any = None) -> None:
        super().__init__(base_url=address, timeout=60)
        self.app = app

    def create(self, game: str, seats: list[dict[str, Any]], **asked: Any) -> dict[str, Any]:
        """A new table: its id, and the keys of people's seats by seat."""
        answer = self.post("/api/tables", json={"game": game, "seats": seats, "pace": 0, **asked})
        assert answer.status_code == 201, answer.text
        table = answer.json()
        return {"id": table["id"], "keys": {entry["seat"]: entry["key"] for entry in table["keys"]}}

    def show(self, table: dict[str, Any], seat: int | None = None) -> dict[str, Any]:
        answer = self.get(f"/api/tables/{table['id']}", params=self.key(table, seat))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(self, table: dict[str, Any], seat: int | None, revision: int, action: Any) -> httpx.Response:
        path = f"/api/tables/{table['id']}/act"
        return self.post(path, params=self.key(table, seat), json={"revision": revision, "action": action})

    def undo(self, table: dict[str, Any], seat: int, revision: int) -> httpx.Response:
        path = f"/api/tables/{table['id']}/undo"
        return self.post(path, params=self.key(table, seat), json={"revision": revision})

    def turn(self, table: dict[str, Any], seat: int | None = 0) -> dict[str, Any]:
        """The table as a seat sees it once a person is to act, or it is over or stopped."""
        for _ in range(9000):
            shown = self.show(table, seat)
            if shown["status"] in ("over", "stopped"):
                return shown
            if shown["status"] == "playing" and shown["seats"][shown["to_act"]]["human"]:
                return shown
            time.sleep(0.02)
        raise AssertionError(f"nobody comes to act: {shown['status']}")

    @staticmethod
    def key(table: dict[str, Any], seat: int | None) -> dict[str, str]:
        return {} if seat is None else {"key": table["keys"][seat]}


@contextmanager
def client(folder: Path, token: str | None = None) -> Iterator[Client]:
    """A client of a server with its tables and runs in `folder`."""
    app = create_app(folder / "runs", folder / "tables", token)
    with served(app) as address, Client(address, app) as browser:
        yield browser


def table_of(browser: Client, table: dict[str, Any]) -> Any:
    """The server's own table: what no page ever sees."""
    return browser.app.state.tables._rooms[table["id"]].table


def chooser(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)
