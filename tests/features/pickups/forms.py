"""Forms of the day that tests of several rooms close and interrupt."""

from __future__ import annotations

from typing import Any

from shipcli.features.connections import accounts, intent_actions
from shipcli.features.connections.intent_actions import MANIFEST, CarrierAction
from shipcli.features.core.app import App
from shipcli.features.pickups import manifests
from shipcli.features.pickups.manifest_requests import request_form
from shipcli.features.shipments import service as shipments
from shipcli.gateway.local import LocalGateway
from shipcli.models import Manifest, ManifestData, Shipment
from shipcli.workflows import end_of_day
from tests.factories import CANADA, SHIPPER
from tests.features.pickups.bookings import die


def body(*listed: Shipment | str, carrier: str = "usps", **changes: Any) -> ManifestData:
    ids = [one if isinstance(one, str) else one.id for one in listed]
    given = {"carrier_name": carrier, "address": SHIPPER, "shipment_ids": ids, **changes}
    return ManifestData.model_validate(given)


def made(app: App, *listed: Shipment | str, **changes: Any) -> Manifest:
    return manifests.create_manifest(app, body(*listed, **changes))


def fresh(app: App, shipment: Shipment) -> Shipment:
    return shipments.get_shipment(app, shipment.id)


def close_all(app: App) -> list[end_of_day.DayLine]:
    gateway = LocalGateway(app)
    return [end_of_day.close_group(gateway, group) for group in end_of_day.list_open_groups(gateway)]


def form(app: App, *listed: Shipment, carrier: str = "usps", **changes: Any) -> Any:
    address = CANADA if carrier == "canadapost" else SHIPPER
    return made(app, *listed, carrier=carrier, address=address, **changes)


def interrupted(app: App, *listed: Shipment, carrier: str, reached: bool) -> str:
    """A form asked for by a process that died, after the carrier had answered or before; its id."""
    account = accounts.choose(app, "shipping", carrier_name=carrier)[0]
    body = {"options": {}, "reference": None}
    details = {"address": listed[0].shipper.model_dump(), "body": body, "notes": []}
    ids = tuple(one.id for one in listed)
    action = CarrierAction(MANIFEST, app.new_id(""), app.new_id("manf_"), account.id, ids, details)
    intent_actions.announce(app, action, account)
    if reached:
        request_form(app, account, action)
    die(app, action)
    return action.object_id
