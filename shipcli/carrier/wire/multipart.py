"""Multipart bodies in both directions."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.parser import HeaderParser
from email.utils import collapse_rfc2231_value
from quopri import decodestring

_BOUNDARY = re.compile(r"boundary=(?:\"([^\"]*)\"|([^;\s]+))", re.IGNORECASE)
_REST_OF_LINE = re.compile(rb"(--)?[ \t]*(?:\r?\n|\Z)")
_END_OF_HEAD = re.compile(rb"(?:\A|\r?\n)\r?\n")


@dataclass(frozen=True, slots=True)
class MultipartPart:
    """One part of a multipart body: a field, or a file when it has a file name.

    In replies, the name of a part without one is its Content-ID.
    """

    name: str
    content: str | bytes
    filename: str | None = None
    content_type: str | None = None


def join(parts: Sequence[MultipartPart], boundary: str) -> bytes:
    """Return the parts as one multipart/form-data body."""
    lines: list[bytes] = []
    for part in parts:
        filename = f'; filename="{_quote(part.filename)}"' if part.filename else ""
        lines += [
            f"--{boundary}".encode(),
            f'Content-Disposition: form-data; name="{_quote(part.name)}"{filename}'.encode(),
        ]
        if part.content_type:
            lines.append(f"Content-Type: {part.content_type}".encode())
        lines += [b"", part.content.encode() if isinstance(part.content, str) else part.content]
    return b"\r\n".join([*lines, f"--{boundary}--".encode(), b""])


def choose_boundary(parts: Sequence[MultipartPart], boundary: str) -> str:
    """Return the wanted boundary, made longer until no part contains it."""
    contents = [part.content.encode() if isinstance(part.content, str) else part.content for part in parts]
    while any(boundary.encode() in content for content in contents):
        boundary += "-"
    return boundary


def _quote(name: str) -> str:
    """Return a name as a browser writes it: what could end the quotes or the line is escaped."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def split(content: bytes, content_type: str) -> list[MultipartPart]:
    """Return the parts of a multipart body; without a boundary in the header, the first line is read as one.

    Errors: ValueError when the body has no boundary.
    """
    body = content.lstrip()
    parts = [_read_part(section) for section in _split_sections(body, _find_boundary(body, content_type))]
    if not parts:
        raise ValueError("a reply that says multipart and has no parts")
    return parts


def _find_boundary(body: bytes, content_type: str) -> bytes:
    named = _BOUNDARY.search(content_type)
    if named:
        return (named[1] or named[2] or "").encode("latin-1")
    first = body.partition(b"\n")[0].strip()
    if not first.startswith(b"--"):
        raise ValueError("a multipart reply without a boundary")
    return first[2:]


def _split_sections(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """Yield what stands between the lines of the boundary; of a truncated body also its last part."""
    mark = b"--" + boundary
    start, at = None, body.find(mark)
    while at >= 0:
        match = _REST_OF_LINE.match(body, at + len(mark))
        if match and (at == 0 or body[at - 1 : at] == b"\n"):
            if start is not None:
                yield body[start : at - 2 if body[at - 2 : at] == b"\r\n" else at - 1]
            if match[1]:
                return
            start = match.end()
        at = body.find(mark, at + len(mark))
    if start is not None:
        yield body[start:]


def _read_part(section: bytes) -> MultipartPart:
    # The library reads the head alone: of a body it would make lines, and parse what is nested in it.
    end = _END_OF_HEAD.search(section)
    head, body = (section[: end.start()], section[end.end() :]) if end else (section, b"")
    headers = HeaderParser().parsestr(head.decode("utf-8", "replace"))
    content_id = headers.get("content-id", "").strip("<> ")
    name = headers.get_param("name", content_id, header="content-disposition")
    content = _decode(body, headers.get("content-transfer-encoding", "").strip().lower())
    return MultipartPart(
        collapse_rfc2231_value(name), content, headers.get_filename(), headers.get_content_type()
    )


def _decode(content: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return decodestring(content)
    try:
        return binascii.a2b_base64(content) if encoding == "base64" else content
    except binascii.Error:
        return content
