"""Files of every kind as rows of text, and what is said of files that are none."""

from __future__ import annotations

import io
import re
import time
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from shipcli.models import Invalid, NotFound
from shipcli.readers.tables import DataFile

Sheet = Callable[[Any], None]


def rows(content: bytes | str, **options: Any) -> list[dict[str, str]]:
    data = content.encode() if isinstance(content, str) else content
    return [row.cells for row in DataFile("f.csv", data, **options)]


def numbers(content: bytes) -> list[int]:
    return [row.number for row in DataFile("f", content)]


def refusal(content: bytes, **options: Any) -> str:
    with pytest.raises(Invalid) as caught:
        list(DataFile("f.csv", content, **options))
    return caught.value.message


def xlsx(*sheets: Sheet) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)  # type: ignore[arg-type]  # a new book has one
    for number, fill in enumerate(sheets, start=1):
        fill(book.create_sheet(f"Sheet{number}"))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def filled(*lines: list[Any]) -> Sheet:
    def fill(sheet: Any) -> None:
        for line in lines:
            sheet.append(line)

    return fill


# -- files that can not be read ----------------------------------------------------------------


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"no file .*gone\.csv"):
        DataFile.open(tmp_path / "gone.csv")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="folder"):
        DataFile.open(tmp_path)


@pytest.mark.parametrize("content", [b"", b"\n", b"  \r\n\t", b"\xef\xbb\xbf", b",,,\n,,\n"])
def test_a_file_without_anything_in_it_is_refused(content: bytes) -> None:
    assert "empty" in refusal(content) or "no row with column names" in refusal(content)


def test_a_header_that_names_a_column_twice_is_refused() -> None:
    assert "more than once: 'A'" in refusal(b"A,B,A\n1,2,3\n")


@pytest.mark.parametrize(
    "content",
    [bytes(range(256)) * 10, b"\x89PNG\r\n\x1a\n\x00\x00", b"\x1f\x8b\x08\x00abc", b"A,B\n1,\x00\n"],
    ids=["bytes", "png", "gzip", "nul"],
)
def test_binary_garbage_is_refused(content: bytes) -> None:
    assert "neither a text file nor a spreadsheet" in refusal(content)


@pytest.mark.parametrize("content", [b"PK\x03\x04" + b"x" * 90, b"\xd0\xcf\x11\xe0" + b"z" * 600])
def test_a_broken_spreadsheet_is_refused(content: bytes) -> None:
    assert "can't be read" in refusal(content)


