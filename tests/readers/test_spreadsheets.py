"""Spreadsheets that ask for more than any table needs: refused by name, and nothing of ours dies of them."""

from __future__ import annotations

import io
import os
import random
import re
import resource
import string
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

import openpyxl
import pytest

from shipcli.models import Invalid
from shipcli.readers.tables import DataFile

SHEET = "xl/worksheets/sheet1.xml"
TEXTS = "xl/sharedStrings.xml"
FAR = "XFD1048576"
Change = Callable[[bytes], bytes]


def book(*lines: list[Any], **cells: Any) -> bytes:
    made, out = openpyxl.Workbook(), io.BytesIO()
    sheet: Any = made.active
    for line in lines:
        sheet.append(line)
    for name, value in cells.items():
        sheet[name] = value
    made.save(out)
    return out.getvalue()


def rebuilt(content: bytes, changes: dict[str, Change]) -> bytes:
    """The same archive with some parts changed, or added."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            target.writestr(name, changes.get(name, bytes)(source.read(name)))
        for name in changes.keys() - set(source.namelist()):
            target.writestr(name, changes[name](b""))
    return out.getvalue()


def in_sheet(content: bytes, before: str, after: str) -> bytes:
    return rebuilt(content, {SHEET: lambda part: re.sub(before.encode(), after.encode(), part)})


def shared(text: str) -> Change:
    """The part of shared texts with one text."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return lambda _: f'<sst xmlns="{space}"><si><t>{text}</t></si></sst>'.encode()


def rows(content: bytes, **options: Any) -> list[dict[str, str]]:
    return [row.cells for row in DataFile("shop.xlsx", content, **options)]


def refusal(content: bytes, **options: Any) -> str:
    with pytest.raises(Invalid) as caught:
        rows(content, **options)
    return caught.value.message


PLAIN = book(["A", "B"], ["1", "2"])


# -- cells far away --------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", [FAR, "AR1048576", "XFD5000"])
def test_a_stray_blank_far_away_is_named_with_the_table_it_lies_outside_of(cell: str) -> None:
    said = refusal(book(["A", "B"], ["1", "2"], **{cell: " "}))
    assert f"The cell {cell} lies outside the table (A1:B2)" in said
    assert "Clear that cell" in said


def test_a_stray_blank_further_down_a_usual_table_does_no_harm() -> None:
    assert rows(book(["A", "B"], ["1", "2"], B100000=" ")) == [{"A": "1", "B": "2"}]


@pytest.mark.parametrize("stated", ['<dimension ref="A1:B2"/>', "", '<dimension ref="A1:A1"/>'])
def test_what_a_file_states_of_its_size_hides_no_cell(stated: str) -> None:
    content = in_sheet(book(["A", "B"], ["1", "2"], **{FAR: " "}), "<dimension[^>]*/>", stated)
    assert f"The cell {FAR} lies outside" in refusal(content)


@pytest.mark.parametrize("stated", ['<dimension ref="A1:B2"/>', "", '<dimension ref="A1:A1"/>'])
def test_what_a_file_states_of_its_size_hides_no_formula(stated: str) -> None:
    content = in_sheet(book(["A", "B"], ["1", "2"], ["3", "=1+1"]), "<dimension[^>]*/>", stated)
    assert rows(content) == [{"A": "1", "B": "2"}, {"A": "3", "B": "=1+1"}]


@pytest.mark.parametrize("stated", ["", f'<dimension ref="A1:{FAR}"/>'])
def test_a_small_table_is_read_whatever_the_file_states_of_its_size(stated: str) -> None:
    assert rows(in_sheet(PLAIN, "<dimension[^>]*/>", stated)) == [{"A": "1", "B": "2"}]


@pytest.mark.parametrize("cell", ["XFE3", "A1048577", "ZZZZZZ3", "A4294967296"])
def test_a_cell_that_no_sheet_has_is_named(cell: str) -> None:
    content = in_sheet(book(["A", "B"], ["1", "2"], A3="x"), 'r="A3"', f'r="{cell}"')
    assert f"The cell {cell} lies outside the table" in refusal(content)


def test_a_far_cell_of_another_sheet_does_no_harm() -> None:
    made, out = openpyxl.Workbook(), io.BytesIO()
    first: Any = made.active
    first["A1"], first["A2"], first.title = "A", "1", "Orders & more"
    made.create_sheet("Notes")[FAR] = " "
    made.save(out)
    assert rows(out.getvalue()) == [{"A": "1"}]
    assert rows(out.getvalue(), sheet="Orders & more") == [{"A": "1"}]
    assert FAR in refusal(out.getvalue(), sheet="Notes")


def test_cells_without_names_are_read() -> None:
    assert rows(in_sheet(PLAIN, r'<c r="\w+"', "<c")) == [{"A": "1", "B": "2"}]


# -- parts that unpack to more than they should ------------------------------------------------------


def test_a_cell_of_very_many_equal_characters_is_refused_by_its_part() -> None:
    long = b"<v>" + b"9" * (64 << 20) + b"</v>"
    content = rebuilt(PLAIN, {SHEET: lambda part: part.replace(b"</c>", long + b"</c>", 1)})
    assert len(content) < 1 << 17
    assert f"The part '{SHEET}' unpacks to" in refusal(content)


def test_a_cell_longer_than_cells_are_is_named() -> None:
    letters = random.Random(1).choices(string.ascii_letters, k=3 << 20)
    text = f'<c r="B3" t="inlineStr"><is><t>{"".join(letters)}</t></is></c></row></sheetData>'
    content = in_sheet(PLAIN, "</row></sheetData>", text)
    assert "The cell B3 holds more than 1,048,576 characters" in refusal(content)


