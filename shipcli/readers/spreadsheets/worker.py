"""The process that reads one spreadsheet: `python -m shipcli.readers.spreadsheets.worker [SHEET]`.

It reads the file from standard input. It writes a line of JSON with the names of its sheets, that of the one
it reads first, then a line for each row that is not empty: its number, counted from 1, and its cells as text.
Why a file is not read goes to standard error.
"""

from __future__ import annotations

import io
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import zip_longest
from typing import Any

import python_calamine as calamine

from shipcli.isolation import forbid_outside, limit_resources
from shipcli.models import json
from shipcli.readers.spreadsheets.checks import (
    PIECE,
    UnreadableSpreadsheet,
    check_archive,
    check_cells,
    list_parts,
)
from shipcli.readers.spreadsheets.leading_zeros import find_zeros
from shipcli.readers.spreadsheets.reading import LIMITS, REFUSED, ZIP

EXACT = 1 << 53  # up to here every whole number has a float of its own
MOST_MERGED = 10_000  # rows of one merged cell
OVERLAP = 1 << 13  # bytes; longer than a cell with its formula
FORMULA = rb"<f[^<>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>|</c>)"  # without a value
ERROR = rb"<c\s[^<>]*\bt=[\"']e[\"']"
UNCOMPUTED = re.compile(FORMULA + rb"|" + ERROR)
DAMAGED = (
    calamine.CalamineError, zipfile.BadZipFile, zlib.error, ValueError, LookupError, RuntimeError, EOFError,
    SyntaxError,  # of XML
)  # fmt: skip


def main() -> None:
    """Read the spreadsheet on standard input behind the walls."""
    content, sheet = sys.stdin.buffer.read(), sys.argv[1] if len(sys.argv) > 1 else None
    limit_resources(LIMITS)
    try:
        lacks_values = _check(content, sheet)
        if lacks_values:
            import openpyxl  # noqa: F401  # what it loads can't be loaded behind the walls
        forbid_outside()
        opened, names = _open(content, sheet)
        sys.stdout.buffer.write(
            json.dump_bytes([opened.name, *(name for name in names if name != opened.name)]) + b"\n"
        )
        for number, texts in _read_rows(content, opened, lacks_values=lacks_values):
            sys.stdout.buffer.write(json.dump_bytes([number, texts]) + b"\n")
        sys.stdout.buffer.flush()
    except UnreadableSpreadsheet as error:
        _refuse(error.reason, error.field)
    except DAMAGED as error:
        _refuse(f"The spreadsheet can't be read: {error}.")
    except MemoryError:
        _refuse("The spreadsheet needs more memory than one may take.")
    except OSError as error:
        _refuse(f"The text of the spreadsheet can't be kept: {error.strerror or error}.")


def _refuse(reason: str, field: str = "") -> None:
    sys.stderr.buffer.write(json.dump_bytes({"reason": reason, "field": field}))
    sys.stderr.flush()
    sys.exit(REFUSED)


def _check(content: bytes, sheet: str | None) -> bool:
    """Whether a file that may be read has cells without their values, which only XLSX files tell of."""
    if not content.startswith(ZIP):
        return False
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        check_archive(archive)
        check_cells(archive, sheet)
        return any(_mentions(archive, name) for name in list_parts(archive, sheet))


def _open(content: bytes, name: str | None) -> tuple[Any, list[str]]:
    """The sheet of a name, or the first that is shown, and the names of all."""
    book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    names = book.sheet_names
    if name and name not in names:
        raise UnreadableSpreadsheet(f"There is no sheet {name!r}; there are: {', '.join(names)}.", "sheet")
    visible = calamine.SheetVisibleEnum.Visible
    shown = (metadata.name for metadata in book.sheets_metadata if metadata.visible == visible)
    return book.get_sheet_by_name(name or next(shown, names[0])), names


def _read_rows(content: bytes, sheet: Any, *, lacks_values: bool) -> Iterator[tuple[int, list[str]]]:
    """The rows of a sheet that are not empty, each with its number."""
    first = sheet.start[1] if sheet.start else 0
    uncomputed = _find_uncomputed(content, sheet.name) if lacks_values else iter(())
    zeros = find_zeros(content, sheet.name) if content.startswith(ZIP) else iter(())
    merged, above = _list_merged(sheet), list[str]()
    together = zip_longest(sheet.iter_rows(), uncomputed, zeros, fillvalue=())
    for number, (values, formulas, padded) in enumerate(together, start=1):
        texts = [format_cell(value) for value in values] or [""] * sheet.width
        for column, formula in formulas:
            if first <= column < first + len(texts) and not texts[column - first]:
                texts[column - first] = formula
        for index, digits in ((column - first, digits) for column, digits in padded):
            if 0 <= index < len(values) and isinstance(values[index], float) and texts[index].isdigit():
                texts[index] = texts[index].zfill(digits)
        for column in merged.get(number - 1, ()):
            if 0 <= column - first < len(texts):
                texts[column - first] = above[column - first]
        above = texts
        if any(texts):
            yield number, texts


def _list_merged(sheet: Any) -> dict[int, list[int]]:
    """The cells that belong to the one above them: rows and their columns, counted from 0.

    Cells beside a merged one stay empty: a title over several columns is no value of each.
    """
    merged: dict[int, list[int]] = {}
    for (top, left), (bottom, _) in sheet.merged_cell_ranges or ():
        for row in range(top + 1, min(bottom, top + MOST_MERGED) + 1):
            merged.setdefault(row, []).append(left)
    return merged


def _find_uncomputed(content: bytes, sheet: str) -> Iterator[list[tuple[int, str]]]:
    """Row by row its formulas and errors, each with its column, counted from 0.

    Errors, and what programs write without computing it, come as empty cells, which would go unnoticed.
    """
    import openpyxl

    read: Any = openpyxl.load_workbook(io.BytesIO(content), read_only=True)[sheet]
    read.reset_dimensions()  # what a file states of its size may be wrong
    for values in read.iter_rows(min_row=1, min_col=1, values_only=True):
        texts = enumerate(map(str, values))
        yield [(column, text) for column, text in texts if text.startswith(("=", "#"))]


def _mentions(parts: zipfile.ZipFile, name: str) -> bool:
    """Whether a sheet has a cell without its value; it is read in pieces, since sheets can be large."""
    tail = b""
    with parts.open(name) as sheet:
        while piece := sheet.read(PIECE):
            if UNCOMPUTED.search(tail + piece):
                return True
            tail = piece[-OVERLAP:]
    return False


def format_cell(value: Any) -> str:
    """A spreadsheet's value as a person would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _format_number(value)
    if isinstance(value, datetime):
        whole = value.time() == time(0)
        return value.date().isoformat() if whole else value.isoformat(sep=" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return "" if value is None else str(value)


def _format_number(value: float) -> str:
    """A number with the 15 digits that spreadsheets compute with, a whole one with all that are exact."""
    if value.is_integer():
        return str(int(value)) if abs(value) <= EXACT else repr(value)
    return f"{value:.15g}"


if __name__ == "__main__":
    main()
