"""A worker on a store of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shipcli.features.core.app import App
from shipcli.store.jobs import Schedule
from shipcli.worker import Handler, Worker
from tests.processes import PATIENCE_S


def enqueue(app: App, name: str, queue: str = "q", **args: Any) -> None:
    with app.store.transaction() as tx:
        app.jobs.enqueue(tx, queue, name, args, max_attempts=1)


def worker(
    app: App, *, queues: tuple[str, ...] = (), periodic: tuple[Schedule, ...] = (), **handlers: Handler
) -> Worker:
    return Worker(app, queues=queues, handlers=handlers, periodic=periodic)


@contextmanager
def running(made: Worker) -> Iterator[None]:
    """A worker in a thread of its own, stopped when the block ends."""
    thread = threading.Thread(target=made.run)
    thread.start()
    try:
        yield
    finally:
        made.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the worker does not stop"
