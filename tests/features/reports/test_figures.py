"""Figures against the ledger: what the simulated carriers sold, by carrier and currency."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.reports import delivery, figures, sales
from shipcli.features.reports.service import REPORTS, make_report
from shipcli.features.sandbox.ledger_rows import list_ledger_rows
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments import voids
from shipcli.models import Invalid, NotFound, Report, Shipment, ShipmentPurchaseData
from tests.factories import CANADA, CANADIAN, PARCEL, draft
from tests.features.conftest import Clock
from tests.homes import copy_sandbox

ITEMS = [
    {"title": "Lamp", "sku": "L-1", "quantity": 1, "weight": 1, "weight_unit": "KG"},
    {"title": "Book", "sku": "B-1", "quantity": 2, "weight": 250, "weight_unit": "G"},
]


def buy(app: App, carrier: str, which: int = 0, **changes: Any) -> Shipment:
    parcel = {**PARCEL, "items": ITEMS}
    made = shipments.create_shipment(app, draft(parcels=[parcel], carrier_ids=[carrier], **changes))
    return shipments.purchase_shipment(
        app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[which].id)
    )


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Labels of three carriers in two currencies, some void."""
    home = copy_sandbox(tmp_path_factory.mktemp("reports") / "home")
    app = open_app(home, sandbox=True, environ={})
    for which, carrier in enumerate(("generic", "ups", "ups", "generic")):
        buy(app, carrier, which % 2)
    voids.cancel_shipment(app, buy(app, "ups").id)
    voids.cancel_shipment(app, buy(app, "generic").id)
    buy(app, "canadapost", shipper=CANADIAN, recipient=CANADA)
    yield app
    app.close()


def add_ledger(app: App) -> dict[tuple[str, str], list[Any]]:
    """Labels, voids and money by carrier and currency, as the carriers have them."""
    sums: dict[tuple[str, str], list[Any]] = defaultdict(lambda: [0, 0, Decimal(0)])
    for row in list_ledger_rows(app):
        figures = sums[row["slug"], row["currency"]]
        figures[0] += not row["voided"]
        figures[1] += bool(row["voided"])
        figures[2] += Decimal(0) if row["voided"] else Decimal(str(row["total"]))
    return dict(sums)


def list_rows(report: Report) -> list[dict[str, Any]]:
    return [{"currency": section.currency, **row} for section in report.sections for row in section.rows]


@pytest.mark.parametrize("name", ["cost", "carriers", "day"])
def test_costs_by_carrier_are_those_of_the_ledger(stocked: App, name: str) -> None:
    rows = [row for row in list_rows(make_report(stocked, name, by="carrier")) if row["currency"]]
    told = {(row["carrier"], row["currency"]): [row["labels"], row["voided"], row["spend"]] for row in rows}
    assert told == add_ledger(stocked)


@pytest.mark.parametrize(
    "by", ["week", "day", "zone", "country", "service", "sku", "carrier,zone", "week,sku"]
)
def test_every_grouping_adds_up_to_the_ledger_in_each_currency(stocked: App, by: str) -> None:
    spent: dict[str, Decimal] = defaultdict(Decimal)
    labels: dict[str, int] = defaultdict(int)
    for (_, currency), (count, _, amount) in add_ledger(stocked).items():
        spent[currency] += amount
        labels[currency] += count
    report = make_report(stocked, "cost", by=by)
    assert {section.currency for section in report.sections} == set(spent)
    for section in report.sections:
        assert sum(row["spend"] for row in section.rows) == spent[section.currency]
        assert (section.total["spend"], section.total["labels"]) == (
            spent[section.currency], labels[section.currency],
        )  # fmt: skip
        assert sum(row["parcels"] for row in section.rows) == labels[section.currency]
        if spent[section.currency]:
            assert sum(row["share"] for row in section.rows) == pytest.approx(1)


def test_an_article_has_its_share_of_the_price_by_weight(stocked: App) -> None:
    (section,) = [one for one in make_report(stocked, "cost", by="sku").sections if one.currency == "CAD"]
    spend = {row["sku"]: row["spend"] for row in section.rows}
    assert spend["L-1"] == pytest.approx(spend["B-1"] * 2, abs=Decimal("0.05"))
    assert all(amount == round(amount, 2) for amount in spend.values())


def test_a_report_reads_only_what_changed_since_the_last(timed: App, clock: Clock) -> None:
    first = buy(timed, "generic")
    assert (sales.catch_up(timed), sales.catch_up(timed)) == (1, 0)
    clock.advance(hours=1)
    buy(timed, "generic")
    voids.cancel_shipment(timed, first.id)
    assert (sales.catch_up(timed), sales.catch_up(timed)) == (2, 0)
    (row,) = list_rows(make_report(timed, "cost", by="carrier"))
    assert (row["labels"], row["voided"]) == (1, 1)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of this machine cannot be set")