def test_a_spreadsheet_that_was_cut_short_is_refused() -> None:
    whole = xlsx(filled(["A"], [1]))
    assert "can't be read" in refusal(whole[: len(whole) // 2])


def test_a_quote_that_never_closes_is_named_by_its_line() -> None:
    assert "is not CSV" in refusal(b'A,B\n1,"two\n')


def test_an_unreadable_file_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f.csv"
    path.write_text("A\n1\n")

    def closed(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", closed)
    with pytest.raises(Invalid, match="Permission denied"):
        DataFile.open(path)


# -- text files --------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_every_usual_encoding_is_read(encoding: str) -> None:
    content = "Name,City\nZoë,Mülheim\nJosé,Málaga\n".encode(encoding)
    assert rows(content) == [{"Name": "Zoë", "City": "Mülheim"}, {"Name": "José", "City": "Málaga"}]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_every_usual_separator_is_read(mark: str) -> None:
    assert rows(f"A{mark}B\n1{mark}x y\n") == [{"A": "1", "B": "x y"}]


def test_separators_inside_quotes_do_not_count() -> None:
    assert rows('"A,B,C";D\n1;2\n') == [{"A,B,C": "1", "D": "2"}]


@pytest.mark.parametrize(
    "content",
    [b"\nA;B\n1;2\n", b'"A\nx,y,z";B\n1;2\n', b'"A""x,y";B\n1;2\n', b'A";B\n1;2\n'],
    ids=["an empty line", "a line break in quotes", "a quote in quotes", "a lone quote"],
)
def test_the_separator_is_found_whatever_stands_before_it(content: bytes) -> None:
    (found,) = rows(content)
    assert list(found.values()) == ["1", "2"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_first_line_that_says_the_separator_is_no_header(encoding: str) -> None:
    table = DataFile("f.csv", "sep=;\r\nA, B, C;D\r\n1;2\r\n".encode(encoding))
    assert [(row.number, row.cells) for row in table] == [(3, {"A, B, C": "1", "D": "2"})]


def test_a_separator_below_a_header_of_one_column_is_text() -> None:
    assert rows('"A"\n1;2\n') == [{"A": "1;2"}]


@pytest.mark.parametrize("mark", ["\x1a", "\r\n\x1a", "\r\n\x1a\r\n"])
def test_the_end_mark_of_old_programs_is_no_row(mark: str) -> None:
    assert rows(f"A,B\r\n1,2{mark}") == [{"A": "1", "B": "2"}]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_read(end: str) -> None:
    assert rows(f"A,B{end}1,2{end}3,4{end}") == [{"A": "1", "B": "2"}, {"A": "3", "B": "4"}]


@pytest.mark.parametrize("cell", ["00123", '="00123"', '"=""00123"""', " 00123 "])
def test_leading_zeros_stay(cell: str) -> None:
    assert rows(f"A,B\n{cell},x\n") == [{"A": "00123", "B": "x"}]


def test_a_cell_may_hold_line_breaks() -> None:
    content = b'A,B\n"1\n2",x\n3,y\n'
    assert rows(content) == [{"A": "1\n2", "B": "x"}, {"A": "3", "B": "y"}]
    assert numbers(content) == [2, 3]


def test_empty_rows_are_left_out_and_counted() -> None:
    assert numbers(b"A,B\n\n1,2\n,\n3,4\n") == [3, 5]


def test_the_header_is_the_first_row_that_holds_anything() -> None:
    content = b"\n,\nA,B\n1,2\n"
    assert rows(content) == [{"A": "1", "B": "2"}]
    assert numbers(content) == [4]


def test_a_short_row_is_filled_up() -> None:
    assert rows("A,B,C\n1\n") == [{"A": "1", "B": "", "C": ""}]


def test_a_row_with_too_many_cells_is_named() -> None:
    assert "Row 3 has more cells (3) than row 1 has columns (2)" in refusal(b"A,B\n1,2\n1,2,3\n")


def test_empty_cells_beyond_the_last_column_do_no_harm() -> None:
    assert rows("A,B\n1,2,,\n") == [{"A": "1", "B": "2"}]


def test_columns_without_a_name_are_left_out() -> None:
    assert rows("A,,C\n1,2,3\n") == [{"A": "1", "C": "3"}]


def test_a_table_is_read_again_and_again() -> None:
    table = DataFile("f.csv", b"A\n1\n")
    assert list(table) == list(table)
    assert table.digest == DataFile("other.csv", b"A\n1\n").digest


def test_a_sheet_of_a_text_file_is_refused() -> None:
    assert "not a spreadsheet" in refusal(b"A\n1\n", sheet="Sheet1")


def test_a_hundred_thousand_rows_are_read_quickly() -> None:
    head = ",".join(f"column {number}" for number in range(10)) + "\n"
    content = (head + "1,Ana Ruiz,Phoenix,AZ,85004,US,5,LB,12,8\n" * 100_000).encode()
    started = time.process_time()
    assert sum(1 for _ in DataFile("f.csv", content)) == 100_000
    assert time.process_time() - started < 4


# -- spreadsheets ------------------------------------------------------------------------------


def test_a_spreadsheets_values_are_as_a_person_would_type_them() -> None:
    line = [7, 1.5, True, False, date(2031, 5, 7), datetime(2031, 5, 7, 14, 30), "00123", None]
    (found,) = rows(xlsx(filled(list("ABCDEFGH"), line)))
    assert list(found.values()) == ["7", "1.5", "yes", "no", "2031-05-07", "2031-05-07 14:30:00", "00123", ""]


def test_the_first_sheet_is_read_unless_another_is_named() -> None:
    content = xlsx(filled(["A"], ["one"]), filled(["A"], ["two"]))
    assert rows(content) == [{"A": "one"}]
    assert rows(content, sheet="Sheet2") == [{"A": "two"}]


def test_a_hidden_sheet_is_not_the_first() -> None:
    def hide(sheet: Any) -> None:
        sheet.append(["Countries"])
        sheet.sheet_state = "veryHidden"

    content = xlsx(hide, filled(["Zip"], ["=1+1"]))
    assert rows(content) == [{"Zip": "=1+1"}]
    assert DataFile("f.xlsx", content, "Sheet1").headers == ["Countries"]


def test_an_empty_sheet_is_refused_naming_the_others() -> None:
    assert "in the sheet 'Sheet1'; there are: Sheet2" in refusal(xlsx(filled(), filled(["A"])))


def test_an_unknown_sheet_is_refused_naming_those_there_are() -> None:
    assert "Sheet1, Sheet2" in refusal(xlsx(filled(["A"]), filled(["B"])), sheet="Orders")


def test_rows_of_a_sheet_that_starts_further_down_keep_their_own_numbers() -> None:
    def fill(sheet: Any) -> None:
        sheet["B3"], sheet["C3"], sheet["B4"], sheet["C6"] = "A", "B", "x", "y"

    content = xlsx(fill)
    assert rows(content) == [{"A": "x", "B": ""}, {"A": "", "B": "y"}]
    assert numbers(content) == [4, 6]


def test_a_formula_that_was_never_computed_is_not_an_empty_cell() -> None:
    def fill(sheet: Any) -> None:
        sheet["B2"], sheet["C2"], sheet["B3"], sheet["C3"] = "A", "B", "x", "=1+1"

    assert rows(xlsx(fill)) == [{"A": "x", "B": "=1+1"}]


def test_a_row_of_nothing_but_formulas_that_were_never_computed_is_a_row() -> None:
    content = xlsx(filled(["A", "B"], ["x", "y"], ["", ""], ["=A2", "=B2"]))
    assert rows(content) == [{"A": "x", "B": "y"}, {"A": "=A2", "B": "=B2"}]
    assert numbers(content) == [2, 4]


def test_a_computed_formula_gives_its_value(tmp_path: Path) -> None:
    plain = xlsx(filled(["A"], ["=1+1"]))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            part = source.read(name).replace(b"<v></v>", b"<v>2</v>").replace(b"<v />", b"<v>2</v>")
            target.writestr(name, part)
    assert rows(out.getvalue()) == [{"A": "2"}]


def with_cells(cells: str) -> bytes:
    """A sheet of the columns A and B, whose second row is written as it stands in the file."""
    plain, out = xlsx(filled(["A", "B"], [1, 2])), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            row = f'<row r="2">{cells}</row>'.encode()
            target.writestr(name, re.sub(rb'<row r="2">.*?</row>', row, source.read(name), flags=re.DOTALL))
    return out.getvalue()


def test_cells_in_which_a_formula_failed_are_not_empty() -> None:
    failed = '<c r="A2" t="e"><f>VLOOKUP(7,C1:D9,2)</f><v>#N/A</v></c><c r="B2" t="e"><v>#REF!</v></c>'
    assert rows(with_cells(failed)) == [{"A": "=VLOOKUP(7,C1:D9,2)", "B": "#REF!"}]


def test_the_formulas_of_another_sheet_are_its_own() -> None:
    content = xlsx(filled(["A", "B"], ["x", ""]), filled(["A", "B"], ["=1+1", "y"]))
    assert rows(content) == [{"A": "x", "B": ""}]
    assert rows(content, sheet="Sheet2") == [{"A": "=1+1", "B": "y"}]


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ("7023210039414604", "7023210039414604"),
        ("9007199254740992", "9007199254740992"),
        ("3.3000000000000003", "3.3"),
        ("2.9999999999999996", "3"),
        ("-0.1", "-0.1"),
        ("1234567.89", "1234567.89"),
        ("0.00001", "1e-05"),
    ],
)
def test_a_number_has_the_digits_that_the_spreadsheet_shows(stored: str, read: str) -> None:
    assert rows(with_cells(f'<c r="A2"><v>{stored}</v></c>')) == [{"A": read, "B": ""}]


def test_a_number_that_is_shown_with_zeros_before_it_has_them() -> None:
    def fill(sheet: Any) -> None:
        sheet.append([None, None, "Zip", "Lot", "Text", "Pieces"])
        sheet.append([])
        sheet.append([None, None, 2134, 7, "2134", 3])
        sheet.append([None, None, 98101, 1.5, None, 0])
        for row in (3, 4):
            for column, form in (("C", "[$-409]00000"), ("D", "00000;-000"), ("E", "00000"), ("F", "0")):
                sheet[f"{column}{row}"].number_format = form

    found = [row.cells for row in DataFile("f.xlsx", xlsx(filled(["other"]), fill), "Sheet2")]
    assert found == [
        {"Zip": "02134", "Lot": "00007", "Text": "2134", "Pieces": "3"},
        {"Zip": "98101", "Lot": "1.5", "Text": "", "Pieces": "0"},
    ]


def test_an_empty_sheet_is_refused() -> None:
    assert "no row with column names" in refusal(xlsx(filled()))


def test_an_old_spreadsheet_is_read() -> None:
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("Sheet1")
    for column, (name, value) in enumerate({"A": "x", "B": 7}.items()):
        sheet.write(0, column, name)
        sheet.write(1, column, value)
    out = io.BytesIO()
    book.save(out)
    assert rows(out.getvalue()) == [{"A": "x", "B": "7"}]
