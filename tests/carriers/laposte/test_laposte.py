"""What the cases of La Poste do not show: many numbers, and an answer in another wrapping."""

from __future__ import annotations

import pytest
from shipcli.carriers.laposte import Laposte
from shipcli.carriers.laposte.wire import read_trackings

from shipcli.carrier import Context
from shipcli.carrier.simulation.simulator import LABEL
from shipcli.models import TrackingRequest
from tests.carriers.bench import MONDAY, Bench
from tests.carriers.promises import track


def test_eleven_numbers_are_asked_for_in_two_calls() -> None:
    carrier = Laposte.open(Laposte.sample_account, {}, Context(now=MONDAY))
    calls = next(carrier.track(TrackingRequest(tracking_numbers=[f"A{at}" for at in range(11)])))
    assert [call.path.count(",") for call in calls] == [9, 0]


def test_an_answer_that_wraps_its_list_is_read() -> None:
    shipment = {"idShip": "8R1", "isFinal": True, "event": [{"code": "DI1", "date": "soon"}]}
    [found] = read_trackings({"responses": [{"returnCode": 200, "shipment": shipment}]}, "https://p/{}")
    assert (found.status, found.delivered, found.info.carrier_tracking_link) == (
        "delivered", True, "https://p/8R1",
    )  # fmt: skip
    assert (found.events[0].date, found.events[0].time) == (None, None)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("RE1", "return_to_sender"),
        ("DI2", "return_to_sender"),
        ("ND1", "delivery_failed"),
        ("AG1", "ready_for_pickup"),
    ],
)
def test_a_parcel_that_came_back_is_not_delivered_though_it_moves_no_more(code: str, status: str) -> None:
    shipment = {"idShip": "8R1", "isFinal": True, "event": [{"code": code, "date": "2025-03-04T09:00:00"}]}
    [found] = read_trackings({"returnCode": 200, "shipment": shipment}, "https://p/{}")
    assert (found.status, found.delivered) == (status, False)


def test_a_parcel_that_colissimo_sold_is_found() -> None:
    bench = Bench(Laposte, ("FR", "FR"))
    sold = {"bought_at": MONDAY.isoformat(), "origin": "FR", "destination": "US"}
    bench.ledger.put("colissimo", LABEL, "8R00000000001", sold)
    [found] = track(bench, "8R00000000001").result or []
    assert (found.status, found.info.shipment_destination_country) == ("pending", "US")
    bench.close()
