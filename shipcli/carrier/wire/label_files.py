"""Label files as carriers send them: base64 text, one file or many."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping, Sequence

# How a PDF, ZPL, PNG or GIF begins: as it is, and as the base64 text of a member or an element.
FILE_STARTS = re.compile(rb"""%PDF-|\^XA|["'>](?:JVBERi0|XlhB|iVBORw0KGgo|R0lGOD)""")


def encode_file(content: bytes) -> str:
    """Return bytes as the base64 text that `Label.docs` holds."""
    return base64.b64encode(content).decode()


def decode_file(text: str) -> bytes | None:
    """Return the bytes of a base64 text, which may have line breaks, or None if it is not base64."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def holds_file(content: bytes) -> bool:
    """Whether a reply contains a label or another document, whatever else it says."""
    return FILE_STARTS.search(content) is not None


def list_files(files: Iterable[str | None]) -> list[str]:
    """Return the files of all parcels, or none if one is missing, as half a label looks like a whole one."""
    all_files = list(files)
    present = [file for file in all_files if file]
    return present if len(present) == len(all_files) else []


def merge_files(files: Sequence[str], kind: str = "PDF") -> str:
    """Return several files (base64) as one of a kind, PDF or ZPL, in order; a single file stays as it is."""
    return files[0] if len(files) == 1 else convert_files(files, kind)


def merge_papers(papers: Mapping[str, Sequence[str]], kind: str = "PDF") -> dict[str, str]:
    """Return documents by name, the files of each merged: labels as the kind, others as PDF."""
    return {
        name: merge_files(files, kind if name == "label" else "PDF")
        for name, files in papers.items()
        if files
    }


def convert_files(files: Sequence[str], kind: str = "PDF") -> str:
    """Return files (base64) as one of a kind: PDF, ZPL or PNG.

    Pictures become PDF pages. Printer language stays as it is where it can't be drawn here. If a file can't
    be read (damaged, or a placeholder), the first such file is returned unchanged: the label is bought, and
    the others alone would look complete.
    """
    if unread := next((text for text in files if not _is_readable(text)), None):
        return unread
    contents = [decode_file(text) or b"" for text in files]
    return encode_file(_merge_or_none(contents, kind) or _merge_or_none(contents, "ZPL") or contents[0])


def _is_readable(text: str) -> bool:
    """Whether a file is a readable label; printer language is not examined."""
    from shipcli.drawing import Unconvertible, count_pages, find_label_kind

    content = decode_file(text) or b""
    try:
        return find_label_kind(content) is not None and count_pages(content) > 0
    except Unconvertible:
        return False


def _merge_or_none(files: Sequence[bytes], kind: str) -> bytes | None:
    """Return files as one of a kind, or None where one can't be converted."""
    from shipcli.drawing import Unconvertible, merge

    try:
        return merge(files, kind)
    except Unconvertible:
        return None
