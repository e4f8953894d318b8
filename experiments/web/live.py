"""Server-sent events: a line to the page whenever something it shows has changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

SECONDS_BETWEEN_LOOKS = 1.0
LOOKS_BETWEEN_SIGNS = 15
"""After so many looks without a change a comment is sent, so that a connection that is gone is noticed."""


def is_ending(app: FastAPI) -> bool:
    """Whether the server is about to end: streams have to end then, for it waits for them."""
    server = getattr(app.state, "server", None)
    return server is not None and bool(server.should_exit)


def changes(request: Request, look: Callable[[], Any]) -> StreamingResponse:
    """A stream of events: what `look()` (run in a thread; JSON-able) gives, at once and whenever it gives another."""
    return StreamingResponse(_stream(request, look), media_type="text/event-stream")


def as_event(seen: Any) -> str:
    """What an event carries: a page that shows it already can tell by that."""
    return json.dumps(seen)


async def _stream(request: Request, look: Callable[[], Any]) -> AsyncIterator[str]:
    before, quiet = None, 0
    while not (is_ending(request.app) or await request.is_disconnected()):
        seen = as_event(await run_in_threadpool(look))
        if seen != before:
            before, quiet = seen, 0
            yield f"data: {seen}\n\n"
        else:
            quiet += 1
            if quiet % LOOKS_BETWEEN_SIGNS == 0:
                yield ": nothing new\n\n"
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
