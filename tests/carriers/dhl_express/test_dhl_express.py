"""DHL Express: what neither the recorded exchanges nor the contract show. Its own schemas are the oracle."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree
from shipcli.carriers.dhl_express import DhlExpress

from shipcli import models
from shipcli.carrier import CarrierError
from shipcli.carrier.number_forms import WAYBILL
from shipcli.carrier.preparation.requests import prepare
from shipcli.carrier.simulation.rules import convert_to_plain
from shipcli.carrier.wire.calls import encode
from shipcli.carrier.wire.label_files import decode_file
from shipcli.carrier.wire.xml import parse
from shipcli.drawing.convert import count_pages
from tests.carriers.bench import Bench, address, customs, parcel, said
from tests.carriers.tap import Tap
from tests.shared import find_shared

SCHEMAS = {
    "DCTRequest": "DCT-req_global-3.0", "ShipmentRequest": "ship-val-global-req-10.0",
    "KnownTrackingRequest": "TrackingRequestKnown-1.0", "BookPURequest": "book-pickup-global-req-3.0",
    "ModifyPURequest": "modify-pickup-global-req-3.0", "RouteRequest": "routing-global-req-2.0",
}  # fmt: skip
GOODS, AT_HOME = "dhl_express_worldwide_nondoc", "dhl_express_domestic"
BOXES = [parcel(reference_number="BOX-1"), parcel("2.25", package_preset="dhl_express_box_4")]
FAR = address("DE", "Bo").model_copy(
    update={"address_line1": "Hinter der alten Lagerhalle am Bahnhof Nord-West 12b"}
)
FILE = {"doc_file": "JVBERi0xLjQ=", "doc_format": "pdf", "doc_type": "commercial_invoice"}
OPTIONS = {"dhl_paperless_trade": True, "insurance": 99.5, "saturday_delivery": True, "doc_files": [FILE]}
COLLECTION = {"pickup_date": "2025-03-05", "ready_time": "13:00", "closing_time": "17:00", "parcels": BOXES,
              "address": address("US", "Ann"), "instruction": "Ring twice " * 12}  # fmt: skip
CHANGE = {**COLLECTION, "confirmation_number": "3674"}


def ordered(**values: Any) -> models.ShipmentRequest:
    given = {"shipper": address("US", "Ann"), "recipient": FAR, "parcels": BOXES, "service": GOODS,
             "customs": customs("US", "DE", BOXES)}  # fmt: skip
    return models.ShipmentRequest.model_validate({**given, **values})


def sent(verb: str, request: Any, **account: Any) -> list[bytes]:
    """The documents of a verb's first step."""
    carrier = Bench(DhlExpress, credentials=account).carrier()
    step = next(getattr(carrier, verb)(prepare(request, carrier)))
    calls = step if isinstance(step, list) else [step]
    return [encode(call, "https://dhl.example", {}).content for call in calls]


def order(**values: Any) -> dict[str, Any]:
    found: dict[str, Any] = convert_to_plain(parse(sent("ship", ordered(**values))[0]))
    return found


@pytest.mark.parametrize(("verb", "request_"), [
    ("rate", models.RateRequest.of(ordered(options=OPTIONS), services=[GOODS])),
    ("ship", ordered(options=OPTIONS, reference="SO-1")),
    ("ship", ordered(recipient=address("US", "Bo"), customs=None, service=AT_HOME, label_type="ZPL")),
    ("track", models.TrackingRequest(tracking_numbers=["0057714403"])),
    ("schedule_pickup", models.PickupRequest.model_validate(COLLECTION)),
    ("update_pickup", models.PickupUpdateRequest.model_validate(CHANGE)),
    ("validate_address", models.AddressValidationRequest(address=FAR)),
])  # fmt: skip
def test_what_goes_out_is_valid_by_the_schema_of_the_carrier(verb: str, request_: Any) -> None:
    folder = find_shared("carriers/dhl_express/wire")
    content = etree.fromstring(sent(verb, request_)[0])
    schema = etree.XMLSchema(etree.parse(folder / f"{SCHEMAS[etree.QName(content).localname]}.xsd"))
    assert schema.validate(content), str(schema.error_log)


def test_pieces_are_packed_as_their_presets_and_worth_what_their_items_add_up_to() -> None:
    written = order(customs=None)
    assert [one["PackageType"] for one in written["ShipmentDetails"]["Pieces"]["Piece"]] == ["YP", "JB"]
    assert written["Dutiable"]["DeclaredValue"] == "40"


def test_papers_are_refused_as_data_where_customs_take_paper_only() -> None:
    with pytest.raises(models.Invalid, match="paperless_trade"):
        order(options=OPTIONS, shipper=address("US", "Ann").model_copy(update={"country_code": "KZ"}))


