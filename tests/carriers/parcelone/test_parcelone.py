"""What the recordings of ParcelOne can't say: no price registers an order, and a reference is a key."""

from __future__ import annotations

from typing import Any

import pytest
from shipcli.carriers.parcelone import Parcelone
from shipcli.carriers.parcelone.shipments import name_field

from shipcli.carrier import Reply
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.tap import Tap


def order(service: str = "parcelone_pa1_eco", boxes: int = 1, **values: Any) -> tuple[list[Any], str]:
    """The orders that go out for a purchase, and what is said of it."""
    lane = values.pop("lane", ("DE", "DE"))
    bench = Bench(Parcelone, lane)
    tap = Tap(bench)
    outcome = bench.ask("ship", bench.request(*[parcel()] * boxes, service=service, **values))
    bench.close()
    sent = [plain_json.loads(one.content)["ShippingData"] for one in tap.sent if one.method == "POST"]
    return sent, said(outcome)


def test_a_price_registers_nothing() -> None:
    bench = Bench(Parcelone, ("DE", "DE"))
    assert bench.quote().result
    assert bench.calls == []
    bench.close()


def test_services_with_prices_abroad_are_offered_there() -> None:
    bench = Bench(Parcelone, ("DE", "CH"))
    offered = {quote.service for quote in bench.quote().result or []}
    assert {"parcelone_pa1_eco", "parcelone_ups_standard", "parcelone_dhl_paket_international"} <= offered
    assert not offered & {"parcelone_pa1_basic", "parcelone_dhl_paket"}
    bench.close()


def test_every_parcel_is_a_shipment_with_a_reference_of_its_own() -> None:
    bodies, _ = order(boxes=3, reference="SO-1")
    assert [len(body["Packages"]) for body in bodies] == [1, 1, 1]
    assert len({body["ShipmentRef"] for body in bodies}) == 3
    assert {body["ShipToData"]["Reference"] for body in bodies} == {"SO-1"}


def test_an_amount_goes_along_with_its_service_and_its_currency() -> None:
    [body], _ = order(options={"cash_on_delivery": 12.5, "parcelone_age_check": 18})
    assert body["Services"] == [
        {"ServiceID": "COD", "Value": {"Currency": "EUR", "Value": "12.50"}},
        {"ServiceID": "AGE", "Parameters": "18"},
    ]


@pytest.mark.parametrize(
    ("options", "service", "text"),
    [
        ({"saturday_delivery": True}, "parcelone_pa1_eco", "destroyed"),
        ({"parcelone_cod_currency": "EUR"}, "parcelone_pa1_eco", "options.parcelone_cod"),
        (
            {"cash_on_delivery": 5, "parcelone_cod_currency": "CHF", "currency": "EUR"},
            "parcelone_pa1_eco",
            "options.parcelone_cod_currency",
        ),
        ({"dangerous_good": True}, "parcelone_dhl_paket", "dangerous"),
    ],
)
def test_what_would_mean_something_else_is_refused_by_name(
    options: dict[str, Any], service: str, text: str
) -> None:
    sent, words = order(service, options=options)
    assert (sent, text in words) == ([], True), words


def test_a_saturday_is_ordered_of_the_carriers_behind_it() -> None:
    [body], words = order("parcelone_ups_express", options={"saturday_delivery": True})
    assert body["Services"] == [{"ServiceID": "SDO"}], words


def test_goods_are_declared_by_the_piece_at_a_customs_border_alone() -> None:
    [abroad], words = order(lane=("DE", "CH"))
    declared = abroad["Packages"][0]["IntDocData"]
    assert declared["InternationalDocumentFormat"] == {"Type": "PDF", "Size": "CN23"}, words
    assert {"NetWeightPerItem", "ItemValuePerItem", "Quantity"} <= set(declared["CustomDetails"][0])
    [inside], _ = order(lane=("DE", "FR"))
    assert "IntDocData" not in inside["Packages"][0]


@pytest.mark.parametrize(
    ("identifier", "field"),
    [("107578", "shipmentid"), ("SHIP001", "shipmentid"), ("1234501014159", "trackingid")],
)
def test_a_shipment_is_named_by_what_its_purchase_returned(identifier: str, field: str) -> None:
    assert name_field(identifier) == field


def test_an_internal_error_may_have_registered_the_shipment() -> None:
    bench = Bench(Parcelone, ("DE", "DE"))
    tap = Tap(bench)
    errors = [{"ErrorNo": "3000", "Message": "There was a problem when saving information to database."}]
    failure = Reply(422, plain_json.dump_bytes({"status": 422, "success": -1, "errors": errors}))
    tap.after = lambda request, reply: failure if request.method == "POST" else reply
    outcome = bench.ask("ship", bench.request())
    assert (outcome.failed, outcome.unknown) == (True, True), said(outcome)
    tap.after = lambda request, reply: reply
    assert bench.ask("recover", bench.request()).result
    bench.close()
