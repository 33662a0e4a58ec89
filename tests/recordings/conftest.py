"""Applications that are served on a port of this machine while a test runs."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shipcli.recordings.exchanges import RecordingWriter
from shipcli.recordings.proxy import RecordingProxy
from shipcli.small_server import close_nothing, serve_application
from tests.processes import PATIENCE_S


@contextmanager
def served(application: Any, close: Callable[[], Awaitable[None]] = close_nothing) -> Iterator[str]:
    """The address of an application."""
    ready, loop = threading.Event(), asyncio.new_event_loop()
    tasks: list[asyncio.Task[None]] = []

    async def run(listener: socket.socket) -> None:
        tasks.append(asyncio.create_task(serve_application(application, listener, ready.set, close)))
        await asyncio.gather(*tasks, return_exceptions=True)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=loop.run_until_complete, args=(run(listener),))
        thread.start()
        assert ready.wait(PATIENCE_S)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            loop.call_soon_threadsafe(tasks[0].cancel)
            thread.join()
            loop.close()


@contextmanager
def recorded(server: str, path: Path) -> Iterator[str]:
    """The address of a proxy that records a server."""
    writer = RecordingWriter(path, server)
    try:
        proxy = RecordingProxy(server, writer)
        with served(proxy, proxy.aclose) as address:
            yield address
    finally:
        writer.close()
