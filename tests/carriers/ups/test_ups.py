"""UPS through its simulator, and what the recorded exchanges do not show of its writers and readers."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from carriers.ups import Ups, paper, readers, shapes, tracking, wire
from carriers.ups.catalogue import SHEETS, service_of
from carriers.ups.parts import confirmation
from carriers.ups.sandbox import UpsSimulator
from carriers.ups.tariffs import TARIFFS
from shipcli.carrier.flow_runner import FlowOutcome
from shipcli.carrier.simulator import LABEL
from shipcli.carrier.wire import Reply, Request
from shipcli.drawing import Block, LabelSpec, convert, draw_label, label_kind, pages, rotate
from shipcli.models import (
    Address,
    CancelRequest,
    DocumentUploadRequest,
    Label,
    Parcel,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)
from tests.carriers.bench import Bench, address, parcel, said

DAY = date(2025, 3, 3)


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


def track(bench: Bench, number: str) -> Tracking:
    outcome = bench.ask("track", TrackingRequest(tracking_numbers=[number]))
    assert outcome.result, said(outcome)
    found: Tracking = outcome.result[0]
    return found


def void(bench: Bench, label: Label) -> FlowOutcome[Any]:
    return bench.ask("void", CancelRequest(shipment_identifier=str(label.shipment_identifier)))


def barcodes(label: bytes) -> dict[str, str]:
    import io

    import zxingcpp
    from PIL import Image

    with Image.open(io.BytesIO(convert(label, "PNG"))) as picture:
        found = zxingcpp.read_barcodes(picture.convert("L"))
    return {one.format.name: one.text for one in found}


def maxicode(label: bytes) -> bytes:
    """The carrier's own code; the reader finds it only where nothing else is in the picture."""
    import io

    import zxingcpp
    from PIL import Image

    with Image.open(io.BytesIO(convert(label, "PNG"))) as picture:
        corner = picture.convert("L").crop((540, 670, 812, 940))
    found = zxingcpp.read_barcodes(corner, formats=zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.MaxiCode]))
    return bytes(found[0].bytes) if found else b""


def written(**values: Any) -> dict[str, Any]:
    """The shipment of a purchase as it goes out."""
    given = {"shipper": address("US", "Ann"), "recipient": address("US", "Bob"), "parcels": [parcel()]}
    request = ShipmentRequest.model_validate({**given, "service": "ups_ground", **values})
    body = wire.write_shipment("A1B2C3", request, day=DAY, reference="SO-1", sheet=SHEETS["PDF"])
    shipment: dict[str, Any] = body["ShipmentRequest"]["Shipment"]
    return shipment


def rated(**values: Any) -> dict[str, Any]:
    given = {"shipper": address("US", "Ann"), "recipient": address("US", "Bob"), "parcels": [parcel()]}
    body = wire.write_rate("A1B2C3", RateRequest.model_validate({**given, **values}), DAY)
    shipment: dict[str, Any] = body["RateRequest"]["Shipment"]
    return shipment


# -- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "origin", "slug"),
    [
        ("11", "US", "ups_standard"),
        ("11", "CA", "ups_standard_ca"),
        ("11", "FR", "ups_standard_eu"),
        ("11", "PL", "ups_standard_pl"),
        ("11", "GR", "ups_standard_eu"),
        ("74", "DE", "ups_express_12_00_de"),
        ("07", "JP", "ups_worldwide_express"),
        ("96", "US", "ups_worldwide_express_freight"),
        ("99", "US", "99"),
    ],
)
def test_a_service_code_has_the_name_of_its_origin(code: str, origin: str, slug: str) -> None:
    assert service_of(code, origin) == slug


def test_every_simulated_service_is_in_the_catalogue() -> None:
    sold = {service_of(row.code, origin) for row in TARIFFS for origin in row.origins or {"US", "CA", "JP"}}
    assert sold <= set(Ups.services.slugs())


def test_the_secret_is_hidden() -> None:
    assert Ups.secret_fields() == {"client_secret"}


# -- writers -----------------------------------------------------------------------------------


def test_pounds_and_inches_leave_the_united_states() -> None:
    package = rated()["Package"][0]
    assert package["PackageWeight"]["UnitOfMeasurement"]["Code"] == "LBS"
    assert package["Dimensions"]["UnitOfMeasurement"]["Code"] == "IN"


def test_a_metric_parcel_from_elsewhere_stays_metric() -> None:
    package = rated(shipper=address("FR", "Ann"))["Package"][0]
    assert package["PackageWeight"] == {
        "UnitOfMeasurement": {"Code": "KGS", "Description": "Weight"},
        "Weight": "1.5",
    }


