"""The carriers' own memory in a sandbox, as a port: labels bought, voided, manifested.

It is not ours: it survives a crash of ours and tells what the carriers would bill. The application hands
in a file, tests a dictionary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol


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
        """Forget a record."""

    def everything(self, kind: str | None = None) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """Slug, kind, key and record of all, oldest first."""
