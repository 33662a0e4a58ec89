"""Spring: purchases that are interrupted or refused in part, and what its levels of error mean."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from shipcli.carriers.spring import Spring

from shipcli.carrier import Reply, Request
from shipcli.models import CancelRequest
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.errands import GOODS
from tests.carriers.tap import Tap

SERVICE = "spring_tracked"


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(Spring, ("DE", "US"))
    yield bench
    bench.close()


def orders(tap: Tap) -> list[dict[str, object]]:
    return [plain_json.loads(sent.content)["Shipment"] for sent in tap.sent]


def is_order(request: Request) -> bool:
    return b'"OrderShipment"' in request.content


def test_a_purchase_whose_answer_is_lost_stays_in_doubt(bench: Bench) -> None:
    """Nothing is published by which Spring could be asked for it."""
    bench.loses = is_order
    outcome = bench.ask("ship", bench.request(service=SERVICE))
    assert (outcome.result, outcome.unknown) == (None, True)
    assert len(bench.ledger.find("spring", "label")) == 1
    assert not Spring.can("recover")


def test_what_was_bought_of_a_refused_shipment_is_taken_back(bench: Bench) -> None:
    refusal = Reply(200, b'{"ErrorLevel": 10, "Error": "Weight is not valid"}')
    tap = Tap(bench, instead=lambda sent: refusal if b'"SO-1-2"' in sent.content else None)
    boxes = [parcel("0.5", items=[GOODS]), parcel("0.6", items=[GOODS])]
    outcome = bench.ask("ship", bench.request(*boxes, service=SERVICE, reference="SO-1"))
    assert (outcome.failed, outcome.unknown) == (True, False), said(outcome)
    assert "Weight is not valid" in said(outcome)
    [sold] = bench.ledger.find("spring", "label")
    assert sold["voided_at"]
    assert len(tap.sent) == 3


def test_a_label_made_with_errors_is_a_label_and_says_so(bench: Bench) -> None:
    shipment = {"TrackingNumber": "LX210720682NL", "LabelFormat": "ZPL300", "LabelImage": "XlhB"}
    body = {"ErrorLevel": 1, "Error": "The phone number was dropped", "Shipment": shipment}
    Tap(bench, instead=lambda sent: Reply(200, plain_json.dump_bytes(body)))
    outcome = bench.ask("ship", bench.request(service=SERVICE, label_type="ZPL"))
    assert outcome.result, said(outcome)
    assert (outcome.result.tracking_number, outcome.result.label_type) == ("LX210720682NL", "ZPL")
    assert "1: The phone number was dropped" in said(outcome)


def test_a_label_voided_with_errors_is_not_said_to_be_void(bench: Bench) -> None:
    body = {"ErrorLevel": 1, "Error": "Not with the carrier", "Shipment": {"TrackingNumber": "LX1"}}
    Tap(bench, instead=lambda sent: Reply(200, plain_json.dump_bytes(body)))
    outcome = bench.ask("void", CancelRequest(shipment_identifier="LX1"))
    assert outcome.result, said(outcome)
    assert not outcome.result.success


def test_products_are_told_with_the_value_and_weight_of_all_their_pieces(bench: Bench) -> None:
    tap = Tap(bench)
    bench.ask("ship", bench.request(parcel("0.9", items=[GOODS]), service=SERVICE))
    [order] = orders(tap)
    [product] = order["Products"]  # type: ignore[misc]
    assert (product["Quantity"], product["Value"], product["Weight"]) == ("3", "70.35", "0.600")
    assert (order["Value"], order["Currency"]) == ("70.35", "USD")


def test_labels_of_several_parcels_are_pages_where_pictures_were_asked_for(bench: Bench) -> None:
    boxes = [parcel("0.5", items=[GOODS]), parcel("0.6", items=[GOODS])]
    outcome = bench.ask("ship", bench.request(*boxes, service=SERVICE, label_type="PNG"))
    assert outcome.result, said(outcome)
    assert outcome.result.label_type == "PDF"
    assert outcome.result.docs["label"].startswith("JVBER")
    assert len(outcome.result.meta["tracking_numbers"]) == 2


def test_a_service_takes_what_its_last_bracket_takes(bench: Bench) -> None:
    quotes = bench.quote(parcel("2.0")).result or []
    prices = {quote.service: quote.total_charge for quote in quotes}
    assert prices[SERVICE] == Decimal("7.9")


def test_events_that_come_oldest_first_are_shown_latest_first(bench: Bench) -> None:
    events = [
        {"DateTime": "2024-01-07 07:38:45", "City": "TORONTO", "State": "ON", "Country": "CA", "Code": 9301},
        {"DateTime": "2024-01-07 10:19:48", "City": "TORONTO", "State": "", "Country": "CA", "Code": 100},
    ]
    shipment = {"TrackingNumber": "LX210720682NL", "Weight": "0.85", "WeightUnit": "kg", "Events": events}
    body = {"ErrorLevel": 0, "Error": "", "Shipment": shipment}
    Tap(bench, instead=lambda sent: Reply(200, plain_json.dump_bytes(body)))
    [tracking] = bench.ask("track", bench.tracking("LX210720682NL")).result
    assert (tracking.status, tracking.delivered) == ("delivered", True)
    assert [event.location for event in tracking.events] == ["TORONTO, CA", "TORONTO, ON, CA"]
    assert (tracking.info.package_weight, tracking.info.package_weight_unit) == ("0.85", "kg")
