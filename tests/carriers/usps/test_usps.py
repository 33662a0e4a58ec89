"""The Postal Service at home and abroad: what neither cases nor the contract show."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

import pytest
from shipcli.carriers.usps import Usps
from shipcli.carriers.usps_international import UspsInternational

from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.drawing import find_label_kind
from shipcli.models import ManifestRequest, RateRequest, TrackingRequest, TransitTime
from shipcli.models import json as plain_json
from shipcli.models.basics.check_digits import has_check_digit
from tests.carriers.bench import AnyCarrier, Bench, address, parcel, said
from tests.carriers.errands import void_of
from tests.carriers.papers import barcodes

LANES: dict[AnyCarrier, tuple[str, str]] = {Usps: ("US", "US"), UspsInternational: ("US", "GB")}
HOME, ABROAD = "usps_priority_mail", "usps_priority_mail_international"


@pytest.fixture(params=[Usps, UspsInternational], ids=lambda one: one.slug)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    made = Bench(request.param, LANES[request.param])
    yield made
    made.close()


@pytest.fixture
def home() -> Iterator[Bench]:
    made = Bench(Usps)
    yield made
    made.close()


def sold(bench: Bench) -> list[dict[str, Any]]:
    return bench.ledger.find(bench.carrier_class.slug, "label")


@pytest.mark.parametrize("options", [{}, {"insurance": 400}, {"insurance": 900, "usps_return_receipt": True}])
def test_a_label_costs_what_was_quoted_for_it(bench: Bench, options: dict[str, Any]) -> None:
    dated = {"shipment_date": "2025-03-03", **options}
    found = bench.ask("rate", RateRequest.model_validate(bench.shipment(options=dated))).result
    quotes = {one.service: one.total_charge for one in found}
    assert len(quotes) == len(found)
    service = ABROAD if bench.carrier_class is UspsInternational else HOME
    paid = bench.bought(service=service, options=dated).selected_rate
    assert paid
    assert paid.total_charge == quotes[service] == sum(one.amount or 0 for one in paid.extra_charges)
    assert [one["total"] for one in sold(bench)] == [paid.total_charge]


def test_what_needs_to_qualify_is_quoted_only_when_named(home: Bench) -> None:
    asked = home.ask("rate", RateRequest.model_validate(home.shipment(services=["usps_media_mail", HOME])))
    assert "usps_media_mail" not in {quote.service for quote in home.quote().result or []}
    assert {quote.service for quote in asked.result or []} == {"usps_media_mail", HOME}


@pytest.mark.parametrize("kind", ["JPG", "TIFF"])
def test_a_label_may_be_a_picture(home: Bench, kind: str) -> None:
    label = home.bought(label_type=kind)
    assert (label.label_type, find_label_kind(base64.b64decode(label.docs["label"]))) == (kind, kind)


def test_a_label_made_at_the_post_office_comes_without_a_file(home: Bench) -> None:
    label = home.bought(label_type="LABEL_BROKER")
    assert (label.docs, len(label.meta["labelBrokerID"])) == ({}, 10)


def test_one_barcode_holds_the_zip_code_and_the_number(home: Bench) -> None:
    label = home.bought(service=HOME)
    number = label.tracking_number
    assert barcodes(base64.b64decode(label.docs["label"])) == [f"42010118{number}"]
    assert (number[:5], has_check_digit(number)) == ("92055", True)
    assert Usps.takes_number(f"42010118{number}")


def test_a_label_abroad_has_a_postal_number_and_its_goods() -> None:
    abroad = Bench(UspsInternational, LANES[UspsInternational])
    label = abroad.bought(service=ABROAD, label_type="ZPL")
    text = base64.b64decode(label.docs["label"]).decode()
    assert UspsInternational.takes_number(label.tracking_number)
    assert (label.tracking_number[:2], label.tracking_number[-2:]) == ("CP", "US")
    for shown in ("UNITED KINGDOM", "CUSTOMS", "1 x Cotton T-shirt", "US POSTAGE PAID"):
        assert shown in text
    assert abroad.bought(service=ABROAD, customs=None).tracking_number
    abroad.close()


def test_a_voided_label_goes_on_no_form_and_a_label_on_a_form_is_not_voided(bench: Bench) -> None:
    def close(*numbers: str) -> Any:
        place = address("US", "Ann Sender")
        return bench.ask("manifest", ManifestRequest(shipment_identifiers=list(numbers), address=place))

    voided, good = bench.bought(), bench.bought()
    bench.ask("void", void_of(bench, voided))
    assert f"{voided.tracking_number} has been canceled" in said(
        close(voided.tracking_number, good.tracking_number)
    )
    assert close(good.tracking_number).result.meta["trackingNumbers"] == [good.tracking_number]
    assert "is on a SCAN form" in said(bench.ask("void", void_of(bench, good)))


def test_what_a_schema_refuses_is_refused(home: Bench) -> None:
    firm = address("US", "Bob Receiver").model_copy(update={"company_name": "Long Company " * 10})
    told = said(home.buy(recipient=firm, service=HOME))
    assert "recipient.company_name: USPS takes at most 50 characters: it would be sent " in told
    dated_back = home.buy(options={"shipment_date": "2025-02-20"}, service=HOME)
    assert "mailingDate: is in the past" in said(dated_back)


def test_a_payment_account_that_is_denied_buys_nothing(home: Bench) -> None:
    bench = Bench(Usps, credentials={"account_number": "denied"})
    outcome = bench.ask("ship", home.request(service=HOME))
    assert "not authorised" in said(outcome)
    assert (outcome.unknown, sold(bench)) == (False, [])
    bench.close()


def test_tokens_of_both_kinds_that_ran_out_are_renewed(home: Bench) -> None:
    home.bought()
    home.wait(hours=9)
    assert home.bought(options={"shipment_date": "2025-03-04"}).tracking_number


@pytest.mark.parametrize(("digits", "status"), [
    ("00", "pending"), ("01", "in_transit"), ("02", "out_for_delivery"), ("04", "on_hold"),
    ("05", "delivery_delayed"), ("06", "ready_for_pickup"), ("07", "delivery_failed"), ("08", "unknown"),
])  # fmt: skip
def test_every_status_is_understood(home: Bench, digits: str, status: str) -> None:
    outcome = home.ask("track", TrackingRequest(tracking_numbers=[f"SC{digits}00000001"]))
    assert [one.status for one in outcome.result] == [status]


def price_in(bench: Bench, packaging: str, services: tuple[str, ...] = (), **more: Any) -> Any:
    box = parcel(packaging_type=packaging)
    body = {**bench.shipment(box, **more), "services": list(services)}
    return bench.ask("rate", RateRequest.model_validate(body))


FLAT_RATES = [
    (Usps, "usps_small_flat_rate_box", HOME, "FS", "MACHINABLE"),
    (Usps, "usps_flat_rate_envelope", HOME, "FE", "FLATS"),
    (
        Usps,
        "usps_priority_mail_express_legal_flat_rate_envelope",
        "usps_priority_mail_express",
        "E6",
        "FLATS",
    ),
    (UspsInternational, "usps_padded_flat_rate_envelope", ABROAD, "FP", "MACHINABLE"),
]


@pytest.mark.parametrize(("usps", "packaging", "service", "indicator", "category"), FLAT_RATES)
def test_a_flat_rate_is_priced_and_ordered(
    usps: AnyCarrier, packaging: str, service: str, indicator: str, category: str
) -> None:
    """By the mail classes that have such a packaging alone, and whatever it weighs."""
    bench = Bench(usps, LANES[usps])
    quotes = {one.service: one for one in price_in(bench, packaging).result}
    quote = quotes[service]
    named = {"usps_rate_indicator": indicator, "usps_processing_category": category}
    assert named.items() <= quote.meta.items()
    assert "usps_ground_advantage" not in quotes
    heavy = bench.shipment(parcel(packaging_type=packaging, weight="1.7"), services=[service])
    again = bench.ask("rate", RateRequest.model_validate(heavy)).result
    assert [one.total_charge for one in again] == [quote.total_charge]
    for meta in ({}, quote.meta):
        box = parcel(packaging_type=packaging)
        assert bench.bought(parcels=[box], service=service, rate_meta=meta).selected_rate.total_charge == (
            quote.total_charge
        )
        ordered = plain_json.loads(sold(bench)[-1]["body"])["packageDescription"]
        assert (ordered["rateIndicator"], ordered["processingCategory"]) == (indicator, category)
    bench.close()


@pytest.mark.parametrize("wish", [
    {"packaging": "usps_small_flat_rate_box"},
    {"packaging": "your_packaging", "options": {"usps_rate_indicator": "FS"}},
])  # fmt: skip
def test_a_packaging_of_another_mail_class_is_refused_by_name(home: Bench, wish: dict[str, Any]) -> None:
    ground = "usps_ground_advantage"
    alone = price_in(home, services=(ground,), **wish)
    assert not alone.result
    refusal = re.compile(rf"{ground}: (?:\S+: )?takes no usps_small_flat_rate_box")
    assert refusal.search(said(alone))
    both = price_in(home, services=(ground, HOME), **wish)
    assert [one.service for one in both.result] == [HOME]
    assert refusal.search(said(both))
    box = parcel(packaging_type=wish["packaging"])
    refused = home.buy(parcels=[box], service=ground, options=wish.get("options", {}))
    assert "takes no usps_small_flat_rate_box" in said(refused)
    assert sold(home) == []


@pytest.mark.parametrize("name", ["envelope", "pak", "small_box", "medium_box", "pallet", "your_packaging"])
def test_a_unified_packaging_is_taken_by_every_mail_class(bench: Bench, name: str) -> None:
    """As the sender's own where the mail class has none of that name."""
    usual = {one.service for one in price_in(bench, "your_packaging").result}
    quotes = price_in(bench, name).result
    assert {one.service for one in quotes} == usual
    for quote in quotes:
        boxes = [parcel(packaging_type=name)]
        label = bench.bought(parcels=boxes, service=quote.service, rate_meta=quote.meta)
        assert label.selected_rate.total_charge == quote.total_charge


