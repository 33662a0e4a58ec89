"""Checks the head of a request: headers that decide may be there only once.

A proxy in front of the server may take the first of two, and the server the last: then the proxy has checked
something else than what counts here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from shipcli.models.basics.errors import ShipcliError

if TYPE_CHECKING:
    from shipcli.api.request import Scope

ONCE = frozenset({
    b"host", b"authorization", b"content-length", b"content-type", b"content-encoding", b"idempotency-key",
    b"origin",
})  # fmt: skip
LENGTHS = frozenset({b"content-length", b"transfer-encoding"})


class BadHead(ShipcliError):
    """The head of a request says two things, or not where it goes."""

    code = "bad_request"
    status = 400


def check_head(scope: Scope) -> None:
    """Errors: BadHead naming the header that is repeated, missing or in conflict with another."""
    names = [name for name, _ in scope["headers"]]
    if len(set(names)) < len(names):
        _check_repeated(names)
    if b"host" not in names and scope.get("http_version", "1.1") == "1.1":
        raise BadHead("The header Host is missing")
    if LENGTHS.issubset(names):
        raise BadHead("The headers Content-Length and Transfer-Encoding exclude each other")


def _check_repeated(names: Iterable[bytes]) -> None:
    repeated = sorted(name for name, count in Counter(names).items() if count > 1 and name in ONCE)
    if repeated:
        raise BadHead(f"The header {repeated[0].decode().title()} may be sent only once")
