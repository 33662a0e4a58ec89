"""The host on which a simulated carrier's files lie, of carriers that hand out links to a store of others."""

from __future__ import annotations

import base64

from shipcli.carrier.simulation.ledger import Ledger
from shipcli.carrier.wire.calls import Reply, Request

FILE = "file"


class StorageHost:
    """The files of one carrier under one address.

    It has nothing to do with the carrier's log-in: whoever tells it credentials is refused, so that a carrier
    class which leaks them does not work.
    """

    def __init__(self, ledger: Ledger, slug: str, address: str) -> None:
        self._ledger, self._slug, self._address = ledger, slug, address

    def put(self, name: str, content: bytes, content_type: str) -> str:
        """Keep a file; its link."""
        record = {"content": base64.b64encode(content).decode(), "type": content_type}
        self._ledger.put(self._slug, FILE, name, record)
        return f"{self._address}/{name}"

    def hosts(self, request: Request) -> bool:
        """Whether a request goes to this host."""
        return bool(self._address) and request.url.startswith(f"{self._address}/")

    def answer(self, request: Request) -> Reply:
        """The file of a link, or a refusal."""
        found = self._ledger.get(self._slug, FILE, request.path.rpartition("/")[2])
        if request.method != "GET" or request.header("authorization"):
            return _refuse(400, "InvalidRequest")
        if found is None:
            return _refuse(403, "AccessDenied")
        return Reply(200, base64.b64decode(found["content"]), {"content-type": found["type"]})


def _refuse(status: int, code: str) -> Reply:
    return Reply(status, f"<Error><Code>{code}</Code></Error>".encode(), {"content-type": "application/xml"})
