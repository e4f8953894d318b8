"""Running the application: where it listens, who may reach it there, and the server."""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from pathlib import Path
from typing import IO
from urllib.parse import urlencode

import uvicorn
from fastapi import FastAPI

from envs.errors import KontorError
from experiments.locking import lock
from experiments.web.guard import LOCAL_HOSTS

GRACE_SECONDS = 5
"""How long open requests are waited for at the end; streams of events end by themselves once it has come."""


def is_local(host: str) -> bool:
    """Whether only this machine can reach what listens at an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def checked_token(host: str, token: str | None) -> str | None:
    """The word that visitors need: the one given, else a new one where others can reach the server, else None.

    Errors: `KontorError` for a word that does not fit into an address, or is easily guessed.
    """
    if token is not None and not re.fullmatch(r"[A-Za-z0-9_-]{8,100}", token):
        raise KontorError("--token has to be 8 to 100 letters, digits, - and _")
    return token if token is not None or is_local(host) else secrets.token_urlsafe(24)


def allowed_hosts(host: str) -> frozenset[str] | None:
    """The names that a server at an address answers to; None for any, where a token guards it."""
    return LOCAL_HOSTS | {host} if is_local(host) else None


def claim(folder: Path) -> IO[str]:
    """A lock on a folder of tables, made if need be, until it is closed: two servers would write over one another.

    Errors: `KontorError` saying why it cannot be had.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return lock(folder, "serving these tables: give each server its own with --tables DIR")
    except (OSError, ValueError) as error:
        if isinstance(error, KontorError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise KontorError(f"--tables {folder}: tables cannot be kept there: {reason}") from None


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at an address. Errors: `KontorError` saying why it cannot."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise KontorError(f"--host {host}: there is no such address here: {reason}") from None
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise KontorError(f"cannot listen at {host}, port {port}: {error.strerror}: try --port 0") from None
    return listening


def address_of(listening: socket.socket, host: str, token: str | None) -> str:
    """The address for a browser. Of a server on all of a machine's addresses it is this machine's name."""
    name = socket.gethostname() if host in ("0.0.0.0", "::", "") else host
    bracketed = f"[{name}]" if ":" in name else name
    query = f"?{urlencode({'token': token})}" if token is not None else ""
    return f"http://{bracketed}:{listening.getsockname()[1]}/{query}"


def server_for(app: FastAPI) -> uvicorn.Server:
    """A server that prints nothing but what goes wrong: addresses hold keys."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    app.state.server = uvicorn.Server(config)
    return app.state.server
