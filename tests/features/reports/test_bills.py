"""The carrier's bill against what was bought, and what to dispute."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.files.engine import ImportPlan
from shipcli.features.reports.bills import DEARER, FOREIGN, OTHERS, TWICE, VOIDED, WEIGHED, judge
from shipcli.features.reports.service import make_report
from shipcli.features.shipments import voids
from shipcli.features.shipments.service import create_shipment, purchase_shipment
from shipcli.models import ShipmentPurchaseData
from shipcli.readers.tables import DataFile
from tests.factories import PARCEL, draft
from tests.features.importing import import_invoices
from tests.features.orders.samples import bought, covering, made

SHIPMENT: dict[str, Any] = {
    "tracking_number": "1Z1", "carrier_name": "ups", "status": "delivered",
    "selected_rate": {"total_charge": "10.00", "currency": "USD"},
}  # fmt: skip


def line(
    amount: str, description: str = "Freight", currency: str | None = "USD", number: str = "A1"
) -> dict[str, Any]:
    return {"amount": amount, "description": description, "currency": currency, "invoice_number": number}


@pytest.mark.parametrize(
    ("status", "lines", "disputes"),
    [
        ("delivered", [line("10.00")], []),
        ("delivered", [line("8.00"), line("2.00", "Fuel")], []),
        ("delivered", [line("9.50")], []),
        ("delivered", [line("12.50")], [(DEARER, "2.50")]),
        ("delivered", [line("10.00"), line("3.00", "Dimensional weight adjustment")], [(WEIGHED, "3.00")]),
        ("delivered", [line("10.00"), line("10.00", number="A2")], [(TWICE, "10.00")]),
        ("delivered", [line("5.00"), line("5.00")], []),
        ("delivered", [line("10.00"), line("-10.00", "Refund")], []),
        ("cancelled", [line("10.00")], [(VOIDED, "10.00")]),
        ("cancelled", [line("10.00"), line("-10.00", "Refund")], []),
        ("delivered", [line("10.00"), line("4.00", currency="EUR")], [(FOREIGN, "4.00")]),
        ("delivered", [line("10.00", currency=None)], []),
    ],
)  # fmt: skip
def test_what_to_dispute(status: str, lines: list[dict[str, Any]], disputes: list[tuple[str, str]]) -> None:
    told = judge({**SHIPMENT, "status": status, "meta": {"billing": lines}})
    assert [(row["reason"], row["dispute"]) for row in told] == [
        (reason, Decimal(amount)) for reason, amount in disputes
    ]


def test_what_others_pay_for_is_disputed_whole() -> None:
    payment = {"paid_by": "recipient"}
    (told,) = judge({**SHIPMENT, "payment": payment, "meta": {"billing": [line("8.00")]}})
    assert (told["reason"], told["dispute"], told["bought"]) == (OTHERS, Decimal("8.00"), 0)


def test_a_bill_that_was_imported_is_compared_and_disputed(app: App, tmp_path: Path) -> None:
    order = made(app)
    kept = bought(app, covering(app, order, 1, 0))
    void = bought(app, covering(app, order, 1, 0))
    voids.cancel_shipment(app, void.id)
    price = kept.selected_rate.total_charge if kept.selected_rate else Decimal(0)
    make_report(app, "bills")
    file = tmp_path / "bill.csv"
    file.write_text(
        "Tracking number,Description,Amount,Currency\n"
        f"{kept.tracking_number},Freight,{price},USD\n{kept.tracking_number},Weight correction,1.75,USD\n"
        f"{void.tracking_number},Freight,{price},USD\n999,Freight,5,USD\n"
    )
    results = import_invoices(app, DataFile.open(file), ImportPlan(keep_good=True))
    assert (results.count("created"), results.count("failed")) == (3, 1)
    billed, disputes = make_report(app, "bills").sections
    assert billed.total == {
        "labels": 2, "quoted": price, "bought": price, "billed": price * 2 + Decimal("1.75"),
        "difference": price + Decimal("1.75"),
    }  # fmt: skip
    assert {row["reason"]: row["dispute"] for row in disputes.rows} == {
        WEIGHED: Decimal("1.75"),
        VOIDED: price,
    }
    assert disputes.total == {"dispute": price + Decimal("1.75")}


def test_a_bill_names_parcels_by_numbers_of_their_own(app: App, tmp_path: Path) -> None:
    parcels = [{**PARCEL, "weight": 2}, {**PARCEL, "weight": 3}]
    made = create_shipment(app, draft(parcels=parcels, carrier_ids=["ups"]))
    label = purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    first, second = (label.meta or {})["tracking_numbers"]
    price = label.selected_rate.total_charge if label.selected_rate else Decimal(0)
    file = tmp_path / "bill.csv"
    lines = "".join(f"{number},UPS,20.11.2026,Ground,{price}\n" for number in (first, second, second))
    file.write_text(f"Tracking number,Carrier,Invoice date,Description,Amount\n{lines}{second},DHL,,,1\n")
    for status in ("created", "existing"):
        results = import_invoices(app, DataFile.open(file), ImportPlan(keep_good=True))
        assert [row.status for row in results.rows] == [status] * 3 + ["failed"]
    assert results.rows[3].message == "It was bought with ups, not with 'DHL'"
    _, disputes = make_report(app, "bills").sections
    told = [(row["reason"], row["line"], row["dispute"]) for row in disputes.rows]
    line = f"{second} Ground"
    assert told == [(TWICE, line, price), (DEARER, line, price)]


def test_a_label_billed_in_another_currency_alone_is_disputed(app: App, tmp_path: Path) -> None:
    label = bought(app, covering(app, made(app), 1, 0))
    file = tmp_path / "bill.csv"
    file.write_text(f"Tracking number,Description,Amount\n{label.tracking_number},Freight,9.00 EUR\n")
    import_invoices(app, DataFile.open(file), ImportPlan())
    sections = {section.title: section.rows for section in make_report(app, "bills").sections}
    (row,) = sections["EUR: to dispute"]
    assert (row["reason"], row["dispute"]) == (FOREIGN, Decimal("9.00"))
