"""Steps that flows share: what labels cost, and pickups that are changed by cancelling and booking anew."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import Call, DoneBefore, Flow, Reply, read_cost
from shipcli.carrier.flow_steps import rebook_pickup
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import Confirmation, PickupDetails, Quote
from tests.carrier.stub import Stub, Wire, driving, in_turn, make_stub, ok

GONE = Reply(409, b'{"error": "gone"}')
NO = Reply(409, b'{"error": "no"}')


def read_price(price: Json) -> Quote:
    return Quote(
        carrier_name="acme", service="acme_ground", total_charge=Decimal(price["total"]), currency="EUR"
    )


def test_a_price_that_is_told_is_the_cost() -> None:
    cost = read_cost(read_price, {"total": "7.40"})
    assert cost
    assert cost.total_charge == Decimal("7.40")


@pytest.mark.parametrize("price", [{}, {"total": None}, {"total": "n/a"}, None])
def test_what_is_no_price_is_no_cost(price: Json | None) -> None:
    assert read_cost(read_price, price) is None


class Rebooking(Stub):
    done_before = (DoneBefore(verb="cancel_pickup", code="gone"),)


def cancel() -> Flow[Confirmation]:
    yield Call("DELETE", "/pickups/P1")
    return Confirmation(success=True, operation="Cancel Pickup")


def book() -> Flow[PickupDetails]:
    reply = yield Call("POST", "/pickups")
    return PickupDetails(confirmation_number=reply.json["number"])


def change(*answers: Any) -> Any:
    carrier = make_stub(Rebooking)
    flow = rebook_pickup(carrier, "P1", cancel(), book())
    with driving(Wire(in_turn(*answers))) as driver:
        return driver.run(CarrierJob(carrier, "update_pickup", flow))


@pytest.mark.parametrize("cancelled", [ok({}), GONE])
def test_another_collection_is_booked_in_place_of_one_that_is_cancelled(cancelled: Reply) -> None:
    assert change(cancelled, ok({"number": "P2"})).result.confirmation_number == "P2"


def test_a_collection_that_can_not_be_cancelled_stands() -> None:
    outcome = change(NO)
    assert (outcome.failed, outcome.unknown, [one.code for one in outcome.messages]) == (True, False, ["no"])


def test_a_booking_that_is_refused_says_that_the_old_collection_is_gone() -> None:
    outcome = change(ok({}), NO)
    assert (outcome.failed, outcome.unknown) == (True, True)
    assert [one.code for one in outcome.messages] == ["no", "pickup_not_replaced"]
