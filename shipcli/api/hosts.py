"""The names a server answers to.

A browser can be tricked into calling this server under someone else's name (DNS rebinding), and the links and
the issuer in the response would then carry that name. So a request must name the address that it came in
through, the machine, or a host that the setting `allowed_hosts` lists.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING

from shipcli.models.basics.errors import ShipcliError

if TYPE_CHECKING:
    from shipcli.api.request import HttpRequest

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
