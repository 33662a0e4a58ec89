"""The boxes of bpost by its own schemas, and the purchase that is looked up by its reference."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from shipcli.carriers.bpost import Bpost
from shipcli.carriers.bpost.parts import CATALOGUE

from shipcli.carrier import Reply
from shipcli.carrier.simulation.published_documents import list_documents, list_schema_errors
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.schemas import schemas_of
from tests.carriers.tap import Tap
from tests.shared import find_shared

SHOP = {"bpost_pugo_id": "163372", "bpost_pugo_name": "Kiosk"}
LOCKER = {"bpost_parcels_depot_id": "014472", "bpost_parcels_depot_name": "Station"}
PLACES = {"pugo": SHOP, "parcelsDepot": LOCKER, None: {}}
EXTRAS = {
    "bpost_info_distributed": "true", "bpost_info_next_day": "bo@example.com",
    "bpost_info_reminder": "+3227000000", "bpost_automatic_second_presentation": True, "bpost_fragile": True,
    "insurance": 400, "bpost_signed": True, "bpost_time_slot_delivery": True, "saturday_delivery": True,
    "bpost_sunday_delivery": True, "bpost_same_day_delivery": True, "bpost_preferred_delivery_window": "PM",
    "bpost_full_service": True, "bpost_door_step_plus_service": "yes",
    "bpost_ultra_late_in_evening_delivery": True,
}  # fmt: skip


@pytest.fixture
def home() -> Iterator[Bench]:
    bench = Bench(Bpost, ("BE", "BE"))
    yield bench
    bench.close()


@pytest.mark.parametrize("service", CATALOGUE.services.slugs())
def test_every_product_is_sold_and_its_order_is_valid_by_the_schemas(service: str) -> None:
    box = CATALOGUE.table("boxes")[CATALOGUE.services.wire_code(service)]
    bench = Bench(Bpost, ("BE", "FR" if box["abroad"] else "BE"))
    tap = Tap(bench)
    outcome = bench.buy(
        parcel("1.5"), parcel("2"), service=service, options={**EXTRAS, **PLACES[box.get("place")]}
    )
    bench.close()
    assert outcome.result, said(outcome)
    assert len(outcome.result.meta["tracking_numbers"]) == 2
    find_shared("carriers/bpost/wire")
    schemas = schemas_of("bpost")
    orders = [one for request in tap.sent for one in list_documents(request)]
    assert [list_schema_errors(schemas, one) for one in orders if one.tag in schemas] == [[]]


@pytest.mark.parametrize("name", ["hold_at_location_address", "bpost_pugo_address"])
def test_a_place_has_its_own_address(home: Bench, name: str) -> None:
    place = {"address_line1": "Stationsplein 1", "city": "Aalst", "postal_code": "9300", "country_code": "BE"}
    tap = Tap(home)
    outcome = home.buy(service="bpack_bpost", options={**SHOP, name: place})
    assert outcome.result, said(outcome)
    assert b"Stationsplein" in tap.sent[0].content
    wrong = home.buy(service="bpack_bpost", options={**SHOP, name: "Aalst"})
    assert said(wrong).startswith(f"validation: options.{name}: is not an ")
    unknown = home.buy(service="bpack_bpost", options={**SHOP, name: {"probe": "7"}})
    assert said(unknown).startswith(f"validation: options.{name}: is not an ")
    lacking = home.buy(service="bpack_bpost", options={**SHOP, name: {**place, "postal_code": ""}})
    assert said(lacking).startswith(f"validation: options.{name}.postal_code: is required")


def test_labels_that_are_refused_after_the_order_are_found_by_its_reference(home: Bench) -> None:
    """The numbers stand on the labels alone, so a purchase without them is of unknown outcome."""
    request, tap = home.request(), Tap(home)
    tap.instead = lambda request: Reply(406) if request.method == "GET" else None
    outcome = home.ask("ship", request, key="a" * 32)
    assert (outcome.result, outcome.unknown, outcome.bought) == (None, True, ())
    tap.instead = lambda request: None
    found = home.ask("recover", request, key="a" * 32)
    assert found.result, said(found)
    assert found.result.shipment_identifier == f"ref_{'a' * 32}"


@pytest.mark.parametrize("reply", [Reply(404, b"Not Found", {"content-type": "text/plain"}), Reply(404)])
def test_an_order_that_is_not_there_was_never_bought(home: Bench, reply: Reply) -> None:
    Tap(home).instead = lambda request: reply
    outcome = home.ask("recover", home.request())
    assert (outcome.result, outcome.failed) == (None, False)


def test_labels_that_nobody_tells_of_are_no_proof_of_anything(home: Bench) -> None:
    Tap(home).instead = lambda request: Reply(500, b"<html/>", {"content-type": "text/html"})
    outcome = home.ask("recover", home.request())
    assert (outcome.result, outcome.failed) == (None, True)


def test_a_reference_of_the_caller_is_no_proof_of_a_purchase(home: Bench) -> None:
    request = home.request(parcel("1.5", reference_number="BOX-1"))
    older = home.ask("ship", request)
    assert older.result, said(older)
    outcome = home.ask("recover", request)
    assert (outcome.result, outcome.failed) == (None, True)
    assert [one.code for one in outcome.messages] == ["reference_not_unique"]


@pytest.mark.parametrize(
    ("service", "options", "missing"),
    [
        ("bpack_bpost", {}, "options.bpost_pugo_id"),
        ("bpack_bpost", {"bpost_pugo_id": "163372"}, "options.bpost_pugo_name"),
        ("bpack_24h_pro", {"bpost_preferred_delivery_window": "noon"}, "bpost_preferred_delivery_window"),
    ],
)
def test_what_the_schema_demands_of_a_place_is_asked_for_before_the_purchase(
    home: Bench, service: str, options: dict[str, str], missing: str
) -> None:
    tap = Tap(home)
    assert missing in str(said(home.buy(service=service, options=options)))
    assert not tap.sent


@pytest.mark.parametrize("email", [None, "the.wholesale.department@north.example.com"])
def test_the_code_of_a_locker_is_sent_to_a_whole_address(home: Bench, email: str | None) -> None:
    request = home.request(service="bpack_24h_pro", options={})
    there = request.recipient.model_copy(update={"email": email})
    locker = request.model_copy(update={"recipient": there, "service": "bpack_24_7", "options": LOCKER})
    tap = Tap(home)
    assert "recipient.email" in str(said(home.ask("ship", locker)))
    assert not tap.sent
    assert home.ask("ship", request.model_copy(update={"recipient": there})).result


def test_a_recipient_has_the_name_of_a_person_or_a_company(home: Bench) -> None:
    """Either will do; without any nothing is sent."""
    request = home.request(service="bpack_24h_pro")
    nobody = request.recipient.model_copy(update={"person_name": None, "company_name": None})
    outcome = home.ask("ship", request.model_copy(update={"recipient": nobody}))
    assert "recipient.person_name" in str(said(outcome))
    company = nobody.model_copy(update={"company_name": "Wholesale"})
    assert home.ask("ship", request.model_copy(update={"recipient": company})).result
