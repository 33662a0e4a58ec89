"""What cases of DHL Parcel DE can't say: its codes, and which key tracks."""

from __future__ import annotations

from typing import Any

import pytest
from shipcli.carriers.dhl_parcel_de import DhlParcelDe
from shipcli.carriers.dhl_parcel_de.sandbox.answers import route_code

from shipcli.carrier import has_check_digit
from shipcli.carrier.simulation.bookings import Booking, Party
from shipcli.models import Address, RateRequest, ShipmentRequest
from tests.carriers.bench import Bench, address, parcel, said
from tests.carriers.promises import DELIVERED, track
from tests.carriers.tap import Tap


@pytest.mark.parametrize(("key", "told"), [("track-1", "track-1"), (None, "sandbox-api-key")])
def test_tracking_has_a_key_of_its_own_or_that_of_the_application(key: str | None, told: str) -> None:
    bench = Bench(DhlParcelDe, ("DE", "DE"), credentials={"tracking_consumer_key": key})
    tap = Tap(bench)
    track(bench, DELIVERED)
    bench.close()
    assert [one.header("dhl-api-key") for one in tap.sent] == [told]


def test_an_amount_of_the_shipment_is_shared_by_its_parcels() -> None:
    bench = Bench(DhlParcelDe, ("DE", "DE"))
    tap = Tap(bench)
    assert bench.buy(parcel("1"), parcel("2"), options={"cash_on_delivery": 25.01}).result
    bench.close()
    [order] = tap.sent
    collected = [one["services"]["cashOnDelivery"]["amount"]["value"] for one in order.json["shipments"]]
    assert [str(amount) for amount in collected] == ["12.5", "12.51"]


def test_a_number_of_the_sandbox_is_a_licence_plate_with_its_check_digit() -> None:
    bench = Bench(DhlParcelDe, ("DE", "DE"))
    number = bench.bought().tracking_number
    bench.close()
    assert len(number) == 20
    assert has_check_digit(number)


def test_a_label_says_where_the_parcel_goes() -> None:
    def goes(country: str, postal_code: str) -> str:
        there = Party(country=country, postal_code=postal_code)
        return route_code(Booking(shipper=Party(country="DE"), recipient=there, weights=()))

    assert goes("DE", "80331") == "80331.000.000.10.6"
    assert goes("CH", "8001") == "CH 8001"


def test_a_sandbox_prices_a_level_up_to_its_heaviest_parcel_and_where_it_goes() -> None:
    levels = {level["service_code"]: level["zones"] for level in DhlParcelDe.sample_account["services"]}
    paket, euro = levels["dhl_parcel_de_paket"], levels["dhl_parcel_de_europaket"]
    assert [str(zone["max_weight"]) for zone in paket] == ["1", "2", "5", "10", "20", "31.5"]
    assert all("FR" in zone["country_codes"] and "US" not in zone["country_codes"] for zone in euro)
    assert not any("country_codes" in zone for zone in paket)


def test_terms_that_dhl_has_no_word_for_are_refused() -> None:
    """As any others the sender would pay the duties."""
    bench = Bench(DhlParcelDe, ("DE", "US"))
    declared = bench.request().customs
    outcome = bench.buy(customs=declared.model_copy(update={"incoterm": "EXW"}) if declared else None)
    bench.close()
    assert outcome.failed
    assert "customs.incoterm" in said(outcome)


def order(recipient: Address | None = None, lane: tuple[str, str] = ("DE", "DE"), **values: Any) -> Any:
    """The shipment that is ordered; the texts of the refusal when none is."""
    bench = Bench(DhlParcelDe, lane)
    tap = Tap(bench)
    boxes = values.pop("boxes", [])
    outcome = bench.buy(*boxes, **({"recipient": recipient} if recipient else {}), **values)
    bench.close()
    return tap.sent[-1].json["shipments"][0] if outcome.result else said(outcome)


def at_home(**values: Any) -> Address:
    return address("DE", "Paula Post").model_copy(update={"company_name": None, **values})


@pytest.mark.parametrize(
    "lines",
    [
        {"address_line1": "Packstation 118", "address_line2": "12345678"},
        {"address_line1": "12345678", "address_line2": "DHL Packstation Nr. 118"},
        {"address_line1": "Packstation", "street_number": "118", "address_line2": "Postnummer: 12345678"},
        {"address_line1": "Packstation 118, Postnr. 12345678", "address_line2": None},
        {"address_line1": "PACKSTATION 118", "address_line2": None, "company_name": "12345678"},
    ],
)
def test_an_address_may_be_a_packstation(lines: dict[str, str]) -> None:
    consignee = order(at_home(**lines))["consignee"]
    assert (consignee["lockerID"], consignee["postNumber"]) == (118, "12345678")
    assert consignee["name"] == "Paula Post"
    assert "addressStreet" not in consignee


