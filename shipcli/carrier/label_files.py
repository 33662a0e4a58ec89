"""Label files as carriers send them: base64 text, one file or many."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence


def encode_file(content: bytes) -> str:
    """Bytes as the base64 text that `Label.docs` holds."""
    return base64.b64encode(content).decode()


def decode_file(text: str) -> bytes | None:
    """The bytes of a base64 text, which may have line breaks; None if it is none."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def merge_files(files: Sequence[str], kind: str = "PDF") -> str:
    """Several files (base64) as one of a kind: PDF, ZPL or PNG pages in order.

    One file stays as it is, and so does the first of files that can't be read (a marker in their place).
    Pictures become PDF pages. Printer language stays printer language where it can't be drawn here.
    """
    from shipcli.drawing import Unconvertible, label_kind, merge

    found = [content for text in files if (content := decode_file(text)) and label_kind(content)]
    if len(files) == 1 or len(found) < len(files):
        return files[0]
    try:
        return encode_file(merge(found, kind))
    except Unconvertible:
        return encode_file(merge(found, "ZPL"))
