"""Spreadsheets as rows of text, read in a process of their own.

A spreadsheet is a program's worth of work for whoever opens it: 1.5 KB can ask for all memory there is. The
process has limits on time, memory and output, and ends with the file; what it read rests in a file on disk.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Iterator
from typing import IO

from shipcli.isolation import ResourceLimits, make_bare_environment, stop_process
from shipcli.models import json
from shipcli.models.basics.errors import Invalid, ShipcliError

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"  # xlsx and ods; xls
LIMITS = ResourceLimits(cpu_s=60, memory=1 << 30, written=512 << 20)
WALL_S = 180.0
REFUSED = 3  # how the process ends that says why it does not read a file
LINES = 1 << 20  # bytes of rows that are read together
TOO_SLOW = "The spreadsheet takes longer to read than the {:g} seconds one may take."
TOO_LARGE = "The spreadsheet needs more memory than one may take, or is damaged."


class SpreadsheetRows:
    """The rows of one sheet, read once and kept on disk; they can be gone through any number of times.

    Errors: Invalid naming the file, or the sheet, when it can't be read.
    """

    def __init__(self, name: str, content: bytes, sheet: str | None = None) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed with this object
        weakref.finalize(self, self._file.close)
        _read_into(self._file, name, content, sheet)
        self._file.seek(0)
        self.sheets: list[str] = json.loads(self._file.readline())  # the one that is read first
        self._start = self._file.tell()

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        at = self._start
        while lines := self._lines(at):
            at = self._file.tell()
            for line in lines:
                number, texts = json.loads(line)
                yield number, texts

    def _lines(self, at: int) -> list[bytes]:
        self._file.seek(at)
        return self._file.readlines(LINES)


def _read_into(out: IO[bytes], name: str, content: bytes, sheet: str | None) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "shipcli.readers.spreadsheets.worker", *([sheet] if sheet else [])],
        stdin=subprocess.PIPE,
        stdout=out,
        stderr=subprocess.PIPE,
        env=make_bare_environment(),
        cwd=os.path.abspath(os.sep),
        start_new_session=True,
    )
    with process:
        try:
            _, report = process.communicate(content, WALL_S)
        except subprocess.TimeoutExpired:
            raise Invalid(name, TOO_SLOW.format(WALL_S)) from None
        finally:
            stop_process(process)
    if process.returncode:
        raise _make_error(name, process.returncode, report)


def _make_error(name: str, code: int, report: bytes) -> ShipcliError:
    if code == REFUSED:
        refusal = json.loads(report)
        return Invalid(refusal["field"] or name, refusal["reason"])
    if -code in (getattr(signal, "SIGXCPU", 0), getattr(signal, "SIGKILL", 0)):
        return Invalid(name, TOO_SLOW.format(LIMITS.cpu_s))
    if code < 0:
        return Invalid(name, TOO_LARGE)
    return ShipcliError("The process that reads spreadsheets could not be started")
