"""ShipEngine: purchases that are interrupted, the accounts behind its key, services that are not listed."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from shipcli.carriers.shipengine import Shipengine
from shipcli.carriers.shipengine.tracking import read_tracking

from shipcli.carrier import Reply, Request
from shipcli.models import (
    Address,
    AddressValidationRequest,
    CancelRequest,
    Customs,
    RateRequest,
    TrackingRequest,
)
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.errands import GOODS, KEY
from tests.carriers.tap import Tap

SERVICE = "shipengine_ups_ground"
LABELS, RATES, CARRIERS = "/v1/labels", "/v1/rates", "/v1/carriers"
VEHO = {"carrier_id": "se-900", "carrier_code": "veho", "service_code": "veho_ground_plus"}
NOTHING = {"currency": "usd", "amount": 0}


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(Shipengine, ("US", "US"))
    yield bench
    bench.close()


@pytest.mark.parametrize(
    ("told", "events", "status"),
    [
        ({"status_code": "IT"}, ["DE"], "in_transit"),
        ({}, ["AC", "DE"], "delivered"),
        ({"status_code": None}, [None, "AT"], "delivery_failed"),
        ({}, [], "pending"),
    ],
)
def test_a_status_that_is_not_told_is_that_of_the_newest_event(
    told: dict[str, Any], events: list[str | None], status: str
) -> None:
    rows = [
        {"status_code": code, "occurred_at": f"2025-03-0{at}T09:00:00Z"} for at, code in enumerate(events, 1)
    ]
    assert read_tracking({**told, "events": rows}, "T1").status == status


def is_order(request: Request) -> bool:
    return request.url.endswith(LABELS)


def answer_rates(*rows: dict[str, Any], errors: list[dict[str, str]] | None = None) -> Reply:
    body = {"rate_response": {"rates": list(rows), "errors": errors or []}}
    return Reply(200, plain_json.dump_bytes(body))


def rate_of(account: str, amount: float, **values: Any) -> dict[str, Any]:
    others = {f"{name}_amount": NOTHING for name in ("insurance", "confirmation", "other")}
    shipping = {"shipping_amount": {"currency": "usd", "amount": amount}}
    names = {"carrier_id": account, "carrier_code": "ups", "service_code": "ups_ground"}
    return {**names, **shipping, **others, "error_messages": [], **values}


def ask_rates(bench: Bench, **values: Any) -> Any:
    return bench.ask("rate", RateRequest.model_validate(bench.shipment(**values)))


def test_a_purchase_whose_answer_is_lost_is_found_by_its_key(bench: Bench) -> None:
    bench.loses = is_order
    request = bench.request(service=SERVICE)
    outcome = bench.ask("ship", request, key=KEY)
    assert (outcome.result, outcome.unknown) == (None, True)
    [sold] = bench.ledger.find("shipengine", "label")
    again = bench.ask("recover", request, key=KEY)
    assert again.result, said(again)
    assert again.result.tracking_number == sold["number"]
    assert again.result.docs["label"]


def test_a_purchase_that_never_came_is_none(bench: Bench) -> None:
    outcome = bench.ask("recover", bench.request(service=SERVICE), key="d" * 32)
    assert (outcome.result, outcome.failed) == (None, False), said(outcome)


def test_one_label_holds_all_parcels(bench: Bench) -> None:
    tap = Tap(bench)
    boxes = [parcel("0.5", items=[GOODS]), parcel("0.6", items=[GOODS])]
    label = bench.bought(service=SERVICE) and bench.buy(*boxes, service=SERVICE).result
    assert label
    assert len(label.meta["tracking_numbers"]) == 2
    assert [len(body["shipment"]["packages"]) for body in tap.read_sent(LABELS)] == [1, 2]
    outcome = bench.ask("void", CancelRequest(shipment_identifier=label.shipment_identifier or ""))
    assert outcome.result
    assert outcome.result.success


def test_the_account_of_the_chosen_rate_buys_without_another_price(bench: Bench) -> None:
    quote = next(quote for quote in ask_rates(bench).result if quote.service == SERVICE)
    request = bench.request(service=SERVICE, rate_meta=quote.meta)
    tap = Tap(bench)
    assert bench.ask("ship", request).result
    assert [body["shipment"]["carrier_id"] for body in tap.read_sent(LABELS)] == [
        (quote.meta or {})["shipengine_carrier_id"]
    ]
    assert not tap.read_sent(RATES)


def test_of_several_accounts_the_cheapest_is_quoted_and_buys(bench: Bench) -> None:
    rates = answer_rates(rate_of("se-7", 12.5), rate_of("se-8", 9.25))
    tap = Tap(bench, instead=lambda sent: rates if sent.url.endswith(RATES) else None)
    [quote] = ask_rates(bench).result
    assert quote.total_charge == Decimal("9.25")
    bench.ask("ship", bench.request(service=SERVICE))
    assert [body["shipment"]["carrier_id"] for body in tap.read_sent(LABELS)] == ["se-8"]


def test_a_regional_carrier_is_sold_by_its_own_words(bench: Bench) -> None:
    rates = answer_rates(rate_of("se-900", 6.1, **VEHO))
    tap = Tap(bench, instead=lambda sent: rates if sent.url.endswith(RATES) else None)
    [quote] = ask_rates(bench).result
    assert (quote.service, (quote.meta or {})["rate_provider"]) == ("veho_ground_plus", "veho")
    bench.ask("ship", bench.request(service="veho_ground_plus", rate_meta=quote.meta))
    [shipment] = [body["shipment"] for body in tap.read_sent(LABELS)]
    assert (shipment["service_code"], shipment["carrier_id"]) == ("veho_ground_plus", "se-900")


def test_a_carrier_that_refuses_spoils_no_other(bench: Bench) -> None:
    fault = {"error_source": "carrier", "error_code": "unspecified", "message": "FedEx is asleep"}
    rates = answer_rates(rate_of("se-7", 12.5), errors=[fault])
    Tap(bench, instead=lambda sent: rates if sent.url.endswith(RATES) else None)
    outcome = ask_rates(bench)
    assert len(outcome.result) == 1
    assert "FedEx is asleep" in said(outcome)


def test_a_key_without_carriers_says_so(bench: Bench) -> None:
    none = Reply(200, b'{"carriers": [], "errors": []}')
    Tap(bench, instead=lambda sent: none if sent.url.endswith(CARRIERS) else None)
    assert "No carrier is connected at ShipEngine" in said(ask_rates(bench))


def test_a_return_is_told_in_its_price_and_its_order(bench: Bench) -> None:
    tap = Tap(bench)
    request = bench.request(service=SERVICE, options={"is_return": True})
    assert bench.ask("ship_return", request).result
    assert [body["rate_options"].get("is_return") for body in tap.read_sent(RATES)][-1] is True
    [body] = tap.read_sent(LABELS)
    assert (body["is_return_label"], body["shipment"]["is_return"]) == (True, True)


def test_duties_of_the_sender_are_told_twice() -> None:
    bench = Bench(Shipengine, ("US", "GB"))
    tap = Tap(bench)
    customs = Customs.model_validate({"commodities": [GOODS], "incoterm": "DDP"})
    outcome = bench.ask("ship", bench.request(service="shipengine_ups_worldwide_saver", customs=customs))
    bench.close()
    assert outcome.result, said(outcome)
    [body] = tap.read_sent(LABELS)
    assert body["shipment"]["customs"]["terms_of_trade_code"] == "ddp"
    assert body["shipment"]["advanced_options"]["delivered_duty_paid"] is True
    assert outcome.result.docs["invoice"]


def test_a_void_that_is_not_approved_is_a_refusal(bench: Bench) -> None:
    label = bench.bought(service=SERVICE)
    body = {"approved": False, "message": "The carrier said no", "reason_code": "contact_carrier"}
    Tap(bench, instead=lambda sent: Reply(200, plain_json.dump_bytes(body)))
    outcome = bench.ask("void", CancelRequest(shipment_identifier=label.shipment_identifier or ""))
    assert outcome.failed
    assert "contact_carrier: The carrier said no" in said(outcome)


@pytest.mark.parametrize(
    ("number", "carrier"),
    [
        ("1Z999AA10123456784", "ups"),
        ("9400100000000000000000", "stamps_com"),
        ("1LS123456789012", "ontrac"),
    ],
)
def test_a_number_without_a_label_is_asked_for_by_its_form(bench: Bench, number: str, carrier: str) -> None:
    tap = Tap(bench)
    bench.ask("track", TrackingRequest(tracking_numbers=[number]))
    assert f"carrier_code={carrier}" in tap.sent[-1].url


@pytest.mark.parametrize(("line", "found"), [("350 5th Ave", True), ("Nowhere Lane", False)])
def test_an_address_is_found_or_not(bench: Bench, line: str, found: bool) -> None:
    address = Address(address_line1=line, city="New York", postal_code="10118", country_code="US")
    outcome = bench.ask("validate_address", AddressValidationRequest(address=address))
    assert outcome.result.success is found
    assert bool(outcome.result.complete_address) is found
