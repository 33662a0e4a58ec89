"""UPS: what neither cases nor the contract show."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from PIL import Image
from shipcli.carriers.ups import Ups, customs, rates, shipments

from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.carrier.simulation.simulator import LABEL
from shipcli.carrier.wire.label_files import decode_file
from shipcli.drawing import Block, LabelSpec, convert, draw_label, find_label_kind
from shipcli.models import DocumentUploadRequest, RateRequest
from tests.carriers.bench import MONDAY, Bench, address, parcel, said
from tests.carriers.papers import barcodes
from tests.carriers.tap import Tap

PDF, ZPL = shipments.label_sheet("PDF"), shipments.label_sheet("ZPL")


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(Ups)
    yield made
    made.close()


def codes(outcome: FlowOutcome[Any]) -> list[str | None]:
    return [one.code for one in outcome.messages]


def test_a_label_lying_on_its_side_is_set_upright() -> None:
    spec = LabelSpec("UPS", "GROUND", Block("FROM", ("A",)), Block("TO", ("B",)), "1ZA1B2C30300000012")
    lying = io.BytesIO()
    with Image.open(io.BytesIO(draw_label(spec, "PNG"))) as upright:
        upright.rotate(90, expand=True).save(lying, "PNG")
    text, kind = shipments.read_images([base64.b64encode(lying.getvalue()).decode()], PDF, "PDF")
    assert kind == "PDF"
    assert barcodes(decode_file(text or "") or b"") == ["1ZA1B2C30300000012"]


def test_what_can_not_be_drawn_is_passed_through() -> None:
    foreign = base64.b64encode(b"^XA^GWhatever^XZ").decode()
    assert shipments.read_images(["No label image"], PDF, "PDF") == ("No label image", "PDF")
    assert shipments.read_images([foreign], ZPL, "PDF") == (foreign, "ZPL")


def test_a_label_carries_the_number_the_postal_code_and_the_carriers_own_code(bench: Bench) -> None:
    import zxingcpp

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
    kinds = {name: find_label_kind(decode_file(text) or b"") for name, text in outcome.result.docs.items()}
    assert kinds == {"label": "PDF", "zpl_label": "ZPL"}


def test_the_price_paid_is_the_sum_of_its_lines_and_of_its_parcels(bench: Bench) -> None:
    label = bench.buy(parcel(), parcel("4"), service="ups_2nd_day_air").result
    assert label
    paid = label.selected_rate
    assert paid
    sold = bench.ledger.find("ups", LABEL, identifier=label.shipment_identifier)
    assert sum(one["total"] for one in sold) == paid.total_charge
    assert sum(one.amount or 0 for one in paid.extra_charges) == paid.total_charge


def test_what_the_schema_refuses_is_refused(bench: Bench) -> None:
    bare = address("US", "Bob").model_copy(update={"state_code": None})
    refused = bench.buy(service="ups_ground", recipient=bare)
    assert said(refused) == "validation: recipient.state_code: required by UPS"
    heavy = "validation: parcels[0].weight: UPS takes at most 154.35: it would be sent 156.6"
    assert said(bench.quote(parcel("71"))) == heavy
    assert codes(bench.buy(service="ups_ground", options={"doc_references": [{"doc_id": "1"}]})) == ["128220"]


def test_a_connection_without_an_account_is_priced_and_sells_nothing() -> None:
    bench = Bench(Ups, credentials={"account_number": None})
    assert bench.quote().result
    assert codes(bench.buy(service="ups_ground")) == ["120100"]
    bench.close()


def test_an_uploaded_document_can_be_sent_with_the_shipment() -> None:
    abroad = Bench(Ups, ("US", "GB"))
    file = {"doc_file": base64.b64encode(b"%PDF").decode(), "doc_name": "own.pdf", "doc_type": "packing_list"}
    uploaded = abroad.ask("upload_document", DocumentUploadRequest.model_validate({"document_files": [file]}))
    assert uploaded.result, said(uploaded)
    label = abroad.bought(options={"doc_references": [{"doc_id": uploaded.result.documents[0].doc_id}]})
    assert set(label.docs) == {"label"}
    assert set(abroad.bought().docs) == {"label", "invoice"}
    abroad.close()


@pytest.mark.parametrize("name", ["ups_lift_gate_{}_pickup", "ups_lift_gate_{}_delivery"])
@pytest.mark.parametrize("word", ["at", "for"])
def test_a_lift_gate_is_priced_and_ordered_under_either_of_its_names(
    bench: Bench, name: str, word: str
) -> None:
    option = {f"{name.format(word)}_indicator": True}
    assert "LiftGate" in sent_with(bench, "rate", option)
    assert "LiftGate" in sent_with(bench, "ship", option)


def test_a_delivery_on_sunday_that_can_not_be_ordered_is_refused_by_its_name(bench: Bench) -> None:
    outcome = bench.buy(options={"ups_sunday_delivery_indicator": True})
    assert "options.ups_sunday_delivery_indicator" in said(outcome)


def sent_with(bench: Bench, verb: str, options: dict[str, Any]) -> str:
    tap, request = Tap(bench), bench.shipment(options=options)
    asked = RateRequest.model_validate(request) if verb == "rate" else bench.request(options=options)
    bench.ask(verb, asked)
    return tap.sent[-1].content.decode()


@pytest.mark.parametrize(("wanted", "price"), [(False, 40), (True, 56)])
def test_a_service_has_one_price_before_a_saturday_that_of_what_is_ordered(
    bench: Bench, wanted: bool, price: int
) -> None:
    def priced(amount: str, *surcharges: str) -> dict[str, Any]:
        money = {"CurrencyCode": "USD", "MonetaryValue": amount}
        extras = [{"Code": code, "MonetaryValue": "16.00"} for code in surcharges]
        return {"Service": {"Code": "01"}, "TotalCharges": money, "ItemizedCharges": extras}

    body = {"RateResponse": {"RatedShipment": [priced("56.00", "300"), priced("40.00")]}}
    request = bench.request(options={"saturday_delivery": wanted})
    [quote] = rates.read_rates(body, "US", bench.carrier().options_of(request))
    assert (quote.service, quote.total_charge) == ("ups_next_day_air", price)


def test_the_amount_that_is_insured_is_no_charge_on_the_invoice(bench: Bench) -> None:
    request = Bench(Ups, ("US", "GB")).request(options={"insurance": 1700})
    forms = customs.write_forms(request, bench.carrier().options_of(request), MONDAY.date())
    assert forms is not None
    assert "1700" not in str(forms)


def test_each_request_has_an_identifier_of_its_own(bench: Bench) -> None:
    tap = Tap(bench)
    bench.quote(), bench.quote()
    identifiers = [sent.header("transId") for sent in tap.sent if "/rating/" in sent.path]
    assert len(identifiers) == 2
    assert {len(one) for one in identifiers} == {32}
    assert len(set(identifiers)) == 2


def test_sides_and_weights_fit_their_fields_and_are_never_below_the_truth(bench: Bench) -> None:
    box = parcel("3.141592").model_copy(
        update={"length": Decimal("33.333"), "width": Decimal("91.25"), "height": Decimal("9.125")}
    )
    package = sent_shipment(bench, box)["Package"][0]
    assert package["PackageWeight"]["Weight"] == "6.93"
    sides = [package["Dimensions"][name] for name in ("Length", "Width", "Height")]
    assert sides == ["36", "14", "3.6"]
    heavy = sent_shipment(bench, parcel("68.01"))["Package"][0]
    assert heavy["PackageWeight"]["Weight"] == "150"


def test_the_home_of_the_recipient_alone_is_told(bench: Bench) -> None:
    home = {
        side: address("US", side.title()).model_copy(
            update={"residential": True, "phone_number": "+1 503-555-0162"}
        )
        for side in ("shipper", "recipient")
    }
    shipment = sent_shipment(bench, parcel(), **home)
    assert "ResidentialAddressIndicator" in shipment["ShipTo"]["Address"]
    assert "ResidentialAddressIndicator" not in str([shipment["Shipper"], shipment["ShipFrom"]])


def test_the_label_is_asked_for_in_the_letters_of_its_names(bench: Bench) -> None:
    def letters(name: str) -> str | None:
        person = address("US", name)
        return str(sent_label(bench, recipient=person).get("CharacterSet"))

    names = ("Ann Lee", "Zoë Søn", "Łukasz Żak")
    assert [letters(name) for name in names] == ["None", "fra", "pol"]


def test_a_release_code_has_four_to_six_digits(bench: Bench) -> None:
    asked = {"ups_epra_indicator": True}
    assert "ups_epra_release_code" in said(bench.buy(options=asked))
    assert "ups_epra_release_code" in said(bench.buy(options={**asked, "ups_epra_release_code": "12a4"}))
    tap = Tap(bench)
    assert bench.buy(options={**asked, "ups_epra_release_code": "12345"}).result
    assert b'"EPRAReleaseCode":"12345"' in tap.sent[-1].content.replace(b": ", b":")


@pytest.mark.parametrize("reference", [None, "Order 77"])
@pytest.mark.parametrize("kind", ["PDF", "ZPL"])
def test_a_purchase_without_an_answer_is_found_again_with_all_its_labels(
    bench: Bench, reference: str | None, kind: str
) -> None:
    request = bench.request(parcel(), parcel("4"), label_type=kind, reference=reference)
    older = bench.ask("ship", request, key="a" * 32).result
    bought = bench.ask("ship", request, key="b" * 32).result
    again = bench.ask("recover", request, key="b" * 32).result
    assert older
    assert bought
    assert again
    assert again.meta["tracking_numbers"] == bought.meta["tracking_numbers"]
    assert again.tracking_number == bought.tracking_number != older.tracking_number
    assert find_label_kind(decode_file(again.docs["label"]) or b"") == kind


def test_a_look_up_that_fails_says_nothing_of_the_purchase(bench: Bench) -> None:
    request = bench.request()
    bench.scenario = "error"
    outcome = bench.ask("recover", request, key="c" * 32)
    assert outcome.failed


@pytest.mark.parametrize("lacking", [{"CurrencyCode": "USD"}, {}])
def test_a_total_without_an_amount_is_passed_over(lacking: dict[str, Any]) -> None:
    total = {"CurrencyCode": "USD", "MonetaryValue": "12.50"}
    charges = {"TotalChargesWithTaxes": lacking, "TotalCharges": total}
    assert rates.read_price(charges, "ups_ground", "03").total_charge == 12.5


def test_a_place_without_a_telephone_has_that_of_the_shipper_for_what_goes_abroad() -> None:
    place = address("US", "Dock").model_copy(update={"phone_number": None})
    for country, phone in (("GB", {"Number": "2127363100"}), ("US", None)):
        bench = Bench(Ups, ("US", country))
        tap = Tap(bench)
        assert bench.buy(return_address=place).result
        assert tap.sent[-1].json["ShipmentRequest"]["Shipment"]["ShipFrom"].get("Phone") == phone
        bench.close()


def sent_body(bench: Bench, *parcels: Any, **values: Any) -> Any:
    tap = Tap(bench)
    bench.buy(*parcels, **{"service": "ups_ground", **values})
    return tap.sent[-1].json["ShipmentRequest"]


def sent_shipment(bench: Bench, *parcels: Any, **values: Any) -> Any:
    return sent_body(bench, *parcels, **values)["Shipment"]


def sent_label(bench: Bench, **values: Any) -> Any:
    return sent_body(bench, **values)["LabelSpecification"]
