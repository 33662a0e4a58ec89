"""What recorded exchanges don't show of Canada Post: several parcels, taking back, finding again."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from lxml.etree import _Element

from carriers.canadapost import CanadaPost, replies, wire
from carriers.canadapost.wire import RATE, SHIPMENT
from shipcli.carrier import Call, Request, basic_auth, registry
from shipcli.carrier.flow_runner import CarrierJob, FlowOutcome
from shipcli.carrier.simulator import LABEL
from shipcli.carrier.xml import render
from shipcli.models import (
    CancelRequest,
    ManifestRequest,
    Parcel,
    PickupRequest,
    PickupUpdateRequest,
    RateRequest,
    ShipmentRequest,
    TrackingRequest,
)
from tests.carriers.bench import Bench, address, parcel, said

KEY = "a1" * 16
SCHEMAS = Path(__file__).parents[3].parent / "shared" / "carriers" / "canadapost" / "wire"


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(CanadaPost, ("CA", "CA"))
    yield made
    made.close()


def order(bench: Bench, *parcels: Parcel, **options: Any) -> ShipmentRequest:
    return bench.request(*parcels, service="canadapost_expedited_parcel", options=options)


def buy(bench: Bench, request: ShipmentRequest, key: str = KEY) -> FlowOutcome[Any]:
    return bench.ask("ship", request, key=key)


def bought_of(bench: Bench, request: ShipmentRequest) -> Any:
    outcome = buy(bench, request)
    assert outcome.result, said(outcome)
    return outcome.result


def void(bench: Bench, identifier: str, **options: Any) -> FlowOutcome[Any]:
    return bench.ask("void", CancelRequest(shipment_identifier=identifier, options=options))


def labels(bench: Bench) -> list[dict[str, Any]]:
    return bench.ledger.find("canadapost", LABEL)


def without_email(request: ShipmentRequest) -> ShipmentRequest:
    return request.changed(shipper=request.shipper.changed(email=None))


# -- purchases -------------------------------------------------------------------------------------


def test_two_parcels_make_one_label_file_of_two_pages(bench: Bench) -> None:
    from shipcli.drawing import pages

    bought = bought_of(bench, order(bench, parcel("1"), parcel("2")))
    assert pages(base64.b64decode(bought.docs["label"])) == 2
    assert [one["number"] for one in labels(bench)] == bought.meta["tracking_numbers"]
    assert [one["identifier"] for one in labels(bench)] == bought.meta["shipment_identifiers"]


def test_every_parcel_has_a_request_id_of_its_own(bench: Bench) -> None:
    bought = bought_of(bench, order(bench, parcel("1"), parcel("2")))
    assert bought.meta["customer_request_ids"][0] == KEY
    assert len(set(bought.meta["customer_request_ids"])) == 2
    assert [one["key"] for one in labels(bench)] == bought.meta["customer_request_ids"]


def test_a_parcel_that_is_refused_takes_the_others_back(bench: Bench) -> None:
    outcome = buy(bench, order(bench, parcel("1"), parcel("40")))
    assert (outcome.result, outcome.unknown) == (None, False)
    assert "exceeds" in said(outcome)
    assert [bool(one["voided_at"]) for one in labels(bench)] == [True]


def test_a_half_bought_shipment_that_can_not_be_taken_back_is_of_unknown_outcome(bench: Bench) -> None:
    request = order(bench, parcel("1"), parcel("40"), canadapost_submit_shipment=True)
    outcome = buy(bench, without_email(request))
    assert (outcome.result, outcome.unknown) == (None, True)
    assert [bool(one["voided_at"]) for one in labels(bench)] == [False]


def test_saying_no_to_transmission_beats_the_connection(bench: Bench) -> None:
    config = CanadaPost.read_config({"transmit_shipment_by_default": True})
    account = CanadaPost.read_credentials(CanadaPost.sample_account)
    carrier = CanadaPost(account, config, bench.carrier().context)
    assert sent(carrier.ship(order(bench))).find("{*}transmit-shipment") is not None
    waiting = sent(carrier.ship(order(bench, canadapost_submit_shipment=False)))
    assert waiting.findtext("{*}group-id") == "20250303-bench"


def test_a_shipment_without_a_customer_number_is_refused_before_anything_is_sent(bench: Bench) -> None:
    poor = Bench(CanadaPost, ("CA", "CA"), credentials={"customer_number": None})
    outcome = poor.ask("ship", order(bench))
    poor.close()
    assert outcome.messages[0].code == "SHIPPING_SDK_FIELD_ERROR"
    assert poor.traces == []


# -- finding again ---------------------------------------------------------------------------------


def test_a_purchase_of_two_parcels_is_found_again_as_it_was(bench: Bench) -> None:
    request = order(bench, parcel("1"), parcel("2"))
    bought = bought_of(bench, request)
    bench.wait(days=2)
    assert bench.ask("recover", request, key=KEY).result == bought


def test_a_transmitted_purchase_is_found_again(bench: Bench) -> None:
    request = order(bench, canadapost_submit_shipment=True)
    bought = bought_of(bench, request)
    assert not bought.meta["manifest_required"]
    assert bench.ask("recover", request, key=KEY).result == bought


def test_a_half_bought_shipment_is_taken_back_when_it_is_looked_for(bench: Bench) -> None:
    request = order(bench, parcel("1"), parcel("40"), canadapost_submit_shipment=True)
    buy(bench, without_email(request))
    outcome = bench.ask("recover", request, key=KEY)
    assert (outcome.result, outcome.failed) == (None, False)
    assert [bool(one["voided_at"]) for one in labels(bench)] == [True]


def test_a_recovery_that_is_not_let_in_does_not_say_there_was_no_purchase(bench: Bench) -> None:
    request = order(bench)
    buy(bench, request)
    bench.credentials = {"password": "denied"}
    outcome = bench.ask("recover", request, key=KEY)
    assert outcome.failed
    assert outcome.messages[0].code == "E002"


# -- cancellation ----------------------------------------------------------------------------------


def test_all_parcels_of_a_shipment_are_voided_together(bench: Bench) -> None:
    bought = bought_of(bench, order(bench, parcel("1"), parcel("2")))
    outcome = void(
        bench, bought.shipment_identifier, shipment_identifiers=bought.meta["shipment_identifiers"]
    )
    assert outcome.result, said(outcome)
    assert all(one["voided_at"] for one in labels(bench))


def test_a_parcel_that_is_gone_already_does_not_hinder_the_rest(bench: Bench) -> None:
    bought = bought_of(bench, order(bench, parcel("1"), parcel("2")))
    void(bench, bought.shipment_identifier)
    outcome = void(
        bench, bought.shipment_identifier, shipment_identifiers=bought.meta["shipment_identifiers"]
    )
    assert outcome.result, said(outcome)
    assert all(one["voided_at"] for one in labels(bench))


def test_a_transmitted_label_is_refunded_once_and_by_email_only(bench: Bench) -> None:
    bought = bought_of(bench, order(bench, canadapost_submit_shipment=True))
    assert "email" in str(void(bench, bought.shipment_identifier).messages[0].details)
    assert void(bench, bought.shipment_identifier, email="desk@example.com").result
    assert void(bench, bought.shipment_identifier, email="desk@example.com").result is None


def test_a_label_on_a_manifest_is_not_voided(bench: Bench) -> None:
    bought = bought_of(bench, order(bench))
    manifest(bench, bought.shipment_identifier)
    assert void(bench, bought.shipment_identifier, email="desk@example.com").result is None


# -- manifests, pickups, tracking ------------------------------------------------------------------


def manifest(bench: Bench, *identifiers: str, **options: Any) -> FlowOutcome[Any]:
    request = ManifestRequest(
        shipment_identifiers=list(identifiers), address=address("CA", "Ann Sender"), options=options
    )
    return bench.ask("manifest", request)


def test_the_group_kept_with_a_shipment_saves_asking_for_it(bench: Bench) -> None:
    bought = bought_of(bench, order(bench))
    bench.traces.clear()
    kept = {"tracking_number": bought.tracking_number, "meta": dict(bought.meta)}
    outcome = manifest(bench, bought.tracking_number, shipments=[kept])
    assert outcome.result, said(outcome)
    assert not any("details" in trace.request["url"] for trace in bench.traces)


def test_a_shipment_is_on_one_manifest_only(bench: Bench) -> None:
    bought = bought_of(bench, order(bench))
    assert manifest(bench, bought.shipment_identifier).result
    outcome = manifest(bench, bought.shipment_identifier)
    assert outcome.result is None
    assert "not found for transmission" in said(outcome)


def test_a_transmitted_shipment_waits_for_no_manifest(bench: Bench) -> None:
    bought = bought_of(bench, order(bench, canadapost_submit_shipment=True))
    outcome = manifest(bench, bought.shipment_identifier)
    assert [one.code for one in outcome.messages] == ["no_group"]


def pickup(**values: Any) -> dict[str, Any]:
    return {
        "pickup_date": "2025-03-05",
        "ready_time": "09:00",
        "closing_time": "16:10",
        "address": address("CA", "Ann Sender"),
        **values,
    }


def test_a_pickup_of_yesterday_is_refused(bench: Bench) -> None:
    outcome = bench.ask("schedule_pickup", PickupRequest.model_validate(pickup(pickup_date="2025-03-02")))
    assert "past" in said(outcome)


def test_hours_of_a_pickup_are_those_of_the_collection_tour(bench: Bench) -> None:
    outcome = bench.ask("schedule_pickup", PickupRequest.model_validate(pickup()))
    assert outcome.result, said(outcome)
    written = bench.traces[-1].request["body"]
    assert "<preferred-time>12:00<" in written
    assert "<closing-time>16:00<" in written


def test_the_change_of_a_pickup_nobody_booked_is_refused(bench: Bench) -> None:
    change = PickupUpdateRequest.model_validate(pickup(confirmation_number="0000000001"))
    assert bench.ask("update_pickup", change).result is None


def tracked(bench: Bench, number: str) -> Any:
    outcome = bench.ask("track", TrackingRequest(tracking_numbers=[number]))
    assert outcome.result, said(outcome)
    return outcome.result[0]


def test_a_label_before_its_first_scan_is_pending(bench: Bench) -> None:
    bought = bought_of(bench, order(bench))
    tracking = tracked(bench, bought.tracking_number)
    assert (tracking.status, tracking.delivered, tracking.events) == ("pending", False, [])


@pytest.mark.parametrize(
    ("number", "status"),
    [
        ("SC0100000002", "in_transit"),
        ("SC0200000002", "out_for_delivery"),
        ("SC0300000002", "delivered"),
        ("SC0400000002", "on_hold"),
        ("SC0500000002", "delivery_delayed"),
        ("SC0600000002", "ready_for_pickup"),
        ("SC0700000002", "delivery_failed"),
    ],
)
def test_every_magic_number_shows_its_status(bench: Bench, number: str, status: str) -> None:
    tracking = tracked(bench, number)
    assert tracking.status == status


# -- requests --------------------------------------------------------------------------------------


def first(flow: Any) -> Call:
    step: Call | list[Call] = next(flow)
    return step[0] if isinstance(step, list) else step


def sent(flow: Any) -> _Element:
    """The body of a flow's first call."""
    body = first(flow).xml
    assert isinstance(body, _Element)
    return body