def test_a_shared_text_longer_than_cells_are_is_refused() -> None:
    letters = "".join(random.Random(1).choices(string.ascii_letters, k=3 << 20))
    assert "holds more than" in refusal(rebuilt(PLAIN, {TEXTS: shared(letters)}))


def test_a_text_that_very_many_cells_share_is_refused() -> None:
    lines = (f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>'.encode() for n in range(3, 200_000))
    text = random.Random(1).choices(string.ascii_letters, k=32_000)
    content = rebuilt(PLAIN, {
        SHEET: lambda part: part.replace(b"</sheetData>", b"".join(lines) + b"</sheetData>"),
        TEXTS: shared("".join(text)),
    })  # fmt: skip
    assert re.search("more memory than one may take|can't be kept", refusal(content))


def test_a_part_that_lies_about_its_size_is_refused() -> None:
    content = bytearray(rebuilt(PLAIN, {SHEET: lambda part: part + b" " * (2 << 20)}))
    at = content.rindex(SHEET.encode())  # in the directory at the end
    content[at - 22 : at - 18] = (500).to_bytes(4, "little")
    assert "can't be read" in refusal(bytes(content))


def test_a_spreadsheet_of_very_many_parts_is_refused() -> None:
    out = io.BytesIO(PLAIN)
    with zipfile.ZipFile(out, "a") as archive:
        for number in range(10_001):
            archive.writestr(f"x{number}", b"")
    assert "parts" in refusal(out.getvalue())


SPACES = {"office": "office:1.0", "table": "table:1.0", "text": "text:1.0"}


def ods(rows: str) -> bytes:
    names = (f'xmlns:{word}="urn:oasis:names:tc:opendocument:xmlns:{name}"' for word, name in SPACES.items())
    sheet = f"<office:spreadsheet><table:table table:name='S'>{rows}</table:table></office:spreadsheet>"
    body = f"<office:body>{sheet}</office:body>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml", f"<office:document-content {' '.join(names)}>{body}</office:document-content>"
        )
    return out.getvalue()


def ods_row(text: str, columns: int = 1, rows: int = 1) -> str:
    cell = (
        f"<table:table-cell table:number-columns-repeated='{columns}' office:value-type='string'>"
        f"<text:p>{text}</text:p></table:table-cell>"
    )
    return f"<table:table-row table:number-rows-repeated='{rows}'>{cell}</table:table-row>"


def test_a_sheet_of_another_office_is_read() -> None:
    assert rows(ods(ods_row("A") + ods_row("1"))) == [{"A": "1"}]


def ods_number(shown: str, columns: int = 1) -> str:
    value = f"office:value-type='float' office:value='{float(shown or 0)}'" if shown else ""
    text = f"<text:p>{shown}</text:p>" if shown else ""
    return f"<table:table-cell table:number-columns-repeated='{columns}' {value}>{text}</table:table-cell>"


def ods_numbers(*cells: str, rows: int = 1) -> str:
    return f"<table:table-row table:number-rows-repeated='{rows}'>{''.join(cells)}</table:table-row>"


def test_zeros_before_the_numbers_of_another_office_are_kept() -> None:
    header = "".join(
        f"<table:table-cell office:value-type='string'><text:p>{name}</text:p></table:table-cell>"
        for name in ("Zip", "Lot", "Same", "Pieces")
    )
    empty = ods_number("", 2)
    found = rows(ods(
        ods_numbers(ods_number("", 6), rows=3)
        + ods_numbers(empty, header)
        + ods_numbers(empty, ods_number("02134"), ods_number("007", 2), ods_number("3"))
        + ods_numbers(ods_number("", 6), rows=2)
        + ods_numbers(empty, *map(ods_number, ("98101", "01.5", "08", "0")), rows=2)
    ))  # fmt: skip
    first = {"Zip": "02134", "Lot": "007", "Same": "007", "Pieces": "3"}
    second = {"Zip": "98101", "Lot": "1.5", "Same": "08", "Pieces": "0"}
    assert found == [first, second, second]


def test_a_sheet_of_another_office_that_repeats_its_cells_without_end_is_refused() -> None:
    assert "spreadsheet" in refusal(ods(ods_row("A", 16_384) + ods_row("1", 16_384, 1_048_576)))


# -- what is left behind -----------------------------------------------------------------------------


def test_nothing_of_a_hostile_file_is_held_by_the_process_that_asked() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refusal(book(["A", "B"], ["1", "2"], **{FAR: " "}))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KB


def test_the_reader_sees_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/nothing/of/this/name.so")
    assert rows(PLAIN) == [{"A": "1", "B": "2"}]


def test_no_file_stays_open_when_a_spreadsheet_was_read() -> None:
    def open_files() -> int:
        return len(os.listdir("/proc/self/fd"))

    def read_many(contents: Iterable[bytes]) -> None:
        for content in contents:
            rows(content)

    before = open_files()
    read_many([PLAIN] * 5)
    assert open_files() == before


def test_two_readers_of_one_table_do_not_disturb_each_other() -> None:
    table = DataFile("shop.xlsx", book(["A"], *([number] for number in range(50_000))))
    first, second = iter(table), iter(table)
    pairs = list(zip(first, second, strict=True))
    assert len(pairs) == 50_000
    assert all(one == other for one, other in pairs)
