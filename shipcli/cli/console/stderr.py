"""Messages for people, beside the data: on standard error, safe for a terminal."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from shipcli.cli.current_run import get_run

if TYPE_CHECKING:
    from shipcli.cli.session import Run

RED, YELLOW, DIM = "31", "33", "2"

# C0 and C1 controls, delete, and the marks that turn the direction of text: data must not steer a terminal.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LINE_UNSAFE = re.compile(f"{_UNSAFE.pattern}|[\t\n]")
# JSON writes out the characters up to here itself; beyond it the form must be one that JSON reads.
_ESCAPED_BY_JSON = 0x1F
NARROWEST = 20
_NAMES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def escape_text(text: str) -> str:
    """Text with control characters escaped; line breaks and tabs stay."""
    return _UNSAFE.sub(_write_escape, text)


def escape_line(text: str) -> str:
    """The same on one line: line breaks and tabs are escaped as well."""
    return _LINE_UNSAFE.sub(_write_escape, text)


def _write_escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return _NAMES.get(match[0]) or (f"\\u{code:04x}" if code > _ESCAPED_BY_JSON else f"\\x{code:02x}")


def paint(text: str, code: str, stream: Any = None, run: Run | None = None) -> str:
    """Text in a colour if the run (by default the current one) and the stream allow colour."""
    return f"\x1b[{code}m{text}\x1b[0m" if (run or get_run()).colors(stream or sys.stderr) else text


def write(text: str, tag: str = "") -> None:
    """Write one line to standard error: a tag of our own, which may be painted, and text from anywhere."""
    sys.stderr.write(f"{tag}{escape_line(text)}\n")
    sys.stderr.flush()


def _write_tagged(tag: str, colour: str, text: str) -> None:
    """Write a line behind a tag; on a terminal a long one goes on below, and no word is broken."""
    line = escape_line(text)
    shown = _wrap_line(line, len(tag) + 1) if sys.stderr.isatty() else line
    sys.stderr.write(f"{paint(tag, colour)} {shown}\n")
    sys.stderr.flush()


def _wrap_line(text: str, taken: int) -> str:
    """A line on several where the terminal is narrower; `taken` columns are written already."""
    width = shutil.get_terminal_size().columns
    if taken + len(text) <= width:
        return text
    lines = textwrap.wrap(
        text, max(width, NARROWEST), initial_indent=" " * taken, subsequent_indent="  ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return "\n".join(lines)[taken:]


def write_block(text: str) -> None:
    """Write lines to standard error, such as a traceback."""
    sys.stderr.write(f"{escape_text(text)}\n")
    sys.stderr.flush()


def note(text: str) -> None:
    """Write something worth knowing; `-q` silences it."""
    if not get_run().options.quiet:
        _write_tagged("note:", DIM, text)


def warn(text: str) -> None:
    """Write a warning."""
    _write_tagged("warning:", YELLOW, text)


def warn_deprecated(what: str, instead: str) -> None:
    """Warn that an operation or option will be removed."""
    warn(f"{what} is deprecated; use {instead}")
