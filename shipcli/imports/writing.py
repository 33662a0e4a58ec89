"""Rows to a CSV or XLSX file: the whole file or none of it."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from shipcli.models.errors import Invalid
from shipcli.models.json import number_text

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")  # no spreadsheet holds these
SHEET = "Sheet1"


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write the columns of some rows; the ending of the name says which format.

    Errors: Invalid for another ending; OSError when it can't be written, then nothing is left behind.
    """
    writer = {".csv": _csv, ".xlsx": _xlsx}.get(path.suffix.lower())
    if writer is None:
        raise Invalid(str(path), "The name must end in .csv or .xlsx.")
    partial = path.with_name(f".{path.name}.{os.getpid()}{path.suffix}")
    try:
        writer(partial, columns, rows)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([cell(row.get(name)) for name in columns] for row in rows)


def _xlsx(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    import pandas

    cells = [[UNPRINTABLE.sub("", cell(row.get(name))) for name in columns] for row in rows]
    frame = pandas.DataFrame(cells, columns=list(columns), dtype=str)
    with pandas.ExcelWriter(path, engine="openpyxl") as book:
        frame.to_excel(book, index=False, sheet_name=SHEET)
        for line in book.sheets[SHEET].iter_rows():
            for one in line:
                one.data_type = "s" if one.data_type == "f" else one.data_type  # text, never a formula


def cell(value: Any) -> str:
    """Text as it is, numbers with their exact digits, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number_text(value) if isinstance(value, Decimal) else str(value)
