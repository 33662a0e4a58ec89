"""Requests of pages from other places. Credentials travel in a header, never in a cookie, so any origin may
ask.
"""

from __future__ import annotations

from shipcli.api.answers import Answer, Header

METHODS = "DELETE, GET, OPTIONS, PATCH, POST, PUT"
HEADERS = (
    "accept, authorization, content-type, user-agent, x-csrftoken, x-requested-with, x-test-mode, x-org-id, "
    "x-request-id, idempotency-key"
)
EXPOSED = "x-request-id, x-test-mode, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after"
MAX_AGE_S = 86400
_SHARED: tuple[Header, ...] = (
    (b"access-control-allow-credentials", b"true"),
    (b"access-control-expose-headers", EXPOSED.encode()),
    (b"vary", b"origin"),
)


def for_origin(origin: bytes) -> tuple[Header, ...]:
    """The headers that let the page read the answer."""
    return ((b"access-control-allow-origin", origin), *_SHARED)


def preflight() -> Answer:
    """The answer to a browser that asks beforehand."""
    headers = {"access-control-allow-methods": METHODS, "access-control-allow-headers": HEADERS,
               "access-control-max-age": str(MAX_AGE_S)}  # fmt: skip
    return Answer(200, b"", tuple((name.encode(), value.encode()) for name, value in headers.items()))


def is_preflight(method: str, headers: dict[bytes, bytes]) -> bool:
    """Whether a browser asks beforehand."""
    return method == "OPTIONS" and b"origin" in headers and b"access-control-request-method" in headers
