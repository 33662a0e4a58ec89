"""Unified tracking through its simulator, and what the recorded answers do not show."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from shipcli.carriers.dhl_universal import DhlUniversal
from shipcli.carriers.dhl_universal.sandbox import DhlUniversalSandbox
from shipcli.carriers.dhl_universal.wire import read_event, read_shipment

from shipcli.carrier import Context
from shipcli.carrier.sending.driver import Driver
from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.carrier.sending.transport import SimulatorTransport
from shipcli.carrier.simulation.simulator import LABEL
from shipcli.models import Tracking, TrackingRequest
from tests.memory_ledger import MemoryLedger

NOW = datetime(2025, 3, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def driver(ledger: MemoryLedger) -> Iterator[Driver]:
    transport = SimulatorTransport(lambda _: DhlUniversalSandbox(ledger, lambda: NOW))
    one = Driver(lambda _: transport)
    yield one
    one.close()


def opened(**account: Any) -> DhlUniversal:
    return DhlUniversal.open({**DhlUniversal.sample_account, **account}, {}, Context(now=NOW))


def track(driver: Driver, *numbers: str, **account: Any) -> FlowOutcome[list[Tracking]]:
    carrier = opened(**account)
    flow = carrier.track(TrackingRequest(tracking_numbers=list(numbers)))
    return driver.run(CarrierJob(carrier, "track", flow))


def test_it_can_track_and_nothing_else() -> None:
    assert DhlUniversal.capabilities() == ["tracking"]


@pytest.mark.parametrize(
    ("number", "status"),
    [
        ("SC0100000001", "in_transit"),
        ("SC0300000001", "delivered"),
        ("SC0500000001", "delivery_delayed"),
        ("SC0700000001", "delivery_failed"),
    ],
)
def test_a_magic_number_has_its_status(driver: Driver, number: str, status: str) -> None:
    [found] = track(driver, number).result or []
    assert (found.tracking_number, found.status, found.delivered) == (number, status, status == "delivered")


def test_events_come_newest_first_with_place_and_time(driver: Driver) -> None:
    [found] = track(driver, "SC0300000000").result or []
    assert [event.code for event in found.events] == [
        "delivered",
        "transit",
        "transit",
        "transit",
        "pre-transit",
    ]
    newest = found.events[0]
    assert (newest.date, newest.time, newest.location) == ("2025-03-03", "23:00 PM", "LEIPZIG")


def test_unknown_numbers_are_messages_beside_the_others(driver: Driver) -> None:
    outcome = track(driver, "JD0001", "SC0300000001")
    assert [one.tracking_number for one in outcome.result or []] == ["SC0300000001"]
    assert [(one.code, one.message) for one in outcome.messages] == [
        ("404", "No shipment with given tracking number found.")
    ]
    assert outcome.messages[0].details == {"title": "No result found", "instance": "/track/shipments"}


def test_a_wrong_key_is_a_message_and_no_result(driver: Driver) -> None:
    outcome = track(driver, "SC0300000001", consumer_key="denied")
    assert not outcome.result
    assert [one.code for one in outcome.messages] == ["401"]


def test_a_label_of_the_group_is_found(driver: Driver, ledger: MemoryLedger) -> None:
    sold = {"bought_at": (NOW - timedelta(hours=3)).isoformat(), "reference": "SO-1", "origin": "DE",
            "destination": "FR"}  # fmt: skip
    ledger.put("dhl_express", LABEL, "1234567890", sold)
    [found] = track(driver, "1234567890").result or []
    assert (found.status, found.meta, found.estimated_delivery) == (
        "in_transit", {"reference": "SO-1"}, "2025-03-06",
    )  # fmt: skip


def test_the_language_goes_into_the_call_and_the_link(driver: Driver) -> None:
    carrier = opened(language="de")
    [call] = next(carrier.track(TrackingRequest(tracking_numbers=["1"])))
    assert call.query == {"language": "de", "trackingNumber": "1"}
    assert carrier.link("1") == (
        "https://www.dhl.com/de-de/home/tracking/tracking-parcel.html?submit=1&tracking-id=1"
    )


def test_the_simulator_refuses_a_language_the_server_does_not_have(ledger: MemoryLedger) -> None:
    from shipcli.carrier.wire.calls import Request

    url = "https://api-eu.dhl.com/track/shipments?trackingNumber=1&language=xx"
    reply = DhlUniversalSandbox(ledger, lambda: NOW).answer(Request("GET", url, {"DHL-API-Key": "k"}))
    assert reply.status == 400


def test_the_secret_half_of_the_key_is_not_sent() -> None:
    headers = opened().headers(next(opened().track(TrackingRequest(tracking_numbers=["1"])))[0], {})
    assert headers == {"Accept": "application/json", "DHL-API-Key": "sandbox-consumer-key"}


@pytest.mark.parametrize(
    ("timestamp", "day", "time"),
    [
        ("2024-05-06T13:05:09", "2024-05-06", "13:05 PM"),
        ("2024-05-06T13:05:09.1234567", "2024-05-06", "13:05 PM"),
        ("2024-05-06T23:30:00+02:00", "2024-05-06", "23:30 PM"),
        ("2024-05-06T00:10:00Z", "2024-05-06", "00:10 AM"),
        ("soon", None, None),
        (None, None, None),
    ],
)
def test_a_timestamp_is_read_as_it_stands(timestamp: str | None, day: str | None, time: str | None) -> None:
    event = read_event({"timestamp": timestamp, "description": "Scan"})
    assert (event.date, event.time) == (day, time)


def test_an_answer_with_a_number_only_is_read() -> None:
    found = read_shipment({"id": 7777777770}, "link")
    assert (found.tracking_number, found.status, found.events) == ("7777777770", "in_transit", [])


def test_references_may_be_a_list() -> None:
    details = {"references": [{"number": "SO-1", "type": "customer-reference"}, {"number": "X"}]}
    assert read_shipment({"id": "1", "details": details}, "link").meta == {"reference": "SO-1"}


def test_a_company_that_signed_is_named() -> None:
    details = {
        "receiver": {"organizationName": "Acme GmbH"},
        "proofOfDelivery": {"signed": {"name": "M. Doe"}},
    }
    info = read_shipment({"id": "1", "details": details}, "link").info
    assert (info.customer_name, info.signed_by) == ("Acme GmbH", "M. Doe")


def test_the_status_comes_from_the_latest_event_when_the_shipment_has_none() -> None:
    found = read_shipment({"id": "1", "events": [{"statusCode": "DELIVERED", "description": "x"}]}, "link")
    assert found.delivered
