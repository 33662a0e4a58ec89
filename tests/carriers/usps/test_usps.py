"""The Postal Service at home and abroad: what neither the recorded exchanges nor the contract show."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from shipcli.carriers.usps import Usps
from shipcli.carriers.usps.parts import Piece, split_zip, write_pounds, write_who
from shipcli.carriers.usps.rates import choose_options
from shipcli.carriers.usps.shipments import measure_girth
from shipcli.carriers.usps_international import UspsInternational

from shipcli.carrier.number_forms import has_check_digit
from shipcli.carrier.prepare import prepare
from shipcli.drawing import label_kind, pages
from shipcli.models import (
    Address,
    CancelRequest,
    ManifestRequest,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
    TrackingRequest,
)
from tests.carriers.bench import AnyCarrier, Bench, address, parcel, said
from tests.carriers.test_contract import barcodes

LANES: dict[AnyCarrier, tuple[str, str]] = {Usps: ("US", "US"), UspsInternational: ("US", "GB")}
ABROAD = "usps_priority_mail_international"


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


@pytest.fixture
def abroad() -> Iterator[Bench]:
    made = Bench(UspsInternational, LANES[UspsInternational])
    yield made
    made.close()


def sold(bench: Bench) -> list[dict[str, Any]]:
    return bench.ledger.find(bench.carrier_class.slug, "label")


def void(bench: Bench, *numbers: str) -> Any:
    options = {"shipment_identifiers": list(numbers)}
    return bench.ask("void", CancelRequest(shipment_identifier=numbers[0], options=options))


def piece(kind: AnyCarrier, box: Parcel | None = None, /, **options: Any) -> Piece:
    """A parcel as the writers are given it."""
    bench = Bench(kind, LANES[kind])
    given = bench.shipment(box or parcel(items=[]), service="x", customs=None, options=options)
    carrier: Any = bench.carrier()
    (made,) = carrier.pieces(prepare(ShipmentRequest.model_validate(given), carrier))
    bench.close()
    assert isinstance(made, Piece)
    return made


# -- what is written -------------------------------------------------------------------------------


def test_an_option_of_the_parcel_comes_before_that_of_the_shipment() -> None:
    box = parcel(options={"usps_rate_indicator": "SP", "usps_insurance_below_500": 80}, items=[])
    made = piece(Usps, box, usps_rate_indicator="DN")
    assert (made.indicator, made.extra_services, made.value) == ("SP", [930], Decimal(80))


def test_generic_packaging_reaches_the_carrier_as_its_own_code() -> None:
    assert piece(Usps, parcel(packaging_type="your_packaging")).indicator == "SP"
    assert piece(UspsInternational, parcel(packaging_type="small_box")).indicator == "FS"


def test_options_of_others_and_those_switched_off_are_not_extra_services() -> None:
    made = piece(Usps, usps_certified_mail=False, ups_saturday=True, usps_return_receipt="yes")
    assert made.extra_services == [955]


@pytest.mark.parametrize(("amount", "code"), [(500, 930), (Decimal("500.01"), 931)])
def test_insurance_has_the_code_of_its_amount(amount: Any, code: int) -> None:
    assert piece(UspsInternational, insurance=amount).extra_services == [code]


def test_dangerous_goods_are_sent_by_their_kind_and_refused_without(home: Bench) -> None:
    made = piece(Usps, dangerous_good=True, usps_hazardous_materials_class_9_dry_ice=True)
    assert made.extra_services == [819]
    outcome = home.buy(options={"dangerous_good": True}, service="usps_priority_mail")
    assert ("options.dangerous_good" in said(outcome), outcome.unknown, sold(home)) == (True, False, [])


def test_the_girth_is_in_inches() -> None:
    box = parcel(length=Decimal("50.8"), width=Decimal("25.4"), height=Decimal("12.7"))
    assert measure_girth(piece(Usps, box)) == Decimal(30)


@pytest.mark.parametrize(
    ("person", "company", "expected"),
    [
        ("Ann Mary Sender", None, ("Ann", "Mary Sender", None)),
        ("Lab", None, (None, None, "Lab")),
        ("Lab", "Acme", ("Lab", None, "Acme")),
        (None, "Acme", (None, None, "Acme")),
    ],
)
def test_no_part_of_a_name_is_lost_or_said_twice(person: Any, company: Any, expected: Any) -> None:
    who = write_who(Address(person_name=person, company_name=company, country_code="US"))
    assert tuple(who.get(name) for name in ("firstName", "lastName", "firm")) == expected


def test_a_zip_code_and_its_plus_four_are_told_apart_and_no_weight_is_nothing() -> None:
    assert {split_zip(one) for one in ("29440-1234", "294401234")} == {("29440", "1234")}
    assert write_pounds(Decimal("0.001")) == Decimal("0.01")


# -- prices ----------------------------------------------------------------------------------------


def test_a_price_is_that_of_the_price_type_and_of_the_indicator_of_the_label() -> None:
    def option(indicator: str, kind: str, place: str = "NONE") -> dict[str, Any]:
        facts = {"rateIndicator": indicator, "priceType": kind, "destinationEntryFacilityType": place}
        return {"rates": [{"mailClass": "P", **facts}]}

    retail, single, depot, usual = (
        option("DR", "RETAIL"), option("SP", "COMMERCIAL"), option("DR", "COMMERCIAL", "DEPOT"),
        option("DR", "COMMERCIAL"),
    )  # fmt: skip
    every = [retail, single, depot, usual]
    assert choose_options(every, "DR", "COMMERCIAL") == [usual]
    assert choose_options(every, "DR", "RETAIL") == [retail]
    assert choose_options([retail], "PL", "CONTRACT") == [retail]


@pytest.mark.parametrize("options", [{}, {"insurance": 400}, {"insurance": 900, "usps_return_receipt": True}])
def test_a_label_costs_what_was_quoted_for_it(bench: Bench, options: dict[str, Any]) -> None:
    dated = {"shipment_date": "2025-03-03", **options}
    asked = RateRequest.model_validate(bench.shipment(options=dated))
    found: list[Quote] = bench.ask("rate", asked).result or []
    quotes = {one.service: one for one in found}
    assert len(quotes) == len(found)
    service = ABROAD if bench.carrier_class is UspsInternational else "usps_priority_mail"
    paid = bench.bought(service=service, options=dated).selected_rate
    assert paid
    assert paid.total_charge == quotes[service].total_charge
    assert paid.total_charge == sum(one.amount or 0 for one in paid.extra_charges)
    assert [one["total"] for one in sold(bench)] == [paid.total_charge]


def test_what_needs_to_qualify_is_quoted_only_when_named(home: Bench) -> None:
    named = home.shipment(services=["usps_media_mail", "usps_priority_mail"])
    asked = home.ask("rate", RateRequest.model_validate(named))
    assert "usps_media_mail" not in {quote.service for quote in home.quote().result or []}
    assert {quote.service for quote in asked.result or []} == {"usps_media_mail", "usps_priority_mail"}


# -- labels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["PDF", "ZPL", "PNG", "JPG", "TIFF"])
def test_the_label_file_is_what_its_type_says(home: Bench, kind: str) -> None:
    label = home.bought(label_type=kind)
    assert (label.label_type, label_kind(base64.b64decode(label.docs["label"]))) == (kind, kind)


def test_a_label_made_at_the_post_office_comes_without_a_file(home: Bench) -> None:
    label = home.bought(label_type="LABEL_BROKER")
    assert (label.docs, len(label.meta["labelBrokerID"])) == ({}, 10)


def test_one_barcode_holds_the_zip_code_and_the_number(home: Bench) -> None:
    label = home.bought(service="usps_priority_mail", reference="SO-7")
    number = label.tracking_number
    assert barcodes(base64.b64decode(label.docs["label"])) == [f"42010118{number}"]
    assert (number[:5], has_check_digit(number), Usps.takes_number(f"42010118{number}")) == (
        "92055",
        True,
        True,
    )


def test_a_label_abroad_has_a_postal_number_and_its_goods(abroad: Bench) -> None:
    label = abroad.bought(service=ABROAD, label_type="ZPL")
    text = base64.b64decode(label.docs["label"]).decode()
    assert UspsInternational.takes_number(label.tracking_number)
    assert (label.tracking_number[:2], label.tracking_number[-2:]) == ("CP", "US")
    for shown in ("UNITED KINGDOM", "CUSTOMS", "1 x Cotton T-shirt", "US POSTAGE PAID"):
        assert shown in text


def test_several_parcels_are_one_label_file_with_a_number_each(bench: Bench) -> None:
    label = bench.buy(parcel("1"), parcel("1.2"), parcel("1.5"), label_type="PNG").result
    assert label
    assert (label.label_type, pages(base64.b64decode(label.docs["label"]))) == ("PDF", 3)
    assert label.meta["tracking_numbers"] == [one["number"] for one in sold(bench)]
    assert label.selected_rate
    assert label.selected_rate.total_charge == sum(one["total"] for one in sold(bench))


def test_when_one_parcel_is_refused_the_others_are_cancelled(bench: Bench) -> None:
    outcome = bench.buy(parcel("1"), parcel("40"), service=bench.service())
    assert (outcome.result, outcome.unknown) == (None, False)
    assert "at most 70 pounds" in said(outcome)
    assert [bool(one["voided_at"]) for one in sold(bench)] == [True]


def test_without_a_reference_the_purchase_key_is_kept_with_the_label(home: Bench) -> None:
    home.bought()
    home.bought(reference="SO-7")
    assert [(one["reference"], one["key"]) for one in sold(home)] == [(f"{1:030x}",) * 2, ("SO-7", None)]


def test_a_label_that_was_cancelled_before_counts_as_cancelled(bench: Bench) -> None:
    label = bench.buy(parcel("1"), parcel("1.2")).result
    assert label
    first, second = label.meta["shipment_identifiers"]
    assert void(bench, first).result.success
    assert void(bench, first, second).result.success
    again = void(bench, first, second)
    assert (again.result, bench.carrier_class.says_done_before("void", again.messages)) == (None, True)
    assert all(one["voided_at"] for one in sold(bench))


def test_a_voided_label_goes_on_no_form_and_a_label_on_a_form_is_not_voided(bench: Bench) -> None:
    def closed(*numbers: str) -> Any:
        place = address("US", "Ann Sender")
        return bench.ask("manifest", ManifestRequest(shipment_identifiers=list(numbers), address=place))

    voided, good = bench.bought().tracking_number, bench.bought().tracking_number
    void(bench, voided)
    assert f"{voided} has been canceled" in said(closed(voided, good))
    assert closed(good).result.meta["trackingNumbers"] == [good]
    assert f"{good} is on a SCAN form" in said(void(bench, good))


# -- what is refused, and log-ins ------------------------------------------------------------------


def test_what_a_schema_refuses_is_refused(home: Bench, abroad: Bench) -> None:
    nowhere = address("US", "Bob Receiver").changed(address_line1=None)
    service = "usps_priority_mail"
    assert "toAddress/streetAddress" in said(home.buy(recipient=nowhere, service=service))
    dated_back = home.buy(options={"shipment_date": "2025-02-20"}, service=service)
    assert "mailingDate: is in the past" in said(dated_back)
    assert abroad.bought(service=ABROAD, customs=None).tracking_number


def test_a_payment_account_that_is_denied_buys_nothing() -> None:
    bench = Bench(Usps, credentials={"account_number": "denied"})
    outcome = bench.buy()
    bench.close()
    assert "not authorised" in said(outcome)
    assert (outcome.unknown, sold(bench)) == (False, [])


def test_tokens_that_ran_out_are_renewed(bench: Bench) -> None:
    bench.bought()
    bench.wait(hours=9)
    assert bench.bought(options={"shipment_date": "2025-03-04"}).tracking_number


@pytest.mark.parametrize(
    ("digits", "status"),
    [("00", "pending"), ("01", "in_transit"), ("02", "out_for_delivery"), ("04", "on_hold"),
     ("05", "delivery_delayed"), ("06", "ready_for_pickup"), ("07", "delivery_failed"), ("08", "unknown")],
)  # fmt: skip
def test_every_status_is_understood(bench: Bench, digits: str, status: str) -> None:
    outcome: Any = bench.ask("track", TrackingRequest(tracking_numbers=[f"SC{digits}00000001", "9400"]))
    assert [one.status for one in outcome.result] == [status]
    assert [(one.details or {})["tracking_number"] for one in outcome.messages] == ["9400"]
