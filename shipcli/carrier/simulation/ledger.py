"""What simulated carriers store, as a port: labels bought, voided and manifested; files behind links.

It stands for the carriers' own database: it survives a crash of ours and tells what they would bill. The
application hands in a file, tests a dictionary.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from shipcli.carrier.wire.calls import Reply, Request

FILE = "file"


class Ledger(Protocol):
    """Records by carrier, kind and key."""

    def transaction(self) -> AbstractContextManager[None]:
        """One request of a simulator: all of its writes or none; reentrant in a thread."""

    def next_number(self, slug: str, series: str = "label") -> int:
        """The next number of a series, from 1."""

    def put(self, slug: str, kind: str, key: str, record: Mapping[str, Any]) -> None:
        """Write a record, replacing the one of the same key."""

    def get(self, slug: str, kind: str, key: str) -> dict[str, Any] | None:
        """The record of a key."""

    def find(self, slug: str, kind: str, **equal: Any) -> list[dict[str, Any]]:
        """Records whose top-level members equal the given ones, oldest first.

        Found at once by `group`, `identifier`, `key`, `manifest` or `number`; else all of the kind are read.
        """

    def remove(self, slug: str, kind: str, key: str) -> None:
        """Delete a record."""

    def everything(self, kind: str | None = None) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """Yield slug, kind, key and record of all, oldest first."""


class StorageHost:
    """The host, of another company, on which a carrier's files lie that are handed out as links.

    Requests with credentials are refused, so that a carrier class which leaks them does not work.
    """

    def __init__(self, ledger: Ledger, slug: str, address: str) -> None:
        self._ledger, self._slug, self._address = ledger, slug, address

    def put(self, name: str, content: bytes, content_type: str) -> str:
        """Store a file and return its link."""
        record = {"content": base64.b64encode(content).decode(), "type": content_type}
        self._ledger.put(self._slug, FILE, name, record)
        return f"{self._address}/{name}"

    def hosts(self, request: Request) -> bool:
        """Whether a request goes to this host."""
        return bool(self._address) and request.url.startswith(f"{self._address}/")

    def answer(self, request: Request) -> Reply:
        """Return the file of a link, or a refusal."""
        file = self._ledger.get(self._slug, FILE, request.path.rpartition("/")[2])
        if request.method != "GET" or request.header("authorization"):
            return _refuse(400, "InvalidRequest")
        if file is None:
            return _refuse(403, "AccessDenied")
        return Reply(200, base64.b64decode(file["content"]), {"content-type": file["type"]})


def _refuse(status: int, code: str) -> Reply:
    return Reply(status, f"<Error><Code>{code}</Code></Error>".encode(), {"content-type": "application/xml"})
