"""The web application: its rooms, what guards them, and how errors leave them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from envs.errors import KontorError
from experiments.web import play
from experiments.web.compiling import Compiler
from experiments.web.errors import WebError
from experiments.web.guard import LOCAL_HOSTS, Guard
from experiments.web.pages import STATIC, error_response
from experiments.web.rooms import add_rooms
from experiments.web.tables import Tables


def create_app(
    runs: Path, tables: Path, token: str | None = None, hosts: frozenset[str] | None = LOCAL_HOSTS
) -> FastAPI:
    """The application over a folder of runs and one of tables (made when the first table is).

    With a `token` every request has to bring it; `hosts` are the names it answers to, None for any. `app.state`
    holds `runs`, `tables` and the `compiler` for the rooms.
    """

    @asynccontextmanager
    async def while_it_runs(app: FastAPI) -> AsyncIterator[None]:
        await app.state.tables.open()
        yield
        app.state.compiler.close()  # first: others wait for it
        app.state.estimator.close()
        await app.state.tables.close()

    app = FastAPI(title="Kontor", docs_url=None, redoc_url=None, openapi_url=None, lifespan=while_it_runs)
    app.state.runs, app.state.compiler = runs, Compiler(runs)
    app.state.tables = Tables(tables, runs, app.state.compiler)
    add_rooms(app, runs, tables)
    app.add_middleware(Guard, token=token, hosts=hosts)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_exception_handler(KontorError, _bad_input)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _bad_request)

    app.include_router(play.router)

    @app.get("/")
    def home() -> Response:
        return RedirectResponse("/play", 303)

    return app


def _bad_input(request: Request, error: Exception) -> Response:
    return error_response(request, error.status if isinstance(error, WebError) else 400, str(error))


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = f"there is nothing at {request.url.path}" if error.status_code == 404 else str(error.detail)
    return error_response(request, error.status_code, message)


def _bad_request(request: Request, error: Exception) -> Response:
    """A body, path or query that does not have the form it must have."""
    assert isinstance(error, RequestValidationError)
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"] if part not in ("body", "query", "path"))
    return error_response(request, 400, f"the request is not understood: {place or 'body'}: {problem['msg']}")