def test_a_packstation_may_be_named_by_options() -> None:
    options = {"dhl_parcel_de_locker_id": "118", "dhl_parcel_de_post_number": "12345678"}
    consignee = order(at_home(), options=options)["consignee"]
    assert (consignee["lockerID"], consignee["postNumber"]) == (118, "12345678")


def test_a_packstation_needs_a_post_number() -> None:
    assert "post number" in order(at_home(address_line1="Packstation 118", address_line2=None))


def test_a_branch_is_addressed_by_post_number_or_email() -> None:
    lines = {"address_line1": "Postfiliale 518", "address_line2": None}
    consignee = order(at_home(**lines, email="paula@example.com"))["consignee"]
    assert (consignee["retailID"], consignee["email"]) == (518, "paula@example.com")
    assert "post number" in order(at_home(**lines, email=None))


@pytest.mark.parametrize("line", ["Packstation 118, 12345678", "Postfiliale 518", "Postfach 10 20 30"])
def test_a_drop_point_needs_a_postal_code(line: str) -> None:
    said_of_it = order(at_home(address_line1=line, address_line2=None, postal_code=None))
    assert "recipient.postal_code" in said_of_it


def test_a_po_box_has_a_number() -> None:
    consignee = order(at_home(address_line1="Postfach 10 20 30", address_line2=None))["consignee"]
    assert (consignee["poBoxID"], consignee["name1"]) == (102030, "Paula Post")


@pytest.mark.parametrize("line", ["An der Packstation 118", "Packstationsweg 12", "Postfachallee 7"])
def test_a_street_that_sounds_like_a_drop_point_is_a_street(line: str) -> None:
    assert order(at_home(address_line1=line, address_line2=None))["consignee"]["addressStreet"]


def test_a_drop_point_abroad_is_refused_by_name() -> None:
    refusal = order(lane=("DE", "US"), options={"dhl_parcel_de_locker_id": 118})
    assert "options.dhl_parcel_de_locker_id" in refusal


def test_sides_are_whole_centimetres_and_never_below_the_truth() -> None:
    box = parcel("1.2344", length="20.01", width=15, height="9.9")
    details = order(boxes=[box])["details"]
    assert details["dim"] == {"uom": "cm", "length": 21, "width": 15, "height": 10}
    assert str(details["weight"]["value"]) == "1.235"
    assert "dim" not in order(boxes=[parcel(height=None)])["details"]


@pytest.mark.parametrize("slug", ["dhl_parcel_de_kleinpaket", "dhl_parcel_de_warenpost"])
def test_kleinpaket_is_sold_in_place_of_warenpost_on_a_number_of_its_own(slug: str) -> None:
    """Warenpost ended with 2024; digits 11 and 12 of a billing number are those of the product."""
    shipment = order(service=slug, boxes=[parcel("0.5", height=8)])
    assert (shipment["product"], shipment["billingNumber"]) == ("V62KP", "33333333336202")


def test_a_declaration_stays_away_inside_the_customs_union() -> None:
    bench = Bench(DhlParcelDe, ("DE", "US"))
    declared = bench.request().customs
    bench.close()
    assert "customs" not in order(lane=("DE", "DE"), customs=declared)


@pytest.mark.parametrize(("terms", "paid"), [("DDP", True), ("DAP", None), (None, None)])
def test_terms_are_told_of_europaket_alone(terms: str | None, paid: bool | None) -> None:
    """The sender of an international parcel pays the duties by a service."""
    bench = Bench(DhlParcelDe, ("DE", "US"))
    declared = bench.request().customs
    bench.close()
    customs = declared.model_copy(update={"incoterm": terms, "duty": None}) if declared else None
    shipment = order(lane=("DE", "US"), customs=customs)
    assert "shippingConditions" not in shipment["customs"]
    assert shipment.get("services", {}).get("postalDeliveryDutyPaid") == paid


def test_postal_charges_are_none_unless_they_are_named() -> None:
    """They are added to the value that duties are paid of: the value of the goods is none of them."""
    bench = Bench(DhlParcelDe, ("DE", "US"))
    declared = bench.request().customs
    bench.close()
    assert declared
    named = declared.model_copy(update={"options": {"postal_charges": "6.5"}})
    charges = [order(lane=("DE", "US"), customs=one)["customs"]["postalCharges"] for one in (declared, named)]
    assert [(one["currency"], str(one["value"])) for one in charges] == [("USD", "0"), ("USD", "6.5")]