def test_sizes_go_out_only_when_all_three_are_known() -> None:
    box = Parcel.model_validate({"weight": 1, "weight_unit": "LB", "length": 3, "dimension_unit": "IN"})
    assert "Dimensions" not in rated(parcels=[box])["Package"][0]


def test_papers_are_priced_as_papers() -> None:
    shipment = rated(parcels=[parcel(is_document=True)])
    assert shipment["DocumentsOnlyIndicator"] == "Y"
    assert shipment["DeliveryTimeInformation"]["PackageBillType"] == "02"


def test_the_street_number_and_every_line_reach_the_carrier() -> None:
    place = Address(street_number="12", address_line1="Elm St", address_line2="Floor 3", country_code="US")
    assert shapes.write_address(place, residential=False)["AddressLine"] == ["12 Elm St", "Floor 3"]


def test_a_long_line_is_broken_at_35_characters() -> None:
    place = Address(address_line1="The Old Warehouse behind the Railway Station", country_code="US")
    lines = shapes.write_address(place, residential=False)["AddressLine"]
    assert lines == ["The Old Warehouse behind the", "Railway Station"]


@pytest.mark.parametrize(
    ("lane", "expected"),
    [(("US", "US"), ("P", "2")), (("CA", "CA"), ("P", "2")), (("US", "GB"), ("S", "1"))],
)
def test_a_signature_is_asked_for_where_the_lane_has_it(
    lane: tuple[str, str], expected: tuple[str, str]
) -> None:
    assert confirmation({"signature_confirmation": True}, lane) == expected


def test_a_signature_that_is_not_wanted_is_not_asked_for() -> None:
    assert confirmation({"signature_confirmation": False}, ("US", "US")) == ("P", None)


def test_the_callers_own_confirmation_code_and_level_are_kept() -> None:
    options = {"ups_delivery_confirmation": "2", "ups_delivery_confirmation_level": "S"}
    assert confirmation(options, ("US", "US")) == ("S", "2")


def test_options_go_where_pricing_and_buying_have_them() -> None:
    options = {
        "hold_at_location": True,
        "ups_inside_delivery": "02",
        "ups_item_disposal": "yes",
        "unheard": 1,
    }
    priced = rated(options=options)["ShipmentServiceOptions"]
    bought = written(options=options)["ShipmentServiceOptions"]
    assert priced["PickupOptions"] == {"HoldForPickupIndicator": "Y"}
    assert (priced["InsideDelivery"], priced["ItemDisposalIndicator"]) == ("02", "Y")
    assert (bought["HoldForPickupIndicator"], bought["InsideDelivery"], bought["ItemDisposal"]) == (
        "Y",
        "02",
        "Y",
    )


def test_domestic_references_stand_on_the_packages() -> None:
    shipment = written(parcels=[parcel(reference_number="BOX-1"), parcel()])
    assert "ReferenceNumber" not in shipment
    assert [one["ReferenceNumber"]["Value"] for one in shipment["Package"]] == ["BOX-1", "SO-1"]


def test_references_of_other_lanes_stand_on_the_shipment() -> None:
    shipment = written(recipient=address("GB", "Bob"))
    assert shipment["ReferenceNumber"] == {"Value": "SO-1"}
    assert "ReferenceNumber" not in shipment["Package"][0]


def test_nothing_empty_is_sent() -> None:
    def empties(value: Any) -> bool:
        if isinstance(value, dict):
            return not value or any(empties(one) for one in value.values())
        return any(empties(one) for one in value) if isinstance(value, list) else value in (None, "")

    assert not empties(written())
    assert not empties(rated())


def test_a_date_that_is_none_is_refused_by_its_name(bench: Bench) -> None:
    outcome = bench.buy(service="ups_ground", options={"shipping_date": "soon"})
    assert codes(outcome) == ["validation"]
    assert not outcome.unknown


def test_the_recipient_is_told_by_mail_unless_that_is_unwanted() -> None:
    to = {"email_notification_to": "bob@example.com"}
    told = written(options=to)["ShipmentServiceOptions"]["Notification"]
    assert told == [{"NotificationCode": "8", "EMail": {"EMailAddress": "bob@example.com"}}]
    assert "ShipmentServiceOptions" not in written(options={**to, "email_notification": "no"})


# -- readers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"type": "D"}, "delivered"),
        ({"type": "I", "code": "OT"}, "out_for_delivery"),
        ({"type": "M", "code": "XX"}, "pending"),
        ({"type": "I", "code": "AR"}, "in_transit"),
        ({"type": "RS"}, "delivery_failed"),
    ],
)
def test_the_status_is_that_of_the_newest_activity(status: dict[str, str], expected: str) -> None:
    assert tracking.read_status([{"status": status}, {"status": {"type": "X"}}]) == expected


