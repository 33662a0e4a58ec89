"""A receiver of webhooks that checks each signature, using only Python's standard library.

    WEBHOOK_SECRET=whsec_... python examples/webhook_receiver.py PORT

`shipcli webhooks create --url http://127.0.0.1:PORT --events all` shows the secret. The receiver prints a
line per event. Events are signed according to Standard Webhooks (https://www.standardwebhooks.com), for which
there are libraries in most languages.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOLERANCE_S = 300
LARGEST = 1_000_000
seen: set[str] = set()  # a real receiver keeps them in its database, with what the event changed


def is_genuine(secret: str, headers: dict[str, str], body: bytes, now_s: float) -> bool:
    """Whether one of the signatures is recent, and was made with the secret over this body."""
    at = headers.get("webhook-timestamp", "")
    if not at.isdigit() or abs(now_s - int(at)) > TOLERANCE_S:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_") + "==")
    content = b".".join((headers.get("webhook-id", "").encode(), at.encode(), body))
    wanted = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(f"v1,{wanted}".encode(), one.encode()) for one in signatures)


def take(message_id: str, event: dict[str, Any]) -> None:
    """Handle an event once: it may come again if our answer was lost, or if it is replayed."""
    if message_id not in seen:
        seen.add(message_id)
        print(event["type"], event["data"].get("tracking_number") or event["data"].get("id"), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Answer at once: the sender waits only ten seconds, so longer work belongs in a queue."""
        length = int(self.headers.get("Content-Length", 0))
        if length > LARGEST:
            self.answer(413)
            return
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        if is_genuine(os.environ["WEBHOOK_SECRET"], headers, body, time.time()):
            take(headers["webhook-id"], json.loads(body))
            self.answer(204)
        else:
            self.answer(401)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing but events."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
