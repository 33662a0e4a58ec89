"""Label files as carriers send them: base64 text, one file or many."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping, Sequence

# How a PDF, ZPL, PNG or GIF begins: as it is, and as the base64 text of a member or an element.
FILE_STARTS = re.compile(rb"""%PDF-|\^XA|["'>](?:JVBERi0|XlhB|iVBORw0KGgo|R0lGOD)""")


def encode_file(content: bytes) -> str:
    """Bytes as the base64 text that `Label.docs` holds."""
    return base64.b64encode(content).decode()


def decode_file(text: str) -> bytes | None:
    """The bytes of a base64 text, which may have line breaks; None if it is none."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def holds_file(content: bytes) -> bool:
    """Whether an answer brings a label or another paper, whatever else it says."""
    return FILE_STARTS.search(content) is not None


def list_files(files: Iterable[str | None]) -> list[str]:
    """The files of all parcels; none where one is missing, as half a label looks like a whole one."""
    found = list(files)
    there = [file for file in found if file]
    return there if len(there) == len(found) else []


def merge_files(files: Sequence[str], kind: str = "PDF") -> str:
    """Several files (base64) as one of a kind, PDF or ZPL, in order; one file stays as it is."""
    return files[0] if len(files) == 1 else convert_files(files, kind)


def merge_papers(papers: Mapping[str, Sequence[str]], kind: str = "PDF") -> dict[str, str]:
    """Papers by name, the files of each as one: the label of a kind, others as PDF; none without a file."""
    there = {name: files for name, files in papers.items() if files}
    return {name: merge_files(files, kind if name == "label" else "PDF") for name, files in there.items()}


def convert_files(files: Sequence[str], kind: str = "PDF") -> str:
    """Files (base64) as one of a kind: PDF, ZPL or PNG.

    Pictures become PDF pages. Printer language stays what it is where it can't be drawn here. The first file
    that can't be read (damaged, or a marker in its place) is passed on as it came: the label is bought, and
    those that are left would look like all of them.
    """
    if unread := next((text for text in files if not _is_readable(text)), None):
        return unread
    found = [decode_file(text) or b"" for text in files]
    return encode_file(_merge_or_none(found, kind) or _merge_or_none(found, "ZPL") or found[0])


def _is_readable(text: str) -> bool:
    """Whether a file is one of labels; printer language is not looked into."""
    from shipcli.drawing import Unconvertible, count_pages, find_label_kind

    content = decode_file(text) or b""
    try:
        return find_label_kind(content) is not None and count_pages(content) > 0
    except Unconvertible:
        return False


def _merge_or_none(files: Sequence[bytes], kind: str) -> bytes | None:
    """Files as one of a kind; None where one can't become that."""
    from shipcli.drawing import Unconvertible, merge

    try:
        return merge(files, kind)
    except Unconvertible:
        return None
