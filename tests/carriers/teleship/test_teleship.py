"""Teleship: purchases that are interrupted or refused in part, duties and taxes, and who pays them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from shipcli.carriers.teleship import Teleship

from shipcli.carrier import Reply, Request
from shipcli.models import CancelRequest, Customs, Duty, PickupRequest, Quote, RateRequest, TrackingRequest
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.errands import GOODS, collection
from tests.carriers.tap import Tap

SERVICE = "teleship_standard_dropoff"
LABELS, QUOTES = "/api/shipments/labels", "/api/rates/quotes"
ASKED = {"teleship_duty_tax_calculation": True}


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(Teleship, ("GB", "US"))
    yield bench
    bench.close()


def is_order(request: Request) -> bool:
    return request.url.endswith(LABELS)


def declare(**values: Any) -> Customs:
    return Customs.model_validate({"commodities": [GOODS], "content_type": "merchandise", **values})


def ask_for(bench: Bench, **values: Any) -> RateRequest:
    return RateRequest.model_validate(bench.shipment(**values))


def price(bench: Bench, **values: Any) -> Quote:
    outcome = bench.ask("rate", ask_for(bench, **values))
    assert outcome.result, said(outcome)
    return next(quote for quote in outcome.result if quote.service == SERVICE)


def test_a_purchase_whose_answer_is_lost_stays_in_doubt(bench: Bench) -> None:
    """A label is found by its own id alone, which only the lost answer names."""
    bench.loses = is_order
    outcome = bench.ask("ship", bench.request(service=SERVICE))
    assert (outcome.result, outcome.unknown) == (None, True)
    assert len(bench.ledger.find("teleship", "label")) == 1
    assert not Teleship.can("recover")


def test_what_was_bought_of_a_refused_shipment_is_taken_back(bench: Bench) -> None:
    row = {"code": 400, "level": "error", "message": "Weight exceeds the maximum", "details": []}
    refusal = Reply(400, plain_json.dump_bytes({"messages": [row]}))
    Tap(bench, instead=lambda sent: refusal if is_order(sent) and b'"value":0.6' in sent.content else None)
    boxes = [parcel("0.5", items=[GOODS]), parcel("0.6", items=[GOODS])]
    outcome = bench.ask("ship", bench.request(*boxes, service=SERVICE))
    assert (outcome.failed, outcome.unknown) == (True, False), said(outcome)
    [sold] = bench.ledger.find("teleship", "label")
    assert sold["voided_at"]


def test_duties_that_the_recipient_pays_stand_beside_the_price(bench: Bench) -> None:
    plain, asked = price(bench, customs=declare()), price(bench, customs=declare(), options=ASKED)
    worth = GOODS["value_amount"] * GOODS["quantity"]
    duties = (asked.meta or {})["duties_and_taxes"]
    assert asked.total_charge == plain.total_charge
    assert Decimal(str(duties["total_charge"])) == round(worth * Decimal("0.26"), 2)
    assert [row["name"] for row in duties["charges"]] == ["Duty", "VAT"]
    assert "duties_and_taxes" not in (plain.meta or {})


@pytest.mark.parametrize("terms", [{"incoterm": "DDP"}, {"duty": Duty(paid_by="sender")}])
def test_duties_that_the_sender_pays_are_part_of_the_price(bench: Bench, terms: dict[str, Any]) -> None:
    tap = Tap(bench)
    paid, plain = price(bench, customs=declare(**terms)), price(bench, customs=declare())
    names = [charge.name for charge in paid.extra_charges]
    assert names == ["base", "Duty", "VAT"]
    assert paid.total_charge == plain.total_charge + sum(row.amount or 0 for row in paid.extra_charges[1:])
    assert [body["customs"].get("incoterms") for body in tap.read_sent(QUOTES)] == ["DDP", None]


def test_who_pays_what_is_calculated_is_told(bench: Bench) -> None:
    tap = Tap(bench)
    price(bench, customs=declare(incoterm="DDP"), options=ASKED)
    price(bench, customs=declare(incoterm="DAP"), options=ASKED)
    ways = [body["additionalServices"]["dutyTaxCalculation"] for body in tap.read_sent(QUOTES)]
    assert ways == ["DUTY_TAX_GUARANTEE", "DUTY_TAX_CONSIGNEE_COLLECTION"]


@pytest.mark.parametrize("side", ["shipper", "recipient"])
def test_duties_are_told_of_a_lane_without_streets(bench: Bench, side: str) -> None:
    """As prices are; the description requires a street of duties alone."""
    tap, request = Tap(bench), ask_for(bench, customs=declare(), options=ASKED)
    address = getattr(request, side).model_copy(update={"address_line1": None, "street_number": None})
    outcome = bench.ask("rate", request.model_copy(update={side: address}))
    assert outcome.result, said(outcome)
    assert all("duties_and_taxes" in (quote.meta or {}) for quote in outcome.result)
    [body] = tap.read_sent("/duties-taxes")
    member = {"shipper": "shipFrom", "recipient": "shipTo"}[side]
    assert body[member]["address"]["line1"] == "N/A"


def test_prices_are_told_where_duties_can_not_be(bench: Bench) -> None:
    row = {"code": 400, "level": "error", "message": "The HS code is unknown", "details": ["hsCode"]}
    refusal = Reply(400, plain_json.dump_bytes({"messages": [row]}))
    Tap(bench, instead=lambda sent: refusal if "duties" in sent.url else None)
    outcome = bench.ask("rate", ask_for(bench, customs=declare(), options=ASKED))
    assert outcome.result
    assert "The HS code is unknown" in said(outcome)


def test_a_warning_beside_a_result_is_a_note(bench: Bench) -> None:
    row = {"code": 423, "level": "warning", "message": "Missing duties and taxes", "details": []}
    number = "TELESHIP10000000009"
    body = {"messages": [row], "trackingNumber": number, "status": "delivered", "events": []}
    Tap(bench, instead=lambda sent: Reply(200, plain_json.dump_bytes(body)) if number in sent.url else None)
    outcome = bench.ask("track", TrackingRequest(tracking_numbers=[number]))
    assert outcome.result[0].status == "delivered"
    assert "Missing duties and taxes" in said(outcome)


def test_a_void_without_a_status_is_none(bench: Bench) -> None:
    label = bench.bought()
    Tap(bench, instead=lambda sent: Reply(200, b"{}"))
    outcome = bench.ask("void", CancelRequest(shipment_identifier=label.shipment_identifier or ""))
    assert outcome.result
    assert not outcome.result.success


def test_a_collection_lasts_one_to_twelve_hours(bench: Bench) -> None:
    short = collection(bench, closing_time="13:30", shipment_identifiers=["SHP-1"])
    outcome = bench.ask("schedule_pickup", PickupRequest.model_validate(short))
    assert "closing_time" in said(outcome)


@pytest.mark.parametrize(("lane", "side"), [(("CA", "US"), "collect in CA"), (("GB", "NZ"), "deliver in NZ")])
def test_lanes_are_refused_by_the_end_that_is_not_served(lane: tuple[str, str], side: str) -> None:
    bench = Bench(Teleship, lane)
    tap = Tap(bench)
    outcome = bench.ask("rate", ask_for(bench))
    bench.close()
    assert f"Teleship does not {side}" in said(outcome)
    assert not tap.sent