def test_a_shipper_abroad_is_refused_before_anything_is_sent(bench: Bench) -> None:
    bench.lane = ("US", "CA")
    outcome = bench.quote()
    assert [one.code for one in outcome.messages] == ["SHIPPING_SDK_ORIGIN_NOT_SERVICED_ERROR"]
    assert bench.traces == []


def test_a_preset_fills_what_the_parcel_does_not_say() -> None:
    envelope = Parcel(package_preset="canadapost_xexpresspost_regional_small_envelope")
    box = wire.boxed(envelope)
    assert (box.weight, box.weight_unit, box.length) == (Decimal("0.5"), "KG", Decimal("1.5"))
    assert wire.boxed(envelope.changed(weight=Decimal(2), weight_unit="LB")).weight == Decimal(2)


@pytest.mark.parametrize(
    ("given", "written"), [("1.25", "1.3"), ("1.24", "1.2"), ("0.04", "0.04"), ("0.001", "0.01")]
)
def test_weights_are_tenths_of_a_kilogram_and_never_nothing(bench: Bench, given: str, written: str) -> None:
    body = sent(bench.carrier().rate(RateRequest.model_validate(bench.shipment(parcel(given)))))
    assert body.findtext(".//{*}weight") == written


def test_a_street_too_long_for_its_line_goes_on_in_the_second() -> None:
    place = address("CA", "Ann").changed(
        address_line1="1200 Chemin de la Côte-Saint-Luc Ouest, Bâtiment Nord"
    )
    lines = wire.address_details(place)
    assert lines["address-line-1"] == "1200 Chemin de la Côte-Saint-Luc Ouest,"
    assert lines["address-line-2"] == "Bâtiment Nord"


