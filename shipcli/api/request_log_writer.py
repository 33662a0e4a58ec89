"""The request log of a server: entries are written together, with the quick writes of the moment.

A flush waits behind what is queued there already: alone it happens at once, under load many entries share
one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from shipcli.features.core.app import App
from shipcli.features.ops.request_log import LogEntry, record
from shipcli.store.errors import StoreError

log = logging.getLogger("shipcli.api")
MOST = 100  # entries of one transaction


class Journal:
    """Entries on their way to the store. `wake` has somebody flush them soon."""

    def __init__(self, app: App, wake: Callable[[], None]) -> None:
        self._app, self._wake = app, wake
        self._lock = threading.Lock()
        self._waiting: list[LogEntry] = []

    def add(self, entry: LogEntry) -> None:
        """Write a call down soon."""
        with self._lock:
            self._waiting.append(entry)
            if len(self._waiting) > 1:  # somebody was woken for the first
                return
        self._wake()

    def flush(self) -> None:
        """Write down what waits."""
        with self._lock:
            entries, self._waiting = self._waiting, []
        try:
            for start in range(0, len(entries), MOST):
                record(self._app, entries[start : start + MOST])
        except StoreError as error:
            log.error("the request log lost %d entries: %s", len(entries), error)
