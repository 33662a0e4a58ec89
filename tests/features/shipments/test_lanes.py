"""A quote of all carriers speaks of what is wrong with the shipment, not of who does not drive there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.shipments.rating import quote
from shipcli.features.shipments.service import create_shipment
from shipcli.models import Invalid, RateRequest, Refused, ShipmentData

PLACES = {
    "US": {"address_line1": "1 Main St", "city": "Boston", "state_code": "MA", "postal_code": "02134"},
    "CA": {"address_line1": "100 Queen St W", "city": "Toronto", "state_code": "ON", "postal_code": "M5H2N2"},
    "GB": {"address_line1": "10 High St", "city": "London", "postal_code": "SW1A 1AA"},
    "AU": {"address_line1": "1 George St", "city": "Sydney", "state_code": "NSW", "postal_code": "2000"},
    "BR": {
        "address_line1": "Av Paulista 1",
        "city": "Sao Paulo",
        "state_code": "SP",
        "postal_code": "01310-100",
    },
    "AT": {"address_line1": "Stephansplatz 1", "city": "Wien", "postal_code": "1010"},
    "DE": {"address_line1": "Hauptstr. 1", "city": "Berlin", "postal_code": "10115"},
}
LOCAL = "zoom2u,tge,allied_express,allied_express_local"
ITEM = {"title": "Cup", "quantity": 1, "weight": 1, "weight_unit": "KG", "value_amount": 9,
        "value_currency": "USD", "hs_code": "691110", "origin_country": "PT"}  # fmt: skip


def make_body(lane: str, **more: object) -> dict[str, object]:
    ends = zip(("shipper", "recipient"), lane.split("-"), strict=True)
    people = {"person_name": "Ann Lee", "phone_number": "+1 617-555-0100", "email": "ann@example.com"}
    parcel = {"weight": 1.2, "weight_unit": "KG", "length": 30, "width": 20, "height": 10,
              "dimension_unit": "CM", "items": [ITEM]}  # fmt: skip
    addresses = {end: {**people, **PLACES[country], "country_code": country} for end, country in ends}
    customs = {"content_type": "merchandise", "commodities": [ITEM]}
    return {**addresses, "parcels": [parcel], "customs": customs, **more}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder = tmp_path_factory.mktemp("lanes")
    names = f"generic,seko,easypost,ups,dhl_parcel_de,{LOCAL}"
    opened = open_app(folder, sandbox=True, environ={}, carriers=names)
    yield opened
    opened.close()


@pytest.mark.parametrize("lane", ["CA-US", "GB-US", "AU-US", "BR-US", "US-US", "US-CA"])
def test_every_price_of_a_carrier_whose_question_names_no_origin_can_be_paid(app: App, lane: str) -> None:
    rates, _ = quote(app, RateRequest.model_validate(make_body(lane)), carrier_ids=["seko"])
    assert any("domestic" in rate.service for rate in rates) == (lane == "US-US")
    for rate in rates:
        data = make_body(lane, service=rate.service, carrier_ids=["seko"])
        assert create_shipment(app, ShipmentData.model_validate(data)).tracking_number


@pytest.mark.parametrize("lane", ["DE-DE", "GB-GB", "AU-US", "AU-DE", "US-US", "AU-AU"])
def test_carriers_that_do_not_serve_a_lane_say_nothing_to_a_quote_of_all(app: App, lane: str) -> None:
    rates, messages = quote(app, RateRequest.model_validate(make_body(lane)))
    assert rates
    assert messages == []


@pytest.mark.parametrize("carrier", LOCAL.split(","))
def test_a_carrier_that_stays_at_home_says_so_when_it_is_named(app: App, carrier: str) -> None:
    with pytest.raises(Refused, match="delivers in AU only, not in US"):
        quote(app, RateRequest.model_validate(make_body("AU-US")), carrier_ids=[carrier])


@pytest.mark.parametrize(("service", "offered"), [("ups_standard", "ups_"), ("standard_service", "express")])
def test_a_service_that_is_not_sold_on_a_lane_is_told_with_those_that_are(
    app: App, service: str, offered: str
) -> None:
    carrier = "ups" if service.startswith("ups") else "generic"
    data = make_body("US-US", service=service, services=[service], carrier_ids=[carrier])
    if carrier == "generic":
        data |= {"service": "no_such_service", "services": []}
    with pytest.raises(Invalid) as refused:
        create_shipment(app, ShipmentData.model_validate(data))
    assert (offered in str(refused.value.problems), "nothing" in str(refused.value.problems)) == (True, False)


def test_returns_come_back_from_abroad_to_carriers_that_fetch_them_there(app: App) -> None:
    body = make_body("AT-DE", carrier_ids=["dhl_parcel_de"])
    with pytest.raises(Refused, match="ships from DE, not from AT"):
        create_shipment(app, ShipmentData.model_validate(body))
    back = create_shipment(app, ShipmentData.model_validate({**body, "options": {"is_return": True}}))
    assert [rate.service for rate in back.rates] == ["dhl_parcel_de_paket_international"]
