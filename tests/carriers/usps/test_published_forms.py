"""What USPS publishes of its forms: products, declarations, collections, labels printed again."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from shipcli.carriers.usps import Usps
from shipcli.carriers.usps_international import UspsInternational

from shipcli.models import Address, Parcel, PickupRequest, RateRequest
from tests.carriers.bench import Bench, address, parcel, said
from tests.carriers.errands import collection, void_of

PRIORITY, ABROAD = "usps_priority_mail", "usps_priority_mail_international"
BIG = {"length": 60, "width": 50, "height": 40}


@pytest.fixture
def home() -> Iterator[Bench]:
    made = Bench(Usps)
    yield made
    made.close()


@pytest.fixture
def abroad() -> Iterator[Bench]:
    made = Bench(UspsInternational, ("US", "GB"))
    yield made
    made.close()


def last_body(bench: Bench) -> Any:
    return bench.calls[-1].json


def at_the_forces() -> Address:
    place = {"city": "FPO", "state_code": "AP", "postal_code": "96349"}
    return address("US", "Bob Receiver").model_copy(update=place)


# -- the product that was quoted -------------------------------------------------------------------


@pytest.mark.parametrize("parcels", [[parcel()], [parcel(**BIG)], [parcel(), parcel(**BIG)]])
def test_the_product_that_was_quoted_is_ordered(home: Bench, parcels: list[Parcel]) -> None:
    quotes = home.quote(*parcels).result or []
    for quote in quotes:
        before = len(home.ledger.find("usps", "label"))
        request = home.request(*parcels).model_copy(
            update={"service": quote.service, "rate_meta": quote.meta}
        )
        outcome = home.ask("ship", request, key=f"{before + 1:032x}")
        assert outcome.result, said(outcome)
        sold = home.ledger.find("usps", "label")[before:]
        assert sum(one["total"] for one in sold) == quote.total_charge


def test_each_parcel_has_the_indicator_and_category_of_its_price(home: Bench) -> None:
    parcels = [parcel(), parcel(**BIG)]
    quote = next(one for one in home.quote(*parcels).result or [] if one.service == PRIORITY)
    home.ask(
        "ship",
        home.request(*parcels).model_copy(update={"service": PRIORITY, "rate_meta": quote.meta}),
        key="1" * 32,
    )
    packages = [one.json["packageDescription"] for one in home.calls[-2:]]
    ordered = [(one["rateIndicator"], one["processingCategory"]) for one in packages]
    assert ordered == [("SP", "MACHINABLE"), ("DR", "NONSTANDARD")]


@pytest.mark.parametrize(("service", "indicator"), [(PRIORITY, "SP"), ("usps_priority_mail_express", "PA")])
def test_without_a_rate_a_single_piece_is_ordered(home: Bench, service: str, indicator: str) -> None:
    home.bought(service=service)
    package = last_body(home)["packageDescription"]
    assert (package["rateIndicator"], package["processingCategory"]) == (indicator, "MACHINABLE")


def test_what_no_machine_takes_is_priced_and_ordered_so(home: Bench) -> None:
    options = {"usps_machinable": False}
    request = RateRequest.model_validate(home.shipment(options=options))
    prices = {one.service: one.total_charge for one in home.ask("rate", request).result}
    paid = home.bought(service=PRIORITY, options=options).selected_rate
    assert paid
    assert paid.total_charge == prices[PRIORITY]
    assert last_body(home)["packageDescription"]["processingCategory"] == "NONSTANDARD"


@pytest.mark.parametrize(("kind", "width"), [("ZPL", 812), ("ZPL203DPI", 812), ("ZPL300DPI", 1200)])
def test_labels_are_drawn_at_the_resolution_that_is_asked_for(
    home: Bench, abroad: Bench, kind: str, width: int
) -> None:
    for bench in (home, abroad):
        label = bench.bought(label_type=kind)
        assert f"^PW{width}".encode() in base64.b64decode(label.docs["label"])
        assert label.label_type == "ZPL"


@pytest.mark.parametrize(("options", "field"), [
    ({"insurance": 5000.01}, "insures at most 5000 USD"),
    ({"usps_insurance_above_500": 9000}, "insures at most 5000 USD"),
    ({"usps_processing_category": "NON_MACHINABLE"}, "usps_processing_category"),
])  # fmt: skip
def test_what_usps_does_not_take_is_refused_before_a_price_is(
    home: Bench, options: dict[str, Any], field: str
) -> None:
    asked = home.ask("rate", RateRequest.model_validate(home.shipment(options=options)))
    assert field in said(asked)
    assert field in said(home.buy(service=PRIORITY, options=options))
    assert home.bought(service=PRIORITY, options={"insurance": 5000}).tracking_number


@pytest.mark.parametrize("service", ["usps_first_class_package_service", "usps_retail_ground", "usps_all"])
def test_what_is_sold_no_more_is_refused_by_name(home: Bench, service: str) -> None:
    assert "service" in said(home.buy(service=service))
    assert home.ledger.find("usps", "label") == []


def test_global_express_is_suspended(abroad: Bench) -> None:
    service = "usps_global_express_guaranteed"
    question = RateRequest.model_validate(abroad.shipment(services=[service]))
    assert "suspended" in said(abroad.ask("rate", question))
    assert "suspended" in said(abroad.buy(service=service))
    both = RateRequest.model_validate(abroad.shipment(services=[service, ABROAD]))
    assert [one.service for one in abroad.ask("rate", both).result] == [ABROAD]


@pytest.mark.parametrize("indicator", ["5D", "NP"])
def test_a_packaging_without_return_labels_is_refused(home: Bench, indicator: str) -> None:
    options = {"is_return": True, "usps_rate_indicator": indicator}
    assert "no return labels" in said(home.buy(service="usps_ground_advantage", options=options))
    assert home.ledger.find("usps", "label") == []
    assert home.bought(service="usps_ground_advantage", options={"is_return": True}).tracking_number


def test_addresses_are_checked_unless_an_option_says_otherwise(home: Bench) -> None:
    home.bought(service=PRIORITY)
    assert "ignoreBadAddress" not in last_body(home)["toAddress"]
    home.bought(service=PRIORITY, options={"usps_ignore_bad_address": True})
    assert last_body(home)["toAddress"]["ignoreBadAddress"] is True


# -- declarations ----------------------------------------------------------------------------------


def test_what_goes_to_the_forces_is_declared(home: Bench) -> None:
    home.bought(service=PRIORITY, recipient=at_the_forces(), label_type="PNG")
    body = last_body(home)
    assert body["imageInfo"]["imageType"] == "PDF"
    assert [line["itemTotalValue"] for line in body["customsForm"]["contents"]] == [20]
    home.bought(service=PRIORITY)
    assert "customsForm" not in last_body(home)


def test_goods_that_nobody_named_do_not_go_to_the_forces(home: Bench) -> None:
    outcome = home.buy(parcel(items=[]), service=PRIORITY, recipient=at_the_forces())
    assert "customs.commodities" in said(outcome)
    letters = parcel(items=[], is_document=True)
    assert home.buy(letters, service=PRIORITY, recipient=at_the_forces()).result


def test_a_declaration_abroad_says_why_nothing_was_filed(abroad: Bench) -> None:
    abroad.bought(service=ABROAD)
    assert last_body(abroad)["customsForm"]["AESITN"] == "NO EEI 30.37(a)"
    own = {"options": {"aes": "X20251234567890"}}
    abroad.bought(service=ABROAD, customs={**abroad.shipment()["customs"], **own})
    assert last_body(abroad)["customsForm"]["AESITN"] == "X20251234567890"


def test_a_licence_is_never_cut(abroad: Bench) -> None:
    own = {"options": {"license_number": "L" * 17}}
    outcome = abroad.buy(service=ABROAD, customs={**abroad.shipment()["customs"], **own})
    assert "customs.options.license_number" in said(outcome)


# -- collections -----------------------------------------------------------------------------------


def book(bench: Bench, **values: Any) -> Any:
    return bench.ask("schedule_pickup", PickupRequest.model_validate(collection(bench, **values)))


def test_a_collection_names_who_is_asked_for_and_how_to_reach_them(home: Bench) -> None:
    place = address("US", "Ann Sender")
    assert book(home, address=place).result
    who = last_body(home)["pickupAddress"]
    assert (who["firstName"], who["lastName"], who["contact"]) == ("Ann", "Sender", [{"email": place.email}])
    assert book(home, address=place.model_copy(update={"email": None, "person_name": "Cher"})).result
    who = last_body(home)["pickupAddress"]
    assert (who["firstName"], who["lastName"]) == ("Cher", "Cher")
    assert who["contact"] == [{"cellNumber": "2127363100"}]


def test_a_collection_without_a_name_or_a_way_to_reach_anybody_is_refused(home: Bench) -> None:
    place = address("US", "Ann Sender")
    assert "address.email" in said(
        book(home, address=place.model_copy(update={"email": None, "phone_number": None}))
    )
    assert "person_name" in said(
        book(home, address=place.model_copy(update={"person_name": None, "company_name": None}))
    )


@pytest.mark.parametrize(("place", "instruction", "told"), [
    ("Front door", "Ring twice", {"packageLocation": "FRONT_DOOR", "specialInstructions": "Ring twice"}),
    ("By the shed", "By the shed", {"packageLocation": "OTHER", "specialInstructions": "By the shed"}),
    ("By the shed", "Ring", {"packageLocation": "OTHER", "specialInstructions": "By the shed, Ring"}),
    (None, "Ring", {"packageLocation": "OTHER", "specialInstructions": "Ring"}),
    (None, None, {"packageLocation": "FRONT_DOOR"}),
    ("porch", None, {"packageLocation": "PORCH"}),
])  # fmt: skip
def test_where_the_parcels_are_is_said_once(
    home: Bench, place: str | None, instruction: str | None, told: dict[str, str]
) -> None:
    assert book(home, package_location=place, instruction=instruction).result
    assert last_body(home)["pickupLocation"] == told


# -- labels whose answer was lost ------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2])
def test_a_label_whose_answer_was_lost_is_printed_again(home: Bench, abroad: Bench, count: int) -> None:
    for bench in (home, abroad):
        request = bench.request(*[parcel()] * count)
        bought = bench.ask("ship", request, key="7" * 32).result
        again = bench.ask("recover", request, key="7" * 32).result
        assert again.tracking_number == bought.tracking_number
        assert again.selected_rate.total_charge == bought.selected_rate.total_charge
        assert again.docs["label"]
        assert len(bench.ledger.find(bench.carrier_class.slug, "label")) == count


def test_what_was_never_bought_or_is_void_is_not_found_again(home: Bench) -> None:
    request = home.request()
    bought = home.ask("ship", request, key="7" * 32).result
    home.ask("void", void_of(home, bought))
    for key in ("7" * 32, "8" * 32):
        outcome = home.ask("recover", request, key=key)
        assert (outcome.result, outcome.failed) == (None, False)


def test_a_purchase_made_in_part_is_taken_back(home: Bench) -> None:
    home.ask("ship", home.request(parcel()), key="7" * 32)
    outcome = home.ask("recover", home.request(parcel(), parcel()), key="7" * 32)
    assert (outcome.result, outcome.failed) == (None, False)
    assert [bool(one["voided_at"]) for one in home.ledger.find("usps", "label")] == [True]
