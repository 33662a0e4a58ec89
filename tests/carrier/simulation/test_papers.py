"""The labels of simulated carriers look like real ones, can't be mistaken for them, and scan."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party
from shipcli.carrier.simulation.papers import (
    draw_booking,
    draw_format,
    draw_invoice,
    group_text,
    list_customs_lines,
)
from shipcli.drawing import draw_label, find_label_kind
from tests.carriers.papers import barcodes

HERE = Party(country="US", name="Ann", lines=("1 Dock Rd",), city="Memphis", state="TN", postal_code="38103")
GOODS = BookedItem(description="Cotton shirts", quantity=2, value=Decimal(9), currency="USD", origin="US")
BOOKING = Booking(
    shipper=HERE, recipient=replace(HERE, country="DE", name="Bo"), weights=(Decimal(1), Decimal(2)),
    items=(GOODS,) * 4, reference="R1", billing="P/P", ship_date=date(2025, 3, 3),
)  # fmt: skip
NUMBER = "1Z999AA10123456784"


@pytest.mark.parametrize("kind", ["PDF", "ZPL", "PNG"])
def test_both_barcodes_scan(kind: str) -> None:
    spec = draw_booking(
        BOOKING, NUMBER, 0, "UPS", "GROUND", mark="G", routing="DE 380", postal_barcode="42038103",
        caption=group_text(NUMBER, 2, 3, 3, 2, 4),
    )  # fmt: skip
    found = barcodes(draw_label(spec, kind))
    assert {NUMBER, "42038103"} <= set(found)
    assert found.count(NUMBER) <= 2


@pytest.mark.parametrize("kind", ["PDF", "ZPL", "PNG", "JPG", "TIFF", "SVG"])
def test_a_label_is_drawn_in_every_format(kind: str) -> None:
    content = draw_format(draw_booking(BOOKING, NUMBER, 0, "UPS", "GROUND"), kind)
    if kind == "SVG":
        assert content.startswith(b"<svg ")
        return
    assert find_label_kind(content) == kind
    assert NUMBER in barcodes(content)


def test_a_label_says_what_real_ones_say() -> None:
    spec = draw_booking(BOOKING, NUMBER, 1, "UPS", "GROUND")
    said = (*spec.references, *spec.recipient.lines, spec.place)
    assert {"4.41 LB", "2 OF 2", "SHIP DATE 03 MAR 2025", "REF R1", "BILLING P/P", "GERMANY"} <= set(said)
    assert spec.sample


def test_a_parcel_that_is_booked_alone_says_which_of_how_many_it_is() -> None:
    alone = replace(BOOKING, weights=(Decimal(2),), position=(2, 3))
    assert draw_booking(alone, NUMBER, 0, "UPS", "GROUND").place == "2 OF 3"


def test_goods_are_named_on_labels_that_leave_the_country() -> None:
    assert list_customs_lines(BOOKING)[1] == "2 x Cotton shirts  18 USD"
    assert list_customs_lines(BOOKING)[-1] == "and 1 more"
    assert list_customs_lines(replace(BOOKING, recipient=HERE)) == []


def test_a_number_is_grouped() -> None:
    assert group_text(NUMBER, 2, 3, 3, 2, 4) == "1Z 999 AA1 01 2345 6784"


def test_an_invoice_is_drawn() -> None:
    assert draw_invoice("Invoice", BOOKING, {"Shipment": NUMBER, "Terms": ""}).startswith(b"%PDF")


@pytest.mark.parametrize(
    ("country", "weight"), [("US", "2.20 LB"), ("PR", "2.20 LB"), ("DE", "1.00 KG"), ("CA", "1.00 KG")]
)
def test_a_label_names_the_weight_in_the_unit_of_its_country(country: str, weight: str) -> None:
    booking = replace(BOOKING, shipper=replace(HERE, country=country))
    assert weight in draw_booking(booking, NUMBER, 0, "UPS", "GROUND").references