def test_days_are_those_of_this_machine_also_where_another_had_other_ones(
    timed: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.advance(hours=13)  # half past three on the next day in UTC
    buy(timed, "generic")
    days = {}
    for zone in ("UTC", "America/New_York", "UTC"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        (days[zone],) = [row["day"] for row in list_rows(make_report(timed, "spend", by="day"))]
    monkeypatch.undo()
    time.tzset()
    assert days == {"UTC": "2031-05-08", "America/New_York": "2031-05-07"}


def test_what_others_pay_for_is_counted_but_not_spent(timed: App) -> None:
    buy(timed, "generic")
    others = {"paid_by": "third_party", "account_number": "123456789"}
    buy(timed, "fedex", payment=others)
    rows = {row["carrier"]: row for row in list_rows(make_report(timed, "cost", by="carrier"))}
    assert (rows["fedex"]["labels"], rows["fedex"]["spend"]) == (1, 0)
    assert rows["generic"]["share"] == 1


def test_a_delivery_counts_on_the_day_of_where_it_was(timed: App, clock: Clock) -> None:
    """Half past two in the afternoon is the next day already in the far east."""
    events = [{"date": "2031-05-08", "status": "delivered", "code": "D", "description": "Delivered"}]
    tracker = {
        "id": "trk_1", "tracking_number": "1Z1", "carrier_name": "ups", "carrier_id": "ups",
        "status": "delivered", "delivered": True, "test_mode": True, "events": events,
        "estimated_delivery": "2031-05-08", "updated_at": timed.stamp(), "created_at": timed.stamp(),
    }  # fmt: skip
    with timed.store.transaction() as tx:
        tx.put("tracker", tracker)
    day = date(2031, 5, 8)
    assert delivery.count_on_time(timed, day, day)["ups"].on_time == 1


def test_a_void_in_the_same_instant_is_seen(timed: App) -> None:
    sold = buy(timed, "generic")
    make_report(timed, "cost")
    voids.cancel_shipment(timed, sold.id)
    (row,) = list_rows(make_report(timed, "cost"))
    assert (row["labels"], row["voided"], row["spend"]) == (0, 1, 0)


def test_other_days_are_left_out_and_weeks_without_sales_stay(timed: App, clock: Clock) -> None:
    buy(timed, "generic")
    clock.advance(days=21)
    buy(timed, "generic")
    (section,) = make_report(timed, "spend").sections
    assert [row["labels"] for row in section.rows] == [1, 0, 0, 1]
    (section,) = make_report(timed, "spend", first="2031-05-20").sections
    assert (section.total["labels"], make_report(timed, "spend", last="2031-05-01").sections) == (1, [])


@pytest.mark.parametrize("name", REPORTS)
def test_a_store_without_shipments_has_reports_that_say_so(app: App, name: str) -> None:
    report = make_report(app, name)
    nothing = "No parcel is past its estimated day." if name == "late" else "Nothing in these days."
    assert (report.sections, report.notes) == ([], [nothing])


def test_what_can_not_be_read_is_refused_by_name(app: App) -> None:
    with pytest.raises(NotFound, match="carriers"):
        make_report(app, "costs")
    with pytest.raises(Invalid, match="carrier"):
        make_report(app, "cost", by="carier")
    with pytest.raises(Invalid):
        make_report(app, "cost", first="2026-12-01", last="2026-11-01")


def test_a_million_rows_take_no_more_memory_than_their_groups(app: App) -> None:
    """The store adds up: what comes back is as long as there are groups, however many rows there are."""
    row = {"sku": "", "test_mode": True, "status": "purchased", "seen_at": app.now(), "day": "2026-11-27",
           "carrier": "ups", "service": "s", "zone": "1", "country": "US", "currency": "USD",
           "is_void": False, "parcels": 1, "charge": 12_500, "quoted": 12_500, "billed": None}  # fmt: skip
    with app.store.transaction() as tx:
        tx.insert_many(sales.TABLE, [{**row, "shipment_id": f"shp_{number}"} for number in range(5000)])
    grouped = app.store.group(
        sales.TABLE, ["carrier"], {"charge": ("sum", "charge"), "labels": ("count distinct", "shipment_id")}
    )
    assert grouped == [{"carrier": "ups", "charge": 62_500_000, "labels": 5000}]


def test_papers_are_counted_by_printer_on_the_days_of_the_report(app: App) -> None:
    job = {"test_mode": app.test_mode, "object_id": "shp_1", "title": "", "target": "spool:out",
           "format": "ZPL", "copy": 1, "state": "printed", "caller": "ann"}  # fmt: skip
    moments = [datetime.combine(date(2026, 11, day), at).astimezone() for day, at in (
        (25, clock_time(23, 59, 59)), (26, clock_time()), (26, clock_time(23, 59, 59)),
        (27, clock_time()))]  # fmt: skip
    rows = [
        {**job, "number": number, "kind": kind, "printer": "dock", "bench": "", "created_at": moment}
        for number, (moment, kind) in enumerate(
            zip(moments, ("label", "label", "slip", "label"), strict=True), 1
        )
    ]
    with app.store.transaction() as tx:
        tx.insert_many("print_jobs", rows)
    (section,) = make_report(app, "day", first="2026-11-26", last="2026-11-26").sections
    assert section.rows == [{"printer": "dock", "caller": "ann", "labels": 1, "papers": 2}]


@pytest.mark.parametrize("days", [1, 59, 60, 61, 365, 1000])
def test_spans_cover_every_day_once(days: int) -> None:
    first = date(2026, 1, 1)
    spans = list(figures._list_spans(first, first + timedelta(days=days - 1)))
    assert len(spans) <= figures.MOST_SPANS + 1
    assert sum((end - start).days + 1 for start, end in spans) == days
    assert all(after[0] == before[1] + timedelta(days=1) for before, after in pairwise(spans))


def test_the_share_of_rows_adds_up_to_what_was_paid() -> None:
    parts = sales._split(100_001, {"a": Decimal(1), "b": Decimal(1), "c": Decimal(1)})
    cents = sales._split(1_001_000, {"a": Decimal(1), "b": Decimal(1), "c": Decimal(1)}, 100)
    assert (sum(part or 0 for part in cents), [(part or 0) % 100 for part in cents]) == (1_001_000, [0, 0, 0])
    assert (sum(part or 0 for part in parts), sales._split(None, {"a": Decimal(1)})) == (100_001, [None])
