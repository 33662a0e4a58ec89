"""Canada Post: what neither the recorded exchanges nor the contract show."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from shipcli.carriers.canadapost import CanadaPost, parts, pickups
from shipcli.carriers.canadapost.parts import RATE, SHIPMENT
from shipcli.carriers.canadapost.sandbox import papers

from shipcli.carrier import Reply, Request, basic_auth, registry
from shipcli.carrier.desk import Booking, Party
from shipcli.carrier.label_files import decode_file
from shipcli.carrier.prepare import prepare
from shipcli.carrier.simulator import LABEL
from shipcli.carrier.xml import render
from shipcli.models import (
    CancelRequest,
    ManifestRequest,
    PickupRequest,
    PickupUpdateRequest,
    RateRequest,
    ShipmentRequest,
    TrackingRequest,
)
from tests.carriers.bench import Bench, address, parcel, said
from tests.carriers.tap import Tap

KEY, SENT = "a1" * 16, {"canadapost_submit_shipment": True}
SCHEMAS = Path(__file__).parents[3].parent / "shared" / "carriers" / "canadapost" / "wire"
SLOT = {"pickup_date": "2025-03-05", "ready_time": "13:00", "closing_time": "16:10"}


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(CanadaPost, ("CA", "CA"))
    yield made
    made.close()


def order(bench: Bench, *boxes: Any, **values: Any) -> ShipmentRequest:
    options = {"shipment_date": "2025-03-03", **values.pop("options", {})}
    return bench.request(*boxes, **{"service": "canadapost_expedited_parcel", "options": options, **values})


def bought(bench: Bench, *boxes: Any, **options: Any) -> Any:
    outcome = bench.ask("ship", order(bench, *boxes, options=options), key=KEY)
    assert outcome.result, said(outcome)
    return outcome.result


def void(bench: Bench, number: str, **options: Any) -> Any:
    return bench.ask("void", CancelRequest(shipment_identifier=number, options=options))


def manifest(bench: Bench, *numbers: str, **options: Any) -> Any:
    place = address("CA", "Ann Sender")
    listed = ManifestRequest(shipment_identifiers=list(numbers), address=place, options=options)
    return bench.ask("manifest", listed)


def voided(bench: Bench) -> list[bool]:
    return [bool(one["voided_at"]) for one in bench.ledger.find("canadapost", LABEL)]


def body(bench: Bench, verb: str, request: Any, **config: Any) -> Any:
    """What the first call of a verb sends."""
    usual = bench.carrier()
    carrier = CanadaPost(usual.account, CanadaPost.read_config(config), usual.context)
    step = next(getattr(carrier, verb)(prepare(request, carrier)))
    return (step[0] if isinstance(step, list) else step).xml


# -- what is sent ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "told"),
    [({}, "desk@example.com"), ({"email_notification": False}, None), ({"email_notification": "false"}, None),
     ({"email_notification_to": "a@example.com"}, "a@example.com"),
     ({"email_notification": False, "email_notification_to": "a@example.com"}, None)],
)  # fmt: skip
def test_the_recipient_is_told_unless_that_is_unwanted(
    bench: Bench, options: dict[str, Any], told: str | None
) -> None:
    sent = body(bench, "ship", order(bench, options=options))
    assert sent.findtext(".//{*}notification/{*}email") == told


@pytest.mark.parametrize(("said_so", "group"), [(None, None), (False, "20250303-bench")])
def test_saying_no_to_transmission_beats_the_connection(bench: Bench, said_so: Any, group: Any) -> None:
    request = order(bench, options={"canadapost_submit_shipment": said_so})
    sent = body(bench, "ship", request, transmit_shipment_by_default=True)
    assert sent.findtext("{*}group-id") == group


@pytest.mark.parametrize(
    ("given", "written"), [("1.25", "1.3"), ("1.24", "1.2"), ("0.04", "0.04"), ("0.001", "0.01")]
)
def test_weights_are_tenths_of_a_kilogram_and_never_nothing(bench: Bench, given: str, written: str) -> None:
    asked = bench.shipment(parcel(given), options={"insurance": 0})
    sent = body(bench, "rate", RateRequest.model_validate(asked))
    assert sent.findtext(".//{*}weight") == written
    assert sent.find("{*}options") is None


def test_a_street_too_long_for_its_line_goes_on_in_the_second() -> None:
    street = "1200 Chemin de la Côte-Saint-Luc Ouest, Bâtiment Nord"
    lines = parts.write_address(address("CA", "Ann").changed(address_line1=street))
    assert lines["address-line-1"] == "1200 Chemin de la Côte-Saint-Luc Ouest,"
    assert lines["address-line-2"] == "Bâtiment Nord"


@pytest.mark.parametrize(
    ("given", "written"),
    [("+1 (514) 555-0134", "514-555-0134"), ("514 555 0134", "514-555-0134"), (None, "000-000-0000")],
)
def test_pickups_take_phone_numbers_of_one_form(given: str | None, written: str) -> None:
    assert pickups.write_phone(given) == written


@pytest.mark.parametrize("country", ["CA", "US", "GB"])
def test_what_is_sent_fits_the_schemas_of_the_carrier(bench: Bench, country: str) -> None:
    if not SCHEMAS.is_dir():
        pytest.skip(f"the carrier's schemas are not at {SCHEMAS}")
    bench.lane = ("CA", country)
    options = {"insurance": 70, "signature_confirmation": True, "canadapost_cost_center": "C" * 40}
    asked, place = {**bench.shipment(), "options": options, "reference": "R" * 40}, address("CA", "Ann")
    private = place.changed(company_name=None, phone_number=None)
    booking = PickupRequest.model_validate({**SLOT, "address": private})
    change = body(
        bench,
        "update_pickup",
        PickupUpdateRequest.model_validate({**booking.plain(), "confirmation_number": "1"}),
    )
    day = ManifestRequest(address=private, options={"group_ids": "g,h", "detailed_manifests": "false"})
    shipment = ShipmentRequest.model_validate({**asked, "shipper": private, "service": "canadapost_priority"})
    sent = [
        ("rating", body(bench, "rate", RateRequest.model_validate(asked))),
        ("shipment", body(bench, "ship", shipment)),
        ("manifest", body(bench, "manifest", day)),
        ("pickuprequest", pickups.write_pickup("1234567", booking)),
        ("pickuprequest", change),
    ]
    for name, document in sent:
        schema = etree.XMLSchema(etree.parse(SCHEMAS / f"{name}.xsd"))
        assert schema.validate(etree.fromstring(render(document))), f"{name}: {schema.error_log}"


def test_a_shipment_from_abroad_or_of_nobody_is_refused_before_anything_is_sent(bench: Bench) -> None:
    abroad = order(bench).changed(shipper=address("US", "Ann"))
    bench.traces.clear()
    assert "ORIGIN_NOT_SERVICED" in said(bench.ask("ship", abroad))
    bench.credentials = {"customer_number": None}
    assert "FIELD_ERROR" in said(bench.ask("ship", abroad.changed(shipper=address("CA", "Ann"))))
    assert bench.traces == []


# -- buying, finding again, taking back ------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, SENT])
def test_a_purchase_of_two_parcels_is_one_file_and_is_found_again_as_it_was(
    bench: Bench, options: dict[str, Any]
) -> None:
    from shipcli.drawing import pages

    label = bought(bench, parcel("1"), parcel("2"), **options)
    assert pages(decode_file(label.docs["label"]) or b"") == 2
    sold = bench.ledger.find("canadapost", LABEL)
    assert [one["key"] for one in sold] == label.meta["customer_request_ids"]
    assert [one["identifier"] for one in sold] == label.meta["shipment_identifiers"]
    bench.wait(days=2)
    assert bench.ask("recover", order(bench, parcel("1"), parcel("2")), key=KEY).result == label


@pytest.mark.parametrize("verb", ["recover", "void"])
def test_what_is_not_let_in_says_nothing_of_what_was_bought(bench: Bench, verb: str) -> None:
    label, request = bought(bench), order(bench)
    bench.credentials = {"password": "denied"}
    asked = request if verb == "recover" else CancelRequest(shipment_identifier=label.shipment_identifier)
    outcome = bench.ask(verb, asked, key=KEY)
    assert (outcome.failed, outcome.messages[0].code) == (True, "E002")
    assert not CanadaPost.says_done_before("void", outcome.messages)


def test_a_half_bought_shipment_that_can_not_be_taken_back_is_when_it_is_looked_for(bench: Bench) -> None:
    request = order(bench, parcel("1"), parcel("40"), options=SENT)
    silent = request.changed(shipper=request.shipper.changed(email=None))
    outcome = bench.ask("ship", silent, key=KEY)
    assert (outcome.result, outcome.unknown, voided(bench)) == (None, True, [False])
    found = bench.ask("recover", request, key=KEY)
    assert (found.result, found.failed, voided(bench)) == (None, False, [True])


def test_what_is_gone_already_does_not_hinder_the_void_of_the_rest(bench: Bench) -> None:
    label = bought(bench, parcel("1"), parcel("2"))
    void(bench, label.shipment_identifier)
    outcome = void(bench, label.shipment_identifier, shipment_identifiers=label.meta["shipment_identifiers"])
    assert outcome.result, said(outcome)
    assert voided(bench) == [True, True]


def test_a_transmitted_label_is_refunded_once_and_by_email_only(bench: Bench) -> None:
    number = bought(bench, **SENT).tracking_number
    assert "email" in str(void(bench, number).messages[0].details)
    assert void(bench, number, email="desk@example.com").result
    assert "9131" in said(
        void(bench, bench.ledger.find("canadapost", LABEL)[0]["identifier"], email="a@b.ca")
    )


def test_a_label_on_a_manifest_is_not_voided_and_waits_for_no_other(bench: Bench) -> None:
    label = bought(bench)
    kept = {"tracking_number": label.tracking_number, "meta": dict(label.meta)}
    bench.traces.clear()
    assert manifest(bench, label.tracking_number, shipments=[kept]).result
    assert not any("details" in trace.request["url"] for trace in bench.traces)
    assert "9132" in said(void(bench, label.shipment_identifier, email="desk@example.com"))
    assert "9140" in said(manifest(bench, label.shipment_identifier))


def test_a_transmitted_shipment_waits_for_no_manifest(bench: Bench) -> None:
    assert "no_group" in said(manifest(bench, bought(bench, **SENT).shipment_identifier))


# -- the simulator ---------------------------------------------------------------------------------


def test_what_the_simulator_answers_fits_the_schemas_of_the_carrier(bench: Bench) -> None:
    if not SCHEMAS.is_dir():
        pytest.skip(f"the carrier's schemas are not at {SCHEMAS}")
    names = ("rating", "shipment", "manifest", "track", "pickup", "pickuprequest", "messages")
    schemas = [etree.XMLSchema(etree.parse(SCHEMAS / f"{name}.xsd")) for name in names]
    answers: list[bytes] = []

    def keep(request: Request, reply: Reply) -> Reply:
        answers.append(reply.content)
        return reply

    Tap(bench, after=keep)
    label, place = bought(bench, parcel("1"), parcel("2")), address("CA", "Ann")
    bench.quote()
    bench.ask("recover", order(bench, parcel("1"), parcel("2")), key=KEY)
    manifest(bench, label.shipment_identifier)
    void(bench, bench.bought(options=SENT).shipment_identifier, email="a@b.ca")
    bench.ask(
        "recover_manifest", ManifestRequest(shipment_identifiers=[label.shipment_identifier], address=place)
    )
    bench.ask("track", TrackingRequest(tracking_numbers=["SC0300000004", "SC0000000004", "nobody's"]))
    booking = PickupRequest.model_validate({**SLOT, "address": place})
    number = bench.ask("schedule_pickup", booking).result.confirmation_number
    change = PickupUpdateRequest.model_validate({**booking.plain(), "confirmation_number": number})
    assert bench.ask("update_pickup", change).result
    documents = [etree.fromstring(one) for one in answers if one.startswith(b"<")]
    assert len(documents) > 20
    for document in documents:
        assert any(schema.validate(document) for schema in schemas), etree.tostring(document)


@pytest.mark.parametrize(("country", "services"), [("CA", 5), ("US", 8), ("GB", 9)])
def test_every_service_quoted_is_bought_for_the_price_quoted(
    bench: Bench, country: str, services: int
) -> None:
    bench.lane = ("CA", country)
    asked = bench.shipment(parcel("0.4"))
    quotes = bench.ask("rate", RateRequest.model_validate(asked)).result
    assert len(quotes) == services
    for quote in quotes:
        label = bench.bought(parcels=asked["parcels"], service=quote.service, options=asked["options"])
        paid = label.selected_rate
        assert (paid.service, paid.total_charge, paid.transit_days) == (
            quote.service, quote.total_charge, quote.transit_days,
        )  # fmt: skip


def test_a_label_has_the_carriers_own_face() -> None:
    place = Party(country="CA", city="Longueuil", state="QC", postal_code=papers.spaced("J3B8E5", "CA"))
    booking = Booking(shipper=place, recipient=place, weights=(Decimal(1),), service="DOM.XP")
    label = papers.design_label(booking, "7023210039414604")
    assert (label.carrier, label.mark, label.routing) == ("Canada Post Postes Canada", "XP", "J3B 8E5")
    assert label.caption == "7023 2100 3941 4604"
    assert "Longueuil QC J3B 8E5" in label.recipient.lines


def test_numbers_end_in_the_check_digit_of_a_real_parcel() -> None:
    assert papers.make_pin("7023210", 3941460) == "7023210039414604"


@pytest.mark.parametrize(
    ("method", "path", "content", "kind", "status"),
    [
        ("GET", "/vis/track/pin/SC0300000002/detail", b"", "*/*", 406),
        ("GET", "/vis/track/pin/SC0300000002/detail", b"", SHIPMENT, 200),
        ("GET", "/rs/1234567/7654321/shipment?requestId=1", b"", SHIPMENT, 403),
        ("POST", "/rs/ship/price", b"<mailing-scenario/>", RATE, 400),
        ("POST", "/rs/ship/price", b"<mailing-scenario><services/></mailing-scenario>", RATE, 400),
        ("POST", "/rs/ship/price", b"half <", RATE, 400),
        ("POST", "/rs/ship/price", b"<mailing-scenario/>", "text/xml", 415),
    ],
)
def test_the_simulator_is_as_strict_as_the_carrier(
    bench: Bench, method: str, path: str, content: bytes, kind: str, status: int
) -> None:
    login = basic_auth("sandbox", "sandbox-key")
    headers = {"accept": kind, "content-type": kind, "authorization": login}
    simulator = registry.simulator("canadapost")(bench.ledger, lambda: bench.now)
    asked = Request(method, f"https://sandbox.example{path}", headers, content)
    assert simulator.answer(asked).status == status
