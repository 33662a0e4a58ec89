"""Orders: they hand shipments over and charge them to the account; their summary is the manifest.

Source: Shipping and Tracking API, Create Order From Shipments, Get Order Summary, Get Shipments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from shipcli.carrier import Call, Flow
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models import ManifestDetails, ManifestRequest

from .parts import NAME, REFERENCE

if TYPE_CHECKING:
    from . import Australiapost


def write_order(request: ManifestRequest) -> Json:
    address = request.address
    body = {
        "order_reference": cut_text(request.reference, REFERENCE),
        "payment_method": "CHARGE_TO_ACCOUNT",
        "consignor": cut_text(address.company_name or address.person_name, NAME),
        "shipments": [{"shipment_id": identifier} for identifier in request.shipment_identifiers],
    }
    return dict(drop_empty(body))


def order(carrier: Australiapost, request: ManifestRequest) -> Flow[ManifestDetails]:
    reply = yield from carrier.ask("POST", "/shipping/v1/orders", json=write_order(request))
    made = reply.json["order"]
    names = ("order_id", "order_reference", "order_creation_date")
    return (yield from _summary(carrier, {name: made.get(name) for name in names}))


def recover(carrier: Australiapost, request: ManifestRequest) -> Flow[ManifestDetails | None]:
    """The order that all of these shipments are in: one that was handed over names it."""
    query = {"shipment_ids": ",".join(request.shipment_identifiers)}
    reply = yield from carrier.ask("GET", "/shipping/v1/shipments", query=query)
    orders = {shipment.get("order_id") for shipment in as_list(reply.json.get("shipments"))}
    number = orders.pop() if len(orders) == 1 else None
    return (yield from _summary(carrier, {"order_id": number})) if number else None


def _summary(carrier: Australiapost, made: Json) -> Flow[ManifestDetails]:
    """The form of an order, a PDF."""
    account, number = carrier.account.account_number, quote(str(made["order_id"]), safe="")
    path = f"/shipping/v1/accounts/{quote(account, safe='')}/orders/{number}/summary"
    file = yield Call("GET", path, file=True)
    return ManifestDetails(doc={"manifest": encode_file(file.content)}, meta=made)
