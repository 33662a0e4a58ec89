"""Numbers of a sheet that are shown with zeros before them, such as a postal code: 2134 as 02134.

The library that reads spreadsheets gives the number alone. In XLSX files the zeros are in the format of the
cell (`00000`), ODS files also hold the text that the cell shows. XLS files are binary, and are not searched.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from itertools import groupby
from xml.etree.ElementTree import Element, iterparse

from shipcli.readers.spreadsheets.checks import list_parts, list_tags, read_column, read_pieces

STYLES = "xl/styles.xml"
CELL_STYLES, END_OF_STYLES = re.compile(rb"<(?:\w+:)?cellXfs\b"), re.compile(rb"</(?:\w+:)?cellXfs>")
FORMAT = re.compile(rb"<(?:\w+:)?numFmt\s[^<>]*>")
STYLE = re.compile(rb"<(?:\w+:)?xf\s[^<>]*>")
CELL = rb"<(?:\w+:)?c(?=\s)(?=[^<>]*\ss=[\"'](%s)[\"'])[^<>]*\sr=[\"']([A-Z]{1,3})(\d{1,7})[\"']"
ZEROS = re.compile("0{2,30}")
MARKS = re.compile(r'\[[^\[\]]*\]|[\\"]')  # languages and conditions, and what quotes a character
ODS_CONTENT = "content.xml"
ODS = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
TABLE, OFFICE, TEXT = ODS % "table", ODS % "office", ODS % "text"
PaddedCell = tuple[int, int, int]  # row from 1, column from 0, how many digits are shown at least


def find_zeros(content: bytes, sheet: str) -> Iterator[list[tuple[int, int]]]:
    """Row by row the cells of a sheet that are shown with leading zeros: columns from 0, and their digits."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        find = _find_ods_cells if ODS_CONTENT in archive.namelist() else _find_xlsx_cells
        last = 0
        for row, cells in groupby(find(archive, sheet), key=lambda cell: cell[0]):
            yield from ([] for _ in range(row - last - 1))
            yield [(column, digits) for _, column, digits in cells]
            last = row


def _find_ods_cells(archive: zipfile.ZipFile, sheet: str) -> Iterator[PaddedCell]:
    """The numbers of an ODS sheet whose text begins with a zero."""
    name, row = "", 0
    with archive.open(ODS_CONTENT) as stream:
        for event, node in iterparse(stream, ("start", "end")):
            if event == "start" and node.tag == f"{TABLE}table":
                name, row = node.get(f"{TABLE}name", ""), 0
            if event == "end" and node.tag == f"{TABLE}table-row":
                times = int(node.get(f"{TABLE}number-rows-repeated", 1))
                if name == sheet and (cells := list(_read_ods_row(node))):
                    yield from ((row + at, *cell) for at in range(1, times + 1) for cell in cells)
                row += times
                node.clear()


def _read_ods_row(row: Element) -> Iterator[tuple[int, int]]:
    """Column and digits of the numbers of a row that are shown with leading zeros."""
    column = 0
    for cell in row:
        times = int(cell.get(f"{TABLE}number-columns-repeated", 1))
        text = cell.findtext(f"{TEXT}p", "")
        if cell.get(f"{OFFICE}value-type") == "float" and text.isdigit() and text.startswith("0"):
            yield from ((column + at, len(text)) for at in range(times))
        column += times


def _read_styles(archive: zipfile.ZipFile) -> dict[bytes, int]:
    """How many digits the styles with leading zeros show, by the word with which cells name them."""
    if STYLES not in archive.namelist():
        return {}
    text = archive.read(STYLES)
    digits = {
        row.get("numFmtId"): _count_digits(row.get("formatCode", "")) for row in list_tags(text, FORMAT)
    }
    rows = enumerate(list_tags(_cut_cell_styles(text), STYLE))
    counts = {str(at).encode(): digits.get(row.get("numFmtId"), 0) for at, row in rows}
    return {style: count for style, count in counts.items() if count}


def _cut_cell_styles(text: bytes) -> bytes:
    start = CELL_STYLES.search(text)
    end = END_OF_STYLES.search(text, start.end()) if start else None
    return text[start.start() : end.end()] if start and end else b""


def _count_digits(code: str) -> int:
    form = MARKS.sub("", code).partition(";")[0]
    return len(form) if ZEROS.fullmatch(form) else 0


def _find_xlsx_cells(archive: zipfile.ZipFile, sheet: str) -> Iterator[PaddedCell]:
    """The cells of an XLSX sheet whose styles have leading zeros."""
    styles = _read_styles(archive)
    if not styles:
        return
    pattern = re.compile(CELL % b"|".join(styles))
    for name in list_parts(archive, sheet):
        with archive.open(name) as stream:
            for piece in read_pieces(stream):
                for style, column, row in pattern.findall(piece):
                    yield int(row), read_column(column) - 1, styles[style]