def test_a_return_label_is_ordered_with_the_parcel() -> None:
    options = {"dhl_parcel_de_retoure": True, "dhl_parcel_de_retoure_go_green_plus": True,
               "dhl_parcel_de_go_green_plus": True}  # fmt: skip
    services = order(options=options)["services"]
    assert services["goGreenPlus"] is True
    assert services["dhlRetoure"]["billingNumber"] == "33333333330702"
    assert services["dhlRetoure"]["goGreenPlus"] is True
    assert services["dhlRetoure"]["returnAddress"]["country"] == "DEU"


@pytest.mark.parametrize(("origin", "receiver"), [("AT", "aut"), ("FR", "fra"), ("DE", "deu")])
def test_a_return_goes_to_the_receiver_for_its_country(origin: str, receiver: str) -> None:
    bench = Bench(DhlParcelDe, (origin, "DE"))
    tap = Tap(bench)
    back = bench.shipment(options={"is_return": True})
    [quote] = bench.ask("rate", RateRequest.model_validate(back)).result
    order = ShipmentRequest.model_validate({**back, "service": quote.service, "label_type": "PDF"})
    outcome = bench.ask("ship", order)
    bench.close()
    assert outcome.result, said(outcome)
    assert tap.sent[-1].json["receiverId"] == receiver


@pytest.mark.parametrize(("lane", "reason"), [(("CH", "DE"), "customs union"), (("AT", "FR"), "to DE only")])
def test_returns_that_are_not_brought_are_refused(lane: tuple[str, str], reason: str) -> None:
    bench = Bench(DhlParcelDe, lane)
    back = bench.shipment(options={"is_return": True})
    outcomes = [bench.ask("rate", RateRequest.model_validate(back))]
    order = {**back, "service": "dhl_parcel_de_paket_international", "label_type": "PDF"}
    outcomes.append(bench.ask("ship", ShipmentRequest.model_validate(order)))
    bench.close()
    assert all(reason in said(outcome) for outcome in outcomes)


def test_what_belongs_to_a_service_goes_with_it_alone() -> None:
    age = {"dhl_parcel_de_ident_check_minimum_age": "A18"}
    assert "options.dhl_parcel_de_ident_check" in order(options=age)
    services = order(at_home(), options={**age, "dhl_parcel_de_ident_check": True})["services"]
    assert services["identCheck"] == {"firstName": "Paula", "lastName": "Post", "minimumAge": "A18"}


def test_an_identity_has_two_names_of_the_recipient_or_of_options() -> None:
    there, ident = at_home(person_name="Cher"), {"dhl_parcel_de_ident_check": True}
    assert "recipient.person_name" in order(there, options=ident)
    named = order(there, options={**ident, "dhl_parcel_de_ident_check_last_name": "Sarkisian"})
    assert named["services"]["identCheck"] == {"firstName": "Cher", "lastName": "Sarkisian"}


@pytest.mark.parametrize(("given", "missing"), [("iban", "account_holder"), ("account_holder", "iban")])
def test_a_bank_account_has_a_holder_and_a_number(given: str, missing: str) -> None:
    values = {"iban": "DE02100100100006820101", "account_holder": "Ann Sender"}
    cash: dict[str, Any] = {"cash_on_delivery": 25}
    half = order(options={**cash, f"dhl_parcel_de_cod_{given}": values[given]})
    assert f"options.dhl_parcel_de_cod_{missing}" in half
    whole = {f"dhl_parcel_de_cod_{name}": value for name, value in values.items()}
    account = order(options={**cash, **whole})["services"]["cashOnDelivery"]["bankAccount"]
    assert account == {"iban": values["iban"], "accountHolder": values["account_holder"]}
    assert "bankAccount" not in order(options=cash)["services"]["cashOnDelivery"]


@pytest.mark.parametrize(
    ("slug", "value"), [("visual_check_of_age", "18"), ("preferred_day", "tomorrow"), ("post_number", "123")]
)
def test_a_value_that_dhl_does_not_know_is_refused_by_name(slug: str, value: str) -> None:
    assert f"options.dhl_parcel_de_{slug}" in order(options={f"dhl_parcel_de_{slug}": value})


@pytest.mark.parametrize(
    ("reference", "told"), [("4711", "Reference 4711"), ("Order 4711", "Order 4711"), ("x" * 50, "x" * 35)]
)
def test_a_reference_has_8_to_35_characters(reference: str, told: str) -> None:
    assert order(reference=reference)["refNo"] == told
