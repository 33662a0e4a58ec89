"""A real HTTP receiver on loopback, in a thread of its own: paths choose how it behaves."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

HANG_S = 60.0


@dataclass(frozen=True)
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


@dataclass
class Receiver:
    """What arrived. `/500` answers so, `/hang` never, `/close` hangs up, `/drip` sends a byte a second."""

    port: int = 0
    received: list[Received] = field(default_factory=list)
    retry_after: str = ""

    def url(self, path: str = "/ok") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def at(self, path: str) -> list[Received]:
        return [one for one in self.received if one.path == path]

    def ids(self, path: str = "/ok") -> Counter[str]:
        return Counter(one.id for one in self.at(path))

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                continue
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return False
        first, *lines = head.decode().split("\r\n")[:-2]
        path = first.split(" ")[1]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.received.append(Received(path, headers, body))
        return await self._reply(path, writer)

    async def _reply(self, path: str, writer: asyncio.StreamWriter) -> bool:
        if path == "/hang":
            await asyncio.sleep(HANG_S)
        if path in ("/hang", "/close"):
            return False
        if path == "/drip":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n")
            for _ in range(60):
                writer.write(b".")
                await writer.drain()
                await asyncio.sleep(1)
        word = path[1:4]
        status = word if word.isdigit() else "200"
        if path == "/gzip":
            body = gzip.compress(b"unpacked")
            head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            await writer.drain()
            return True
        pause = f"Retry-After: {self.retry_after}\r\n" if self.retry_after else ""
        place = f"Location: {self.url('/moved')}\r\n" if status.startswith("3") else ""
        writer.write(f"HTTP/1.1 {status} Said\r\n{pause}{place}Content-Length: 4\r\n\r\nsaid".encode())
        await writer.drain()
        return True


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver while the block runs."""
    receiver, loop, ready = Receiver(), asyncio.new_event_loop(), threading.Event()

    async def serve() -> asyncio.Server:
        server = await asyncio.start_server(receiver.answer, "127.0.0.1", 0, backlog=1000)
        receiver.port = server.sockets[0].getsockname()[1]
        ready.set()
        return server

    def run() -> None:
        server = loop.run_until_complete(serve())
        loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.wait(tasks))
        loop.run_until_complete(asyncio.sleep(0.01))
        loop.close()

    thread = threading.Thread(target=run, name="receiver")
    thread.start()
    ready.wait()
    try:
        yield receiver
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
