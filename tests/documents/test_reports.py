"""Reports as workbooks and pages: numbers stay numbers, heads are frozen, every row is on paper."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pypdfium2
import pytest

from shipcli.documents.report_cells import list_lines
from shipcli.documents.report_pdf import write_report_pdf
from shipcli.documents.report_workbook import write_workbook
from shipcli.drawing.paper import PAPERS
from shipcli.models import Report

COLUMNS = [
    {"name": "week", "title": "Week"}, {"name": "labels", "title": "Labels", "kind": "count"},
    {"name": "spend", "title": "Spend", "kind": "money"},
    {"name": "share", "title": "Share", "kind": "share"},
]  # fmt: skip


def make(rows: int, currency: str = "USD", name: str = "W{}", **chart: Any) -> Report:
    section = {
        "title": currency, "currency": currency, "columns": COLUMNS,
        "rows": [{"week": name.format(place), "labels": place, "spend": f"{place}.50", "share": 1 / rows}
                 for place in range(rows)],
        "total": {"labels": rows, "spend": "1234.5"},
        "chart": {"title": "Spend a week", "label": "week", "value": "spend", **chart},
    }  # fmt: skip
    days = {"first": "2026-11-01", "last": "2026-11-27"}
    return Report.model_validate({"name": "spend", "title": "Spend", "sections": [section], **days})


def read_pdf(content: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(content)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def test_a_workbook_has_numbers_with_formats_below_frozen_heads() -> None:
    book = openpyxl.load_workbook(io.BytesIO(write_workbook(make(3))))
    sheet = book["USD"]
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A4", "A3:D6")
    assert [cell.value for cell in sheet[3]] == ["Week", "Labels", "Spend", "Share"]
    assert [cell.value for cell in sheet[5]] == ["W1", 1, 1.5, pytest.approx(1 / 3)]
    assert [cell.number_format for cell in sheet[5]] == ["General", "#,##0", "#,##0.00", "0.0%"]
    assert [cell.value for cell in sheet[7]] == ["Total", 3, 1234.5, None]
    yen = openpyxl.load_workbook(io.BytesIO(write_workbook(make(1, "JPY"))))
    assert yen["JPY"]["C4"].number_format == "#,##0"


def test_text_of_a_workbook_is_never_a_formula() -> None:
    book = openpyxl.load_workbook(io.BytesIO(write_workbook(make(1, name="=1+1"))))
    assert (book["USD"]["A4"].value, book["USD"]["A4"].data_type) == ("=1+1", "s")


@pytest.mark.parametrize(("rows", "pages"), [(1, 1), (20, 1), (200, 5)])
@pytest.mark.parametrize("over_time", [True, False])
def test_every_row_is_on_a_page_below_the_head(rows: int, pages: int, over_time: bool) -> None:
    texts = read_pdf(write_report_pdf(make(rows, over_time=over_time), PAPERS["a4"], "2026-11-27"))
    assert len(texts) == pages
    assert all("Week" in text and f"Page {number}" in text for number, text in enumerate(texts, 1))
    words = set(" ".join(texts).split())
    assert {f"W{place}" for place in range(rows)} <= words
    assert {"Total", "1,234.50"} <= words


def test_names_in_other_scripts_are_written() -> None:
    (text,) = read_pdf(write_report_pdf(make(2, name="東京 & <Łódź>"), PAPERS["letter"], ""))
    assert text.count("東京 & <Łódź>") == 4


def test_a_report_of_nothing_says_so() -> None:
    empty = make(1).model_copy(update={"sections": [], "notes": ["Nothing in these days."]})
    (text,) = read_pdf(write_report_pdf(empty, PAPERS["a4"], ""))
    assert "Nothing in these days." in text
    assert (
        openpyxl.load_workbook(io.BytesIO(write_workbook(empty)))["Spend"]["A1"].value
        == "Nothing in these days."
    )


def test_amounts_have_the_decimals_of_their_currency() -> None:
    lines = list_lines(make(2).sections[0])
    assert lines == [["W0", "0", "0.50", "50%"], ["W1", "1", "1.50", "50%"], ["Total", "2", "1,234.50", ""]]
