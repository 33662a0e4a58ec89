"""Lines of bills as carriers write them: their headings and their days."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.readers.cells import read_day
from shipcli.readers.columns import find_headers


@pytest.mark.parametrize(
    "headings",
    [
        "Express or Ground Tracking ID,Invoice Number,Invoice Date,Net Charge Amount",
        "Tracking Number,Invoice Number,Invoice Date,Net Amount,Charge Description,Invoice Currency Code",
        "Shipment Number,Invoice Number,Invoice Date,Currency,Total amount (excl. VAT),Product Name",
        "Sendungsnummer,Rechnungsnummer,Rechnungsdatum,Leistung,Nettobetrag,Währung",
    ],
)
def test_the_headings_of_bills_are_known(headings: str) -> None:
    names = headings.split(",")
    found = find_headers(names, "billing")
    assert set(found.values()) == set(names)
    assert {"tracking_number", "invoice_number", "invoice_date", "amount"} <= set(found)


@pytest.mark.parametrize(
    "text",
    ["2026-11-20", "20261120", "20.11.2026", "20.11.26", "11/20/2026", "20/11/2026", "20-Nov-2026",
     "20 November 2026", "Nov 20, 2026", "2026/11/20", "2026-11-20T10:15:00Z"],
)  # fmt: skip
def test_a_day_is_read_in_whatever_spelling_means_no_other_day(text: str) -> None:
    wrong: list[tuple[str, str]] = []
    assert (read_day("day", {"day": text}, wrong), wrong) == ("2026-11-20", [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("03/04/2026", "can be 2026-03-04 or 2026-04-03: write it so"),
        ("2026-02-30", "is not a date"), ("20261320", "is not a date"), ("32.13.2026", "is not a date"),
        ("soon", "is not a date"), ("2026-1-1-1", "is not a date"),
    ],
)  # fmt: skip
def test_a_day_that_is_none_or_two_is_refused(text: str, said: str) -> None:
    wrong: list[Any] = []
    assert read_day("day", {"day": text}, wrong) is None
    ((name, reason),) = wrong
    assert (name, said in reason) == ("day", True)