def test_numbers_of_taxes_abroad_are_registrations_of_the_sender() -> None:
    numbers = {"ioss": "IM2760000742", "voec": "2021234"}
    declared = customs("US", "DE", BOXES) or {}
    shipper = address("US", "Ann").model_copy(update={"federal_tax_id": "91-1144442"})
    written = order(customs={**declared, "options": numbers}, shipper=shipper)
    rows = written["Shipper"]["RegistrationNumbers"]["RegistrationNumber"]
    assert [(row["Number"], row["NumberTypeCode"], row["NumberIssuerCountryCode"]) for row in rows] == [
        ("91-1144442", "VAT", "US"), ("IM2760000742", "SDT", "DE"), ("2021234", "SDT", "NO"),
    ]  # fmt: skip


@pytest.mark.parametrize(("values", "field"), [
    ({"options": {"dangerous_good": True}}, "dangerous_good"),
    ({"options": {**OPTIONS, "doc_references": [{"doc_id": "1"}, {"doc_id": "2"}]}}, "one document"),
])  # fmt: skip
def test_what_can_not_be_sent_is_refused_by_name(values: dict[str, Any], field: str) -> None:
    with pytest.raises(models.Invalid, match=field):
        order(**values)


def test_an_account_ships_from_its_own_country_only() -> None:
    with pytest.raises(CarrierError, match="does not collect in US"):
        sent("ship", ordered(), account_country_code="DE")


def test_many_numbers_are_asked_for_ten_at_a_time() -> None:
    request = models.TrackingRequest(tracking_numbers=[f"{at:010d}" for at in range(21)])
    assert [part.count(b"<AWBNumber>") for part in sent("track", request)] == [10, 10, 1]


def test_pieces_share_a_waybill_and_a_file() -> None:
    bench = Bench(DhlExpress, ("US", "DE"))
    label = bench.bought(parcels=BOXES)
    bench.close()
    assert WAYBILL.fits(label.tracking_number)
    assert len(label.meta["license_plates"]) == 2
    assert count_pages(decode_file(label.docs["label"]) or b"") == 2


def test_the_local_code_of_a_product_is_left_to_dhl() -> None:
    """It is another one in many countries."""
    details = order()["ShipmentDetails"]
    assert details["GlobalProductCode"] == "P"
    assert "LocalProductCode" not in details


@pytest.mark.parametrize("field", ["phone_number", "person_name"])
def test_a_collection_names_whom_the_courier_asks_for(field: str) -> None:
    nobody = {field: None, "company_name": None} if field == "person_name" else {field: None}
    place = address("US", "Ann").model_copy(update=nobody)
    with pytest.raises(models.Invalid, match=field):
        sent("schedule_pickup", models.PickupRequest.model_validate({**COLLECTION, "address": place}))


def test_a_piece_is_ordered_with_its_sides() -> None:
    bench = Bench(DhlExpress, ("US", "DE"))
    outcome = bench.buy(parcel(length=None))
    bench.close()
    assert outcome.failed
    assert "length" in str(outcome.messages)


def test_the_numbers_of_pieces_are_asked_for_apart_from_waybills() -> None:
    """A waybill has 11 characters at most: one longer number would cost the answer to all of them."""
    request = models.TrackingRequest(tracking_numbers=["1234567890", "JD014600006281230701", "9876543210"])
    bench = Bench(DhlExpress, ("US", "GB"))
    tap = Tap(bench)
    bench.ask("track", request)
    bodies = [convert_to_plain(parse(one.content)) for one in tap.sent]
    assert [body.get("AWBNumber") for body in bodies] == [["1234567890", "9876543210"], None]
    assert [body.get("LPNumber") for body in bodies] == [None, "JD014600006281230701"]
    bench.close()


def test_a_piece_is_tracked_by_its_number_or_its_barcode_beside_waybills() -> None:
    bench = Bench(DhlExpress, ("US", "DE"))
    label = bench.bought(parcels=BOXES)
    first, second = label.meta["license_plates"]
    numbers = [first, label.tracking_number, f"J{second}", "1234567891"]
    outcome = bench.ask("track", models.TrackingRequest(tracking_numbers=numbers))
    bench.close()
    assert all(map(DhlExpress.takes_number, numbers[:3]))
    assert {one.tracking_number: one.info.customer_name for one in outcome.result} == dict.fromkeys(
        numbers[:3], "Bob Receiver"
    )
    assert "1234567891" in said(outcome)


def test_a_piece_is_answered_with_its_waybill() -> None:
    """As TrackingResponse.xsd has it: a waybill of 11 characters, and what it was tracked by beside it."""
    bench = Bench(DhlExpress, ("US", "DE"))
    label = bench.bought(parcels=BOXES)
    tap = Tap(bench)
    bench.ask("track", models.TrackingRequest(tracking_numbers=label.meta["license_plates"]))
    answers = [one for reply in tap.received for one in parse(reply.content).iter("AWBInfo")]
    bench.close()
    assert [one.findtext("AWBNumber") for one in answers] == [label.tracking_number] * 2
    assert [one.findtext("TrackedBy/LPNumber") for one in answers] == label.meta["license_plates"]
