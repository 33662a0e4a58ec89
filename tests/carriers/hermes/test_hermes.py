"""What the cases of Hermes can't say: which service an order is of, its parts, and the day that is stated."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from shipcli.carriers.hermes import Hermes
from shipcli.carriers.hermes.parts import find_stated_day
from shipcli.carriers.hermes.tracking import read_tracking

from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.tap import Tap


def order(service: str, boxes: int = 1, **values: Any) -> tuple[list[Any], str]:
    """The bodies of the orders that go out for a purchase, and what is said of it."""
    bench = Bench(Hermes, ("DE", "DE"))
    tap = Tap(bench)
    outcome = bench.ask("ship", bench.request(*[parcel()] * boxes, service=service, **values))
    bench.close()
    sent = [plain_json.loads(one.content) for one in tap.sent if one.url.endswith("/shipmentorders/labels")]
    return sent, said(outcome)


@pytest.mark.parametrize(
    ("service", "member"),
    [
        ("hermes_next_day", "nextDayService"),
        ("hermes_stated_day", "statedDayService"),
        ("hermes_parcel_shop", "parcelShopDeliveryService"),
    ],
)
def test_a_service_is_booked_by_what_makes_it(service: str, member: str) -> None:
    [body], _ = order(service)
    assert member in body["service"]
    assert "service" not in order("hermes_standard")[0][0]


def test_the_first_day_that_can_be_stated_has_two_working_days_before_it() -> None:
    assert find_stated_day(date(2025, 3, 7)) == date(2025, 3, 12)


def test_every_part_but_the_first_names_the_order_of_the_first() -> None:
    bodies, _ = order("hermes_standard", boxes=3)
    parts = [body["service"]["multipartService"] for body in bodies]
    assert [part["partNumber"] for part in parts] == [1, 2, 3]
    assert "parentShipmentOrderID" not in parts[0]
    assert parts[1]["parentShipmentOrderID"] == parts[2]["parentShipmentOrderID"]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"hermes_time_slot": "NOON"}, "options.hermes_time_slot"),
        ({"hermes_part_number": 1}, "options.hermes_part_number"),
        ({"hermes_ident_id": "X1", "hermes_ident_fsk": "18"}, "options.hermes_ident_fsk"),
        ({"hermes_cod_currency": "EUR"}, "options.hermes_cod_currency"),
    ],
)
def test_what_goes_with_something_else_is_refused_by_name(options: dict[str, Any], field: str) -> None:
    sent, text = order("hermes_standard", options=options)
    assert (sent, field in text) == ([], True)


def test_a_scan_without_a_time_is_not_where_the_parcel_is() -> None:
    scans = [
        {"code": "0000", "timestamp": None},
        {"code": "2000", "timestamp": "2025-03-01T08:00:00+01:00"},
        {"code": "3500", "timestamp": "2025-03-02T08:00:00+01:00"},
    ]
    assert read_tracking({"shipmentID": "H1", "status": scans}).status == "delivered"


def test_a_lost_purchase_is_found_by_its_key_and_says_where_its_label_is() -> None:
    bench = Bench(Hermes, ("DE", "DE"))
    request, key = bench.request(parcel(), parcel(), reference="SO-1"), "0123456789abcdef" * 2
    bought = bench.ask("ship", request, key=key)
    found = bench.ask("recover", request, key=key)
    assert found.result.meta["tracking_numbers"] == bought.result.meta["tracking_numbers"]
    assert found.result.docs == {}
    assert "portal" in said(found)
    bench.close()


def test_with_two_references_of_the_callers_own_nobody_guesses() -> None:
    bench = Bench(Hermes, ("DE", "DE"))
    options = {"hermes_customer_reference_2": "Bill 7"}
    outcome = bench.ask("recover", bench.request(reference="SO-1", options=options))
    assert (outcome.failed, "portal" in said(outcome)) == (True, True)
    bench.close()
