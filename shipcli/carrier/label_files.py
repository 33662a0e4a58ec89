"""Label files as carriers send them: base64 text, one file or many."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence


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
    """Several files (base64) as one of a kind, PDF or ZPL, in order; one file stays as it is."""
    return files[0] if len(files) == 1 else convert_files(files, kind)


def merge_papers(papers: Mapping[str, Sequence[str]], kind: str = "PDF") -> dict[str, str]:
    """Papers by name, the files of each as one: the label of a kind, others as PDF; none without a file."""
    there = {name: files for name, files in papers.items() if files}
    return {name: merge_files(files, kind if name == "label" else "PDF") for name, files in there.items()}


def convert_files(files: Sequence[str], kind: str = "PDF") -> str:
    """Files (base64) as one of a kind: PDF, ZPL or PNG.

    Pictures become PDF pages. Printer language stays what it is where it can't be drawn here. Of files that
    can't be read (a marker in their place) the first is passed on.
    """
    from shipcli.drawing import Unconvertible, label_kind, merge

    found = [content for text in files if (content := decode_file(text)) and label_kind(content)]
    if len(found) < len(files):
        return files[0]
    try:
        return encode_file(merge(found, kind))
    except Unconvertible:
        return encode_file(merge(found, "ZPL"))
