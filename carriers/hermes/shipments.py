"""Between our models and the orders of Hermes. Pure but for the flow.

Source: HSI Order API 2025-12-18: POST /shipmentorders/labels, /returnorders/labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date

from shipcli.carrier import Bought, Call, CarrierError, Flow, RequestOptions, combine_labels
from shipcli.carrier.flow_steps import read_or_none
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.models import Label, Message, Parcel, ShipmentRequest

from . import customs, parts

REFERENCE = 20
PLACED = "PLACED"  # the state of an order whose label was made
NOTE = re.compile(r"[wi]\d+")  # codes of warnings, and of what went well


def choose_format(*names: str | None) -> str:
    """The media type of the first kind of label that Hermes prints."""
    return str(parts.CATALOGUE.choose("label_types", *names, usual="PDF"))


# -- the order -------------------------------------------------------------------------------------


def write_order(
    request: ShipmentRequest, parcel: Parcel, options: RequestOptions, key: str, today: date
) -> Json:
    """The order of one parcel.

    Errors: Invalid for a service that lacks what it needs, and for goods that are not described.
    """
    sender = request.shipper
    body: Json = {
        "clientReference": cut_text(request.reference, REFERENCE) or cut_key(key),
        "clientReference2": cut_key(key),
        "receiverName": parts.write_name(request.recipient),
        "receiverAddress": parts.write_address(request.recipient),
        "receiverContact": parts.write_contact(request.recipient),
        "senderName": parts.write_name(sender),
        "senderAddress": parts.write_address(sender),
        "parcel": parts.write_parcel(parcel),
        "customsAndTaxes": customs.write_customs(request, parcel, options),
    }
    parts.add_services(body, request, options, today)
    return dict(drop_empty(body))


def cut_key(key: str) -> str:
    """The end of a key, in which those of several parcels differ."""
    return key[-REFERENCE:]


def add_part(body: Json, at: int, count: int, parent: str | None) -> Json:
    """The order as one of several parts; all but the first name the order of the first."""
    part = {"partNumber": at, "numberOfParts": count, "parentShipmentOrderID": parent}
    service = {**(body.get("service") or {}), "multipartService": part}
    return dict(drop_empty({**body, "service": service}))


def buy_in_turn(order: Callable[[int, str | None], Call], count: int) -> Flow[Label]:
    """One parcel after the other, as all but the first name the order of the first.

    Hermes has no call that cancels an order: what was bought before a refusal stays.
    Errors: CarrierError, not definite after the first parcel.
    """
    reply = yield order(1, None)
    labels = [read_label(reply.json)]
    for at in range(2, count + 1):
        yield Bought(
            labels[-1].tracking_number, labels[-1].shipment_identifier, part=True, meta=labels[-1].meta
        )
        reply = yield order(at, labels[0].shipment_identifier)
        label = read_or_none(lambda answer: read_label(answer.json), reply)
        if label is None:
            raise CarrierError(definite=False)
        labels.append(label)
    return combine_labels(labels)


def write_return(request: ShipmentRequest, options: RequestOptions, key: str) -> Json:
    """The order of a return label."""
    sender, warehouse = request.shipper, request.recipient
    body = {
        "clientReference": cut_text(
            options.text("hermes_customer_reference_1") or request.reference, REFERENCE
        )
        or cut_key(key),
        "clientReference2": options.text("hermes_customer_reference_2"),
        "parcel": parts.write_parcel(request.parcels[0]),
        "senderName": parts.write_name(sender),
        "senderAddress": parts.write_address(sender),
        "senderContact": parts.write_contact(sender),
        "receiverName": parts.write_name(warehouse),
        "receiverAddress": parts.write_address(warehouse),
    }
    return dict(drop_empty(body))


# -- the answer ------------------------------------------------------------------------------------


def read_errors(body: Json) -> list[Message]:
    """What went wrong; warnings and notes are none of it."""
    if error := body.get("error"):
        return [Message(code=error, message=body.get("error_description") or error)]
    return [
        Message(code=row.get("code"), message=row.get("message"))
        for row in body.get("listOfResultCodes") or ()
        if not NOTE.fullmatch(str(row.get("code")))
    ]


def find_orders(body: Json, keys: Sequence[str]) -> list[Label]:
    """The labels of the orders with these keys among their references, in the order of the keys."""
    rows = [
        row
        for client in as_list(body.get("listOfClients"))
        for sender in as_list(client.get("listOfSenders"))
        for row in as_list(sender.get("listOfShipmentOrders"))
    ]
    ends = [cut_key(key) for key in keys]
    found = {
        end: row for row in rows for end in ends
        if end in (row.get("clientReference"), row.get("clientReference2"))
    }  # fmt: skip
    return [read_label({**found[end], "labelMediatype": None}) for end in ends if end in found]


def read_label(body: Json) -> Label:
    """The label of one parcel: the number it travels under, and the order it was bought by."""
    number, order = str(body["shipmentID"]), str(body.get("shipmentOrderID") or body.get("returnOrderID"))
    kind = str(body.get("labelMediatype") or "").rpartition("/")[2].upper()
    files = {
        "label": body.get("labelImage") or body.get("shippinglabel"),
        "invoice": body.get("commInvoiceImage"),
    }
    return Label(
        tracking_number=number,
        shipment_identifier=order,
        label_type=kind or "PDF",
        docs={name: file for name, file in files.items() if file},
        meta={"shipment_id": number, "shipment_order_id": order},
    )
