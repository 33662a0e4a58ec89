"""Tables as files: what spreadsheets cannot hold is refused, not cut."""

from __future__ import annotations

import csv
import gc
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.cli.console.cells import format_csv_column
from shipcli.features.files.writing import FORMS, encode_table, write_table
from shipcli.models import Invalid
from shipcli.readers.headers import TRACKERS, find_columns
from shipcli.readers.tables import DataFile
from shipcli.readers.trackers import TrackerReader


@pytest.mark.parametrize("form", FORMS)
def test_texts_come_back_as_they_were(form: str) -> None:
    texts = [
        "007",
        "=1+1",
        "=cmd|' /C calc'!A0",
        "+1 212",
        "-x",
        "@SUM(A1)",
        "'=1",
        "''@x",
        "'plain",
        '="1"',
        'é, "quoted"\nand 漢字',
        "1e5",
        "#N/A",
        "x" * 32000,
    ]
    rows = [{"A": text, "B": None} for text in texts]
    found = DataFile(f"a.{form}", encode_table(form, ["A", "B"], rows))
    assert [row.cells["A"].replace("\r\n", "\n") for row in found] == texts


@pytest.mark.parametrize("form", ["xls", "xlsx"])
def test_a_cell_that_is_too_long_for_a_spreadsheet_is_refused(form: str) -> None:
    with pytest.raises(Invalid, match="Row 3 has 32768 characters under 'A'"):
        encode_table(form, ["A"], [{"A": "x"}, {"A": "x" * 32768}])


def test_more_rows_than_the_old_format_holds_are_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="holds 65535 rows; ask for csv"):
        write_table(tmp_path / "many.xls", ["A"], ({"A": str(n)} for n in range(65536)))
    assert list(tmp_path.iterdir()) == []


WRITTEN = [
    ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"), ("+1 212", "'+1 212"), ("-x", "'-x"), ("@x", "'@x"),
    ("\tx", "'\tx"), ("\rx", "'\rx"), ("'=x", "''=x"), ("a=b", "a=b"), ("O'Neil", "O'Neil"), ("'x", "'x"),
    ("-5", "'-5"), (-5, "-5"), (Decimal("-1.50"), "-1.5"), (-0.5, "-0.5"),
    (None, ""),
]  # fmt: skip


@pytest.mark.parametrize(("value", "written"), WRITTEN)
def test_text_that_a_spreadsheet_would_run_goes_out_as_text_and_numbers_as_numbers(
    value: Any, written: str
) -> None:
    content = encode_table("csv", ["A", "B"], [{"A": value, "B": "end"}]).decode()
    _, (cell, _) = csv.reader(io.StringIO(content, newline=""))
    assert cell == written


@pytest.mark.parametrize(("value", "written"), [*WRITTEN, (["=x", "y"], "'=x, y")])
def test_the_same_of_a_list_on_the_terminal(value: Any, written: str) -> None:
    assert format_csv_column({"A": value}, "A") == written


def test_a_name_that_looks_like_a_formula_is_exported_and_imported_as_it_is() -> None:
    cells = {"Tracking Number": "=1+1", "Carrier": "usps"}
    (row,) = DataFile("t.csv", encode_table("csv", list(cells), [cells]))
    parsed = TrackerReader(find_columns(list(cells), TRACKERS, (), "t.csv"), {"usps": "usps"}).read(row)
    assert (parsed.wrong, parsed.key) == ((), "=1+1")


def test_a_formula_that_nobody_marked_as_text_is_refused() -> None:
    (row,) = DataFile("t.csv", b"Tracking Number,Carrier\n=1+1,usps\n")
    parsed = TrackerReader(find_columns(list(row.cells), TRACKERS, (), "t.csv"), {"usps": "usps"}).read(row)
    assert [cell.column for cell in parsed.wrong] == ["Tracking Number"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
@pytest.mark.parametrize("form", ["xlsx", "xls"])
def test_a_full_disk_is_told_once(form: str) -> None:
    """What a library leaves in the middle would be told by the interpreter too, as a traceback."""
    with Path("/dev/full").open("wb", buffering=0) as full, pytest.raises(OSError, match="No space left"):
        FORMS[form](full, ["A"], [{"A": "x" * 1000} for _ in range(1000)])
    gc.collect()