def test_an_insurance_of_nothing_is_no_coverage(bench: Bench) -> None:
    request = RateRequest.model_validate(bench.shipment(options={"insurance": 0}))
    assert sent(bench.carrier().rate(request)).find("{*}options") is None


@pytest.mark.parametrize("country", ["CA", "US", "GB"])
def test_what_is_sent_fits_the_schemas_of_the_carrier(bench: Bench, country: str) -> None:
    from lxml import etree

    if not SCHEMAS.is_dir():
        pytest.skip(f"the carrier's schemas are not at {SCHEMAS}")
    bench.lane = ("CA", country)
    carrier, options = bench.carrier(), {"insurance": 70, "email_notification_to": "a@example.com"}
    asked = {**bench.shipment(), "options": options, "payment": {"paid_by": "sender"}}
    day = ManifestRequest(address=address("CA", "Ann"), options={"group_ids": ["g"]})
    calls = {
        "rating.xsd": first(carrier.rate(RateRequest.model_validate(asked))),
        "shipment.xsd": first(
            carrier.ship(ShipmentRequest.model_validate({**asked, "service": "canadapost_priority"}))
        ),
        "manifest.xsd": first(carrier.manifest(day)),
        "pickuprequest.xsd": first(
            carrier.update_pickup(PickupUpdateRequest.model_validate(pickup(confirmation_number="1")))
        ),
    }
    for name, call in calls.items():
        schema = etree.XMLSchema(etree.parse(SCHEMAS / name))
        assert call.xml is not None
        assert schema.validate(etree.fromstring(render(call.xml))), f"{name}: {schema.error_log}"


