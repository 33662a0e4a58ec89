"""What a carrier may rely on in a request."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import CarrierError, Option, OptionTable, Preset, RequestOptions, RowTable
from shipcli.carrier.preparation.flows import add_links
from shipcli.carrier.preparation.requests import prepare
from shipcli.models import Invalid, Label, RateRequest, ShipmentRequest, Tracking, TrackingRequest
from tests.carrier.stub import Stub, make_stub


class Boxed(Stub):
    presets = RowTable(
        [
            Preset(
                slug="stub_box",
                width=Decimal(10),
                height=Decimal(5),
                length=Decimal(20),
                dimension_unit="IN",
                weight=Decimal(3),
                weight_unit="LB",
                packaging_type="small_box",
            )
        ]
    )
    options = OptionTable(
        [
            Option(slug="stub_insurance", code="INS", type=Decimal, aliases=("insurance",)),
            Option(slug="stub_note", code="NOTE", type=str),
            Option(slug="stub_saturday", code="SAT", aliases=("saturday_delivery",)),
        ]
    )


def make_request(**values: Any) -> ShipmentRequest:
    address = {"country_code": "DE", "email": "bo@example.com"}
    abroad = {**address, "country_code": "CH"}
    plain = {"shipper": address, "recipient": abroad, "service": "x", "parcels": [{"weight": 1}], **values}
    return ShipmentRequest.model_validate(plain)


def prepared(**values: Any) -> ShipmentRequest:
    return prepare(make_request(**values), make_stub(Boxed))


def view(**values: Any) -> RequestOptions:
    return make_stub(Boxed).options_of(prepared(**values))


def test_a_preset_fills_the_sizes_that_are_not_given_in_the_parcels_unit() -> None:
    box = {
        "weight": 1,
        "weight_unit": "KG",
        "package_preset": "stub_box",
        "height": 9,
        "dimension_unit": "CM",
    }
    (parcel,) = prepared(parcels=[box]).parcels
    assert (parcel.length, parcel.width, parcel.height) == (Decimal("50.80"), Decimal("25.40"), Decimal(9))
    assert (parcel.weight, parcel.weight_unit) == (1, "KG")


def test_a_parcel_without_a_weight_has_that_of_its_preset() -> None:
    (parcel,) = prepared(parcels=[{"package_preset": "stub_box"}]).parcels
    assert (parcel.weight, parcel.weight_unit, parcel.dimension_unit) == (3, "LB", "IN")


def test_a_parcel_is_packed_as_its_preset_unless_it_says_otherwise() -> None:
    boxes = [{"package_preset": "stub_box"}, {"package_preset": "stub_box", "packaging_type": "pallet"}]
    assert [one.packaging_type for one in prepared(parcels=boxes).parcels] == ["small_box", "pallet"]


def test_units_are_never_missing() -> None:
    customs = {"commodities": [{"weight": 1}]}
    request = prepared(parcels=[{"weight": 1, "items": [{"weight": 1}]}], customs=customs)
    assert (request.parcels[0].weight_unit, request.parcels[0].dimension_unit) == ("LB", "IN")
    assert request.parcels[0].items[0].weight_unit == "LB"
    assert request.customs
    assert request.customs.commodities[0].weight_unit == "LB"


def test_the_sender_pays_the_carrier_and_the_recipient_the_duties_when_nobody_is_named() -> None:
    request = prepared(customs={"commodities": []})
    assert request.payment
    assert request.payment.paid_by == "sender"
    assert request.customs
    assert request.customs.duty
    assert request.customs.duty.paid_by == "recipient"


def test_the_shipping_date_wins() -> None:
    options = {"shipping_date": "2025-03-04T10:00", "shipment_date": "2025-03-01"}
    assert view(options=options).ship_date() == date(2025, 3, 4)
    assert view(options={"shipment_date": "2025-03-01"}).ship_date() == date(2025, 3, 1)
    assert view().ship_date() is None


def test_a_date_that_is_none_names_its_option() -> None:
    with pytest.raises(Invalid, match="shipping_date"):
        view(options={"shipping_date": "soon"}).ship_date()


def test_requests_without_parcels_stay_as_they_are() -> None:
    request = TrackingRequest(tracking_numbers=["1"])
    assert prepare(request, make_stub(Boxed)) is request


# -- the typed view --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["insurance", "stub_insurance"])
def test_an_option_is_read_under_any_of_its_names(name: str) -> None:
    options = view(options={name: "12.50"})
    assert options.amount("insurance") == options.amount("stub_insurance") == Decimal("12.50")


def test_a_carrier_of_single_parcels_is_not_asked_for_several() -> None:
    class Single(Boxed):
        one_parcel = True

    with pytest.raises(Invalid, match="one parcel for each shipment"):
        prepare(make_request(parcels=[{"weight": 1}, {"weight": 2}]), make_stub(Single))


def test_a_carrier_that_weighs_is_not_asked_for_parcels_without_a_weight() -> None:
    class Weighed(Boxed):
        needs_weight = True

    with pytest.raises(CarrierError) as caught:
        prepare(make_request(parcels=[{"weight": 1}, {"length": 5}]), make_stub(Weighed))
    assert list(caught.value.messages[0].details or {}) == ["parcel[1].weight"]
    prepare(make_request(parcels=[{"weight": 1}, {"length": 5}]), make_stub(Boxed))


def test_a_carrier_that_measures_is_not_asked_for_parcels_without_their_sides() -> None:
    class Measured(Boxed):
        needs_sides = frozenset({ShipmentRequest})

    purchase = make_request(parcels=[{"weight": 1, "length": 5, "width": 5}])
    prepare(RateRequest.model_validate(purchase.model_dump()), make_stub(Measured))
    with pytest.raises(CarrierError) as caught:
        prepare(purchase, make_stub(Measured))
    assert [*(caught.value.messages[0].details or {})] == ["parcel[0].height"]


@pytest.mark.parametrize(("country", "taken"), [("DE", True), (None, True), ("AT", False)])
def test_a_carrier_of_one_country_is_not_asked_to_collect_elsewhere(country: str | None, taken: bool) -> None:
    class Home(Boxed):
        home_country = "DE"

    request = make_request(shipper={"country_code": country})
    if taken:
        prepare(request, make_stub(Home))
    else:
        with pytest.raises(CarrierError, match="does not collect in AT"):
            prepare(request, make_stub(Home))


def test_an_account_sells_labels_in_its_own_country_alone_where_the_carrier_says_so() -> None:
    class Selling(Boxed):
        sells_at_home = True
        home = "AT"

    with pytest.raises(CarrierError, match="does not collect in DE"):
        prepare(make_request(), make_stub(Selling))
    prepare(RateRequest.model_validate(make_request().model_dump()), make_stub(Selling))


def test_labels_and_trackings_have_the_page_of_their_number() -> None:
    class Linked(Boxed):
        tracking_link = "https://stub.example/{}"

    label = Label(tracking_number="1", meta={"weight": 2})
    assert add_links(make_stub(Linked), label).meta == {
        "carrier_tracking_link": "https://stub.example/1",
        "weight": 2,
    }
    own = label.model_copy(update={"meta": {"carrier_tracking_link": "https://own.example"}})
    assert add_links(make_stub(Linked), own).meta == own.meta
    assert add_links(make_stub(Boxed), label) == label
    [found] = add_links(make_stub(Linked), [Tracking(tracking_number="2")])
    assert found.info
    assert found.info.carrier_tracking_link == "https://stub.example/2"


def test_options_are_chosen_in_the_order_given() -> None:
    options = view(options={"saturday_delivery": True, "strange": 1, "stub_note": "", "insurance": 5})
    assert [one.code for one in options.list_chosen()] == ["SAT", "INS"]


def test_a_name_that_no_table_has_is_a_mistake_of_the_writer() -> None:
    with pytest.raises(KeyError):
        view(options={"strange": 1}).text("strange")


@pytest.mark.parametrize(("value", "wanted"), [(True, True), ("false", False), (False, False), ("yes", True)])
def test_a_flag_may_be_text(value: Any, wanted: bool) -> None:
    assert view(options={"saturday_delivery": value}).flag("stub_saturday", default=not wanted) is wanted


def test_the_recipient_is_told_by_mail_unless_somebody_says_otherwise() -> None:
    assert view().notify_email() == "bo@example.com"
    assert view(options={"email_notification_to": "cy@example.com"}).notify_email() == "cy@example.com"
    refused = {"email_notification": "false", "email_notification_to": "cy@example.com"}
    assert view(options=refused).notify_email() is None


def test_a_mail_has_a_whole_address_or_none() -> None:
    assert view().notify_email(14) == "bo@example.com"
    assert view().notify_email(13) is None
    with pytest.raises(Invalid, match="options.email_notification_to"):
        view(options={"email_notification_to": "cy@example.com"}).notify_email(13)


def test_amounts_are_in_the_currency_of_the_request_else_of_the_country() -> None:
    assert view(options={"currency": "CHF"}).currency() == "CHF"
    assert view().currency("USD") == "USD"

    class Home(Boxed):
        home_country = "DE"

    assert make_stub(Home).options_of(prepared()).currency("USD") == "EUR"


def test_amounts_of_parcels_add_up_and_a_parcel_has_its_own() -> None:
    boxes = [{"weight": 1, "options": {"insurance": 5}}, {"weight": 1, "options": {"stub_insurance": 7}}]
    same = [{"weight": 1, "options": {"insurance": 5}}, {"weight": 1, "options": {"insurance": 7}}]
    assert view(parcels=same, options={"insurance": 1}).insurance() == 12
    request = prepared(parcels=boxes, options={"insurance": 1})
    assert make_stub(Boxed).options_of(request, request.parcels[1]).insurance() == 7


def test_what_stays_inside_a_customs_area_is_not_declared() -> None:
    customs = {"commodities": [{"title": "Mug", "weight": 1}]}
    assert prepared(customs=customs).customs
    for place in (
        {"country_code": "DE"},
        {"country_code": "FR"},
        {"country_code": "GB", "postal_code": "BT1 5GS"},
    ):
        assert prepared(customs=customs, recipient=place).customs is None
    for place in (
        {"country_code": "DE", "postal_code": "27498"},
        {"country_code": "ES", "postal_code": "35001"},
    ):
        assert prepared(customs=customs, recipient=place).customs
