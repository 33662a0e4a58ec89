"""What the simulated DHL says: of a sale, of a refusal, of a collection."""

from __future__ import annotations

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Refusal, Sale
from shipcli.carrier.simulation.papers import draw_invoice, draw_parcels, group_text
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.label_files import encode_file

CATALOGUE = load_catalogue(__file__)
OPEN, CANCELLED = "ANGENOMMEN", "STORNIERT"
OK = {"title": "OK", "statusCode": 200, "detail": "The Webservice call ran successfully."}


def write_fault(refusal: Refusal) -> Json:
    fault = {"property": "shipment", "validationMessage": refusal.text, "validationState": "Error"}
    status = {"title": refusal.code, "statusCode": refusal.status, "detail": refusal.text}
    return {"sstatus": status, "validationMessages": [fault]}


def write_sale(sale: Sale, shipment: Json, kind: str) -> Json:
    number, booking = sale.identifier, sale.booking
    content = draw(sale)
    file = {"b64": encode_file(content)} if booking.label == "PDF" else {"zpl2": content.decode()}
    invoice = (
        draw_invoice("Customs declaration CN23", booking, {"Shipment": number}) if booking.items else None
    )
    answer = {
        "shipmentNo": number,
        "returnShipmentNo": f"9{number[1:]}" if get_path(shipment, "services/dhlRetoure") else None,
        "sstatus": OK,
        "shipmentRefNo": shipment.get("refNo"),
        "label": {**file, "fileFormat": kind},
        "customsDoc": {"b64": encode_file(invoice), "fileFormat": "PDF"} if invoice else None,
    }
    return dict(drop_empty(answer))


def draw(sale: Sale) -> bytes:
    booking, number = sale.booking, sale.identifier
    name, mark = CATALOGUE.table("products")[booking.service]
    furniture = {"mark": mark, "routing": route_code(booking)}
    return draw_parcels(booking, [number], booking.label, "DHL", name, groups=(2, 1, 7, 9), **furniture)


def route_code(booking: Booking) -> str:
    """Where the parcel goes, for the sorting machines: in Germany the Leitcode, abroad the country."""
    to = booking.recipient
    if to.country != "DE":
        return f"{to.country} {to.postal_code}"
    body = f"{to.postal_code:0<5}00000010"
    total = sum(int(digit) * (9 if at % 2 else 4) for at, digit in enumerate(body))
    return f"{group_text(body, 5, 3, 3)} {-total % 10}".replace(" ", ".")


def write_collection(booked: Json) -> Json:
    shipments = booked["order"]["shipmentDetails"]["shipments"]
    is_agreed = booked["order"]["pickupLocation"]["type"] == "Id"
    confirmed = [
        {
            "transportationType": shipment["transportationType"],
            "orderDate": booked["at"],
            **({"shipmentNo": shipment["shipmentNo"]} if "shipmentNo" in shipment else {}),
        }
        for shipment in shipments
    ]
    return {
        "orderID": booked["number"],
        "pickupDate": booked["day"],
        "freeOfCharge": is_agreed,
        "pickupType": "BDA" if is_agreed else "EZA",
        "confirmedShipments": confirmed,
    }


def write_collection_status(booked: Json) -> Json:
    order, place = booked["order"], booked["order"]["pickupLocation"]
    where = {"id": place["asId"]} if "asId" in place else {"pickupAddress": place["pickupAddress"]}
    shipments = [
        {"shipment": shipment, "orderDate": booked["at"]}
        for shipment in order["shipmentDetails"]["shipments"]
    ]
    state = CANCELLED if booked["cancelled_at"] else OPEN
    return {
        **order,
        "orderDetails": {"orderID": booked["number"], "orderState": state},
        "pickupLocation": where,
        "shipmentDetails": {"shipments": shipments},
    }
