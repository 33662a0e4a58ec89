"""The head of a request: the names a server answers to, and headers that may be there only once.

A browser can be tricked into calling this server under someone else's name (DNS rebinding), and the links and
the issuer in the response would then carry that name. So a request must name the address that it came in
through, the machine, or a host that the setting `allowed_hosts` lists.
"""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from shipcli.models.basics.errors import ShipcliError

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest, Scope

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


ANY = "*"


class UnknownHost(ShipcliError):
    """The request is for a host that is not served here."""

    code = "unknown_host"
    status = 421


class Hosts:
    """The host names one server answers to, besides the address that a connection came in through."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = {"localhost", socket.gethostname().lower(), *(name.lower() for name in names)}

    def check(self, request: HttpRequest) -> None:
        """Errors: UnknownHost naming the setting that would allow the host."""
        name = request.host_name
        if name in self._names or ANY in self._names or name == request.local_address:
            return
        text = f"The host {name!r} is not served here; the setting allowed_hosts lists the names that are"
        raise UnknownHost(text)


def split_names(text: str) -> list[str]:
    """Split the names in a setting, which are separated by commas or spaces."""
    return text.replace(",", " ").split()
