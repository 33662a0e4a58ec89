"""What a spreadsheet would take, found by streaming through its file before anything is allocated for it.

The reader makes a rectangle from the first cell to the last one, however empty it is, and holds every text.
The sizes that a file states may be lies: the cells themselves are looked at. XLS and ODS files can't be
checked this way; the limits of the process that reads them hold for them alone.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

MOST_PARTS = 10_000
MOST_UNPACKED = 1 << 30  # bytes of all parts together
MOST_RATIO, SMALL = 500, 16 << 20  # a part that unpacks to this many times its size, unless it is small
MOST_CELLS = 10_000_000  # of the rectangle that the cells span
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
PIECE, LONGEST = 1 << 20, 1 << 20  # bytes; a text of a cell has 32,767 characters at most
REFERENCE = re.compile(rb"\sr=[\"']([A-Z]{1,7})(\d{1,10})[\"']")
SHEET = re.compile(rb"<(?:\w+:)?sheet\s[^<>]*>")
RELATION = re.compile(rb"<(?:\w+:)?Relationship\s[^<>]*>")
ATTRIBUTE = re.compile(rb"(?<![\w:])([\w:]+)\s*=\s*[\"']([^\"']*)[\"']")
HIDDEN = ("hidden", "veryHidden")
SHEETS, TEXTS = "xl/worksheets/", "xl/sharedStrings.xml"


class UnreadableSpreadsheet(Exception):
    """A spreadsheet that is not read, and why; `field` is `sheet` if the name of the sheet is wrong."""

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(reason)
        self.reason, self.field = reason, field


def check_archive(archive: zipfile.ZipFile) -> None:
    """Errors: UnreadableSpreadsheet for what unpacks to more than a spreadsheet needs."""
    parts = archive.infolist()
    if len(parts) > MOST_PARTS:
        raise UnreadableSpreadsheet(f"The spreadsheet has {len(parts)} parts; {MOST_PARTS} are read at most.")
    for part in parts:
        if part.file_size > max(part.compress_size * MOST_RATIO, SMALL):
            size = f"{part.file_size} bytes from {part.compress_size}"
            raise UnreadableSpreadsheet(f"The part {part.filename!r} unpacks to {size}: no spreadsheet does.")
    total = sum(part.file_size for part in parts)
    if total > MOST_UNPACKED:
        raise UnreadableSpreadsheet(
            f"The spreadsheet unpacks to {total} bytes; {MOST_UNPACKED} are read at most."
        )


def check_cells(archive: zipfile.ZipFile, sheet: str | None) -> None:
    """Look through the texts and the cells of a sheet, the first that is shown unless one is named.

    Errors: UnreadableSpreadsheet naming the cell that lies too far away, or holds too much.
    """
    if TEXTS in archive.namelist():
        with archive.open(TEXTS) as stream:
            for _ in read_pieces(stream):
                continue
    for name in list_parts(archive, sheet):
        with archive.open(name) as stream:
            check_extent(stream)


def check_extent(stream: IO[bytes]) -> None:
    """Errors: UnreadableSpreadsheet naming the cell that lies too far from the others."""
    extent = Extent()
    for piece in read_pieces(stream):
        references = REFERENCE.findall(piece)
        if not references:
            continue
        columns, rows = (set(words) for words in zip(*references, strict=True))
        wider = extent.with_all(map(read_column, columns), map(int, rows))
        if wider.is_too_large:
            raise UnreadableSpreadsheet(_describe_far_cell(extent, references))
        extent = wider


@dataclass(frozen=True)
class Extent:
    """The rectangle of the cells seen so far; rows and columns are counted from 1."""

    rows: int = 0
    columns: int = 0

    def with_all(self, columns: Iterator[int], rows: Iterator[int]) -> Extent:
        """The rectangle that holds these as well."""
        return Extent(max(self.rows, *rows), max(self.columns, *columns))

    @property
    def is_too_large(self) -> bool:
        """Whether it reaches beyond a sheet, or would take too much."""
        outside = self.rows > LAST_ROW or self.columns > LAST_COLUMN
        return outside or self.rows * self.columns > MOST_CELLS

    def __str__(self) -> str:
        return f"A1:{format_column(max(self.columns, 1))}{max(self.rows, 1)}"


def _describe_far_cell(extent: Extent, references: list[tuple[bytes, bytes]]) -> str:
    """What to say of the first cell that makes the rectangle too large."""
    for column, row in references:
        wider = extent.with_all(iter([read_column(column)]), iter([int(row)]))
        if wider.is_too_large:
            cell = (column + row).decode()
            return (
                f"The cell {cell} lies outside the table ({extent}): a sheet may span {MOST_CELLS:,} cells. "
                "Clear that cell, or delete its row and column, and save the file again."
            )
        extent = wider
    return f"The cells span more than {MOST_CELLS:,} cells."


def read_column(letters: bytes) -> int:
    """The number of a column: A is 1."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def format_column(column: int) -> str:
    """The letters of a column: 1 is A."""
    letters = ""
    while column:
        column, remainder = divmod(column - 1, 26)
        letters = chr(65 + remainder) + letters
    return letters


def read_pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """A part of the file in pieces that end where a tag ends.

    Errors: UnreadableSpreadsheet for a text longer than a cell may hold, after the last cell that was named.
    """
    pending, last = b"", b""
    while piece := stream.read(PIECE):
        cut = piece.rfind(b">") + 1
        if len(pending) > LONGEST and not cut:
            raise UnreadableSpreadsheet(f"{_name_cell(last)} holds more than {LONGEST:,} characters.")
        whole, pending = (pending + piece[:cut], piece[cut:]) if cut else (b"", pending + piece)
        if whole:
            last = whole[-PIECE:]
            yield whole
    yield pending


def _name_cell(before: bytes) -> str:
    cells = [column + row for column, row in REFERENCE.findall(before)]
    return f"The cell {cells[-1].decode()}" if cells else "A cell"


def list_parts(archive: zipfile.ZipFile, sheet: str | None) -> list[str]:
    """The parts with the cells of a sheet; those of all sheets when the file does not say which it is."""
    names = archive.namelist()
    sheets = _list_sheets(archive, names)
    chosen = sheet or next(iter(sheets), "")
    if chosen in sheets:
        return [sheets[chosen]] if sheets[chosen] in names else []
    return [name for name in names if name.startswith(SHEETS) and name.endswith(".xml")]


def _list_sheets(archive: zipfile.ZipFile, names: list[str]) -> dict[str, str]:
    """The part of each sheet by the sheet's name, in their order; hidden ones come last."""
    book, links = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
    if book not in names or links not in names:
        return {}
    targets = {row.get("Id", ""): row.get("Target", "") for row in list_tags(archive.read(links), RELATION)}
    rows = sorted(list_tags(archive.read(book), SHEET), key=lambda row: row.get("state") in HIDDEN)
    return {row.get("name", ""): _resolve_target(targets.get(row.get("id", ""), "")) for row in rows}


def _resolve_target(target: str) -> str:
    return target[1:] if target.startswith("/") else f"xl/{target}"


def list_tags(text: bytes, tag: re.Pattern[bytes]) -> Iterator[dict[str, str]]:
    """The attributes of some tags, without the prefixes of their names."""
    from html import unescape

    for attributes in tag.findall(text):
        rows = ATTRIBUTE.findall(attributes)
        yield {name.decode().rpartition(":")[2]: unescape(value.decode()) for name, value in rows}