def test_a_label_lying_on_its_side_is_set_upright() -> None:
    spec = LabelSpec("UPS", "GROUND", Block("FROM", ("A",)), Block("TO", ("B",)), "1ZA1B2C30300000012")
    lying = rotate(draw_label(spec, "PNG"), 270)
    text, kind = readers.read_label([base64.b64encode(lying).decode()], SHEETS["PDF"], "PDF")
    assert kind == "PDF"
    assert barcodes(base64.b64decode(text or ""))["Code128"] == "1ZA1B2C30300000012"


def test_what_is_no_label_file_is_passed_through() -> None:
    assert readers.read_label(["No label image"], SHEETS["PDF"], "PDF") == ("No label image", "PDF")


def test_foreign_printer_language_stays_what_it_is() -> None:
    foreign = base64.b64encode(b"^XA^GWhatever^XZ").decode()
    text, kind = readers.read_label([foreign], SHEETS["ZPL"], "PDF")
    assert (base64.b64decode(text or ""), kind) == (b"^XA^GWhatever^XZ", "ZPL")


def test_a_page_that_is_no_json_is_a_refusal_by_its_status() -> None:
    carrier = Bench(Ups).carrier()
    assert carrier.is_refusal(Reply(500, b"<html></html>"))


# -- the simulator -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["1Z5R89390357567127", "1Z879E930346834440", "1ZWA82900191640782"])
def test_published_tracking_numbers_have_the_right_check_digit(number: str) -> None:
    assert paper.is_tracking_number(number)
    assert not paper.is_tracking_number(number[:-1] + str((int(number[-1]) + 1) % 10))


def test_a_label_carries_the_number_and_the_carriers_own_code(bench: Bench) -> None:
    label = bench.bought(label_type="PDF")
    assert paper.is_tracking_number(label.tracking_number)
    content = base64.b64decode(label.docs["label"])
    assert barcodes(content)["Code128"] == label.tracking_number
    assert b"\x1d840\x1d003\x1d1Z00000012\x1dUPSN\x1dA1B2C3\x1d" in maxicode(content)


@pytest.mark.parametrize("label_type", ["PDF", "ZPL"])
def test_every_parcel_has_its_own_label_in_one_file(bench: Bench, label_type: str) -> None:
    outcome = bench.buy(parcel(), parcel("3"), label_type=label_type)
    assert outcome.result, said(outcome)
    assert len(set(outcome.result.meta["tracking_numbers"])) == 2
    content = base64.b64decode(outcome.result.docs["label"])
    assert (label_kind(content), pages(content)) == (label_type, 2)


def test_printer_language_can_be_asked_for_whatever_is_wanted(bench: Bench) -> None:
    carrier = bench.carrier()
    carrier = Ups(carrier.account, carrier.config.model_copy(update={"enforce_zpl": True}), carrier.context)
    request = bench.request(label_type="PDF")
    from shipcli.carrier.flow_runner import CarrierJob

    outcome = bench.driver.run(CarrierJob.of(carrier, "ship", request))
    assert outcome.result, said(outcome)
    kinds = {name: label_kind(base64.b64decode(text)) for name, text in outcome.result.docs.items()}
    assert kinds == {"label": "PDF", "zpl_label": "ZPL"}


def test_a_declared_shipment_comes_with_its_invoice(abroad: Bench) -> None:
    label = abroad.bought()
    assert label_kind(base64.b64decode(label.docs["invoice"])) == "PDF"


def test_the_price_paid_is_the_price_quoted(bench: Bench) -> None:
    quotes = {one.service: one for one in bench.quote(parcel(), parcel("4")).result or []}
    outcome = bench.buy(parcel(), parcel("4"), service="ups_2nd_day_air")
    assert outcome.result, said(outcome)
    entered = bench.ledger.find("ups", LABEL, identifier=outcome.result.shipment_identifier)
    assert sum(one["total"] for one in entered) == quotes["ups_2nd_day_air"].total_charge
    assert {one["service"] for one in entered} == {"ups_2nd_day_air"}


def test_negotiated_prices_go_before_published_ones(bench: Bench) -> None:
    quotes = bench.quote().result or []
    lines = {one.name: one.amount for one in quotes[0].extra_charges}
    assert {"BASE CHARGE", "FUEL SURCHARGE"} <= lines.keys()
    assert sum(amount for amount in lines.values() if amount) == quotes[0].total_charge


def test_a_place_without_services_is_said_so(bench: Bench) -> None:
    nowhere = address("US", "Bob").model_copy(update={"address_line1": "6 NORATE WAY"})
    request = RateRequest.model_validate({**bench.shipment(), "recipient": nowhere})
    assert codes(bench.ask("rate", request)) == ["111210"]


def test_a_remote_place_costs_more(bench: Bench) -> None:
    remote = address("US", "Bob").model_copy(update={"address_line1": "5 REMOTE WAY"})
    request = RateRequest.model_validate({**bench.shipment(), "recipient": remote})
    names = {line.name for line in (bench.ask("rate", request).result or [])[0].extra_charges}
    assert "DELIVERY AREA" in names


