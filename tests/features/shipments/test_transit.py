"""Days of delivery that a carrier does not give with its prices, but in a call of its own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from shipcli.carrier.wire.calls import Request
from shipcli.features.core.app import App
from shipcli.features.shipments import service, transit
from shipcli.features.shipments.proxy import fetch_rates
from shipcli.features.shipments.rate_selection import find_arrival
from shipcli.models import RateRequestData, RateResponse, ShipmentPurchaseData
from tests.factories import ABROAD, ITEM, PARCEL, body, draft
from tests.features.losing import losing

LIGHT = {"weight": 1, "items": [{**ITEM, "weight": "0.2", "value_amount": 9, "value_currency": "USD"}]}
OPTIONS = "/shipments/v3/options/search"


def rate(app: App, *carriers: str, **changes: Any) -> RateResponse:
    request = {name: value for name, value in body(**changes).items() if name != "reference"}
    return fetch_rates(app, RateRequestData.model_validate({**request, "carrier_ids": list(carriers)}))


def asks_for_days(request: Request) -> bool:
    return request.path == OPTIONS


def asks_for_days_or_their_token(request: Request) -> bool:
    return asks_for_days(request) or b"scope=shipments" in request.content


def count_calls(app: App) -> Counter[str]:
    """What carriers were asked, log-ins apart."""
    return Counter(row["verb"] for row in app.store.select("traces") if row["verb"] != "login")


def test_days_come_by_one_call_for_all_services_and_parcels_of_a_carrier(app: App) -> None:
    answer = rate(app, "usps", parcels=[PARCEL, PARCEL])
    assert answer.messages == []
    assert len(answer.rates) > 1
    assert all(one.transit_days and one.estimated_delivery for one in answer.rates)
    assert count_calls(app) == {"rate": 2, "estimate_transit": 1}


def test_a_carrier_that_gives_days_with_prices_or_has_no_such_call_is_asked_for_prices_alone(
    app: App,
) -> None:
    rate(app, "ups")
    rate(app, "usps_international", recipient=ABROAD, parcels=[{**PARCEL, **LIGHT}])
    assert count_calls(app) == {"rate": 2}


@pytest.mark.parametrize("choice", [asks_for_days, asks_for_days_or_their_token])
@pytest.mark.parametrize("instead", ["closed", "unavailable", "garbled"])
def test_prices_come_without_days_where_their_call_fails(app: App, choice: Any, instead: str) -> None:
    with losing(app, "usps", before=choice, instead=instead):
        answer = rate(app, "usps", "ups")
    priced = {one.carrier_name: one for one in answer.rates}
    assert (priced["usps"].transit_days, priced["usps"].estimated_delivery) == (None, None)
    assert priced["ups"].transit_days
    assert [(one.code, one.carrier_id) for one in answer.messages] == [(transit.NO_DAYS, "usps")]


def test_prices_do_not_wait_for_days_that_take_long(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    rate(app, "usps")  # so that its token is known
    monkeypatch.setattr(transit, "LIMIT_S", 0.5)
    with losing(app, "usps", before=asks_for_days, instead="slow"):
        answer = rate(app, "usps")
    assert answer.rates
    (message,) = answer.messages
    assert "did not answer within 0.5 seconds" in str(message.message)
    assert count_calls(app)["estimate_transit"] == 2


def test_a_rate_keeps_its_days_when_it_is_bought(app: App) -> None:
    made = service.create_shipment(app, draft(carrier_ids=["usps"]))
    fastest = min(made.rates, key=lambda one: one.transit_days or 99)
    assert str(find_arrival(made, fastest)) == fastest.estimated_delivery
    paid = ShipmentPurchaseData(selected_rate_id=fastest.id)
    bought = service.purchase_shipment(app, made.id, paid).selected_rate
    assert bought is not None
    assert bought.transit_days == fastest.transit_days
    assert bought.estimated_delivery == fastest.estimated_delivery
