"""Talk to a printer at a network port: its state, and whether it has received all that was sent.

Source: Zebra ZPL II programming guide, "~HS Host Status Return".
"""

from __future__ import annotations

import socket
import sys
import time

STATUS = b"~HS"
_POLL_S = 0.05
_LINES, _LINE_END = 3, b"\x03"
# What ~HS says is wrong: line and field, both counted from 0.
_TROUBLES = {
    (0, 1): "is out of paper",
    (0, 2): "is paused",
    (0, 10): "is too cold",
    (0, 11): "is too hot",
    (1, 2): "has its head open",
    (1, 3): "is out of ribbon",
}


def wait_until_taken(connection: socket.socket, wait_s: float, patience_s: float, closes: bool) -> bool:
    """Wait until the printer closes the connection too, and return whether it did.

    Many printers never do: one that is not known to close it, has acknowledged every byte, and does not break
    off within `wait_s` after that, counts as having taken them all.
    Errors: OSError if it breaks off, or does nothing for `patience_s` although there is more to take, or it
            is known to close.
    """
    left, moved_at = -1, 0.0
    while True:
        now, before, left = time.monotonic(), left, count_unacknowledged(connection)
        if left != before:
            moved_at = now
        if now - moved_at > (patience_s if left or closes else wait_s):
            break
        if _has_closed(connection):
            return True
    if left:
        raise TimeoutError("it took a part only, and then no more")
    if closes:
        raise TimeoutError("it does not close the connection, as it did before")
    return False


def count_unacknowledged(connection: socket.socket) -> int:
    """Return how many sent bytes the other side has not confirmed; 0 if the system does not tell."""
    if sys.platform != "linux":
        return 0
    from fcntl import ioctl
    from termios import TIOCOUTQ  # SIOCOUTQ of sockets is the same number

    return int.from_bytes(ioctl(connection, TIOCOUTQ, bytes(4)), sys.byteorder)


def _has_closed(connection: socket.socket) -> bool:
    """Return whether the printer closes the connection within a moment; what it sends is ignored."""
    connection.settimeout(_POLL_S)
    try:
        return not connection.recv(4096)
    except TimeoutError:
        return False


def ask_troubles(connection: socket.socket) -> list[str]:
    """Return what keeps the printer from printing, as it reports itself.

    Errors: OSError if it does not answer as such printers do.
    """
    connection.sendall(STATUS)
    reply = b""
    while reply.count(_LINE_END) < _LINES:
        piece = connection.recv(4096)
        if not piece:
            raise ConnectionError("it closed the connection without saying how it is")
        reply += piece
    return read_troubles(reply)


def read_troubles(status: bytes) -> list[str]:
    """Return the troubles that an answer to ~HS reports.

    Shapes: three lines between STX and ETX, fields apart by commas.
    """
    lines = [line.strip(b"\x02\r\n").decode("ascii", "replace") for line in status.split(_LINE_END)]
    fields = [line.split(",") for line in lines]
    return [
        trouble for (line, field), trouble in _TROUBLES.items() if fields[line][field : field + 1] == ["1"]
    ]