def ask_for_days(bench: Bench, **values: Any) -> FlowOutcome[list[TransitTime]]:
    return bench.ask("estimate_transit", RateRequest.model_validate(bench.shipment(**values)))


def test_days_are_asked_for_with_a_token_of_their_own(home: Bench) -> None:
    assert ask_for_days(home, services=[HOME]).result == [
        TransitTime(service=HOME, transit_days=2, estimated_delivery="2025-03-05")
    ]
    assert ask_for_days(home).result
    assert [trace.verb for trace in home.traces] == ["login", "estimate_transit", "estimate_transit"]
    assert "scope=shipments" in str(home.traces[0].request["body"])


def test_where_the_armed_forces_deliver_no_day_is_known(home: Bench) -> None:
    there = {**address("US", "Bob").model_dump(), "city": "APO", "state_code": "AE", "postal_code": "09012"}
    times = ask_for_days(home, recipient=there).result
    assert times
    assert {(one.transit_days, one.estimated_delivery) for one in times} == {(None, None)}


@pytest.mark.parametrize("day", ["2025-02-27", "2025-05-03"])
def test_days_are_known_of_the_next_month_alone(home: Bench, day: str) -> None:
    assert "over 30 days ahead" in said(ask_for_days(home, options={"shipment_date": day}))
