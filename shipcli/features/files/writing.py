"""Write rows to a CSV, XLS or XLSX file: the whole file or nothing."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO

from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.json import write_number
from shipcli.models.basics.text import guard_formula
from shipcli.readers.tables import tidy

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")  # no spreadsheet holds these
SHEET = "Sheet1"
XLS_ROWS, XLSX_ROWS = 65536, 1048576  # with the header
LONGEST_CELL = 32767  # characters
HELD_BYTES = 8_000_000  # of a workbook in memory
Row = Mapping[str, Any]


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write columns of rows to a file; the ending of its name selects the format.

    Errors: Invalid for another ending, or more than a spreadsheet holds; OSError when it can't be written.
            No partial file is left behind.
    """
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise Invalid(str(path), f"The name must end in {', '.join(f'.{ending}' for ending in FORMS)}.")
    partial = path.with_name(f".{path.name}.{os.getpid()}{path.suffix}")
    try:
        with partial.open("wb") as file:
            FORMS[form](file, columns, rows)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def encode_table(form: str, columns: Sequence[str], rows: Iterable[Row]) -> bytes:
    """The same as the content of a file: csv, xls or xlsx.

    Errors: Invalid for more than a spreadsheet holds.
    """
    file = io.BytesIO()
    FORMS[form](file, columns, rows)
    return file.getvalue()


def write_delimited(file: BinaryIO, columns: Sequence[str], rows: Iterable[Row], delimiter: str) -> None:
    """Write rows as text with a delimiter of one's own; nothing is guarded against spreadsheets.

    The programs of shops read these, and an apostrophe would become part of a number.
    """
    text = io.TextIOWrapper(file, "utf-8", newline="")
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows([format_cell(row.get(name)) for name in columns] for row in rows)
    text.detach()


def _write_csv(file: BinaryIO, columns: Sequence[str], rows: Iterable[Row]) -> None:
    text = io.TextIOWrapper(file, "utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([format_csv_cell(row.get(name)) for name in columns] for row in rows)
    text.detach()


def _write_xlsx(file: BinaryIO, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write row by row, so that a sheet of any size takes little memory; cells are text, never formulas."""
    from openpyxl import Workbook
    from openpyxl.cell import Cell, WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    sheet = book.create_sheet(SHEET)

    def write(text: str) -> Cell:
        made = WriteOnlyCell(sheet, text or None)
        if text:
            made.data_type = "s"  # whatever it looks like
        return made

    headings = [write(name) for name in columns]
    for heading in headings:
        heading.font = Font(bold=True)
    with SpooledTemporaryFile(HELD_BYTES) as whole:  # a full disk would leave the library in the middle
        try:
            sheet.append(headings)
            for line in _format_lines(columns, rows, XLSX_ROWS):
                sheet.append([write(text) for text in line])
        finally:
            book.save(whole)  # after an error as well: the library holds a file of its own until then
        whole.seek(0)
        copyfileobj(whole, file)


def _write_xls(file: BinaryIO, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write the format of Excel 97 to 2003, which the API exports too; cells are texts, never formulas."""
    import xlwt

    book = xlwt.Workbook(encoding="utf-8")
    sheet = book.add_sheet(SHEET)
    for number, line in enumerate([list(columns), *_format_lines(columns, rows, XLS_ROWS)]):
        for position, text in enumerate(line):
            if text:
                sheet.write(number, position, text)
    book.save(file)


def _format_lines(columns: Sequence[str], rows: Iterable[Row], most: int) -> Iterator[list[str]]:
    """The cells of each row in a form that a spreadsheet can hold.

    Errors: Invalid for too many rows, or a cell that would be cut.
    """
    for number, row in enumerate(rows, start=2):
        if number > most:
            raise Invalid("rows", f"A spreadsheet of this format holds {most - 1} rows; ask for csv.")
        line = [_keep(UNPRINTABLE.sub("", format_cell(row.get(name)))) for name in columns]
        for name, text in zip(columns, line, strict=True):
            if len(text) > LONGEST_CELL:
                long = f"Row {number} has {len(text)} characters under {name!r}"
                raise Invalid("rows", f"{long}; a cell of a spreadsheet holds {LONGEST_CELL}. Ask for csv.")
        yield line


def _keep(text: str) -> str:
    """Text, with an apostrophe in front if it would otherwise be read back changed or as a formula."""
    is_plain = tidy(text) == text.strip() and not text.startswith("=")
    return text if is_plain else f"'{text}"


Writer = Callable[[BinaryIO, Sequence[str], Iterable[Row]], None]
FORMS: Mapping[str, Writer] = {"csv": _write_csv, "xls": _write_xls, "xlsx": _write_xlsx}


def format_csv_cell(value: Any) -> str:
    """The same for a CSV file: text that a spreadsheet would run as a formula is guarded."""
    return (
        format_cell(value) if isinstance(value, int | float | Decimal) else guard_formula(format_cell(value))
    )


def format_cell(value: Any) -> str:
    """Text as it is, numbers with their exact digits, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return write_number(value) if isinstance(value, Decimal) else str(value)
