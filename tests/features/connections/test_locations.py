"""Places of carriers near an address, and parcels that are held at one."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.features.connections.locations import find_locations
from shipcli.features.core.app import App
from shipcli.features.shipments.proxy import fetch_rates
from shipcli.models import Invalid, Location, LocationList, NoConnection, RateRequestData, Refused
from shipcli.models.location import LocationAddress, read_distance
from tests.features.shipments.purchases import bought

ASKED = ("ups", "fedex", "usps", "mydhl")
EVERYWHERE = (*ASKED, "dhl_universal")
BOX = {"weight": "1.5", "weight_unit": "KG", "length": 20, "width": 20, "height": 10, "dimension_unit": "CM"}
ANN = {"person_name": "Ann Lee", "address_line1": "1 Main St", "city": "New York", "state_code": "NY",
       "postal_code": "10001", "country_code": "US", "phone_number": "212 555 0100",
       "email": "ann@example.com"}  # fmt: skip


def near(app: App, **changes: Any) -> LocationList:
    return find_locations(app, **{"country_code": "US", "postal_code": "10001", **changes})


def find_one(app: App, carrier: str) -> Location:
    """The nearest place that holds parcels."""
    return near(app, carrier_name=carrier, purpose="pick_up").locations[0]


def test_places_of_all_carriers_come_nearest_first_and_of_the_postal_code(app: App) -> None:
    places = near(app, limit=50).locations
    assert {place.carrier_name for place in places} == {*EVERYWHERE}
    assert {place.address.postal_code for place in places} == {"10001"}
    distances = [place.distance_km for place in places]
    assert distances == sorted(distances, key=lambda km: km or Decimal(0))
    assert all(place.hours for place in places if place.kind != "Parcel locker")  # of which USPS tells none
    assert places == near(app, limit=50).locations
    assert near(app, postal_code="94103").locations[0].id != places[0].id


@pytest.mark.parametrize(("country", "code", "unit"), [("US", "10001", "MI"), ("DE", "10115", "KM")])
def test_distances_are_told_as_people_count_where_the_address_is(
    app: App, country: str, code: str, unit: str
) -> None:
    places = near(app, country_code=country, postal_code=code, limit=50).locations
    assert "fedex" in {place.carrier_name for place in places}
    assert {place.distance_unit for place in places} == {unit}


def test_a_distance_is_converted() -> None:
    place = Location(address=LocationAddress(), distance=Decimal(5), distance_unit="MI")
    assert place.measure_in("MI").distance == 5
    assert (place.measure_in("KM").distance, place.measure_in("KM").distance_unit) == (Decimal("8.05"), "KM")


def test_a_carrier_without_places_in_a_country_is_left_out_unless_it_is_named(app: App) -> None:
    places = near(app, country_code="Germany", postal_code="10115")
    assert "usps" not in {place.carrier_name for place in places.locations}
    assert places.messages == []
    both = near(app, country_code="DE", postal_code="10115", carrier_name="usps,ups")
    assert [message.carrier_name for message in both.messages] == ["usps"]
    with pytest.raises(Refused, match="has no places in DE"):
        near(app, country_code="DE", postal_code="10115", carrier_name="usps")
    with pytest.raises(Refused, match="can't be asked for its places"):
        near(app, carrier_name="purolator")
    with pytest.raises(NoConnection):
        near(app, carrier_name="nobody")


def test_what_is_to_be_done_and_how_far_away_narrow_the_places(app: App) -> None:
    assert all(place.pick_up for place in near(app, purpose="pick_up", limit=50).locations)
    assert any(not place.pick_up for place in near(app, purpose="drop_off", limit=50).locations)
    close = near(app, radius_km=read_distance("2mi"), limit=50).locations
    assert close
    assert all((place.distance_km or 0) <= Decimal("3.22") for place in close)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"country_code": "Nowhereland"}, "country_code"),
        ({"postal_code": None}, "postal_code"),
        ({"purpose": "sleep"}, "purpose"),
        ({"limit": 0}, "limit"),
        ({"limit": 51}, "limit"),
        ({"radius_km": Decimal(0)}, "radius_km"),
    ],
)
def test_a_wrong_question_names_its_field(app: App, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as caught:
        near(app, **changes)
    assert [problem.field for problem in caught.value.problems] == [field]


@pytest.mark.parametrize("text", ["far", "5 apples", "", "-3km"])
def test_a_text_that_is_no_distance_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        read_distance(text)


@pytest.mark.parametrize("carrier", ASKED)
def test_a_label_to_a_place_that_was_found_is_bought_at_its_price(app: App, carrier: str) -> None:
    place = find_one(app, carrier)
    options = {"hold_at_location": place.id}
    shipment = bought(app, carrier, shipper=ANN, recipient=ANN, parcels=[BOX], options=options)
    assert shipment.status == "purchased"
    assert shipment.selected_rate
    assert shipment.selected_rate.total_charge == shipment.rates[0].total_charge
    assert shipment.options["hold_at_location"] == place.id
    assert "option_not_sent" not in {message.code for message in shipment.messages}


def ask_price(app: App, place: str, **changes: Any) -> Any:
    body = {"shipper": ANN, "recipient": ANN, "parcels": [BOX], "options": {"hold_at_location": place}}
    return fetch_rates(app, RateRequestData.model_validate({**body, **changes}))


def test_the_id_of_a_place_is_priced_by_its_own_carrier_alone(app: App) -> None:
    place = find_one(app, "fedex")
    response = ask_price(app, str(place.id))
    assert {rate.carrier_name for rate in response.rates} == {"fedex"}
    assert response.messages == []


def test_a_place_that_is_not_known_is_refused_before_anything_is_bought(app: App) -> None:
    with pytest.raises(Refused, match="U99999999"):
        ask_price(app, "U99999999", carrier_ids=["ups"])
    with pytest.raises(Refused, match="UPS has no place YBZA"):
        ask_price(app, "YBZA", carrier_ids=["ups"])


def test_a_shipment_that_fedex_is_to_hold_nobody_knows_where_is_refused(app: App) -> None:
    with pytest.raises(Refused, match="needs the id of a place"):
        ask_price(app, "", options={"fedex_hold_at_location": True}, carrier_ids=["fedex"])


def test_a_packstation_that_was_found_is_where_dhl_parcel_de_sends_a_parcel(app: App) -> None:
    places = near(app, country_code="DE", postal_code="10115", carrier_name="dhl_universal", limit=10)
    place = next(one for one in places.locations if str(one.id).startswith("PACKSTATION-"))
    ann = {"person_name": "Ann Lee", "address_line1": "Hauptstr. 5", "city": place.address.city,
           "postal_code": place.address.postal_code, "country_code": "DE"}  # fmt: skip
    options = {"hold_at_location": place.id, "post_number": "12345678"}
    berlin = {**ANN, **ann, "state_code": None}
    shipment = bought(app, "dhl_parcel_de", shipper=berlin, recipient=ann, parcels=[BOX], options=options)
    assert shipment.status == "purchased"
