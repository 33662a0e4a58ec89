"""The row that names the columns: below titles, in two rows, or where the user says."""

from __future__ import annotations

import io
from collections.abc import Sequence

import openpyxl
import pytest

from shipcli.models import Invalid
from shipcli.readers.guessing import guess_columns
from shipcli.readers.ready_made import SIGNATURES, list_ready_made, recognise_shop
from shipcli.readers.tables import DataFile

GROUPS = "Recipient,,,Parcel,\nname,address 1,country,weight,weight unit\nAda,1 Main,US,1,LB\n"


@pytest.mark.parametrize(
    ("text", "row", "headers"),
    [
        ("Orders of November\n\nSKU;Weight;HS code\nM;1;2\n", 3, ["SKU", "Weight", "HS code"]),
        ("Orders\nprinted 3 Nov\nSKU,Weight,HS code\nM,1,2\n", 3, ["SKU", "Weight", "HS code"]),
        ("Shop export,2026-11-20\nSKU,Weight,HS code\nM,1,2\n", 2, ["SKU", "Weight", "HS code"]),
        (GROUPS, 2, ["Recipient name", "Recipient address 1", "Recipient country", "Parcel weight",
                     "Parcel weight unit"]),
        ("Tracking number\n1Z\n", 1, ["Tracking number"]),
        ("Foo,Bar,Baz\n1,2,3\n", 1, ["Foo", "Bar", "Baz"]),
        ("SKU,Weight,\nM,1,x\n", 1, ["SKU", "Weight", ""]),
    ],
)  # fmt: skip
def test_the_header_is_found(text: str, row: int, headers: list[str]) -> None:
    file = DataFile("own.csv", text.encode())
    assert (file.header_row, file.headers) == (row, headers)
    assert len(list(file)) == 1


@pytest.mark.parametrize(("which", "headers"), [("2", ["c", "d"]), ("1-2", ["a c", "b d"])])
def test_the_user_says_where_the_header_is(which: str, headers: list[str]) -> None:
    file = DataFile("own.csv", b"a,b\nc,d\ne,f\n", header_row=which)
    assert (file.headers, [row.number for row in file]) == (headers, [3])


@pytest.mark.parametrize("which", ["0", "x", "1-3", "2-1", "9"])
def test_a_header_that_is_no_row_is_refused(which: str) -> None:
    with pytest.raises(Invalid, match="header_row"):
        _ = DataFile("own.csv", b"a,b\nc,d\ne,f\n", header_row=which).headers


def make_book(rows: Sequence[Sequence[object]], *merged: str) -> DataFile:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet
    for row in rows:
        sheet.append(row)
    for cells in merged:
        sheet.merge_cells(cells)
    content = io.BytesIO()
    book.save(content)
    return DataFile("own.xlsx", content.getvalue())


def test_a_merged_title_is_passed_over_and_merged_cells_count_in_each_row() -> None:
    rows = [["Orders of November"], ["Order number", "Item title", "Item weight"],
            ["1001", "Mug", "1lb"], [None, "Poster", "2lb"]]  # fmt: skip
    file = make_book(rows, "A1:C1", "A3:A4")
    assert [row.cells["Order number"] for row in file] == ["1001", "1001"]


@pytest.mark.parametrize("slug", SIGNATURES)
def test_a_shop_is_recognised_by_all_of_its_signatures(slug: str) -> None:
    assert slug in list_ready_made()
    for signature in SIGNATURES[slug]:
        assert recognise_shop([name.upper() for name in signature]) == slug
        assert recognise_shop(signature[:-1]) != slug


def test_columns_are_guessed_in_other_languages_and_names_joined() -> None:
    headers = ["Bestellnr", "Vorname", "Nachname", "Straße", "PLZ", "Ort", "Land", "Gewicht kg"]
    assert guess_columns(headers, "shipments") == {
        "recipient_name": "Vorname + Nachname",
        "recipient_address1": "Straße",
        "recipient_postal_code": "PLZ",
        "recipient_city": "Ort",
        "recipient_country": "Land",
        "parcel_weight": "Gewicht kg",
    }
