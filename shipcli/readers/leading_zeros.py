"""Numbers of an XLSX sheet that are shown with zeros before them, such as a postal code: 2134 as 02134.

The cell holds the number alone; the zeros are in its format (`00000`).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from itertools import groupby

from shipcli.readers.spreadsheet_checks import list_parts, list_tags, read_column, read_pieces

STYLES = "xl/styles.xml"
CELL_STYLES = re.compile(rb"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", re.DOTALL)
FORMAT = re.compile(rb"<(?:\w+:)?numFmt\s[^>]*>")
STYLE = re.compile(rb"<(?:\w+:)?xf\s[^>]*>")
CELL = rb"<(?:\w+:)?c(?=\s)(?=[^>]*\ss=[\"'](%s)[\"'])[^>]*\sr=[\"']([A-Z]{1,3})(\d{1,7})[\"']"
ZEROS = re.compile("0{2,30}")
MARKS = re.compile(r'\[[^\]]*\]|[\\"]')  # languages and conditions, and what quotes a character
Found = list[tuple[int, int]]  # columns, counted from 0, and how many digits are shown at least


def find_zeros(content: bytes, sheet: str) -> Iterator[Found]:
    """Row by row the cells of a sheet whose format has leading zeros."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        styles = _read_styles(archive)
        if styles:
            last = 0
            for row, cells in groupby(_find_cells(archive, sheet, styles), key=lambda cell: cell[0]):
                yield from ([] for _ in range(row - last - 1))
                yield [(column, digits) for _, column, digits in cells]
                last = row


def _read_styles(archive: zipfile.ZipFile) -> dict[bytes, int]:
    """How many digits the styles with leading zeros show, by the word with which cells name them."""
    if STYLES not in archive.namelist():
        return {}
    text = archive.read(STYLES)
    digits = {
        row.get("numFmtId"): _count_digits(row.get("formatCode", "")) for row in list_tags(text, FORMAT)
    }
    used = CELL_STYLES.search(text)
    rows = enumerate(list_tags(used[0], STYLE)) if used else ()
    found = {str(at).encode(): digits.get(row.get("numFmtId"), 0) for at, row in rows}
    return {style: count for style, count in found.items() if count}


def _count_digits(code: str) -> int:
    form = MARKS.sub("", code).partition(";")[0]
    return len(form) if ZEROS.fullmatch(form) else 0


def _find_cells(
    archive: zipfile.ZipFile, sheet: str, styles: dict[bytes, int]
) -> Iterator[tuple[int, int, int]]:
    """Row, column and digits of every cell of these styles."""
    wanted = re.compile(CELL % b"|".join(styles))
    for name in list_parts(archive, sheet):
        with archive.open(name) as stream:
            for piece in read_pieces(stream):
                for style, column, row in wanted.findall(piece):
                    yield int(row), read_column(column) - 1, styles[style]
