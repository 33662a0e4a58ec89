"""UPS: what neither the recorded exchanges nor the contract show."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from shipcli.carriers.ups import Ups, rates, shipments, tracking

from shipcli.carrier.flow_runner import CarrierJob, FlowOutcome
from shipcli.carrier.label_files import decode_file
from shipcli.carrier.number_forms import ups_check_digit
from shipcli.carrier.prepare import prepare
from shipcli.carrier.simulator import LABEL
from shipcli.drawing import Block, LabelSpec, convert, draw_label, label_kind, rotate
from shipcli.models import (
    Address,
    CancelRequest,
    DocumentUploadRequest,
    Invalid,
    RateRequest,
    ShipmentRequest,
    TrackingRequest,
)
from tests.carriers.bench import Bench, address, parcel, said
from tests.carriers.test_contract import barcodes

DAY = date(2025, 3, 3)
PDF = shipments.label_sheet("PDF")
ITEM = {"title": "Mug", "quantity": 3, "value_amount": 20, "weight": 1, "weight_unit": "KG"}


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(Ups)
    yield made
    made.close()


@pytest.fixture
def abroad() -> Iterator[Bench]:
    made = Bench(Ups, ("US", "GB"))
    yield made
    made.close()


def codes(outcome: FlowOutcome[Any]) -> list[str | None]:
    return [one.code for one in outcome.messages]


def carrier(**account: Any) -> Ups:
    made = Bench(Ups, credentials=account).carrier()
    assert isinstance(made, Ups)
    return made


def written(account: Ups | None = None, **values: Any) -> dict[str, Any]:
    """The shipment of a purchase as it goes out."""
    ups = account or carrier()
    given = {"shipper": address("US", "Ann"), "recipient": address("US", "Bob"), "parcels": [parcel()]}
    request = prepare(ShipmentRequest.model_validate({**given, "service": "ups_ground", **values}), ups)
    options = ups.options_of(request)
    body = shipments.write_shipment("A1B2C3", request, options, day=DAY, reference="SO-1", sheet=PDF)
    found: dict[str, Any] = body["ShipmentRequest"]["Shipment"]
    return found


def rated(**values: Any) -> dict[str, Any]:
    ups = carrier()
    given = {"shipper": address("US", "Ann"), "recipient": address("US", "Bob"), "parcels": [parcel()]}
    request = prepare(RateRequest.model_validate({**given, **values}), ups)
    body = rates.write_rate("A1B2C3", request, ups.options_of(request), DAY)
    found: dict[str, Any] = body["RateRequest"]["Shipment"]
    return found


# -- words and writers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "origin", "slug"),
    [("11", "US", "ups_standard"), ("11", "CA", "ups_standard_ca"), ("11", "GR", "ups_standard_eu"),
     ("11", "PL", "ups_standard_pl"), ("74", "DE", "ups_express_12_00_de"), ("99", "US", "99"),
     ("07", "JP", "ups_worldwide_express"), ("96", "US", "ups_worldwide_express_freight")],
)  # fmt: skip
def test_a_service_code_has_the_name_of_its_origin(code: str, origin: str, slug: str) -> None:
    assert Ups.services.find_slug(code, origin=origin) == slug


def test_the_units_are_those_of_the_place_it_leaves() -> None:
    home, away = rated()["Package"][0], rated(shipper=address("FR", "Ann"))["Package"][0]
    units = [one["PackageWeight"]["UnitOfMeasurement"]["Code"] for one in (home, away)]
    assert units == ["LBS", "KGS"]
    assert [one["Dimensions"]["UnitOfMeasurement"]["Code"] for one in (home, away)] == ["IN", "CM"]


def test_lines_of_an_address_are_broken_where_ups_takes_35_characters() -> None:
    place = Address(
        street_number="12", address_line1="The Old Warehouse behind the Railway", country_code="US"
    )
    lines = written(shipper=place)["Shipper"]["Address"]["AddressLine"]
    assert lines == ["12 The Old Warehouse behind the", "Railway"]


@pytest.mark.parametrize(("country", "level", "code"), [("US", "Package", "2"), ("GB", "Shipment", "1")])
def test_a_signature_is_asked_for_where_the_lane_has_it(country: str, level: str, code: str) -> None:
    shipment = written(recipient=address(country, "Bob"), options={"signature_confirmation": True})
    found = {
        "Package": shipment["Package"][0].get("PackageServiceOptions"),
        "Shipment": shipment["ShipmentServiceOptions"],
    }
    assert found[level]["DeliveryConfirmation"]["DCISType"] == code


def test_options_go_where_pricing_and_buying_have_them() -> None:
    options = {
        "hold_at_location": True,
        "ups_inside_delivery": "02",
        "ups_item_disposal": "yes",
        "unheard": 1,
    }
    priced, bought = rated(options=options), written(options=options)
    assert priced["ShipmentServiceOptions"]["PickupOptions"] == {"HoldForPickupIndicator": "Y"}
    assert bought["ShipmentServiceOptions"]["HoldForPickupIndicator"] == "Y"
    assert (
        priced["ShipmentServiceOptions"]["InsideDelivery"],
        bought["ShipmentServiceOptions"]["ItemDisposal"],
    ) == ("02", "Y")


def test_references_stand_where_the_lane_has_them() -> None:
    home = written(parcels=[parcel(reference_number="BOX-1"), parcel()])
    away = written(recipient=address("GB", "Bob"))
    assert "ReferenceNumber" not in home
    assert [one["ReferenceNumber"]["Value"] for one in home["Package"]] == ["BOX-1", "SO-1"]
    assert away["ReferenceNumber"] == {"Value": "SO-1"}


def test_the_recipient_is_told_by_mail_unless_that_is_unwanted() -> None:
    def told(**options: Any) -> Any:
        services = written(options=options).get("ShipmentServiceOptions") or {}
        return [one["EMail"]["EMailAddress"] for one in services.get("Notification") or ()]

    assert told() == ["desk@example.com"]
    assert told(email_notification=True, email_notification_to="bob@example.com") == ["bob@example.com"]
    assert told(email_notification="false", email_notification_to="bob@example.com") == []


def test_goods_are_worth_what_their_items_add_up_to_in_the_money_of_the_account() -> None:
    ups = carrier(account_country_code="CA")
    boxes = [parcel(items=[ITEM]), parcel(items=[ITEM])]
    assert written(ups, parcels=boxes)["InvoiceLineTotal"] == {
        "CurrencyCode": "CAD",
        "MonetaryValue": "120.00",
    }
    declared = written(ups, parcels=boxes, options={"declared_value": 7, "currency": "EUR"})[
        "InvoiceLineTotal"
    ]
    assert declared == {"CurrencyCode": "EUR", "MonetaryValue": "7.00"}


def test_negotiated_rates_are_asked_for_unless_they_are_refused() -> None:
    wanted = {"NegotiatedRatesIndicator": "Y"}
    assert written()["ShipmentRatingOptions"] == rated()["ShipmentRatingOptions"] == wanted
    refused = {"ups_negotiated_rates_indicator": False}
    assert "ShipmentRatingOptions" not in written(options=refused)
    assert "ShipmentRatingOptions" not in rated(options=refused)


def test_insurance_is_declared_on_the_packages() -> None:
    shipment = written(parcels=[parcel(), parcel()], options={"insurance": 100})
    values = [one["PackageServiceOptions"]["DeclaredValue"] for one in shipment["Package"]]
    assert values == [{"CurrencyCode": "USD", "MonetaryValue": "50.00"}] * 2


def test_dangerous_goods_are_refused_and_never_sent_as_if_they_were_none() -> None:
    with pytest.raises(Invalid, match="dangerous_good"):
        written(options={"dangerous_good": True})


def test_a_return_label_is_one() -> None:
    assert written(options={"is_return": True})["ReturnService"] == {"Code": "9"}


def test_a_date_that_is_none_is_refused_by_its_name(bench: Bench) -> None:
    outcome = bench.buy(service="ups_ground", options={"shipping_date": "soon"})
    assert (codes(outcome), outcome.unknown) == (["validation"], False)


# -- readers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "expected"),
    [({"type": "D"}, "delivered"), ({"type": "I", "code": "OT"}, "out_for_delivery"),
     ({"type": "M", "code": "XX"}, "pending"), ({"type": "I", "code": "AR"}, "in_transit")],
)  # fmt: skip
def test_the_status_is_that_of_the_newest_activity(status: dict[str, str], expected: str) -> None:
    assert tracking.read_status([{"status": status}, {"status": {"type": "X"}}]) == expected


def test_a_label_lying_on_its_side_is_set_upright() -> None:
    spec = LabelSpec("UPS", "GROUND", Block("FROM", ("A",)), Block("TO", ("B",)), "1ZA1B2C30300000012")
    lying = base64.b64encode(rotate(draw_label(spec, "PNG"), 270)).decode()
    text, kind = shipments.read_images([lying], PDF, "PDF")
    assert kind == "PDF"
    assert barcodes(decode_file(text or "") or b"") == ["1ZA1B2C30300000012"]


def test_what_can_not_be_drawn_is_passed_through() -> None:
    foreign = base64.b64encode(b"^XA^GWhatever^XZ").decode()
    assert shipments.read_images(["No label image"], PDF, "PDF") == ("No label image", "PDF")
    assert shipments.read_images([foreign], shipments.label_sheet("ZPL"), "PDF") == (foreign, "ZPL")


# -- the simulator ---------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["1Z5R89390357567127", "1Z879E930346834440", "1ZWA82900191640782"])
def test_published_tracking_numbers_have_the_right_check_digit(number: str) -> None:
    assert ups_check_digit(number[2:-1]) == int(number[-1])


def test_a_label_carries_the_number_the_postal_code_and_the_carriers_own_code(bench: Bench) -> None:
    import io

    import zxingcpp
    from PIL import Image

    label = bench.bought(label_type="PDF")
    content = convert(decode_file(label.docs["label"]) or b"", "PNG")
    assert {label.tracking_number, "42010118"} <= set(barcodes(content))
    with Image.open(io.BytesIO(content)) as picture:
        corner = picture.convert("L").crop((540, 670, 812, 940))
    maxicode = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.MaxiCode])
    (found,) = zxingcpp.read_barcodes(corner, formats=maxicode)
    assert b"\x1d840\x1d003\x1d1Z00000012\x1dUPSN\x1dA1B2C3\x1d" in bytes(found.bytes)


def test_printer_language_can_be_asked_for_whatever_is_wanted(bench: Bench) -> None:
    usual = bench.carrier()
    always = Ups(usual.account, usual.config.model_copy(update={"enforce_zpl": True}), usual.context)
    outcome = bench.driver.run(CarrierJob.of(always, "ship", bench.request(label_type="PDF")))
    assert outcome.result, said(outcome)
    kinds = {name: label_kind(decode_file(text) or b"") for name, text in outcome.result.docs.items()}
    assert kinds == {"label": "PDF", "zpl_label": "ZPL"}


def test_the_price_paid_is_the_price_quoted_and_stands_with_the_label(bench: Bench) -> None:
    boxes = parcel(), parcel("4")
    quotes = {one.service: one for one in bench.quote(*boxes).result or []}
    outcome = bench.buy(*boxes, service="ups_2nd_day_air")
    assert outcome.result, said(outcome)
    quoted, paid = quotes["ups_2nd_day_air"], outcome.result.selected_rate
    assert (paid.total_charge, paid.currency, paid.service) == (quoted.total_charge, "USD", "ups_2nd_day_air")
    entered = bench.ledger.find("ups", LABEL, identifier=outcome.result.shipment_identifier)
    assert sum(one["total"] for one in entered) == paid.total_charge
    lines = {one.name: one.amount for one in paid.extra_charges}
    assert sum(lines.values()) == paid.total_charge


def test_what_the_schema_refuses_is_refused(bench: Bench) -> None:
    bare = address("US", "Bob").model_copy(update={"state_code": None})
    nowhere = address("US", "Bob").model_copy(update={"address_line1": "6 NORATE WAY"})
    request = RateRequest.model_validate({**bench.shipment(), "recipient": nowhere})
    assert codes(bench.buy(service="ups_ground", recipient=bare)) == ["120206"]
    assert codes(bench.ask("rate", request)) == ["111210"]
    assert codes(bench.quote(parcel("71"))) == ["111036"]
    assert codes(bench.buy(service="ups_ground", options={"doc_references": [{"doc_id": "1"}]})) == ["128220"]


def test_a_connection_without_an_account_is_priced_and_sells_nothing() -> None:
    bench = Bench(Ups, credentials={"account_number": None})
    assert bench.quote().result
    assert codes(bench.buy(service="ups_ground")) == ["120100"]
    bench.close()


def test_a_void_takes_every_parcel_of_the_shipment(bench: Bench) -> None:
    outcome = bench.buy(parcel(), parcel())
    assert outcome.result, said(outcome)
    request = CancelRequest(shipment_identifier=str(outcome.result.shipment_identifier))
    voided = bench.ask("void", request)
    assert voided.result, said(voided)
    assert all(one["voided_at"] for one in bench.ledger.find("ups", LABEL))


def test_a_label_is_followed_to_the_door(bench: Bench) -> None:
    number, seen = bench.bought(label_type="ZPL").tracking_number, []
    for hours in (1, 4, 54, 8):
        bench.wait(hours=hours)
        (done,) = bench.ask("track", TrackingRequest(tracking_numbers=[number])).result or []
        seen.append(done.status)
    assert seen == ["pending", "in_transit", "out_for_delivery", "delivered"]
    assert (done.info.signed_by, done.info.shipment_destination_postal_code) == ("S. AMPLE", "10118")
    assert (done.estimated_delivery, done.events[0].code) == ("2025-03-06", "KB")


def test_a_token_that_ran_out_is_renewed(bench: Bench) -> None:
    assert bench.quote().result
    bench.wait(hours=5)
    assert bench.quote().result
    assert len([one for one in bench.traces if one.verb == "login"]) == 2


def test_an_uploaded_document_can_be_sent_with_the_shipment(abroad: Bench) -> None:
    file = {"doc_file": base64.b64encode(b"%PDF").decode(), "doc_name": "own.pdf", "doc_type": "packing_list"}
    uploaded = abroad.ask("upload_document", DocumentUploadRequest.model_validate({"document_files": [file]}))
    assert uploaded.result, said(uploaded)
    outcome = abroad.buy(options={"doc_references": [{"doc_id": uploaded.result.documents[0].doc_id}]})
    assert outcome.result, said(outcome)
    assert set(outcome.result.docs) == {"label"}
    assert set(abroad.bought().docs) == {"label", "invoice"}
