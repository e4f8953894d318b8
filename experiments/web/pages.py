"""Pages from templates, and the one way an error is shown: as a page to people, as JSON to scripts."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"


@cache
def templates() -> Environment:
    """The templates, with everything escaped that is put into them."""
    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(name: str, http_status: int = 200, **content: Any) -> Response:
    """The page made from the template `name` (it extends `base.html.j2`), with what it needs by name."""
    return HTMLResponse(templates().get_template(name).render(**content), http_status)


def wants_json(scope: Scope) -> bool:
    """Whether a script asks: by the address, or by what it accepts."""
    accepted = next((value for name, value in scope["headers"] if name == b"accept"), b"").decode("latin-1")
    return "/api/" in scope["path"] or ("json" in accepted and "html" not in accepted)


def error_response(request: Request | Scope, status: int, message: str) -> Response:
    """One line about what went wrong: `{"error": message}`, or a page that says so."""
    scope = request.scope if isinstance(request, Request) else request
    message = " ".join(message.split())
    if wants_json(scope):
        return JSONResponse({"error": message}, status)
    return page("error.html.j2", status, reason=HTTPStatus(status).phrase, message=message)
