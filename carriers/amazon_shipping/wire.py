"""Between our models and Amazon's JSON. Pure.

Units: pounds and inches, to the hundredth, half up.
Source: Selling Partner API, Shipping v1.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TypeAlias

from shipcli.carrier import RequestOptions, load_catalogue, read_cost
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.label_files import convert_files, list_files
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day, read_moment
from shipcli.models import (
    Address,
    Commodity,
    Label,
    Message,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
)

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
POUND, INCH = "lb", "IN"  # as the schema of the API spells them
LABEL = {"labelFormat": "PNG", "labelStockSize": "4x6"}  # the only one there is
NAME, LINE, REFERENCE, TITLE = 50, 60, 40, 35  # characters


# -- requests --------------------------------------------------------------------------------------


def write_rate(request: RateRequest, options: RequestOptions) -> Json:
    """Without services all are asked for."""
    wanted = CATALOGUE.services.list_chosen(request.services) or list(CATALOGUE.services)
    body = {
        **_route(request, options),
        "serviceTypes": [row.code for row in wanted],
        "containerSpecifications": [write_sizes(parcel) for parcel in request.parcels],
    }
    return dict(drop_empty(body))


def write_purchase(request: ShipmentRequest, options: RequestOptions, reference: str) -> Json:
    body = {
        "clientReferenceId": cut_text(reference, REFERENCE),
        **_route(request, options),
        "serviceType": CATALOGUE.services.code(request.service),
        "containers": [write_container(parcel, at) for at, parcel in enumerate(request.parcels, start=1)],
        "labelSpecification": LABEL,
    }
    return dict(drop_empty(body))


def _route(request: Request, options: RequestOptions) -> Json:
    """From where to where, and when."""
    day = options.ship_date()
    return {
        "shipFrom": write_address(request.shipper),
        "shipTo": write_address(request.recipient),
        "shipDate": f"{day}T00:00:00.000000Z" if day else None,
    }


def write_address(address: Address) -> Json:
    lines = address.lines
    return {
        "name": cut_text(address.name, NAME),
        **{f"addressLine{at}": cut_text(line, LINE) for at, line in enumerate(lines, start=1)},
        "city": address.city,
        "stateOrRegion": address.state_code,
        "postalCode": address.postal_code,
        "countryCode": address.country_code,
        "email": address.email,
        "phoneNumber": address.phone_number,
    }


def write_sizes(parcel: Parcel) -> Json:
    sizes = {name: round_measure(side) for name, side in parcel.known_sides_in("IN").items()}
    return {
        "dimensions": {**sizes, "unit": INCH} if sizes else None,
        "weight": {"value": round_measure(parcel.weight_in("LB")), "unit": POUND},
    }


def write_container(parcel: Parcel, at: int) -> Json:
    return {
        "containerType": "PACKAGE",
        "containerReferenceId": parcel.id or str(at),
        **write_sizes(parcel),
        "items": [write_item(item) for item in parcel.items],
    }


def write_item(item: Commodity) -> Json:
    """Units: weight and price of one piece."""
    weight, price = item.weight_in("LB"), item.value_amount
    return {
        "quantity": item.quantity,
        "title": cut_text(item.title or item.description, TITLE),
        "unitPrice": None if price is None else {"value": price, "unit": item.value_currency},
        "unitWeight": None if weight is None else {"value": round_measure(weight), "unit": POUND},
    }


# -- answers ---------------------------------------------------------------------------------------


def read_errors(body: Json) -> list[Message]:
    return [
        Message(
            code=error.get("code"),
            message=error.get("message"),
            details={"note": error["details"]} if error.get("details") else None,
        )
        for error in as_list(body.get("errors"))
    ]


def read_rates(body: Json) -> list[Quote]:
    return read_each(as_list(body.get("serviceRates")), read_rate)


def read_rate(rate: Json) -> Quote:
    """Days pass from the end of the hours of collection to the start of those of delivery."""
    collected = read_moment(get_path(rate, "promise/receiveWindow/end"))
    delivered = read_moment(get_path(rate, "promise/deliveryWindow/start"))
    due = get_path(rate, "promise/deliveryWindow/end")
    return Quote(
        carrier_name="amazon_shipping",
        service=CATALOGUE.services.slug(rate["serviceType"]),
        total_charge=Decimal(str(rate["totalCharge"]["value"])),
        currency=rate["totalCharge"]["unit"],
        transit_days=(delivered - collected).days if collected and delivered else None,
        estimated_delivery=read_day(due),
        meta={"service_name": rate["serviceType"]},
    )


def read_purchase(body: Json, label_type: str | None) -> Label:
    """Labels come as pictures, one for each container; they are made what was asked for, else PDF."""
    results = as_list(body.get("labelResults"))
    numbers = [one["trackingId"] for one in results] or [body["shipmentId"]]
    kind = _kind(label_type, len(results))
    several = {"tracking_numbers": numbers} if len(numbers) > 1 else {}
    return Label(
        tracking_number=numbers[0],
        shipment_identifier=body["shipmentId"],
        label_type=kind,
        docs=_files([get_path(one, "label/labelStream") for one in results], kind),
        selected_rate=read_cost(read_rate, rate) if (rate := body.get("serviceRate")) else None,
        meta={"containerReferenceId": get_path(results, "containerReferenceId"), **several},
    )


def _files(pictures: Sequence[str | None], kind: str) -> dict[str, str]:
    """The label of all containers; none where a picture is missing, as the shipment is bought."""
    whole = list_files(pictures)
    return {"label": convert_files(whole, kind)} if whole else {}


def _kind(label_type: str | None, count: int) -> str:
    """PDF, ZPL, or of a single label the picture itself."""
    wanted = (label_type or "PDF").split("_")[0]
    kinds: Sequence[str] = ("PDF", "ZPL") if count > 1 else ("PDF", "ZPL", "PNG")
    return wanted if wanted in kinds else "PDF"


def read_tracking(body: Json) -> Tracking:
    status = CATALOGUE.statuses.read(get_path(body, "summary/status"))
    return Tracking(
        tracking_number=body["trackingId"],
        events=read_each(as_list(body.get("eventHistory")), _read_event),
        delivered=status == "delivered",
        status=status,
        estimated_delivery=read_day(body.get("promisedDeliveryDate")),
    )


def _read_event(event: Json) -> TrackingEvent:
    """One scan, its time in UTC."""
    place, at = event.get("location") or {}, event.get("eventTime")
    where = (place.get(name) for name in ("city", "stateOrRegion", "postalCode", "countryCode"))
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=event["eventCode"],
        description=event["eventCode"],
        location=", ".join(part for part in where if part) or None,
    )
