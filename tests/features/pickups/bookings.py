"""Collections that tests of several rooms book and interrupt."""

from __future__ import annotations

from typing import Any

from shipcli.features.book.drafts import expand_body, give_id
from shipcli.features.connections import accounts, intent_actions
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.connections.intent_actions import PICKUP, CarrierAction
from shipcli.features.core.app import App
from shipcli.features.pickups import bookings
from shipcli.features.pickups import service as pickups
from shipcli.features.shipments import service as shipments
from shipcli.models import Pickup, PickupData, Shipment, ShipmentPurchaseData
from tests.factories import ABROAD, CANADA, FARTHER, draft
from tests.features.shipments.purchases import NOBODY

LANES = {
    "canadapost": {"shipper": CANADA, "recipient": FARTHER},
    "dhl_parcel_de": {"shipper": ABROAD, "recipient": ABROAD},
}
WHEN = {"pickup_date": "2031-05-08", "ready_time": "09:00", "closing_time": "17:00"}


def bought(app: App, carrier: str = "usps", **changes: Any) -> Shipment:
    made = shipments.create_shipment(app, draft(carrier_ids=[carrier], **changes))
    return shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))


def body(*held: Shipment, **changes: Any) -> PickupData:
    numbers = [one.tracking_number for one in held]
    return PickupData.model_validate({**WHEN, "tracking_numbers": numbers, **changes})


def booked(app: App, *held: Shipment, carrier: str = "usps", **changes: Any) -> Pickup:
    return pickups.schedule_pickup(app, carrier, body(*held, **changes))


def collections(app: App) -> list[dict[str, Any]]:
    """What the carriers would send a driver for."""
    return [record for _, _, _, record in app.ledger.everything("pickup") if not record["cancelled_at"]]


def sold(app: App, carrier: str, **changes: Any) -> Shipment:
    return bought(app, carrier, **LANES.get(carrier, {}), **changes)


def interrupted(app: App, held: Shipment, carrier: str, *, reached: bool, **changes: Any) -> str:
    """A booking by a process that died, after the carrier had answered or before it was asked; its id."""
    plain = expand_body(app, body(held, **changes))
    plain["address"] = give_id(app, plain["address"] or held.shipper.model_dump(), "adr_")
    account = accounts.choose(app, "pickup", carrier_name=carrier)[0]
    action = CarrierAction(
        PICKUP, app.new_id(""), app.new_id("pck_"), account.id, (held.id,), {"body": plain}
    )
    intent_actions.announce(app, action, account)
    if reached:
        ask_carrier(app, account, "schedule_pickup", bookings._make_request(app, action), key=action.key)
    die(app, action)
    return action.object_id


def die(app: App, action: CarrierAction) -> None:
    with app.store.transaction() as tx:
        tx.update("intents", {"key": action.key}, NOBODY)
