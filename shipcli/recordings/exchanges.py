"""The file of a recording: a line of JSON for each request with its answer, oldest first.

A line is written at once and is on the disk before the next request is answered: a killed recorder loses the
exchange it was about to write, and what it left of a last line is ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from shipcli.models import Conflict, Invalid, NotFound, json

VERSION = 1
FORMAT = "shipcli_recording"


class Exchange(NamedTuple):
    """A request and its answer. Bodies are JSON; in place of any other there is `file`, its type and size."""

    method: str
    path: str
    query: list[list[str]]
    headers: dict[str, str]
    body: Any
    status: int
    answer_headers: dict[str, str]
    answer: Any
    file: dict[str, Any] | None = None
    sent_file: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """What was asked."""
        return f"{self.method} {self.path}"


class RecordingWriter:
    """Writes a new recording, readable by this user only.

    Errors: Conflict if there is a file of this name.
    """

    def __init__(self, path: Path, server: str) -> None:
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise Conflict(f"{path} exists: name another file") from None
        self.count = 0
        self._write({FORMAT: VERSION, "server": server})

    def add(self, exchange: Exchange) -> None:
        """Add an exchange."""
        self._write(exchange._asdict())
        self.count += 1

    def _write(self, row: dict[str, Any]) -> None:
        os.write(self._file, json.dump_bytes(row) + b"\n")
        os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def read_recording(path: Path) -> list[Exchange]:
    """The exchanges of a recording.

    Errors: NotFound; Invalid naming the line that is none.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NotFound("file", message=f"{path} can't be read: {error.strerror}") from None
    rows = list(_read_rows(path, content))
    if not rows or rows[0].get(FORMAT) != VERSION:
        raise Invalid("file", f"{path} is not a recording of this version")
    return [_make_exchange(path, number, row) for number, row in enumerate(rows[1:], 2)]


def _read_rows(path: Path, content: bytes) -> Iterator[dict[str, Any]]:
    lines = content.split(b"\n")[:-1]  # after the last end of a line is nothing, or the rest of a killed one
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise Invalid("file", f"{path}, line {number}: it is not an exchange")
        yield row


def _make_exchange(path: Path, number: int, row: dict[str, Any]) -> Exchange:
    try:
        return Exchange(**row)
    except TypeError:
        raise Invalid("file", f"{path}, line {number}: it is not an exchange") from None
