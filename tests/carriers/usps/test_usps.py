"""The Postal Service, domestic and international, where recorded exchanges show nothing."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from carriers.usps import Usps, wire
from carriers.usps.reading import in_base64, priced
from carriers.usps.sandbox import checked
from carriers.usps.wire import Piece, given, names, zip_code
from carriers.usps_international import UspsInternational
from shipcli.carrier.wire import Request
from shipcli.drawing import label_kind, pages
from shipcli.models import (
    CancelRequest,
    ManifestRequest,
    Parcel,
    PickupCancelRequest,
    PickupRequest,
    RateRequest,
    ShipmentRequest,
    TrackingRequest,
)
from tests.carriers.bench import AnyCarrier, Bench, address, parcel, said

LANES = {Usps: ("US", "US"), UspsInternational: ("US", "GB")}


@pytest.fixture(params=[Usps, UspsInternational], ids=lambda one: one.slug)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    made = Bench(request.param, LANES[request.param])
    yield made
    made.close()


@pytest.fixture
def domestic() -> Iterator[Bench]:
    made = Bench(Usps)
    yield made
    made.close()


@pytest.fixture
def international() -> Iterator[Bench]:
    made = Bench(UspsInternational, ("US", "GB"))
    yield made
    made.close()


def labels(bench: Bench) -> list[dict[str, Any]]:
    return bench.ledger.find(bench.carrier_class.slug, "label")


def void(bench: Bench, number: str, **options: Any) -> Any:
    return bench.ask("void", CancelRequest(shipment_identifier=number, options=options))


# -- prices ----------------------------------------------------------------------------------------


def test_what_needs_to_qualify_is_quoted_only_when_named(domestic: Bench) -> None:
    usual = {quote.service for quote in domestic.quote().result or []}
    named = domestic.shipment(services=["usps_media_mail", "usps_priority_mail"])
    asked = domestic.ask("rate", RateRequest.model_validate(named))
    assert usual == {"usps_ground_advantage", "usps_priority_mail", "usps_priority_mail_express"}
    assert {quote.service for quote in asked.result or []} == {"usps_media_mail", "usps_priority_mail"}


def test_light_parcels_alone_go_by_the_first_class_abroad(international: Bench) -> None:
    light, heavy = (international.quote(parcel(weight)).result or [] for weight in ("1", "5"))
    first_class = "usps_first_class_package_international_service"
    assert first_class in {quote.service for quote in light}
    assert first_class not in {quote.service for quote in heavy}


def test_a_price_is_that_of_the_indicator_the_label_will_have() -> None:
    def option(indicator: str, total: str) -> dict[str, Any]:
        return {"totalBasePrice": Decimal(total), "rates": [{"mailClass": "P", "rateIndicator": indicator}]}

    options = [option("SP", "9"), option("DR", "12"), option("DR", "14")]
    assert priced(options, "DR") == [options[1]]
    assert priced(options, "PL") == [options[0]]


@pytest.mark.parametrize(
    ("sender", "lane", "code"),
    [
        (Usps, ("CA", "US"), "SHIPPING_SDK_ORIGIN_NOT_SERVICED_ERROR"),
        (Usps, ("US", "GB"), "SHIPPING_SDK_DESTINATION_NOT_SERVICED_ERROR"),
        (UspsInternational, ("CA", "GB"), "SHIPPING_SDK_ORIGIN_NOT_SERVICED_ERROR"),
        (UspsInternational, ("US", "US"), "SHIPPING_SDK_DESTINATION_NOT_SERVICED_ERROR"),
    ],
)
def test_a_route_nobody_serves_is_refused_unasked(
    sender: AnyCarrier, lane: tuple[str, str], code: str
) -> None:
    bench = Bench(sender, lane)
    outcome = bench.quote()
    bench.close()
    assert ([one.code for one in outcome.messages], bench.traces) == ([code], [])


# -- labels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "kind"), [("PDF", "PDF"), ("ZPL", "ZPL"), ("PNG", "PNG"), ("JPG", "JPG"), ("TIFF", "TIFF")]
)
def test_the_label_file_is_what_its_type_says(domestic: Bench, asked: str, kind: str) -> None:
    label = domestic.bought(label_type=asked)
    assert (label.label_type, label_kind(base64.b64decode(label.docs["label"]))) == (kind, kind)


def test_a_label_made_at_the_post_office_comes_without_a_file(domestic: Bench) -> None:
    label = domestic.bought(label_type="LABEL_BROKER")
    assert label.docs == {}
    assert label.meta["labelBrokerID"]


def test_several_parcels_are_one_label_file_with_a_number_each(bench: Bench) -> None:
    label = bench.buy(parcel("1"), parcel("1.2"), parcel("1.5"), label_type="PNG").result
    assert label
    assert (label.label_type, pages(base64.b64decode(label.docs["label"]))) == ("PDF", 3)
    assert label.meta["tracking_numbers"] == [one["number"] for one in labels(bench)]
    assert label.tracking_number == label.meta["tracking_numbers"][0]


def test_when_one_parcel_is_refused_the_others_are_cancelled(bench: Bench) -> None:
    outcome = bench.buy(parcel("1"), parcel("40"), service=bench.service())
    assert (outcome.result, outcome.unknown) == (None, False)
    assert "at most 70 pounds" in said(outcome)
    assert [bool(one["voided_at"]) for one in labels(bench)] == [True]


def test_all_parcels_of_a_shipment_are_cancelled_together(bench: Bench) -> None:
    label = bench.buy(parcel("1"), parcel("1.2")).result
    assert label
    numbers = label.meta["shipment_identifiers"]
    outcome = void(bench, numbers[0], shipment_identifiers=numbers)
    assert outcome.result.success
    assert all(one["voided_at"] for one in labels(bench))


def test_without_a_reference_the_purchase_key_is_kept_with_the_label(domestic: Bench) -> None:
    domestic.bought()
    domestic.bought(reference="SO-7")
    assert [one["reference"] for one in labels(domestic)] == [f"{1:030x}", "SO-7"]


def test_numbers_have_the_check_digit_of_the_carrier() -> None:
    assert checked("923469036198090000026") == "9234690361980900000265"
    assert checked("940010910425053290858") == "9400109104250532908587"


def test_a_label_number_has_22_digits_and_its_type_code(domestic: Bench) -> None:
    number = domestic.bought(service="usps_priority_mail").tracking_number
    assert (len(number), number[:5], checked(number[:-1])) == (22, "92055", number)


def test_a_voided_label_goes_on_no_form_and_a_label_on_a_form_is_not_voided(bench: Bench) -> None:
    voided, good = bench.bought().tracking_number, bench.bought().tracking_number
    void(bench, voided)
    refused = bench.ask("manifest", form(voided, good))
    closed: Any = bench.ask("manifest", form(good))
    late = void(bench, good)
    assert f"{voided} has been canceled" in said(refused)
    assert closed.result.meta["trackingNumbers"] == [good]
    assert f"{good} is on a SCAN form" in said(late)


def form(*numbers: str) -> ManifestRequest:
    return ManifestRequest(shipment_identifiers=list(numbers), address=address("US", "Ann Sender"))


# -- what is written -------------------------------------------------------------------------------


def piece(carrier_class: AnyCarrier, box: Parcel | None = None, **options: Any) -> Piece:
    request = ShipmentRequest.model_validate(
        {
            "shipper": address("US", "Ann Sender"),
            "recipient": address("US", "Bob Receiver"),
            "parcels": [],
            "service": "usps_priority_mail",
            "options": options,
        }
    )
    box = box or parcel(items=[])
    return Piece(request, box, carrier_class.options, carrier_class.packaging, "2025-03-03")


def test_an_option_of_the_parcel_comes_before_that_of_the_shipment() -> None:
    box = parcel(options={"usps_rate_indicator": "SP", "usps_insurance_below_500": 80}, items=[])
    made = piece(Usps, box, usps_rate_indicator="DN")
    assert (made.indicator, made.extra_services, wire.package_value(made)) == ("SP", [930], Decimal(80))


def test_generic_packaging_reaches_the_carrier_as_its_own_code() -> None:
    assert piece(Usps, parcel(packaging_type="your_packaging")).indicator == "SP"
    assert piece(UspsInternational, parcel(packaging_type="small_box")).indicator == "FS"


def test_options_of_others_and_those_switched_off_are_not_extra_services() -> None:
    made = piece(
        Usps, usps_certified_mail=False, ups_saturday=True, usps_return_receipt="yes", usps_machinable=1
    )
    assert made.extra_services == [955]


@pytest.mark.parametrize(("amount", "code"), [(500, 930), (Decimal("500.01"), 931)])
def test_insurance_has_the_code_of_its_amount(amount: Any, code: int) -> None:
    assert piece(UspsInternational, insurance=amount).extra_services == [code]


def test_the_girth_of_a_nonrectangular_parcel_is_in_inches() -> None:
    box = parcel(length=Decimal("50.8"), width=Decimal("25.4"), height=Decimal("12.7"))
    assert wire.girth(box, "DN") == Decimal(30)


def test_a_weight_is_never_rounded_to_nothing() -> None:
    assert wire.pounds(Decimal("0.001")) == Decimal("0.01")


@pytest.mark.parametrize(
    ("postal_code", "parts"),
    [
        ("29440", ("29440", None)),
        ("29440-1234", ("29440", "1234")),
        ("294401234", ("29440", "1234")),
        (None, (None, None)),
    ],
)
def test_a_zip_code_and_its_plus_four_are_told_apart(postal_code: str | None, parts: tuple[Any, Any]) -> None:
    assert zip_code(postal_code) == parts


def test_no_part_of_a_name_is_lost() -> None:
    assert [names(one) for one in ("Ann Mary Sender", "Cher", None)] == [
        ("Ann Mary", "Sender"),
        ("Cher", "Cher"),
        (None, None),
    ]


def test_nothing_is_left_out_that_has_a_value() -> None:
    assert given(zero=0, no=False, none=None, empty="", rows=[]) == {"zero": 0, "no": False}


def test_a_file_comes_as_base64_however_it_was_sent() -> None:
    text = base64.b64encode(b"%PDF-1.4").decode()
    assert (in_base64(b"%PDF-1.4"), in_base64(text.encode())) == (text, text)


# -- the simulator refuses -------------------------------------------------------------------------


def post(bench: Bench, path: str, body: Any, **headers: str) -> Any:
    from shipcli.carrier import registry

    simulator = registry.simulator(bench.carrier_class.slug)(bench.ledger, lambda: bench.now)
    return simulator.answer(Request("POST", f"https://usps.test{path}", headers, body))


def test_a_call_without_a_token_is_refused(domestic: Bench) -> None:
    reply = post(domestic, "/prices/v3/total-rates/search", b"{}")
    assert (reply.status, reply.json["error"]["errors"][0]["source"]) == (401, {"parameter": "Authorization"})


def test_the_price_of_a_weight_nobody_wrote_is_refused(domestic: Bench) -> None:
    domestic.quote()
    token = domestic.known_tokens()[0].value
    body = b'{"originZIPCode": "1", "weigth": 2, "destinationZIPCode": "10118", "mailClasses": ["ALL"]}'
    reply = post(domestic, "/prices/v3/total-rates/search", body, Authorization=f"Bearer {token}")
    named = {row["source"]["parameter"] for row in reply.json["error"]["errors"]}
    assert (reply.status, named) == (400, {"originZIPCode", "weigth", "weight"})


def test_a_label_without_goods_declared_is_sold_abroad(international: Bench) -> None:
    outcome = international.buy(parcel(items=[]), customs=None, service="usps_priority_mail_international")
    assert outcome.result is not None
    assert outcome.result.tracking_number


def test_an_address_without_a_street_is_refused(domestic: Bench) -> None:
    nowhere = address("US", "Bob Receiver").changed(address_line1=None)
    outcome = domestic.buy(recipient=nowhere, service="usps_priority_mail")
    assert "toAddress.streetAddress: is required" in said(outcome)


def test_a_label_is_not_dated_back(bench: Bench) -> None:
    outcome = bench.buy(options={"shipment_date": "2025-02-20"}, service=bench.service())
    assert "mailingDate: is in the past" in said(outcome)


def test_a_payment_account_that_is_denied_buys_nothing() -> None:
    bench = Bench(Usps, credentials={"account_number": "denied"})
    outcome = bench.buy()
    bench.close()
    assert "not authorised" in said(outcome)
    assert (outcome.unknown, labels(bench)) == (False, [])


def test_tokens_that_ran_out_are_renewed(bench: Bench) -> None:
    bench.bought()
    bench.wait(hours=9)
    assert bench.bought(options={"shipment_date": "2025-03-04"}).tracking_number


# -- tracking and collections ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "status"),
    [
        ("SC0000000001", "pending"),
        ("SC0100000001", "in_transit"),
        ("SC0200000001", "out_for_delivery"),
        ("SC0300000001", "delivered"),
        ("SC0400000001", "on_hold"),
        ("SC0500000001", "delivery_delayed"),
        ("SC0600000001", "ready_for_pickup"),
        ("SC0700000001", "delivery_failed"),
        ("SC0800000001", "unknown"),
    ],
)
def test_every_status_is_understood(bench: Bench, number: str, status: str) -> None:
    outcome: Any = bench.ask("track", TrackingRequest(tracking_numbers=[number]))
    assert [one.status for one in outcome.result] == [status]


def test_the_message_of_an_unknown_number_names_it(bench: Bench) -> None:
    outcome = bench.ask("track", TrackingRequest(tracking_numbers=["9400", "SC0300000001"]))
    assert [(one.details or {})["tracking_number"] for one in outcome.messages] == ["9400"]


def collect(bench: Bench, day: str) -> Any:
    place = address("US", "Ann Sender")
    request = PickupRequest(pickup_date=day, ready_time="09:00", closing_time="17:00", address=place)
    return bench.ask("schedule_pickup", request)


def test_a_collection_in_the_past_is_refused(bench: Bench) -> None:
    assert "pickupDate: is in the past" in said(collect(bench, "2025-02-28"))


def test_a_collection_is_cancelled_by_its_number_alone(bench: Bench) -> None:
    number = collect(bench, "2025-03-05").result.confirmation_number
    outcome: Any = bench.ask("cancel_pickup", PickupCancelRequest(confirmation_number=number))
    assert outcome.result.success


def test_the_mailing_date_is_the_day_at_the_shipper(domestic: Bench) -> None:
    made = domestic.carrier().pieces(domestic.request(options={}))  # type: ignore[attr-defined]
    assert date.fromisoformat(made[0].mailing_date) == domestic.now.date()
