"""What simulated carriers remember, in memory: for tests that need no file."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from shipcli.models.basics.json import dumps, loads
from shipcli.store.ledger import Record, fits


class MemoryLedger:
    """A ledger that ends with the process, with the same behaviour."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._numbers: dict[tuple[str, str], int] = {}
        self._records: dict[tuple[str, str, str], str] = {}

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._numbers, self._records = {}, {}

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes of the block or none; other threads wait."""
        with self._lock:
            before = None if self._depth else (dict(self._numbers), dict(self._records))
            self._depth += 1
            try:
                yield
            except BaseException:
                if before is not None:
                    self._numbers, self._records = before
                raise
            finally:
                self._depth -= 1

    def next_number(self, slug: str, series: str = "label") -> int:
        """The next number of a carrier's series, from 1."""
        with self._lock:
            number = self._numbers.get((slug, series), 0) + 1
            self._numbers[slug, series] = number
            return number

    def put(self, slug: str, kind: str, key: str, record: Mapping[str, Any]) -> None:
        """Write a record, replacing the one of the same key."""
        with self._lock:
            self._records[slug, kind, key] = dumps(record)

    def get(self, slug: str, kind: str, key: str) -> Record | None:
        """The record of a key."""
        with self._lock:
            text = self._records.get((slug, kind, key))
        return None if text is None else dict(loads(text))

    def find(self, slug: str, kind: str, **equal: Any) -> list[Record]:
        """Records whose top-level members equal the given ones, oldest first."""
        found = (record for owner, _, _, record in self.everything(kind) if owner == slug)
        return [record for record in found if fits(record, equal)]

    def remove(self, slug: str, kind: str, key: str) -> None:
        """Forget a record."""
        with self._lock:
            self._records.pop((slug, kind, key), None)

    def everything(self, kind: str | None = None) -> Iterator[tuple[str, str, str, Record]]:
        """Slug, kind, key and record of all, oldest first."""
        with self._lock:
            held = list(self._records.items())
        return ((*place, loads(text)) for place, text in held if kind in (None, place[1]))