def test_too_heavy_a_parcel_is_refused(bench: Bench) -> None:
    assert codes(bench.quote(parcel("71"))) == ["111036"]


def test_an_address_that_lacks_its_state_is_refused(bench: Bench) -> None:
    bare = address("US", "Bob").model_copy(update={"state_code": None})
    outcome = bench.buy(service="ups_ground", recipient=bare)
    assert codes(outcome) == ["120206"]
    assert not outcome.unknown


def test_a_connection_without_an_account_is_priced_and_sells_nothing() -> None:
    bench = Bench(Ups, credentials={"account_number": None})
    assert bench.quote().result
    assert codes(bench.buy(service="ups_ground")) == ["120100"]
    bench.close()


def test_a_voided_label_is_not_voided_again(bench: Bench) -> None:
    label = bench.bought()
    first = void(bench, label)
    assert first.result, said(first)
    assert first.result.success
    assert codes(void(bench, label)) == ["190117"]


def test_a_void_takes_every_parcel_of_the_shipment(bench: Bench) -> None:
    outcome = bench.buy(parcel(), parcel())
    assert outcome.result, said(outcome)
    voided = void(bench, outcome.result)
    assert voided.result, said(voided)
    assert voided.result.success
    assert all(one["voided_at"] for one in bench.ledger.find("ups", LABEL))


def test_a_delivered_label_is_not_voided(bench: Bench) -> None:
    label = bench.bought()
    bench.wait(days=5)
    assert codes(void(bench, label)) == ["190101"]


def test_a_label_is_followed_to_the_door(bench: Bench) -> None:
    label = bench.bought(label_type="ZPL")
    seen = []
    for hours in (1, 4, 54, 8):
        bench.wait(hours=hours)
        seen.append(track(bench, label.tracking_number).status)
    assert seen == ["pending", "in_transit", "out_for_delivery", "delivered"]
    done = track(bench, label.tracking_number)
    assert done.info.signed_by == "S. AMPLE"
    assert done.info.shipment_destination_postal_code == "10118"
    assert (done.estimated_delivery, done.events[0].code) == ("2025-03-06", "KB")


def test_a_package_reference_chooses_a_magic_number(bench: Bench) -> None:
    outcome = bench.buy(parcel(reference_number="SC0400000007"))
    assert outcome.result, said(outcome)
    assert outcome.result.tracking_number == "SC0400000007"


def test_a_token_that_ran_out_is_renewed(bench: Bench) -> None:
    assert bench.quote().result
    bench.wait(hours=5)
    assert bench.quote().result
    logins = [one for one in bench.traces if one.verb == "login"]
    assert len(logins) == 2


def test_a_call_without_a_token_is_refused() -> None:
    bench = Bench(Ups)
    simulator = UpsSimulator(bench.ledger, lambda: bench.now)
    reply = simulator.answer(Request("GET", "https://wwwcie.ups.com/api/track/v1/details/1Z"))
    assert (reply.status, reply.json["response"]["errors"][0]["code"]) == (401, "250002")


def test_wrong_credentials_are_told_by_the_login() -> None:
    bench = Bench(Ups, credentials={"client_secret": "denied"})
    assert codes(bench.quote()) == ["10401"]
    bench.close()


def test_an_uploaded_document_can_be_sent_with_the_shipment(abroad: Bench) -> None:
    file = {
        "doc_file": base64.b64encode(b"%PDF-1.4").decode(),
        "doc_name": "own.pdf",
        "doc_type": "packing_list",
    }
    uploaded = abroad.ask("upload_document", DocumentUploadRequest.model_validate({"document_files": [file]}))
    assert uploaded.result, said(uploaded)
    number = uploaded.result.documents[0].doc_id
    outcome = abroad.buy(options={"doc_references": [{"doc_id": number}]})
    assert outcome.result, said(outcome)
    assert set(outcome.result.docs) == {"label"}


def test_a_document_nobody_uploaded_is_refused(abroad: Bench) -> None:
    outcome = abroad.buy(options={"doc_references": [{"doc_id": "2025-01-01-00.00.00.000001"}]})
    assert codes(outcome) == ["128220"]


def test_a_member_the_carrier_does_not_know_is_refused(bench: Bench) -> None:
    carrier = bench.carrier()
    body = wire.write_rate("A1B2C3", RateRequest.model_validate(bench.shipment()), DAY)
    body["RateRequest"]["Shipment"]["Parcels"] = []
    from carriers.ups.bookings import Refused, read_rated

    with pytest.raises(Refused, match="Parcels"):
        read_rated(body)
    assert carrier.slug == "ups"
