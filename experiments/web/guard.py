"""Who may ask, and how much: what every request passes before any page sees it.

Hosts and origins are checked so that no other web page can reach a server of this machine through its
visitor's browser (DNS rebinding, forged requests). Where a token is set, it comes in once in the URL and stays in a
cookie that no script can read.
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from fastapi import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from experiments.web.pages import error_response

COOKIE = "kontor_token"
MOST_BYTES = 64 * 1024
"""The largest body of a request."""

TOO_LARGE = f"the request is larger than {MOST_BYTES // 1024} KiB"

LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})

HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
}
"""Sent with every answer: scripts from this server alone, no frames, and no address (it holds keys) passed on."""


class Guard:
    """ASGI middleware: host, origin, token and size of a request; security headers of the answer.

    `hosts` are the names that the server answers to, None for any (behind a token).
    """

    def __init__(self, app: ASGIApp, token: str | None, hosts: frozenset[str] | None) -> None:
        self.app, self.token, self.hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        read = 0

        async def receive_some() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > MOST_BYTES:  # a body that did not say how large it is
                raise HTTPException(413, TOO_LARGE)
            return message

        await self.app(scope, receive_some, _with_headers(send))

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> Response | None:
        """The answer to a request that goes no further; None for one that may."""
        host = headers.get("host", "")
        if self.hosts is not None and host_name(host) not in self.hosts:
            return error_response(scope, 421, f"this server does not answer to the name {host_name(host)!r}")
        origin = headers.get("origin")
        if scope["method"] not in ("GET", "HEAD") and origin is not None and origin_host(origin) != host:
            return error_response(scope, 403, f"a page of {origin} may not act here")
        if (headers.get("content-length") or "0").isdecimal() and int(headers.get("content-length") or 0) > MOST_BYTES:
            return error_response(scope, 413, TOO_LARGE)
        return self._check_token(scope, headers) if self.token is not None else None

    def _check_token(self, scope: Scope, headers: dict[str, str]) -> Response | None:
        assert self.token is not None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is not None and scope["method"] == "GET" and _equal(given, self.token):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            path = "/" + quote(scope["path"].lstrip("/"))  # one slash: two would lead to another server
            response = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            response.set_cookie(COOKIE, self.token, httponly=True, samesite="lax")
            return response
        if _equal(_cookie(headers), self.token):
            return None
        return error_response(scope, 401, "this server asks for its token: open the address that kontor serve printed")


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return host


def origin_host(origin: str) -> str | None:
    """Host and port of a page's origin, None if it is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _equal(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


def _cookie(headers: dict[str, str]) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def _with_headers(send: Send) -> Send:
    """The same, with the security headers added to every answer; pages are never kept by caches."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message["headers"]}
            extra = HEADERS if b"cache-control" in present else {**HEADERS, "cache-control": "no-store"}
            message["headers"] = [
                *message["headers"],
                *((name.encode(), value.encode()) for name, value in extra.items() if name.encode() not in present),
            ]
        await send(message)

    return sending
