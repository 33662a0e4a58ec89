"""The request log of a server: entries are written together by the thread that does the other quick writes.

A flush waits behind what is queued there already: alone it happens at once, under load many entries share
one.
"""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Executor

from shipcli.services.app import App
from shipcli.services.request_log import Entry, record
from shipcli.store.errors import StoreError

log = logging.getLogger("shipcli.api")
MOST = 100  # entries of one transaction


class Journal:
    """Entries on their way to the store."""

    def __init__(self, app: App, writer: Executor) -> None:
        self._app, self._writer = app, writer
        self._lock = threading.Lock()
        self._waiting: list[Entry] = []
        self._called = False

    def add(self, entry: Entry) -> None:
        """Write a call down soon."""
        with self._lock:
            self._waiting.append(entry)
            if self._called:
                return
            self._called = True
        self._writer.submit(self.flush)

    def flush(self) -> None:
        """Write down what waits."""
        with self._lock:
            entries, self._waiting, self._called = self._waiting, [], False
        try:
            for start in range(0, len(entries), MOST):
                record(self._app, entries[start : start + MOST])
        except StoreError as error:
            log.error("the request log lost %d entries: %s", len(entries), error)
