"""What goes wrong at the web's edge: an error with its HTTP status."""

from __future__ import annotations

from envs.errors import KontorError


class WebError(KontorError):
    """A request that cannot be answered: one line for the person who made it, and the HTTP status.

    That is 4xx, or 5xx where the fault is the server's.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
