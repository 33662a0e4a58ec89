"""Bookings of SmartKargo: an air waybill for each package, and its label. Pure.

Source: IHUB Swagger 1.0.0: exchange/single, label, shipment; recorded answers, which have the packages as
`shipments`.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit

from shipcli.carrier import Reply, RequestOptions, list_charges, read_cost
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.times import read_moment
from shipcli.models import Label, Quote, ShipmentRequest

from .parts import CATALOGUE, list_booked, read_body, read_status

ZERO = Decimal(0)
DOOR_TO_DOOR, DIRECT = "DoorToDoor", "Direct"
CHARGES = CATALOGUE.table("charges")
A_DAY = timedelta(days=1)  # more than any two time zones are apart


def write_booking(request: ShipmentRequest, package: Json, options: RequestOptions) -> Json:
    """A package to be booked."""
    shipper, consignee = package["participants"]
    booking = {
        **package,
        "serviceType": CATALOGUE.services.wire_code(request.service),
        "deliveryType": DOOR_TO_DOOR,
        "channel": DIRECT,
        "participants": [shipper, {**consignee, "deliveryInstruction": write_instruction(request, options)}],
    }
    options.write(booking, "ship")
    return dict(drop_empty(booking))


def write_instruction(request: ShipmentRequest, options: RequestOptions) -> str | None:
    """Who the parcel is for in a company, which has no place of its own, and the note for the courier."""
    recipient = request.recipient
    person = f"Attn {recipient.person_name}" if recipient.company_name and recipient.person_name else None
    return "; ".join(filter(None, (person, options.text("shipment_note")))) or None


def read_booking(reply: Reply, currency: str) -> Label:
    return read_package(list_booked(read_body(reply))[0], currency)


def read_package(row: Json, currency: str) -> Label:
    """A package that is booked; its label is fetched by another call.

    Its identifier is its waybill: by that it is cancelled, and other shipments may have the same reference.
    """
    number = read_number(row)
    meta = {name: row.get(key) for name, key in CATALOGUE.table("label_meta").items()}
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        selected_rate=read_cost(read_price, row, row.get("currency") or currency),
        meta=dict(drop_empty(meta)),
    )


def read_number(row: Json) -> str:
    """The waybill in one; its two parts stand in the link of the label too."""
    link = dict(parse_qsl(urlsplit(str(row.get("labelUrl") or "")).query))
    parts = [
        next((text for text in (row.get(name), link.get(name)) if text and isinstance(text, str)), None)
        for name in ("prefix", "airWaybill")
    ]
    if not all(parts):
        raise ValueError("a package has no waybill")
    return "".join(filter(None, parts))


def read_price(row: Json, currency: str) -> Quote | None:
    """What a package costs; `total` is without the taxes."""
    if row.get("total") is None:
        return None
    code = row["serviceType"]
    lines = [(name, read_amount(row.get(key))) for name, key in CHARGES.items()]
    return Quote(
        carrier_name="smartkargo",
        service=CATALOGUE.services.find_slug(code) or code,
        total_charge=Decimal(str(row["total"])) + (read_amount(row.get("totalTax")) or ZERO),
        currency=currency,
        extra_charges=list_charges(lines, currency),
    )


def is_void(body: Json) -> bool:
    result = body.get("result")
    return result["cancelled"] is True if result else read_status(body) == "SUCCESS"


def read_file(reply: Reply) -> str:
    """The label, which is told as a link that holds its data."""
    content = str(as_list(reply.json)[0]["base64Content"])
    return content.rpartition("base64,")[2].strip()


def find_bought(reply: Reply, header: str, reference: str, sent_at: datetime, currency: str) -> Label | None:
    """The package that this purchase booked, of those with its reference; an older one is another's."""
    for row in as_list(reply.json):
        names = (row.get("headerReference"), row.get("packageReference"))
        if names == (header, reference) and list_booked({"shipments": [row]}) and is_recent(row, sent_at):
            return read_package(row, currency)
    return None


def is_recent(row: Json, sent_at: datetime) -> bool:
    at = read_moment(row.get("createdOn"))
    return at is None or at.replace(tzinfo=sent_at.tzinfo) > sent_at - A_DAY