# -- the simulator ---------------------------------------------------------------------------------


def test_numbers_end_in_the_check_digit_of_a_real_parcel() -> None:
    assert replies.pin(7023210, 3941460) == "7023210039414604"


def send(bench: Bench, method: str, path: str, body: bytes = b"", **headers: str) -> int:
    account = CanadaPost.sample_account
    named = {"accept": SHIPMENT, "authorization": basic_auth(account["username"], account["password"])}
    simulator = registry.simulator("canadapost")(bench.ledger, lambda: bench.now)
    given = {**named, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return simulator.answer(Request(method, f"https://sandbox.example{path}", given, body)).status


def test_a_wildcard_for_the_media_type_is_refused(bench: Bench) -> None:
    assert send(bench, "GET", "/vis/track/pin/SC0300000002/detail", accept="*/*") == 406
    assert send(bench, "GET", "/vis/track/pin/SC0300000002/detail") == 200


def test_nobody_mails_on_behalf_of_another(bench: Bench) -> None:
    assert send(bench, "GET", "/rs/1234567/7654321/shipment?requestId=1") == 403


@pytest.mark.parametrize(
    "wrong",
    [
        b"<mailing-scenario/>",
        b'<mailing-scenario xmlns="http://www.canadapost.ca/ws/ship/rate-v4"/>',
        b'<other xmlns="http://www.canadapost.ca/ws/ship/rate-v4"/>',
        b"half <",
    ],
)
def test_a_body_that_does_not_fit_the_schema_is_refused(bench: Bench, wrong: bytes) -> None:
    assert send(bench, "POST", "/rs/ship/price", wrong, accept=RATE, content_type=RATE) == 400
    assert send(bench, "POST", "/rs/ship/price", wrong, accept=RATE, content_type="text/xml") == 415


def test_goods_abroad_need_a_declaration(bench: Bench) -> None:
    bench.lane = ("CA", "US")
    request = order(bench).changed(customs=None, service="canadapost_xpresspost_usa")
    assert "Customs" in said(buy(bench, request))


@pytest.mark.parametrize(("country", "services"), [("CA", 5), ("US", 8), ("GB", 9)])
def test_every_service_quoted_can_be_bought_for_the_price_quoted(
    bench: Bench, country: str, services: int
) -> None:
    bench.lane = ("CA", country)
    quotes = bench.quote(parcel("0.4")).result or []
    assert len(quotes) == services
    for at, quote in enumerate(quotes):
        request = bench.request(parcel("0.4"), service=quote.service)
        outcome = bench.driver.run(_job(bench, request, f"{at:032x}"))
        assert outcome.result, said(outcome)
        assert labels(bench)[-1]["total"] == quote.total_charge


def test_a_far_destination_costs_the_same_when_it_is_bought_and_more_than_a_near_one(bench: Bench) -> None:
    near = order(bench)
    far = near.changed(recipient=near.recipient.changed(state_code="BC", postal_code="v6b 1a1"))
    quotes = bench.ask("rate", RateRequest.model_validate(far.plain())).result or []
    price = next(one.total_charge for one in quotes if one.service == far.service)
    totals = []
    for at, request in enumerate((near, far)):
        assert bench.driver.run(_job(bench, request, f"{at:032x}")).result
        totals.append(labels(bench)[-1]["total"])
    assert totals[0] < totals[1] == price


def _job(bench: Bench, request: ShipmentRequest, key: str) -> CarrierJob[Any]:
    carrier = bench.carrier(key)
    return CarrierJob.of(carrier, "ship", request)
