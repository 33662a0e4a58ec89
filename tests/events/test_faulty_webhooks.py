"""What a fault of the sandbox does to the webhook that is sent next."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from shipcli.events.envelope import make_signature
from shipcli.events.sender import OutgoingMessage, Sender, SendFault

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


class Receiver(ThreadingHTTPServer):
    """A subscriber that keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.received: list[tuple[dict[str, str], bytes]] = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((dict(self.headers), content))  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.mark.parametrize(
    ("kind", "copies", "is_signed"),
    [("duplicate", 2, True), ("bad_signature", 1, False), ("delayed", 1, True), ("receiver_down", 0, True)],
)
def test_a_webhook_meets_its_fault(
    receiver: Receiver, loop: asyncio.AbstractEventLoop, kind: str, copies: int, is_signed: bool
) -> None:
    sender = Sender(lambda: loop, stays_here=True, choose_fault=lambda: SendFault("fault-1", kind, 0.01))
    url = f"http://127.0.0.1:{receiver.server_port}/hook"
    sent = sender.send(OutgoingMessage(url, SECRET, "evt_1", b'{"type":"x"}'))
    sender.close()
    assert len(receiver.received) == copies
    assert sent.ok == bool(copies)
    assert "fault-1" in (sent.excerpt or str(sent.error))
    for headers, content in receiver.received:
        at_s = int(headers["webhook-timestamp"])
        right = make_signature(SECRET, "evt_1", content, at_s)
        assert (headers["webhook-signature"] == right) == is_signed
        assert headers["X-Sandbox-Injected"] == "fault-1"
