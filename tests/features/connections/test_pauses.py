"""Actions whose carriers do not answer: asked for with growing pauses, and left to a person after hours."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.features.admin.settlement import settle_all
from shipcli.features.connections.intent_states import ATTENTION, OPEN
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.pickups import bookings
from shipcli.features.pickups import service as pickups
from shipcli.features.shipments import proxy
from shipcli.models import OutcomeUnknown, PickupResolveData, RateRequestData, ShippingRequestData
from tests.factories import CANADIAN, PARCEL
from tests.features.conftest import Clock, live_labels, perform_keyed
from tests.features.losing import always, buying, looking, losing
from tests.features.pickups.bookings import collections, interrupted, sold

PAUSES = [1, 2, 4, 8, 16, 32, 64, 128, 256]  # minutes after the first attempt
TIMES = (0, *(pause + step for pause in PAUSES for step in (-0.5, 0)), 500, 700)


def ask_for_hours(app: App, clock: Clock) -> list[float]:
    """When the worker asked a carrier that does not answer, in minutes after the first time."""
    asked_at, minute = [], 0.0
    with losing(app, before=always) as line:
        for at in TIMES:
            clock.advance(minutes=at - minute)
            minute, before = at, len(line.asked)
            settle_all(app)
            if len(line.asked) > before:
                asked_at.append(at)
    return asked_at


def state(app: App) -> list[str]:
    return [row["state"] for row in app.store.select("intents", {"test_mode": app.test_mode})]


def test_a_pickup_that_nobody_can_look_up_is_left_to_a_person(timed: App, clock: Clock) -> None:
    pickup_id = interrupted(timed, sold(timed, "canadapost"), "canadapost", reached=True)
    assert ask_for_hours(timed, clock) == [0, *PAUSES]
    assert state(timed).count(ATTENTION) == 1
    number = collections(timed)[0]["number"]
    bookings.resolve_pickup(timed, pickup_id, PickupResolveData(booked=True, confirmation_number=number))
    assert pickups.get_pickup(timed, pickup_id).confirmation_number == number


def test_a_pickup_is_found_when_its_carrier_answers_again(timed: App, clock: Clock) -> None:
    pickup_id = interrupted(timed, sold(timed, "canadapost"), "canadapost", reached=True)
    with losing(timed, before=always):
        settle_all(timed)
    assert state(timed).count(OPEN) == 1
    clock.advance(minutes=1)
    settle_all(timed)
    assert pickups.get_pickup(timed, pickup_id).confirmation_number == collections(timed)[0]["number"]


def buy_label(app: App) -> dict[str, Any]:
    """Buy a label without a stored shipment, under a key."""
    there = {**CANADIAN, "address_line1": "1 Main St"}
    question = {"shipper": CANADIAN, "recipient": there, "parcels": [PARCEL]}
    rates = proxy.fetch_rates(
        app, RateRequestData.model_validate({**question, "carrier_ids": ["canadapost"]})
    ).rates
    body = {
        **question,
        "reference": "SO-1",
        "rates": [rates[0].model_dump()],
        "selected_rate_id": rates[0].id,
    }
    once = idempotency.make_idempotency_key(app, "buy_label", "k1", {"reference": "SO-1"})
    return perform_keyed(app, once, proxy.buy_label, ShippingRequestData.model_validate(body))


def test_a_sale_that_nobody_can_look_up_ends_unknown(timed: App, clock: Clock) -> None:
    with losing(timed, before=looking, after=buying), pytest.raises(OutcomeUnknown):
        buy_label(timed)
    asked_at = ask_for_hours(timed, clock)
    assert asked_at == [0, *PAUSES]
    assert OPEN not in state(timed)
    with pytest.raises(OutcomeUnknown, match="look it up with the carrier"):
        buy_label(timed)
    assert len(live_labels(timed)["SO-1"]) == 1
