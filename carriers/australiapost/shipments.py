"""Shipments: the order of labels, what was bought, and the label, which lies on a storage host.

A purchase takes three calls: create the shipment, ask for its labels, fetch their file.
Source: Shipping and Tracking API, Create Domestic Shipments, Create Labels.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shipcli.carrier import Bought, Call, Flow, RequestOptions, make_label, read_cost
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, set_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models import Label, Parcel, Quote, ShipmentRequest

from .customs import write_contents, write_customs
from .parts import (
    CATALOGUE,
    CURRENCY,
    REFERENCE,
    read_charges,
    write_address,
    write_code,
    write_measures,
)

if TYPE_CHECKING:
    from . import Australiapost
DEFAULT_GROUP, DEFAULT_SHEET = "Parcel Post", "PDF"
DESPATCH, RETURN = "DESPATCH", "RETURN"  # the movement of a shipment


# -- the order -------------------------------------------------------------------------------------


def write_shipment(carrier: Australiapost, request: ShipmentRequest, movement: str) -> Json:
    """The order of one shipment. Who receives it is told by email where there is an address to write to."""
    notify = carrier.options_of(request).flag("email_notification", default=True)
    pairs = zip(request.parcels, carrier.options_of_each(request), strict=True)
    shipment = {
        "shipment_reference": cut_text(request.reference, REFERENCE) or carrier.reference(),
        "email_tracking_enabled": notify and bool(request.recipient.email),
        "from": write_address(request.shipper),
        "to": write_address(request.recipient),
        "items": [
            write_item(request, parcel, at, options) for at, (parcel, options) in enumerate(pairs, start=1)
        ],
        "movement_type": movement,
    }
    return {"shipments": [drop_empty(shipment)]}


def write_item(request: ShipmentRequest, parcel: Parcel, at: int, options: RequestOptions) -> Json:
    item = {
        "item_reference": str(at),
        "product_id": CATALOGUE.services.code(request.service),
        **write_measures(parcel),
        "authority_to_leave": options.value("australiapost_authority_to_leave"),
        "allow_partial_delivery": options.value("australiapost_allow_partial_delivery"),
        "contains_dangerous_goods": options.value("australiapost_contains_dangerous_goods"),
        "item_description": parcel.description,
        **write_customs(request, parcel),
        **write_contents(request, parcel),
    }
    window = {
        "start": options.text("australiapost_delivery_time_start"),
        "end": options.text("australiapost_delivery_time_end"),
    }
    if any(window.values()):
        set_path(item, "features/DELIVERY_TIMES/attributes/windows", [window])
    options.write(item, "ship")
    return item


def write_labels(request: ShipmentRequest, shipment: str) -> Json:
    """The order of the labels of a shipment, on the sheet of their type; PNG comes as PDF."""
    kind, layout = _sheet(request)
    group = {
        "group": write_code("label_groups", CATALOGUE.services.code(request.service)) or DEFAULT_GROUP,
        "layout": layout,
        "branded": True,
        "left_offset": 0,
        "top_offset": 0,
    }
    return {
        "wait_for_label_url": True,
        "preferences": [{"type": "PRINT", "format": kind, "groups": [group]}],
        "shipments": [{"shipment_id": shipment}],
    }


def _sheet(request: ShipmentRequest) -> tuple[str, str]:
    sheets = CATALOGUE.table("label_sheets")
    kind, layout = sheets.get(request.label_type or DEFAULT_SHEET, sheets[DEFAULT_SHEET])
    return kind, layout


# -- what was bought -------------------------------------------------------------------------------


def read_sold(carrier: Australiapost, request: ShipmentRequest, body: Json) -> Bought:
    """Shapes: the parcels of a consignment share its number, and each has an article number of its own. What
    is not numbered yet goes by the identifier of the shipment.
    """
    shipment = body["shipments"][0]
    details = [item.get("tracking_details") or {} for item in as_list(shipment.get("items"))]
    consignments = [detail["consignment_id"] for detail in details if detail.get("consignment_id")]
    numbers = list(dict.fromkeys(consignments)) or [shipment["shipment_id"]]
    meta = {
        "carrier_tracking_link": carrier.link(numbers[0]),
        "tracking_numbers": numbers,
        "article_ids": [detail["article_id"] for detail in details if detail.get("article_id")],
        "manifest_required": True,
    }
    price = read_cost(read_price, request.service, shipment.get("shipment_summary") or {})
    return Bought(numbers[0], shipment["shipment_id"], selected_rate=price, meta=meta)


def read_price(service: str, summary: Json) -> Quote | None:
    if summary.get("total_cost") is None:
        return None
    row = CATALOGUE.services.get(service) or CATALOGUE.services.of_code(service)
    parts = {"base charge": summary.get("total_cost_ex_gst"), "GST": summary.get("total_gst")}
    return Quote(
        carrier_name="australiapost",
        service=row.slug if row else service,
        total_charge=summary["total_cost"],
        currency=CURRENCY,
        extra_charges=read_charges(parts),
    )


# -- flows -----------------------------------------------------------------------------------------


def ship(carrier: Australiapost, request: ShipmentRequest, movement: str = DESPATCH) -> Flow[Label]:
    body = write_shipment(carrier, request, movement)
    reply = yield from carrier.ask("POST", "/shipping/v1/shipments", json=body)
    bought = read_sold(carrier, request, reply.json)
    yield bought
    return (yield from fetch_label(carrier, bought, request))


def fetch_label(carrier: Australiapost, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
    """The label of a shipment; asking for it again draws it again and costs nothing."""
    body = write_labels(request, str(bought.shipment_identifier))
    made = yield from carrier.ask("POST", "/shipping/v1/labels", json=body, repeatable=True)
    label: Json = next(iter(as_list(made.json.get("labels"))), {})
    if not label.get("url"):
        raise carrier.refuse("no_label_yet", "Australia Post has not drawn the label yet")
    file = yield Call("GET", label["url"], file=True)
    meta = {**bought.meta, "label_request_id": label.get("request_id")}
    kind, docs = _sheet(request)[0], {"label": encode_file(file.content)}
    return make_label(replace(bought, meta=meta), kind, docs)
