"""The request log of a server: entries are written in groups, together with the current quick writes.

A flush waits behind the writes that are already queued: when idle it happens at once, under load many entries
share one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime

from shipcli.api.http.request import HttpRequest
from shipcli.api.principal import Principal
from shipcli.features.admin.request_log import LogEntry, record, write_path
from shipcli.features.core.app import App
from shipcli.store.errors import StoreError

log = logging.getLogger("shipcli.api")
MOST = 100  # entries per transaction


class RequestLogWriter:
    """Entries on their way to the store. `wake` makes another thread flush them soon."""

    def __init__(self, app: App, wake: Callable[[], None]) -> None:
        self._app, self._wake = app, wake
        self._lock = threading.Lock()
        self._waiting: list[LogEntry] = []

    def add(self, entry: LogEntry) -> None:
        """Log a call soon."""
        with self._lock:
            self._waiting.append(entry)
            if len(self._waiting) > 1:  # `wake` was called for the first
                return
        self._wake()

    def flush(self) -> None:
        """Write the waiting entries to the store."""
        with self._lock:
            entries, self._waiting = self._waiting, []
        try:
            for start in range(0, len(entries), MOST):
                record(self._app, entries[start : start + MOST])
        except StoreError as error:
            log.error("the request log lost %d entries: %s", len(entries), error)


def make_log_entry(
    request: HttpRequest,
    caller: Principal,
    status: int,
    started: datetime,
    took_ms: float,
    *,
    body: bytes = b"",
    answer: bytes = b"",
) -> LogEntry:
    """The request log entry of a call, with as much of its body and its answer as may be kept."""
    return LogEntry(
        id=request.id.decode(),
        method=request.method,
        path=write_path(request.path, request.query),
        status=status,
        caller=caller.name,
        test_mode=caller.test_mode,
        started_at=started,
        duration_ms=took_ms,
        request=body,
        response=answer,
    )
