"""Requests of web pages from other origins (CORS): those in the setting `allowed_origins`, by default none.

With `credentials: include`, a browser adds the credentials it remembers for a site to a page's requests. No
response allows that, so that a page can only use credentials it was given.
"""

from __future__ import annotations

from collections.abc import Iterable

from shipcli.api.http.responses import Header, HttpResponse

ANY = "*"
METHODS = "DELETE, GET, OPTIONS, PATCH, POST, PUT"
HEADERS = (
    "accept, authorization, content-type, user-agent, x-csrftoken, x-requested-with, x-test-mode, x-org-id, "
    "x-request-id, idempotency-key"
)
EXPOSED = (
    "x-request-id, x-test-mode, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, "
    "idempotent-replayed"
)
MAX_AGE_S = 86400
VARY: Header = (b"vary", b"origin")


class Origins:
    """The origins whose pages may read responses; `*` stands for all."""

    def __init__(self, origins: Iterable[str] = ()) -> None:
        self._allowed = {origin.rstrip("/").encode("latin-1", "replace") for origin in origins}

    def headers(self, origin: bytes) -> tuple[Header, ...]:
        """The response headers for a page of this origin; without them the browser withholds the response."""
        if not self.allow(origin):
            return (VARY,)
        return (
            (b"access-control-allow-origin", origin),
            (b"access-control-expose-headers", EXPOSED.encode()),
            VARY,
        )

    def preflight(self, origin: bytes) -> HttpResponse:
        """The response to a preflight request."""
        if not self.allow(origin):
            return HttpResponse(200, b"", ())
        headers = {"access-control-allow-methods": METHODS, "access-control-allow-headers": HEADERS,
                   "access-control-max-age": str(MAX_AGE_S)}  # fmt: skip
        return HttpResponse(
            200, b"", tuple((name.encode(), value.encode()) for name, value in headers.items())
        )

    def allow(self, origin: bytes) -> bool:
        """Whether pages of an origin may read responses."""
        return origin in self._allowed or ANY.encode() in self._allowed


def is_preflight(method: str, headers: dict[bytes, bytes]) -> bool:
    """Whether this is a browser's preflight request."""
    return method == "OPTIONS" and b"origin" in headers and b"access-control-request-method" in headers
