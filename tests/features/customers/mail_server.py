"""A real mail server on loopback, in threads of its own: it keeps what it takes, and fails as it is told."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

ANSWERS = {"EHLO": "250-mail.example\r\n250 SMTPUTF8", "MAIL": "250 ok", "RCPT": "250 ok", "DATA": "354 on",
           "QUIT": "221 bye"}  # fmt: skip


@dataclass
class MailBox:
    """What arrived. `answers` are replies by command, `END` that to a whole message; "" hangs up instead.

    `at` is called before a command is answered, `message` before a whole message is.
    """

    port: int = 0
    answers: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    at: dict[str, Callable[[], object]] = field(default_factory=dict)

    @property
    def messages(self) -> list[EmailMessage]:
        return [message_from_bytes(content, policy=policy.default) for content in self.raw]  # type: ignore[misc]


class MailHandler(socketserver.StreamRequestHandler):
    """One conversation."""

    box: MailBox

    def handle(self) -> None:
        is_open = self._say("220 mail.example")
        while is_open and (line := self.rfile.readline()):
            self.box.lines.append(line.decode().strip())
            word = line[:4].decode().upper().strip()
            self._meet(word)
            is_open = self._say(self.box.answers.get(word, ANSWERS.get(word, "502 unknown")))
            if is_open and word == "DATA" and self._is_taken():
                is_open = self._take()

    def _is_taken(self) -> bool:
        return self.box.answers.get("DATA", "354").startswith("354")

    def _take(self) -> bool:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line[1:] if line.startswith(b"..") else line)
        self.box.raw.append(b"".join(lines))
        self._meet("message")
        return self._say(self.box.answers.get("END", "250 taken"))

    def _meet(self, step: str) -> None:
        self.box.at.get(step, bool)()

    def _say(self, text: str) -> bool:
        if text:
            self.wfile.write(text.encode() + b"\r\n")
        else:
            self.request.shutdown(socket.SHUT_RDWR)
        return bool(text) and not text.startswith("221")


@contextmanager
def receive_mail() -> Iterator[MailBox]:
    """A mail server while the block runs."""
    box = MailBox()
    handler = type("BoxHandler", (MailHandler,), {"box": box})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        box.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield box
        finally:
            server.shutdown()
            thread.join()
