"""Pickups and forms: what every carrier refuses, and what a lenient sandbox answers all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.features.connections import accounts
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.core.app import App
from shipcli.features.pickups import proxy as pickups
from shipcli.features.sandbox.lenience import echo_empty_texts, set_lenient
from shipcli.features.shipments import proxy
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    Invalid,
    ManifestRequestData,
    PickupDetails,
    PickupRequest,
    Refused,
    ShipmentCancelData,
    TrackingData,
)
from shipcli.models.pickup import PickupCancelRequestData
from tests.carriers.bench import Bench, address, lane
from tests.carriers.errands import collection
from tests.features.sandbox.stage import body, buy, list_cells, open_stage

FRIDAY, SUNDAY, PAST = "2031-05-09", "2031-05-11", "2020-01-06"
DAYS = {"sunday": {"pickup_date": SUNDAY}, "past": {"pickup_date": PAST},
        "closing": {"ready_time": "17:00", "closing_time": "09:00"}}  # fmt: skip
TRACKED = [slug for _, slug in list_cells("pending") if registry.get_facts(slug).trackable]
COLLECTING = [slug for _, slug in list_cells("past")]
VOIDING = [slug for _, slug in list_cells("void_late")]
CLOSING = [slug for _, slug in list_cells("manifest_twice")]
REPRINTING = {"fedex"}  # who closes again gets the form of the earlier close


@pytest.fixture(scope="module")
def stage() -> Iterator[App]:
    app = open_stage()
    yield app
    app.close()


@pytest.fixture(scope="module")
def lenient() -> Iterator[App]:
    app = open_stage()
    set_lenient(app, lenient=True)
    yield app
    app.close()


def schedule(app: App, slug: str, **changes: Any) -> PickupDetails:
    """A collection, of a shipment that its carrier has sold where it can sell any."""
    kind = registry.get(slug)
    bench = Bench(kind, lane(kind))
    try:
        plain = collection(bench, **{"pickup_date": FRIDAY, **changes})
    finally:
        bench.close()
    if kind.can("ship") and kind.can("rate"):
        sold = buy(app, shipments.create_shipment(app, body(slug)))
        plain["shipment_identifiers"] = [sold.shipment_identifier]
    account = accounts.choose(app, "pickup", carrier_name=slug)[0]
    details, _ = ask_carrier(app, account, "schedule_pickup", PickupRequest.model_validate(plain))
    return PickupDetails.model_validate(details.model_dump())


@pytest.mark.parametrize(("name", "slug"), list_cells("sunday", "past", "closing"))
def test_every_carrier_refuses_a_wrong_time(stage: App, name: str, slug: str) -> None:
    assert schedule(stage, slug).confirmation_number
    with pytest.raises((Refused, Invalid)):
        schedule(stage, slug, **DAYS[name])


@pytest.mark.parametrize("slug", CLOSING)
def test_every_carrier_says_which_label_its_form_cannot_have(stage: App, slug: str) -> None:
    sold = buy(stage, shipments.create_shipment(stage, body(slug)))
    data = ManifestRequestData.model_validate({
        "carrier_name": slug, "shipment_identifiers": [sold.shipment_identifier],
        "address": address(lane(registry.get(slug))[0], "Ann Sender").model_dump(),
    })  # fmt: skip
    assert pickups.generate_manifest(stage, data).manifest
    label = stage.simulator(slug).find_sold(sold.shipment_identifier)
    with nullcontext() if slug in REPRINTING else pytest.raises(Refused):
        pickups.generate_manifest(stage, data)
    assert stage.simulator(slug).find_sold(sold.shipment_identifier) == label, "it is on its first form still"


# -- lenient -----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", TRACKED)
def test_a_number_of_nobody_makes_the_happy_journey(stage: App, lenient: App, slug: str) -> None:
    data = TrackingData(tracking_number="7700000000042", carrier_name=slug)
    with pytest.raises(Refused):
        proxy.get_tracking(stage, data)
    answer = proxy.get_tracking(lenient, data).tracking
    assert answer
    assert answer.status == "pending"


@pytest.mark.parametrize("slug", VOIDING)
def test_a_foreign_label_is_voided(lenient: App, slug: str) -> None:
    data = ShipmentCancelData(shipment_identifier="794947717776")
    answer = proxy.void_label(lenient, slug, data).confirmation
    assert answer
    assert answer.success


@pytest.mark.parametrize("slug", COLLECTING)
def test_past_collections_are_booked_and_foreign_ones_cancelled(lenient: App, slug: str) -> None:
    assert schedule(lenient, slug, pickup_date=PAST).confirmation_number
    cancel = {"confirmation_number": "0074698052", "pickup_date": PAST}
    data = PickupCancelRequestData.model_validate(cancel)
    done = pickups.cancel_pickup(lenient, slug, data).confirmation
    assert done
    assert done.success


@pytest.mark.parametrize("slug", CLOSING)
def test_foreign_labels_are_put_on_a_form(lenient: App, slug: str) -> None:
    data = ManifestRequestData.model_validate({
        "carrier_name": slug, "shipment_identifiers": ["794947717776"],
        "address": address(lane(registry.get(slug))[0], "Ann Sender").model_dump(),
    })  # fmt: skip
    answer = pickups.generate_manifest(lenient, data).manifest
    assert answer
    assert answer.doc


def test_texts_sent_empty_come_back_empty() -> None:
    sent = {"a": "", "b": {"c": ""}, "d": [{"e": ""}], "f": "", "g": None}
    answer = {"a": None, "b": {"c": None, "x": 1}, "d": [{"e": None}, {"e": None}], "f": "full", "g": None}
    assert echo_empty_texts(sent, answer) == {
        "a": "", "b": {"c": "", "x": 1}, "d": [{"e": ""}, {"e": None}], "f": "full", "g": None,
    }  # fmt: skip
