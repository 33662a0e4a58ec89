"""A web server for one small application on a socket of this machine."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

GRACE_S = 2


async def close_nothing() -> None:
    """What an application needs that has nothing open."""


async def serve_application(
    application: Any,
    listener: socket.socket,
    ready: Callable[[], None],
    close: Callable[[], Awaitable[None]] = close_nothing,
) -> None:
    """Answer requests until the process is interrupted.

    `ready` is called when it begins, `close` at the end.
    """
    config = uvicorn.Config(
        application,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    asyncio.get_running_loop().call_soon(ready)
    try:
        await asyncio.shield(task)
    finally:  # a caller that has enough waits until requests in progress have ended
        server.should_exit = True
        await asyncio.wait([task])
        await close()
