"""Between our models and the stops of Locate2u.

Units: kilograms, centimetres and cubic metres.
Source: Locate2u API v1, "Stops"; sample answers of a stop.
"""

from __future__ import annotations

from http import HTTPStatus

from shipcli.carrier import Call, Reply, RequestOptions, load_catalogue
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount, round_measure
from shipcli.carrier.wire.times import CLOCK, read_day, read_moment
from shipcli.models import (
    Address,
    Commodity,
    Label,
    Message,
    Parcel,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
)

CATALOGUE = load_catalogue(__file__)


def write_stop(request: ShipmentRequest, options: RequestOptions) -> Json:
    recipient, parcel, day = request.recipient, request.parcels[0], options.ship_date()
    body = {
        "contact": {
            "name": recipient.name,
            "phone": recipient.phone_number,
            "email": recipient.email,
        },
        "name": recipient.company_name or recipient.person_name,
        "address": write_address(recipient),
        "tripDate": f"{day}T00:00:00.000000Z" if day else None,
        "sourceReference": request.reference,
        "load": write_load(parcel),
        "lines": [write_line(item) for item in parcel.items],
    }
    options.write(body, "ship")
    return dict(drop_empty(body))


def write_address(address: Address) -> str:
    """An address in one line: `1 Dock Rd, Pyrmont NSW 2009, Australia`."""
    locality = [address.city, address.postal_code, address.state_code]
    parts = [" ".join(address.lines), " ".join(part for part in locality if part), address.country_name]
    return ", ".join(part for part in parts if part)


def write_load(parcel: Parcel) -> Json:
    return {
        "quantity": sum(item.quantity for item in parcel.items) or None,
        "volume": parcel.volume_in("M"),
        "weight": round_measure(parcel.weight_in("KG")),
        **{name: round_measure(side) for name, side in parcel.known_sides_in("CM").items()},
    }


def write_line(item: Commodity) -> Json:
    return {
        "barcode": item.hs_code or item.sku,
        "description": item.title or item.description,
        "currentLocation": item.metadata.get("currentLocation"),
        "quantity": item.quantity,
    }


def write_question(number: str) -> Call:
    query = {"includeItems": "false", "includeLines": "false"}
    return Call("GET", f"/api/v1/stops/{number}", query=query, about={"tracking_number": number})


def read_stop(stop: Json) -> Label:
    """The label of a new stop; Locate2u gives none, so the kit draws it."""
    number = str(stop["stopId"])
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        meta={name: stop[name] for name in ("shipmentId", "durationMinutes") if stop.get(name) is not None},
    )


def read_tracking(stop: Json) -> Tracking:
    """What is known of a stop: where it stands now.

    Shapes: times are UTC, `2023-09-08T13:07:24.904Z`; a stop that nobody has touched yet has none.
    """
    status, changed = CATALOGUE.statuses.read(stop.get("status")), read_moment(stop.get("lastModifiedDate"))
    event = TrackingEvent(
        date=f"{changed:%Y-%m-%d}" if changed else None,
        time=changed.strftime(CLOCK) if changed else None,
        code=stop.get("status"),
        description=stop.get("status"),
        latitude=read_amount(get_path(stop, "location/latitude")),
        longitude=read_amount(get_path(stop, "location/longitude")),
    )
    return Tracking(
        tracking_number=str(stop["stopId"]),
        status=status,
        delivered=status == "delivered",
        estimated_delivery=read_day(stop.get("arrivalDate")),
        events=[event],
    )


def read_errors(reply: Reply) -> list[Message]:
    """What is said of a refusal; by its status alone where the body is empty."""
    body = reply.json
    if "error" in body:
        return [Message(code=body.get("code"), message=body["error"])]
    if reply.status >= 400:
        return [Message(code=str(reply.status), message=HTTPStatus(reply.status).phrase)]
    return []
